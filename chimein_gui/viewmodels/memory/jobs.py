"""Runs what the Memory pane asks of the engine; a refusal becomes words."""

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
    from chimein_gui.viewmodels.engine_api.memory import MemoriesConsole


class MemoryJobs(QObject):
    """The engine while there is one.

    Attributes:
        failed: Something was refused; carries the reason in words.
        console: The memories; None without an engine.
    """

    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.console: MemoriesConsole | None = None
        self._spawn: Spawn | None = None

    def attach(self, console: MemoriesConsole | None, spawn: Spawn | None) -> None:
        """Take an engine, or none."""
        self.console, self._spawn = console, spawn

    def run(self, job: Coroutine[Any, Any, None], name: str) -> None:
        """Run a job; without an engine it is dropped."""

        async def guarded() -> None:
            try:
                await job
            except ChimeinError as error:
                words = error_words(error)
                self.deliver(lambda: self.failed.emit(words))

        if self._spawn is None:
            job.close()
        else:
            self._spawn(guarded(), name=name)

    def deliver(self, call: Callable[[], None]) -> None:
        """Call something in the window's thread."""
        self._bridge.deliver(call)
