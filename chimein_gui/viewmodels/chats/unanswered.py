"""The chats whose messages wait for an answer that nobody prepares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.chats import ChatKind, TrustLevel
from chimein_gui.viewmodels.chats.filter import lacks_plan

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel
    from chimein_gui.viewmodels.window import WindowModels

_SILENT = frozenset({TrustLevel.OFF, TrustLevel.OBSERVE})


def is_unanswered(chat: Chat) -> bool:
    """Tell whether messages wait for an answer, and neither a plan in progress nor a draft is there for them.

    In a group only where planning failed: most messages there need no answer. Where the chat's trust level sends
    nothing, nothing waits.
    """
    is_prepared = chat.planning or chat.pending or chat.postponed
    if is_prepared or chat.last_out or chat.trust in _SILENT or chat.newest_in_id <= chat.planned_up_to:
        return False
    return chat.info.kind is ChatKind.DM or lacks_plan(chat)


class UnansweredChats(QObject):
    """Follows the unanswered chats.

    Attributes:
        changed: Their number or the oldest of them may have changed.
    """

    changed = Signal()

    def __init__(self, chats: ChatTreeModel) -> None:
        super().__init__(chats)
        self._chats = chats
        self._since: dict[ChatId, datetime] = {}
        self._chats.feed.chats_changed.connect(self._follow)
        self._chats.modelReset.connect(self._read)

    def count(self, until: datetime) -> int:
        """Return how many wait since `until`, aware UTC, or longer."""
        return sum(since <= until for since in self._since.values())

    @property
    def since(self) -> datetime | None:
        """When the last message of the chat that waits longest came, aware UTC; None if there is none."""
        return min(self._since.values(), default=None)

    def _read(self) -> None:
        self._since.clear()
        self._note(chat for chat in self._chats.all_chats())

    def _follow(self, touched: Iterable[ChatId]) -> None:
        if not touched:  # an agent came or went with its chats
            self._read()
            return
        chats = [(chat_id, self._chats.chat(chat_id)) for chat_id in touched]
        for chat_id, _ in chats:
            self._since.pop(chat_id, None)
        self._note(chat for _, chat in chats if chat is not None)

    def _note(self, chats: Iterable[Chat]) -> None:
        waiting = (one for one in chats if is_unanswered(one))
        self._since |= {one.chat_id: one.last_at for one in waiting if one.last_at is not None}
        self.changed.emit()


def make_unanswered(models: WindowModels) -> UnansweredChats:
    """Return the model; for `WindowModels.own`."""
    return UnansweredChats(models.chats)
