"""Measures the time of one call."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def median_ms(run: Callable[[], object], repeats: int) -> float:
    """Call `run` so often; return the median of its times, in ms."""
    times: list[float] = []
    for _ in range(repeats):
        begin = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times)
