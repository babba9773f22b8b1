"""Checks that the methods and types match docs/openapi.json."""

import ast
import json
import pickle
import re
import sys
from pathlib import Path
from unittest import TestCase

import halcyon
from halcyon import __version__, _account_types, _payment_types, _types

from .service import CONFIRMED, ServiceTest

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(__file__).resolve().parents[1]
DOCUMENT = json.loads((ROOT / "docs/openapi.json").read_text(encoding="utf-8"))

#: Operations without a method (a text), and their fields without an argument, each with the reason.
GAPS = json.loads((ROOT / "sdk/client-gaps.json").read_text(encoding="utf-8"))["python"]
NO_METHOD = {name for name, gap in GAPS.items() if isinstance(gap, str)}

AGENT = {"account_id": "acct_01KADJ2C9B3T6Y0V8ZQ4N5M7WX", "handle": "@alice/bot"}
PAYOUT = {"payout_id": "po_1", "rows_pending": 0}
ROWS = [{"to": "@bob", "amount": 1}]
TIME = "2026-01-31T12:00:00Z"
RULE = {"frequency": "monthly", "start": "2026-12-01"}
PAGE = {"limit": 20, "offset": 0, "has_more": False}

#: The fields of lists.
LIST = {"from_": TIME, "to": TIME, "limit": 5, "offset": 0, "starting_after": "a"}
POLICY = {name: None for name in DOCUMENT["components"]["schemas"]["SpendPolicyFields"]["properties"]}
PLAN = {"rule": RULE, "payments": ROWS, "asset": "USDG", "name": "Rent", "automatic": False, "window_seconds": 3600}

#: The calls of each operation, together with every argument that they have.
CALLS = {
    "getAccount": lambda h: h.account.get(include="ledger"),
    "listAgents": lambda h: h.agents.list(),
    "createAgent": lambda h: h.agents.create("bot", spend_policy={"daily_limit_usdg": 5}),
    "proveBalances": lambda h: h.balances.get(decryption_proof="proof"),
    "listPendingPayments": lambda h: h.approvals.list(
        agent="bot", reference="a", limit=5, offset=0, starting_after="a", include="encrypted"
    ).page(),
    "getHeldPayment": lambda h: h.approvals.get("txn_1", include="encrypted"),
    "approveHeldPayment": lambda h: h.approvals.approve("txn_1", wait=False),
    "rejectHeldPayment": lambda h: h.approvals.reject("txn_1"),
    "pauseAgent": lambda h: h.agents.pause("@alice/bot"),
    "resumeAgent": lambda h: h.agents.resume(AGENT["account_id"]),
    "getSpendPolicy": lambda h: h.policies.get("bot", include="ledger"),
    "updateSpendPolicy": lambda h: h.policies.update("bot", **POLICY),
    "simulateSpendPolicy": lambda h: h.policies.simulate(
        "bot", payments=[{"to": "@bob", "amount": 60, "at": TIME}], spend_policy={"assets": ["USDG"]}
    ),
    "listPaymentRequests": lambda h: h.payment_requests.list(status="open", reference="a", **LIST).page(),
    "getPaymentRequest": lambda h: h.payment_requests.get("payreq_1"),
    "cancelPaymentRequest": lambda h: h.payment_requests.cancel("payreq_1"),
    "createPayout": lambda h: (
        h.payouts.create(rows=ROWS, allow_duplicates=True),
        h.payouts.check(rows=ROWS, allow_duplicates=True),
    ),
    "listPayouts": lambda h: h.payouts.list(status="paused", limit=5, starting_after="po_1").page(),
    "getPayout": lambda h: h.payouts.get("po_1", include="encrypted"),
    "listPayoutRows": lambda h: h.payouts.rows(
        "po_1", status="failed", batch=1, limit=5, starting_after=1, include="encrypted"
    ).page(),
    "resumePayout": lambda h: h.payouts.resume("po_1"),
    "cancelPayout": lambda h: h.payouts.cancel("po_1"),
    "listSchedules": lambda h: h.schedules.list(
        status="active", due=True, stale=True, limit=5, starting_after="a", include="encrypted"
    ).page(),
    "createSchedule": lambda h: h.schedules.create(**PLAN),
    "getSchedule": lambda h: h.schedules.get("sch_1", include="encrypted"),
    "updateSchedule": lambda h: h.schedules.update("sch_1", status="paused", version=1, **PLAN),
    "endSchedule": lambda h: h.schedules.end("sch_1"),
    "listScheduleRuns": lambda h: h.schedules.runs("sch_1", limit=5, starting_after="run_1").page(),
    "planScheduleRuns": lambda h: h.schedules.plan("sch_1"),
    "getScheduleRun": lambda h: h.schedules.get_run("sch_1", "run_1"),
    "payScheduleRun": lambda h: h.schedules.pay_run("sch_1", "run_1", late=True, version=1),
    "skipScheduleDate": lambda h: h.schedules.skip("sch_1", date="2026-12-01", version=1),
    "listAuditEntries": lambda h: h.audit_log.list(action="a.b", actor="key", target="x", sign_ins="hidden", **LIST).page(),
    "listRequests": lambda h: h.request_log.list(
        outcome="refused", method="POST", key="key_1", limit=5, offset=0, starting_after="req_1"
    ).page(),
    "advanceClock": lambda h: h.test_helpers.advance_clock(seconds=60),
    "expireHeldPayment": lambda h: h.test_helpers.expire("txn_1"),
    "getFailingRecipient": lambda h: h.test_helpers.failing_recipient(),
    "listEvents": lambda h: h.events.list(types=["transfer.confirmed"], after="evt_1", **LIST).page(),
    "getEvent": lambda h: h.events.get("evt_1"),
    "listTransfers": lambda h: h.transfers.list(
        status="failed", direction="sent", asset="ETH", counterparty="@bob", agent="bot", kind="transfer", reference="a",
        refund_of="tr_1", key="key_1", include="encrypted", **LIST
    ).page(),
    "createTransfer": lambda h: (
        h.transfers.create(
            to="@bob", amount=1, asset="USDG", memo="a", confidential=True, from_="@alice", reference="a",
            unique_reference=True, payment_request="payreq_1", binding="0x00", wait=False,
        ),
        h.transfers.refund("tr_1", amount=1, memo="a", from_="@alice/bot", reference="a", refunds_counted=0, wait=False),
        h.transfers.dry_run(to="@bob", amount=1, memo="a", reference="a"),
    ),
    "getTransfer": lambda h: h.transfers.get("tr_1", include="encrypted"),
    "listWebhooks": lambda h: h.webhooks.list(),
    "createWebhook": lambda h: h.webhooks.create(url="https://x", events=["transfer.confirmed"], store_responses=True),
    "updateWebhook": lambda h: h.webhooks.update("wh_1", url="https://x", events=[], enabled=True, store_responses=True),
    "deleteWebhook": lambda h: h.webhooks.delete("wh_1"),
    "listDeliveries": lambda h: h.webhooks.deliveries("wh_1", status="failed", event="a", event_id="evt_1", **LIST).page(),
    "redeliverFailed": lambda h: h.webhooks.redeliver("wh_1", since=TIME),
    "replayEvent": lambda h: h.webhooks.replay("wh_1", "evt_1"),
    "rotateSecret": lambda h: h.webhooks.rotate_secret("wh_1"),
    "testWebhook": lambda h: h.webhooks.test("wh_1", event="transfer.confirmed"),
}


