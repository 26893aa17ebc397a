"""Runs what the Media pane asks of the engine; a refusal becomes words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.media import DescribingService, MediaApi, MediaService


class MediaJobs(QObject):
    """The engine while there is one.

    Attributes:
        failed: Something was refused that nobody waits for; carries the reason in words.
        api: The media; None without an engine.
        requests: Lets models describe; None without an engine.
    """

    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.api: MediaService | None = None
        self.requests: DescribingService | None = None
        self._spawn: Spawn | None = None

    def attach(self, api: MediaApi | None, spawn: Spawn | None) -> None:
        """Take an engine, or none."""
        self.api = api.media_library if api is not None else None
        self.requests = api.media_requests if api is not None else None
        self._spawn = spawn

    def run(self, job: Coroutine[Any, Any, None], name: str, failed: Callable[[str], None] | None = None) -> None:
        """Run a job; without an engine it is dropped. `failed` gets the words of a refusal, else the signal does."""

        async def guarded() -> None:
            try:
                await job
            except ChimeinError as error:
                words, hear = error_words(error), failed or self.failed.emit
                self.deliver(lambda: hear(words))

        if self._spawn is None:
            job.close()
        else:
            self._spawn(guarded(), name=name)

    def deliver(self, call: Callable[[], None]) -> None:
        """Call something in the window's thread."""
        self._bridge.deliver(call)
