"use client";

import { useEffect, useRef } from "react";
import { isOffline } from "@/components/api/use-offline";
import type { InputOf, OutputOf } from "@/components/vault/protocol";
import { useVault } from "@/components/vault/vault-provider";
import { type ActToSign, actToSign, signingFor } from "@/components/wallet/signing-for";
import { NothingMoved } from "@/sdk/payments/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { ActCancelled, errorOnceLeft, type Outcome } from "./act-state";
import { showInDialog } from "./acts-in-open-dialogs";
import { type KeptAct, unsettled } from "./kept-payments";
import { usePayments } from "./payments-provider";

/** The vault's methods that move money under an idempotency key. */
export type ActMethod = "send" | "withdraw" | "makeAvailable" | "deposit" | "refund";

/** One payment across all its retries. */
export interface PaymentAttempt<I, O> {
  /**
   * Runs the act, or continues it: until `forget`, each call is the same payment. Rejects with `NothingMoved` if the
   * chain has shown that it was not made, with `OutcomeUnknown` if it may have been, with `ActCancelled` if this
   * browser is offline.
   *
   * @param options.onLeft called when a signed document leaves, after which the act can't be cancelled
   */
  run(input: I, options?: { signal?: AbortSignal; onLeft?: () => void }): Promise<O>;
  /** What the chain has shown about an act whose response was lost. */
  outcome: Outcome | undefined;
  /** Asks the chain now. Resolves with true if the outcome is not known yet, and false also once it is forgotten. */
  look(): Promise<boolean>;
  /** Call once the outcome has been shown: the next run is another payment. */
  forget(): void;
  /** Returns whether an earlier act of this kind to the same place has an open outcome. */
  blockedTo(to: string | undefined): boolean;
}

interface Held {
  key: string;
  pending?: PendingPayment;
  /** Whether the service has accepted it. Its record then stays for what the chain shows. */
  accepted?: true;
  release(): void;
}

/** Returns the idempotency key that the input brings along, so that starting it again anywhere is the same act. */
const named = (input: { idempotencyKey?: string | undefined }): string | undefined => input.idempotencyKey;

const none = (): Held => ({ key: "", release: () => {} });

/**
 * Keeps what leaves this browser until its outcome has been shown, either by the component that uses this hook or, once
 * that is unmounted, by the notice on every page.
 *
 * @param name the kind of act, and how to get the recipient from an input
 */
export function useAttempt<M extends ActMethod>(
  method: M,
  name: {
    act: KeptAct;
    to: (input: InputOf<M>) => string | undefined;
    /** What the signature dialog shows, if the input alone does not say it. */
    signs?: (input: InputOf<M>) => ActToSign;
  },
): PaymentAttempt<InputOf<M>, OutputOf<M>> {
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
    const { pending, release, accepted } = held.current;
    if (pending && !accepted && payments.list().some((kept) => kept.id === pending.id && !kept.accepted))
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
        if (!now.pending && mounted.current) now.release = showInDialog(pending.id);
        now.pending = pending;
        onLeft?.();
      };
      const same = { ...input, idempotencyKey: now.key, pending: now.pending };
      const act = name.signs?.(input) ?? actToSign(method, input);
      const output = await signingFor(act, () => vault.run(method, same, { signal, onPending }));
      // An unmounted component has shown nothing, so the act stays for the notice.
      if (now.pending && mounted.current) {
        now.accepted = true;
        payments.change(now.pending.id, { accepted: true });
      }
      return output;
    } catch (error) {
      if (error instanceof NothingMoved && mounted.current) forget();
      throw errorOnceLeft(error, now.pending);
    }
  };
  const idOf = () => held.current.pending?.id;
  return {
    run,
    outcome: kept.find(({ id }) => id === idOf())?.outcome,
    look: async () => {
      const asked = held.current;
      await look();
      // Forgotten meanwhile, so its outcome was shown: to send it again would be another payment.
      if (held.current !== asked) return false;
      // Without a record, another tab has dropped it. The outcome is not known here, and sending is the same payment.
      return !payments.list().some(({ id, outcome }) => id === idOf() && outcome);
    },
    forget,
    blockedTo: (to) => {
      const earlier = unsettled(kept, name.act, to);
      return earlier !== undefined && earlier.id !== idOf();
    },
  };
}
