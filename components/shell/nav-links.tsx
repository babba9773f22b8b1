"use client";

import { usePendingCount } from "@/components/approvals/use-pending-count";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import type { Network } from "@/lib/base/network";
import { isCurrent, NAVIGATION } from "./navigation";
import { useGo, useWhere } from "./page-transition";

/** A dot that says that payments wait, for the collapsed navigation. */
export function PendingDot({ initial }: { initial: number }) {
  if (usePendingCount(initial) === 0) return null;
  return (
    <span aria-hidden="true" className="absolute top-1.5 right-1.5 size-2 rounded-full bg-accent ring-2 ring-paper" />
  );
}

/** The number of payments that wait for the owner, kept current by the stream. */
export function PendingCount({ initial }: { initial: number }) {
  const pending = usePendingCount(initial);
  if (pending === 0) return null;
  return (
    <span className="ml-auto rounded-full bg-accent px-1.5 font-medium text-accent-ink text-xs tabular-nums leading-5">
      {pending > 99 ? "99+" : pending}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

/** The links of the sidebar. */
export function NavLinks({
  network,
  pending,
  onNavigate,
}: {
  network: Network;
  pending: number;
  onNavigate?: () => void;
}) {
  const pathname = useWhere();
  const go = useGo();
  const base = `/${network}`;
  return (
    <nav aria-label="Dashboard" className="grid gap-5">
      {NAVIGATION.map(({ group, pages }) => (
        <div key={group ?? "main"} className="grid gap-0.5">
          {group && <p className="px-2.5 pb-1 font-medium text-faint text-xs">{group}</p>}
          {pages.map(({ name, path, icon: Icon }) => {
            const current = isCurrent(pathname, base, path);
            return (
              <Link
                key={path}
                href={`${base}${path}`}
                onNavigate={(event) => {
                  event.preventDefault();
                  onNavigate?.();
                  go(`${base}${path}`);
                }}
                aria-current={current ? "page" : undefined}
                className={classNames(
                  "flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors pointer-coarse:h-11",
                  current ? "bg-sunken font-medium text-ink" : "text-muted hover:bg-sunken/60 hover:text-ink",
                )}
              >
                <Icon size={16} aria-hidden="true" className={current ? "text-accent" : undefined} />
                {name}
                {path === "/approvals" && <PendingCount initial={pending} />}
              </Link>
            );
          })}
        </div>
      ))}
    </nav>
  );
}
