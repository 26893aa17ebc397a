"""Finds messages of the open chat, for the command palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.engine import EngineApi
    from chimein_gui.viewmodels.transcript.transcript import TranscriptModel

MOST = 50


class MessageFinder(CommandRunner):
    """One search at a time; words that came meanwhile are looked for afterwards.

    Attributes:
        found: Chat id and a tuple of messages, newest first.
    """

    found = Signal(object, object)

    def __init__(self, bridge: EngineBridge, transcript: TranscriptModel, parent: QObject) -> None:
        super().__init__(bridge, parent)
        self._chat_id: ChatId | None = None
        self._wanted = ""
        transcript.opened.connect(self._note)

    def _note(self, chat_id: ChatId) -> None:
        self._chat_id = chat_id

    def find(self, words: str) -> None:
        """Look for these words in the open chat; no words find nothing."""
        self._wanted = words
        if self._chat_id is None or not words:
            self.found.emit(self._chat_id, ())
        elif self._console is not None:
            self._send(self._search(self._console, self._chat_id, words), "search messages")

    async def _search(self, console: EngineApi, chat_id: ChatId, words: str) -> None:
        loaded = await console.transcripts.search(chat_id, words, limit=MOST)
        self._bridge.deliver(lambda: self._take(chat_id, words, loaded.rows))

    def _take(self, chat_id: ChatId, words: str, messages: tuple[object, ...]) -> None:
        if words == self._wanted:
            self.found.emit(chat_id, messages)
        else:
            self.find(self._wanted)
