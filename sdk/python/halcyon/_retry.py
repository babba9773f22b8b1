"""When to retry a failed request. The rules are those of the TypeScript SDK (sdk/api/pause-before.ts)."""

from __future__ import annotations

import errno
import http.client
import math
import socket
from typing import Optional

from ._errors import ServiceTimeout, ServiceUnreachable
from ._halcyon_error import ApiError, HalcyonError

FIRST_PAUSE = 0.3
LONGEST_PAUSE = 5.0
#: How long to wait for an unreachable service, in seconds: its restart takes a few.
PATIENCE = 30.0
RETRIES_OF_FAILURES = 3
RETRIES_OF_TIMEOUTS = 1
#: Retries if the service has never responded: it is probably not running at all, rather than restarting.
RETRIES_OF_STRANGERS = 2

_AWAY = (502, 503, 504)
_BROKEN = (errno.ECONNRESET, errno.EPIPE, errno.ETIMEDOUT, errno.ECONNABORTED)
#: Errors that the service can return without knowing the outcome of an earlier try: before it looks at the idempotency
#: key, while that try is in progress, or after a restore that lost the key.
_UNDECIDED = (
    "unauthorized",
    "key_forbidden",
    "rate_limited",
    "idempotency_in_progress",
    "sync_required",
    "policy_not_in_force",
)


def is_lost(error: HalcyonError) -> bool:
    """Reports whether an error leaves the outcome of the request open."""
    return isinstance(error, ServiceUnreachable) or (isinstance(error, ApiError) and error.status >= 500)


def is_undecided(error: HalcyonError) -> bool:
    """Reports whether an error says nothing about an earlier try with the same idempotency key."""
    return error.code in _UNDECIDED or error.status == 408


def _is_broken(cause: Optional[BaseException]) -> bool:
    """Reports whether the connection broke: the request may not have arrived, or its response was lost."""
    if isinstance(cause, socket.gaierror):
        return cause.errno == socket.EAI_AGAIN
    if isinstance(cause, (http.client.IncompleteRead, ConnectionError)):
        return True
    return isinstance(cause, OSError) and cause.errno in _BROKEN


def _most_retries(error: HalcyonError, repeatable: bool, known: bool, max_retries: Optional[int]) -> float:
    if isinstance(error, ServiceTimeout):
        if not repeatable:
            return 0
        return RETRIES_OF_TIMEOUTS if max_retries is None else max_retries
    if isinstance(error, ServiceUnreachable):
        if isinstance(error.__cause__, ConnectionRefusedError):
            return math.inf if known else RETRIES_OF_STRANGERS
        return math.inf if repeatable and _is_broken(error.__cause__) else 0
    if not isinstance(error, ApiError):
        return 0
    # A request refused by the rate limit had no effect.
    if error.status == 429:
        return math.inf
    if not repeatable:
        return 0
    if error.status in _AWAY or error.code == "idempotency_in_progress":
        return math.inf
    return RETRIES_OF_FAILURES if error.status >= 500 else 0


def pause_before(
    error: HalcyonError,
    *,
    retries: int,
    elapsed: float,
    repeatable: bool,
    known: bool,
    max_retries: Optional[int],
    chance: float,
) -> Optional[float]:
    """
    Returns the seconds to wait before a retry: the service's `Retry-After`, or an exponential backoff, shortened by a
    random amount up to a third. None if the request must not be retried, or would fail again.

    :param repeatable: whether a retry is safe: the request is a read, or has an idempotency key
    :param known: whether the service has responded to this client before
    """
    most = _most_retries(error, repeatable, known, max_retries)
    if retries >= min(most, math.inf if max_retries is None else max_retries):
        return None
    # Limit the exponent: 2.0 ** 2000 overflows a float.
    backoff = min(FIRST_PAUSE * 2.0 ** min(retries, 10), LONGEST_PAUSE) * (1 - chance / 3)
    pause: float = max(backoff, error.retry_after or 0)
    if isinstance(error, ServiceTimeout):
        return pause
    return None if elapsed + pause > PATIENCE else pause
