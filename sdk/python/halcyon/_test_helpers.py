"""Ways to cause events that are hard to cause otherwise, for the local stack only."""

from __future__ import annotations

from typing import Optional, cast

from ._inputs import path_id
from ._resources import Resource
from ._types import AdvancedClock, FailingRecipient, HeldPayment


class TestHelpersResource(Resource):
    """Test helpers of the local stack; elsewhere they raise `not_found`: `halcyon.test_helpers`."""

    __test__ = False

    def advance_clock(self, *, seconds: int, idempotency_key: Optional[str] = None) -> AdvancedClock:
        """Advances time for approval windows, webhook retries and the expiry of API keys."""
        body = {"seconds": seconds}
        return cast(AdvancedClock, self._http.post("/v1/test_helpers/clock/advance", body, idempotency_key))

    def expire(self, transaction_id: str, *, idempotency_key: Optional[str] = None) -> HeldPayment:
        """Ends the approval window of a payment now. No money moves."""
        path = f"/v1/test_helpers/transactions/{path_id('transaction_id', transaction_id)}/expire"
        about = {"transaction_id": transaction_id}
        return cast(HeldPayment, self._http.post(path, None, idempotency_key, about=about))

    def failing_recipient(self) -> FailingRecipient:
        """Returns a recipient whose payments always fail, a few seconds after they were submitted."""
        return cast(FailingRecipient, self._http.get("/v1/test_helpers/failing_recipient"))
