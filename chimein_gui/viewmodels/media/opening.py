"""Opening the file of a message: fetched whole on a click, shown as on its way until it is there."""

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
    from chimein_gui.viewmodels.engine_api.media_files import MediaFilesConsole


class MediaOpeningApi(Protocol):
    """What the opening of media asks of the engine."""

    @property
    def media_files(self) -> MediaFilesConsole:
        """The files of messages."""
        ...


def make_media_opening(feed: Feed) -> MediaOpening:
    """Return the model, registered."""
    model = MediaOpening(feed.bridge, feed.bridge)
    feed.register(model)
    return model


class MediaOpening(QObject):
    """Fetches the files the operator asked for.

    Attributes:
        changed: The fetch of a message's file began or ended; carries its `MessageKey`.
        ready: A file is there: the message, and its path.
        failed: It cannot be had: the message, and why in words.
        saved: It was copied to where the operator wants it: the path.
    """

    changed = Signal(object)
    ready = Signal(object, object)
    failed = Signal(object, str)
    saved = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._console: MediaOpeningApi | None = None
        self._spawn: Spawn | None = None
        self._fetching: set[MessageKey] = set()

    def attach(self, console: MediaOpeningApi, spawn: Spawn) -> None:
        """Remember whom to ask."""
        self._console, self._spawn = console, spawn

    def is_fetching(self, key: MessageKey) -> bool:
        """Tell whether the file of a message is on its way."""
        return key in self._fetching

    def fetch(self, message: Message) -> None:
        """Fetch the whole file of a message; asking again while it is on its way changes nothing."""
        if self._console is None or self._spawn is None or message.key in self._fetching:
            return
        self._fetching.add(message.key)
        self.changed.emit(message.key)
        self._spawn(self._fetch(self._console, message), name=f"fetch file of {message.key.message_id}")

    def save(self, message: Message, target: Path) -> None:
        """Copy the whole file of a message to a place of the operator's."""
        if self._console is not None and self._spawn is not None:
            self._spawn(self._save(self._console, message, target), name=f"save file of {message.key.message_id}")

    async def _save(self, console: MediaOpeningApi, message: Message, target: Path) -> None:
        try:
            path = await console.media_files.file(message.key)
            import asyncio  # the first paint does not wait for it

            await asyncio.to_thread(shutil.copyfile, path, target)
        except (ChimeinError, OSError) as error:
            why = error_words(error)
            self._bridge.deliver(lambda: self.failed.emit(message, why))
        else:
            self._bridge.deliver(lambda: self.saved.emit(target))

    async def _fetch(self, console: MediaOpeningApi, message: Message) -> None:
        try:
            path = await console.media_files.file(message.key)
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
