import type { ErrorCode } from "@/lib/errors";
import { ApiCallError, type ApiErrorDetails } from "./errors";
import { codeOf } from "./http";

/*
 * The error responses of the API as classes, one for each code (docs/errors.md). What was found out on this machine is a
 * plain `HalcyonError`: its `code` says the same.
 */

/** `insufficient_balance` is `InsufficientBalanceError`, minified or not. */
function nameOf(code: ErrorCode): string {
  const words = code.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Error`;
}

type ErrorClass<C extends ErrorCode> = new (message: string, details: ApiErrorDetails) => ApiCallError & { code: C };

/** The class of a code. */
function errorOf<C extends ErrorCode>(code: C): ErrorClass<C> {
  return class extends ApiCallError {
    declare readonly code: C;
    override readonly name = nameOf(code);
    constructor(message: string, details: ApiErrorDetails) {
      super(code, message, details);
    }
  };
}

/** The request is malformed; `param` or `errors` name the fields at fault. */
export class InvalidRequestError extends errorOf("invalid_request") {}

/** A field of a spend policy, or an agent's name, is not valid. */
export class InvalidPolicyError extends errorOf("invalid_policy") {}

/** No API key or session, or one that is unknown, revoked or expired. */
export class UnauthorizedError extends errorOf("unauthorized") {}

/** The available balance does not cover the payment. */
export class InsufficientBalanceError extends errorOf("insufficient_balance") {}

/** The identity must be verified first. */
export class KycRequiredError extends errorOf("kyc_required") {}

/** The agent is another account's, or the key is an agent's own. */
export class NotAgentOwnerError extends errorOf("not_agent_owner") {}

/** The agent's policy refuses the payment; `reason` names the rule. */
export class PolicyViolationError extends errorOf("policy_violation") {}

/** This key or session may not do that. */
export class KeyForbiddenError extends errorOf("key_forbidden") {}

/** The recipient of a public payment is on a sanctions list. */
export class RecipientBlockedError extends errorOf("recipient_blocked") {}

/** Nothing is there that this key may see. */
export class NotFoundError extends errorOf("not_found") {}

/** No account has this handle. */
export class RecipientNotFoundError extends errorOf("recipient_not_found") {}

/** No payment with this id awaits approval. */
export class TransactionNotFoundError extends errorOf("transaction_not_found") {}

/** The path does not take this method. */
export class MethodNotAllowedError extends errorOf("method_not_allowed") {}

/** The approval window of the payment has run out. */
export class TransactionExpiredError extends errorOf("transaction_expired") {}

/** The handle or the name of the agent is taken. */
export class HandleTakenError extends errorOf("handle_taken") {}

/** A payment with this reference was made already, and `uniqueReference` was asked for. */
export class ReferenceInUseError extends errorOf("reference_in_use") {}

/** Another refund of the payment was made, or failed, meanwhile. */
export class RefundConflictError extends errorOf("refund_conflict") {}

/** The payment request takes no payment any more, or can't be cancelled. */
export class PaymentRequestClosedError extends errorOf("payment_request_closed") {}

/** The first request with this idempotency key is still being served. */
export class IdempotencyInProgressError extends errorOf("idempotency_in_progress") {}

/** A prepared document builds on a state that is no longer current: build it again. */
export class BudgetChangedError extends errorOf("budget_changed") {}

/** The available balance was changed outside the service: sync it with the wallet. */
export class ResealRequiredError extends errorOf("reseal_required") {}

/** The policy that the service has is not the one on the ledger: set it again with the wallet. */
export class PolicyNotInForceError extends errorOf("policy_not_in_force") {}

/** The recipient cannot take confidential payments on this network. */
export class RecipientNotConfidentialReadyError extends errorOf("recipient_not_confidential_ready") {}

/** The decryption proof does not hold, or no longer. */
export class DecryptionProofInvalidError extends errorOf("decryption_proof_invalid") {}

/** The payment can't be refunded; the message says why. */
export class RefundNotPossibleError extends errorOf("refund_not_possible") {}

/** The schedule has another version than the one you read; read it again. */
export class ScheduleChangedError extends errorOf("schedule_changed") {}

/** The run of a schedule is not to be paid now; the message says why. */
export class RunNotPayableError extends errorOf("run_not_payable") {}

/** The idempotency key was used with another request. */
export class IdempotencyMismatchError extends errorOf("idempotency_mismatch") {}

/** Too many requests; `retryAfter` says how many seconds to wait. */
export class RateLimitedError extends errorOf("rate_limited") {}

/** Something failed in the service. */
export class InternalError extends errorOf("internal") {}

/** The service cannot respond now; try again. */
export class UnavailableError extends errorOf("unavailable") {}

/** The class of every code. */
export const API_ERRORS = {
  invalid_request: InvalidRequestError,
  invalid_policy: InvalidPolicyError,
  unauthorized: UnauthorizedError,
  insufficient_balance: InsufficientBalanceError,
  kyc_required: KycRequiredError,
  not_agent_owner: NotAgentOwnerError,
  policy_violation: PolicyViolationError,
  key_forbidden: KeyForbiddenError,
  recipient_blocked: RecipientBlockedError,
  not_found: NotFoundError,
  recipient_not_found: RecipientNotFoundError,
  transaction_not_found: TransactionNotFoundError,
  method_not_allowed: MethodNotAllowedError,
  transaction_expired: TransactionExpiredError,
  handle_taken: HandleTakenError,
  reference_in_use: ReferenceInUseError,
  refund_conflict: RefundConflictError,
  payment_request_closed: PaymentRequestClosedError,
  idempotency_in_progress: IdempotencyInProgressError,
  budget_changed: BudgetChangedError,
  reseal_required: ResealRequiredError,
  policy_not_in_force: PolicyNotInForceError,
  schedule_changed: ScheduleChangedError,
  run_not_payable: RunNotPayableError,
  recipient_not_confidential_ready: RecipientNotConfidentialReadyError,
  decryption_proof_invalid: DecryptionProofInvalidError,
  refund_not_possible: RefundNotPossibleError,
  idempotency_mismatch: IdempotencyMismatchError,
  rate_limited: RateLimitedError,
  internal: InternalError,
  unavailable: UnavailableError,
} as const satisfies {
  [C in ErrorCode]: new (
    message: string,
    details: ApiErrorDetails,
  ) => ApiCallError & { code: C };
};

/** An error response as an error of its code's class; a code that is not the API's becomes one that is. */
export function apiErrorOf(code: ErrorCode, message: string, details: ApiErrorDetails): ApiCallError {
  const known = Object.hasOwn(API_ERRORS, code) ? code : codeOf(details.status);
  return new API_ERRORS[known](message, details);
}
