"""The class of each code of the API (docs/errors.md), in the order of the document."""

from __future__ import annotations

from ._halcyon_error import HalcyonError


class InvalidRequestError(HalcyonError, code="invalid_request"):
    """The request is malformed; `param` or `errors` name the invalid fields."""


class InvalidPolicyError(HalcyonError, code="invalid_policy"):
    """A field of a spend policy, or an agent's name, is not valid."""


class UnauthorizedError(HalcyonError, code="unauthorized"):
    """The API key is missing, unknown, revoked or expired."""


class InsufficientBalanceError(HalcyonError, code="insufficient_balance"):
    """The available balance does not cover the payment."""


class KycRequiredError(HalcyonError, code="kyc_required"):
    """The account's identity must be verified first."""


class NotAgentOwnerError(HalcyonError, code="not_agent_owner"):
    """The agent belongs to another account, or the key is an agent's own."""


class PolicyViolationError(HalcyonError, code="policy_violation"):
    """The agent's policy refuses the payment; `reason` names the rule."""


class KeyForbiddenError(HalcyonError, code="key_forbidden"):
    """This key is not allowed to do this."""


class RecipientBlockedError(HalcyonError, code="recipient_blocked"):
    """The recipient of a public payment is on a sanctions list."""


class NotFoundError(HalcyonError, code="not_found"):
    """Nothing by this id is visible to this key."""


class RecipientNotFoundError(HalcyonError, code="recipient_not_found"):
    """No account has this handle."""


class TransactionNotFoundError(HalcyonError, code="transaction_not_found"):
    """No payment with this id awaits approval."""


class MethodNotAllowedError(HalcyonError, code="method_not_allowed"):
    """The path does not support this method."""


class TransactionExpiredError(HalcyonError, code="transaction_expired"):
    """The payment's approval window has expired."""


class HandleTakenError(HalcyonError, code="handle_taken"):
    """The handle or the agent's name is taken."""


class ReferenceInUseError(HalcyonError, code="reference_in_use"):
    """A payment with this reference exists, and the request set `unique_reference`."""


class RefundConflictError(HalcyonError, code="refund_conflict"):
    """Another refund of the payment was made, or failed, in the meantime."""


class PaymentRequestClosedError(HalcyonError, code="payment_request_closed"):
    """The payment request accepts no more payments, or can't be cancelled."""


class IdempotencyInProgressError(HalcyonError, code="idempotency_in_progress"):
    """The first request with this idempotency key is still in progress."""


class AvailableBalanceChangedError(HalcyonError, code="available_balance_changed"):
    """A client-signed payment builds on a balance state that is no longer current: build it again."""


class SyncRequiredError(HalcyonError, code="sync_required"):
    """The available balance was changed outside the service: sync it with the wallet."""


class PolicyNotInForceError(HalcyonError, code="policy_not_in_force"):
    """The service's copy of the policy differs from the one on the ledger: set it again with the wallet."""


class ScheduleChangedError(HalcyonError, code="schedule_changed"):
    """The schedule has changed since you read it; read it again."""


class RunNotPayableError(HalcyonError, code="run_not_payable"):
    """The run of a schedule can't be paid now; the message says why."""


class RecipientNotConfidentialReadyError(HalcyonError, code="recipient_not_confidential_ready"):
    """The recipient can't receive confidential payments on this network."""


class DecryptionProofInvalidError(HalcyonError, code="decryption_proof_invalid"):
    """The decryption proof is invalid or has expired."""


class RefundNotPossibleError(HalcyonError, code="refund_not_possible"):
    """The payment can't be refunded; the message says why."""


class IdempotencyMismatchError(HalcyonError, code="idempotency_mismatch"):
    """The idempotency key was used for a different request."""


class RateLimitedError(HalcyonError, code="rate_limited"):
    """Too many requests; `retry_after` says how many seconds to wait."""


class InternalError(HalcyonError, code="internal"):
    """An internal error of the service."""


class UnavailableError(HalcyonError, code="unavailable"):
    """The service is unavailable. Try again."""
