import { ArrowRight, CalendarClock, CircleCheckBig, CircleX, type LucideIcon, Send, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";

/** Something that waits for the owner, or has failed. */
export interface Notice {
  kind: "approvals" | "schedules" | "payouts" | "transfers" | "webhooks";
  failed?: boolean;
  title: string;
  detail?: ReactNode;
  href: string;
}

const ICONS: Record<Notice["kind"], LucideIcon> = {
  approvals: CircleCheckBig,
  schedules: CalendarClock,
  payouts: Send,
  transfers: CircleX,
  webhooks: Webhook,
};

/** Lists what waits and what has failed, each with a link to its page. Renders nothing if there is nothing. */
export function Notices({ title, notices }: { title: string; notices: readonly Notice[] }) {
  if (notices.length === 0) return null;
  return (
    <Card title={title} flush>
      <ul className="divide-y divide-line border-line border-t">
        {notices.map(({ kind, failed = false, title, detail, href }) => {
          const Icon = ICONS[kind];
          return (
            <li
              key={`${kind} ${href}`}
              className="relative flex items-center gap-3 px-4 py-3 text-sm hover:bg-sunken/50 sm:px-5"
            >
              <span
                className={classNames(
                  "grid size-8 shrink-0 place-items-center rounded-full",
                  failed ? "bg-danger-soft text-danger" : "bg-accent-soft text-accent",
                )}
              >
                <Icon size={15} aria-hidden="true" />
              </span>
              <span className="min-w-0 flex-1">
                <Link
                  href={href}
                  className="font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
                >
                  {title}
                </Link>
                {detail && <span className="wrap-anywhere block text-muted text-xs">{detail}</span>}
              </span>
              <ArrowRight size={15} aria-hidden="true" className="shrink-0 text-faint" />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
