"""A cache of row heights, because a list asks for all heights whenever one row changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable

_SPARE = 64


class RowHeights:
    """One height per row; valid while the row, the width and the style are the same."""

    def __init__(self, known_keys: Callable[[], int]) -> None:
        """Create an empty cache.

        Args:
            known_keys: Returns the current number of rows; beyond about twice as many heights the cache is cleared.
        """
        self._known_keys = known_keys
        self._kept: dict[Hashable, tuple[object, Hashable, int]] = {}
        self.laid_out = 0

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Remove all heights."""
        self._kept.clear()

    def known(self, key: Hashable, item: object, look: Hashable) -> int | None:
        """Return the cached height for exactly this row, or None.

        Args:
            key: Its id.
            item: Its snapshot; snapshots are immutable, so that an identical object is an unchanged row.
            look: Everything else that the height depends on.
        """
        kept = self._kept.get(key)
        return kept[2] if kept is not None and kept[0] is item and kept[1] == look else None

    def learn(self, key: Hashable, item: object, look: Hashable, height: int) -> int:
        """Cache a height, and return it."""
        if len(self._kept) > 2 * self._known_keys() + _SPARE:
            self._kept.clear()
        self.laid_out += 1
        self._kept[key] = (item, look, height)
        return height

    def last(self, key: Hashable) -> int | None:
        """Return the last cached height of a row, valid or not; None without any."""
        kept = self._kept.get(key)
        return kept[2] if kept is not None else None
