"""The window's own timers on virtual time, so that 300 ms pass when an interleaving says so."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from chimein_gui.ui.draft_editor import autosave
from chimein_gui.ui.panes.approvals.list import batch_bar, cursor_list
from chimein_gui.ui.widgets.rows import in_view
from chimein_gui.viewmodels.approvals import store
from chimein_gui.viewmodels.core import bridge
from chimein_gui.viewmodels.problems import toasts

if TYPE_CHECKING:
    from datetime import datetime

    import pytest

    from tests.fakes.clock import VirtualClock


def on_virtual_time(  # noqa: C901 - two small classes
    monkeypatch: pytest.MonkeyPatch, clock: VirtualClock
) -> None:
    """Let timers and stop watches of a window that is made after this follow a clock.

    The bridge's timer never comes: whoever drives the window hands the news over.
    """

    class Elapsed:
        """A `QElapsedTimer`."""

        def __init__(self) -> None:
            self._since: datetime | None = None

        def start(self) -> None:
            self._since = clock.now()

        def invalidate(self) -> None:
            self._since = None

        def isValid(self) -> bool:
            return self._since is not None

        def elapsed(self) -> int:
            return 0 if self._since is None else round((clock.now() - self._since) / timedelta(milliseconds=1))

        def hasExpired(self, milliseconds: int) -> bool:
            return self._since is None or self.elapsed() > milliseconds

    class Timer(QTimer):
        """A one-shot `QTimer` whose wait is virtual; with no wait it is Qt's own, behind the next painting."""

        wanted = 0

        def start(self, milliseconds: int | None = None) -> None:
            self.wanted += 1
            wait_ms = self.interval() if milliseconds is None else milliseconds
            if wait_ms == 0:
                super().start(0)
                return
            super().stop()
            if milliseconds is not None:
                self.setInterval(milliseconds)
            clock._at(clock.now() + timedelta(milliseconds=wait_ms), partial(self._ring, self.wanted))

        def stop(self) -> None:
            self.wanted += 1
            super().stop()

        def isActive(self) -> bool:
            return False

        def _ring(self, wanted: int) -> None:
            if wanted == self.wanted:
                self.timeout.emit()

    class Never(QTimer):
        def start(self, _milliseconds: int = 0) -> None:
            return

    stop_watches: tuple[Any, ...] = (in_view, cursor_list)
    for module in stop_watches:
        monkeypatch.setattr(module, "QElapsedTimer", Elapsed)
    timers: tuple[Any, ...] = (in_view, autosave, batch_bar, store, toasts)
    for module in timers:
        monkeypatch.setattr(module, "QTimer", Timer)
    monkeypatch.setattr(bridge, "QTimer", Never)
