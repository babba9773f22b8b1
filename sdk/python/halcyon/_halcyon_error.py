"""The base of all errors. The class of each code is in _api_errors.py, the others are in _errors.py."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Type

_DETAILS = ("status", "param", "errors", "reason", "request_id", "retry_after", "doc_url")


#: The class of each code of the API (docs/errors.md).
API_ERRORS: Dict[str, Type[HalcyonError]] = {}


class HalcyonError(Exception):
    """
    The base class of all errors that this package raises.

    `code` is one of the API's codes, `outcome_unknown` (money may have moved: never repeat the call as a new one) or
    `transfer_failed` (no money moved).
    """

    code: str
    #: HTTP status, if the service sent an error response.
    status: Optional[int] = None
    #: The invalid field or argument.
    param: Optional[str] = None
    #: All invalid fields, if there are several.
    errors: Optional[List[Dict[str, str]]] = None
    #: With `policy_violation`: the rule that refused the payment.
    reason: Optional[str] = None
    #: Identifies the request: include it when you ask for help.
    request_id: Optional[str] = None
    #: Seconds after which the request may succeed.
    retry_after: Optional[float] = None
    #: The page about this error.
    doc_url: Optional[str] = None
    #: Whether the request may have been carried out.
    _unsettled = False

    def __init_subclass__(cls, *, code: Optional[str] = None, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if code is not None:
            API_ERRORS[code] = cls

    def __new__(cls, *args: Any, **_: Any) -> HalcyonError:
        # An error of a code is an instance of its class, wherever it was found.
        named = API_ERRORS.get(args[0]) if cls is HalcyonError and args else None
        return super().__new__(named or cls, *args)

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        for name in _DETAILS:
            if details.get(name) is not None:
                setattr(self, name, details[name])

    def explain(self, service: str) -> None:
        """Names the page about this error, as the service does in its own, at the service's address."""
        if self.doc_url is None and self.code in API_ERRORS:
            self.doc_url = f"{service}/docs/errors/{self.code}"

    def __reduce__(self) -> Any:
        # Subclasses take different arguments, so pickled errors must be restored without calling __init__.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: Type[HalcyonError], args: Any, state: Dict[str, Any]) -> HalcyonError:
    error = Exception.__new__(kind, *args)
    error.__dict__.update(state)
    return error


def details_of(error: Optional[HalcyonError]) -> Dict[str, Any]:
    """Returns the details of an error that identify the response, to copy them into another error."""
    return {name: getattr(error, name) for name in _DETAILS} if error else {}


class ApiError(HalcyonError):
    """An error response of the service. It is an instance of its code's class too."""

    status: int

    def __reduce__(self) -> Any:
        # Its class is made from its code's, and has no place where it would be found by name.
        return _response_restored, (self.code, self.args, self.__dict__)


def _response_restored(code: str, args: Any, state: Dict[str, Any]) -> HalcyonError:
    return _restored(response_class(code), args, state)


def response_class(code: str) -> Type[ApiError]:
    """Returns the class of error responses with this code: the code's class, and `ApiError`."""
    if code not in _RESPONSES:
        known = API_ERRORS[code]
        about = {"__doc__": known.__doc__, "__module__": known.__module__}
        _RESPONSES[code] = type(known.__name__, (known, ApiError), about)
    return _RESPONSES[code]


_RESPONSES: Dict[str, Type[ApiError]] = {}
