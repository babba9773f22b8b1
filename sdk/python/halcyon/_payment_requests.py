"""Links that ask for a payment."""

from __future__ import annotations

from typing import Optional, cast

from ._inputs import Time, given, path_id, time_text
from ._pages import Pages
from ._payment_types import PaymentRequest
from ._resources import Resource


class PaymentRequestsResource(Resource):
    """
    Links that ask for a payment: `halcyon.payment_requests`. Their contents are encrypted: use the TypeScript SDK to
    create links and check payments.
    """

    def list(
        self,
        *,
        status: Optional[str] = None,
        reference: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        starting_after: Optional[str] = None,
    ) -> Pages[PaymentRequest]:
        """Lists the requests, encrypted, newest first. Ship when the status is `paid`, never on `processing`."""
        query = given(
            status=status,
            reference=reference,
            from_=time_text("from_", from_),
            to=time_text("to", to),
            limit=limit,
            offset=offset,
            starting_after=starting_after,
        )
        return Pages(self._http, "/v1/payment-requests", query, "payment_requests", "payment_request_id")

    def get(self, payment_request_id: str) -> PaymentRequest:
        """Returns one request, encrypted, with the states of its payments."""
        about = {"payment_request_id": payment_request_id}
        return cast(PaymentRequest, self._http.get(self._path(payment_request_id), about=about))

    def cancel(self, payment_request_id: str, *, idempotency_key: Optional[str] = None) -> PaymentRequest:
        """Cancels an open request: the service accepts no payment for it from then on."""
        path = f"{self._path(payment_request_id)}/cancel"
        about = {"payment_request_id": payment_request_id}
        return cast(PaymentRequest, self._http.post(path, None, idempotency_key, about=about))

    @staticmethod
    def _path(payment_request_id: str) -> str:
        return f"/v1/payment-requests/{path_id('payment_request_id', payment_request_id)}"
