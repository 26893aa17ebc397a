"""Keeps forgotten messages from being stored again: Telegram still has them, and every fetch brings them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.ids import MessageId

if TYPE_CHECKING:
    from chimein_gui.adapters.store.sql import Sql
    from chimein_gui.domain.ids import AccountId, PeerId
    from chimein_gui.domain.messages import Message

OF_PEER = "SELECT person_id, up_to FROM forgotten WHERE account_id = ? AND peer_id = ?"


class ForgottenMessages:
    """Tells which messages are not stored again."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def up_to(self, account_id: AccountId, peer_id: PeerId, person_id: int) -> MessageId:
        """Return up to which message a person was forgotten in a chat; 0 if not at all."""
        for person, up_to in self._sql.all(OF_PEER, account_id, peer_id):
            if person == person_id:
                return MessageId(up_to)
        return MessageId(0)

    def holds(self, message: Message) -> bool:
        """Tell whether a message was forgotten: in a direct chat every one, in others those of the person."""
        key = message.key
        for person, up_to in self._sql.all(OF_PEER, key.account_id, key.peer_id):
            if key.message_id <= up_to and person in (key.peer_id, message.sender_id):
                return True
        return False
