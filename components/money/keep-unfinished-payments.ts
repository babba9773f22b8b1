import { isOffline } from "@/components/api/use-offline";
import { NothingMoved } from "@/sdk/payments/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { ActCancelled, errorOnceLeft } from "./act-state";
import { showInDialog } from "./acts-in-open-dialogs";
import type { Kept, KeptPayments } from "./kept-payments";

/** What work reports while it pays. */
interface Keeping {
  /** A signed document is about to leave. */
  onPending: (pending: PendingPayment) => void;
  /** The service has accepted what left so far, and keeps track of it from here. */
  onAccepted: () => void;
  /** Aborted once the person has stopped the work and nothing is on its way. */
  signal: AbortSignal;
}

/** What is paid, as it is kept. */
interface PlannedAct extends Pick<Kept, "act" | "to"> {
  /** Aborted when the person stops the work: nothing more leaves. What has left still gets its response. */
  stop?: AbortSignal;
}

/**
 * Runs work that pays by a plan of its own, such as a payout, and keeps what leaves this browser until its outcome is
 * known. Repeating the work is the same payments. If it fails, the notice on every page reports what is kept.
 *
 * @throws ActCancelled before anything is begun, if this browser is offline; OutcomeUnknown if a document has left and
 * the chain has not shown what became of it, whatever the error was; an `AbortError` if the person stopped it and
 * nothing is open
 */
export async function keepUnfinishedPayments<T>(
  payments: Pick<KeptPayments, "keep" | "drop">,
  { act, to, stop }: PlannedAct,
  work: (keeping: Keeping) => Promise<T>,
): Promise<T> {
  if (await isOffline()) throw new ActCancelled("offline");
  let left: { pending: PendingPayment; release: () => void } | undefined;
  const stopped = new AbortController();
  const stopBetween = () => {
    if (stop?.aborted && !left) stopped.abort();
  };
  stop?.addEventListener("abort", stopBetween);
  const settle = () => {
    if (left) payments.drop(left.pending.id);
    left?.release();
    left = undefined;
    stopBetween();
  };
  const onPending = (pending: PendingPayment) => {
    stop?.throwIfAborted();
    // First: if the browser can't store it, nothing leaves.
    payments.keep({ id: pending.id, act, to, pending });
    if (left?.pending.id !== pending.id) {
      settle();
      left = { pending, release: showInDialog(pending.id) };
    }
    left.pending = pending;
  };
  try {
    const output = await work({ onPending, onAccepted: settle, signal: stopped.signal });
    settle();
    return output;
  } catch (error) {
    if (error instanceof NothingMoved) settle();
    throw errorOnceLeft(error, left?.pending);
  } finally {
    stop?.removeEventListener("abort", stopBetween);
    left?.release();
  }
}
