"""Accounts for programs, and their spend policies."""

from __future__ import annotations

import builtins
import re
from typing import Any, Dict, Mapping, Optional, Sequence, cast

from ._account_types import Agent, SpendPolicy
from ._halcyon_error import HalcyonError
from ._http import Http
from ._inputs import amount_text, given, number, path_id, text, time_text
from ._resources import Resource
from ._types import DecisionList


def _policy(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: number(value) for name, value in fields.items()}


class AgentsResource(Resource):
    """Accounts for programs: `halcyon.agents`. An agent is named `bot`, `@alice/bot` or by its `account_id`."""

    def create(
        self, name: str, *, spend_policy: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None
    ) -> Agent:
        """Creates an agent. Without a policy, it can't pay anyone."""
        policy = None if spend_policy is None else _policy(spend_policy)
        body = given(name=text("name", name), spend_policy=policy)
        return cast(Agent, self._http.post("/v1/accounts/me/agents", body, idempotency_key))

    def list(self) -> builtins.list[Agent]:
        """Lists the account's agents."""
        return cast("builtins.list[Agent]", self._http.get("/v1/accounts/me/agents", has="agents")["agents"])

    def pause(self, agent: str, *, idempotency_key: Optional[str] = None) -> Agent:
        """Stops an agent's payments at once, whatever its policy allows."""
        return self._set(agent, "pause", idempotency_key)

    def resume(self, agent: str, *, idempotency_key: Optional[str] = None) -> Agent:
        """Lets a paused agent pay again."""
        return self._set(agent, "resume", idempotency_key)

    def _set(self, agent: str, verb: str, idempotency_key: Optional[str]) -> Agent:
        account_id = self.account_id(agent)
        path = f"/v1/agents/{account_id}/{verb}"
        return cast(Agent, self._http.post(path, {}, idempotency_key, about={"account_id": account_id}))

    def account_id(self, agent: Optional[str]) -> str:
        """Returns the id of an agent. With an agent's own key, which sees only that agent, `agent` may be None."""
        if agent is not None and re.fullmatch(r"acct_[0-9A-Z]{26}", text("agent", agent)):
            return agent
        me = self._http.get("/v1/accounts/me", has="type account_id handle")
        known = [me] if me["type"] == "agent" else self.list()
        if agent is None:
            if me["type"] == "agent":
                return path_id("account_id", me["account_id"])
            raise HalcyonError("invalid_request", "Name the agent: only its own key can leave it out.", param="agent")
        wanted = agent.lower()
        for one in known:
            handle = one["handle"].lower()
            if (f"@{wanted.lstrip('@')}" == handle) if "/" in wanted else (handle.partition("/")[2] == wanted):
                return path_id("account_id", one["account_id"])
        raise HalcyonError("not_found", f'You have no agent "{agent}" on this network.', param="agent")


class PoliciesResource(Resource):
    """Agents' spend policies: `halcyon.policies`."""

    def __init__(self, http: Http, agents: AgentsResource) -> None:
        super().__init__(http)
        self._agents = agents

    def get(self, agent: Optional[str] = None, *, include: Optional[str] = None) -> SpendPolicy:
        """
        Returns an agent's spend policy. With the agent's own key, leave the name out. `include="ledger"` adds what the
        ledger has of it.
        """
        return cast(SpendPolicy, self._http.get(self._path(agent), given(include=include)))

    def update(self, agent: str, **fields: Any) -> SpendPolicy:
        """Changes the given fields of a policy, such as `daily_limit_usdg=50`; the others keep their values."""
        return cast(SpendPolicy, self._http.send("PATCH", self._path(text("agent", agent)), json=_policy(fields)))

    def simulate(
        self,
        agent: str,
        *,
        payments: Sequence[Mapping[str, Any]],
        spend_policy: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
    ) -> DecisionList:
        """
        Simulates payments against a policy, or the agent's policy with some fields changed. It pays and stores nothing.

        :param payments: each with `to` and `amount`, and optionally `asset` and `at`
        """
        asked = [
            given(**{**one, "amount": amount_text(one.get("amount")), "at": time_text("at", one.get("at"))})
            for one in payments
        ]
        body = given(payments=asked, spend_policy=None if spend_policy is None else _policy(spend_policy))
        path = f"{self._path(text('agent', agent))}/simulate"
        return cast(DecisionList, self._http.post(path, body, idempotency_key))

    def _path(self, agent: Optional[str]) -> str:
        return f"/v1/agents/{self._agents.account_id(agent)}/spend-policy"
