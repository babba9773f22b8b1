"""JSON over HTTP to one service, with one API key."""

from __future__ import annotations

import copy
import http.client
import json as json_text
import math
import platform
import re
import ssl
import time
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Iterator, Mapping, Optional, Union
from urllib.parse import SplitResult, urlencode, urlsplit

from ._errors import ResponseLost, ServiceTimeout, ServiceUnreachable
from ._exchange import Clock, Exchange, Expired, Response
from ._halcyon_error import API_ERRORS, ApiError, HalcyonError, response_class
from ._inputs import check_api_key, check_count, check_seconds, idempotency_key_of, refusal
from ._retry import is_lost, is_undecided, pause_before
from ._version import VERSION

USER_AGENT = f"halcyon-python/{VERSION} python/{platform.python_version()}"

Query = Mapping[str, Union[str, int, None]]
#: The fields of a response that name what it is about, with what was asked for.
About = Mapping[str, str]


def _address(url: str) -> SplitResult:
    try:
        address = urlsplit(url)
        plain = not (address.query or address.fragment) and re.fullmatch(r"[\x21-\x7e]+", url)
        if plain and address.scheme in ("http", "https") and address.hostname and address.port != 0:
            return address
    except (ValueError, AttributeError, TypeError):
        pass
    message = 'url is not an address that begins with "https://" or "http://".'
    raise HalcyonError("invalid_request", message, param="url")


def _seconds_of(header: str) -> float:
    """Returns the seconds of Retry-After (RFC 9110, 10.2.3), which gateways also send as a date; NaN if neither."""
    try:
        return float(header)
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return math.nan


def _error_of(response: Response, body: Any) -> ApiError:
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        error = {}
    code = error.get("code")
    if not (isinstance(code, str) and code in API_ERRORS):
        code = "unavailable" if response.status >= 500 else "internal"
    retry_after = _seconds_of(response.headers.get("retry-after") or "nan")
    return response_class(code)(
        code,
        str(error.get("message") or f"The service returned {response.status}."),
        status=response.status,
        param=error.get("param"),
        errors=error.get("errors"),
        reason=error.get("reason"),
        request_id=error.get("request_id") or response.headers.get("x-request-id"),
        retry_after=retry_after if math.isfinite(retry_after) else None,
        doc_url=error.get("doc_url"),
    )


