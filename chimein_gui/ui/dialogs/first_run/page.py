"""Base of a step of the first run: title, a sentence, and scrollable contents."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

MARGIN = 36


class Step(QWidget):
    """One page of the wizard, which asks it whether and how it can be left.

    Attributes:
        changed: The result of `why_not`, `is_done` or `skips` may have changed.
        finished: What `leave` started is done, and the wizard goes on.
    """

    changed = Signal()
    finished = Signal()

    def __init__(self, theme: Theme, name: str, title: str, words: str) -> None:
        super().__init__()
        self._theme, self.name, self.title = theme, name, title
        heading = PlainLabel(theme, title, Face.TITLE)
        heading.setWordWrap(True)
        about = PlainLabel(theme, words, Face.BODY, "text2")
        about.setWordWrap(True)
        inside = QWidget()
        self.column = QVBoxLayout(inside)
        set_rtl_margins(self.column, MARGIN, 28, MARGIN - 8, 16)
        self.column.setSpacing(12)
        self.column.addWidget(heading)
        self.column.addWidget(about)
        self.column.addSpacing(4)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        self.contents = ScrollBox(inside)
        whole.addWidget(self.contents)

    def enter(self) -> None:
        """Prepare the page: the wizard is about to show it."""

    def why_not(self) -> str:
        """Return why the wizard can't go on; empty if it can."""
        return ""

    def says_why(self) -> bool:
        """Tell whether an input is invalid and its field says so."""
        return False

    def is_done(self) -> bool:
        """Tell whether the step is complete."""
        return False

    def skips(self) -> bool:
        """Tell whether Next would leave the step incomplete."""
        return not self.is_done()

    def leave(self) -> bool:
        """Save the step; Next was pressed. True if the wizard can go on at once.

        False if saving takes a moment, after which `finished` is emitted, or if an input is invalid.
        """
        return True

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the step is shown."""
        return self
