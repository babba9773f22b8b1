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

/** Whether the service no longer knows this session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiCallError && error.status === 401;
}

const CLOCKS_DIFFER_MS = 60_000;

/**
 * Whether a session that the service refuses has run out by itself. Any other was ended by someone.
 *
 * @param endsAt when it was to end; null where no one knows
 */
export function isExpired(endsAt: number | null): boolean {
  return endsAt !== null && Date.now() >= endsAt - CLOCKS_DIFFER_MS;
}
