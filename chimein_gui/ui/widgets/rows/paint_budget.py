"""Limits how long new rows are painted in one turn of the loop, so that many at once don't make the window stutter.

All that changed since the last frame is painted in one turn. Twenty new rows in each of three lists would take 30 ms.
"""

from __future__ import annotations

from contextlib import contextmanager
from math import inf
from time import thread_time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QMainWindow

if TYPE_CHECKING:
    from collections.abc import Iterator

BUDGET_S = 0.006
"""How long rows that are not cached are painted in one frame of a window, seconds of the thread; the others follow."""


class PaintBudget:
    """The time that is left in the current frame of a window; there is no limit outside of frames, as for a picture.

    Attributes:
        frame: Number of the frame.
    """

    def __init__(self) -> None:
        self.frame = 0
        self._ends_at = inf

    @property
    def is_spent(self) -> bool:
        """Return whether rows have to wait for the next frame."""
        return thread_time() > self._ends_at

    @contextmanager
    def of_a_frame(self) -> Iterator[None]:
        """Limit what is painted meanwhile."""
        self.frame += 1
        self._ends_at = thread_time() + BUDGET_S
        try:
            yield
        finally:
            self._ends_at = inf


BUDGET = PaintBudget()


class BudgetedWindow(QMainWindow):
    """A window whose frames keep the budget."""

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.UpdateRequest:
            with BUDGET.of_a_frame():
                return super().event(event)
        return super().event(event)
