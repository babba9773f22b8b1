"""Verifies the signatures of webhook deliveries (docs/guides/verify-webhook-signatures.md)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union, cast

from ._api_errors import InvalidRequestError
from ._inputs import refusal
from ._types import Event

#: Headers as passed by a web framework; names in any case.
Headers = Mapping[str, Union[str, Sequence[str], None]]

_PREFIX = "whsec_"


class InvalidWebhook(InvalidRequestError):
    """
    A request that is not a delivery from Halcyon, or is too old: return 400 and do nothing. Its `reason` is
    `signature_missing`, `signature_mismatch`, `timestamp_outside_tolerance` or `payload_invalid`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__("invalid_request", message, reason=reason)


def verify_webhook(
    body: Union[str, bytes],
    headers: Headers,
    secret: str,
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Event:
    """
    Verifies the signature of a delivery, in constant time, and returns its event. Accepts two sets of headers: Standard
    Webhooks, which is preferred because it includes the time, or `X-Service-Signature`.

    :param body: the raw body of the request, before any parsing
    :param secret: the webhook's whole secret, including `whsec_`
    :param tolerance: maximum difference in seconds between `webhook-timestamp` and now, in either direction
    :param now: Unix seconds; if None, the machine's clock
    :raises InvalidWebhook: for an invalid delivery; another HalcyonError for invalid arguments
    """
    key = _key_of(secret)
    if isinstance(body, (bytes, bytearray, memoryview)):
        raw = bytes(body)
    elif isinstance(body, str):
        raw = body.encode("utf-8", "surrogatepass")
    else:
        raise refusal("body", "Pass the raw body of the request, a str or bytes, before any parsing.")
    given = _by_name(headers)
    if "webhook-signature" in given:
        _verify_standard(raw, given, key)
        if not abs((time.time() if now is None else now) - _seconds(given["webhook-timestamp"])) <= tolerance:
            raise InvalidWebhook("timestamp_outside_tolerance", "The delivery was not sent just now.")
    else:
        _verify_own(raw, given, secret)
    return _event_of(raw)


def _by_name(headers: Headers) -> Dict[str, str]:
    if not hasattr(headers, "items"):
        raise refusal("headers", "Pass the headers of the request.")
    named: Dict[str, str] = {}
    for name, value in headers.items():
        first = value[0] if isinstance(value, (list, tuple)) and value else value
        if isinstance(first, str):
            named.setdefault(str(name).lower(), first)
    return named


def _key_of(secret: Any) -> bytes:
    if not isinstance(secret, str):
        raise refusal("secret", "Pass the webhook's secret: whsec_ and base64.")
    text = secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else ""
    if re.fullmatch(r"[A-Za-z0-9+/]{4,}={0,2}", text):
        try:
            bare = text.rstrip("=")
            return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
        except ValueError:
            pass
    raise refusal("secret", "A webhook's secret is whsec_ and base64.")


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _is_one_of(expected: str, signatures: List[str]) -> bool:
    wanted = expected.encode()
    # Compare all of them, so that the time does not depend on which one matches.
    return any([hmac.compare_digest(one.encode("utf-8", "replace"), wanted) for one in signatures])


def _verify_standard(raw: bytes, given: Mapping[str, str], key: bytes) -> None:
    """Verifies base64 of HMAC-SHA256 over id, timestamp and body, keyed with the decoded secret."""
    if "webhook-id" not in given or "webhook-timestamp" not in given:
        raise InvalidWebhook("signature_missing", "webhook-signature needs webhook-id and webhook-timestamp.")
    signed = f"{given['webhook-id']}.{given['webhook-timestamp']}.".encode("utf-8", "replace") + raw
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    if not _is_one_of(expected, given["webhook-signature"].split(" ")):
        raise _mismatch()


def _verify_own(raw: bytes, given: Mapping[str, str], secret: str) -> None:
    """Verifies lower-case hex of HMAC-SHA256 over the body, keyed with the secret as text."""
    if "x-service-signature" not in given:
        raise InvalidWebhook("signature_missing", "The request carries no signature.")
    names = ("x-service-signature", "x-service-signature-previous")
    expected = hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
    if not _is_one_of(expected, [given[name] for name in names if name in given]):
        raise _mismatch()


def _mismatch() -> InvalidWebhook:
    return InvalidWebhook("signature_mismatch", "No signature of the request matches the secret.")


def _event_of(raw: bytes) -> Event:
    try:
        event = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        event = None
    if isinstance(event, dict) and isinstance(event.get("event"), str) and isinstance(event.get("event_id"), str):
        return cast(Event, event)
    raise InvalidWebhook("payload_invalid", "The body is signed but is no event.")
