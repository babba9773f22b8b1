import { ApiCallError, ServiceUnreachable } from "../api/errors";

const TRIES = 3;

/** Whether an answer does not tell what became of the payment. */
export function isLost(error: unknown): boolean {
  return error instanceof ServiceUnreachable || (error instanceof ApiCallError && error.status >= 500);
}

/** Whether a document that failed to be posted so is known to be nowhere but here. */
export function hasLeftNothing(error: unknown): boolean {
  return error instanceof ServiceUnreachable && error.neverArrived;
}

/**
 * Posts a prepared document, and after a lost answer the same one again: it settles at most once, for the word it replaces is
 * gone once it has. What its last answer says is the service's word alone.
 */
export async function postAgain<T>(post: () => Promise<T>): Promise<T> {
  let arrived = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await post();
    } catch (error) {
      arrived ||= !hasLeftNothing(error);
      if (error instanceof ServiceUnreachable) error.neverArrived = !arrived;
      if (!isLost(error) || attempt === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
    }
  }
}
