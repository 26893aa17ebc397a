"""Saves diagnostics and reports progress, success or failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QTimer, Signal

from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QObject

    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.engine import DiagnosticsService

PROGRESS_MS = 500
"""Milliseconds after which a running save shows its progress."""


def make_diagnostics(feed: Feed) -> DiagnosticsModel:
    """Return the model, registered with the engine."""
    model = DiagnosticsModel(feed.bridge, feed.bridge)
    feed.register(model)
    return model


class DiagnosticsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def diagnostics(self) -> DiagnosticsService:
        """Saves diagnostics."""
        ...


class DiagnosticsModel(CommandRunner[DiagnosticsApi]):
    """Saves one file at a time.

    Attributes:
        lasts: The save takes longer than half a second.
        ended: The save succeeded or failed.
        saved: The file is written; its path.
    """

    lasts = Signal()
    ended = Signal()
    saved = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PROGRESS_MS)
        self._timer.timeout.connect(self.lasts)
        self.failed.connect(self._end)

    @property
    def available(self) -> bool:
        """Whether there is an engine to report about."""
        return self._api is not None

    def save(self, target: Path) -> None:
        """Save to a file; a request while another one runs is dropped."""
        if self._api is not None and not self._in_flight:
            self._timer.start()
            self._send(self._save(self._api, target), "save diagnostics")

    def detach(self) -> None:
        """Stop the progress timer."""
        self._timer.stop()

    async def _save(self, api: DiagnosticsApi, target: Path) -> None:
        await api.diagnostics.save(target)
        self._bridge.deliver(lambda: self._tell(target))

    def _tell(self, target: Path) -> None:
        self._end()
        self.saved.emit(target)

    def _end(self) -> None:
        self._timer.stop()
        self.ended.emit()
