"use client";

import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { isSessionOver } from "@/components/api/sign-in-again";
import { isOffline } from "@/components/api/use-offline";
import { useRefresh } from "@/components/api/use-refresh";
import { ActCancelled, isCertain } from "@/components/money/act-state";
import { takeInHand } from "@/components/money/in-hand";
import { usePayments } from "@/components/money/payments-provider";
import { isSignedOut } from "@/components/vault/errors";
import type { Accepted } from "@/components/vault/methods/send";
import { openedKey, useVault } from "@/components/vault/vault-provider";
import { NothingMoved } from "@/sdk/attempts/outcome-unknown";
import type { HeldDetails } from "./held-payment";

/** Which payment, as it was shown. */
type Decided = Pick<HeldDetails, "transaction_id" | "sealed" | "to">;

export interface Decision {
  approving: UseMutationResult<Accepted, Error, Decided>;
  rejecting: UseMutationResult<unknown, Error, Decided>;
  /** Whether a payment's approval has left this browser, and its outcome is not known yet. */
  isLost(transactionId: string): boolean;
  /** What the chain has shown of one whose response was lost; undefined for all others. */
  found(transactionId: string): "made" | "not made" | undefined;
  /** Looks what became of it, then sends the same approval again: never another payment. */
  checkAgain(held: Decided): void;
}

/** The two decisions. Nothing on screen changes before the service has answered; then all of it is asked for again. */
export function useDecision(): Decision {
  const network = useNetwork();
  const vault = useVault();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const { payments, kept, look } = usePayments();
  const hands = useRef(new Map<string, () => void>());
  const letGo = (id: string) => {
    hands.current.get(id)?.();
    hands.current.delete(id);
  };
  useEffect(() => {
    const held = hands.current;
    return () => {
      for (const release of held.values()) release();
    };
  }, []);

  const approve = async ({ transaction_id: id, sealed, to }: Decided): Promise<Accepted> => {
    setFound((before) => new Map([...before].filter(([each]) => each !== id)));
    // The same payment for as long as its outcome is open.
    const pending = payments.list().find((each) => each.id === id)?.pending;
    let left = pending !== undefined;
    try {
      if (await isOffline()) throw new ActCancelled("offline");
      const output = await vault.run(
        "approveHeld",
        { id, sealed, pending },
        {
          onPending: (next) => {
            payments.keep({ id, act: "approve", to, pending: next });
            if (!hands.current.has(id)) hands.current.set(id, takeInHand(id));
            left = true;
          },
        },
      );
      payments.change(id, { accepted: true });
      return output;
    } catch (error) {
      if (error instanceof NothingMoved || !left) payments.drop(id);
      if (isCertain(error, left)) letGo(id);
      throw error;
    }
  };
  // After a failure as well: somebody else may have decided. Without a session the page would become the sign-in.
  const onSettled = (_output?: unknown, error?: Error | null) => {
    if (isSignedOut(error) || isSessionOver()) return;
    refresh();
    void queries.invalidateQueries({ queryKey: openedKey(network, "funds") });
    void queries.invalidateQueries({ queryKey: openedKey(network, "agentSpending") });
    void queries.invalidateQueries({
      predicate: ({ queryKey: [of, path] }) => of === network && String(path).startsWith("/api/agents/transactions"),
    });
  };
  const [found, setFound] = useState<ReadonlyMap<string, boolean>>(new Map());
  const learned = kept.filter(({ id, outcome }) => outcome && hands.current.has(id));
  const settle = useEffectEvent(() => {
    for (const { id, outcome } of learned) {
      setFound((before) => new Map([...before, [id, outcome?.made === true]]));
      // This page tells of it.
      payments.drop(id);
      letGo(id);
    }
    onSettled();
  });
  const news = learned.length > 0;
  useEffect(() => {
    if (news) settle();
  }, [news]);
  const approving = useMutation<Accepted, Error, Decided>({ mutationFn: approve, onSettled });
  const rejecting = useMutation<unknown, Error, Decided>({
    mutationFn: ({ transaction_id }) => api(network).post(`/api/agents/transactions/${transaction_id}/reject`),
    onSettled,
  });
  const isLost = (id: string) => kept.some((each) => each.id === id && !each.accepted && !each.outcome);
  return {
    approving,
    rejecting,
    isLost,
    found: (id) => (found.has(id) ? (found.get(id) ? "made" : "not made") : undefined),
    checkAgain: (held) => {
      void look().then(() => {
        if (payments.list().some(({ id, outcome }) => id === held.transaction_id && !outcome)) approving.mutate(held);
      });
    },
  };
}
