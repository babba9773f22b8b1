"""
Calls every method of the installed client once, against a running service, and fails if it missed one. Reads the keys
of an owner and its agent, and whom to pay, from the environment.
"""

import inspect
import os
import sys
import time
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import halcyon as package
from halcyon import Halcyon, HalcyonError, ResponseLost

URL = os.environ["HALCYON_URL"]
TO = os.environ["HALCYON_TO"]
REQUEST = os.environ["HALCYON_REQUEST"]
OTHER_REQUEST = os.environ["HALCYON_OTHER_REQUEST"]
owner = Halcyon(api_key=os.environ["HALCYON_API_KEY"], url=URL)
payee = Halcyon(api_key=os.environ["HALCYON_PAYEE_KEY"], url=URL)
bot = Halcyon(api_key=os.environ["HALCYON_BOT_KEY"], url=URL)

called = set()


def watched(client):
    """Notes each method that is called."""
    for name, resource in vars(client).items():
        if name.startswith("_"):
            continue
        for method, function in inspect.getmembers(resource, inspect.ismethod):
            if method.startswith("_"):
                continue

            def noted(*args, _name=f"{name}.{method}", _function=function, **kwargs):
                called.add(_name)
                return _function(*args, **kwargs)

            setattr(resource, method, noted)
    return client


every = {
    f"{name}.{method}"
    for name, resource in vars(owner).items()
    if not name.startswith("_")
    for method, _ in inspect.getmembers(resource, inspect.ismethod)
    if not method.startswith("_")
}
for each in (owner, payee, bot):
    watched(each)

unique = f"py-{os.getpid()}-{time.time_ns()}"

# Payments.
me = owner.account.get()
owner.balances.get()
paid = owner.transfers.create(
    to=TO, amount=Decimal("1.25"), memo="as installed", reference=unique, unique_reference=True, idempotency_key=unique
)
assert paid["status"] == "confirmed" and paid["reference"] == unique, paid
again = owner.transfers.create(
    to=TO, amount=Decimal("1.25"), memo="as installed", reference=unique, unique_reference=True, idempotency_key=unique
)
assert again["transfer_id"] == paid["transfer_id"], again
assert owner.transfers.get(paid["transfer_id"])["tx_hash"] == paid["tx_hash"]
assert owner.transfers.list(reference=unique).first()["transfer_id"] == paid["transfer_id"]
assert bot.transfers.dry_run(to=TO, amount="1")["dry_run"] is True
refund = payee.transfers.refund(paid["transfer_id"], amount="0.25", reference="returned")
assert refund["refund_of"] == paid["transfer_id"], refund

# Payment requests: another client made them and read the binding, this one pays and cancels.
asked = payee.payment_requests.get(REQUEST)
owner.transfers.create(
    to=TO, amount="0.5", payment_request=asked["payment_request_id"], binding=os.environ["HALCYON_BINDING"]
)
assert payee.payment_requests.list(limit=2).first() is not None
assert payee.payment_requests.cancel(OTHER_REQUEST)["status"] == "cancelled"

# Payouts.
rows = [{"to": TO, "amount": "0.01", "reference": f"{unique}-{n}"} for n in range(3)]
assert owner.payouts.check(rows=rows)["faults"] == []
payout = owner.payouts.create(rows=rows, idempotency_key=unique)
payout = owner.payouts.resume(payout["payout_id"])
assert owner.payouts.get(payout["payout_id"])["rows"] == 3
assert len(list(owner.payouts.rows(payout["payout_id"]))) == 3
assert owner.payouts.list(limit=1).first()["payout_id"] == payout["payout_id"]
owner.payouts.cancel(payout["payout_id"])

# Schedules.
due = datetime.now(timezone.utc) + timedelta(seconds=75)
once = {"frequency": "once", "start": f"{due:%Y-%m-%d}", "time": f"{due:%H:%M}", "time_zone": "UTC"}
schedule = owner.schedules.create(rule=once, payments=[{"to": TO, "amount": "0.5"}])["schedule_id"]
daily = {"frequency": "daily", "start": f"{due + timedelta(days=2):%Y-%m-%d}", "time_zone": "UTC"}
later = owner.schedules.create(rule=daily, payments=[{"to": TO, "amount": "0.5"}])["schedule_id"]
owner.schedules.plan(later)
owner.schedules.update(later, name="Rent")
owner.schedules.skip(later)
assert owner.schedules.list(limit=1).first()["schedule_id"] == later
owner.schedules.end(later)

# Agents, their policies, and what waits for approval.
agent = owner.agents.create(f"a{time.time_ns()}", spend_policy={"daily_limit_usdg": 5})
assert owner.agents.account_id(agent["handle"]) == agent["account_id"]
assert any(one["account_id"] == agent["account_id"] for one in owner.agents.list())
owner.agents.pause(agent["handle"])
owner.agents.resume(agent["handle"])
owner.policies.update(agent["handle"], daily_limit_usdg=6)
assert owner.policies.get(agent["handle"])["daily_limit_usdg"] == 6
owner.policies.simulate(agent["handle"], payments=[{"to": TO, "amount": "1"}])


def held():
    return bot.transfers.create(to=TO, amount="6")["transaction_id"]


waiting = held()
assert any(one["transaction_id"] == waiting for one in owner.approvals.list())
assert owner.approvals.get(waiting)["status"] == "pending_approval"
assert owner.approvals.approve(waiting)["status"] == "approved"
assert owner.approvals.reject(held())["status"] == "rejected"
assert owner.test_helpers.expire(held())["status"] == "expired"
owner.test_helpers.failing_recipient()

# Webhooks, events and the audit log.
hook = owner.webhooks.create(url="http://127.0.0.1:9/hook", events=["transfer.confirmed"])["webhook_id"]
assert any(one["webhook_id"] == hook for one in owner.webhooks.list())
owner.webhooks.update(hook, events=["transfer.confirmed", "transfer.failed"])
owner.webhooks.rotate_secret(hook)
owner.webhooks.test(hook)
event = owner.events.list(types=["transfer.confirmed"]).first()
owner.events.get(event["event_id"])
owner.webhooks.replay(hook, event["event_id"])
list(owner.webhooks.deliveries(hook))
owner.webhooks.redeliver(hook, since=datetime.now(timezone.utc))
owner.webhooks.delete(hook)
assert owner.audit_log.list(limit=1).first() is not None
assert owner.request_log.list(limit=1).page() is not None
owner.test_helpers.advance_clock(seconds=1)

# The run that is due by now.
run = None
while run is None:
    run = next((one for one in owner.schedules.get(schedule)["due_runs"] if one["status"] == "due"), None)
    time.sleep(0.5)
owner.schedules.pay_run(schedule, run["run_id"])
owner.schedules.get_run(schedule, run["run_id"])
assert owner.schedules.runs(schedule).first()["run_id"] == run["run_id"]

# A refusal is what the documents say, and a service that is away is an error of its own.
try:
    owner.transfers.create(to="@nobody-has-this-name", amount="1")
    raise AssertionError("paid nobody")
except HalcyonError as error:
    assert error.code == "recipient_not_found" and error.doc_url, error
try:
    Halcyon(api_key=os.environ["HALCYON_API_KEY"], url="http://127.0.0.1:9", max_retries=0).account.get()
    raise AssertionError("nobody answered")
except HalcyonError as error:
    assert not isinstance(error, ResponseLost), error

missed = sorted(every - called)
assert not missed, missed
print(os.path.dirname(package.__file__), sys.version_info[0])
