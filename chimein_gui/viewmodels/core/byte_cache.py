"""A cache that counts bytes, not things: pictures differ in size by a factor of a thousand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ByteCache(Generic[K, V]):
    """Keeps what was used last, up to a number of bytes.

    Attributes:
        size: Bytes of what is kept.
    """

    def __init__(self, limit: int) -> None:
        """Keep at most `limit` bytes; one thing that is larger is kept alone, because it is being shown."""
        self._limit = limit
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: K) -> bool:
        return key in self._kept

    def get(self, key: K) -> V | None:
        """Return what is kept under `key`, and remember that it was used."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Keep a thing of `size` bytes; what was not used for longest makes room."""
        self.remove(key)
        self._kept[key] = (value, size)
        self.size += size
        while self.size > self._limit and len(self._kept) > 1:
            self.remove(next(iter(self._kept)))

    def remove(self, key: K) -> None:
        """Forget one thing, if it is there."""
        _, size = self._kept.pop(key, (None, 0))
        self.size -= size
