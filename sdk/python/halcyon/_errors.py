"""Errors that this package finds itself, besides those of a code alone (_api_errors.py)."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._api_errors import UnavailableError
from ._halcyon_error import HalcyonError, details_of


class ServiceUnreachable(UnavailableError):
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
