"""The client."""

from __future__ import annotations

import copy
from typing import Optional

from ._agents import AgentsResource, PoliciesResource
from ._http import Http
from ._payment_requests import PaymentRequestsResource
from ._payouts import PayoutsResource, SchedulesResource
from ._resources import (
    AccountResource,
    AuditLogResource,
    BalancesResource,
    EventsResource,
    RequestLogResource,
    WebhooksResource,
)
from ._test_helpers import TestHelpersResource
from ._transfers import ApprovalsResource, TransfersResource


class Halcyon:
    """
    A client with an API key. The service signs its payments, and it can't decrypt amounts. Threads can share it.

    :param api_key: `hc_test_…` or `hc_live_…`
    :param url: the address of the service
    :param timeout: seconds for one request, from its start to the last byte of its response; applies to each retry
    :param max_retries: the most retries of a request that is safe to retry; if None, three after a 500, one after a
        timeout, and for half a minute while the service restarts
    :raises HalcyonError: from every method; see its `code`
    """

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        url: str = "http://localhost:3000",
        timeout: float = 80.0,
        max_retries: Optional[int] = None,
    ) -> None:
        self._use(Http(api_key, url, timeout, max_retries))

    def with_options(self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None) -> Halcyon:
        """Returns the same client with different limits, for some calls. None keeps a limit."""
        other = copy.copy(self)
        http = self._http
        other._use(
            http.within(
                http.timeout if timeout is None else timeout,
                http.max_retries if max_retries is None else max_retries,
            )
        )
        return other

    def _use(self, http: Http) -> None:
        self._http = http
        self.account = AccountResource(http)
        self.balances = BalancesResource(http)
        self.transfers = TransfersResource(http)
        self.payment_requests = PaymentRequestsResource(http)
        self.payouts = PayoutsResource(http)
        self.schedules = SchedulesResource(http)
        self.agents = AgentsResource(http)
        self.policies = PoliciesResource(http, self.agents)
        self.approvals = ApprovalsResource(http, self.agents)
        self.webhooks = WebhooksResource(http)
        self.events = EventsResource(http)
        self.audit_log = AuditLogResource(http)
        self.request_log = RequestLogResource(http)
        self.test_helpers = TestHelpersResource(http)
