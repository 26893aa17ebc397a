"""Chats as they are for the writer: read once, and known until something touches them.

A chat's row is the dearest of all to read (two counts and a preview), and every event about a chat carries it. It
stands on four tables. Whoever writes to the rows of one chat says which (`touch`) just before; a write that nobody has
announced forgets all of them. What a chat counts of its steps is counted anew from the steps at every look.
"""

from dataclasses import replace

from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import AccountId, ChatId, PeerId
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.ports import TaskRow

MOST_CHATS = 1024
"""More are not kept at a time."""

_OF_CHATS = frozenset({"chats", "messages", "agents"})
"""The tables a chat's row is made of, beside the steps."""

_ANNOUNCED = frozenset({"chats", "messages"})
"""Those of whose rows each belongs to one chat."""


class KeptChats:
    """The chats that the writer has read and nothing has touched since."""

    __slots__ = ("_announced", "_by_peer", "_chats")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._chats: dict[ChatId, Chat] = {}
        self._by_peer: dict[tuple[AccountId, PeerId], ChatId] = {}
        self._announced = False

    def clear(self) -> None:
        """Forget everything: what was written was taken back, or somebody else wrote."""
        self._chats.clear()
        self._by_peer.clear()
        self._announced = False

    def touch(self, chat_id: ChatId) -> None:
        """Forget one chat: the statement that comes next writes to its rows and to no other's."""
        self._chats.pop(chat_id, None)
        self._announced = True

    def touch_peer(self, account_id: AccountId, peer_id: PeerId) -> None:
        """Forget the chat with a peer: the statement that comes next writes to its rows and to no other's."""
        chat_id = self._by_peer.get((account_id, peer_id))
        if chat_id is not None:
            self._chats.pop(chat_id, None)
        self._announced = True

    def overtaken(self, table: str) -> None:
        """Somebody writes to a table: see `touch`."""
        if table not in _OF_CHATS:
            return
        if not self._announced or table not in _ANNOUNCED:
            self.clear()
        self._announced = False

    def keep(self, chat: Chat) -> Chat:
        """Take note of a chat as it was read just now."""
        if len(self._by_peer) >= MOST_CHATS:
            self.clear()
        self._chats[chat.chat_id] = chat
        self._by_peer[chat.info.account_id, chat.info.peer_id] = chat.chat_id
        return chat

    def known(self, chat_id: ChatId) -> Chat | None:
        """Return a chat, with the counts it had when it was looked at last."""
        return self._chats.get(chat_id)

    def get(self, chat_id: ChatId, steps: tuple[TaskRow, ...] | None) -> Chat | None:
        """Return a chat as it is now, if it is known and so are its open steps."""
        chat = self._chats.get(chat_id)
        if chat is None or steps is None:
            return None
        pending = sum(step.status is TaskStatus.AWAITING_DECISION for step in steps)
        planning = any(step.kind is TaskKind.RECEIVED and step.status is TaskStatus.RUNNING for step in steps)
        if chat.pending != pending or chat.planning is not planning:
            chat = self._chats[chat_id] = replace(chat, pending=pending, planning=planning)
        return chat

    def with_peer(self, account_id: AccountId, peer_id: PeerId) -> ChatId | None:
        """Return the number of a chat that was read once; it never changes."""
        return self._by_peer.get((account_id, peer_id))
