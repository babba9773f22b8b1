"use client";

import { useState } from "react";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { HeldDetails } from "./held-payment";

/** A payment to decide, as the page shows it. */
export type DecidedPayment = Pick<
  HeldDetails,
  "transaction_id" | "ciphertext" | "to" | "agent" | "asset" | "confidential"
>;

/** One of the two decisions, and the payment it last ran for. */
export interface DecisionAction<O> {
  /** Id of that payment. */
  of?: string;
  busy: boolean;
  output?: O;
  error?: Error;
  /** Resolves once the decision has succeeded or failed. */
  run(payment: DecidedPayment, then?: { onSuccess?: () => void; onError?: (thrown: unknown) => void }): Promise<void>;
  reset(): void;
}

/** @param onSettled called after every run, with the error if it failed */
export function useDecisionAction<O>(
  decide: (payment: DecidedPayment) => Promise<O>,
  onSettled: (error?: unknown) => void,
): DecisionAction<O> {
  const action = useAsyncAction();
  const [last, setLast] = useState<{ of: string; output?: O }>();
  return {
    ...last,
    busy: action.busy,
    error: action.thrown instanceof Error ? action.thrown : undefined,
    run: (payment, then = {}) => {
      const of = payment.transaction_id;
      setLast({ of });
      return action.run(async () => {
        try {
          const output = await decide(payment);
          setLast({ of, output });
          onSettled();
          then.onSuccess?.();
        } catch (thrown) {
          onSettled(thrown);
          then.onError?.(thrown);
          throw thrown;
        }
      });
    },
    reset: () => {
      setLast(undefined);
      action.reset();
    },
  };
}
