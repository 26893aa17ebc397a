"""Saves what the operator types in the composer within a second, per chat, so that a crash loses little."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QTimer

from chimein_gui.domain.chats import Unsent
from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.composer.composer import Composer
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.composer import ComposerService
    from chimein_gui.viewmodels.engine_api.transcripts import TranscriptService

PAUSE_MS = 1000
"""Milliseconds between two saves: the most typing that a crash loses."""


class UnsentTextsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def composer(self) -> ComposerService:
        """The operator's own messages."""
        ...

    @property
    def transcripts(self) -> TranscriptService:
        """The messages of a chat, and the invisible steps of plans between them."""
        ...


class UnsentTexts(CommandRunner[UnsentTextsApi]):
    """Follows the composer's sheets. Only new messages are saved, not edits of sent ones."""

    def __init__(self, bridge: EngineBridge, composer: Composer, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._composer = composer
        self._kept: dict[ChatId, Unsent] = {}
        self._changed: set[ChatId] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.keep)
        composer.changed.connect(self._note)
        composer.written.connect(lambda chat_id, _approval: self._kept.pop(chat_id, None))

    def attach(self, api: UnsentTextsApi, spawn: Spawn) -> None:
        """Restore the texts that an earlier run saved, each in its own chat."""
        super().attach(api, spawn)
        self._send(self._load(api), "load unsent texts")

    def detach(self) -> None:
        """Save what is not saved yet, before the engine is closed."""
        self._timer.stop()
        self.keep()

    def keep(self) -> None:
        """Save the texts that changed."""
        for chat_id in tuple(self._changed):
            self._keep(chat_id)

    def _keep(self, chat_id: ChatId) -> None:
        # A text that is being sent is saved already, and the engine removes it when it stores the message.
        if self._api is None or self._composer.own_words(chat_id).sending:
            return
        self._changed.discard(chat_id)
        unsent = self._now(chat_id)
        if unsent != self._kept.get(chat_id, Unsent(chat_id, "")):
            self._send(self._store(self._api, unsent), f"keep unsent text {chat_id}")

    def _now(self, chat_id: ChatId) -> Unsent:
        draft = self._composer.own_words(chat_id)
        if not draft.text.strip():
            return Unsent(chat_id, "")
        return Unsent(chat_id, draft.text, draft.answers.key.message_id if draft.answers is not None else None)

    def _note(self, chat_id: ChatId) -> None:
        self._changed.add(chat_id)
        if not self._timer.isActive():
            self._timer.start()

    async def _store(self, api: UnsentTextsApi, unsent: Unsent) -> None:
        await api.composer.keep(unsent)
        self._bridge.deliver(lambda: self._learn(unsent))

    def _learn(self, unsent: Unsent) -> None:
        self._kept[unsent.chat_id] = unsent
        if self._now(unsent.chat_id) != unsent:
            self._note(unsent.chat_id)  # more was typed meanwhile

    async def _load(self, api: UnsentTextsApi) -> None:
        for unsent in await api.composer.load_kept():
            ids = () if unsent.reply_to_id is None else (unsent.reply_to_id,)
            found = (await api.transcripts.messages(unsent.chat_id, ids)).rows if ids else ()
            answers = found[0] if found else None
            self._bridge.deliver(partial(self._restore, unsent, answers))

    def _restore(self, unsent: Unsent, answers: Message | None) -> None:
        self._kept[unsent.chat_id] = unsent
        self._composer.restore(unsent.chat_id, unsent.text, answers)
