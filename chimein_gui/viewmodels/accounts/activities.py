"""What each agent is doing now, in words: planning, typing, sending, waiting for Telegram, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.agents import Health
from chimein_gui.domain.events import ApprovalRequested, ApprovalResolved, ServerWaitBegan, TaskStatusChanged
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.holds import HoldModel

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Activity:
    """An agent's current activity as the window shows it.

    Attributes:
        icon: Name of an icon; empty for an idle agent.
        words: The text; foreign names in it are sanitized and cut. Empty where the agent's health is shown instead.
        token: Name of a colour.
    """

    icon: str
    words: str
    token: str = "text2"


class AgentActivities(QObject):
    """Follows chats and sends of all agents.

    Attributes:
        changed: The activity of an agent may have changed.
    """

    changed = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        chats: ChatTreeModel,
        holds: HoldModel,
        clock: ClockFace,
        approvals: ApprovalStore,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._chats, self._holds, self._clock, self._approvals = chats, holds, clock, approvals
        self._planning: dict[AgentId, dict[ChatId, str]] = {}
        self._last_out: dict[AgentId, datetime] = {}
        self._waits: dict[AccountId, datetime] = {}
        chats.feed.chats_changed.connect(self._look_at_chats)
        approvals.upcoming_changed.connect(self.changed)
        bridge.batch_ready.connect(self._receive)

    def of(self, agent: Agent) -> Activity:
        """Return an agent's current activity; its words are empty unless the agent is online."""
        if agent.health is not Health.ONLINE:
            return Activity("", "")
        held = self._holds.everything() is not None or self._holds.of_account(agent.account_id) is not None
        return self._sending(agent, held=held) or self._thinking(agent) or self._waiting(agent) or self._at_rest(agent)

    def _sending(self, agent: Agent, *, held: bool) -> Activity | None:
        leaving = self._approvals.leaving.of_agent(agent.agent_id)
        now = self._clock.now()
        for item in leaving:
            if item.task_status is TaskStatus.SENDING:
                return Activity("send", self.tr("Sends to {who}").format(who=_short(item.chat_title)), "info")
        due = [item for item in leaving if item.due_at is not None and item.due_at >= now]
        first = min(due, key=lambda item: item.due_at or now, default=None)
        if first is None or first.due_at is None or held:
            return None
        if self._approvals.send_status.is_typing(first):
            return Activity("pencil", self.tr("Types to {who}").format(who=_short(first.chat_title)), "info")
        words = self.tr("Sends to {who} in {time}")
        words = words.format(who=_short(first.chat_title), time=self._clock.left(first.due_at))
        return Activity("clock", words, "attention")

    def _thinking(self, agent: Agent) -> Activity | None:
        planning = self._planning.get(agent.agent_id, {})
        if not planning:
            return None
        first = _short(next(iter(planning.values())))
        if len(planning) == 1:
            return Activity("planned", self.tr("Plans for {who}").format(who=first), "info")
        count = len(planning) - 1
        words = translate("AgentActivities", "Plans for {who} and %n more", "", count).format(who=first)
        return Activity("planned", words, "info")

    def _waiting(self, agent: Agent) -> Activity | None:
        if agent.waits:
            return None  # each wait is shown on a line of its own
        until = self._waits.get(agent.account_id) if agent.account_id is not None else None
        if until is None or until <= self._clock.now():
            return None
        words = self.tr("Telegram rate limit, {time}").format(time=self._clock.left(until))
        return Activity("hourglass", words, "info")

    def _at_rest(self, agent: Agent) -> Activity:
        since = self._last_out.get(agent.agent_id)
        words = self.tr("Last active {time}").format(time=self._clock.stamp(since)) if since else self.tr("Idle")
        return Activity("", words)

    def _look_at_chats(self, touched: frozenset[ChatId]) -> None:
        for chat_id in touched:
            chat = self._chats.chat(chat_id)
            if chat is None:
                continue
            planning = self._planning.setdefault(chat.agent_id, {})
            if chat.planning:
                planning[chat_id] = chat.info.title
            else:
                planning.pop(chat_id, None)
            if chat.last_out and chat.last_at is not None:
                known = self._last_out.get(chat.agent_id)
                self._last_out[chat.agent_id] = max(known, chat.last_at) if known is not None else chat.last_at
        self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        touched = False
        for event in events:
            if isinstance(event, ApprovalRequested | ApprovalResolved | TaskStatusChanged):
                touched = True  # the store, which subscribed first, has applied it
            elif isinstance(event, ServerWaitBegan) and event.chat_id is None:
                self._waits[event.account_id] = event.until
                touched = True
        if touched:
            self.changed.emit()


def _short(name: str) -> str:
    return f"\u2068{spoken(name)}\u2069"


def shown_phone(phone: str) -> str:
    """Return a telephone number for the screen: one of Telegram's test range in full, others without their middle."""
    digits = phone.lstrip("+")
    if digits.startswith("99966") or len(digits) < 7:
        return phone
    return f"+{digits[:2]} … {digits[-2:]}"
