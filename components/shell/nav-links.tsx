"use client";

import { usePendingCount } from "@/components/approvals/use-pending-count";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { LinkTabs } from "@/components/ui/link-tabs";
import type { Network } from "@/lib/base/network";
import { entriesWith, isCurrent, tabsAt } from "./navigation";
import { useGo, useWhere } from "./page-transition";

/** A dot that says that payments wait, for the collapsed navigation. */
export function PendingDot({ initial }: { initial: number }) {
  if (usePendingCount(initial) === 0) return null;
  return (
    <span aria-hidden="true" className="absolute top-1.5 right-1.5 size-2 rounded-full bg-accent ring-2 ring-paper" />
  );
}

/** The number of payments that wait for the owner, kept current by the stream. */
function PendingCount({ initial }: { initial: number }) {
  const pending = usePendingCount(initial);
  if (pending === 0) return null;
  return (
    <span className="ml-auto rounded-full bg-accent px-1.5 font-medium text-accent-ink text-xs tabular-nums leading-5">
      {pending > 99 ? "99+" : pending}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

/** The tabs of the section that the page belongs to. */
export function SectionTabs({ network }: { network: Network }) {
  const pathname = useWhere();
  const base = `/${network}`;
  const tabs = tabsAt(pathname, base);
  if (!tabs) return null;
  const links = tabs.pages.map(({ name, tab = name, path }) => {
    const href = `${base}${path}`;
    return { name: tab, href, current: pathname === href };
  });
  return <LinkTabs look="line" label={tabs.entry} tabs={links} className="-mt-2 mb-6" />;
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
  const waiting = usePendingCount(pending);
  const base = `/${network}`;
  return (
    <nav aria-label="Dashboard" className="grid gap-0.5">
      {entriesWith(waiting).map((entry) => {
        const { name, icon: Icon, pages } = entry;
        const href = `${base}${pages[0].path}`;
        const current = isCurrent(pathname, base, entry);
        return (
          <Link
            key={name}
            href={href}
            onNavigate={(event) => {
              event.preventDefault();
              onNavigate?.();
              go(href);
            }}
            aria-current={current ? "page" : undefined}
            className={classNames(
              "flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors pointer-coarse:h-11",
              current ? "bg-sunken font-medium text-ink" : "text-muted hover:bg-sunken/60 hover:text-ink",
            )}
          >
            <Icon size={16} aria-hidden="true" className={current ? "text-accent" : undefined} />
            {name}
            {name === "Approvals" && <PendingCount initial={pending} />}
          </Link>
        );
      })}
    </nav>
  );
}
