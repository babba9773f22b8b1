"""Checks the arguments of calls before anything is sent."""

from __future__ import annotations

import math
import re
import uuid
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Dict, Optional, Union
from urllib.parse import quote

from ._halcyon_error import HalcyonError

#: An amount of money. Floats are refused.
Amount = Union[str, int, Decimal]
#: A datetime, or an ISO 8601 string with a time zone.
Time = Union[str, datetime]


def refusal(param: str, message: str) -> HalcyonError:
    return HalcyonError("invalid_request", message, param=param)


def check_api_key(api_key: Optional[str]) -> str:
    if not api_key:
        raise HalcyonError("unauthorized", "Pass an API key: Halcyon(api_key=…).", param="api_key")
    if isinstance(api_key, str) and re.fullmatch(r"hc_(test|live)_[\x21-\x7e]+", api_key):
        return api_key
    begins = isinstance(api_key, str) and re.match(r"hc_(test|live)_", api_key)
    # Don't send another service's key to this one, and don't repeat a key in a message.
    message = (
        "This API key has spaces or line breaks in it. Pass it without them."
        if begins
        else "This is not a Halcyon API key: those begin with hc_test_ or hc_live_."
    )
    raise HalcyonError("unauthorized", message, param="api_key")


def check_seconds(param: str, value: Any) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 2_147_483:
        return float(value)
    raise refusal(param, f"{param} is a number of seconds greater than 0.")


def check_count(param: str, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise refusal(param, f"{param} is a whole number, 0 or more.")


def idempotency_key_of(key: Optional[str]) -> str:
    """Returns the caller's key, or a random one."""
    if key is None:
        return str(uuid.uuid4())
    if isinstance(key, str) and re.fullmatch(r"[\x20-\x7e]{1,255}", key):
        return key
    raise refusal("idempotency_key", "idempotency_key is a text of 1 to 255 printable ASCII characters.")


def amount_text(amount: Any, param: str = "amount") -> str:
    """Formats an amount for the API."""
    if isinstance(amount, float):
        message = f'{param} is a float, which can\'t hold most amounts exactly. Pass "0.10" or Decimal("0.10").'
        raise refusal(param, message)
    if isinstance(amount, str):
        return amount
    if isinstance(amount, int) and not isinstance(amount, bool):
        return str(amount)
    if isinstance(amount, Decimal) and amount.is_finite():
        return format(amount, "f")
    raise refusal(param, f'{param} is a str, an int or a Decimal, such as "25.50".')


def text(param: str, value: Any) -> str:
    if isinstance(value, str) and value:
        return value
    raise refusal(param, f"{param} is a text that is not empty.")


def path_id(param: str, value: Any) -> str:
    """Checks an id and encodes it for a path."""
    if text(param, value).strip("."):
        return quote(value, safe="")
    raise refusal(param, f"{param} is not an id.")


def time_text(param: str, value: Optional[Time]) -> Optional[str]:
    """Formats a time for the API. A datetime without a zone is local time."""
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return None if value is None else text(param, value)


def given(**fields: Any) -> Dict[str, Any]:
    """Returns the fields that are not None. `from_` becomes `from`, which is a Python keyword."""
    return {name.rstrip("_"): value for name, value in fields.items() if value is not None}


def number(value: Any) -> Any:
    """Converts a limit of a policy to a JSON number."""
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise refusal("policy", "A limit is a finite number.")
    return value
