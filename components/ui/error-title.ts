import type { ErrorWords } from "./error-words";

/** The title of an error after which it is unknown whether it was done. */
export const NOT_KNOWN_YET = "Not known yet";

/**
 * Returns the title of an error.
 *
 * @param failed says that it was not done, which is the title only if that is known
 */
export function errorTitle<T>({ isUnknown }: Pick<ErrorWords, "isUnknown">, failed: T): T | typeof NOT_KNOWN_YET {
  return isUnknown ? NOT_KNOWN_YET : failed;
}
