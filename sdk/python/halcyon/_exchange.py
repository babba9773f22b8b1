"""One HTTP request and its response, with a deadline that holds whatever the server does."""

from __future__ import annotations

import http.client
import random
import socket
import threading
import time
from dataclasses import dataclass
from email.message import Message
from typing import Mapping, Optional


#: The most bytes that are read of a response. The largest that the service sends has a few megabytes.
MOST_RESPONSE_BYTES = 64 * 1024 * 1024


class Clock:
    """Time and randomness. Tests replace it."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Reports whether the event happened within `seconds`."""
        return event.wait(seconds)

    def chance(self) -> float:
        """Returns a random number from 0 to 1."""
        return random.random()


@dataclass(frozen=True)
class Response:
    status: int
    headers: Message
    body: bytes


class Expired(Exception):
    """The deadline passed."""


class Exchange:
    """
    Runs one exchange in its own thread: a socket's timeout applies to each read, so a server that sends a byte now and
    then would never exceed it. Follows no redirects.
    """

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._cancelled = False
        self._sock: Optional[socket.socket] = None
        self._response: Optional[Response] = None
        self._error: Optional[Exception] = None
        #: Whether a byte of the request may have been sent. Does not change any more once `run` has returned.
        self.sending = False

    def run(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: Optional[bytes],
        timeout: float,
        clock: Clock,
    ) -> Response:
        """
        :raises Expired: when the deadline passes
        :raises Exception: any error of the connection
        """
        work = threading.Thread(target=self._work, args=(method, target, headers, body), daemon=True)
        work.start()
        try:
            finished = clock.wait(self._done, timeout)
        finally:
            self._cancel()
        if not finished:
            raise Expired
        if self._response is None:
            raise self._error or Expired()
        return self._response

    def _work(self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes]) -> None:
        try:
            self._connection.connect()
            with self._lock:
                if self._cancelled:
                    return
                self.sending = True
                # Keep the socket: the connection drops its reference once the headers of the response have arrived.
                self._sock = self._connection.sock
            self._connection.request(method, target, body=body, headers=dict(headers))
            with self._connection.getresponse() as response:
                text = response.read(MOST_RESPONSE_BYTES + 1)
                if len(text) > MOST_RESPONSE_BYTES:
                    raise OSError(f"the response has over {MOST_RESPONSE_BYTES} bytes")
                self._response = Response(response.status, response.headers, text)
        except Exception as error:  # Raised by `run`, in the caller's thread.
            self._error = error
        finally:
            self._connection.close()
            self._done.set()

    def _cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            sock = self._sock or self._connection.sock
        if sock is None:
            return
        try:
            # Shut down the plain socket: the TLS method changes state that the other thread reads.
            socket.socket.shutdown(sock, socket.SHUT_RDWR)
        except OSError:
            pass  # Already closed.
