"""Payments, and agents' payments that await approval."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Union, cast

from ._agents import AgentsResource
from ._errors import TransferFailed, TransferNotFinal
from ._halcyon_error import HalcyonError
from ._http import Http
from ._inputs import Amount, Time, amount_text, check_seconds, given, path_id, text, time_text
from ._pages import Pages
from ._resources import Resource
from ._types import DecidedPayment, DryRun, HeldPayment, Transfer

WAIT_TIMEOUT = 600.0
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 1.0


def _settled(http: Http, accepted: Mapping[str, Any], wait_timeout: float) -> Dict[str, Any]:
    """Waits until the service reports a payment as confirmed or failed."""
    clock = http.clock
    path = f"/v1/transfers/{path_id('transfer_id', accepted['transfer_id'])}"
    end = clock.now() + wait_timeout
    latest, pause = accepted, _FIRST_PAUSE
    while clock.now() < end:
        try:
            now = http.get(path, has="status tx_hash", about={"transfer_id": accepted["transfer_id"]})
        except HalcyonError as error:
            raise TransferNotFinal(latest, error) from error
        if now["status"] not in ("pending", "confirmed", "failed"):
            break
        if now["status"] == "failed":
            raise TransferFailed(now)
        if now["status"] == "confirmed":
            return now
        latest = now
        clock.sleep(min(pause, max(0.0, end - clock.now())))
        pause = min(pause * 1.3, _LONGEST_PAUSE)
    raise TransferNotFinal(latest)


def _payment(
    to: str,
    amount: Amount,
    asset: Optional[str],
    memo: Optional[str],
    confidential: Optional[bool],
    from_: Optional[str],
    reference: Optional[str],
) -> Dict[str, Any]:
    return given(
        to=text("to", to),
        amount=amount_text(amount),
        asset=asset,
        memo=memo,
        confidential=confidential,
        from_=from_,
        reference=reference,
    )


class TransfersResource(Resource):
    """Payments: `halcyon.transfers`. The service signs them."""

    def create(
        self,
        *,
        to: str,
        amount: Amount,
        asset: Optional[str] = None,
        memo: Optional[str] = None,
        confidential: Optional[bool] = None,
        from_: Optional[str] = None,
        reference: Optional[str] = None,
        unique_reference: Optional[bool] = None,
        payment_request: Optional[str] = None,
        binding: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait: bool = True,
        wait_timeout: float = WAIT_TIMEOUT,
    ) -> Union[Transfer, HeldPayment]:
        """
        Pays, and waits until the payment is final on chain. A payment above an agent's threshold is returned at once, with
        a `transaction_id` and the status `pending_approval`.

        :param from_: the handle of the paying account or agent; if None, the key's own account
        :param reference: such as an order number, up to 64 characters; the recipient and the service can read it
        :param unique_reference: True refuses the payment if this key has already paid with the same reference
        :param payment_request: the id of the payment request that this pays
        :param binding: 32 bytes that say what it is for (0x and 64 hex digits), encrypted into the recipient's copy
        :param idempotency_key: the same key never pays twice, even from another process; if None, a random one
        :param wait: False returns once the service has accepted the payment, which usually is still `pending`
        :raises TransferFailed: no money moved
        :raises ResponseLost, TransferNotFinal: `outcome_unknown`, the payment was sent
        """
        seconds = check_seconds("wait_timeout", wait_timeout)
        more = given(unique_reference=unique_reference, payment_request=payment_request, binding=binding)
        body = {**_payment(to, amount, asset, memo, confidential, from_, reference), **more}
        return self._pay(body, idempotency_key, seconds if wait else None)

    def refund(
        self,
        transfer_id: str,
        *,
        amount: Amount,
        memo: Optional[str] = None,
        from_: Optional[str] = None,
        reference: Optional[str] = None,
        refunds_counted: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        wait: bool = True,
        wait_timeout: float = WAIT_TIMEOUT,
    ) -> Union[Transfer, HeldPayment]:
        """
        Gives a payment that you received back to the account that paid it, all or in part. An API key can't read what was
        received, so no one compares the amount with it.

        :param from_: the handle of the agent that received the payment, if one did
        :param refunds_counted: how many earlier refunds you counted; refuses the refund if there are others
        :raises HalcyonError: `refund_not_possible`, `refund_conflict`, and like `create`
        """
        seconds = check_seconds("wait_timeout", wait_timeout)
        path = f"/v1/transfers/{path_id('transfer_id', transfer_id)}"
        received = self._http.get(path, has="asset", about={"transfer_id": transfer_id})
        more = given(refund_of=transfer_id, asset=received["asset"], refunds_counted=refunds_counted)
        body = {**more, "amount": amount_text(amount), **given(memo=memo, from_=from_, reference=reference)}
        return self._pay(body, idempotency_key, seconds if wait else None)

    def dry_run(
        self,
        *,
        to: str,
        amount: Amount,
        asset: Optional[str] = None,
        memo: Optional[str] = None,
        confidential: Optional[bool] = None,
        from_: Optional[str] = None,
        reference: Optional[str] = None,
    ) -> DryRun:
        """Evaluates an agent's policy for a payment now, rule by rule. It doesn't pay or check the balance."""
        body = _payment(to, amount, asset, memo, confidential, from_, reference)
        return cast(DryRun, self._http.send("POST", "/v1/transfers", query={"dry_run": "true"}, json=body))

    def get(self, transfer_id: str, *, include: Optional[str] = None) -> Transfer:
        """Returns one transfer, without its amount. `include="encrypted"` adds the encrypted copies."""
        path = f"/v1/transfers/{path_id('transfer_id', transfer_id)}"
        return cast(Transfer, self._http.get(path, given(include=include), about={"transfer_id": transfer_id}))

    def list(
        self,
        *,
        status: Optional[str] = None,
        direction: Optional[str] = None,
        asset: Optional[str] = None,
        kind: Optional[str] = None,
        reference: Optional[str] = None,
        refund_of: Optional[str] = None,
        counterparty: Optional[str] = None,
        agent: Optional[str] = None,
        key: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        starting_after: Optional[str] = None,
        include: Optional[str] = None,
    ) -> Pages[Transfer]:
        """Lists the transfers that the key can see, newest first, without amounts. `from_` and `to` bound `created_at`.
        With `starting_after`, the id of a transfer, the list continues after it. `include="encrypted"` adds the encrypted
        copies."""
        query = given(
            status=status,
            direction=direction,
            asset=asset,
            kind=kind,
            reference=reference,
            refund_of=refund_of,
            counterparty=counterparty,
            agent=agent,
            key=key,
            from_=time_text("from_", from_),
            to=time_text("to", to),
            limit=limit,
            offset=offset,
            starting_after=starting_after,
            include=include,
        )
        return Pages(self._http, "/v1/transfers", query, "transfers", "transfer_id")

    def _pay(
        self, body: Dict[str, Any], idempotency_key: Optional[str], seconds: Optional[float]
    ) -> Union[Transfer, HeldPayment]:
        made = self._http.pay("/v1/transfers", body, idempotency_key, "transfer_id transaction_id")
        if "transaction_id" in made:
            return cast(HeldPayment, made)
        return cast(Transfer, made if seconds is None else _settled(self._http, made, seconds))


class ApprovalsResource(Resource):
    """Agents' payments that await your approval: `halcyon.approvals`."""

    def __init__(self, http: Http, agents: AgentsResource) -> None:
        super().__init__(http)
        self._agents = agents

    def list(
        self,
        *,
        agent: Optional[str] = None,
        reference: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        starting_after: Optional[str] = None,
        include: Optional[str] = None,
    ) -> Pages[HeldPayment]:
        """Lists the payments that await approval, oldest first, without amounts."""
        account_id = None if agent is None else self._agents.account_id(agent)
        page = given(limit=limit, offset=offset, starting_after=starting_after)
        query = given(agent=account_id, reference=reference, include=include, **page)
        path = "/v1/agents/transactions/pending"
        return Pages(self._http, path, query, "pending", "transaction_id")

    def get(self, transaction_id: str, *, include: Optional[str] = None) -> HeldPayment:
        """Returns one payment and its state, without its amount. `include="encrypted"` adds the encrypted text."""
        query, about = given(include=include), {"transaction_id": transaction_id}
        return cast(HeldPayment, self._http.get(self._path(transaction_id), query, about=about))

    def approve(
        self,
        transaction_id: str,
        *,
        idempotency_key: Optional[str] = None,
        wait: bool = True,
        wait_timeout: float = WAIT_TIMEOUT,
    ) -> DecidedPayment:
        """Approves a payment, which the service then makes. Waits until it is final. Raises like `transfers.create`."""
        seconds = check_seconds("wait_timeout", wait_timeout)
        path = f"{self._path(transaction_id)}/approve"
        decided = self._http.pay(path, {}, idempotency_key, "transaction_id", about={"transaction_id": transaction_id})
        if wait and isinstance(decided.get("transfer_id"), str):
            accepted = {**decided, "status": "pending"}
            decided["tx_hash"] = _settled(self._http, accepted, seconds)["tx_hash"]
        return cast(DecidedPayment, decided)

    def reject(self, transaction_id: str, *, idempotency_key: Optional[str] = None) -> DecidedPayment:
        """Rejects a payment. No money moves."""
        path = f"{self._path(transaction_id)}/reject"
        about = {"transaction_id": transaction_id}
        return cast(DecidedPayment, self._http.post(path, None, idempotency_key, about=about))

    @staticmethod
    def _path(transaction_id: str) -> str:
        return f"/v1/agents/transactions/{path_id('transaction_id', transaction_id)}"
