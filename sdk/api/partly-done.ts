import type { HalcyonError } from "./errors";
import { toHalcyonError } from "./to-halcyon-error";

/** Returns an error that came after something was done, with what that was. */
export function partlyDone(thrown: unknown, done: string): HalcyonError {
  const error = toHalcyonError(thrown);
  error.message = `${done} ${error.message}`;
  return Object.assign(error, { mayHaveHappened: true });
}
