"""How many lines there were at which time, for the strip above the log."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.reporting.log_lines import LogLine

STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 86400)
"""Lengths of time that a bar may stand for, seconds."""

FEWEST = 8
"""Fewest bars: a few lines of one second stand at the end, as the newest do."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What was written in one span of time."""

    lines: int = 0
    warnings: int = 0
    errors: int = 0


class Density:
    """Counts lines by the second; bars are added up from these.

    Attributes:
        whole: When the first and the last line of the log were written, seconds since 1970, whether or not they are
            counted: a filter leaves the axis as it is. None for the span of the counted ones.
    """

    def __init__(self) -> None:
        self.whole: tuple[float, float] | None = None
        self._lines: Counter[int] = Counter()
        self._warnings: Counter[int] = Counter()
        self._errors: Counter[int] = Counter()

    def clear(self) -> None:
        """Forget all lines."""
        for counter in (self._lines, self._warnings, self._errors):
            counter.clear()

    def add(self, lines: Iterable[LogLine]) -> None:
        """Count further lines."""
        self._count(lines, 1)

    def remove(self, lines: Iterable[LogLine]) -> None:
        """Uncount lines that are dropped."""
        self._count(lines, -1)

    def _count(self, lines: Iterable[LogLine], by: int) -> None:
        for line in lines:
            second = int(line.at)
            self._lines[second] += by
            if line.level >= logging.ERROR:
                self._errors[second] += by
            elif line.level >= logging.WARNING:
                self._warnings[second] += by
            if not self._lines[second]:
                for counter in (self._lines, self._warnings, self._errors):
                    counter.pop(second, None)

    def span(self) -> tuple[int, int] | None:
        """Return the first and the last second that have lines; None without any."""
        return (min(self._lines), max(self._lines)) if self._lines else None

    def bars(self, most: int) -> tuple[int, int, list[Bar]]:
        """Return the time of the first bar, the seconds that each stands for, and at most so many bars."""
        span = self.span()
        if span is None:
            return 0, 1, []
        first, last = span
        if self.whole is not None:
            first, last = min(first, int(self.whole[0])), max(last, int(self.whole[1]))
        step = next(
            (one for one in STEPS_S if (last - first) // one < most - 1), (last - first) // max(1, most - 1) + 1
        )
        begin = first - first % step
        begin = min(begin, last - last % step - (FEWEST - 1) * step)
        count = (last - begin) // step + 1
        sums = [[0, 0, 0] for _ in range(count)]
        for place, counter in enumerate((self._lines, self._warnings, self._errors)):
            for second, number in counter.items():
                sums[(second - begin) // step][place] += number
        return begin, step, [Bar(*one) for one in sums]
