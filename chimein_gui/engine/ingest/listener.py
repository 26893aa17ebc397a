"""What one agent's gateway reports to: it only enqueues, so that no handler ever waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.engine.ingest.receive import deleted, edited, reacted

if TYPE_CHECKING:
    from chimein_gui.domain.accounts.group_moves import GroupMove
    from chimein_gui.domain.chats import ChatInfo
    from chimein_gui.domain.ids import AccountId, AgentId, MessageId, PeerId
    from chimein_gui.domain.messages import Message, MessageKey, Reaction
    from chimein_gui.engine.ingest.ingest import Ingest, Work
    from chimein_gui.engine.ports import Transaction


class AgentListener:
    """The `GatewayListener` of one agent: it only enqueues."""

    def __init__(self, ingest: Ingest, agent_id: AgentId) -> None:
        """Bind the agent, so that no message has to be matched with its account first."""
        self._ingest = ingest
        self._agent_id = agent_id

    def _enqueue(self, work: Work) -> None:
        self._ingest.enqueue(work, self._agent_id)

    def message_arrived(self, chat: ChatInfo, message: Message) -> None:
        """Store a message."""
        self._enqueue(lambda tx: self._ingest.receive(tx, self._agent_id, chat, message))

    def message_edited(self, chat: ChatInfo, message: Message) -> None:
        """Store an edit; drafts that saw the old text are marked."""

        def edit(tx: Transaction) -> list[EngineEvent]:
            row = tx.chats.find(chat.account_id, chat.peer_id)
            if row is None or tx.messages.get(message.key) is None:
                self._ingest.overtaken.edited(message)
                return []
            return edited(tx, row, message)

        self._enqueue(edit)

    def reactions_changed(self, key: MessageKey, reactions: tuple[Reaction, ...], *, tells_mine: bool) -> None:
        """Store what people think of a message: no edit, so no draft is concerned."""
        self._enqueue(lambda tx: reacted(tx, key, reactions, tells_mine=tells_mine))

    def messages_deleted(self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]) -> None:
        """Mark messages as deleted; drafts that saw them are marked."""

        def delete(tx: Transaction) -> list[EngineEvent]:
            events, gone = deleted(tx, account_id, peer_id, ids)
            self._ingest.overtaken.deleted(account_id, peer_id, (one for one in ids if one not in gone))
            return events

        self._enqueue(delete)

    def incoming_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """This account read a chat on another device."""
        self._enqueue(lambda tx: _mark_read(tx, account_id, peer_id, up_to, by_partner=False))

    def outgoing_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """The partner read our messages."""
        self._enqueue(lambda tx: _mark_read(tx, account_id, peer_id, up_to, by_partner=True))

    def partner_typing(self, account_id: AccountId, peer_id: PeerId) -> None:
        """The partner types."""
        self._ingest.partner_types(account_id, peer_id)

    def peer_blocked(self, account_id: AccountId, peer_id: PeerId, *, is_blocked: bool) -> None:
        """Whom this account hears in groups has changed."""
        self._ingest.peer_blocked(account_id, peer_id, is_blocked=is_blocked)

    def group_moved(self, move: GroupMove) -> None:
        """Remember which supergroup a group became, before any of its messages is stored."""
        self._ingest.moves.add(move)

        def note(tx: Transaction) -> list[EngineEvent]:
            tx.accounts.note_move(move)
            return []

        self._enqueue(note)

    def mute_changed(self, account_id: AccountId, peer_id: PeerId | None) -> None:
        """Somebody set how a chat notifies, on whatever device; without a peer all chats of a kind."""
        self._ingest.mute_changed(account_id, peer_id)

    def left_out(self, ids: tuple[MessageId, ...]) -> None:
        """Tell the operator of messages that can't be read, each once."""
        self._ingest.left_out.tell(self._agent_id, ids)

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
