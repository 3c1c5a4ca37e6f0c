"""A dictionary of bounded size."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")


class BoundedDict(Generic[V]):
    """Keeps at most `max_size` entries. Setting a key makes it the newest one.

    The oldest entries are evicted. Reads do not count as use.
    """

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._entries: OrderedDict[str, V] = OrderedDict()

    def get(self, key: str) -> V | None:
        return self._entries.get(key)

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def __setitem__(self, key: str, value: V) -> None:
        self._entries.pop(key, None)
        self._entries[key] = value
        while len(self._entries) > self._max_size:
            self._entries.popitem(last=False)