def schema(reference):
    return DOCUMENT["components"]["schemas"][reference["$ref"].rpartition("/")[2]]


def operations():
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


class OpenApi(ServiceTest):
    def test_every_operation_has_a_method_or_a_reason_and_no_method_is_left_over(self):
        self.assertEqual({one["operationId"] for _, _, one in operations()}, {*CALLS, *NO_METHOD})
        self.assertEqual(set(CALLS) & NO_METHOD, set())

    def test_every_method_sends_the_verb_and_path_of_its_operation_and_can_send_all_its_fields(self):
        lists = {name: [] for name in ("transfers", "pending", "events", "entries", "deliveries", "webhooks", "requests")}
        lists.update({name: [] for name in ("payment_requests", "payouts", "rows", "schedules", "runs")})
        response = {**PAYOUT, "schedule_id": "sch_1", "run_id": "run_1", **AGENT, **CONFIRMED, **PAGE, **lists, "type": "personal", "agents": [AGENT]}
        response.update({"transaction_id": "txn_1", "webhook_id": "wh_1", "event_id": "evt_1", "payment_request_id": "payreq_1"})
        halcyon = self.serve((200, response))
        for method, path, operation in operations():
            call = CALLS.get(operation["operationId"])
            if call is None:
                continue
            before = len(self.service.requests)
            call(halcyon)
            pattern = "^" + re.sub(r"\{\w+\}", "[^/]+", path) + "$"
            sent = [one for one in self.service.requests[before:] if one.method == method and re.match(pattern, one.path)]
            with self.subTest(operation["operationId"]):
                self.assertGreater(len(sent), 0)
                parameters = operation.get("parameters", [])
                takes_key = any(one.get("$ref", "").endswith("/Idempotency-Key") for one in parameters)
                asked = {name for one in sent for name in self.query_of(one)}
                body = {name for one in sent for name in one.json or {}}
                checks = "dry_run" in asked
                self.assertEqual({"idempotency-key" in one.headers for one in sent}, {takes_key} | ({False} if checks else set()))
                content = operation.get("requestBody", {}).get("content")
                fields = schema(content["application/json"]["schema"]) if content else {"properties": {}}
                known = {one["name"] for one in parameters if one.get("in") == "query"} | set(fields["properties"])
                self.assertEqual(known - (asked | body), set(GAPS.get(operation["operationId"], {})))
                self.assertLessEqual(asked | body, known)
                for one in sent:
                    self.assertLessEqual(set(fields.get("required", [])), set(one.json or {}))

    @staticmethod
    def query_of(request):
        return {name.partition("=")[0] for name in request.target.partition("?")[2].split("&") if name}


