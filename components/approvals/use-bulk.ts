"use client";

import { useRef, useState } from "react";
import { isSignedOut } from "@/components/api/session-errors";
import { isSessionOver } from "@/components/api/sign-in-again";
import { ActCancelled } from "@/components/money/act-state";
import { VaultLocked } from "@/components/vault/errors";
import { ApiCallError } from "@/sdk/api/errors";
import { decideEach, type RowState } from "./decide-each";
import type { WaitingPayment } from "./held-payment";
import type { Decision } from "./use-decision";

/** The two decisions. */
export type Verb = "approve" | "reject";

/** What was decided of one row; `transferId` of an approved one. */
export interface RowOutput {
  transferId: string | null;
}

/** A batch that is being decided. */
export interface Bulk {
  busy: boolean;
  /** It began: from here on the rows say what became of each. */
  begun: boolean;
  /** Why the rest was not begun. */
  ended: unknown;
  stateOf(id: string): RowState<RowOutput>;
  /** Decides these, in their order; again, of the same payments, only those that are still to be decided. */
  run(payments: readonly WaitingPayment[]): Promise<void>;
  /** Finishes the one that runs, and begins no other. */
  stop(): void;
  stopped: boolean;
}

const READY = { at: "ready" } as const;

/** A rejection moves nothing: it is open unless the service itself has refused it. */
const mayBeRejected = (error: unknown) => !(error instanceof ApiCallError) || error.status >= 500;

/** What stops the others as well: no session, no keys, no network. */
const ends = (error: unknown) =>
  error instanceof ActCancelled || error instanceof VaultLocked || isSignedOut(error) || isSessionOver();

/** Decides several payments, each by its own request. */
export function useBulk(verb: Verb, { each }: Decision): Bulk {
  const [states, setStates] = useState<ReadonlyMap<string, RowState<RowOutput>>>(new Map());
  const [busy, setBusy] = useState(false);
  const [ended, setEnded] = useState<unknown>();
  const [stopped, setStopped] = useState(false);
  const stopping = useRef(false);
  const decide = async (payment: WaitingPayment): Promise<RowOutput> => {
    if (verb === "approve") return { transferId: (await each.approve(payment)).transfer_id };
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
        isOpen: ({ transaction_id: id }, error) => (verb === "approve" ? each.isOpen(id) : mayBeRejected(error)),
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
