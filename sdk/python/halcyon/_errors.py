"""Everything that this package raises, except the class of each code of the API (_api_errors.py)."""

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
