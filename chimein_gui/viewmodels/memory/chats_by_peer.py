"""Chats by the name of their agent and their peer, as memory files name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AgentId, ChatId, PeerId
    from chimein_gui.viewmodels.window import WindowModels


class ChatsByPeer:
    """Kept in step with the chats: going through tens of thousands anew every two seconds would block the window."""

    def __init__(self, models: WindowModels) -> None:
        self._models = models
        self._names: dict[AgentId, str] = {}
        self._titles: dict[tuple[str, PeerId], str] = {}
        self._ids: dict[tuple[str, PeerId], ChatId] = {}
        self._touched: set[ChatId] | None = None
        """Chats that may have changed; None for all."""
        models.chats.feed.chats_changed.connect(self._touch)

    def titles(self) -> Mapping[tuple[str, PeerId], str]:
        """Return the titles; another mapping once one has changed."""
        names = {one.agent_id: one.spec.name for one in self._models.agents.items()}
        if self._touched is None or names != self._names:
            self._names, self._titles, self._ids = names, {}, {}
            self._take(self._models.chats.all_chats())
        elif self._touched:
            found = map(self._models.chats.chat, self._touched)
            self._take(chat for chat in found if chat is not None)
        self._touched = set()
        return self._titles

    def find(self, agent_name: str, peer: PeerId) -> Chat | None:
        """Return a chat, or None."""
        self.titles()
        chat_id = self._ids.get((agent_name, peer))
        return self._models.chats.chat(chat_id) if chat_id is not None else None

    def _take(self, chats: Iterable[Chat]) -> None:
        new: dict[tuple[str, PeerId], str] = {}
        for chat in chats:
            if chat.agent_id in self._names:
                key = self._names[chat.agent_id], chat.info.peer_id
                self._ids[key] = chat.chat_id
                if self._titles.get(key) != chat.info.title:
                    new[key] = chat.info.title
        if new:
            self._titles = self._titles | new

    def _touch(self, chats: frozenset[ChatId]) -> None:
        if self._touched is not None:
            self._touched |= chats
