import type { ErrorWords } from "@/components/ui/error-words";
import { HalcyonError } from "@/sdk/api/errors";
import { messageOf } from "./message-of";
import { isUnknown, unknownOf } from "./unknown-outcome";

/**
 * Converts an error to what the dashboard's controls show. If the person locked, did not unlock or cancelled, `gaveUp`
 * is set, unless it may have been done nevertheless.
 */
export function describeError(thrown: unknown): ErrorWords {
  const open = isUnknown(thrown);
  return {
    message: open ? unknownOf(thrown) : messageOf(thrown),
    param: thrown instanceof HalcyonError ? thrown.param : undefined,
    isUnknown: open,
    // Compared by name, because the vault imports this folder and not the other way round.
    gaveUp: !open && thrown instanceof Error && ["VaultLocked", "AbortError"].includes(thrown.name),
  };
}
