"""Inputs of a small prompt: one agent, one chat, and the messages of a test."""

from __future__ import annotations

from datetime import UTC, datetime

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.engine.prompt.builder import PromptInputs

NOW = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)
CHAT = Chat(ChatId(1), AgentId(1), ChatInfo(AccountId(1), PeerId(7), ChatKind.DM, "Marta"))
AGENT = AgentSpec("Nora", "+9996621001", "You are {{char}}.", ("Person",), ("Talk with {user}.",), "Asia/Tokyo")


def message(number: int, text: str, *, out: bool = False, name: str = "Marta", reply_to: int | None = None) -> Message:
    return Message(
        MessageKey(AccountId(1), PeerId(7), MessageId(number)),
        UserId(1 if out else 7),
        name,
        out,
        NOW,
        text,
        reply_to_id=None if reply_to is None else MessageId(reply_to),
    )


def inputs(*history: Message, trigger: int | None = None) -> PromptInputs:
    ids = (MessageId(trigger),) if trigger else ()
    return PromptInputs(AGENT, CHAT, history, None, ids, "Model of {{char}}.", "gemini-x", NOW)
