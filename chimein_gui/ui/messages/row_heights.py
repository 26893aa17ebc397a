"""Heights of rows that were laid out once: a list asks for all of them with every change of any."""

from __future__ import annotations

from collections.abc import Callable, Hashable

_SPARE = 64


class RowHeights:
    """One height a row; laid out again only when the row, the width or its look is another."""

    def __init__(self, known_keys: Callable[[], int]) -> None:
        """Begin empty.

        Args:
            known_keys: How many rows there are now; what is kept is bounded by twice as many.
        """
        self._known_keys = known_keys
        self._kept: dict[Hashable, tuple[object, Hashable, int]] = {}
        self.laid_out = 0

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()

    def known(self, key: Hashable, item: object, look: Hashable) -> int | None:
        """Return a height that was laid out for exactly this, or None.

        Args:
            key: Its id.
            item: Its snapshot; snapshots never change, so that the same object is the same row.
            look: What else the height depends on.
        """
        kept = self._kept.get(key)
        return kept[2] if kept is not None and kept[0] is item and kept[1] == look else None

    def learn(self, key: Hashable, item: object, look: Hashable, height: int) -> int:
        """Keep a height that was just laid out, and return it."""
        if len(self._kept) > 2 * self._known_keys() + _SPARE:
            self._kept.clear()
        self.laid_out += 1
        self._kept[key] = (item, look, height)
        return height

    def last(self, key: Hashable) -> int | None:
        """Return the height a row had when it was last asked for, whatever it showed then."""
        kept = self._kept.get(key)
        return kept[2] if kept is not None else None
