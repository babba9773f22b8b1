import type { ReactNode } from "react";

function Key({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded border border-line-strong bg-raised px-1 font-sans text-[11px] text-ink">
      {children}
    </kbd>
  );
}

const KEYS: { keys: string[]; does: string }[] = [
  { keys: ["J", "K"], does: "move" },
  { keys: ["Enter"], does: "review" },
  { keys: ["X"], does: "select" },
  { keys: ["A"], does: "approve" },
  { keys: ["R"], does: "reject" },
  { keys: ["Esc"], does: "close" },
];

/** Lists the queue's keyboard shortcuts, on devices with a keyboard. */
export function KeyLegend() {
  return (
    <dl className="hidden flex-wrap gap-x-5 gap-y-2 text-muted text-xs sm:flex pointer-coarse:hidden">
      {KEYS.map(({ keys, does }) => (
        <div key={does} className="flex items-center gap-1.5">
          <dt className="flex gap-1">
            {keys.map((key) => (
              <Key key={key}>{key}</Key>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
