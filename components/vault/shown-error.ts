import { messageOf } from "@/components/api/message-of";
import { ApiCallError } from "@/sdk/api/errors";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { NothingMoved, OutcomeUnknown } from "@/sdk/payments/attempts/outcome-unknown";
import type { VaultError } from "./protocol";

/** Converts an error of the SDK for its way to the page. */
export function asVaultError(thrown: unknown): VaultError {
  if (thrown instanceof OutcomeUnknown || thrown instanceof NothingMoved) {
    const { pending, cause } = thrown;
    const why: VaultError = cause === undefined ? { code: thrown.code, message: "" } : asVaultError(cause);
    return { ...why, pending, ...(thrown instanceof NothingMoved && { nothingMoved: true }) };
  }
  const error = toHalcyonError(thrown);
  const { code } = error;
  const said = { code, message: messageOf(error), ...(error.mayHaveHappened && { mayHaveHappened: true as const }) };
  if (!(error instanceof ApiCallError)) return error.param === undefined ? said : { ...said, param: error.param };
  const { status, param, errors, reason, requestId, retryAfter } = error;
  return { ...said, status, param, errors, reason, requestId, retryAfter };
}
