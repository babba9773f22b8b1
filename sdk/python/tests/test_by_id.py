"""What is asked for by its id is what the response is about."""

import re

from halcyon import HalcyonError, ResponseLost, TransferNotFinal

from .service import CONFIRMED, TRANSFER, ServiceTest
from .test_openapi import AGENT, CALLS, operations, schema

#: What `CALLS` asks for.
ASKED = {
    "account_id": AGENT["account_id"], "event_id": "evt_1", "payment_request_id": "payreq_1", "payout_id": "po_1",
    "run_id": "run_1", "schedule_id": "sch_1", "transaction_id": "txn_1", "transfer_id": "tr_1", "webhook_id": "wh_1",
}
RIGHT = {**CONFIRMED, "agents": [AGENT], "type": "personal", "handle": "@alice", **ASKED}


class ById(ServiceTest):
    def test_a_response_about_something_else_than_was_asked_for_is_refused(self):
        checked = set()
        for method, path, operation in operations():
            name = operation["operationId"]
            content = next((one for status, one in operation["responses"].items() if status[0] == "2"), {}).get("content")
            if name not in CALLS or not content:
                continue
            shape = schema(content["application/json"]["schema"])
            for field in set(re.findall(r"\{(\w+)\}", path)) & set(shape.get("properties", {})):
                with self.subTest(name, field=field):
                    CALLS[name](self.serve((200, RIGHT)))
                    halcyon = self.serve((200, {**RIGHT, field: f"{ASKED[field]}2"}))
                    refused = self.raised(HalcyonError, lambda: CALLS[name](halcyon))
                    self.assertIn(f"about something else than {ASKED[field]}.", str(refused))
                checked.add(name)
        self.assertGreater(len(checked), 15)

    def test_a_response_about_another_payment_says_nothing_of_the_one_that_was_asked_for(self):
        other = {**CONFIRMED, "transfer_id": "tr_2"}
        halcyon = self.serve((201, TRANSFER), (200, other))
        late = self.raised(TransferNotFinal, lambda: halcyon.transfers.create(to="@bob", amount=1))
        self.assertEqual(late.transfer["transfer_id"], "tr_1")
        halcyon = self.serve((200, other))
        self.raised(HalcyonError, lambda: halcyon.transfers.refund("tr_1", amount=1))
        self.assertEqual([one.method for one in self.service.requests], ["GET"])
        for call in (
            lambda: halcyon.approvals.approve("txn_1", idempotency_key="a"),
            lambda: halcyon.payouts.resume("po_1", idempotency_key="a"),
            lambda: halcyon.schedules.pay_run("sch_1", "run_1", idempotency_key="a"),
        ):
            halcyon = self.serve((200, {"transaction_id": "txn_2", "payout_id": "po_2", "run_id": "run_2"}))
            self.assertEqual(self.raised(ResponseLost, call).idempotency_key, "a")