class Http:
    """Raises error responses as ApiError, and a missing response as ServiceUnreachable."""

    def __init__(self, api_key: Optional[str], url: str, timeout: float, max_retries: Optional[int]) -> None:
        self._key = check_api_key(api_key)
        self._address = _address(url)
        #: The address for messages, without credentials that it may contain.
        self._shown = f"{self._address.scheme}://{self._address.netloc.rpartition('@')[2]}"
        self._tls = ssl.create_default_context() if self._address.scheme == "https" else None
        self.clock = Clock()
        # Shared by copies. If the service has responded before and is unreachable now, it is probably restarting.
        self._seen = {"responding": False}
        self._limit(timeout, max_retries)

    def _limit(self, timeout: float, max_retries: Optional[int]) -> None:
        self.timeout = check_seconds("timeout", timeout)
        self.max_retries = None if max_retries is None else check_count("max_retries", max_retries)

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Gives the errors of a call the page about them, whether the service sent them or they were found here."""
        try:
            yield
        except HalcyonError as error:
            error.explain(self._shown + self._address.path.rstrip("/"))
            raise

    def within(self, timeout: float, max_retries: Optional[int]) -> Http:
        """Returns the same client with different limits."""
        other = copy.copy(self)
        other._limit(timeout, max_retries)
        return other

    def get(
        self, path: str, query: Optional[Query] = None, *, has: str = "", about: Optional[About] = None
    ) -> Dict[str, Any]:
        """
        Reads an object.

        :param has: the fields that every response of the service has, separated by spaces
        """
        body = self.send("GET", path, query=query, about=about)
        if isinstance(body, dict) and all(name in body for name in has.split()):
            return body
        raise self._stranger("an unexpected response")

    def post(
        self, path: str, json: Any = None, idempotency_key: Optional[str] = None, *, about: Optional[About] = None
    ) -> Any:
        """Sends a POST with an idempotency key, by default a random one, which is the same in every try."""
        return self.send("POST", path, json=json, idempotency_key=idempotency_key_of(idempotency_key), about=about)

    def pay(
        self, path: str, json: Any, idempotency_key: Optional[str], names: str, *, about: Optional[About] = None
    ) -> Dict[str, Any]:
        """
        Sends a POST that may move money.

        :param names: fields separated by spaces; every successful response has at least one of them
        :raises ResponseLost: if money may have moved
        """
        key = idempotency_key_of(idempotency_key)
        try:
            made = self.send("POST", path, json=json, idempotency_key=key, about=about)
        except HalcyonError as error:
            if not error._unsettled:
                raise
            raise ResponseLost(key, error) from error
        if isinstance(made, dict) and any(isinstance(made.get(name), str) for name in names.split()):
            return made
        raise ResponseLost(key, self._stranger("an unexpected response"))

    def send(self, method: str, path: str, *, about: Optional[About] = None, **request: Any) -> Any:
        """
        Sends a request. Retries if the failure is temporary and a retry is safe. Returns the response's JSON.

        :param about: what was asked for, by the field that names it in the response; another one is refused
        """
        response = self._send(method, path, **request)
        for name, wanted in (about or {}).items():
            if not isinstance(response, dict) or response.get(name) != wanted:
                error = HalcyonError("unavailable", f"The service's response is about something else than {wanted}.")
                error._unsettled = method != "GET"
                raise error
        return response

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Query] = None,
        json: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        known = self._seen["responding"]
        repeatable = method == "GET" or idempotency_key is not None
        started = self.clock.now()
        arrived = unsettled = False
        retries = 0
        while True:
            try:
                return self._send_once(method, path, query, json, idempotency_key)
            except HalcyonError as error:
                arrived = arrived or not (isinstance(error, ServiceUnreachable) and error.never_arrived)
                if isinstance(error, ServiceUnreachable):
                    error.never_arrived = not arrived
                unsettled = (is_lost(error) and arrived) or (unsettled and is_undecided(error))
                error._unsettled = unsettled
                pause = pause_before(
                    error,
                    retries=retries,
                    elapsed=self.clock.now() - started,
                    repeatable=repeatable,
                    known=known,
                    max_retries=self.max_retries,
                    chance=self.clock.chance(),
                )
                if pause is None:
                    raise
            self.clock.sleep(pause)
            retries += 1

    def _send_once(self, method: str, path: str, query: Optional[Query], json: Any, key: Optional[str]) -> Any:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        target = self._address.path.rstrip("/") + path + (f"?{urlencode(given)}" if given else "")
        headers = {
            "Accept": "application/json",
            "Authorization": f"Bearer {self._key}",
            "Connection": "close",
            "User-Agent": USER_AGENT,
        }
        if key is not None:
            headers["Idempotency-Key"] = key
        if method != "GET":
            headers["Content-Type"] = "application/json"
        try:
            body = None if json is None else json_text.dumps(json, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError):
            raise refusal("body", "A value that you passed is no JSON.") from None
        exchange = Exchange(self._connection())
        try:
            response = exchange.run(method, target, headers, body, self.timeout, self.clock)
        except Expired:
            message = f"The service at {self._shown} did not respond within {self.timeout:g} seconds (timeout)."
            raise ServiceTimeout(message, never_arrived=not exchange.sending) from None
        except Exception as cause:  # noqa: BLE001 - whatever a connection fails with
            # On the program's own machine it is more often the proxy that was not started.
            local = self._address.hostname in ("127.0.0.1", "::1", "localhost")
            what = "service or `halcyon proxy`" if local else "service"
            message = f"No Halcyon {what} responds at {self._shown}. Check that it runs, and the argument url."
            raise ServiceUnreachable(message, never_arrived=not exchange.sending) from cause
        return self._read(response)

    def _connection(self) -> http.client.HTTPConnection:
        host, port = str(self._address.hostname), self._address.port
        if self._tls:
            return http.client.HTTPSConnection(host, port, timeout=self.timeout, context=self._tls)
        return http.client.HTTPConnection(host, port, timeout=self.timeout)

    def _read(self, response: Response) -> Any:
        try:
            body = json_text.loads(response.body) if response.body else None
        except (ValueError, RecursionError):
            if response.status < 500:
                raise self._stranger(f"status {response.status}, no JSON") from None
            body = None
        if 300 <= response.status < 400:
            raise self._stranger(f"status {response.status}, a redirect")
        self._seen["responding"] = True
        if response.status >= 400:
            raise _error_of(response, body)
        return body

    def _stranger(self, why: str) -> ServiceUnreachable:
        return ServiceUnreachable(f"The server at {self._shown} is not a Halcyon service ({why}). Check the argument url.")
