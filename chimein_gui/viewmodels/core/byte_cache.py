"""A cache limited by bytes, not by entries: pictures differ in size by a factor of a thousand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ByteCache(Generic[K, V]):
    """A least-recently-used cache with a limit in bytes.

    Attributes:
        size: Bytes of all entries.
    """

    def __init__(self, limit: int) -> None:
        """Keep at most `limit` bytes; a single larger entry is kept alone, because it is being shown."""
        self._limit = limit
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: K) -> bool:
        return key in self._kept

    def get(self, key: K) -> V | None:
        """Return the entry under `key` and mark it as used; None where there is none."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Store an entry of `size` bytes; the least recently used entries are removed for it."""
        self.remove(key)
        self._kept[key] = (value, size)
        self.size += size
        while self.size > self._limit and len(self._kept) > 1:
            self.remove(next(iter(self._kept)))

    def remove(self, key: K) -> None:
        """Remove an entry; a missing key is no error."""
        _, size = self._kept.pop(key, (None, 0))
        self.size -= size
