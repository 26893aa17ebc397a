"""Opens the file of a message: fetched completely after a click, with its progress shown."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.messages import Message, MessageKey
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.media_files import MediaFilesService


class MediaOpeningApi(Protocol):
    """The part of the engine that opening media needs."""

    @property
    def media_files(self) -> MediaFilesService:
        """The files of messages."""
        ...


def make_media_opening(feed: Feed) -> MediaOpening:
    """Return the model, registered with the engine."""
    model = MediaOpening(feed.bridge, feed.bridge)
    feed.register(model)
    return model


class MediaOpening(QObject):
    """Fetches the files that the operator opens or saves.

    Attributes:
        changed: The fetch of a message's file began or ended; carries its `MessageKey`.
        ready: A file was fetched: the message, and its path.
        failed: A fetch or a save failed: the message, and the reason in words.
        saved: A file was copied to this path.
    """

    changed = Signal(object)
    ready = Signal(object, object)
    failed = Signal(object, str)
    saved = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._api: MediaOpeningApi | None = None
        self._spawn: Spawn | None = None
        self._fetching: set[MessageKey] = set()

    def attach(self, api: MediaOpeningApi, spawn: Spawn) -> None:
        """Keep the engine to query."""
        self._api, self._spawn = api, spawn

    def is_fetching(self, key: MessageKey) -> bool:
        """Tell whether the file of a message is being fetched."""
        return key in self._fetching

    def fetch(self, message: Message) -> None:
        """Fetch the whole file of a message; a second call while that runs changes nothing."""
        if self._api is None or self._spawn is None or message.key in self._fetching:
            return
        self._fetching.add(message.key)
        self.changed.emit(message.key)
        self._spawn(self._fetch(self._api, message), name=f"fetch file of {message.key.message_id}")

    def save(self, message: Message, target: Path) -> None:
        """Copy the whole file of a message to a path that the operator chose."""
        if self._api is not None and self._spawn is not None:
            self._spawn(self._save(self._api, message, target), name=f"save file of {message.key.message_id}")

    async def _save(self, api: MediaOpeningApi, message: Message, target: Path) -> None:
        try:
            path = await api.media_files.file(message.key)
            import asyncio  # imported late: the first paint does not need it

            await asyncio.to_thread(shutil.copyfile, path, target)
        except (ChimeinError, OSError) as error:
            why = error_words(error)
            self._bridge.deliver(lambda: self.failed.emit(message, why))
        else:
            self._bridge.deliver(lambda: self.saved.emit(target))

    async def _fetch(self, api: MediaOpeningApi, message: Message) -> None:
        try:
            path = await api.media_files.file(message.key)
        except ChimeinError as error:
            why = error_words(error)
            self._bridge.deliver(lambda: self._end(message, None, why))
        else:
            self._bridge.deliver(lambda: self._end(message, path, ""))

    def _end(self, message: Message, path: Path | None, why: str) -> None:
        self._fetching.discard(message.key)
        self.changed.emit(message.key)
        if path is None:
            self.failed.emit(message, why)
        else:
            self.ready.emit(message, path)
