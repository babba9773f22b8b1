"""Checks the published vectors, and arguments that a program may pass by mistake."""

import json
from pathlib import Path
from unittest import TestCase

from halcyon import HalcyonError, InvalidWebhook, verify_webhook

VECTORS = json.loads((Path(__file__).resolve().parents[3] / "docs/webhook-vectors.json").read_text(encoding="utf-8"))
FIRST = VECTORS[0]


def verify(vector, **changes):
    one = {**vector, **changes}
    return verify_webhook(one["body"], one["headers"], one["secret"], now=one["now"])


class Webhooks(TestCase):
    def test_vectors_are_accepted_and_refused_as_they_say(self):
        self.assertEqual(len(VECTORS), 20)
        for vector in VECTORS:
            with self.subTest(vector["name"]):
                if vector["accepted"]:
                    self.assertEqual(verify(vector), json.loads(vector["body"]))
                    self.assertEqual(verify(vector, body=vector["body"].encode()), json.loads(vector["body"]))
                else:
                    with self.assertRaises(InvalidWebhook) as context:
                        verify(vector)
                    self.assertEqual(context.exception.code, "invalid_request")

    def test_reasons_say_why(self):
        reasons = {"no signature": "signature_missing", "another secret": "signature_mismatch"}
        reasons["sent 301 seconds ago"] = "timestamp_outside_tolerance"
        for vector in VECTORS:
            if vector["name"] in reasons:
                with self.assertRaises(InvalidWebhook) as context:
                    verify(vector)
                self.assertEqual(context.exception.reason, reasons[vector["name"]])

    def test_header_names_come_in_any_case_and_values_in_lists(self):
        upper = {name.upper(): [value] for name, value in FIRST["headers"].items()}
        self.assertEqual(verify(FIRST, headers=upper)["event"], "transfer.confirmed")

    def test_mistakes_of_the_program_are_not_blamed_on_the_delivery(self):
        for param, wrong in (("secret", None), ("secret", "hc_test_x"), ("body", {"a": 1}), ("headers", None)):
            with self.assertRaises(HalcyonError) as context:
                verify(FIRST, **{param: wrong})
            self.assertNotIsInstance(context.exception, InvalidWebhook)
            self.assertEqual(context.exception.param, param)
