"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { BackLink } from "@/components/ui/back-link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Fact } from "@/components/ui/fact";
import { PageHeader } from "@/components/ui/page-header";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { signingFor } from "@/components/wallet/signing-for";
import type { Schedule, ScheduleRun, ScheduleRunList } from "@/sdk/api/resources/schedules";
import { RunRow } from "./run-row";
import { runToSign } from "./run-to-sign";
import { useTerms } from "./use-terms";
import { ruleWords, STATUS } from "./wording";

interface DetailProps {
  path: string;
  initial: Schedule;
  initialRuns: ScheduleRunList;
}

/** One schedule: what it pays, its runs, and what its owner can do. */
export function ScheduleDetail({ path, initial, initialRuns }: DetailProps) {
  const vault = useVault();
  const network = useNetwork();
  const client = useQueryClient();
  const id = initial.schedule_id;
  const at = `/api/schedules/${id}` as const;
  const { data: schedule = initial } = useResource<Schedule>(at, { initial, refetchInterval: 15_000 });
  const { data: list = initialRuns } = useResource<ScheduleRunList>(`${at}/runs`, {
    initial: initialRuns,
    refetchInterval: 15_000,
  });
  const { data: opened } = useTerms();
  const terms = opened?.[id];
  const part = terms?.parts.at(-1);
  const { busy, error, run } = useAsyncAction();
  const [asked, setAsked] = useState<"end" | ScheduleRun | null>(null);
  const refresh = () => client.invalidateQueries({ predicate: resourceKeys.below(network, "/api/schedules") });
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
            <Badge tone={STATUS[schedule.status].tone}>{STATUS[schedule.status].name}</Badge>
          </span>
        }
        description="Halcyon holds nothing that can pay this by itself. A client of yours that holds a key does."
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
              <Button tone="danger" onClick={() => setAsked("end")}>
                End
              </Button>
            </>
          )
        }
      />
      {error && (
        <div className="mb-4">
          <Callout tone="danger">{error}</Callout>
        </div>
      )}
      <div className="grid gap-5">
        <Card title="What it pays">
          {part && terms ? (
            <dl className="grid gap-3 text-sm">
              <Fact name="When">{ruleWords(part.rule)}</Fact>
              {part.payments.map(({ to, amount, memo }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: payments never change their order
                <Fact key={index} name={to}>
                  <span className="tabular-nums">
                    {amount} {part.asset}
                  </span>
                  {memo && <span className="text-muted"> · {memo}</span>}
                </Fact>
              ))}
              <Fact name="Automatic">{terms.automatic ? "Paid by this dashboard when it is unlocked" : "No"}</Fact>
            </dl>
          ) : schedule.status === "ended" ? (
            <p className="text-muted text-sm">This schedule has ended, and its text is deleted.</p>
          ) : vault.status === "unlocked" && terms === null ? (
            <Callout tone="danger">
              This schedule can't be decrypted, so nothing of it is paid. End it, and create another.
            </Callout>
          ) : (
            <div className="flex items-center justify-between gap-4 text-muted text-sm">
              <span>Encrypted. Unlock to see whom, when and how much it pays.</span>
              <Button size="small" onClick={() => void vault.unlock()}>
                Unlock
              </Button>
            </div>
          )}
        </Card>
        <Card title="Payments" flush>
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
        </Card>
      </div>
      <ConfirmDialog
        open={asked === "end"}
        onClose={() => setAsked(null)}
        title="End this schedule?"
        description="Its text is deleted, what is due is not paid any more, and API keys created for it end. It can't be undone."
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
        description="It is paid once, also if another client of yours pays it at the same time."
        confirm="Pay now"
        tone="primary"
        failed="It was not paid"
        onConfirm={async () => {
          if (asked === null || asked === "end") return;
          const input = { schedule: id, run: asked.run_id, late: asked.status === "missed" };
          await signingFor(runToSign(terms, asked), () => vault.run("payScheduleRun", input));
          await refresh();
        }}
      />
    </>
  );
}
