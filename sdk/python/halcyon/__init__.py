"""Python client for Halcyon, for programs that hold an API key. See README.md."""

from ._client import Halcyon
from ._errors import (
    ApiError,
    HalcyonError,
    IdempotencyInProgressError,
    IdempotencyMismatchError,
    InsufficientBalanceError,
    InvalidRequestError,
    KeyForbiddenError,
    NotFoundError,
    PolicyViolationError,
    RateLimitedError,
    RecipientNotFoundError,
    ResponseLost,
    ServiceTimeout,
    ServiceUnreachable,
    TransferFailed,
    TransferNotFinal,
    UnauthorizedError,
    UnavailableError,
)
from ._pages import Pages
from ._version import VERSION as __version__
from ._webhook_signature import InvalidWebhook, verify_webhook

__all__ = [
    "ApiError",
    "Halcyon",
    "HalcyonError",
    "IdempotencyInProgressError",
    "IdempotencyMismatchError",
    "InsufficientBalanceError",
    "InvalidRequestError",
    "InvalidWebhook",
    "KeyForbiddenError",
    "NotFoundError",
    "Pages",
    "PolicyViolationError",
    "RateLimitedError",
    "RecipientNotFoundError",
    "ResponseLost",
    "ServiceTimeout",
    "ServiceUnreachable",
    "TransferFailed",
    "TransferNotFinal",
    "UnauthorizedError",
    "UnavailableError",
    "__version__",
    "verify_webhook",
]
