import type { ErrorCode } from "@/lib/base/errors";
import { ApiCallError, type ApiErrorDetails, HalcyonError } from "./errors";
import { codeOf } from "./http";

/*
 * The API's errors as classes, one for each code (docs/errors.md). An error is an instance of its code's class whether
 * the service sent it, which makes it an `ApiCallError` too, or this machine found it.
 */

/** Returns the class name for a code: `InsufficientBalanceError` for `insufficient_balance`. Survives minification. */
function nameOf(code: ErrorCode): string {
  const words = code.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Error`;
}

type ErrorClass<C extends ErrorCode> = {
  readonly code: C;
  new (message: string, details: ApiErrorDetails): HalcyonError & { code: C };
};

/** Creates the class for a code. */
function errorOf<C extends ErrorCode>(code: C): ErrorClass<C> {
  return class extends ApiCallError {
    static readonly code = code;
    static override [Symbol.hasInstance](thrown: unknown): boolean {
      return thrown instanceof HalcyonError && thrown.code === code;
    }
    declare readonly code: C;
    override readonly name = nameOf(code);
    constructor(message: string, details: ApiErrorDetails) {
      super(code, message, details);
    }
  };
}

/** The request is malformed; `param` or `errors` name the invalid fields. */
export class InvalidRequestError extends errorOf("invalid_request") {}

/** A field of a spend policy, or an agent's name, is not valid. */
export class InvalidPolicyError extends errorOf("invalid_policy") {}

/** The API key or session is missing, unknown, revoked or expired. */
export class UnauthorizedError extends errorOf("unauthorized") {}

/** The available balance does not cover the payment. */
export class InsufficientBalanceError extends errorOf("insufficient_balance") {}

/** The account's identity must be verified first. */
export class KycRequiredError extends errorOf("kyc_required") {}

/** The agent belongs to another account, or the key is an agent's own. */
export class NotAgentOwnerError extends errorOf("not_agent_owner") {}

/** The agent's policy refuses the payment; `reason` names the rule. */
export class PolicyViolationError extends errorOf("policy_violation") {}

/** This key or session is not allowed to do this. */
export class KeyForbiddenError extends errorOf("key_forbidden") {}

/** The recipient of a public payment is on a sanctions list. */
export class RecipientBlockedError extends errorOf("recipient_blocked") {}

/** Nothing by this id is visible to this key. */
export class NotFoundError extends errorOf("not_found") {}

/** No account has this handle. */
export class RecipientNotFoundError extends errorOf("recipient_not_found") {}

/** No payment with this id awaits approval. */
export class TransactionNotFoundError extends errorOf("transaction_not_found") {}

/** The path does not support this method. */
export class MethodNotAllowedError extends errorOf("method_not_allowed") {}

/** The payment's approval window has expired. */
export class TransactionExpiredError extends errorOf("transaction_expired") {}

/** The handle or the agent's name is taken. */
export class HandleTakenError extends errorOf("handle_taken") {}

/** A payment with this reference exists, and the request set `uniqueReference`. */
export class ReferenceInUseError extends errorOf("reference_in_use") {}

/** Another refund of the payment was made, or failed, in the meantime. */
export class RefundConflictError extends errorOf("refund_conflict") {}

/** The payment request accepts no more payments, or can't be cancelled. */
export class PaymentRequestClosedError extends errorOf("payment_request_closed") {}

/** The first request with this idempotency key is still in progress. */
export class IdempotencyInProgressError extends errorOf("idempotency_in_progress") {}

/** A client-signed payment builds on a balance state that is no longer current: build it again. */
export class AvailableBalanceChangedError extends errorOf("available_balance_changed") {}

/** The available balance was changed outside the service: sync it with the wallet. */
export class SyncRequiredError extends errorOf("sync_required") {}

/** The service's copy of the policy differs from the one on the ledger: set it again with the wallet. */
export class PolicyNotInForceError extends errorOf("policy_not_in_force") {}

/** The recipient can't receive confidential payments on this network. */
export class RecipientNotConfidentialReadyError extends errorOf("recipient_not_confidential_ready") {}

/** The decryption proof is invalid or has expired. */
export class DecryptionProofInvalidError extends errorOf("decryption_proof_invalid") {}

/** The payment can't be refunded; the message says why. */
export class RefundNotPossibleError extends errorOf("refund_not_possible") {}

/** The schedule has changed since you read it; read it again. */
export class ScheduleChangedError extends errorOf("schedule_changed") {}

/** The run of a schedule can't be paid now; the message says why. */
export class RunNotPayableError extends errorOf("run_not_payable") {}

/** The idempotency key was used for a different request. */
export class IdempotencyMismatchError extends errorOf("idempotency_mismatch") {}

/** Too many requests; `retryAfter` says how many seconds to wait. */
export class RateLimitedError extends errorOf("rate_limited") {}

/** An internal error of the service. */
export class InternalError extends errorOf("internal") {}

/** The service is unavailable; try again. */
export class UnavailableError extends errorOf("unavailable") {}

/** The class for each code. A test compares them with the API's codes. */
export const API_ERRORS = Object.fromEntries(
  [
    InvalidRequestError,
    InvalidPolicyError,
    UnauthorizedError,
    InsufficientBalanceError,
    KycRequiredError,
    NotAgentOwnerError,
    PolicyViolationError,
    KeyForbiddenError,
    RecipientBlockedError,
    NotFoundError,
    RecipientNotFoundError,
    TransactionNotFoundError,
    MethodNotAllowedError,
    TransactionExpiredError,
    HandleTakenError,
    ReferenceInUseError,
    RefundConflictError,
    PaymentRequestClosedError,
    IdempotencyInProgressError,
    AvailableBalanceChangedError,
    SyncRequiredError,
    PolicyNotInForceError,
    ScheduleChangedError,
    RunNotPayableError,
    RecipientNotConfidentialReadyError,
    DecryptionProofInvalidError,
    RefundNotPossibleError,
    IdempotencyMismatchError,
    RateLimitedError,
    InternalError,
    UnavailableError,
  ].map((one) => [one.code, one]),
) as { [C in ErrorCode]: ErrorClass<C> };

/**
 * Returns an error response as an error of its code's class. A code that the API doesn't have is mapped to one by the
 * HTTP status.
 */
export function apiErrorOf(code: ErrorCode, message: string, details: ApiErrorDetails): ApiCallError {
  const known = Object.hasOwn(API_ERRORS, code) ? code : codeOf(details.status);
  return new API_ERRORS[known](message, details) as ApiCallError;
}

/**
 * Gives an error that this machine found the name and the page that it would have from the service.
 *
 * @param service the address of the service, whose documentation has the page
 */
export function asApiError(error: HalcyonError, service: string): HalcyonError {
  const { code, docUrl, name } = error;
  if (docUrl !== undefined || !Object.hasOwn(API_ERRORS, code)) return error;
  const own = name === "HalcyonError" ? nameOf(code as ErrorCode) : name;
  return Object.assign(error, { docUrl: `${service}/docs/errors/${code}`, name: own });
}
