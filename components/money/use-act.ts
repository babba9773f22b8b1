"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useEffectEvent, useReducer, useRef } from "react";
import { isOffline, useOffline } from "@/components/api/use-offline";
import { useNetwork } from "@/components/shell/network-context";
import { isSignedOut } from "@/components/vault/errors";
import type { InputOf, OutputOf } from "@/components/vault/protocol";
import { openedKey, useVault } from "@/components/vault/vault-provider";
import { NothingMoved } from "@/sdk/outcome-unknown";
import type { PendingPayment } from "@/sdk/pending-payment";
import { ActCancelled, type ActState, actAfter } from "./act-state";
import { takeInHand } from "./in-hand";
import { type KeptAct, unsettled } from "./kept-payments";
import { usePayments } from "./payments-provider";

/** The methods of the vault that move money, each with an attempt that can be continued. */
export type ActMethod = "send" | "withdraw" | "allocate" | "deposit" | "approveHeld";

/** Has what is on screen opened and rendered again: money moved. */
export function useMoneyMoved(): () => void {
  const network = useNetwork();
  const queries = useQueryClient();
  const router = useRouter();
  return useCallback(() => {
    void queries.invalidateQueries({ queryKey: openedKey(network, "funds") });
    void queries.invalidateQueries({ queryKey: openedKey(network, "agentSpending") });
    void queries.invalidateQueries({ queryKey: openedKey(network, "walletBalance") });
    void queries.invalidateQueries({ queryKey: [network, "/api/transfers"] });
    router.refresh();
  }, [network, queries, router]);
}

/** An act that moves money, as a dialog runs it. */
export interface Act<I, O> {
  state: ActState<I, O>;
  /** Whether an earlier act of this kind to the same place has an outcome that nobody knows yet. */
  blockedTo(to: string | undefined): boolean;
  /** Shows it once more before it is done. */
  review(input: I): void;
  /** From there back to the form. */
  back(): void;
  /** Does it; unlocks first when locked. */
  start(input: I): void;
  /** Calls it back, for as long as nothing has left this browser. */
  cancel(): void;
  /** Looks what became of it, where its response was lost, then sends the same one again: never another. */
  checkAgain(): void;
  /** Back to an empty form, for another one. */
  reset(): void;
}

/**
 * Runs a method that moves money, and knows what may be said of it at every moment. What leaves the browser is kept until
 * the outcome was told: by this dialog, or, once it is gone, by the notice on every page.
 *
 * @param name what a person calls it, and of an input whom it pays
 */
export function useAct<M extends ActMethod>(
  method: M,
  name: { act: KeptAct; to: (input: InputOf<M>) => string | undefined },
): Act<InputOf<M>, OutputOf<M>> {
  type Input = InputOf<M>;
  type Output = OutputOf<M>;
  const vault = useVault();
  const moved = useMoneyMoved();
  const offline = useOffline();
  const { payments, kept, look } = usePayments();
  const [state, tell] = useReducer(actAfter<Input, Output>, { at: "form" });
  const running = useRef<AbortController>(null);
  /** Of one filled-in form: every further try is the same payment. */
  const attempt = useRef({ key: "", pending: undefined as PendingPayment | undefined, release: () => {} });
  const mounted = useRef(true);
  const forget = () => {
    attempt.current.release();
    attempt.current = { key: "", pending: undefined, release: () => {} };
  };

  const keep = (input: Input, pending: PendingPayment) => {
    payments.keep({ id: pending.id, act: name.act, to: name.to(input), pending });
    if (!attempt.current.pending) attempt.current.release = takeInHand(pending.id);
    attempt.current.pending = pending;
    tell({ type: "left" });
  };
  const run = async (input: Input, signal: AbortSignal) => {
    const now = attempt.current;
    now.key ||= crypto.randomUUID();
    try {
      if (await isOffline()) throw new ActCancelled("offline");
      signal.throwIfAborted();
      const same = { ...input, idempotencyKey: now.key, pending: now.pending };
      const output = await vault.run(method, same, { signal, onPending: (pending) => keep(input, pending) });
      // A dialog that is gone has told nobody: the notice does.
      if (now.pending && mounted.current) payments.change(now.pending.id, { accepted: true });
      tell({ type: "answered", output });
    } catch (error) {
      if (now.pending && error instanceof NothingMoved && mounted.current) {
        payments.drop(now.pending.id);
        forget();
      }
      tell({ type: "failed", error });
      // Rendered without a session the page would be the sign-in, before anybody has read what is known.
      if (isSignedOut(error)) return;
    }
    // After a failure as well: part of it may have been done.
    moved();
  };
  const start = async (input: Input) => {
    // Of two presses before the page was drawn again the first counts.
    if (running.current) return;
    const abort = new AbortController();
    running.current = abort;
    if (state.at === "unknown") tell({ type: "look" });
    else tell({ type: "start", input });
    if (state.at === "unknown") await look();
    const settled = payments.list().some(({ id, outcome }) => id === attempt.current.pending?.id && outcome);
    if (!settled) await run(input, abort.signal);
    running.current = null;
  };

  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      attempt.current.release();
    };
  }, []);
  const found = state.at === "unknown" && kept.find(({ id }) => id === attempt.current.pending?.id)?.outcome;
  const settle = useEffectEvent(() => {
    if (!found) return;
    tell({ type: "looked", found });
    if (attempt.current.pending) payments.drop(attempt.current.pending.id);
    forget();
    moved();
  });
  useEffect(() => {
    if (found) settle();
  }, [found]);
  const stoppable = state.at === "running" && !state.left;
  useEffect(() => {
    if (offline && stoppable) running.current?.abort(new ActCancelled("offline"));
  }, [offline, stoppable]);
  // What is reviewed was looked up and opened while it was unlocked.
  const locked = vault.status !== "unlocked" && state.at === "review" && !state.refused;
  useEffect(() => {
    if (locked) tell({ type: "back" });
  }, [locked]);
  return {
    state,
    blockedTo: (to) => {
      const earlier = unsettled(kept, name.act, to);
      return earlier !== undefined && earlier.id !== attempt.current.pending?.id;
    },
    review: (input) => tell({ type: "review", input }),
    back: () => {
      // What is filled in anew is another payment.
      forget();
      tell({ type: "back" });
    },
    start: (input) => void start(input),
    cancel: () => {
      tell({ type: "cancel" });
      running.current?.abort(new ActCancelled("person"));
    },
    checkAgain: () => state.at === "unknown" && void start(state.input),
    reset: () => {
      if (state.at !== "running" && state.at !== "unknown") forget();
      tell({ type: "reset" });
    },
  };
}
