"""Lists that come in pages."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Dict, Generic, Iterator, Optional, TypeVar

from ._http import Http

Entry = TypeVar("Entry")

#: How many recent entries are remembered to skip repeated ones, which occur if new entries push them to a later page.
_REMEMBERED = 10_000


class Pages(Generic[Entry]):
    """Yields every entry of all pages, reading pages as you iterate. Iterate again to read the list again."""

    def __init__(
        self,
        http: Http,
        path: str,
        query: Dict[str, Any],
        entries: str,
        entry_id: str,
    ) -> None:
        self._http = http
        self._path = path
        self._query = query
        self._entries = entries
        self._id = entry_id
        # Events after a given one are read as a stream.
        self._cursor = "after" if query.get("after") is not None else "starting_after"

    def page(self) -> Dict[str, Any]:
        """Returns the first page as sent by the service, with `limit` and `has_more`."""
        return self._read(self._query)

    def _read(self, query: Dict[str, Any]) -> Dict[str, Any]:
        with self._http.explaining():
            return self._http.get(self._path, query, has=f"{self._entries} limit has_more")

    def first(self) -> Optional[Entry]:
        """Returns the first entry, or None if the list is empty."""
        return next(iter(self), None)

    def __iter__(self) -> Iterator[Entry]:
        seen: OrderedDict[str, None] = OrderedDict()
        query = self._query
        while True:
            page = self._read(query)
            for entry in page[self._entries]:
                # Skip an entry that newer ones pushed to this page.
                if entry[self._id] not in seen:
                    seen[entry[self._id]] = None
                    yield entry
            if not page["has_more"]:
                return
            while len(seen) > _REMEMBERED:
                seen.popitem(last=False)
            query = self._after(query, page)

    def _after(self, query: Dict[str, Any], page: Dict[str, Any]) -> Dict[str, Any]:
        entries = page[self._entries]
        rest = {name: value for name, value in query.items() if name != "offset"}
        return {**rest, self._cursor: entries[-1][self._id]}
