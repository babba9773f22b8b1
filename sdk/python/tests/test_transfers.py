"""Payments: nothing is paid twice, and no error says that nothing was paid when something may have been."""

import pickle
import socket
import threading
from datetime import datetime, timezone
from decimal import Decimal

import halcyon as package
from halcyon import (
    Halcyon,
    HalcyonError,
    InsufficientBalanceError,
    ResponseLost,
    ServiceTimeout,
    ServiceUnreachable,
    TransferFailed,
    TransferNotFinal,
)

from .service import CONFIRMED, KEY, TRANSFER, FakeClock, ServiceTest, drop, error


def pay(halcyon, **more):
    return halcyon.transfers.create(**{"to": "@bob", "amount": "25", **more})


class Payments(ServiceTest):
    def keys(self):
        return [one.headers["idempotency-key"] for one in self.service.requests if one.method == "POST"]

    def test_a_payment_is_sent_as_it_was_given_and_waited_for_until_it_is_final(self):
        halcyon = self.serve((201, TRANSFER), (200, TRANSFER), (200, CONFIRMED))
        paid = pay(halcyon, asset="USDG", memo="lunch", confidential=False, from_="@alice/bot", idempotency_key="order-1")
        self.assertEqual(paid["status"], "confirmed")
        first = self.service.requests[0]
        body = {"to": "@bob", "amount": "25", "asset": "USDG", "memo": "lunch", "confidential": False, "from": "@alice/bot"}
        self.assertEqual((first.method, first.target, first.json), ("POST", "/v1/transfers", body))
        self.assertEqual(first.headers["idempotency-key"], "order-1")
        self.assertEqual(first.headers["authorization"], f"Bearer {KEY}")
        self.assertRegex(first.headers["user-agent"], rf"^halcyon-python/{package.__version__} python/3\.\d+")
        self.assertEqual([one.target for one in self.service.requests[1:]], ["/v1/transfers/tr_1"] * 2)

    def test_a_payment_carries_a_reference_and_a_refund_names_what_it_gives_back(self):
        halcyon = self.serve((201, TRANSFER))
        pay(halcyon, reference="order-7", unique_reference=True, payment_request="payreq_1", wait=False)
        details = {"reference": "order-7", "unique_reference": True, "payment_request": "payreq_1"}
        self.assertEqual(self.service.requests[-1].json, {"to": "@bob", "amount": "25", **details})
        halcyon = self.serve((200, {**CONFIRMED, "transfer_id": "tr_9", "asset": "ETH"}), (201, TRANSFER), (200, CONFIRMED))
        paid = halcyon.transfers.refund("tr_9", amount=Decimal("5"), memo="sorry", idempotency_key="back-9")
        self.assertEqual(paid["status"], "confirmed")
        self.assertEqual([one.target for one in self.service.requests], ["/v1/transfers/tr_9", "/v1/transfers", "/v1/transfers/tr_1"])
        self.assertEqual(self.service.requests[1].json, {"refund_of": "tr_9", "asset": "ETH", "amount": "5", "memo": "sorry"})
        self.assertEqual(self.service.requests[1].headers["idempotency-key"], "back-9")

    def test_with_wait_false_and_above_a_threshold_a_payment_is_returned_at_once(self):
        self.assertEqual(pay(self.serve((201, TRANSFER)), wait=False)["status"], "pending")
        held = {"transaction_id": "txn_1", "status": "pending_approval"}
        self.assertEqual(pay(self.serve((202, held))), held)
        self.assertEqual(len(self.service.requests), 1)

    def test_amounts_are_text_whole_numbers_or_decimals_and_never_floats(self):
        halcyon = self.serve((201, TRANSFER))
        for amount, sent in (("0.10", "0.10"), (25, "25"), (Decimal("0.10"), "0.10"), (Decimal("1E+2"), "100")):
            pay(halcyon, amount=amount, wait=False)
            self.assertEqual(self.service.requests[-1].json["amount"], sent)
        count = len(self.service.requests)
        for amount in (0.1, True, None, Decimal("NaN"), Decimal("Infinity")):
            refused = self.raised(HalcyonError, lambda: pay(halcyon, amount=amount))
            self.assertEqual((refused.code, refused.param), ("invalid_request", "amount"))
        self.assertIn('Decimal("0.10")', str(self.raised(HalcyonError, lambda: pay(halcyon, amount=0.1))))
        self.assertEqual(len(self.service.requests), count)

    def test_one_random_key_is_kept_over_retries_and_each_call_has_another(self):
        halcyon = self.serve(drop, (503, error("unavailable")), (201, TRANSFER))
        pay(halcyon, wait=False)
        pay(halcyon, wait=False)
        first, *_ = keys = self.keys()
        self.assertEqual(keys[:3], [first] * 3)
        self.assertNotEqual(keys[3], first)

    def test_a_response_that_is_lost_to_the_end_is_outcome_unknown_with_the_key(self):
        for lost in (drop, (500, error("internal")), (201, {"unexpected": True}), (201, None), (302, None)):
            halcyon = self.serve(lost)
            unknown = self.raised(ResponseLost, lambda: pay(halcyon))
            self.assertEqual(unknown.code, "outcome_unknown")
            self.assertEqual(set(self.keys()), {unknown.idempotency_key})
            self.assertIn(unknown.idempotency_key, str(unknown))
        restored = pickle.loads(pickle.dumps(unknown))
        self.assertEqual((restored.code, restored.idempotency_key), ("outcome_unknown", unknown.idempotency_key))

    def test_after_a_lost_response_no_later_refusal_means_that_nothing_was_paid(self):
        for status, code in ((429, "rate_limited"), (401, "unauthorized"), (403, "key_forbidden")):
            halcyon = self.serve(drop, (status, error(code)))
            self.assertEqual(self.raised(ResponseLost, lambda: pay(halcyon)).status, status)
        for code in ("idempotency_in_progress", "sync_required"):
            halcyon = self.serve(drop, (409, error(code)))
            self.raised(ResponseLost, lambda: pay(halcyon))
        # The service looked at the key before it refused, so the refusal is the outcome.
        halcyon = self.serve(drop, (402, error("insufficient_balance")))
        self.raised(InsufficientBalanceError, lambda: pay(halcyon))

    def test_a_refusal_at_once_is_what_it_says(self):
        halcyon = self.serve((402, error("insufficient_balance", param="amount")))
        refused = self.raised(InsufficientBalanceError, lambda: pay(halcyon))
        self.assertEqual((refused.code, refused.status, refused.param), ("insufficient_balance", 402, "amount"))
        self.assertEqual((refused.request_id, refused.doc_url), ("req_e", "https://x/e"))
        self.assertEqual(len(self.service.requests), 1)

    def test_where_no_server_listens_nothing_was_sent_and_the_code_says_so(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            halcyon = Halcyon(api_key=KEY, url=f"http://127.0.0.1:{taken.getsockname()[1]}")
            clock = halcyon._http.clock = FakeClock()
            away = self.raised(ServiceUnreachable, lambda: pay(halcyon))
        self.assertEqual((away.code, away.never_arrived, len(clock.pauses)), ("unavailable", True, 2))

    def test_a_timeout_bounds_a_body_that_drips_and_the_payment_is_outcome_unknown(self):
        dripped, ended = threading.Event(), threading.Event()

        def drip(handler):
            handler.send_response(201)
            handler.end_headers()
            try:
                for _ in range(10**9):
                    handler.wfile.write(b" ")
                    dripped.set()
            except OSError:
                ended.set()

        halcyon = self.serve(drip, timeout=5)
        self.clock.expire = dripped
        unknown = self.raised(ResponseLost, lambda: pay(halcyon))
        self.assertIsInstance(unknown.__cause__, ServiceTimeout)
        self.assertEqual(len(self.clock.pauses), 1, "it is repeated once")
        self.assertTrue(ended.wait(60), "the connection is closed at the deadline")

    def test_a_timeout_before_the_connection_stands_sends_nothing_later(self):
        halcyon = self.serve((201, TRANSFER))
        # The deadline passes before the connection is made.
        connect, go = halcyon._http._connection, threading.Event()
        threads = []

        def slow():
            connection = connect()
            make = connection.connect

            def late():
                threads.append(threading.current_thread())
                go.wait(60)
                make()

            connection.connect = late
            return connection

        halcyon._http._connection = slow
        self.clock.expire = threading.Event()
        self.clock.expire.set()
        away = self.raised(ServiceTimeout, lambda: pay(halcyon))
        self.assertTrue(away.never_arrived)
        go.set()
        for thread in threads:
            thread.join(60)
        self.assertEqual(self.service.requests, [])

    def test_a_payment_that_fails_on_chain_or_is_not_final_in_time_names_its_transfer(self):
        halcyon = self.serve((201, TRANSFER), (200, {**TRANSFER, "status": "failed"}))
        failed = self.raised(TransferFailed, lambda: pay(halcyon))
        self.assertEqual((failed.code, failed.transfer["status"]), ("transfer_failed", "failed"))
        halcyon = self.serve((201, TRANSFER))
        late = self.raised(TransferNotFinal, lambda: pay(halcyon, wait_timeout=10))
        self.assertEqual((late.code, late.transfer["transfer_id"]), ("outcome_unknown", "tr_1"))
        self.assertAlmostEqual(self.clock.time, 10)
        halcyon = self.serve((201, TRANSFER), (404, error("not_found")))
        self.assertEqual(self.raised(TransferNotFinal, lambda: pay(halcyon)).status, 404)

    def test_an_approval_waits_for_its_payment_and_its_lost_response_is_outcome_unknown(self):
        decided = {"transaction_id": "txn_1", "status": "approved", "transfer_id": "tr_1", "tx_hash": "0x0"}
        halcyon = self.serve((200, decided), (200, CONFIRMED))
        self.assertEqual(halcyon.approvals.approve("txn_1")["tx_hash"], "0x1")
        halcyon = self.serve(drop)
        self.raised(ResponseLost, lambda: halcyon.approvals.approve("txn_1", idempotency_key="a"))
        self.assertEqual(set(self.keys()), {"a"})

    def test_a_dry_run_pays_nothing_and_is_not_repeated(self):
        halcyon = self.serve((200, {"outcome": "allowed"}))
        self.assertEqual(halcyon.transfers.dry_run(to="@bob", amount=1)["outcome"], "allowed")
        self.assertEqual(self.service.requests[0].target, "/v1/transfers?dry_run=true")
        halcyon = self.serve((500, error("internal")))
        self.raised(HalcyonError, lambda: halcyon.transfers.dry_run(to="@bob", amount=1))
        self.assertEqual(len(self.service.requests), 1)

    def test_a_list_has_every_entry_of_all_pages_once(self):
        page = {"limit": 2, "offset": 0, "has_more": True, "transfers": [{"transfer_id": "3"}, {"transfer_id": "2"}]}
        last = {"limit": 2, "offset": 2, "has_more": False, "transfers": [{"transfer_id": "2"}, {"transfer_id": "1"}]}
        halcyon = self.serve((200, page), (200, last))
        listed = halcyon.transfers.list(status="confirmed", limit=2, from_=datetime(2026, 1, 31, tzinfo=timezone.utc))
        self.assertEqual([one["transfer_id"] for one in listed], ["3", "2", "1"])
        first, second = (one.target for one in self.service.requests)
        self.assertEqual(first, "/v1/transfers?status=confirmed&from=2026-01-31T00%3A00%3A00Z&limit=2")
        self.assertEqual(second, f"{first}&starting_after=2")

    def test_events_after_one_are_read_on_from_the_last(self):
        page = {"limit": 1, "offset": 0, "has_more": True, "events": [{"event_id": "evt_1"}]}
        halcyon = self.serve((200, page), (200, {**page, "has_more": False, "events": [{"event_id": "evt_2"}]}))
        self.assertEqual([one["event_id"] for one in halcyon.events.list(after="evt_0")], ["evt_1", "evt_2"])
        self.assertEqual(self.service.requests[1].target, "/v1/events?after=evt_1")
