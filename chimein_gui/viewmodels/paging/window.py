"""The rows of a long list of which only some pages are kept in memory."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PAGE_ROWS = 100
"""Rows of one page: two or three screens."""

KEPT_PAGES = 20
"""Pages whose rows are kept in memory, besides the first one; others are read again when they are shown."""

AHEAD = 25
"""How near to its end a page is used when the next one is read, too, in rows."""

Row = TypeVar("Row")
Cursor = TypeVar("Cursor")


@dataclass(slots=True)
class Page(Generic[Cursor]):
    """A page of rows after the first one.

    Attributes:
        start: Its first row, not counting the rows that were inserted above all pages.
        count: Number of its rows.
        cursor: Place in the store after which it begins; None if that is not known.
        used: When it was last asked for, in steps of a counter.
        is_loaded: Its rows are in memory.
    """

    start: int
    count: int
    cursor: Cursor | None
    used: int
    is_loaded: bool = True


class PageWindow(Generic[Row, Cursor]):
    """Rows keep their numbers, whether they are in memory or not.

    Attributes:
        rows: The rows; None for one that is not in memory.
        inserted: Number of rows inserted at the top since the first page was read.
    """

    def __init__(self, place_of: Callable[[Row], Cursor], rows: Sequence[Row] = ()) -> None:
        self.rows: list[Row | None] = list(rows)
        self.inserted = 0
        self._place_of = place_of
        self._pages: list[Page[Cursor]] = []
        self._uses = 0
        self._asked: set[int] = set()

    def loaded(self) -> Iterator[tuple[int, Row]]:
        """Yield the rows that are in memory, with their numbers."""
        first = self.first_row(self._pages[0]) if self._pages else len(self.rows)
        spans = [(0, first)]
        spans += [(self.first_row(one), self.first_row(one) + one.count) for one in self._pages if one.is_loaded]
        for begin, end in spans:
            for place, row in enumerate(self.rows[begin:end], begin):
                if row is not None:
                    yield place, row

    def insert(self, rows: Sequence[Row]) -> None:
        """Insert newer rows at the top."""
        self.rows[:0] = rows
        self.inserted += len(rows)

    def append(self, rows: Sequence[Row], cursor: Cursor) -> None:
        """Append a page that was read from this place."""
        self._uses += 1
        self._pages.append(Page(len(self.rows) - self.inserted, len(rows), cursor, self._uses))
        self.rows += rows
        self._forget_unused()

    def reserve(self, count: int) -> None:
        """Append so many rows that are known to be there, and are read when they are shown."""
        while count > 0:
            size = min(count, PAGE_ROWS)
            self._pages.append(Page(len(self.rows) - self.inserted, size, None, 0, is_loaded=False))
            self.rows += [None] * size
            count -= size

    def cut(self, count: int) -> None:
        """Remove so many rows of pages from the end."""
        del self.rows[len(self.rows) - count :]
        while self._pages and self.first_row(self._pages[-1]) >= len(self.rows):
            del self._pages[-1]
        if self._pages:
            self._pages[-1].count = len(self.rows) - self.first_row(self._pages[-1])

    def forget(self) -> list[Page[Cursor]]:
        """Drop the rows of all pages but the first, because others may stand there; return the pages that had some."""
        loaded = [one for one in self._pages if one.is_loaded]
        for page in loaded:
            self._drop(page)
        # Other objects, because pages that are being read now would be put into the old ones.
        self._pages = [replace(one, cursor=None) for one in self._pages]
        self._asked.clear()
        return loaded

    def awaits(self, page: Page[Cursor]) -> bool:
        """Return whether a page that was read still has its place here."""
        at = self._page_of(self.first_row(page))
        return page.start in self._asked and at >= 0 and self._pages[at] is page

    def first_row(self, page: Page[Cursor]) -> int:
        """Return the row at which a page begins now."""
        return page.start + self.inserted

    def use(self, row: int) -> list[Page[Cursor]]:
        """Note that a row is asked for; return the pages that have to be read for it, each of which is told once."""
        if not self._pages or row + AHEAD < self.first_row(self._pages[0]):
            return []  # the rows that are painted most often
        at = self._page_of(row)
        near = {at, self._page_of(row - AHEAD), self._page_of(min(row + AHEAD, len(self.rows) - 1))}
        found = []
        for place in sorted(near - {-1}, key=lambda one: one == at):  # its own page is the last, and read first
            page, self._uses = self._pages[place], self._uses + 1
            page.used = self._uses
            if not page.is_loaded and page.start not in self._asked:
                self._asked.add(page.start)
                found.append(page)
        return found

    def unask(self, page: Page[Cursor]) -> None:
        """Note that a page is not read after all: it is told again when it is shown."""
        self._asked.discard(page.start)

    def way_to(self, page: Page[Cursor]) -> tuple[Cursor | None, int]:
        """Return the nearest known place above a page, None for the top, and how many rows lie between them."""
        if page.cursor is not None:
            return page.cursor, 0
        first = self.first_row(page)
        above = self.rows[first - 1]
        if above is not None:
            return self._place_of(above), 0
        for earlier in reversed(self._pages[: self._page_of(first)]):
            if earlier.cursor is not None:
                return earlier.cursor, page.start - earlier.start
        top = self.first_row(self._pages[0])
        last = self.rows[top - 1]
        return (None, first) if last is None else (self._place_of(last), first - top)

    def fill(self, page: Page[Cursor], rows: Sequence[Row]) -> None:
        """Put the rows of a page in their place; those of the page that was not asked for longest are dropped."""
        first = self.first_row(page)
        self.rows[first : first + page.count] = rows
        page.is_loaded = True
        self._asked.discard(page.start)
        below = self._page_of(first) + 1
        if rows and below < len(self._pages):
            self._pages[below].cursor = self._place_of(rows[-1])
        self._forget_unused()

    def _page_of(self, row: int) -> int:
        """Return the number of the page in which a row stands, or -1."""
        return bisect_right(self._pages, row - self.inserted, key=lambda one: one.start) - 1

    def _drop(self, page: Page[Cursor]) -> None:
        first = self.first_row(page)
        self.rows[first : first + page.count] = [None] * page.count
        page.is_loaded = False

    def _forget_unused(self) -> None:
        loaded = sorted((one for one in self._pages if one.is_loaded), key=lambda one: one.used)
        for page in loaded[: max(0, len(loaded) - KEPT_PAGES)]:
            self._drop(page)
