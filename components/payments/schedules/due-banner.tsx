"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { unknownInWords } from "@/components/api/unknown-outcome";
import { useResource } from "@/components/api/use-resource";
import { ACT_WORDS } from "@/components/money/act-wording";
import { keepUnfinishedPayments } from "@/components/money/keep-unfinished-payments";
import { usePayments } from "@/components/money/payments-provider";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { type ErrorWords, useErrorWords } from "@/components/ui/error-words";
import { Time } from "@/components/ui/time";
import { useVault } from "@/components/vault/vault-provider";
import { signingFor } from "@/components/wallet/signing-for";
import type { Schedule, ScheduleRun } from "@/sdk/api/resources/schedules";
import { allDue } from "./all-due";
import { runToSign } from "./run-to-sign";
import { useTerms } from "./use-terms";

interface DueRun {
  schedule: Schedule;
  run: ScheduleRun;
}

/** A run that this browser began to pay by itself and that stopped. */
interface Stopped {
  due: DueRun;
  words: ErrorWords;
}

/** Returns what became of a run that stopped. If a payment may have left, it does not say that nothing was paid. */
function stoppedInWords({ due: { run }, words: { message, isUnknown, gaveUp } }: Stopped, name?: string): string {
  const which = `${name ? `${name}, ` : ""}${run.date}`;
  if (isUnknown) return `${which}: ${unknownInWords(ACT_WORDS.run)}`;
  return `${which}: not paid automatically. ${gaveUp ? "It was cancelled or locked before it was paid." : message}`;
}

/**
 * Shows all payments that are due, to review and pay, whichever schedules the page lists. Runs whose owner chose
 * automatic payment are paid without asking once the account is unlocked.
 */
export function DueBanner({ initial }: { initial: readonly Schedule[] }) {
  const vault = useVault();
  const network = useNetwork();
  const client = useQueryClient();
  const { data: schedules = initial } = useResource<readonly Schedule[]>("/v1/schedules", {
    query: { due: "true" },
    initial,
    refetchInterval: 30_000,
    read: (api) => allDue((query) => api.get("/v1/schedules", { ...query })),
  });
  const { data: terms } = useTerms();
  const [review, setReview] = useState(false);
  const [stopped, setStopped] = useState<readonly Stopped[]>([]);
  const { payments } = usePayments();
  const wordsOf = useErrorWords();
  const begun = useRef(new Set<string>());
  const due: DueRun[] = schedules
    .filter(({ status }) => status === "active" || status === "finished")
    .flatMap((schedule) =>
      schedule.due_runs.filter(({ status }) => status === "due").map((run) => ({ schedule, run })),
    );
  const refresh = () => client.invalidateQueries({ predicate: resourceKeys.below(network, "/v1/schedules") });
  // One after the other: a signature dialog shows the payment that began last.
  const paying = useRef<Promise<unknown>>(Promise.resolve());
  const pay = (one: DueRun) => {
    const paid = paying.current.then(() => payNow(one));
    paying.current = paid.catch(() => {});
    return paid;
  };
  const payNow = async ({ schedule, run }: DueRun) => {
    const input = { schedule: schedule.schedule_id, run: run.run_id };
    await keepUnfinishedPayments(payments, { act: "run" }, ({ onPending }) =>
      signingFor(runToSign(terms?.[schedule.schedule_id], run), () =>
        vault.run("payScheduleRun", input, { onPending }),
      ),
    );
    await refresh();
  };
  const automatic = due.filter(({ schedule }) => terms?.[schedule.schedule_id]?.automatic);
  const next = automatic.find(({ run }) => !begun.current.has(run.run_id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: start each run once
  useEffect(() => {
    if (vault.status !== "unlocked" || !next) return;
    begun.current.add(next.run.run_id);
    // A failed run stays in the banner with the reason, to be paid by hand.
    pay(next).catch((error: unknown) => setStopped((before) => [...before, { due: next, words: wordsOf(error) }]));
  }, [next?.run.run_id, vault.status]);
  if (due.length === 0) return null;
  return (
    <div className="mb-4">
      <Callout
        tone="warning"
        title={due.length === 1 ? "1 payment is due" : `${due.length} payments are due`}
        action={
          <Button data-early size="small" tone="primary" onClick={() => setReview(true)}>
            Review and pay
          </Button>
        }
      >
        Halcyon can't pay by itself: this browser does, with your keys.
        {stopped
          .filter(({ due: { run } }) => due.some((one) => one.run.run_id === run.run_id))
          .map((one) => (
            <p key={one.due.run.run_id} role="status" className="mt-1.5">
              {stoppedInWords(one, terms?.[one.due.schedule.schedule_id]?.name)}
            </p>
          ))}
      </Callout>
      <ConfirmDialog
        open={review}
        onClose={() => setReview(false)}
        title={due.length === 1 ? "Pay what is due" : `Pay ${due.length} due payments`}
        description="Each is paid only once, even if another of your clients pays at the same time."
        keep="Pay later"
        confirm="Pay now"
        tone="primary"
        width="medium"
        failed="Not everything was paid"
        unknown={unknownInWords(ACT_WORDS.run)}
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
                      <Amount value={amount} asset={part.asset} />
                    </span>
                  ))
                ) : (
                  <span className="text-muted">Unlock to see recipients and amounts.</span>
                )}
              </li>
            );
          })}
        </ul>
      </ConfirmDialog>
    </div>
  );
}
