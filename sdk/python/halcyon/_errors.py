"""Everything that this package raises. Each error response of the service has a code (docs/errors.md)."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Type

_DETAILS = ("status", "param", "errors", "reason", "request_id", "retry_after", "doc_url")


class HalcyonError(Exception):
    """
    The base class of all errors that this package raises.

    `code` is one of the API's codes, `outcome_unknown` (money may have moved: never repeat the call as a new one) or
    `transfer_failed` (no money moved).
    """

    code: str
    #: HTTP status, if the service sent an error response.
    status: Optional[int] = None
    #: The invalid field or argument.
    param: Optional[str] = None
    #: All invalid fields, if there are several.
    errors: Optional[List[Dict[str, str]]] = None
    #: With `policy_violation`: the rule that refused the payment.
    reason: Optional[str] = None
    #: Identifies the request: include it when you ask for help.
    request_id: Optional[str] = None
    #: Seconds after which the request may succeed.
    retry_after: Optional[float] = None
    #: The page about this error.
    doc_url: Optional[str] = None
    #: Whether the request may have been carried out.
    _unsettled = False

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        for name in _DETAILS:
            if details.get(name) is not None:
                setattr(self, name, details[name])

    def __reduce__(self) -> Any:
        # Subclasses take different arguments, so pickled errors must be restored without calling __init__.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: Type[HalcyonError], args: Any, state: Dict[str, Any]) -> HalcyonError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


def details_of(error: Optional[HalcyonError]) -> Dict[str, Any]:
    """Returns the details of an error that identify the response, to copy them into another error."""
    return {name: getattr(error, name) for name in _DETAILS} if error else {}


class ApiError(HalcyonError):
    """An error response of the service."""

    status: int


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
    """A prepared payment builds on a balance state that is no longer current: build it again."""


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


class ServiceUnreachable(HalcyonError):
    """Nothing responds at the service's address, or another kind of server does. The code is `unavailable`."""

    def __init__(self, message: str, *, never_arrived: bool = False) -> None:
        super().__init__("unavailable", message, param="url")
        #: True if the request certainly reached no server: at every try, the connection failed before it was sent.
        self.never_arrived = never_arrived


class ServiceTimeout(ServiceUnreachable):
    """The service did not respond in time. It may have carried out the request."""


class ResponseLost(HalcyonError):
    """
    A payment was sent and its response did not arrive: it may have been made. Repeat the call with `idempotency_key`,
    which never pays twice. The code is `outcome_unknown`.
    """

    def __init__(self, idempotency_key: str, cause: HalcyonError) -> None:
        super().__init__(
            "outcome_unknown",
            f"{cause} No one knows yet whether the payment was made: repeat it with the idempotency key "
            f"{idempotency_key}, which never pays twice. Do not send it as a new one.",
            **details_of(cause),
        )
        self.idempotency_key = idempotency_key


class TransferFailed(HalcyonError):
    """The service accepted a payment and it failed on chain: no money moved. To pay again, use a new idempotency key."""

    def __init__(self, transfer: Mapping[str, Any]) -> None:
        message = f"Transfer {transfer['transfer_id']} failed; no money moved. To pay again, use a new idempotency key."
        super().__init__("transfer_failed", message)
        #: The failed transfer, from the service.
        self.transfer = transfer


class TransferNotFinal(HalcyonError):
    """
    The service accepted a payment, and the wait ended before it was final. The payment continues: do not send it again,
    read it with `transfers.get(error.transfer["transfer_id"])`. The code is `outcome_unknown`.
    """

    def __init__(self, transfer: Mapping[str, Any], cause: Optional[HalcyonError] = None) -> None:
        message = (
            f"Transfer {transfer['transfer_id']} was accepted and is not final yet. Do not send it again: read it with "
            f"`transfers.get`.{f' {cause}' if cause else ''}"
        )
        super().__init__("outcome_unknown", message, **details_of(cause))
        #: The transfer as last seen.
        self.transfer = transfer


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
