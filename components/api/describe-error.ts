import type { ErrorWords } from "@/components/ui/error-words";
import { ApiCallError } from "@/sdk/api/errors";
import { messageOf } from "./message-of";

/** What the dashboard's controls say about an error. Locking, or giving up on unlocking, is none. */
export function describeError(thrown: unknown): ErrorWords {
  return {
    message: messageOf(thrown),
    param: thrown instanceof ApiCallError ? thrown.param : undefined,
    // Of the vault, which knows requests; not the other way round.
    gaveUp: thrown instanceof Error && thrown.name === "VaultLocked",
  };
}
