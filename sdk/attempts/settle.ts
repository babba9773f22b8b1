import type { HalcyonError } from "../api/errors";
import { toHalcyonError } from "../api/to-halcyon-error";
import type { Context } from "../context/context";
import { chainOutcome, type Settled } from "./check-payment";
import { NothingMoved, OutcomeUnknown } from "./outcome-unknown";
import type { PendingPayment } from "./pending-payment";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** How long the service may take to see what the chain has shown already. */
const CATCH_UP_MS = 15_000;

/**
 * Waits until the chain, over the client's own RPC, shows what became of it.
 *
 * @throws NothingMoved when no block can take it any more; OutcomeUnknown when that is still open after the call's
 * `waitTimeout`, or when the call is aborted
 */
export async function settledOnChain(context: Context, pending: PendingPayment): Promise<Settled> {
  const end = Date.now() + context.call.waitTimeout;
  let trouble: HalcyonError | undefined;
  for (let pause = FIRST_PAUSE_MS; Date.now() < end; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
    try {
      const shown = await chainOutcome(context, pending);
      if (shown.outcome === "settled" && shown.final) return shown;
      if (shown.outcome === "nothing_moved") throw new NothingMoved(pending);
      // An earlier process may have made it: the same call again finds that.
      if (shown.outcome === "taken") break;
      trouble = undefined;
    } catch (error) {
      if (error instanceof NothingMoved) throw error;
      // A chain that does not respond now may respond next time.
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
 * Lets the service see what the chain has shown, so that the caller's next request finds it. What it says changes nothing: a
 * response that contradicts the chain, or none, ends the wait.
 */
export async function caughtUp({ call }: Context, read: () => Promise<{ status: string }>): Promise<void> {
  const end = Date.now() + CATCH_UP_MS;
  for (let pause = FIRST_PAUSE_MS; Date.now() < end; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
    const now = await read().catch(() => null);
    if (now?.status !== "pending" || call.aborted) return;
    await call.pause(pause).catch(() => {});
  }
}
