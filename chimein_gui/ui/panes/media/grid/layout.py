"""Where the rows of the grid stand: groups one below the other, each a heading and its cells in lines."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GAP = 8
SIDE = 16
END = 12
LINES_OF_A_CLOSED_LIST = 6


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes in logical pixels, which depend on the size of texts.

    Attributes:
        cell_width: Smallest width of a cell.
        cell_height: Height of a cell, or of a line of the list.
        heading: Height of a heading.
        is_list: Cells are lines over the whole width.
    """

    cell_width: int
    cell_height: int
    heading: int
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A group.

    Attributes:
        start: The row of its heading; its cells are the rows after that.
        count: How many cells it has.
        is_open: All of them are shown, not only the first line.
    """

    start: int
    count: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class _Band:
    span: Span
    top: int
    shown: int


class GridLayout:
    """A layout for one width; what it says is in content coordinates."""

    def __init__(self, spans: Sequence[Span], width: int, sizes: Sizes) -> None:
        self.sizes, self.width = sizes, width
        inner = max(1, width - SIDE - END)
        self.columns = 1 if sizes.is_list else max(1, (inner + GAP) // (sizes.cell_width + GAP))
        self._cell = inner if sizes.is_list else (inner - GAP * (self.columns - 1)) // self.columns
        self._gap = 0 if sizes.is_list else GAP
        closed = LINES_OF_A_CLOSED_LIST if sizes.is_list else self.columns
        self._bands: list[_Band] = []
        top = 0
        for span in spans:
            shown = span.count if span.is_open else min(span.count, closed)
            self._bands.append(_Band(span, top, shown))
            top += sizes.heading + self._lines(shown) * (sizes.cell_height + self._gap) + GAP
        self.height = top
        self._tops = [band.top for band in self._bands]
        self._starts = [band.span.start for band in self._bands]

    def _lines(self, count: int) -> int:
        return -(-count // self.columns)

    def _band_of(self, row: int) -> _Band | None:
        place = bisect_right(self._starts, row) - 1
        return self._bands[place] if place >= 0 else None

    def shown_of(self, row: int) -> tuple[int, int]:
        """Return how many cells the group of a row has, and how many of them are shown."""
        band = self._band_of(row)
        return (band.span.count, band.shown) if band is not None else (0, 0)

    def rect(self, row: int) -> QRect:
        """Return the rectangle of a row; empty if it is not shown."""
        band = self._band_of(row)
        if band is None:
            return QRect()
        if row == band.span.start:
            return QRect(0, band.top, self.width, self.sizes.heading)
        place = row - band.span.start - 1
        if place >= band.shown:
            return QRect()
        line, column = divmod(place, self.columns)
        top = band.top + self.sizes.heading + line * (self.sizes.cell_height + self._gap)
        return QRect(SIDE + column * (self._cell + self._gap), top, self._cell, self.sizes.cell_height)

    def row_at(self, place: QPoint) -> int:
        """Return the row at a place; -1 for none."""
        number = bisect_right(self._tops, place.y()) - 1
        if number < 0:
            return -1
        band = self._bands[number]
        below = place.y() - band.top - self.sizes.heading
        if below < 0:
            return band.span.start
        line = below // (self.sizes.cell_height + self._gap)
        column = (place.x() - SIDE) // (self._cell + self._gap)
        if not 0 <= column < self.columns:
            return -1
        row = band.span.start + 1 + line * self.columns + column
        return row if self.rect(row).contains(place) else -1

    def rows_between(self, top: int, bottom: int) -> Iterator[int]:
        """Yield the rows of which some part is between two heights."""
        number = max(0, bisect_right(self._tops, top) - 1)
        step = self.sizes.cell_height + self._gap
        for band in self._bands[number:]:
            if band.top > bottom:
                return
            if band.top + self.sizes.heading > top:
                yield band.span.start
            cells = band.top + self.sizes.heading
            first = max(0, (top - cells) // step) * self.columns
            last = min(band.shown, (max(-1, (bottom - cells) // step) + 1) * self.columns)
            for place in range(first, last):
                yield band.span.start + 1 + place

    # --- keys -----------------------------------------------------------------------------------------------------

    def first(self) -> int:
        """Return the first cell; -1 if there is none."""
        return self._bands[0].span.start + 1 if self._bands else -1

    def last(self) -> int:
        """Return the last cell that is shown; -1 if there is none."""
        return self._bands[-1].span.start + self._bands[-1].shown if self._bands else -1

    def stepped(self, row: int, by: int) -> int:
        """Return the cell so many cells further on, over the ends of groups."""
        number = bisect_right(self._starts, row) - 1
        if number < 0:
            return self.first()
        place = row - self._bands[number].span.start - 1 + by
        while place >= self._bands[number].shown and number + 1 < len(self._bands):
            place -= self._bands[number].shown
            number += 1
        while place < 0 and number > 0:
            number -= 1
            place += self._bands[number].shown
        band = self._bands[number]
        return band.span.start + 1 + min(max(place, 0), band.shown - 1)

    def below(self, row: int, lines: int) -> int:
        """Return the cell in the same column so many lines down, or up; lines continue in the next group."""
        number = bisect_right(self._starts, row) - 1
        if number < 0:
            return self.first()
        line, column = divmod(max(0, row - self._bands[number].span.start - 1), self.columns)
        line += lines
        while line >= self._lines(self._bands[number].shown) and number + 1 < len(self._bands):
            line -= self._lines(self._bands[number].shown)
            number += 1
        while line < 0 and number > 0:
            number -= 1
            line += self._lines(self._bands[number].shown)
        band = self._bands[number]
        line = min(max(line, 0), self._lines(band.shown) - 1)
        return band.span.start + 1 + min(line * self.columns + column, band.shown - 1)
