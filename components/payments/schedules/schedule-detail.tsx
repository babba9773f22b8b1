"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { messageOf } from "@/components/api/message-of";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { unknownInWords } from "@/components/api/unknown-outcome";
import { useResource } from "@/components/api/use-resource";
import { ACT_WORDS } from "@/components/money/act-wording";
import { keepUnfinishedPayments } from "@/components/money/keep-unfinished-payments";
import { usePayments } from "@/components/money/payments-provider";
import { Amount } from "@/components/ui/amount";
import { BackLink } from "@/components/ui/back-link";
import { Badge } from "@/components/ui/badge";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Fact } from "@/components/ui/fact";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Skeleton } from "@/components/ui/skeleton";
import { Time, useReader } from "@/components/ui/time";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { signingFor } from "@/components/wallet/signing-for";
import type { Schedule, ScheduleRun, ScheduleRunDetails, ScheduleRunList } from "@/sdk/api/resources/schedules";
import { runToSign } from "./run-to-sign";
import { useTerms } from "./use-terms";
import { failureWords, RUN_STATUS, ruleWords, SCHEDULE_STATUS } from "./wording";

/** How many runs to list once someone asks for older ones: the most that the service returns at a time. */
const MOST_RUNS = 100;

interface DetailProps {
  path: string;
  initial: Schedule;
  initialRuns: ScheduleRunList;
}

/** One schedule: what it pays, its runs, and its actions. */
export function ScheduleDetail({ path, initial, initialRuns }: DetailProps) {
  const vault = useVault();
  const { locale } = useReader();
  const network = useNetwork();
  const client = useQueryClient();
  const id = initial.schedule_id;
  const at = `/v1/schedules/${id}` as const;
  const { data: schedule = initial } = useResource<Schedule>(at, { initial, refetchInterval: 15_000 });
  const [more, setMore] = useState(false);
  const { data: list = initialRuns, isFetching: isReading } = useResource<ScheduleRunList>(`${at}/runs`, {
    query: more ? { limit: MOST_RUNS } : undefined,
    initial: more ? undefined : initialRuns,
    refetchInterval: 15_000,
  });
  const { data: opened, error: unread, isFetching, refetch } = useTerms();
  const terms = opened?.[id];
  const part = terms?.parts.at(-1);
  const { payments } = usePayments();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const [asked, setAsked] = useState<"end" | ScheduleRun | null>(null);
  const refresh = () => client.invalidateQueries({ predicate: resourceKeys.below(network, "/v1/schedules") });
  const act = (work: () => Promise<unknown>) =>
    run(async () => {
      await work();
      await refresh();
    });
  const isOpen = schedule.status === "active" || schedule.status === "paused";
  const status = schedule.status === "paused" ? ("active" as const) : ("paused" as const);
  return (
    <>
      <PageHeader
        back={<BackLink href={path}>Schedules</BackLink>}
        title={
          <span className="flex flex-wrap items-center gap-3">
            {terms?.name || part?.payments[0]?.to || "Schedule"}
            <Badge tone={SCHEDULE_STATUS[schedule.status].tone}>{SCHEDULE_STATUS[schedule.status].name}</Badge>
          </span>
        }
        description="Halcyon holds nothing that can pay this by itself. One of your clients that holds a key pays it."
        action={
          isOpen && (
            <>
              <Button busy={busy} onClick={() => act(() => vault.run("updateSchedule", { id, status }))}>
                {schedule.status === "paused" ? "Resume" : "Pause"}
              </Button>
              {schedule.next_run && (
                <Button
                  busy={busy}
                  onClick={() => act(() => vault.run("skipDate", { id, date: schedule.next_run?.date }))}
                >
                  Skip next
                </Button>
              )}
              <Button data-early tone="danger" onClick={() => setAsked("end")}>
                End
              </Button>
            </>
          )
        }
      />
      {error && (
        <div className="mb-4">
          <ErrorCallout isUnknown={isUnknown}>{error}</ErrorCallout>
        </div>
      )}
      <div className="grid gap-5">
        <Card title="What it pays">
          {part && terms ? (
            <dl className="-my-3 divide-y divide-line text-sm">
              <Fact name="When">{ruleWords(part.rule, locale)}</Fact>
              {part.payments.map(({ to, amount, memo }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: payments never change their order
                <Fact key={index} name={to}>
                  <Amount value={amount} asset={part.asset} />
                  {memo && (
                    <span className="text-muted">
                      {" · "}
                      <bdi>{memo}</bdi>
                    </span>
                  )}
                </Fact>
              ))}
              <Fact name="Automatic">{terms.automatic ? "Paid by this dashboard when it is unlocked" : "No"}</Fact>
            </dl>
          ) : schedule.status === "ended" ? (
            <p className="text-muted text-sm">This schedule has ended, and its contents are deleted.</p>
          ) : schedule.status === "finished" && opened && terms === undefined ? (
            <p className="text-muted text-sm">This schedule is finished, and its contents are deleted.</p>
          ) : vault.status === "unlocked" && terms === null ? (
            <Callout tone="danger">
              This schedule can't be decrypted, so it is not paid. End it, and create another.
            </Callout>
          ) : vault.status === "unlocked" && unread ? (
            <RetryCallout title="It could not be decrypted now." busy={isFetching} onRetry={refetch}>
              {messageOf(unread)}
            </RetryCallout>
          ) : vault.status === "unlocked" ? (
            <Skeleton className="h-20 w-full" />
          ) : (
            <div className="flex items-center justify-between gap-4 text-muted text-sm">
              <span>Encrypted. Unlock to see whom, when and how much it pays.</span>
              <Button data-early size="small" onClick={() => void vault.unlock()}>
                Unlock
              </Button>
            </div>
          )}
        </Card>
        <Card title="Payments" flush>
          {list.runs.length === 0 ? (
            <p className="border-line border-t px-4 py-8 text-center text-muted text-sm sm:px-5">
              {isOpen ? "None yet. Each date is listed here." : "There were none."}
            </p>
          ) : (
            <ul aria-label="Payments" className="divide-y divide-line border-line border-t text-sm">
              {list.runs.map((one) => (
                <RunRow
                  key={one.run_id}
                  run={one}
                  network={network}
                  canPay={schedule.status !== "ended"}
                  onPay={() => setAsked(one)}
                />
              ))}
            </ul>
          )}
          {list.has_more && (
            <div className="border-line border-t px-4 py-3 text-right sm:px-5">
              {more && list.runs.length >= MOST_RUNS ? (
                <Link href={`/${network}/transfers?kind=schedule`} className={buttonClass("secondary", "small")}>
                  All scheduled payments
                </Link>
              ) : (
                <Button size="small" busy={more && isReading} data-early onClick={() => setMore(true)}>
                  Show older
                </Button>
              )}
            </div>
          )}
        </Card>
      </div>
      <ConfirmDialog
        open={asked === "end"}
        onClose={() => setAsked(null)}
        title="End this schedule?"
        description="Its contents are deleted, due payments are no longer made, and API keys created for it are revoked. This can't be undone."
        keep="Keep schedule"
        confirm="End schedule"
        onConfirm={async () => {
          await api(network).delete(at);
          await refresh();
        }}
      />
      <ConfirmDialog
        open={asked !== null && asked !== "end"}
        onClose={() => setAsked(null)}
        title={
          asked !== null && asked !== "end" && asked.status === "missed" ? "Pay this missed payment now?" : "Pay now?"
        }
        description="It is paid only once, even if another of your clients pays it at the same time."
        keep="Pay later"
        confirm="Pay now"
        tone="primary"
        failed="It was not paid"
        unknown={unknownInWords(ACT_WORDS.run)}
        onConfirm={async () => {
          if (asked === null || asked === "end") return;
          const input = { schedule: id, run: asked.run_id, late: asked.status === "missed" };
          await keepUnfinishedPayments(payments, { act: "run" }, ({ onPending }) =>
            signingFor(runToSign(terms, asked), () => vault.run("payScheduleRun", input, { onPending })),
          );
          await refresh();
        }}
      />
    </>
  );
}

