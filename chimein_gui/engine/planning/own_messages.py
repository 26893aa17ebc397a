"""What this account wrote while a model was thinking: our own sends, and what the operator wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.tasks import Origin, TaskStatus

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Transaction
    from chimein_gui.engine.prompt.inputs import PlanInputs

_ON_ITS_WAY = frozenset({TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.UNKNOWN})

_RECENT = 50
"""Messages looked at: nobody writes more during one model call."""


def written_since(tx: Transaction, chat: Chat, above_id: MessageId) -> tuple[Message, ...]:
    """Return the account's messages above an id, from whatever device, oldest first."""
    account, peer = chat.info.account_id, chat.info.peer_id
    if tx.messages.newest_id(account, peer) <= above_id:
        return ()
    recent = tx.messages.before(account, peer, before_id=None, limit=_RECENT)
    return tuple(message for message in recent if _counts(message) and message.key.message_id > above_id)


def confirmed_since(tx: Transaction, chat: Chat, above_id: MessageId) -> bool:
    """Tell whether a send of ours arrived above an id: a prompt that ends there does not know it."""
    return any(_is_ours(tx, message) for message in written_since(tx, chat, above_id))


def not_in_prompt(tx: Transaction, chat: Chat, begun: PlanInputs) -> tuple[Message, ...]:
    """Return the account's messages that a prompt has not seen, oldest first.

    One that is told late has a lower id than what the prompt ends with; what is older than its history is left out, and
    so is what belongs to another conversation.
    """
    if begun.considered.issuperset(tx.messages.newest_ids(chat.info.account_id, chat.info.peer_id, limit=_RECENT)):
        return ()  # nothing came: the rule
    found = written_since(tx, chat, MessageId(begun.span.low - 1))
    return tuple(message for message in found if message.key.message_id not in begun.considered)


def is_ignorant(tx: Transaction, chat: Chat, begun: PlanInputs) -> bool:
    """Tell whether a prompt does not know all that this account has written, or has on its way from the operator.

    What he composes leaves when the plan is made: until then nothing in the chat tells the model of it.
    """
    return bool(not_in_prompt(tx, chat, begun)) or any(
        step.status in _ON_ITS_WAY
        and step.graph_id is not None
        and tx.tasks.graph(step.graph_id).origin is Origin.OPERATOR
        for step in tx.tasks.current_of_chat(chat.chat_id)
    )


def confirmed_meanwhile(tx: Transaction, chat: Chat, begun: PlanInputs) -> bool:
    """Tell whether a send of ours arrived that a prompt does not know."""
    return any(_is_ours(tx, message) for message in not_in_prompt(tx, chat, begun))


def _is_ours(tx: Transaction, message: Message) -> bool:
    key = message.key
    return tx.ledger.owner_of(key.account_id, key.peer_id, key.message_id) is not None


def _counts(message: Message) -> bool:
    return message.out and not message.is_service
