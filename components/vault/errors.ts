import { ApiCallError, HalcyonError } from "@/sdk/api/errors";
import { NothingMoved, OutcomeUnknown } from "@/sdk/attempts/outcome-unknown";
import type { VaultError } from "./protocol";

/** The amounts are locked and the person did not unlock them, or locked them meanwhile. */
export class VaultLocked extends HalcyonError {
  override readonly name = "VaultLocked";
  constructor() {
    super("unauthorized", "Your account is locked. Unlock it and try again.");
  }
}

/** The error that the worker met, as the SDK would have thrown it. With `pending`, `message` is its cause's. */
export function fromVaultError({ code, message, pending, nothingMoved, status, ...details }: VaultError): HalcyonError {
  const met =
    status === undefined ? new HalcyonError(code, message) : new ApiCallError(code, message, { status, ...details });
  if (!pending) return met;
  const cause = message === "" ? undefined : met;
  return nothingMoved ? new NothingMoved(pending, cause) : new OutcomeUnknown(pending, cause);
}
