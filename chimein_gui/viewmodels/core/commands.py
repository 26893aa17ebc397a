"""Runs the operator's commands in the engine: one call at a time under each name, and failures are reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.words.errors import error_words, is_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge


Api = TypeVar("Api")
"""What the commands of a class ask of the engine: a protocol beside it."""


class GuardedJobs:
    """Runs jobs of the engine; a refusal becomes words, and any other error goes on.

    Attributes:
        spawn: Starts a job in the engine's loop; None without an engine: jobs are dropped then.
    """

    def __init__(self, bridge: EngineBridge, on_failed: Callable[[str], None]) -> None:
        """`on_failed` is called in the window's thread with the reason of a refusal."""
        self._bridge, self._on_failed = bridge, on_failed
        self.spawn: Spawn | None = None

    def run(self, job: Coroutine[Any, Any, None], name: str) -> None:
        """Run a job."""

        async def guarded() -> None:
            try:
                await job
            except ChimeinError as error:
                words = error_words(error)
                self._bridge.deliver(lambda: self._on_failed(words))

        if self.spawn is None:
            job.close()
        else:
            self.spawn(guarded(), name=name)


class CommandRunner(QObject, Generic[Api]):
    """Sends commands to the engine; a second one with the same name is dropped while the first one runs.

    Attributes:
        failed: A command failed; the reason in words.
        recovered: The command that failed last has succeeded on a later try.
    """

    failed = Signal(str)
    recovered = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._api: Api | None = None
        self._spawn: Spawn | None = None
        self._in_flight: set[str] = set()
        self._failed = ""

    def attach(self, api: Api, spawn: Spawn) -> None:
        """Keep the engine and `spawn` for later commands."""
        self._api, self._spawn = api, spawn

    def _send(self, command: Coroutine[Any, Any, None], name: str) -> None:
        async def job() -> None:
            try:
                await command
            except Exception as error:
                reason = error_words(error)
                self._failed = name
                self._bridge.deliver(lambda: self.failed.emit(reason))
                if not is_answer(error):
                    raise
            else:
                if self._failed == name:
                    self._failed = ""
                    self._bridge.deliver(self.recovered.emit)
            finally:
                self._in_flight.discard(name)

        if self._spawn is None or name in self._in_flight:
            command.close()
            return
        self._in_flight.add(name)
        self._spawn(job(), name=name)
