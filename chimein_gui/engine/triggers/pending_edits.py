"""Edits and deletes that come before the message they are about.

A history that is on its way shows the messages as they were when Telegram was asked; what happens to one of them
meanwhile is reported at once, about a message that is not stored yet, and nobody tells it again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from chimein_gui.domain.ids import AccountId, MessageId, PeerId
    from chimein_gui.domain.messages import Message, MessageKey

_EDITS = 200
_DELETES = 2_000
_NEWEST_CHANNEL = -1_000_000_000_000
"""Channels have marked ids below it, and a sequence of message ids each; all other chats of an account share one."""

_Place = tuple[int, int | None, int]
K = TypeVar("K")
V = TypeVar("V")


class PendingEdits:
    """Remembers the last edits and deletes of unknown messages; most never turn up, being older than what is stored."""

    def __init__(self) -> None:
        self._edits: dict[MessageKey, Message] = {}
        self._deletes: dict[_Place, None] = {}

    def edited(self, message: Message) -> None:
        """Remember an edit."""
        if message.edited_at is not None:
            self._edits.pop(message.key, None)
            self._edits[message.key] = message
            _keep_newest(self._edits, _EDITS)

    def deleted(self, account_id: AccountId, peer_id: PeerId | None, ids: Iterable[MessageId]) -> None:
        """Remember deletes, as they are reported: without a peer outside channels."""
        self._deletes.update(dict.fromkeys((account_id, peer_id, message_id) for message_id in ids))
        _keep_newest(self._deletes, _DELETES)

    def as_it_is_now(self, message: Message) -> Message:
        """Return a message that is about to be stored with what has happened to it already."""
        key = message.key
        edit = self._edits.get(key)
        if edit is not None and _edited(message) <= _edited(edit):
            message = replace(message, text=edit.text, entities=edit.entities, edited_at=edit.edited_at)
        without_peer = (key.account_id, None, key.message_id)
        is_gone = (key.account_id, key.peer_id, key.message_id) in self._deletes or (
            key.peer_id > _NEWEST_CHANNEL and without_peer in self._deletes
        )
        return replace(message, deleted=True) if is_gone else message


def _edited(message: Message) -> datetime:
    return message.edited_at or message.sent_at


def _keep_newest(remembered: dict[K, V], count: int) -> None:
    while len(remembered) > count:
        del remembered[next(iter(remembered))]
