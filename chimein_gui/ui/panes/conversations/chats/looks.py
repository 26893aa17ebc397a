"""Everything that a row of the tree shows, as data: rows with equal data share a cached image."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.holds import HoldScope
from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.ui.widgets.surfaces.health import agent_label
from chimein_gui.ui.widgets.surfaces.trust import trust_icon
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.chats.preview_kinds import ChatPreview, NewsKind
from chimein_gui.viewmodels.chats.previews import chat_preview_of, is_usual_trust, trust_words

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.viewmodels.holds import HoldModel
    from chimein_gui.viewmodels.window import WindowModels

_NEWS_LOOKS = {
    NewsKind.FAILED: ("alert", "danger"),
    NewsKind.UNKNOWN: ("question", "attention"),
    NewsKind.COUNTDOWN: ("timer", "attention"),
    NewsKind.PLANNED: ("planned", "attention"),
    NewsKind.LEAVING: ("send", "attention"),
    NewsKind.SENDING: ("send", "info"),
    NewsKind.TAKEN_OVER: ("hand-grabbing", "info"),
    NewsKind.PROBLEM: ("alert", "danger"),
    NewsKind.PAUSED: ("pause-circle", "attention"),
    NewsKind.NOTED: ("info", "text2"),
    NewsKind.TYPING: ("keyboard", "accent_text"),
    NewsKind.PLANNING: ("spinner", "info"),
    NewsKind.UNSENT: ("pencil", "info"),
    NewsKind.WATCHED: ("eye", "text2"),
}


class AgentLook(NamedTuple):
    """Everything that an agent's row shows."""

    name: str
    identity: int
    label: IconLabel
    expanded: bool
    pending: int
    first: bool
    hovered: bool


class ChatLook(NamedTuple):
    """Everything that a chat's row shows.

    Attributes:
        label: The trust level, or that the chat is held; None if the chat has its agent's usual level.
        news: What is special about the newest message or draft.
        marks: Icons for muted and pinned chats.
    """

    title: str
    group: bool
    stamp: str
    label: IconLabel | None
    unread: int
    pending: int
    news: IconLabel | None
    text: str
    selected: bool
    hovered: bool
    marks: tuple[str, ...] = ()


translate = QCoreApplication.translate


def agent_look(models: WindowModels, agent: Agent, *, expanded: bool, first: bool, hovered: bool) -> AgentLook:
    """Return what an agent's row shows; it has a badge only while its chats are collapsed."""
    pending = 0 if expanded else models.chats.pending_of(agent.agent_id)
    name = foreign_text.name(agent.spec.name)
    return AgentLook(
        name, agent.identity, agent_label(agent, models.holds, models.clock), expanded, pending, first, hovered
    )


def chat_look(models: WindowModels, chat: Chat, *, selected: bool, hovered: bool) -> ChatLook:
    """Return what a chat's row shows."""
    news, marks = chat_preview_of(models, chat), models.chats.marks
    return ChatLook(
        foreign_text.name(chat.info.title),
        chat.info.kind is not ChatKind.DM,
        models.clock.stamp(chat.last_at) if chat.last_at is not None else "",
        _row_label(models, chat),
        chat.unread,
        chat.pending,
        news_label(news),
        foreign_text.line(news.text),
        selected,
        hovered and not selected,
        tuple(icon for icon, marked in (("bell-off", marks.muted), ("pin", marks.pinned)) if chat.chat_id in marked),
    )


def _row_label(models: WindowModels, chat: Chat) -> IconLabel | None:
    """Return a chat's label; None if it says the same as for the agent's other chats."""
    if is_usual_trust(models, chat) and not _is_held(models.holds, chat):
        return None
    return chat_label(models, chat, short=True)


def _is_held(holds: HoldModel, chat: Chat) -> bool:
    return any(hold.scope is HoldScope.CHAT and hold.target == chat.chat_id for hold in holds.holds)


def chat_label(models: WindowModels, chat: Chat, *, short: bool) -> IconLabel:
    """Return the trust level of a chat, or that it is held."""
    if _is_held(models.holds, chat):
        return IconLabel("hand", translate("ChatRows", "Held"), "attention")
    level = trust_now(chat, models.clock.now())
    label = trust_icon(level)
    return IconLabel(label.icon, trust_words(models, chat, level, short=short), label.token)


def news_label(news: ChatPreview) -> IconLabel | None:
    """Return what is special about a preview; None for an ordinary message."""
    if news.kind not in _NEWS_LOOKS:
        return None
    icon, token = _NEWS_LOOKS[news.kind]
    return IconLabel(icon, foreign_text.line(news.words), token)
