"""Chats as they are for the writer: read once, and known as they are written.

A chat's row is the dearest of all to read (two counts and a preview), and every event about a chat carries it. It
stands on four tables. Whoever writes to the rows of one chat says what becomes of it, or that it is not known any more
(`touch`). What a chat counts of its steps is counted anew from the steps at every look.
"""

from dataclasses import replace
from typing import Any

from chimein_gui.adapters.store.cache.steps import KeptSteps
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import AccountId, ChatId, PeerId
from chimein_gui.domain.tasks import TaskKind, TaskStatus

MOST_CHATS = 1024
"""More are not kept at a time."""


class KeptChats:
    """The chats that the writer has read and nothing has touched since."""

    __slots__ = ("_by_peer", "_chats", "_steps")

    def __init__(self, steps: KeptSteps) -> None:
        """Begin with nothing."""
        self._steps = steps
        self._chats: dict[ChatId, Chat] = {}
        self._by_peer: dict[tuple[AccountId, PeerId], ChatId] = {}

    def clear(self) -> None:
        """Forget everything: what was written was taken back, or somebody else wrote."""
        self._chats.clear()
        self._by_peer.clear()

    def touch(self, chat_id: ChatId) -> None:
        """Forget one chat: something of it was written that is not known here."""
        self._chats.pop(chat_id, None)

    def touch_peer(self, account_id: AccountId, peer_id: PeerId) -> None:
        """Forget the chat with a peer."""
        chat_id = self._by_peer.get((account_id, peer_id))
        if chat_id is not None:
            self.touch(chat_id)

    def changed(self, chat_id: ChatId, **fields: Any) -> None:  # noqa: ANN401 - the fields of `Chat`
        """Columns of a chat were written: this is what they are now."""
        chat = self._chats.get(chat_id)
        if chat is not None:
            self._chats[chat_id] = replace(chat, **fields)

    def keep(self, chat: Chat) -> Chat:
        """Take note of a chat as it was read just now."""
        if len(self._by_peer) >= MOST_CHATS:
            self.clear()
        self._chats[chat.chat_id] = chat
        self._by_peer[chat.info.account_id, chat.info.peer_id] = chat.chat_id
        return chat

    def known(self, chat_id: ChatId) -> Chat | None:
        """Return a chat, with the counts of its steps that it had when it was looked at last."""
        return self._chats.get(chat_id)

    def get(self, chat_id: ChatId) -> Chat | None:
        """Return a chat as it is now, if it is known and so are its open steps."""
        chat = self._chats.get(chat_id)
        steps = self._steps.open_of(chat_id)
        if chat is None or steps is None:
            return None
        pending, planning = 0, False
        for step in steps:
            if step.status is TaskStatus.AWAITING_DECISION:
                pending += 1
            elif step.status is TaskStatus.RUNNING and step.kind is TaskKind.RECEIVED:
                planning = True
        if chat.pending != pending or chat.planning is not planning:
            chat = self._chats[chat_id] = replace(chat, pending=pending, planning=planning)
        return chat

    def with_peer(self, account_id: AccountId, peer_id: PeerId) -> ChatId | None:
        """Return the number of a chat that was read once; it never changes."""
        return self._by_peer.get((account_id, peer_id))
