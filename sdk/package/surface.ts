/* What the package exports on every platform. This is the only barrel file: a package needs one entry point. */
export {
  API_ERRORS,
  AvailableBalanceChangedError,
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
  PaymentRequestClosedError,
  PolicyNotInForceError,
  PolicyViolationError,
  RateLimitedError,
  RecipientNotConfidentialReadyError,
  RecipientNotFoundError,
  SyncRequiredError,
  TransactionExpiredError,
  TransactionNotFoundError,
  UnauthorizedError,
  UnavailableError,
} from "../api/api-errors";
export { CallAborted } from "../api/call-aborted";
export { ApiCallError, ChainUnreachable, HalcyonError, ServiceTimeout, ServiceUnreachable } from "../api/errors";
export { PinMismatch } from "../api/pin-mismatch";
export { FIRST_CURSOR } from "../api/webhooks/first-cursor";
export { InvalidWebhook, verifyWebhook } from "../api/webhooks/verify-webhook";
export { NothingMoved, OutcomeUnknown, ResponseLost } from "../payments/attempts/outcome-unknown";
export { TransferFailed } from "../payments/attempts/transfer-failed";
export { TransferNotFinal } from "../payments/attempts/transfer-not-final";
