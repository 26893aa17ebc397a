"""Where the steps of a plan stand in its picture: rows by the longest way from the beginning, branches side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chimein_gui.domain.ids import TaskId


@dataclass(frozen=True, slots=True)
class Cell:
    """The place of one step.

    Attributes:
        row: From 0 at the top; always below all steps that it depends on.
        column: From 0; a branch gets a column of its own.
    """

    row: int
    column: int


def cells_of(steps: Sequence[TaskId], earlier: Mapping[TaskId, Sequence[TaskId]]) -> dict[TaskId, Cell]:
    """Return the place of each step; takes a time that grows with the number of steps and dependencies.

    Args:
        steps: The steps in plan order, so that each comes after those that it depends on.
        earlier: What each step depends on; steps of other plans are ignored.
    """
    placed: dict[TaskId, Cell] = {}
    next_free: dict[int, int] = {}
    continued: set[TaskId] = set()
    columns = 1
    for step in steps:
        before = [one for one in earlier.get(step, ()) if one in placed]
        row = max((placed[one].row for one in before), default=-1) + 1
        column = _column(placed, continued, before)
        if column is None or next_free.get(column, 0) > row:
            column = next((one for one in range(columns) if next_free.get(one, 0) <= row), columns)
        columns = max(columns, column + 1)
        continued.update(one for one in before if placed[one].column == column)
        placed[step] = Cell(row, column)
        next_free[column] = row + 1
    return placed


def _column(placed: Mapping[TaskId, Cell], continued: set[TaskId], before: Sequence[TaskId]) -> int | None:
    """Return the leftmost column of an earlier step that no other step continues yet; None if there is none."""
    if not before:
        return 0
    free = [placed[one].column for one in before if one not in continued]
    return min(free, default=None)
