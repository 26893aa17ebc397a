"""The steps of a plan as a list in plan order, for the outline: what stands in a branch is indented."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, Qt

from chimein_gui.domain.ids import TaskId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.plans.layers import cells_of
from chimein_gui.viewmodels.plans.step_view import StepView, move_refusal
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.viewmodels.plans.plan import PlanModel


STEP_TYPE = "application/x-chimein-step"
"""Type of the data of a dragged step: its id."""


def dragged_step(data: QMimeData) -> TaskId | None:
    """Return the step that is dragged, or None."""
    number = bytes(data.data(STEP_TYPE).data()) if data.hasFormat(STEP_TYPE) else b""
    return TaskId(int(number)) if number.isdigit() else None


class OutlineModel(QAbstractListModel):
    """One row a step. `ItemRole` is the `StepView`, `KeyRole` its id, and DisplayRole one sentence."""

    def __init__(self, plan: PlanModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan = plan
        self._rows: tuple[StepView, ...] = ()
        self._depths: dict[TaskId, int] = {}
        plan.changed.connect(self._reset)
        plan.steps_changed.connect(self._update)
        self._reset()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        view = self._rows[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return view.sentence
        if role == ItemRole:
            return view
        return view.task_id if role == KeyRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [STEP_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the id of a dragged step."""
        data = QMimeData()
        for index in indexes[:1]:
            data.setData(STEP_TYPE, str(index.data(KeyRole)).encode())
        return data

    def move_refusal(self, task_id: TaskId, other: StepView, *, is_before: bool) -> str:
        """Return why a step can't be put before or behind another one, as a sentence; empty if it can."""
        step = self._plan.step(task_id)
        if step is None:
            return note_sentence(Note(Reason.OTHER_PLAN))
        return move_refusal(step, other, is_before=is_before)

    def row_of(self, task_id: TaskId | None) -> int:
        """Return the row of a step, or -1."""
        return next((row for row, view in enumerate(self._rows) if view.task_id == task_id), -1)

    def depth_of(self, task_id: TaskId) -> int:
        """Return how far a step is indented: the column of its branch."""
        return self._depths.get(task_id, 0)

    def _reset(self) -> None:
        self.beginResetModel()
        self._rows = self._plan.steps
        earlier = {one.task_id: one.step.depends_on for one in self._rows}
        self._depths = {one: cell.column for one, cell in cells_of(list(earlier), earlier).items()}
        self.endResetModel()

    def _update(self, changed: frozenset[TaskId]) -> None:
        self._rows = self._plan.steps
        for row, view in enumerate(self._rows):
            if view.task_id in changed:
                self.dataChanged.emit(self.index(row), self.index(row))
