"""Stickers and emoji that the operator sends as the agent."""

from __future__ import annotations

import os
import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import Media, Message, MessageKey
from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.plans.stickers import StickerRef
    from chimein_gui.viewmodels.composer.composer import Composer
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.composer import ComposerService, StickersService

MOST_RECENT = 24

_NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)

_PLANES = ((0x1F600, 0x1F650), (0x1F90C, 0x1FA00), (0x1F300, 0x1F3FB), (0x1F400, 0x1F600), (0x1F680, 0x1F6C6))
"""Unicode ranges of faces, gestures, objects and places; the skin tone modifiers are left out."""

_OTHERS = "\u2764\u2728\u2b50\u2600\u2614\u26a1\u2615\u2705\u274c\u2753\u2757\u270a\u270b\u231b\u23f0"


class StickersApi(Protocol):
    """What this model asks of the engine."""

    @property
    def composer(self) -> ComposerService:
        """The operator's own messages."""
        ...

    @property
    def stickers(self) -> StickersService:
        """The stickers that agents can send."""
        ...


class PickedBefore:
    """The emoji and stickers picked in this run, newest first."""

    def __init__(self) -> None:
        self.emoji: list[str] = []
        self.stickers: list[StickerRef] = []

    def note_emoji(self, emoji: str) -> None:
        self.emoji = [emoji, *(one for one in self.emoji if one != emoji)][:MOST_RECENT]

    def note_sticker(self, sticker: StickerRef) -> None:
        self.stickers = [sticker, *(one for one in self.stickers if one != sticker)][:MOST_RECENT]


class Stickers(CommandRunner[StickersApi]):
    """The stickers that each agent can send, fetched on demand.

    Attributes:
        loaded: The stickers of an agent were fetched; carries the agent's id.
        before: The picks of this run.
    """

    loaded = Signal(object)

    def __init__(self, bridge: EngineBridge, composer: Composer, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._composer = composer
        self._known: dict[AgentId, tuple[StickerRef, ...]] = {}
        self.before = PickedBefore()

    def of_agent(self, agent_id: AgentId) -> tuple[StickerRef, ...] | None:
        """Return an agent's stickers, recently picked ones first; None before they are fetched."""
        known = self._known.get(agent_id)
        if known is None:
            return None
        first = [one for one in self.before.stickers if one in known]
        return (*first, *(one for one in known if one not in first))

    def load(self, agent_id: AgentId) -> None:
        """Fetch an agent's stickers; `loaded` reports them."""
        if self._api is not None:
            self._send(self._load(self._api, agent_id), f"stickers of {agent_id}")

    def send(self, chat: Chat, sticker: StickerRef) -> None:
        """Send a sticker; it takes the composer's reply, and the typed text stays."""
        if self._api is None:
            return
        self.before.note_sticker(sticker)
        draft, client_id = self._composer.own_words(chat.chat_id), os.urandom(16).hex()
        self._send(self._write(self._api, chat, sticker, client_id, confirm=draft.asks), f"sticker {client_id}")

    async def _load(self, api: StickersApi, agent_id: AgentId) -> None:
        found = await api.stickers.load(agent_id)

        def take() -> None:
            self._known[agent_id] = found
            self.loaded.emit(agent_id)

        self._bridge.deliver(take)

    async def _write(self, api: StickersApi, chat: Chat, sticker: StickerRef, client_id: str, *, confirm: bool) -> None:
        answers = self._composer.own_words(chat.chat_id).answers
        reply_to = answers.key.message_id if answers is not None else None
        written = await api.composer.write(
            chat.chat_id, "", client_id=client_id, reply_to_id=reply_to, confirm=confirm, attached=sticker
        )
        self._bridge.deliver(lambda: self._composer.settle_sticker(chat.chat_id, answers, written))


def sticker_message(chat: Chat, sticker: StickerRef) -> Message:
    """Return a message with a sticker that was never sent, so that its picture can be requested."""
    key = MessageKey(chat.info.account_id, chat.info.peer_id, MessageId(0))
    media = Media(sticker.document_id, sticker.mime_type, emoji=sticker.emoji, set_name=sticker.set_name)
    return Message(
        key, None, "", True, _NO_TIME, "", media_kind="sticker", media=media, document_id=sticker.document_id
    )


@lru_cache(maxsize=1)
def all_emoji() -> tuple[tuple[str, str], ...]:
    """Return emoji with their Unicode names, case-folded."""
    found = [chr(code) for low, high in _PLANES for code in range(low, high)]
    named = ((one, unicodedata.name(one, "").casefold()) for one in (*found, *_OTHERS))
    return tuple((one, name) for one, name in named if name and unicodedata.category(one) == "So")