class Types(TestCase):
    def test_every_type_has_the_fields_of_its_schema(self):
        everything = {**vars(_account_types), **vars(_types), **vars(_payment_types)}
        kinds_of = {name: one for name, one in everything.items() if hasattr(one, "__required_keys__") and name[0] != "_"}
        self.assertGreater(len(kinds_of), 19)
        for name, kind in kinds_of.items():
            # HeldPayment has the fields of its details too, for `approvals.get`.
            kinds = {"HeldPayment": "HeldPaymentDetails"}
            shape = DOCUMENT["components"]["schemas"][kinds.get(name, name)]
            with self.subTest(name):
                if name == "Event":
                    events = [schema(one) for one in shape["oneOf"]]
                    self.assertEqual(set(kind.__annotations__), {key for one in events for key in one["properties"]} - {"test"})
                    self.assertEqual(kind.__required_keys__, set.intersection(*(set(one["required"]) for one in events)))
                    continue
                self.assertEqual(set(kind.__annotations__), set(shape["properties"]))
                required = set(shape["required"]) - ({"decided_at"} if name == "HeldPayment" else set())
                self.assertEqual(kind.__required_keys__, required)


class Sources(TestCase):
    def test_are_python_3_9_and_import_the_standard_library_alone(self):
        files = sorted((PACKAGE / "halcyon").glob("*.py"))
        self.assertGreater(len(files), 8)
        for file in files:
            tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))
            for node in ast.walk(tree):
                names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    names.append(node.module)
                for name in names:
                    known = getattr(sys, "stdlib_module_names", None)
                    if known is not None:
                        self.assertIn(name.partition(".")[0], known, file.name)

    def test_are_short(self):
        for file in PACKAGE.glob("*/*.py"):
            self.assertLess(len(file.read_text(encoding="utf-8").splitlines()), 260, file.name)

    def test_the_version_is_that_of_the_package_and_of_the_service(self):
        project = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8")
        self.assertIn(f'\nversion = "{__version__}"\n', project)
        self.assertEqual(json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["version"], __version__)

    def test_the_error_codes_are_the_apis(self):
        from halcyon._halcyon_error import API_ERRORS

        codes = DOCUMENT["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"]["enum"]
        self.assertEqual(list(API_ERRORS), codes)

    def test_an_error_is_of_its_codes_class_and_of_no_others_wherever_it_was_found(self):
        from halcyon._halcyon_error import API_ERRORS, response_class

        for code, own in API_ERRORS.items():
            sent = response_class(code)(code, "What to do.", status=400)
            for error in (halcyon.HalcyonError(code, "What to do."), sent, pickle.loads(pickle.dumps(sent))):
                with self.subTest(code):
                    self.assertEqual([one for one in API_ERRORS.values() if isinstance(error, one)], [own])
                    self.assertEqual((type(error).__name__, error.code, str(error)), (own.__name__, code, "What to do."))
            self.assertIsInstance(sent, halcyon.ApiError)
            self.assertNotIsInstance(halcyon.HalcyonError(code, "What to do."), halcyon.ApiError)

    def test_every_error_of_every_operation_has_a_class_of_its_own_named_after_its_code(self):
        from halcyon._halcyon_error import API_ERRORS

        for _, _, operation in operations():
            for response in operation["responses"].values():
                name = response.get("$ref", "").rpartition("/")[2]
                for code in DOCUMENT["components"]["responses"].get(name, {}).get("x-error-codes", []):
                    expected = "".join(word.capitalize() for word in code.split("_")) + "Error"
                    self.assertEqual(API_ERRORS[code].__name__, expected, operation["operationId"])
                    self.assertIs(getattr(halcyon, expected), API_ERRORS[code])
