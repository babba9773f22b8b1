"use client";

import { messageOf } from "@/components/api/message-of";
import { useResource } from "@/components/api/use-resource";
import { OlderPages } from "@/components/lists/older-pages";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Time, useReader } from "@/components/ui/time";
import { useVault } from "@/components/vault/vault-provider";
import type { Schedule, ScheduleList as Schedules } from "@/sdk/api/resources/schedules";
import { DueBanner } from "./due-banner";
import { useTerms } from "./use-terms";
import { ruleWords, SCHEDULE_STATUS } from "./wording";

/** The account's schedules, with due payments above. Names and rules show only while the account is unlocked. */
export function ScheduleList({
  path,
  query,
  initial,
  due,
}: {
  path: string;
  /** The query of the resource. */
  query: { limit: string; starting_after: string | undefined };
  initial: Schedules;
  /** All schedules of which a payment is due. */
  due: readonly Schedule[];
}) {
  const vault = useVault();
  const { locale } = useReader();
  const { data = initial } = useResource<Schedules>("/v1/schedules", { query, initial, refetchInterval: 30_000 });
  const { data: terms, error, isFetching, refetch } = useTerms();
  return (
    <>
      <DueBanner initial={due} />
      {error && vault.status === "unlocked" && (
        <div className="mb-4">
          <RetryCallout title="Your schedules could not be decrypted." busy={isFetching} onRetry={refetch}>
            {messageOf(error)}
          </RetryCallout>
        </div>
      )}
      <Card flush>
        {vault.status !== "unlocked" && (
          <div className="-mt-4 flex items-center justify-between gap-4 px-4 py-3 text-muted text-sm sm:px-5">
            <span>Names, amounts and recipients are encrypted.</span>
            <Button data-early size="small" onClick={() => void vault.unlock()}>
              Unlock
            </Button>
          </div>
        )}
        <ul
          aria-label="Schedules"
          className={`divide-y divide-line text-sm ${vault.status === "unlocked" ? "-mt-4" : "border-line border-t"}`}
        >
          {data.schedules.map((schedule) => {
            const shown = terms?.[schedule.schedule_id];
            const part = shown?.parts.at(-1);
            const dueNow = schedule.due_runs.filter(({ status }) => status === "due").length;
            const at = (schedule.due_runs[0] ?? schedule.next_run)?.due_at;
            const others = (part?.payments.length ?? 0) - 1;
            return (
              <li
                key={schedule.schedule_id}
                className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 hover:bg-sunken/50 sm:grid-cols-[minmax(0,1fr)_11rem_6rem] sm:px-5"
              >
                <span className="min-w-0">
                  <Link
                    href={`${path}/${schedule.schedule_id}`}
                    className="block truncate font-medium after:absolute after:inset-0 hover:text-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
                  >
                    {shown?.name || part?.payments[0]?.to || "Schedule"}
                  </Link>
                  <span className="block truncate text-muted text-xs">
                    {part
                      ? `${part.payments[0]?.to}${others > 0 ? ` and ${others} more` : ""} · ${ruleWords(part.rule, locale)}`
                      : shown === null
                        ? "Can't be decrypted, so it is not paid"
                        : schedule.schedule_id}
                  </span>
                </span>
                <span className="text-muted max-sm:col-start-1 max-sm:text-xs sm:text-right">
                  {at ? <Time value={at} /> : "No date"}
                </span>
                <span className="justify-self-end max-sm:col-start-2 max-sm:row-start-1">
                  {dueNow > 0 ? (
                    <Badge tone="warning">{dueNow === 1 ? "Due" : `${dueNow} due`}</Badge>
                  ) : (
                    <Badge tone={SCHEDULE_STATUS[schedule.status].tone}>{SCHEDULE_STATUS[schedule.status].name}</Badge>
                  )}
                </span>
              </li>
            );
          })}
        </ul>
        <OlderPages
          path={path}
          filters={{}}
          isNewest={query.starting_after === undefined}
          last={data.has_more ? data.schedules.at(-1)?.schedule_id : undefined}
        />
      </Card>
    </>
  );
}
