"""What both processes take while it goes on, and what is logged."""

from __future__ import annotations

import logging
import re
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from tests.sandbox.campaign.stage import Stage
from tests.support.vitals import Vitals, take_vitals

MIB = 1024 * 1024

EXPECTED = tuple(
    re.compile(pattern)
    for pattern in (
        r"WARNING chimein_gui\.engine\.accounts\.sync: The history of chat .* cannot be read",
        r"WARNING chimein_gui\.adapters\.telegram\.gateway: A connection did not close cleanly",
    )
)
"""Warnings that faults of the catalogue cause; everything else from WARNING up is a finding."""


class LogBook(logging.Handler):
    """Counts what is logged from WARNING up, and keeps the first of what nobody expected."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.expected: Counter[str] = Counter()
        self.unexpected: deque[str] = deque(maxlen=50)
        self.count = 0

    def install(self) -> None:
        logging.getLogger().addHandler(self)

    def remove(self) -> None:
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        line = f"{record.levelname} {record.name}: {record.getMessage()}"
        if record.exc_info and record.exc_info[1] is not None:
            line += "\n" + logging.Formatter().formatException(record.exc_info)
        for pattern in EXPECTED:
            if pattern.search(line):
                self.expected[pattern.pattern] += 1
                return
        self.count += 1
        self.unexpected.append(line)


@dataclass(frozen=True)
class Sample:
    """Both processes at one moment."""

    at_s: float
    product: Vitals
    sandbox: Vitals
    stored_bytes: int


@dataclass
class Watch:
    """Takes samples; a look when the traffic has ended is none: telling both sides' messages takes memory itself."""

    stage: Stage
    samples: list[Sample] = field(default_factory=list)

    async def look(self, at_s: float) -> Sample:
        """Return how both are now."""
        told: dict[str, Any] = await self.stage.console.vitals()
        stored_bytes = told.pop("stored_bytes")
        return Sample(at_s, take_vitals(), Vitals(**told), stored_bytes)

    async def sample(self, at_s: float) -> Sample:
        """Look, and let it count for the growth."""
        self.samples.append(await self.look(at_s))
        return self.samples[-1]

    def growth(self, warm_up_s: float) -> dict[str, float]:
        """MiB that each process grew by in ten minutes after the warm-up, without what is stored or cached by SQLite.

        A straight line through all samples: single ones are noisy.
        """
        late = [sample for sample in self.samples if sample.at_s >= warm_up_s]
        product = _slope([(one.at_s, one.product.rss - one.product.sqlite) for one in late])
        sandbox = _slope([(one.at_s, one.sandbox.rss - one.sandbox.sqlite - one.stored_bytes) for one in late])
        return {"product": product * 600 / MIB, "sandbox": sandbox * 600 / MIB}


def _slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the straight line with the least squares, 0 for less than two points."""
    if len(points) < 2:
        return 0.0
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread if spread else 0.0
