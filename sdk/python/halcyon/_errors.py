"""Everything that this package raises. Each error response of the service has a code (docs/errors.md)."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Type

_DETAILS = ("status", "param", "errors", "reason", "request_id", "retry_after", "doc_url")


class HalcyonError(Exception):
    """
    Anything that the client refuses or fails at.

    `code` is one of the API's, or `outcome_unknown` (money may have moved: never repeat the call as a new one), or
    `transfer_failed` (no money moved).
    """

    code: str
    #: HTTP status, if the service sent an error response.
    status: Optional[int] = None
    #: The field or argument at fault.
    param: Optional[str] = None
    #: All fields at fault, if there are several.
    errors: Optional[List[Dict[str, str]]] = None
    #: With `policy_violation`: the rule that refused.
    reason: Optional[str] = None
    #: Identifies the request: include it when you ask for help.
    request_id: Optional[str] = None
    #: Seconds after which the request may succeed.
    retry_after: Optional[float] = None
    #: The page about this error.
    doc_url: Optional[str] = None
    #: What the request asked for may have been done.
    _unsettled = False

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        for name in _DETAILS:
            if details.get(name) is not None:
                setattr(self, name, details[name])

    def __reduce__(self) -> Any:
        # Subclasses take other arguments: queues that pickle errors restore them without calling __init__.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: Type[HalcyonError], args: Any, state: Dict[str, Any]) -> HalcyonError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


def details_of(error: Optional[HalcyonError]) -> Dict[str, Any]:
    """What identifies the response of an error that is the cause of another one."""
    return {name: getattr(error, name) for name in _DETAILS} if error else {}


class ApiError(HalcyonError):
    """An error response of the service."""

    status: int


class InvalidRequestError(ApiError):
    """The request is malformed; `param` or `errors` name the fields at fault."""


class UnauthorizedError(ApiError):
    """The API key is missing, unknown, revoked or expired."""


class InsufficientBalanceError(ApiError):
    """The available balance does not cover the payment."""


class PolicyViolationError(ApiError):
    """The agent's policy refuses the payment; `reason` names the rule."""


class KeyForbiddenError(ApiError):
    """This key can't do that."""


class NotFoundError(ApiError):
    """Nothing is there that this key can see."""


class RecipientNotFoundError(ApiError):
    """No account has this handle."""


class IdempotencyInProgressError(ApiError):
    """The first request with this idempotency key is still being served."""


class IdempotencyMismatchError(ApiError):
    """The idempotency key was used with another request."""


class RateLimitedError(ApiError):
    """Too many requests; `retry_after` says how many seconds to wait."""


class UnavailableError(ApiError):
    """The service can't respond now. Try again."""


class ServiceUnreachable(HalcyonError):
    """Nothing responds at the service's address, or what responds is something else. The code is `unavailable`."""

    def __init__(self, message: str, *, never_arrived: bool = False) -> None:
        super().__init__("unavailable", message, param="url")
        #: Known never to have reached anyone: at every try, the connection failed before the request was sent.
        self.never_arrived = never_arrived


class ServiceTimeout(ServiceUnreachable):
    """The service did not respond in time. What was sent may have been carried out."""


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
        #: As the service has it.
        self.transfer = transfer


class TransferNotFinal(HalcyonError):
    """
    The service accepted a payment, and the wait ended before it was final. It goes on: do not send it again, read it with
    `transfers.get(error.transfer["transfer_id"])`. The code is `outcome_unknown`.
    """

    def __init__(self, transfer: Mapping[str, Any], cause: Optional[HalcyonError] = None) -> None:
        message = (
            f"Transfer {transfer['transfer_id']} was accepted and is not final yet. Do not send it again: read it with "
            f"`transfers.get`.{f' {cause}' if cause else ''}"
        )
        super().__init__("outcome_unknown", message, **details_of(cause))
        #: As the service described it last.
        self.transfer = transfer


#: Every code of the API, with its class; those without one of their own are an ApiError.
API_ERRORS: Dict[str, Type[ApiError]] = {
    "invalid_request": InvalidRequestError,
    "invalid_policy": InvalidRequestError,
    "unauthorized": UnauthorizedError,
    "insufficient_balance": InsufficientBalanceError,
    "kyc_required": ApiError,
    "not_agent_owner": ApiError,
    "policy_violation": PolicyViolationError,
    "key_forbidden": KeyForbiddenError,
    "recipient_blocked": ApiError,
    "not_found": NotFoundError,
    "recipient_not_found": RecipientNotFoundError,
    "transaction_not_found": ApiError,
    "method_not_allowed": ApiError,
    "transaction_expired": ApiError,
    "handle_taken": ApiError,
    "reference_in_use": ApiError,
    "refund_conflict": ApiError,
    "payment_request_closed": ApiError,
    "idempotency_in_progress": IdempotencyInProgressError,
    "budget_changed": ApiError,
    "reseal_required": ApiError,
    "policy_not_in_force": ApiError,
    "schedule_changed": ApiError,
    "run_not_payable": ApiError,
    "recipient_not_confidential_ready": ApiError,
    "decryption_proof_invalid": ApiError,
    "refund_not_possible": ApiError,
    "idempotency_mismatch": IdempotencyMismatchError,
    "rate_limited": RateLimitedError,
    "internal": ApiError,
    "unavailable": UnavailableError,
}
