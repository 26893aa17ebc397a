"""Counts the work of a piece of code in lines and calls of the interpreter, the same on every machine.

C code inside one call counts as one step. `pattern_steps` counts the steps of regular expressions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any


@dataclass
class Count:
    """The steps so far."""

    steps: int = 0


@contextmanager
def counted() -> Iterator[Count]:
    """Count the steps of this thread in the block, including all functions called but not the block's own frame."""
    count = Count()

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        if event in {"call", "line"}:
            count.steps += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield count
    finally:
        sys.settrace(before)


def steps(work: Callable[..., object], *arguments: object) -> int:
    """Count the steps of one call."""
    with counted() as count:
        work(*arguments)
    return count.steps
