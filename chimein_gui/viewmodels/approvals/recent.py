"""Closed rows: the last decisions, and the drafts that were set aside and can still be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.approvals import may_be_resent
from chimein_gui.domain.events import ApprovalRequested, ApprovalResolved, TaskStatusChanged
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.viewmodels.core.live_query import LiveQuery

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.engine import QueriesService

SHOWN = 3
"""Number of sends and of decisions that an empty list shows."""

RECENT_ROWS = 500
"""Most decisions of the last hour that are read at start, to find the drafts that were set aside."""

MOST_DECIDED = 30
"""Most decisions kept in memory."""

MOST_SET_ASIDE = 200
"""Most set-aside drafts kept in memory, over all chats."""

OF_SENDS = frozenset({ApprovalRequested, ApprovalResolved, TaskStatusChanged})
"""Kinds of events that bring another snapshot of a planned send."""

_DECIDED = frozenset({TaskStatus.DONE, TaskStatus.SKIPPED})


class RecentRowsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def queries(self) -> QueriesService:
        """The rows that panes fetch when they open."""
        ...


class RecentRows(QObject):
    """The closed rows of the store, read once and kept up to date by events.

    Attributes:
        set_aside_changed: The drafts set aside in these chats changed; a frozenset of chat ids.
        settled: A batch with events of planned sends was applied.
        failed: The last decisions could not be read; the reason in words.
    """

    set_aside_changed = Signal(object)
    settled = Signal()
    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._decided: dict[ApprovalId, Approval] = {}
        self._set_aside: dict[ApprovalId, Approval] = {}
        self._touched: set[ChatId] = set()
        self._live = LiveQuery(bridge, self._apply, self, self._settle, OF_SENDS)
        self._live.failed.connect(self.failed)

    @property
    def loaded(self) -> bool:
        """Whether the last decisions have been read."""
        return self._live.loaded

    def attach(self, api: RecentRowsApi, spawn: Spawn) -> None:
        """Read the last decisions; the bridge must be attached before."""
        self._live.fetch(
            spawn,
            lambda: api.queries.recent_decisions(limit=RECENT_ROWS),
            self._install,
            name="load recent decisions",
        )

    def _install(self, rows: tuple[Approval, ...]) -> None:
        for row in reversed(rows):  # oldest first, so that the newest plan of a chat comes last
            self._note(row)

    def _apply(self, event: EngineEvent) -> None:
        if isinstance(event, ApprovalRequested | ApprovalResolved | TaskStatusChanged):
            self._note(event.approval)

    def _settle(self) -> None:
        touched, self._touched = frozenset(self._touched), set()
        if touched:
            self.set_aside_changed.emit(touched)
        self.settled.emit()

    def _note(self, item: Approval) -> None:
        if item.task_status in _DECIDED and item.state in (ApprovalState.APPROVED, ApprovalState.REJECTED):
            self._decided.pop(item.approval_id, None)
            self._decided[item.approval_id] = item
            while len(self._decided) > MOST_DECIDED:
                del self._decided[next(iter(self._decided))]
        if item.task_status is TaskStatus.FAILED or not may_be_resent(item):  # a failed one stays in the list
            self._drop(item.approval_id)
            return
        for old in self.set_aside_of(item.chat_id):
            # A chat may be observed for days: only the newest plan's messages are kept.
            if item.task_status is old.task_status is TaskStatus.OBSERVED and old.graph_id != item.graph_id:
                self._drop(old.approval_id)
        self._set_aside[item.approval_id] = item
        self._touched.add(item.chat_id)
        while len(self._set_aside) > MOST_SET_ASIDE:
            self._drop(next(iter(self._set_aside)))

    def dismiss(self, approval_id: ApprovalId) -> None:
        """Remove a draft that was set aside."""
        self._drop(approval_id)
        self._settle()

    def _drop(self, approval_id: ApprovalId) -> None:
        item = self._set_aside.pop(approval_id, None)
        if item is not None:
            self._touched.add(item.chat_id)

    def decided(self, most: int = SHOWN) -> tuple[Approval, ...]:
        """Return the last decisions, newest first."""
        timed = [(one.decided_at, key) for key, one in self._decided.items() if one.decided_at is not None]
        return tuple(self._decided[key] for _, key in sorted(timed, reverse=True)[:most])

    def set_aside_of(self, chat_id: ChatId) -> tuple[Approval, ...]:
        """Return the drafts of a chat that were set aside, oldest first."""
        mine = [item for item in self._set_aside.values() if item.chat_id == chat_id]
        return tuple(sorted(mine, key=lambda item: (item.created_at, item.approval_id)))
