"""Runs what the Memory pane asks of the engine; a refusal becomes words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.viewmodels.core.commands import GuardedJobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.memory import MemoriesService


class MemoryJobs(QObject):
    """The engine while there is one.

    Attributes:
        failed: Something was refused; carries the reason in words.
        api: The memories; None without an engine.
        run: Runs a job under a name; without an engine it is dropped.
    """

    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.api: MemoriesService | None = None
        self._jobs = GuardedJobs(bridge, self.failed.emit)
        self.run = self._jobs.run

    def attach(self, api: MemoriesService | None, spawn: Spawn | None) -> None:
        """Take an engine, or none."""
        self.api, self._jobs.spawn = api, spawn

    def deliver(self, call: Callable[[], None]) -> None:
        """Call something in the window's thread."""
        self._bridge.deliver(call)
