"""Planned sends: what waits for the operator, what is about to leave, and what has just left."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.events import ApprovalRequested, ApprovalResolved, TaskStatusChanged
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.keyed_list import KeyedListModel
from chimein_gui.viewmodels.live_rows import LiveRows
from chimein_gui.viewmodels.roles import SPOKEN

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.bridge import EngineBridge
    from chimein_gui.viewmodels.clock_face import ClockFace
    from chimein_gui.viewmodels.console import Console

LINGER_S = 10
"""How long a sent message stays in the list, so that the eye can follow it."""

_LISTED = frozenset(
    {
        TaskStatus.AWAITING_DECISION,
        TaskStatus.PARKED,
        TaskStatus.APPROVED,
        TaskStatus.SENDING,
        TaskStatus.UNKNOWN,
    }
)
_STAYS_IF_SEEN = frozenset({TaskStatus.DONE, TaskStatus.FAILED})


def waits_for_operator(approval: Approval) -> bool:
    """Tell whether it needs a decision now."""
    return approval.task_status is TaskStatus.AWAITING_DECISION


class ApprovalListModel(KeyedListModel[Approval]):
    """One row a planned send, oldest first; a row never changes its place.

    Attributes:
        waiting_changed: The number or the oldest age of what waits may have changed.
        approval_changed: A row is new, changed or gone; carries the approval id.
        failed: What could not be read.
    """

    waiting_changed = Signal()
    approval_changed = Signal(object)
    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._done_at: dict[ApprovalId, datetime] = {}
        self._live = LiveRows(bridge, self._apply, self)
        self._live.failed.connect(self.failed)
        self._sweeper = QTimer(self)
        self._sweeper.setSingleShot(True)
        self._sweeper.timeout.connect(self._sweep)

    @property
    def loaded(self) -> bool:
        """Tell whether the engine has said what waits."""
        return self._live.loaded

    def attach(self, console: Console, spawn: Spawn) -> None:
        """Fetch what is not final; the bridge must be attached before."""
        self._live.fetch(spawn, console.load_approvals, self._install, name="load approvals")

    def key_of(self, item: Approval) -> ApprovalId:
        return item.approval_id

    def order_of(self, item: Approval) -> tuple[datetime, int]:
        return (item.created_at, item.approval_id)

    def sentence_of(self, item: Approval) -> str:
        reasons = ", ".join(reason.value for reason in item.reasons if reason is not AskReason.REVIEW)
        return ", ".join(
            part
            for part in (
                self.tr("{agent} to {who}").format(agent=item.agent_name[:SPOKEN], who=item.chat_title[:SPOKEN]),
                self.fate_of(item),
                reasons,
                item.text,
                item.note[:SPOKEN],
            )
            if part
        )

    def fate_of(self, item: Approval) -> str:
        """Return in words what will become of it."""
        match item.task_status:
            case TaskStatus.APPROVED if item.due_at is not None and item.due_at > self._clock.now():
                return self.tr("Sends in {time}").format(time=self._clock.left(item.due_at))
            case TaskStatus.APPROVED | TaskStatus.SENDING:
                return self.tr("Sending…")
            case TaskStatus.UNKNOWN:
                return self.tr("Unknown if delivered")
            case TaskStatus.DONE:
                return self.tr("Sent")
            case TaskStatus.FAILED:
                return self.tr("Failed, will not retry")
            case _:
                return self.tr("Waits for you")

    def waiting(self) -> tuple[Approval, ...]:
        """Return what needs a decision, oldest first."""
        return tuple(item for item in self._items if waits_for_operator(item))

    def of_chat(self, chat_id: ChatId) -> tuple[Approval, ...]:
        """Return a chat's planned sends that are not sent yet."""
        return tuple(
            item for item in self._items if item.chat_id == chat_id and item.task_status is not TaskStatus.DONE
        )

    def newest_open_of_chat(self, chat_id: ChatId) -> Approval | None:
        """Return the draft that an edit of a replaced draft of the same chat may move to."""
        waiting = [item for item in self.waiting() if item.chat_id == chat_id]
        return waiting[-1] if waiting else None

    def take(self, approval: Approval) -> None:
        """Take a snapshot that came as the answer to a decision."""
        known = self.find(approval.approval_id)
        if known is None or approval.version >= known.version:
            self._put(approval)

    def dismiss(self, approval_id: ApprovalId) -> None:
        """Take a failed row out of sight."""
        self.remove(approval_id)
        self.approval_changed.emit(approval_id)

    def _install(self, rows: tuple[Approval, ...]) -> None:
        self.fill(row for row in rows if row.task_status in _LISTED)
        self.waiting_changed.emit()

    def _apply(self, event: EngineEvent) -> None:
        if isinstance(event, ApprovalRequested | ApprovalResolved | TaskStatusChanged):
            self._put(event.approval)

    def _put(self, approval: Approval) -> None:
        key = approval.approval_id
        if approval.task_status in _LISTED or (approval.task_status in _STAYS_IF_SEEN and self.row_of(key) >= 0):
            self.upsert(approval)
        else:
            self.remove(key)
        if approval.task_status is TaskStatus.DONE:
            self._done_at.setdefault(key, self._clock.now())
            self._sweeper.start(LINGER_S * 1000)
        self.approval_changed.emit(key)
        self.waiting_changed.emit()

    def _sweep(self) -> None:
        limit = self._clock.now() - timedelta(seconds=LINGER_S)
        for key in [key for key, at in self._done_at.items() if at <= limit]:
            del self._done_at[key]
            self.dismiss(key)
        if self._done_at:
            self._sweeper.start(1000)
