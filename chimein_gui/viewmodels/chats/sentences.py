"""The rows of the chat tree as sentences, for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.viewmodels.accounts.words import health_words
from chimein_gui.viewmodels.chats.preview_kinds import NewsKind, minutes_taken_over
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.transcript.message_words import preview_words
from chimein_gui.viewmodels.words.notes import problem_sentence
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.viewmodels.chats.marks import ChatMarks
    from chimein_gui.viewmodels.chats.preview_kinds import ChatPreview
    from chimein_gui.viewmodels.core.clock import ClockFace

translate = QCoreApplication.translate

_SAID_OTHERWISE = frozenset(
    {NewsKind.MESSAGE, NewsKind.PLANNED, NewsKind.TYPING, NewsKind.PLANNING, NewsKind.LEAVING}
    | {NewsKind.PROBLEM, NewsKind.NOTED, NewsKind.TAKEN_OVER}
)
"""Previews that the sentence of a chat leaves out, because it says the same in other words."""


def agent_sentence(agent: Agent, pending: int) -> str:
    """Return an agent as one sentence; `pending` of its planned sends wait for a decision."""
    waits = translate("ChatTreeModel", "%n waiting for you", "", pending) if pending else ""
    return ", ".join(part for part in (spoken(agent.spec.name), health_words(agent.health), waits) if part)


def chat_sentence(chat: Chat, news: ChatPreview | None, clock: ClockFace, marks: ChatMarks, *, types: bool) -> str:
    """Return a chat as one sentence.

    Args:
        chat: The chat.
        news: The preview of its row; None if there is none.
        clock: Says times.
        marks: Which chats are pinned or muted.
        types: The partner is typing now.
    """
    minutes = minutes_taken_over(chat, clock.now())
    special = news.words if news is not None and news.kind not in _SAID_OTHERWISE else ""
    parts = [
        spoken(chat.info.title),
        special,
        translate("ChatTreeModel", "you took over, %n min left", "", minutes) if minutes else "",
        translate("ChatTreeModel", "typing") if types else "",
        translate("ChatTreeModel", "{n} planned, waiting for you").format(n=chat.pending) if chat.pending else "",
        translate("ChatTreeModel", "{n} unread").format(n=chat.unread) if chat.unread else "",
        translate("ChatTreeModel", "planning a reply") if chat.planning else "",
        translate("ChatTreeModel", "pinned") if chat.chat_id in marks.pinned else "",
        translate("ChatTreeModel", "muted") if chat.chat_id in marks.muted else "",
        spoken(problem_sentence(chat.planning_problem)),
        translate("ChatTreeModel", "trust {level}").format(level=trust_word(trust_now(chat, clock.now()))),
        (translate("ChatTreeModel", "you: {text}") if chat.last_out else "{text}").format(
            text=preview_words(spoken(chat.last_text), chat.last_media)
        ),
        clock.stamp(chat.last_at) if chat.last_at else "",
    ]
    return ", ".join(part for part in parts if part)
