"""Finds messages of all chats, for the command palette."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal

from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from chimein_gui.domain.messages import FoundMessage
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.transcripts import TranscriptService

MOST = 50


def make_message_finder(feed: Feed) -> MessageFinder:
    """Return the model, registered with the engine."""
    model = MessageFinder(feed.bridge, feed.bridge)
    feed.register(model)
    return model


class MessageFinderApi(Protocol):
    """What this model asks of the engine."""

    @property
    def transcripts(self) -> TranscriptService:
        """The messages of a chat, and the invisible steps of plans between them."""
        ...


class MessageFinder(CommandRunner[MessageFinderApi]):
    """One search at a time; words that arrive during a search are searched after it.

    Attributes:
        found: The words, and a tuple of `FoundMessage`, newest first.
    """

    found = Signal(str, object)

    _wanted = ""
    _searches = False

    def find(self, words: str) -> None:
        """Search all chats for these words; empty words find nothing."""
        self._wanted = words
        if not words:
            self.found.emit(words, ())
        elif self._api is not None and not self._searches:
            self._searches = True
            self._send(self._search(self._api, words), "search messages")

    async def _search(self, api: MessageFinderApi, words: str) -> None:
        found: tuple[FoundMessage, ...] = ()
        try:
            found = (await api.transcripts.search_everywhere(words, limit=MOST)).rows
        finally:
            self._bridge.deliver(lambda: self._take(words, found))

    def _take(self, words: str, found: tuple[FoundMessage, ...]) -> None:
        self._searches = False
        if words == self._wanted:
            self.found.emit(words, found)
        else:
            self.find(self._wanted)
