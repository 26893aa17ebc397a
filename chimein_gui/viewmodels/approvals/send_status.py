"""The status of a planned send: a countdown, a hold, a rate limit; its words and the time left.

Every place that shows a send uses this, so that bars, words and colours always agree.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.accounts.zones import zone_named
from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.events import ServerWaitBegan
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import METHODS, TaskStatus
from chimein_gui.engine.policy.timing import quiet_until, stoppable_s, typing_s
from chimein_gui.viewmodels.approvals.card_words import is_message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.holds import HoldModel


LATE = timedelta(seconds=3)
"""An approved send that is this long past due waits for something."""


STEP_MS = 66
"""Milliseconds between two steps: a bar of 400 pixels that shrinks in 30 s moves by less than a pixel in one."""


class HoldReason(StrEnum):
    """Why an approved send is not sent when it is due."""

    NONE = ""
    HOLD = "hold"
    WAIT = "wait"


def is_counting_down(item: Approval) -> bool:
    """Tell whether a rule sends it unless the operator stops it: the last moment to decide."""
    return item.task_status is TaskStatus.APPROVED and item.decided_by == Rule.COUNTDOWN_TRUST


def quiet_end(item: Approval, chat: Chat | None, agent: Agent | None, now: datetime) -> datetime | None:
    """Return when the quiet hours end for which a send of a rule's waits now, or None."""
    if chat is None or agent is None or not item.by_rule or item.due_at is None:
        return None
    until = quiet_until(chat.settings.quiet_hours, zone_named(agent.spec.timezone), now)
    return until if until is not None and item.due_at <= until else None


