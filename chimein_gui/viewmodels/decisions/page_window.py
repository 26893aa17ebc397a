"""The lines of a long list of which only some pages are kept in memory."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.plans.decision_log import LoggedDecision, LogPosition

KEPT_PAGES = 20
"""Pages whose lines are kept in memory, besides the first one; others are read again when they are shown."""


@dataclass(slots=True)
class Page:
    """A page of lines after the first one.

    Attributes:
        start: Its first row, not counting the rows that were inserted above all pages.
        count: Number of its rows.
        cursor: Position in the log at which it begins.
        used: When it was last asked for, in steps of a counter.
        is_loaded: Its lines are in memory.
    """

    start: int
    count: int
    cursor: LogPosition
    used: int
    is_loaded: bool = True


class PageWindow:
    """Rows keep their numbers, whether their lines are in memory or not.

    Attributes:
        rows: The lines; None for a line that is not in memory.
        inserted: Number of lines inserted at the top since the first page was read.
    """

    def __init__(self, rows: Sequence[LoggedDecision] = ()) -> None:
        self.rows: list[LoggedDecision | None] = list(rows)
        self.inserted = 0
        self._pages: list[Page] = []
        self._uses = 0
        self._asked: set[int] = set()

    def insert(self, rows: Sequence[LoggedDecision]) -> None:
        """Insert newer lines at the top."""
        self.rows[:0] = rows
        self.inserted += len(rows)

    def append(self, rows: Sequence[LoggedDecision], cursor: LogPosition) -> None:
        """Append a page that was read from this position."""
        self._uses += 1
        self._pages.append(Page(len(self.rows) - self.inserted, len(rows), cursor, self._uses))
        self.rows += rows
        self._forget_unused()

    def first_row(self, page: Page) -> int:
        """Return the row at which a page begins now."""
        return page.start + self.inserted

    def use(self, row: int) -> Page | None:
        """Note that a line is asked for; return its page if that has to be read, which is told once."""
        at = bisect_right(self._pages, row - self.inserted, key=lambda one: one.start) - 1
        if at < 0:
            return None
        page, self._uses = self._pages[at], self._uses + 1
        page.used = self._uses
        if page.is_loaded or page.start in self._asked:
            return None
        self._asked.add(page.start)
        return page

    def fill(self, page: Page, rows: Sequence[LoggedDecision | None]) -> None:
        """Put the lines of a page in their place; those of the page that was not asked for longest are dropped."""
        first = self.first_row(page)
        self.rows[first : first + page.count] = rows
        page.is_loaded = True
        self._asked.discard(page.start)
        self._forget_unused()

    def _forget_unused(self) -> None:
        loaded = sorted((one for one in self._pages if one.is_loaded), key=lambda one: one.used)
        for page in loaded[: max(0, len(loaded) - KEPT_PAGES)]:
            first = self.first_row(page)
            self.rows[first : first + page.count] = [None] * page.count
            page.is_loaded = False
