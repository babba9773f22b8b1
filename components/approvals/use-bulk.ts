"use client";

import { useRef, useState } from "react";
import { isSignedOut } from "@/components/api/session-errors";
import { isSessionOver } from "@/components/api/sign-in-again";
import { isUnknown } from "@/components/api/unknown-outcome";
import { ActCancelled } from "@/components/money/act-state";
import { VaultLocked } from "@/components/vault/errors";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { decideEach, type RowState } from "./decide-each";
import type { WaitingPayment } from "./held-payment";
import type { DecisionState } from "./use-decision";

/** The two possible decisions. */
export type ApprovalVerb = "approve" | "reject";

/** The result for one row. Both are set for an approved payment. */
export interface RowOutput {
  transferId: string | null;
  pending?: PendingPayment;
}

/** A batch of decisions in progress. */
interface Bulk {
  busy: boolean;
  /** Whether the run has started, so that the rows show outcomes. */
  begun: boolean;
  /** Why the rest was not started. */
  ended: unknown;
  stateOf(id: string): RowState<RowOutput>;
  /** Decides these payments in order. A second call skips those that are decided already. */
  run(payments: readonly WaitingPayment[]): Promise<void>;
  /** Finishes the current payment and starts no other. */
  stop(): void;
  stopped: boolean;
}

const READY = { at: "ready" } as const;

/** Returns whether an error stops the rest as well: no session, no keys or no network. */
const ends = (error: unknown) =>
  error instanceof ActCancelled || error instanceof VaultLocked || isSignedOut(error) || isSessionOver();

/** Decides several payments, each with its own request. */
export function useBulk(verb: ApprovalVerb, { each }: DecisionState): Bulk {
  const [states, setStates] = useState<ReadonlyMap<string, RowState<RowOutput>>>(new Map());
  const [busy, setBusy] = useState(false);
  const [ended, setEnded] = useState<unknown>();
  const [stopped, setStopped] = useState(false);
  const stopping = useRef(false);
  const decide = async (payment: WaitingPayment): Promise<RowOutput> => {
    if (verb === "approve") {
      const { transfer_id, pending } = await each.approve(payment);
      return { transferId: transfer_id, pending };
    }
    await each.reject(payment);
    return { transferId: null };
  };
  return {
    busy,
    begun: states.size > 0,
    ended,
    stopped,
    stateOf: (id) => states.get(id) ?? READY,
    run: async (payments) => {
      if (busy) return;
      setBusy(true);
      setEnded(undefined);
      setStopped(false);
      stopping.current = false;
      let last: unknown;
      await decideEach(payments, decide, {
        onState: ({ transaction_id: id }, state) => setStates((before) => new Map([...before, [id, state]])),
        isOpen: ({ transaction_id: id }, error) => (verb === "approve" ? each.isOpen(id) : isUnknown(error)),
        ends: (error) => {
          if (!ends(error)) return false;
          last = error;
          setEnded(error);
          return true;
        },
        isStopped: () => stopping.current,
      });
      setBusy(false);
      each.settled(last);
    },
    stop: () => {
      stopping.current = true;
      setStopped(true);
    },
  };
}
