/*
 * What the package exports on every platform. A package has one door, so this is the one place that names it all.
 */
export {
  API_ERRORS,
  BudgetChangedError,
  DecryptionProofInvalidError,
  HandleTakenError,
  IdempotencyInProgressError,
  IdempotencyMismatchError,
  InsufficientBalanceError,
  InternalError,
  InvalidPolicyError,
  InvalidRequestError,
  KeyForbiddenError,
  KycRequiredError,
  MethodNotAllowedError,
  NotAgentOwnerError,
  NotFoundError,
  PolicyViolationError,
  RateLimitedError,
  RecipientNotConfidentialReadyError,
  RecipientNotFoundError,
  ResealRequiredError,
  TransactionExpiredError,
  TransactionNotFoundError,
  UnauthorizedError,
  UnavailableError,
} from "../api/api-errors";
export { ApiCallError, HalcyonError, PinMismatch, ServiceUnreachable } from "../api/errors";
export { NothingMoved, OutcomeUnknown, ResponseLost } from "../attempts/outcome-unknown";
export { InvalidWebhook, verifyWebhook } from "../webhooks/verify-webhook";
