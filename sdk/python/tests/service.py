"""A real HTTP server in a thread, and time that passes only when the client waits."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import TestCase

from halcyon import Halcyon
from halcyon._exchange import Clock

KEY = "hc_test_abc"
TRANSFER = {"transfer_id": "tr_1", "status": "pending", "from": "@alice", "to": "@bob", "asset": "USDG", "tx_hash": "0x1"}
CONFIRMED = {**TRANSFER, "status": "confirmed"}


class FakeClock(Clock):
    """Records sleeps without waiting. Setting `expire` makes the wait for a response time out."""

    def __init__(self):
        self.time = 0.0
        self.pauses = []
        self.expire = None

    def now(self):
        return self.time

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.time += seconds

    def wait(self, event, seconds):
        if self.expire is None:
            return event.wait(60)
        self.expire.wait(60)
        self.time += seconds
        return False

    def chance(self):
        return 0.0


class Seen:
    """A request as received by the server."""

    def __init__(self, handler, body):
        self.method, self.target = handler.command, handler.path
        self.path = handler.path.partition("?")[0]
        self.headers = handler.headers
        self.json = json.loads(body) if body else None


class Service:
    """
    Responds with each entry of `responses` in turn, then with the last one again. An entry is `(status, JSON)`,
    `(status, JSON, headers)`, or a function that receives the handler and writes the response.
    """

    def __init__(self, responses):
        self.requests = []
        self.responses = list(responses)
        service = self

        class Handler(BaseHTTPRequestHandler):
            def _handle(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                service.requests.append(Seen(self, body))
                respond = service.responses[min(len(service.requests), len(service.responses)) - 1]
                if callable(respond):
                    respond(self)
                    return
                status, document, *more = respond
                self.send_response(status)
                content = b"" if document is None else json.dumps(document).encode()
                headers = {"x-request-id": f"req_{len(service.requests)}", **(more[0] if more else {})}
                for name, value in {**headers, "content-length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PATCH = do_DELETE = _handle

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # A short poll interval, because `stop` waits for one.
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def error(code, **details):
    return {"error": {"code": code, "message": "What to do.", "request_id": "req_e", "doc_url": "https://x/e", **details}}


def drop(handler):
    """Closes the connection without a response."""
    handler.close_connection = True
    handler.connection.close()


class ServiceTest(TestCase):
    """A test with a service, and a client with a fake clock."""

    def serve(self, *responses, **options):
        self.service = Service(responses)
        self.addCleanup(self.service.stop)
        halcyon = Halcyon(api_key=KEY, url=self.service.url, **options)
        self.clock = halcyon._http.clock = FakeClock()
        return halcyon

    def raised(self, kind, call):
        with self.assertRaises(kind) as context:
            call()
        return context.exception
