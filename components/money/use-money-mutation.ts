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
import { decryptedKey, useVault } from "@/components/vault/vault-provider";
import { ActCancelled, type ActState, actAfter, type Outcome, settlesAct } from "./act-state";
import { type ActMethod, useAttempt } from "./use-attempt";

/** Returns a function to call after money moved: decrypts and renders again what is on screen. */
export function useMoneyMoved(): () => void {
  const network = useNetwork();
  const queries = useQueryClient();
  const refresh = useRefresh();
  return useCallback(() => {
    void queries.invalidateQueries({ queryKey: decryptedKey(network, "funds") });
    void queries.invalidateQueries({ queryKey: decryptedKey(network, "agentSpending") });
    void queries.invalidateQueries({ queryKey: decryptedKey(network, "walletBalance") });
    void queries.invalidateQueries({ queryKey: resourceKeys.collection(network, "/v1/transfers") });
    refresh();
  }, [network, queries, refresh]);
}

/** An act that moves money, as a dialog runs it. */
export interface MoneyMutation<I, O> {
  state: ActState<I, O>;
  /** Returns whether an earlier act of this kind to the same place has an open outcome. */
  blockedTo(to: string | undefined): boolean;
  /** Shows the input for review before the act runs. */
  review(input: I): void;
  /** Goes from the review back to the form. */
  back(): void;
  /** Runs the act; unlocks first if necessary. */
  start(input: I): void;
  /** Cancels the act, as long as nothing has left this browser. */
  cancel(): void;
  /**
   * Checks the outcome of an act whose response was lost. If it is still open, sends the same act again, never another.
   */
  checkAgain(): void;
  /** Goes back to an empty form, for another act. */
  reset(): void;
}

/**
 * Runs a method that moves money, and tracks what is known about it at every moment.
 *
 * @param name the kind of act, and how to get the recipient from an input
 */
export function useMoneyMutation<M extends ActMethod>(
  method: M,
  name: Parameters<typeof useAttempt<M>>[1],
): MoneyMutation<InputOf<M>, OutputOf<M>> {
  type Input = InputOf<M>;
  const vault = useVault();
  const moved = useMoneyMoved();
  const offline = useOffline();
  const attempt = useAttempt(method, name);
  const [state, dispatch] = useReducer(actAfter<Input, OutputOf<M>>, { at: "form" });
  const running = useRef<AbortController>(null);

  const start = async (input: Input) => {
    // Ignore a second press before the button is disabled.
    if (running.current) return;
    const abort = new AbortController();
    running.current = abort;
    dispatch({ type: "start", input });
    try {
      const onLeft = () => dispatch({ type: "left" });
      dispatch({ type: "answered", output: await attempt.run(input, { signal: abort.signal, onLeft }) });
    } catch (error) {
      dispatch({ type: "failed", error });
      // Without a session a refresh would turn the page into the sign-in, before the person has read what is known.
      if (isSignedOut(error) || isSessionOver()) return;
    } finally {
      running.current = null;
    }
    // After a failure too, since part of it may have been done.
    moved();
  };

  const found = state.at === "unknown" ? attempt.outcome : undefined;
  const looking = state.at === "unknown" && state.looking;
  const settle = useEffectEvent((found: Outcome) => {
    dispatch({ type: "looked", found });
    attempt.forget();
    moved();
  });
  useEffect(() => {
    const sending = looking && running.current !== null;
    if (settlesAct(found, sending)) settle(found);
  }, [found, looking]);
  const wanted = looking ? state.input : undefined;
  const goOn = useEffectEvent(async () => {
    // The chain may show the outcome by now; then nothing is sent again.
    if ((await attempt.look()) && wanted) await start(wanted);
  });
  useEffect(() => {
    if (wanted) void goOn();
  }, [wanted]);
  const stoppable = state.at === "running" && !state.left;
  useEffect(() => {
    if (offline && stoppable) running.current?.abort(new ActCancelled("offline"));
  }, [offline, stoppable]);
  // Locking goes back from the review to the form, since the review contains decrypted figures. Not once the session
  // has ended, when the form can't be used.
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
      // A changed form is another payment.
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
