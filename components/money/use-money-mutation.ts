"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useReducer, useRef } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { isSignedOut } from "@/components/api/session-errors";
import { isSessionOver } from "@/components/api/sign-in-again";
import { useOffline } from "@/components/api/use-offline";
import { useRefresh } from "@/components/api/use-refresh";
import { useSessionOver } from "@/components/api/use-session-over";
import type { InputOf, OutputOf } from "@/components/vault/protocol";
import { openedKey, useVault } from "@/components/vault/vault-provider";
import { ActCancelled, type ActState, actAfter } from "./act-state";
import type { KeptAct } from "./kept-payments";
import { type ActMethod, useAttempt } from "./use-attempt";

/** Has what is on screen decrypted and rendered again: money moved. */
export function useMoneyMoved(): () => void {
  const network = useNetwork();
  const queries = useQueryClient();
  const refresh = useRefresh();
  return useCallback(() => {
    void queries.invalidateQueries({ queryKey: openedKey(network, "funds") });
    void queries.invalidateQueries({ queryKey: openedKey(network, "agentSpending") });
    void queries.invalidateQueries({ queryKey: openedKey(network, "walletBalance") });
    void queries.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/transfers") });
    refresh();
  }, [network, queries, refresh]);
}

/** An act that moves money, as a dialog runs it. */
export interface MoneyMutation<I, O> {
  state: ActState<I, O>;
  /** Whether an earlier act of this kind to the same place has an outcome that is not known yet. */
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
 * Runs a method that moves money, and knows what may be said of it at every moment.
 *
 * @param name what a person calls it, and of an input whom it pays
 */
export function useMoneyMutation<M extends ActMethod>(
  method: M,
  name: { act: KeptAct; to: (input: InputOf<M>) => string | undefined },
): MoneyMutation<InputOf<M>, OutputOf<M>> {
  type Input = InputOf<M>;
  const vault = useVault();
  const moved = useMoneyMoved();
  const offline = useOffline();
  const attempt = useAttempt(method, name);
  const [state, dispatch] = useReducer(actAfter<Input, OutputOf<M>>, { at: "form" });
  const running = useRef<AbortController>(null);

  const start = async (input: Input) => {
    // Of two presses before the page was drawn again the first counts.
    if (running.current) return;
    const abort = new AbortController();
    running.current = abort;
    dispatch({ type: "start", input });
    try {
      const onLeft = () => dispatch({ type: "left" });
      dispatch({ type: "answered", output: await attempt.run(input, { signal: abort.signal, onLeft }) });
    } catch (error) {
      dispatch({ type: "failed", error });
      // Rendered without a session the page would be the sign-in, before anyone has read what is known.
      if (isSignedOut(error) || isSessionOver()) return;
    } finally {
      running.current = null;
    }
    // After a failure as well: part of it may have been done.
    moved();
  };

  const found = state.at === "unknown" ? attempt.outcome : undefined;
  const settle = useEffectEvent(() => {
    if (!found) return;
    dispatch({ type: "looked", found });
    attempt.forget();
    moved();
  });
  useEffect(() => {
    if (found) settle();
  }, [found]);
  const wanted = state.at === "unknown" && state.looking ? state.input : undefined;
  const goOn = useEffectEvent(async () => {
    // The chain may have said it meanwhile: then there is nothing to send again.
    if ((await attempt.look()) && wanted) await start(wanted);
  });
  useEffect(() => {
    if (wanted) void goOn();
  }, [wanted]);
  const stoppable = state.at === "running" && !state.left;
  useEffect(() => {
    if (offline && stoppable) running.current?.abort(new ActCancelled("offline"));
  }, [offline, stoppable]);
  // What is reviewed was looked up and decrypted while it was unlocked. After the session's end nothing is filled in
  // again.
  const over = useSessionOver();
  const locked = vault.status !== "unlocked" && state.at === "review" && !state.refused && !over;
  useEffect(() => {
    if (locked) dispatch({ type: "back" });
  }, [locked]);
  return {
    state,
    blockedTo: attempt.blockedTo,
    review: (input) => dispatch({ type: "review", input }),
    back: () => {
      // What is filled in again is another payment.
      attempt.forget();
      dispatch({ type: "back" });
    },
    start: (input) => void start(input),
    cancel: () => {
      dispatch({ type: "cancel" });
      running.current?.abort(new ActCancelled("person"));
    },
    checkAgain: () => dispatch({ type: "look" }),
    reset: () => {
      if (state.at !== "running" && state.at !== "unknown") attempt.forget();
      dispatch({ type: "reset" });
    },
  };
}
