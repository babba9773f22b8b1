"use client";

import { useEffect, useRef } from "react";
import { isOffline } from "@/components/api/use-offline";
import type { InputOf, OutputOf } from "@/components/vault/protocol";
import { useVault } from "@/components/vault/vault-provider";
import { actToSign, signingFor } from "@/components/wallet/signing-for";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { NothingMoved, OutcomeUnknown } from "@/sdk/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/attempts/pending-payment";
import { ActCancelled, type Outcome } from "./act-state";
import { takeInHand } from "./in-hand";
import { type KeptAct, unsettled } from "./kept-payments";
import { usePayments } from "./payments-provider";

/** The methods of the vault that move money under an idempotency key. */
export type ActMethod = "send" | "withdraw" | "allocate" | "deposit" | "refund";

/** One payment over all its tries. */
export interface Attempt<I, O> {
  /**
   * Runs it, or continues with it: the same payment until `forget`. Rejects with `NothingMoved` when the chain has
   * shown that it was not made, with `OutcomeUnknown` whenever it may have been, with `ActCancelled` when this browser
   * is offline.
   *
   * @param options.onLeft a signed document leaves now: from here on no one can call it back
   */
  run(input: I, options?: { signal?: AbortSignal; onLeft?: () => void }): Promise<O>;
  /** What the chain has shown of one whose response was lost. */
  outcome: Outcome | undefined;
  /** Asks the chain now; true when it has left, and the chain does not show yet what became of it. */
  look(): Promise<boolean>;
  /** Its outcome was shown: the next run is another payment. */
  forget(): void;
  /** Whether an earlier act of this kind to the same place has an outcome that is not known yet. */
  blockedTo(to: string | undefined): boolean;
}

interface Held {
  key: string;
  pending?: PendingPayment;
  release(): void;
}

/** The key that an act brings with it: started again, also elsewhere, it is the same one. */
const named = (input: { idempotencyKey?: string | undefined }): string | undefined => input.idempotencyKey;

const none = (): Held => ({ key: "", release: () => {} });

/**
 * Keeps what leaves this browser until the outcome was shown: by the caller of this hook, or, once that is gone from
 * the screen, by the notice on every page.
 *
 * @param name what a person calls it, and of an input whom it pays
 */
export function useAttempt<M extends ActMethod>(
  method: M,
  name: { act: KeptAct; to: (input: InputOf<M>) => string | undefined },
): Attempt<InputOf<M>, OutputOf<M>> {
  const vault = useVault();
  const { payments, kept, look } = usePayments();
  const held = useRef<Held>(none());
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      held.current.release();
    };
  }, []);
  const forget = () => {
    const { pending, release } = held.current;
    if (pending && payments.list().some(({ id, accepted }) => id === pending.id && !accepted))
      payments.drop(pending.id);
    release();
    held.current = none();
  };
  const run = async (
    input: InputOf<M>,
    { signal, onLeft }: { signal?: AbortSignal; onLeft?: () => void } = {},
  ): Promise<OutputOf<M>> => {
    const now = held.current;
    now.key ||= named(input) ?? crypto.randomUUID();
    try {
      if (await isOffline()) throw new ActCancelled("offline");
      signal?.throwIfAborted();
      const onPending = (pending: PendingPayment) => {
        payments.keep({ id: pending.id, act: name.act, to: name.to(input), pending });
        if (!now.pending && mounted.current) now.release = takeInHand(pending.id);
        now.pending = pending;
        onLeft?.();
      };
      const same = { ...input, idempotencyKey: now.key, pending: now.pending };
      const output = await signingFor(actToSign(method, input), () => vault.run(method, same, { signal, onPending }));
      // What is gone from the screen has shown nothing: the notice does.
      if (now.pending && mounted.current) payments.change(now.pending.id, { accepted: true });
      return output;
    } catch (error) {
      if (error instanceof NothingMoved && mounted.current) forget();
      // A vault that was locked, say, after a document has left: that says nothing of the document.
      const known = !now.pending || error instanceof NothingMoved || error instanceof OutcomeUnknown;
      throw known ? error : new OutcomeUnknown(now.pending as PendingPayment, toHalcyonError(error));
    }
  };
  const idOf = () => held.current.pending?.id;
  return {
    run,
    outcome: kept.find(({ id }) => id === idOf())?.outcome,
    look: async () => {
      await look();
      return payments.list().some(({ id, outcome }) => id === idOf() && !outcome);
    },
    forget,
    blockedTo: (to) => {
      const earlier = unsettled(kept, name.act, to);
      return earlier !== undefined && earlier.id !== idOf();
    },
  };
}
