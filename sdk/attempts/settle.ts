import type { HalcyonError } from "../api/errors";
import { toHalcyonError } from "../api/to-halcyon-error";
import type { Context } from "../context/context";
import { chainOutcome, type Settled } from "./check-payment";
import { NothingMoved, OutcomeUnknown } from "./outcome-unknown";
import type { PendingPayment } from "./pending-payment";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const PATIENCE_MS = 10 * 60_000;
/** How long the service may take to see what the chain has shown already. */
const CATCH_UP_MS = 15_000;

/**
 * Waits until the chain, over the client's own RPC, shows what became of it.
 *
 * @throws NothingMoved when no block can take it any more; OutcomeUnknown when that is still open after ten minutes
 */
export async function settledOnChain(context: Context, pending: PendingPayment): Promise<Settled> {
  const end = Date.now() + PATIENCE_MS;
  let trouble: HalcyonError | undefined;
  for (let pause = FIRST_PAUSE_MS; Date.now() < end; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
    try {
      const shown = await chainOutcome(context, pending);
      if (shown.outcome === "settled" && shown.final) return shown;
      if (shown.outcome === "nothing_moved") throw new NothingMoved(pending);
      trouble = undefined;
    } catch (error) {
      if (error instanceof NothingMoved) throw error;
      // A chain that does not answer now may answer next time.
      trouble = toHalcyonError(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new OutcomeUnknown(pending, trouble);
}

/**
 * Lets the service see what the chain has shown, so that the caller's next request finds it. Its word changes nothing: an
 * answer that contradicts the chain, or none, ends the wait.
 */
export async function caughtUp(read: () => Promise<{ status: string }>): Promise<void> {
  const end = Date.now() + CATCH_UP_MS;
  for (let pause = FIRST_PAUSE_MS; Date.now() < end; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
    const now = await read().catch(() => null);
    if (now?.status !== "pending") return;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
