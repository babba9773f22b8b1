"use client";

import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { Spinner } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { useCount } from "@/components/ui/count";
import { Time } from "@/components/ui/time";
import type { TransferDetailsResource } from "./transfer-details";

type State = "done" | "next" | "later" | "failed";

const MARKS: Record<State, { className: string; mark: ReactNode }> = {
  done: { className: "bg-success-soft text-success", mark: <Check size={13} aria-hidden="true" /> },
  next: { className: "bg-warning-soft text-warning", mark: <Spinner /> },
  later: { className: "border border-line", mark: null },
  failed: { className: "bg-danger-soft text-danger", mark: <X size={13} aria-hidden="true" /> },
};

interface Step {
  name: string;
  note: string;
  state: State;
  at: string | null;
}

/** Returns the steps of a payment, with the current one marked. */
function stepsOf({ timeline, status }: TransferDetailsResource, count: (block: number) => string): Step[] {
  const { created_at, broadcast_at, mined, final_at, failed_at } = timeline;
  const reached = [
    { name: "Created", note: "Proof and signature were checked, the payment recorded.", at: created_at },
    { name: "Broadcast", note: "The transaction was sent to the chain.", at: broadcast_at },
    {
      name: "Mined",
      note: mined ? `In block ${count(Number(mined.block))}.` : "Waiting for a block.",
      at: mined?.at ?? null,
    },
    {
      name: "Final",
      note: final_at ? "It can no longer be undone." : "Waiting until it cannot be undone.",
      at: final_at,
    },
  ];
  if (status === "failed") {
    const happened = reached.filter(({ at }) => at !== null).map((step): Step => ({ ...step, state: "done" }));
    return [
      ...happened,
      { name: "Failed", note: "The service says that nothing moved.", state: "failed", at: failed_at },
    ];
  }
  // A step without a reported time is done if a later one is.
  const last = reached.findLastIndex(({ at }) => at !== null);
  return reached.map((step, index) => ({
    ...step,
    state: index <= last ? "done" : index === last + 1 ? "next" : "later",
  }));
}

/** Shows how far a transfer has come, step by step. */
export function Timeline({ transfer }: { transfer: TransferDetailsResource }) {
  const steps = stepsOf(transfer, useCount());
  return (
    <ol className="grid">
      {steps.map(({ name, note, state, at }, index) => (
        <li
          key={name}
          aria-current={state === "next" ? "step" : undefined}
          className={classNames("relative flex gap-3 pb-5 last:pb-0", state === "later" && "text-muted")}
        >
          {index < steps.length - 1 && (
            <span aria-hidden="true" className="absolute top-7 bottom-1 left-3 w-px bg-line" />
          )}
          <span className={classNames("grid size-6 shrink-0 place-items-center rounded-full", MARKS[state].className)}>
            {MARKS[state].mark}
          </span>
          <div className="min-w-0 flex-1 text-sm">
            <p className="flex items-baseline justify-between gap-3 pt-0.5 font-medium">
              {name}
              {at && <Time value={at} className="font-normal text-muted text-xs tabular-nums" />}
            </p>
            {state !== "later" && <p className="mt-0.5 text-muted text-xs">{note}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
