"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Time } from "@/components/ui/time";
import { useVault } from "@/components/vault/vault-provider";
import { signingFor } from "@/components/wallet/signing-for";
import type { Schedule, ScheduleRun } from "@/sdk/api/resources/schedules";
import { runToSign } from "./run-to-sign";
import { useTerms } from "./use-terms";

interface DueRun {
  schedule: Schedule;
  run: ScheduleRun;
}

/**
 * Says which payments are due and lets a person review and pay them. Runs of schedules whose owner chose it are paid without a
 * question, once the account is unlocked.
 */
export function DueBanner({ schedules }: { schedules: readonly Schedule[] }) {
  const vault = useVault();
  const network = useNetwork();
  const client = useQueryClient();
  const { data: terms } = useTerms();
  const [review, setReview] = useState(false);
  const begun = useRef(new Set<string>());
  const due: DueRun[] = schedules
    .filter(({ status }) => status === "active" || status === "finished")
    .flatMap((schedule) =>
      schedule.due_runs.filter(({ status }) => status === "due").map((run) => ({ schedule, run })),
    );
  const refresh = () => client.invalidateQueries({ predicate: resourceKeys.below(network, "/api/schedules") });
  const pay = async ({ schedule, run }: DueRun) => {
    const input = { schedule: schedule.schedule_id, run: run.run_id };
    await signingFor(runToSign(terms?.[schedule.schedule_id], run), () => vault.run("payScheduleRun", input));
    await refresh();
  };
  const automatic = due.filter(({ schedule }) => terms?.[schedule.schedule_id]?.automatic);
  const next = automatic.find(({ run }) => !begun.current.has(run.run_id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each run is begun once
  useEffect(() => {
    if (vault.status !== "unlocked" || !next) return;
    begun.current.add(next.run.run_id);
    // What fails stays in the banner, to be paid by hand.
    pay(next).catch(() => {});
  }, [next?.run.run_id, vault.status]);
  if (due.length === 0) return null;
  return (
    <div className="mb-4">
      <Callout
        tone="warning"
        title={due.length === 1 ? "1 payment is due" : `${due.length} payments are due`}
        action={
          <Button size="small" tone="primary" onClick={() => setReview(true)}>
            Review and pay
          </Button>
        }
      >
        Halcyon can't pay by itself: this browser does, with your keys.
      </Callout>
      <ConfirmDialog
        open={review}
        onClose={() => setReview(false)}
        title={due.length === 1 ? "Pay what is due" : `Pay ${due.length} due payments`}
        description="Each is paid once, also if another client of yours pays at the same time."
        confirm="Pay now"
        tone="primary"
        width="medium"
        failed="Not everything was paid"
        onConfirm={async () => {
          for (const one of due) await pay(one);
        }}
      >
        <ul className="divide-y divide-line rounded-lg border border-line text-sm">
          {due.map(({ schedule, run }) => {
            const shown = terms?.[schedule.schedule_id];
            const part = shown?.parts.findLast(({ from }) => from <= run.date);
            return (
              <li key={run.run_id} className="grid gap-1 px-3.5 py-3">
                <span className="flex justify-between gap-4 font-medium">
                  <span className="truncate">{shown?.name || "Schedule"}</span>
                  <Time value={run.due_at} className="shrink-0 font-normal text-muted" />
                </span>
                {part ? (
                  part.payments.map(({ to, amount }, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: payments never change their order
                    <span key={index} className="flex justify-between gap-4 text-muted">
                      <span className="truncate">{to}</span>
                      <span className="tabular-nums">
                        {amount} {part.asset}
                      </span>
                    </span>
                  ))
                ) : (
                  <span className="text-muted">Unlock to see whom and how much.</span>
                )}
              </li>
            );
          })}
        </ul>
      </ConfirmDialog>
    </div>
  );
}
