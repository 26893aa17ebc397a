"""What was written since the last look: fetched first, and given out a moment later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.reporting.log_lines import recent_lines

if TYPE_CHECKING:
    from chimein_gui.reporting.log_lines import LogLine

EVERY_MS = 100
"""Milliseconds between two looks for new lines while the log is shown."""

AT_ONCE = 300
"""Most lines taken in one turn of the loop."""

SHOWN_MS = 50
"""Milliseconds from a look until its lines are shown: meanwhile a view paints their rows, some in each turn."""


class NewLines(QObject):
    """Looks for new lines while it is started.

    Attributes:
        coming: Lines were fetched, and are given out after `SHOWN_MS`.
        due: Carries the lines that are shown now.
        lines: Those that were fetched and are not shown yet.
    """

    coming = Signal()
    due = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: list[LogLine] = []
        self._soon = QTimer(self)
        self._soon.setInterval(EVERY_MS)
        self._soon.timeout.connect(self.look)
        self._shown_soon = QTimer(self)
        self._shown_soon.setSingleShot(True)
        self._shown_soon.setInterval(SHOWN_MS)
        self._shown_soon.timeout.connect(self.show)

    @property
    def is_active(self) -> bool:
        """Whether it looks for lines."""
        return self._soon.isActive()

    def start(self) -> None:
        """Look from now on."""
        self._soon.start()

    def stop(self) -> None:
        """Look no longer; what was fetched is given out when somebody asks for it."""
        self._soon.stop()
        self._shown_soon.stop()

    def look(self) -> None:
        """Fetch some of the lines that were written meanwhile; the next look fetches more."""
        self.show()  # those of the last look, if this one is early
        self._fetch()
        if self.lines:
            self.coming.emit()
            self._shown_soon.start()

    def take(self) -> None:
        """Fetch some of the lines that were written meanwhile, and give them out at once."""
        self.show()
        self._fetch()
        self.show()

    def show(self) -> None:
        """Give out what was fetched."""
        self._shown_soon.stop()
        lines, self.lines = self.lines, []
        if lines:
            self.due.emit(lines)

    def _fetch(self) -> None:
        source = recent_lines()
        self.lines = source.take(AT_ONCE) if source is not None else []
