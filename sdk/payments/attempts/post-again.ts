import type { Call } from "../../api/call";
import { ApiCallError, NoResponse } from "../../api/errors";

const TRIES = 3;

/** Reports whether an error leaves it open what became of the payment. */
export function isLost(error: unknown): boolean {
  return error instanceof NoResponse || (error instanceof ApiCallError && error.status >= 500);
}

/** Reports whether a document that failed to be posted certainly never left this machine. */
export function hasLeftNothing(error: unknown): boolean {
  return error instanceof NoResponse && error.neverArrived;
}

/**
 * Posts a client-signed document, and posts the same one again after a lost response. It settles at most once, because
 * the available balance commitment it replaces is gone afterwards. The last response proves nothing about the outcome.
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
      // If aborted during the pause, throw the last error, which says what is known about the payment.
      await call.pause(500 * attempt).catch(() => {
        throw error;
      });
    }
  }
}
