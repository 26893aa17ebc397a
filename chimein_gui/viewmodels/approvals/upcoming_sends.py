"""What leaves by itself next, and what was decided last: what an empty list of approvals still has to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.events import ApprovalRequested, ApprovalResolved, TaskStatusChanged
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.viewmodels.core.live_query import LiveQuery

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.approvals.store import LoadApprovals
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.engine import EngineApi

SHOWN = 3
KEPT = 30

_DECIDED = frozenset({TaskStatus.DONE, TaskStatus.SKIPPED})


class UpcomingSends(QObject):
    """Follows every planned send, those that a rule decided included.

    Attributes:
        changed: What leaves next, or what was decided last, is another.
        failed: What could not be read.
    """

    changed = Signal()
    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._leaving: dict[ApprovalId, Approval] = {}
        self._decided: dict[ApprovalId, Approval] = {}
        self._told: tuple[tuple[Approval, ...], tuple[Approval, ...]] = ((), ())
        self._open = LiveQuery(bridge, self._apply, self, self._settle)
        self._recent = LiveQuery(bridge, lambda _event: None, self)
        self._recent.failed.connect(self.failed)
        self._open.failed.connect(self.failed)

    def attach(self, console: EngineApi, spawn: Spawn, load_approvals: LoadApprovals) -> None:
        """Fetch what is approved, and what was decided lately."""
        self._open.fetch(spawn, load_approvals, self._install, name="load departures")
        self._recent.fetch(
            spawn, lambda: console.load_recent_decisions(limit=KEPT), self._remember, name="load last decisions"
        )

    def next(self) -> tuple[Approval, ...]:
        """Return what leaves by itself, the earliest first."""
        timed = sorted((one.due_at, key) for key, one in self._leaving.items() if one.due_at is not None)
        return tuple(self._leaving[key] for _, key in timed[:SHOWN])

    def last(self) -> tuple[Approval, ...]:
        """Return what was decided, the newest first."""
        timed = [(one.decided_at, key) for key, one in self._decided.items() if one.decided_at is not None]
        return tuple(self._decided[key] for _, key in sorted(timed, reverse=True)[:SHOWN])

    def _install(self, rows: tuple[Approval, ...]) -> None:
        self._leaving = {row.approval_id: row for row in rows if row.task_status is TaskStatus.APPROVED}
        self._settle()

    def _remember(self, rows: tuple[Approval, ...]) -> None:
        for row in reversed(rows):
            self._note(row)
        self._settle()

    def _apply(self, event: EngineEvent) -> None:
        if isinstance(event, ApprovalRequested | ApprovalResolved | TaskStatusChanged):
            self._note(event.approval)

    def _note(self, item: Approval) -> None:
        if item.task_status is TaskStatus.APPROVED:
            self._leaving[item.approval_id] = item
        else:
            self._leaving.pop(item.approval_id, None)
        if item.task_status in _DECIDED and item.state in (ApprovalState.APPROVED, ApprovalState.REJECTED):
            self._decided.pop(item.approval_id, None)
            self._decided[item.approval_id] = item
            while len(self._decided) > KEPT:
                del self._decided[next(iter(self._decided))]

    def _settle(self) -> None:
        told = (self.next(), self.last())
        if told != self._told:
            self._told = told
            self.changed.emit()
