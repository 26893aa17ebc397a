"""What will become of a planned send, in words: a countdown, a hold, a wait of Telegram's."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.domain.events import ServerWaitBegan
from chimein_gui.domain.tasks import METHODS, TaskStatus
from chimein_gui.viewmodels.card_words import is_message

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, ChatId
    from chimein_gui.viewmodels.bridge import EngineBridge
    from chimein_gui.viewmodels.clock_face import ClockFace
    from chimein_gui.viewmodels.holds import HoldModel


LATE = timedelta(seconds=3)
"""An approved send that has not left so long after its time waits for something."""


class Brake(StrEnum):
    """What keeps an approved send from leaving when its time has come."""

    NONE = ""
    HOLD = "hold"
    WAIT = "wait"


class Fates(QObject):
    """Knows what holds a send back, beside what its own snapshot says."""

    def __init__(
        self, bridge: EngineBridge, clock: ClockFace, holds: HoldModel | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._clock, self._holds = clock, holds
        self._server_waits: dict[tuple[AccountId, ChatId | None, str], datetime] = {}
        bridge.batch_ready.connect(self._receive)

    def words(self, item: Approval) -> str:
        """Return what will become of it."""
        if item.task_status is TaskStatus.APPROVED:
            return self._approved(item)
        later = item.postponed_until
        if item.task_status is TaskStatus.AWAITING_DECISION and later is not None and later > self._clock.now():
            return self.tr("Postponed, {time} left").format(time=self._clock.left(later))
        return {
            TaskStatus.SENDING: self.tr("Sending…"),
            TaskStatus.UNKNOWN: self.tr("Unknown if delivered"),
            TaskStatus.DONE: self.tr("Sent") if is_message(item) else self.tr("Done"),
            TaskStatus.FAILED: self.tr("Failed, will not retry"),
        }.get(item.task_status, self.tr("Waits for you"))

    def is_held(self, item: Approval) -> bool:
        """Tell whether a brake holds its chat."""
        return self._holds is not None and self._holds.over(item.account_id, item.chat_id) is not None

    def brake_of(self, item: Approval) -> Brake:
        """Return what keeps an approved send from leaving: a hold, a wait of Telegram's, anything that takes long."""
        if item.task_status is not TaskStatus.APPROVED or item.due_at is None:
            return Brake.NONE
        if self.is_held(item):
            return Brake.HOLD
        now = self._clock.now()
        told_to_wait = any(until > max(now, item.due_at) for until in self._waits_of(item))
        return Brake.WAIT if told_to_wait or self._is_late(item, now) else Brake.NONE

    def _is_late(self, item: Approval, now: datetime) -> bool:
        """Tell whether its time is over: what it waits for stands on the card, also from before a restart."""
        if item.due_at is None:
            return False
        leaves_at = max(item.due_at, item.postponed_until or item.due_at, *self._waits_of(item))
        return leaves_at <= now and (bool(item.note) or now - leaves_at > LATE)

    def _approved(self, item: Approval) -> str:
        if self.is_held(item):
            return self.tr("Approved, held")
        if item.due_at is None:
            return self.tr("Waits for the step before it")
        leaves_at = max(item.due_at, item.postponed_until or item.due_at, *self._waits_of(item))
        if leaves_at > self._clock.now():
            return self.tr("Sends in {time}").format(time=self._clock.left(leaves_at))
        return self.tr("Waits to leave") if self._is_late(item, self._clock.now()) else self.tr("Sending…")

    def _waits_of(self, item: Approval) -> list[datetime]:
        """Return until when Telegram told this send to wait."""
        method = METHODS.get(item.kind, "")
        keys = ((item.account_id, None, method), (item.account_id, item.chat_id, method))
        return [self._server_waits[key] for key in keys if key in self._server_waits]

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, ServerWaitBegan):
                self._server_waits[event.account_id, event.chat_id, event.method] = event.until
