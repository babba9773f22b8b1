"use client";

import type { ReactNode } from "react";
import { PAGES } from "@/components/shell/navigation";
import { Dialog } from "@/components/ui/dialog";

const APPROVALS: readonly [string[], string][] = [
  [["J", "K"], "Next, previous payment"],
  [["Enter"], "Review"],
  [["X"], "Select"],
  [["A"], "Approve"],
  [["R"], "Reject"],
];

/** A list of all keyboard shortcuts. */
export function Shortcuts({ open, onClose, mac }: { open: boolean; onClose: () => void; mac: boolean }) {
  const everywhere: [string[], string][] = [
    [[mac ? "⌘" : "Ctrl", "K"], "Search, go to a page, or run a command"],
    [["/"], "The same"],
    [["?"], "This list"],
    [["Esc"], "Close what is open"],
  ];
  const places = PAGES.flatMap(({ name, shortcut }): [string[], string][] =>
    shortcut ? [[["G", shortcut.toUpperCase()], name]] : [],
  );
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <div className="grid gap-6 sm:grid-cols-2">
        <div className="grid content-start gap-6">
          <Keys title="Everywhere" keys={everywhere} />
          <Keys title="Approvals" keys={APPROVALS} />
        </div>
        <Keys title="Go to: one key after the other" keys={places} />
      </div>
    </Dialog>
  );
}

function Keys({ title, keys }: { title: string; keys: readonly [string[], string][] }) {
  return (
    <section className="grid content-start gap-1">
      <h3 className="pb-1 font-medium text-sm">{title}</h3>
      <dl className="grid gap-1.5 text-sm">
        {keys.map(([names, does]) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dd className="text-muted">{does}</dd>
            <dt className="order-last flex shrink-0 gap-1">
              {names.map((name) => (
                <Key key={name}>{name}</Key>
              ))}
            </dt>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Key({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded border border-line-strong bg-raised px-1 font-sans text-[11px] text-ink">
      {children}
    </kbd>
  );
}
