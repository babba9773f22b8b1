"""The error responses of the service: a class for each code (docs/errors.md)."""

from __future__ import annotations

from typing import Dict, Type

from ._errors import ApiError


class InvalidRequestError(ApiError):
    """The request is malformed; `param` or `errors` name the invalid fields."""


class UnauthorizedError(ApiError):
    """The API key is missing, unknown, revoked or expired."""


class InsufficientBalanceError(ApiError):
    """The available balance does not cover the payment."""


class PolicyViolationError(ApiError):
    """The agent's policy refuses the payment; `reason` names the rule."""


class KeyForbiddenError(ApiError):
    """This key is not allowed to do this."""


class NotFoundError(ApiError):
    """Nothing by this id is visible to this key."""


class RecipientNotFoundError(ApiError):
    """No account has this handle."""


class IdempotencyInProgressError(ApiError):
    """The first request with this idempotency key is still in progress."""


class IdempotencyMismatchError(ApiError):
    """The idempotency key was used for a different request."""


class RateLimitedError(ApiError):
    """Too many requests; `retry_after` says how many seconds to wait."""


class UnavailableError(ApiError):
    """The service is unavailable. Try again."""


class InvalidPolicyError(ApiError):
    """A field of a spend policy, or an agent's name, is not valid."""


class KycRequiredError(ApiError):
    """The account's identity must be verified first."""


class NotAgentOwnerError(ApiError):
    """The agent belongs to another account, or the key is an agent's own."""


class RecipientBlockedError(ApiError):
    """The recipient of a public payment is on a sanctions list."""


class TransactionNotFoundError(ApiError):
    """No payment with this id awaits approval."""


class MethodNotAllowedError(ApiError):
    """The path does not support this method."""


class TransactionExpiredError(ApiError):
    """The payment's approval window has expired."""


class HandleTakenError(ApiError):
    """The handle or the agent's name is taken."""


class ReferenceInUseError(ApiError):
    """A payment with this reference exists, and the request set `unique_reference`."""


class RefundConflictError(ApiError):
    """Another refund of the payment was made, or failed, in the meantime."""


class PaymentRequestClosedError(ApiError):
    """The payment request accepts no more payments, or can't be cancelled."""


class AvailableBalanceChangedError(ApiError):
    """A client-signed payment builds on a balance state that is no longer current: build it again."""


class SyncRequiredError(ApiError):
    """The available balance was changed outside the service: sync it with the wallet."""


class PolicyNotInForceError(ApiError):
    """The service's copy of the policy differs from the one on the ledger: set it again with the wallet."""


class ScheduleChangedError(ApiError):
    """The schedule has changed since you read it; read it again."""


class RunNotPayableError(ApiError):
    """The run of a schedule can't be paid now; the message says why."""


class RecipientNotConfidentialReadyError(ApiError):
    """The recipient can't receive confidential payments on this network."""


class DecryptionProofInvalidError(ApiError):
    """The decryption proof is invalid or has expired."""


class RefundNotPossibleError(ApiError):
    """The payment can't be refunded; the message says why."""


class InternalError(ApiError):
    """An internal error of the service."""


#: The class for each code of the API.
API_ERRORS: Dict[str, Type[ApiError]] = {
    "invalid_request": InvalidRequestError,
    "invalid_policy": InvalidPolicyError,
    "unauthorized": UnauthorizedError,
    "insufficient_balance": InsufficientBalanceError,
    "kyc_required": KycRequiredError,
    "not_agent_owner": NotAgentOwnerError,
    "policy_violation": PolicyViolationError,
    "key_forbidden": KeyForbiddenError,
    "recipient_blocked": RecipientBlockedError,
    "not_found": NotFoundError,
    "recipient_not_found": RecipientNotFoundError,
    "transaction_not_found": TransactionNotFoundError,
    "method_not_allowed": MethodNotAllowedError,
    "transaction_expired": TransactionExpiredError,
    "handle_taken": HandleTakenError,
    "reference_in_use": ReferenceInUseError,
    "refund_conflict": RefundConflictError,
    "payment_request_closed": PaymentRequestClosedError,
    "idempotency_in_progress": IdempotencyInProgressError,
    "available_balance_changed": AvailableBalanceChangedError,
    "sync_required": SyncRequiredError,
    "policy_not_in_force": PolicyNotInForceError,
    "schedule_changed": ScheduleChangedError,
    "run_not_payable": RunNotPayableError,
    "recipient_not_confidential_ready": RecipientNotConfidentialReadyError,
    "decryption_proof_invalid": DecryptionProofInvalidError,
    "refund_not_possible": RefundNotPossibleError,
    "idempotency_mismatch": IdempotencyMismatchError,
    "rate_limited": RateLimitedError,
    "internal": InternalError,
    "unavailable": UnavailableError,
}