class SendStatus(QObject):
    """Knows what delays a send besides its own snapshot, and emits steps while the time to stop one runs.

    Attributes:
        stepped: Progress bars are shorter now; only while a time runs, every `STEP_MS`.
        words_changed: The words of a running time changed, usually once a second.
    """

    stepped = Signal()
    words_changed = Signal()

    def __init__(
        self, bridge: EngineBridge, clock: ClockFace, holds: HoldModel | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._clock, self._holds = clock, holds
        self._preferences: Callable[[], Preferences] = Preferences
        self._is_online: Callable[[AgentId], bool] = lambda _agent_id: True
        self._needs_log_in: Callable[[AgentId], bool] = lambda _agent_id: False
        self._server_waits: dict[tuple[AccountId, ChatId | None, str], datetime] = {}
        self._running: dict[ApprovalId, Approval] = {}
        self._shown: dict[ApprovalId, str] = {}
        self._steps = QTimer(self)
        self._steps.setInterval(STEP_MS)
        self._steps.timeout.connect(self._step)
        clock.ticked.connect(self._look)
        bridge.batch_ready.connect(self._receive)

    def learn(
        self,
        preferences: Callable[[], Preferences],
        is_online: Callable[[AgentId], bool],
        needs_log_in: Callable[[AgentId], bool] = lambda _agent_id: False,
    ) -> None:
        """Set what the times also depend on.

        Args:
            preferences: Returns the operator's preferences.
            is_online: Tells whether an agent is connected, so that the partner sees it typing.
            needs_log_in: Tells whether nothing of an agent is sent before its account is logged in again.
        """
        self._preferences, self._is_online, self._needs_log_in = preferences, is_online, needs_log_in

    def follow(self, item: Approval) -> None:
        """Follow the time of a send while it is approved."""
        before = self._running.pop(item.approval_id, None)
        if item.task_status is TaskStatus.APPROVED and item.due_at is not None:
            self._running[item.approval_id] = item
        if self._runs(item):
            self._steps.isActive() or self._steps.start()
        elif before is not None and self._steps.isActive():
            self._look()  # it may have been the last running one

    def follow_all(self, items: Iterable[Approval]) -> None:
        """Follow many sends that were loaded together."""
        approved = (item for item in items if item.task_status is TaskStatus.APPROVED and item.due_at is not None)
        self._running.update((item.approval_id, item) for item in approved)
        self._look()

    def forget(self, approval_id: ApprovalId) -> None:
        """Stop following a send."""
        self._running.pop(approval_id, None)

    def stop(self) -> None:
        """Stop the steps."""
        self._steps.stop()

    def running(self) -> tuple[Approval, ...]:
        """Return the sends that can still be stopped and whose time runs."""
        return tuple(item for item in self._running.values() if self.share_left(item) is not None)

    def share_left(self, item: Approval) -> float | None:
        """Return the share left of the time to stop a send, 0 to 1; None where no time runs.

        The time is that of undo or countdown, or that of typing if longer. For a send that was delayed further, to the
        morning or to the end of another send, it stays 1 until that last part begins.
        """
        if item.task_status is not TaskStatus.APPROVED or item.due_at is None or item.decided_at is None:
            return None
        left = (self._leaves_at(item, item.due_at) - self._clock.now()).total_seconds()
        preferences = self._preferences()
        whole = max(stoppable_s(item, preferences), typing_s(item, preferences))
        whole = min(whole, (item.due_at - item.decided_at).total_seconds())
        return min(1.0, left / whole) if whole > 0 < left and self.hold_reason_of(item) is HoldReason.NONE else None

    def is_typing(self, item: Approval) -> bool:
        """Tell whether the partner sees it being typed: the last part of its time."""
        if item.task_status is not TaskStatus.APPROVED or item.due_at is None or item.is_stale:
            return False
        left = (self._leaves_at(item, item.due_at) - self._clock.now()).total_seconds()
        typed = 0 < left <= typing_s(item, self._preferences())
        return typed and not self.is_held(item) and self._is_online(item.agent_id)

    def words(self, item: Approval) -> str:
        """Return the status in words."""
        if item.task_status is TaskStatus.APPROVED:
            return self._approved(item)
        later = item.postponed_until
        if item.task_status is TaskStatus.AWAITING_DECISION and later is not None and later > self._clock.now():
            return self.tr("Postponed, {time} left").format(time=self._clock.left(later))
        return {
            TaskStatus.SENDING: self.tr("Sending…"),
            TaskStatus.UNKNOWN: self.tr("Delivery unknown"),
            TaskStatus.DONE: self.tr("Sent") if is_message(item) else self.tr("Done"),
            TaskStatus.FAILED: self.tr("Failed, won't retry"),
            TaskStatus.SKIPPED: self.tr("Rejected"),
        }.get(item.task_status, self.tr("Waits for you"))

    @property
    def undo_s(self) -> float:
        """Seconds in which a decision can be undone."""
        return self._preferences().undo_s

    def is_held(self, item: Approval) -> bool:
        """Tell whether a hold covers its chat."""
        return self._holds is not None and self._holds.over(item.account_id, item.chat_id) is not None

    def hold_reason_of(self, item: Approval) -> HoldReason:
        """Return what delays an approved send: a hold, or a wait (a rate limit, or anything else that takes long)."""
        if item.task_status is not TaskStatus.APPROVED or item.due_at is None:
            return HoldReason.NONE
        if self.is_held(item):
            return HoldReason.HOLD
        now = self._clock.now()
        asked_to_wait = any(until > max(now, item.due_at) for until in self._waits_of(item))
        return HoldReason.WAIT if asked_to_wait or self._is_late(item, now) else HoldReason.NONE

    def _is_late(self, item: Approval, now: datetime) -> bool:
        """Tell whether it is past due and waits: `LATE` has passed, or a note or a log-out says for what."""
        if item.due_at is None:
            return False
        leaves_at = self._leaves_at(item, item.due_at)
        waits = bool(item.note) or self._needs_log_in(item.agent_id)
        return leaves_at <= now and (waits or now - leaves_at > LATE)

    def _approved(self, item: Approval) -> str:
        if self.is_held(item):
            return self.tr("Approved, held")
        if item.due_at is None:
            return self.tr("Waiting for the step before")
        if self._needs_log_in(item.agent_id):
            return self.tr("Waits for the account")  # no countdown: it is not sent when that is over
        leaves_at = self._leaves_at(item, item.due_at)
        if leaves_at > self._clock.now():
            words = self.tr("Typing, sends in {time}") if self.is_typing(item) else self.tr("Sends in {time}")
            return words.format(time=self._clock.left(leaves_at))
        return self.tr("Waits to be sent") if self._is_late(item, self._clock.now()) else self.tr("Sending…")

    def _leaves_at(self, item: Approval, due_at: datetime) -> datetime:
        """Return when a send is sent: when due, or when a postponement or rate limit ends later."""
        return max(due_at, item.postponed_until or due_at, *self._waits_of(item))

    def _waits_of(self, item: Approval) -> list[datetime]:
        """Return the ends of the rate limits that apply to this send."""
        method = METHODS.get(item.kind, "")
        keys = ((item.account_id, None, method), (item.account_id, item.chat_id, method))
        return [self._server_waits[key] for key in keys if key in self._server_waits]

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, ServerWaitBegan):
                self._server_waits[event.account_id, event.chat_id, event.method] = event.until

    def _look(self) -> None:
        """Start or stop the steps; a time that is far away needs only the window's tick of one second."""
        runs = any(map(self._runs, self._running.values()))
        if runs and not self._steps.isActive():
            self._steps.start()
        elif not runs and self._steps.isActive():
            self._steps.stop()

    def _runs(self, item: Approval) -> bool:
        share = self.share_left(item)
        return share is not None and share < 1

    def _step(self) -> None:
        shown = {item.approval_id: self.words(item) for item in self.running()}
        self.stepped.emit()
        if shown != self._shown:
            self._shown = shown
            self.words_changed.emit()
            self._look()
