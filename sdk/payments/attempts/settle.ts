import type { HalcyonError } from "../../api/errors";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { chainOutcome, type Settled } from "./check-payment";
import { NothingMoved, OutcomeUnknown } from "./outcome-unknown";
import type { PendingPayment } from "./pending-payment";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** How long the service may take to catch up with the chain. */
const CATCH_UP_MS = 15_000;

/**
 * Waits until the chain, over the client's own RPC, shows the outcome of a payment.
 *
 * @throws NothingMoved when no block can accept it any more; OutcomeUnknown when the outcome is still open after the
 * call's `waitTimeout`, or when the call is aborted
 */
export async function settledOnChain(context: Context, pending: PendingPayment): Promise<Settled> {
  const end = Date.now() + context.call.waitTimeout;
  let trouble: HalcyonError | undefined;
  for (let pause = FIRST_PAUSE_MS; Date.now() < end; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
    try {
      const shown = await chainOutcome(context, pending);
      if (shown.outcome === "settled" && shown.final) return shown;
      if (shown.outcome === "nothing_moved") throw new NothingMoved(pending);
      // An earlier process may have made it: repeating the call finds that payment.
      if (shown.outcome === "taken") break;
      trouble = undefined;
    } catch (error) {
      if (error instanceof NothingMoved) throw error;
      // The chain may respond the next time.
      trouble = toHalcyonError(error);
    }
    if (context.call.aborted) break;
    await context.call.pause(Math.min(pause, Math.max(0, end - Date.now()))).catch((error: unknown) => {
      trouble = toHalcyonError(error);
    });
  }
  throw new OutcomeUnknown(pending, trouble);
}

/**
 * Waits until the service has seen what the chain already shows, so that the caller's next request finds it. The
 * service's response changes nothing: one that contradicts the chain, or none at all, ends the wait.
 *
 * @returns the last response, if there was one
 */
export async function caughtUp<T extends { status: string }>(
  { call }: Context,
  read: () => Promise<T>,
): Promise<T | null> {
  const end = Date.now() + CATCH_UP_MS;
  let now: T | null = null;
  for (let pause = FIRST_PAUSE_MS; Date.now() < end; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
    now = await read().catch(() => null);
    if (now?.status !== "pending" || call.aborted) break;
    await call.pause(pause).catch(() => {});
  }
  return now;
}
