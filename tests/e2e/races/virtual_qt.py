"""All of Qt's timers and stop watches on virtual time, so that 300 ms pass when an interleaving says so."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QTimer
from shiboken6 import isValid

from chimein_gui import ui, viewmodels
from chimein_gui.viewmodels.core import bridge
from chimein_gui.viewmodels.core import clock as clock_face

if TYPE_CHECKING:
    from datetime import datetime

    import pytest

    from tests.fakes.clock import VirtualClock


def on_virtual_time(  # noqa: C901 - three small classes
    monkeypatch: pytest.MonkeyPatch, clock: VirtualClock
) -> None:
    """Let timers and stop watches of a window that is made after this follow a clock.

    The timers of the bridge and of the second hand never come: whoever drives the window does their work.
    """

    class Elapsed:
        """A `QElapsedTimer`."""

        def __init__(self) -> None:
            self._since: datetime | None = None

        def start(self) -> None:
            self._since = clock.now()

        restart = start

        def invalidate(self) -> None:
            self._since = None

        def isValid(self) -> bool:
            return self._since is not None

        def elapsed(self) -> int:
            return 0 if self._since is None else round((clock.now() - self._since) / timedelta(milliseconds=1))

        def hasExpired(self, milliseconds: int) -> bool:
            return self._since is None or self.elapsed() > milliseconds

    class Timer(QTimer):
        """A `QTimer` whose wait is virtual; with no wait it is Qt's own, behind the next painting.

        One that repeats does so once whenever time passes.
        """

        _wanted, _is_waiting = 0, False

        def start(self, milliseconds: int | None = None) -> None:
            if milliseconds is not None:
                self.setInterval(milliseconds)
            self.stop()
            if self.interval() == 0:
                super().start()
            else:
                self._is_waiting = True
                at = clock.now() + timedelta(milliseconds=self.interval())
                clock._at(at, partial(self._ring, self._wanted))

        def stop(self) -> None:
            self._wanted += 1
            self._is_waiting = False
            super().stop()

        def isActive(self) -> bool:
            return self._is_waiting or super().isActive()

        def _ring(self, wanted: int) -> None:
            if wanted != self._wanted or not isValid(self):
                return
            if self.isSingleShot():
                self._is_waiting = False
            else:
                self.start()
            self.timeout.emit()

    class Never(QTimer):
        def start(self, _milliseconds: int = 0) -> None:
            return

    for package in (ui, viewmodels):
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(one.name)  # what is imported later would keep this clock
    for name, module in list(sys.modules.items()):
        if name.startswith("chimein_gui."):
            for qt, mine in ((QTimer, Timer), (QElapsedTimer, Elapsed)):
                if getattr(module, qt.__name__, None) is qt:
                    monkeypatch.setattr(module, qt.__name__, mine)
    for module in (bridge, clock_face):
        monkeypatch.setattr(module, "QTimer", Never)
