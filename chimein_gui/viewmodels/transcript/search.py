"""Search in the open chat: the hits, and the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.viewmodels.core.live_query import LiveQuery

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.transcripts import TranscriptService
    from chimein_gui.viewmodels.transcript.transcript import TranscriptModel

PAGE_HITS = 50


class TranscriptSearchApi(Protocol):
    """What this model asks of the engine."""

    @property
    def transcripts(self) -> TranscriptService:
        """The messages of a chat, and the invisible steps of plans between them."""
        ...


class TranscriptSearch(QObject):
    """The hits in one chat, newest first; the transcript jumps to the current one.

    Attributes:
        changed: The words, the hits or the current hit changed.
    """

    changed = Signal()

    def __init__(self, bridge: EngineBridge, transcript: TranscriptModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._api: TranscriptSearchApi | None = None
        self._spawn: Spawn | None = None
        self._chat_id: ChatId | None = None
        self._hits: list[MessageId] = []
        self._at = -1
        self._more = False
        self._steps_on = False
        self._asking = False
        self.text = ""
        self._rows = LiveQuery(bridge, lambda _event: None, self, kinds=frozenset())
        self._rows.failed.connect(self._stop_asking)
        transcript.opened.connect(self._follow)

    def attach(self, api: TranscriptSearchApi, spawn: Spawn) -> None:
        """Keep the engine to query."""
        self._api, self._spawn = api, spawn

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the search."""
        return tuple(self.text.split())

    @property
    def position(self) -> tuple[int, int, bool]:
        """Number of the current hit from 1 (0 for none), number of known hits, and whether there may be more."""
        return self._at + 1, len(self._hits), self._more

    @property
    def is_asking(self) -> bool:
        """Whether a search is running."""
        return self._asking

    def look_for(self, text: str) -> None:
        """Search the open chat for all of these words; an empty text ends the search."""
        if text.split() == self.text.split():
            return
        self._reset(text)
        self._ask(None)
        self.changed.emit()

    def end(self) -> None:
        """End the search."""
        if self.text or self._hits:
            self._reset("")
            self.changed.emit()

    def go_older(self) -> None:
        """Go to the next older hit; after the last known one, more are fetched."""
        if self._at + 1 < len(self._hits):
            self._stand_at(self._at + 1)
        elif self._more and not self._asking:
            self._steps_on = True
            self._ask(self._hits[-1])

    def go_newer(self) -> None:
        """Go to the next newer hit."""
        if self._at > 0:
            self._stand_at(self._at - 1)

    def _reset(self, text: str) -> None:
        self._rows.forget()
        self.text = text.strip()
        self._hits, self._at, self._more, self._asking, self._steps_on = [], -1, False, False, False

    def _ask(self, before_id: MessageId | None) -> None:
        chat = self._transcript.chat
        if chat is None or not self.text or self._api is None or self._spawn is None:
            return
        self._chat_id, self._asking = chat.chat_id, True
        source, chat_id, words = self._api.transcripts, chat.chat_id, self.text
        self._rows.fetch(
            self._spawn,
            lambda: source.search(chat_id, words, before_id=before_id, limit=PAGE_HITS),
            self._install,
            name=f"search {chat_id}",
        )

    def _install(self, messages: tuple[Message, ...]) -> None:
        self._asking = False
        self._more = len(messages) >= PAGE_HITS
        self._hits += [message.key.message_id for message in messages]
        if self._hits and (self._at < 0 or self._steps_on) and self._at + 1 < len(self._hits):
            self._stand_at(self._at + 1)
        else:
            self.changed.emit()
        self._steps_on = False

    def _stand_at(self, place: int) -> None:
        self._at = place
        self.changed.emit()
        self._transcript.jump_to(self._hits[place])

    def _stop_asking(self) -> None:
        self._asking = False
        self.changed.emit()

    def _follow(self, chat_id: object) -> None:
        if self._chat_id is not None and chat_id != self._chat_id:
            self._chat_id = None
            self.end()
