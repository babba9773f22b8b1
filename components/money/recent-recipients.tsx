"use client";

import { useResource } from "@/components/api/use-resource";
import { shortened } from "@/components/ui/address";

/** How many payments to search for recent recipients. */
const LOOKED_THROUGH = 50;
const OFFERED = 4;

interface Sent {
  transfers: readonly { to: string; direction: string }[];
}

/** Returns the recipients of the newest payments, each once, newest first. */
export function recentOf(transfers: Sent["transfers"], most = OFFERED): string[] {
  const paid = transfers.filter(({ direction }) => direction === "sent").map(({ to }) => to);
  return [...new Set(paid)].slice(0, most);
}

/** Buttons that fill in recent recipients. Renders nothing if no one was paid yet. */
export function RecentRecipients({ onChoose, disabled }: { onChoose: (to: string) => void; disabled: boolean }) {
  const { data } = useResource<Sent>("/v1/transfers", { query: { direction: "sent", limit: LOOKED_THROUGH } });
  const recent = recentOf(data?.transfers ?? []);
  if (recent.length === 0) return null;
  return (
    <div className="-mt-1.5 flex flex-wrap items-center gap-1.5 text-xs">
      <span className="text-muted">Paid before:</span>
      {recent.map((to) => (
        <button
          key={to}
          type="button"
          disabled={disabled}
          onClick={() => onChoose(to)}
          className="min-h-6 max-w-48 truncate rounded-md bg-sunken px-2 font-medium hover:text-accent disabled:opacity-50 pointer-coarse:min-h-9"
        >
          {to.startsWith("0x") ? shortened(to) : to}
        </button>
      ))}
    </div>
  );
}
