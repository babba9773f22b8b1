"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { isSignedOut } from "@/components/api/session-errors";
import { isSessionOver } from "@/components/api/sign-in-again";
import { isOffline } from "@/components/api/use-offline";
import { useRefresh } from "@/components/api/use-refresh";
import { ActCancelled, isCertain, settlesAct } from "@/components/money/act-state";
import { showInDialog } from "@/components/money/acts-in-open-dialogs";
import { usePayments } from "@/components/money/payments-provider";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { Accepted } from "@/components/vault/methods/send";
import { decryptedKey, useVault } from "@/components/vault/vault-provider";
import { signingFor } from "@/components/wallet/signing-for";
import { NothingMoved } from "@/sdk/payments/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { approvalToSign } from "./approval-to-sign";
import type { HeldDetails } from "./held-payment";
import { shownHeld } from "./use-held";

/** A payment to decide, as the page shows it. */
type DecidedPayment = Pick<HeldDetails, "transaction_id" | "ciphertext" | "to" | "agent" | "asset" | "confidential">;

/** One of the two decisions, and the payment it last ran for. */
interface DecisionAction<O> {
  /** Id of that payment. */
  of?: string;
  busy: boolean;
  output?: O;
  error?: Error;
  /** Resolves once the decision has succeeded or failed. */
  run(payment: DecidedPayment, then?: { onSuccess?: () => void; onError?: (thrown: unknown) => void }): Promise<void>;
  reset(): void;
}

export interface DecisionState {
  approving: DecisionAction<Accepted>;
  rejecting: DecisionAction<unknown>;
  /** Returns whether a payment's approval has left this browser and its outcome is not known yet. */
  isLost(transactionId: string): boolean;
  /** Returns what the chain shows about a payment whose response was lost; undefined for all others. */
  found(transactionId: string): "made" | "not made" | undefined;
  /** Checks the outcome and, if it is still open, sends the same approval again. Can't become another payment. */
  checkAgain(held: DecidedPayment): void;
  /** The bare decisions, for several payments in turn. They reject with the error. */
  each: {
    approve(payment: DecidedPayment): Promise<Accepted>;
    reject(payment: DecidedPayment): Promise<unknown>;
    /** Returns whether its approval was sent without an outcome, so that it may have been paid. */
    isOpen(id: string): boolean;
    /** Asks the chain about all lost approvals. Returns true if this one's outcome is still open. */
    look(id: string): Promise<boolean>;
    /** Call after the last decision: reloads what is on screen. */
    settled(error?: unknown): void;
    /** Stops reporting these here. The notice on every page reports them instead. */
    letGo(ids: readonly string[]): void;
  };
}

/** Approves and rejects payments. The screen changes once the service has responded, then reloads. */
export function useDecision(): DecisionState {
  const network = useNetwork();
  const vault = useVault();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const { payments, kept, look } = usePayments();
  const locks = useRef(new Map<string, () => void>());
  const sending = useRef(new Set<string>());
  const release = (id: string) => {
    locks.current.get(id)?.();
    locks.current.delete(id);
  };
  useEffect(() => {
    const held = locks.current;
    return () => {
      for (const release of held.values()) release();
    };
  }, []);

  const approve = async (payment: DecidedPayment): Promise<Accepted> => {
    const { transaction_id: id, ciphertext, to } = payment;
    setFound((before) => new Map([...before].filter(([each]) => each !== id)));
    // Continue the same payment while its outcome is open.
    const pending = payments.list().find((each) => each.id === id)?.pending;
    let left = pending !== undefined;
    sending.current.add(id);
    try {
      if (await isOffline()) throw new ActCancelled("offline");
      const onPending = (next: PendingPayment) => {
        payments.keep({ id, act: "approve", to, pending: next });
        if (!locks.current.has(id)) locks.current.set(id, showInDialog(id));
        left = true;
      };
      const act = approvalToSign(payment, shownHeld(queries, network, payment));
      const output = await signingFor(act, () => vault.run("approveHeld", { id, ciphertext, pending }, { onPending }));
      payments.change(id, { accepted: true });
      return output;
    } catch (error) {
      if (error instanceof NothingMoved || !left) payments.drop(id);
      if (isCertain(error, left)) release(id);
      throw error;
    } finally {
      sending.current.delete(id);
    }
  };
  // Runs after a failure too, since another session may have decided. Not without a session: the page would turn into
  // the sign-in.
  const onSettled = (error?: unknown) => {
    if (isSignedOut(error) || isSessionOver()) return;
    refresh();
    void queries.invalidateQueries({ queryKey: decryptedKey(network, "funds") });
    void queries.invalidateQueries({ queryKey: decryptedKey(network, "agentSpending") });
    void queries.invalidateQueries({
      predicate: resourceKeys.below(network, "/v1/agents/transactions", "/api/agents/transactions"),
    });
  };
  const [found, setFound] = useState<ReadonlyMap<string, boolean>>(new Map());
  const learned = kept.filter(
    ({ id, outcome }) => settlesAct(outcome, sending.current.has(id)) && locks.current.has(id),
  );
  const settle = useEffectEvent(() => {
    for (const { id, outcome } of learned) {
      setFound((before) => new Map([...before, [id, outcome?.made === true]]));
      // This page shows the outcome, so the notice need not.
      payments.drop(id);
      release(id);
    }
    onSettled();
  });
  const hasOutcome = learned.length > 0;
  useEffect(() => {
    if (hasOutcome) settle();
  }, [hasOutcome]);
  const reject = ({ transaction_id }: DecidedPayment) =>
    api(network).post(`/v1/agents/transactions/${transaction_id}/reject`);
  const approving = useDecisionAction(approve, onSettled);
  const rejecting = useDecisionAction<unknown>(reject, onSettled);
  const isLost = (id: string) => kept.some((each) => each.id === id && !each.accepted && !each.outcome);
  const isOpen = (id: string) => payments.list().some((each) => each.id === id && !each.outcome && !each.accepted);
  return {
    approving,
    rejecting,
    each: {
      approve,
      reject,
      isOpen,
      look: async (id) => {
        await look();
        return isOpen(id);
      },
      settled: onSettled,
      letGo: (ids) => ids.forEach(release),
    },
    isLost,
    found: (id) => (found.has(id) ? (found.get(id) ? "made" : "not made") : undefined),
    checkAgain: (held) => {
      void look().then(() => {
        if (payments.list().some(({ id, outcome }) => id === held.transaction_id && !outcome)) void approving.run(held);
      });
    },
  };
}

/** @param onSettled called after every run, with the error if it failed */
function useDecisionAction<O>(
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
