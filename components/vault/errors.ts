import { ApiCallError, HalcyonError } from "@/sdk/errors";
import type { VaultError } from "./protocol";

/** The amounts are locked and the person did not unlock them, or locked them meanwhile. */
export class VaultLocked extends HalcyonError {
  override readonly name = "VaultLocked";
  constructor() {
    super("unauthorized", "Your account is locked. Unlock it and try again.");
  }
}

/** The error that the worker met, as the SDK would have thrown it. */
export function fromVaultError({ code, message, status, ...details }: VaultError): HalcyonError {
  return status === undefined
    ? new HalcyonError(code, message)
    : new ApiCallError(code, message, { status, ...details });
}

/** Whether the service no longer knows this session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiCallError && error.status === 401;
}
