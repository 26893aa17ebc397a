"""The steps of a trace as a tree, and the axis of active time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt

from chimein_gui.domain.traces.steps import CallStep, StepKind, StepState
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.traces.step_words import step_sentence
from chimein_gui.viewmodels.traces.words import LEAST_DIGITS, cost_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.prompt.sent import CallId
    from chimein_gui.domain.traces.steps import Trace, TraceStep

NICE_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1800, 3600)
"""Distances of two marks of the axis, seconds."""

MARKS = 6
"""Most marks of an axis."""

ALMOST = 1e-6
"""What a quotient may lack of a whole number because neither of its parts is exact."""


_SENDS = frozenset({"not sent", "unknown", "server wait", "offline", "approved"})
_BAD = frozenset({StepState.FAILED, StepState.REFUSED})
_FOR_THE_NEXT = frozenset({StepKind.PROMPT, StepKind.ROUND, StepKind.PAGE})
"""Kinds that are made for the next call."""
_TRIES = frozenset({StepKind.ATTEMPT, StepKind.MODEL_CALL})


@dataclass(frozen=True, slots=True)
class AxisMark:
    """A mark on the axis.

    Attributes:
        at: Its place, seconds of active time.
        elapsed_s: Seconds since the beginning, waits included; None for a place where a wait was cut out.
    """

    at: float
    elapsed_s: float | None


def marks_of(trace: Trace) -> tuple[AxisMark, ...]:
    """Return the marks of an axis, those of its cuts included, in order."""
    length = trace.axis_s
    step = next((one for one in NICE_S if length / one <= MARKS), NICE_S[-1])
    found = [AxisMark(cut.offset_s, None) for cut in trace.cuts]
    for number in range(int(length / step + ALMOST) + 1):
        at = round(number * step, 3)
        left_out = sum(cut.left_out_s for cut in trace.cuts if cut.offset_s < at)
        if all(abs(cut.offset_s - at) > step * 0.4 for cut in trace.cuts):
            found.append(AxisMark(at, at + left_out))
    return tuple(sorted(found, key=lambda mark: mark.at))


def last_call(trace: Trace) -> CallId | None:
    """Return the last call whose prompt is stored; None if there is none."""
    calls = (one.detail.call_id for one in reversed(trace.steps) if isinstance(one.detail, CallStep))
    return next((call_id for call_id in calls if call_id is not None), None)


def call_of_step(trace: Trace, step: TraceStep | None) -> TraceStep | None:
    """Return the call that the details of a step are about; None if none was made.

    Of a call it is that one, of a prompt, a page and a round of pages the next call, which got them, of a reading the
    call that wrote the reply, and of all others the last one.
    """
    if step is not None and isinstance(step.detail, CallStep):
        return step
    calls = [one for one in trace.steps if isinstance(one.detail, CallStep) and one.detail.number]
    place = step.step_id if step is not None else 0  # steps are numbered in their order
    found = calls[-1] if calls else None
    if step is not None and step.kind in _FOR_THE_NEXT:
        found = next((one for one in calls if one.step_id > place), found)
    elif step is not None and step.kind in (StepKind.PARSE, StepKind.REPAIR):
        found = next((one for one in reversed(calls) if one.step_id < place), found)
    return found


def has_prompt(trace: Trace) -> bool:
    """Return whether a stored prompt can be opened: that of the plan, or of a call that brought none."""
    return trace.summary.graph_id is not None or last_call(trace) is not None


def step_of_reason(trace: Trace, key: str) -> TraceStep | None:
    """Return the step that a reason is about: the card that waits, the send, or what failed; None if there is none.

    Args:
        trace: The trace.
        key: The key of its `Problem`.
    """
    if key == "waiting":
        found = [one for one in trace.steps if one.kind is StepKind.APPROVAL and one.state is StepState.OPEN]
        return found[0] if found else None
    if key in _SENDS:
        sends = [one for one in trace.steps if one.kind is StepKind.SEND]
        open_ones = [one for one in sends if one.state is not StepState.DONE]
        return next(iter(open_ones or sends), None)
    if key == "pages":
        return next((one for one in trace.steps if one.kind is StepKind.PAGE), None)
    tries = [one for one in trace.steps if one.kind in _TRIES and one.state in _BAD]
    return tries[-1] if tries else None


class StepTreeModel(QAbstractItemModel):
    """Two levels: a step, and below a round of look-ups its pages.

    Attributes:
        trace: What is shown.
        marks: Those of the axis.
        digits: Decimals of the amounts.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tops: list[TraceStep] = []
        self._parts: dict[int, list[TraceStep]] = {}
        self._by_id: dict[int, TraceStep] = {}
        self.trace: Trace | None = None
        self.marks: tuple[AxisMark, ...] = ()
        self.digits = LEAST_DIGITS

    def show_trace(self, trace: Trace | None) -> None:
        """Show other steps; steps that only changed keep their rows."""
        old, new = self._shape(self.trace), self._shape(trace)
        if trace is not None and self.trace is not None and old == new:
            self._keep(trace)
            if self._tops:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._tops) - 1, 0))
            return
        self.beginResetModel()
        self._keep(trace)
        self.endResetModel()

    def _keep(self, trace: Trace | None) -> None:
        self.trace = trace
        self.marks = marks_of(trace) if trace is not None else ()
        self.digits = cost_digits(trace) if trace is not None else LEAST_DIGITS
        steps = trace.steps if trace is not None else ()
        self._by_id = {step.step_id: step for step in steps}
        self._tops = [step for step in steps if step.parent_id not in self._by_id]
        self._parts = {}
        for step in steps:
            if step.parent_id in self._by_id and step.parent_id is not None:
                self._parts.setdefault(step.parent_id, []).append(step)

    @staticmethod
    def _shape(trace: Trace | None) -> tuple[object, ...]:
        if trace is None:
            return ()
        return (trace.summary.trace_id, *((step.step_id, step.parent_id) for step in trace.steps))

    # --- queries --------------------------------------------------------------------------------------------------

    def step_of(self, index: Index) -> TraceStep | None:
        """Return the step of an index; None if it has none."""
        return self._by_id.get(index.internalId()) if index.isValid() else None

    def index_of(self, step_id: int) -> QModelIndex:
        """Return the index of a step; invalid if there is none."""
        step = self._by_id.get(step_id)
        if step is None:
            return QModelIndex()
        row = self._siblings(step).index(step)
        return self.createIndex(row, 0, step.step_id)

    def parts_of(self, step: TraceStep) -> tuple[TraceStep, ...]:
        """Return the parts of a step, such as the pages of a round."""
        return tuple(self._parts.get(step.step_id, ()))

    def parent_of(self, step: TraceStep) -> TraceStep | None:
        """Return the step that this one is a part of."""
        return self._by_id.get(step.parent_id) if step.parent_id is not None else None

    def shown_rows(self, is_open: Callable[[QModelIndex], bool]) -> int:
        """Return how many rows there are, parts only of steps that `is_open` says yes to."""
        parts = (self._parts.get(one.step_id, ()) for one in self._tops if is_open(self.index_of(one.step_id)))
        return len(self._tops) + sum(map(len, parts))

    def _siblings(self, step: TraceStep) -> list[TraceStep]:
        return self._tops if self.parent_of(step) is None else self._parts[step.parent_id or 0]

    # --- Qt -------------------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        rows = self._parts.get(parent.internalId(), []) if parent.isValid() else self._tops
        if column != 0 or not 0 <= row < len(rows):
            return QModelIndex()
        return self.createIndex(row, 0, rows[row].step_id)

    def parent(self, child: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        step = self.step_of(child)
        above = self.parent_of(step) if step is not None else None
        return self.createIndex(self._tops.index(above), 0, above.step_id) if above is not None else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self._parts.get(parent.internalId(), ())) if parent.isValid() else len(self._tops)

    def columnCount(self, _parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        step = self.step_of(index)
        if step is None:
            return None
        if role == ItemRole:
            return step
        if role == KeyRole:
            return step.step_id
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return step_sentence(step, self.parts_of(step), self.digits)
        return None
