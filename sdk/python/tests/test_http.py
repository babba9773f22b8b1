"""What is retried and for how long, what is refused before it is sent, and where the key is sent."""

import ssl
import time
from email.utils import formatdate

from halcyon import Halcyon, HalcyonError, RateLimitedError, ServiceUnreachable, UnavailableError
from halcyon._resources import Resource

from .service import KEY, ServiceTest, error


class Requests(ServiceTest):
    def test_reads_are_repeated_as_long_as_retry_after_says(self):
        ok = (200, {"handle": "@alice"})
        halcyon = self.serve((429, error("rate_limited"), {"retry-after": "7"}), (503, error("unavailable")), ok)
        self.assertEqual(halcyon.account.get()["handle"], "@alice")
        self.assertEqual(self.clock.pauses, [7, 0.6])

    def test_a_wait_longer_than_half_a_minute_is_the_callers(self):
        halcyon = self.serve((429, error("rate_limited"), {"retry-after": "31"}))
        self.assertEqual(self.raised(RateLimitedError, halcyon.account.get).retry_after, 31)
        # A gateway also sends a date.
        date = formatdate(time.time() + 3600, usegmt=True)
        halcyon = self.serve((429, error("rate_limited"), {"retry-after": date}))
        self.assertAlmostEqual(self.raised(RateLimitedError, halcyon.account.get).retry_after, 3600, delta=100)
        self.assertEqual(len(self.service.requests), 1)

    def test_a_failure_is_repeated_three_times_and_max_retries_bounds_it(self):
        halcyon = self.serve((500, error("internal")))
        self.raised(HalcyonError, halcyon.account.get)
        self.assertEqual(len(self.service.requests), 4)
        self.raised(HalcyonError, halcyon.with_options(max_retries=0).account.get)
        self.assertEqual(len(self.service.requests), 5)

    def test_what_has_no_idempotency_key_is_not_repeated_but_after_a_rate_limit(self):
        halcyon = self.serve((503, error("unavailable")))
        self.raised(UnavailableError, lambda: halcyon.webhooks.delete("wh_1"))
        self.assertEqual(len(self.service.requests), 1)
        halcyon = self.serve((429, error("rate_limited")), (204, None))
        self.assertIsNone(halcyon.webhooks.delete("wh_1"))

    def test_an_unknown_code_is_unavailable_or_internal(self):
        for status, code in ((418, "internal"), (500, "unavailable")):
            halcyon = self.serve((status, error("new_code")), max_retries=0)
            self.assertEqual(self.raised(HalcyonError, halcyon.account.get).code, code)
        halcyon = self.serve((502, None), max_retries=0)
        failed = self.raised(UnavailableError, halcyon.account.get)
        self.assertEqual((failed.code, failed.request_id), ("unavailable", "req_1"))

    def test_a_proxy_that_does_not_run_is_named_and_nothing_was_paid(self):
        halcyon = self.serve((200, {}), max_retries=0)
        self.service.stop()
        away = self.raised(ServiceUnreachable, lambda: halcyon.transfers.create(to="@bob", amount="1"))
        self.assertTrue(away.never_arrived)
        self.assertIn("`halcyon proxy`", str(away))
        self.assertIn(self.service.url, str(away))

    def test_a_blind_key_without_its_proxy_is_refused_by_the_service_in_its_words_and_once(self):
        halcyon = self.serve((403, error("key_forbidden")))
        refused = self.raised(HalcyonError, lambda: halcyon.transfers.create(to="@bob", amount="1"))
        self.assertEqual((refused.code, len(self.service.requests)), ("key_forbidden", 1))
        self.assertIn("What to do.", str(refused))

    def test_what_is_found_here_names_its_page_as_the_service_does_in_every_method(self):
        halcyon = self.serve((200, {"unexpected": True}))
        found = {
            "invalid_request": lambda: halcyon.transfers.create(to="@bob", amount=0.1),
            "unavailable": lambda: halcyon.transfers.list().page(),
        }
        for code, call in found.items():
            self.assertEqual(self.raised(HalcyonError, call).doc_url, f"{self.service.url}/docs/errors/{code}")
        parts = [one for name, one in vars(halcyon).items() if name[0] != "_"]
        self.assertTrue(all(isinstance(one, Resource) for one in parts))

    def test_no_redirect_is_followed_with_the_key(self):
        elsewhere = self.serve((200, {}))
        other = self.service
        halcyon = self.serve((302, None, {"location": f"{other.url}/v1/accounts/me"}))
        self.raised(ServiceUnreachable, halcyon.account.get)
        self.assertEqual(other.requests, [])
        self.assertIsNotNone(elsewhere)

    def test_what_is_no_halcyon_service_is_named_without_credentials(self):
        def page(handler):
            handler.send_response(200)
            handler.end_headers()
            handler.wfile.write(b"<html>")

        self.serve(page)
        halcyon = Halcyon(api_key=KEY, url=self.service.url.replace("//", "//user:password@"))
        stranger = self.raised(ServiceUnreachable, halcyon.account.get)
        self.assertIn("no JSON", str(stranger))
        self.assertNotIn("password", str(stranger))

    def test_a_response_without_what_it_must_have_is_no_halcyon_services(self):
        for document in ([], None, "text", {"type": "personal"}):
            halcyon = self.serve((200, document))
            for call in (halcyon.agents.list, lambda: list(halcyon.events.list()), lambda: halcyon.policies.get("bot")):
                self.assertEqual(self.raised(ServiceUnreachable, call).code, "unavailable")

    def test_a_path_in_the_address_is_kept(self):
        self.serve((200, {}))
        Halcyon(api_key=KEY, url=f"{self.service.url}/pay/").account.get()
        self.assertEqual(self.service.requests[0].target, "/pay/v1/accounts/me")

    def test_tls_checks_the_certificate(self):
        halcyon = Halcyon(api_key=KEY, url="https://pay.example.com")
        self.assertEqual(halcyon._http._tls.verify_mode, ssl.CERT_REQUIRED)
        self.assertTrue(halcyon._http._tls.check_hostname)

    def test_bad_arguments_are_refused_before_anything_is_sent(self):
        halcyon = self.serve((200, {}))
        calls = {
            "timeout": lambda: halcyon.with_options(timeout=0),
            "max_retries": lambda: halcyon.with_options(max_retries=-1),
            "idempotency_key": lambda: halcyon.transfers.create(to="@bob", amount=1, idempotency_key="a\nb"),
            "to": lambda: halcyon.transfers.create(to="", amount=1),
            "wait_timeout": lambda: halcyon.transfers.create(to="@bob", amount=1, wait_timeout=float("nan")),
            "transfer_id": lambda: halcyon.transfers.get(".."),
            "event_id": lambda: halcyon.events.get(""),
            "body": lambda: halcyon.transfers.create(to="@bob", amount=1, memo=b"no text"),
        }
        for param, call in calls.items():
            self.assertEqual(self.raised(HalcyonError, call).param, param)
        self.assertEqual(self.service.requests, [])

    def test_keys_of_others_broken_keys_and_broken_addresses_are_refused_and_not_repeated(self):
        for key in (None, "", "sk_live_secret", "hc_test_a\nsecret", 7):
            refused = self.raised(HalcyonError, lambda: Halcyon(api_key=key))
            self.assertEqual((refused.code, refused.param), ("unauthorized", "api_key"))
            self.assertNotIn("secret", str(refused))
        for url in ("pay.example.com", "ftp://x", "http://", "http://x:port", "http://x/?a=1", "http://x/ä", None):
            refused = self.raised(HalcyonError, lambda: Halcyon(api_key=KEY, url=url))
            self.assertEqual((refused.code, refused.param), ("invalid_request", "url"))
        self.assertNotIn(KEY, repr(vars(Halcyon(api_key=KEY))))
