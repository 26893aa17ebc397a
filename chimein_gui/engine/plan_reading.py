"""From a parsed reply to planned sends: what can be sent, and what the operator must know of the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import MAX_MESSAGE_UNITS, MessageKey
from chimein_gui.domain.replies import BlockKind
from chimein_gui.engine.gate import text_problem

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.replies import Block, Reply
    from chimein_gui.engine.ports import Transaction


LONGEST_DRAFT = 2 * MAX_MESSAGE_UNITS
"""Characters kept of a message that the model writes without end; more than Telegram takes, so that it is seen."""


@dataclass(frozen=True, slots=True)
class PlannedSend:
    """One message of a plan, before it has a row.

    Attributes:
        text: What would be sent.
        reply_to: The message it answers; known to exist in the chat.
    """

    text: str
    reply_to: MessageId | None


def planned_sends(tx: Transaction, chat: Chat, reply: Reply) -> tuple[list[PlannedSend], tuple[str, ...]]:
    """Take the sends out of a reply; everything that is not sent is said."""
    problems = [f"line {problem.line}: {problem.text}" for problem in reply.problems]
    sends = []
    for block in reply.blocks:
        if block.kind is BlockKind.THINK:
            continue
        if block.kind is not BlockKind.SEND:
            problems.append(f"line {block.line}: «{block.kind}» is not available yet and was left out")
            continue
        body = block.body[:LONGEST_DRAFT]
        if body != block.body:
            problems.append(f"line {block.line}: a message of {len(block.body):,} characters was cut")
        sends.append(PlannedSend(body, _known_reply(tx, chat, block, problems)))
        too_long = text_problem(body)
        if too_long:
            problems.append(f"line {block.line}: {too_long}")
    return sends, tuple(problems)


def _known_reply(tx: Transaction, chat: Chat, block: Block, problems: list[str]) -> MessageId | None:
    if block.reply_to is None:
        return None
    key = MessageKey(chat.info.account_id, chat.info.peer_id, MessageId(block.reply_to))
    if block.reply_to < 1 << 31 and tx.messages.get(key) is not None:
        return key.message_id
    problems.append(f"line {block.line}: there is no message {block.reply_to} in this chat; sent without a reply")
    return None


def summary(sends: list[PlannedSend], problems: tuple[str, ...]) -> str:
    """One line for the chat: why there is no draft, or what of the reply was left out."""
    if not sends:
        reason = f" ({problems[0]})" if problems else ""
        return f"The model decided not to answer{reason}."
    return f"Part of the reply was left out: {problems[0]}" if problems else ""