/** One date of a schedule: its status, its transfers, and its payment. */
function RunRow({
  run,
  network,
  canPay,
  onPay,
}: {
  run: ScheduleRun;
  network: string;
  canPay: boolean;
  onPay: () => void;
}) {
  const isPaid = run.status === "paid" || run.status === "paying";
  const { data } = useResource<ScheduleRunDetails>(`/v1/schedules/${run.schedule_id}/runs/${run.run_id}`, {
    enabled: isPaid,
  });
  const why = run.status === "due" ? failureWords(run.failure) : null;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 sm:px-5">
      <span className="min-w-0">
        <Time value={run.due_at} className="font-medium" />
        {run.status === "due" && (
          <span className="block text-muted text-xs">
            {why ?? "Waits for one of your clients."} Until <Time value={run.window_ends_at} deadline />.
          </span>
        )}
        {run.status === "missed" && (
          <span className="block text-muted text-xs">No one paid it in time. No money moved.</span>
        )}
        {(data?.transfers ?? []).map(({ transfer_id, to }) => (
          <Link
            key={transfer_id}
            href={`/${network}/transfers/${transfer_id}`}
            className="block truncate text-muted text-xs hover:text-accent"
          >
            {to}
          </Link>
        ))}
      </span>
      <span className="flex items-center gap-3">
        <Badge tone={RUN_STATUS[run.status].tone}>{RUN_STATUS[run.status].name}</Badge>
        {canPay && (run.status === "due" || run.status === "missed") && (
          <Button size="small" onClick={onPay}>
            Pay now
          </Button>
        )}
      </span>
    </li>
  );
}
