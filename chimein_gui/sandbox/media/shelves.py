"""What each user keeps at hand: installed sets, recent and favourite stickers, saved gifs, own profile photos."""

from enum import StrEnum

from chimein_gui.sandbox.media.rows import MediaRows


class Shelf(StrEnum):
    """One of a user's lists."""

    SETS = "sets"
    RECENT = "recent"
    FAVOURITES = "favourites"
    GIFS = "gifs"
    PORTRAITS = "portraits"


_CAPACITY = {Shelf.SETS: 200, Shelf.RECENT: 200, Shelf.FAVOURITES: 5, Shelf.GIFS: 200, Shelf.PORTRAITS: 100}
"""How many fit; the oldest falls off, as on live Telegram."""


class Shelves:
    """All users' lists of ids, newest first."""

    def __init__(self, rows: MediaRows) -> None:
        self._rows = rows
        self._lists: dict[tuple[int, Shelf], list[int]] = {}
        self._rank = 0
        for user_id, shelf, item_id, rank in rows.shelved():
            self._lists.setdefault((user_id, Shelf(shelf)), []).insert(0, item_id)
            self._rank = rank

    def items(self, user_id: int, shelf: Shelf) -> tuple[int, ...]:
        """Return what is on a user's shelf, newest first."""
        return tuple(self._lists.get((user_id, shelf), ()))

    def newest(self, user_id: int, shelf: Shelf) -> int:
        """Return what was put there last, 0 for nothing."""
        items = self._lists.get((user_id, shelf))
        return items[0] if items else 0

    def add(self, user_id: int, shelf: Shelf, item_id: int) -> None:
        """Put something in front, or move it there."""
        items = self._lists.setdefault((user_id, shelf), [])
        if item_id in items:
            items.remove(item_id)
        items.insert(0, item_id)
        self._rank += 1
        self._rows.shelve(user_id, shelf, item_id, self._rank)
        for surplus in items[_CAPACITY[shelf] :]:
            self.remove(user_id, shelf, surplus)

    def remove(self, user_id: int, shelf: Shelf, item_id: int) -> bool:
        """Take something off; tells whether it was there."""
        items = self._lists.get((user_id, shelf), [])
        if item_id not in items:
            return False
        items.remove(item_id)
        self._rows.unshelve(user_id, shelf, item_id)
        return True
