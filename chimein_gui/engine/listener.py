"""What one agent's gateway reports to: it only enqueues, so that no handler ever waits (FACTS, Telethon)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.events import ChatChanged, EngineEvent, MessageStored
from chimein_gui.engine.triggers import mark_rewritten

if TYPE_CHECKING:
    from chimein_gui.domain.chats import ChatInfo
    from chimein_gui.domain.ids import AccountId, AgentId, MessageId, PeerId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ingest import Ingest
    from chimein_gui.engine.ports import Transaction


class AgentListener:
    """The `GatewayListener` of one agent: it only enqueues."""

    def __init__(self, ingest: Ingest, agent_id: AgentId) -> None:
        """Bind the agent, so that no message has to be matched with its account first."""
        self._ingest = ingest
        self._agent_id = agent_id

    def message_arrived(self, chat: ChatInfo, message: Message) -> None:
        """Store a message."""
        self._ingest.enqueue(lambda tx: self._ingest.receive(tx, self._agent_id, chat, message))

    def message_edited(self, chat: ChatInfo, message: Message) -> None:
        """Store an edit; drafts that saw the old text are marked."""

        def edit(tx: Transaction) -> list[EngineEvent]:
            row = tx.chats.find(chat.account_id, chat.peer_id)
            before = tx.messages.get(message.key)
            if row is None or before is None:
                self._ingest.overtaken.edited(message)
                return []
            if not tx.messages.edit(message):
                return []
            stored = tx.messages.get(message.key) or message
            # Telegram also reports an edit for a reaction or a preview: only another text makes a draft stale.
            rewritten = stored.text != before.text and not message.out
            changed = mark_rewritten(tx, row, message) if rewritten else []
            return [
                MessageStored(row.chat_id, stored, tx.revision),
                *changed,
                ChatChanged(tx.chats.get(row.chat_id), tx.revision),
            ]

        self._ingest.enqueue(edit)

    def messages_deleted(self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]) -> None:
        """Mark messages as deleted; drafts that saw them are marked."""

        def delete(tx: Transaction) -> list[EngineEvent]:
            events: list[EngineEvent] = []
            marked = tx.messages.mark_deleted(account_id, peer_id, ids)
            there = {message.key.message_id for _, message in marked}
            self._ingest.overtaken.deleted(account_id, peer_id, (one for one in ids if one not in there))
            for chat_id, message in marked:
                events.append(MessageStored(chat_id, message, tx.revision))
                events += mark_rewritten(tx, tx.chats.get(chat_id), message)
                events.append(ChatChanged(tx.chats.get(chat_id), tx.revision))
            return events

        self._ingest.enqueue(delete)

    def incoming_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """This account read a chat on another device."""
        self._ingest.enqueue(lambda tx: _mark_read(tx, account_id, peer_id, up_to, by_partner=False))

    def outgoing_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """The partner read our messages."""
        self._ingest.enqueue(lambda tx: _mark_read(tx, account_id, peer_id, up_to, by_partner=True))

    def partner_typing(self, account_id: AccountId, peer_id: PeerId) -> None:
        """The partner types."""
        self._ingest.publish_typing(account_id, peer_id)

    def updates_skipped(self) -> None:
        """Compare the chats after the next connect."""
        self._ingest.must_compare.add(self._agent_id)


def _mark_read(
    tx: Transaction, account_id: AccountId, peer_id: PeerId, up_to: MessageId, *, by_partner: bool
) -> list[EngineEvent]:
    chat = tx.chats.find(account_id, peer_id)
    if chat is None:
        return []
    if by_partner:
        tx.chats.set_partner_read_up_to(chat.chat_id, up_to)
    else:
        tx.chats.set_read_up_to(chat.chat_id, up_to)
    return [ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]
