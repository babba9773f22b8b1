import type { Call } from "../api/call";
import { ApiCallError, NoResponse } from "../api/errors";

const TRIES = 3;

/** Whether an error leaves open what became of the payment. */
export function isLost(error: unknown): boolean {
  return error instanceof NoResponse || (error instanceof ApiCallError && error.status >= 500);
}

/** Whether a document that failed to be posted so is known to be nowhere but here. */
export function hasLeftNothing(error: unknown): boolean {
  return error instanceof NoResponse && error.neverArrived;
}

/**
 * Posts a prepared document, and after a lost response the same one again: it settles at most once, for the word it
 * replaces is gone once it has. What the last response says proves nothing.
 */
export async function postAgain<T>(call: Call, post: () => Promise<T>): Promise<T> {
  let arrived = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await post();
    } catch (error) {
      arrived ||= !hasLeftNothing(error);
      if (error instanceof NoResponse) error.neverArrived = !arrived;
      if (!isLost(error) || call.aborted || attempt === TRIES) throw error;
      // Aborted in between, its last error still says what is known of the payment.
      await call.pause(500 * attempt).catch(() => {
        throw error;
      });
    }
  }
}
