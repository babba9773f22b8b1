"""The account, its balances, events, webhooks and audit log."""

from __future__ import annotations

import builtins
import functools
import inspect
from typing import Any, Optional, Sequence, cast

from ._account_types import Account
from ._http import Http
from ._inputs import Time, given, path_id, text, time_text
from ._pages import Pages
from ._types import AuditEntry, CreatedWebhook, Delivery, Event, LoggedRequest, Redelivery, RotatedWebhook, Webhook


class Resource:
    """A part of the client, whose methods' errors name the page about them."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def __init_subclass__(cls) -> None:
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and not name.startswith("_"):
                setattr(cls, name, _explained(method))


def _explained(method: Any) -> Any:
    @functools.wraps(method)
    def call(self: Resource, *args: Any, **given: Any) -> Any:
        with self._http.explaining():
            return method(self, *args, **given)

    return call


class AccountResource(Resource):
    """Your account: `halcyon.account`."""

    def get(self, *, include: Optional[str] = None) -> Account:
        """
        Returns the account of the API key. For an agent's key, this is the agent. `include="ledger"` adds what the ledger
        has of the account, and its settings.
        """
        return cast(Account, self._http.get("/v1/accounts/me", given(include=include)))


class BalancesResource(Resource):
    """Whether each balance is above zero: `halcyon.balances`."""

    def get(self, *, decryption_proof: Optional[str] = None) -> Any:
        """Reports whether each asset's balance is above zero. With a proof from the wallet, returns the amounts."""
        body = given(decryption_proof=decryption_proof)
        return self._http.send("POST", "/v1/accounts/me/balances", json=body)


class EventsResource(Resource):
    """Events of the account and its agents, kept for 90 days: `halcyon.events`."""

    def list(
        self,
        *,
        types: Optional[Sequence[str]] = None,
        after: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        starting_after: Optional[str] = None,
    ) -> Pages[Event]:
        """Lists events, newest first. With `after`, lists those after the event with this id, oldest first."""
        query = given(
            type=None if types is None else ",".join(types),
            after=after,
            from_=time_text("from_", from_),
            to=time_text("to", to),
            limit=limit,
            offset=offset,
            starting_after=starting_after,
        )
        return Pages(self._http, "/v1/events", query, "events", "event_id")

    def get(self, event_id: str) -> Event:
        """Returns one event."""
        return cast(Event, self._http.get(f"/v1/events/{path_id('event_id', event_id)}", about={"event_id": event_id}))


class AuditLogResource(Resource):
    """The audit log, which records who did what in the account: `halcyon.audit_log`."""

    def list(
        self,
        *,
        action: Optional[str] = None,
        actor: Optional[str] = None,
        target: Optional[str] = None,
        sign_ins: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        starting_after: Optional[str] = None,
    ) -> Pages[AuditEntry]:
        """Lists the entries, newest first."""
        query = given(
            action=action,
            actor=actor,
            target=target,
            sign_ins=sign_ins,
            from_=time_text("from_", from_),
            to=time_text("to", to),
            limit=limit,
            offset=offset,
            starting_after=starting_after,
        )
        return Pages(self._http, "/v1/audit-log", query, "entries", "id")


class RequestLogResource(Resource):
    """What your programs asked in the last 7 days: `halcyon.request_log`."""

    def list(
        self,
        *,
        outcome: Optional[str] = None,
        method: Optional[str] = None,
        key: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        starting_after: Optional[str] = None,
    ) -> Pages[LoggedRequest]:
        """Lists requests with the account's API keys, newest first, without what they contained."""
        query = given(
            outcome=outcome, method=method, key=key, limit=limit, offset=offset, starting_after=starting_after
        )
        return Pages(self._http, "/v1/request-log", query, "requests", "request_id")


class WebhooksResource(Resource):
    """Subscriptions to events, their deliveries and secrets: `halcyon.webhooks`."""

    def create(
        self,
        *,
        url: str,
        events: Sequence[str],
        store_responses: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> CreatedWebhook:
        """Subscribes an address to event types. Only this response contains the secret.

        `store_responses` keeps the first 256 bytes of each response; if None, only on the test network.
        """
        body = {"url": text("url", url), "events": list(events), **given(store_responses=store_responses)}
        return cast(CreatedWebhook, self._http.post("/v1/webhooks", body, idempotency_key))

    def list(self) -> builtins.list[Webhook]:
        """Lists all subscriptions, without secrets."""
        return cast("builtins.list[Webhook]", self._http.get("/v1/webhooks", has="webhooks")["webhooks"])

    def update(
        self,
        webhook_id: str,
        *,
        url: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        enabled: Optional[bool] = None,
        store_responses: Optional[bool] = None,
    ) -> Webhook:
        """Changes the address, types, or whether it is enabled or stores responses. None keeps a value."""
        types = None if events is None else [*events]
        body = given(url=url, events=types, enabled=enabled, store_responses=store_responses)
        return cast(Webhook, self._http.send("PATCH", self._path(webhook_id), json=body, about={"webhook_id": webhook_id}))

    def delete(self, webhook_id: str) -> None:
        """Deletes a subscription."""
        self._http.send("DELETE", self._path(webhook_id))

    def rotate_secret(self, webhook_id: str, *, idempotency_key: Optional[str] = None) -> RotatedWebhook:
        """Creates a new secret, which only this response contains. The old one signs too for 24 hours."""
        path = f"{self._path(webhook_id)}/rotate-secret"
        about = {"webhook_id": webhook_id}
        return cast(RotatedWebhook, self._http.post(path, None, idempotency_key, about=about))

    def replay(self, webhook_id: str, event_id: str, *, idempotency_key: Optional[str] = None) -> Delivery:
        """Delivers one event again now."""
        path = f"{self._path(webhook_id)}/replay/{path_id('event_id', event_id)}"
        about = {"webhook_id": webhook_id, "event_id": event_id}
        return cast(Delivery, self._http.post(path, None, idempotency_key, about=about))

    def redeliver(self, webhook_id: str, *, since: Time, idempotency_key: Optional[str] = None) -> Redelivery:
        """Delivers again everything that failed since the given time. Call it again while `has_more` is true."""
        body = {"since": time_text("since", since)}
        return cast(Redelivery, self._http.post(f"{self._path(webhook_id)}/redeliver", body, idempotency_key))

    def test(self, webhook_id: str, *, event: Optional[str] = None, idempotency_key: Optional[str] = None) -> Delivery:
        """Sends one sample event: `transfer.confirmed`, unless you name another type."""
        path = f"{self._path(webhook_id)}/test"
        body = given(event=event)
        return cast(Delivery, self._http.post(path, body, idempotency_key, about={"webhook_id": webhook_id}))

    def deliveries(
        self,
        webhook_id: str,
        *,
        status: Optional[str] = None,
        event: Optional[str] = None,
        event_id: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        starting_after: Optional[str] = None,
    ) -> Pages[Delivery]:
        """Lists past and scheduled deliveries, newest first."""
        path = f"{self._path(webhook_id)}/deliveries"
        query = given(
            status=status,
            event=event,
            event_id=event_id,
            from_=time_text("from_", from_),
            to=time_text("to", to),
            limit=limit,
            offset=offset,
            starting_after=starting_after,
        )
        return Pages(self._http, path, query, "deliveries", "delivery_id")

    @staticmethod
    def _path(webhook_id: str) -> str:
        return f"/v1/webhooks/{path_id('webhook_id', webhook_id)}"
