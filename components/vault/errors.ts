import { ApiCallError, HalcyonError } from "@/sdk/api/errors";
import { NothingMoved, OutcomeUnknown } from "@/sdk/payments/attempts/outcome-unknown";
import type { VaultError } from "./protocol";

/** Thrown if the account is locked and the person did not unlock it, or locked it in the meantime. */
export class VaultLocked extends HalcyonError {
  override readonly name = "VaultLocked";
  constructor() {
    super("unauthorized", "Your account is locked. Unlock it and try again.");
  }
}

/** Restores the worker's error as the SDK would have thrown it. With `pending`, `message` belongs to its cause. */
export function fromVaultError(error: VaultError): HalcyonError {
  const { code, message, pending, nothingMoved, mayHaveHappened, status, ...details } = error;
  const met =
    status === undefined
      ? new HalcyonError(code, message, { param: details.param })
      : new ApiCallError(code, message, { status, ...details });
  if (mayHaveHappened) met.mayHaveHappened = true;
  if (!pending) return met;
  const cause = message === "" ? undefined : met;
  return nothingMoved ? new NothingMoved(pending, cause) : new OutcomeUnknown(pending, cause);
}
