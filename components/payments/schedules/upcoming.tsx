"use client";

import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { ShownTerms } from "@/components/vault/methods/schedules";
import type { Schedule } from "@/sdk/api/resources/schedules";
import { useTerms } from "./use-terms";

/** The most payments to show. */
const MOST = 5;

/** The next payments of schedules, soonest first. */
export function upcomingOf(schedules: readonly Schedule[]): { id: string; at: string }[] {
  return schedules
    .flatMap(({ schedule_id: id, next_run }) => (next_run ? [{ id, at: next_run.due_at }] : []))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .slice(0, MOST);
}

function wordsOf(terms: ShownTerms | null | undefined): { title: string; detail?: string } {
  const payments = terms?.parts.at(-1)?.payments ?? [];
  const [first, ...others] = payments;
  if (!first) return { title: "Scheduled payment" };
  const to = others.length > 0 ? `${first.to} and ${others.length} more` : first.to;
  return terms?.name ? { title: terms.name, detail: to } : { title: to };
}

/** What is paid next by itself. Whom it pays shows only while the account is unlocked. */
export function Upcoming({ path, schedules }: { path: string; schedules: readonly Schedule[] }) {
  const next = upcomingOf(schedules);
  const { data: terms } = useTerms({ enabled: next.length > 0 });
  if (next.length === 0) return null;
  return (
    <Card
      flush
      title="Next"
      action={
        <Link href={path} className="text-accent text-sm underline-offset-4 hover:underline">
          All schedules
        </Link>
      }
    >
      <ul className="divide-y divide-line border-line border-t">
        {next.map(({ id, at }) => {
          const { title, detail } = wordsOf(terms?.[id]);
          return (
            <li
              key={id}
              className="relative flex items-center justify-between gap-4 px-4 py-3 text-sm hover:bg-sunken/50 sm:px-5"
            >
              <span className="min-w-0">
                <Link
                  href={`${path}/${id}`}
                  className="block truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
                >
                  {title}
                </Link>
                {detail && <span className="block truncate text-muted text-xs">{detail}</span>}
              </span>
              <Time value={at} className="shrink-0 text-muted" />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
