"""The steps of a plan as a list in plan order, for the outline: what stands in a branch is indented."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.plans.layers import cells_of

if TYPE_CHECKING:
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.viewmodels.plans.plan import PlanModel
    from chimein_gui.viewmodels.plans.step_view import StepView


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
