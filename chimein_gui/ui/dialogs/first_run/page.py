"""A step of the first run: title, a sentence, contents that scroll, and what Next does."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

MARGIN = 36


class Step(QWidget):
    """One page; the wizard asks it whether it may be left.

    Attributes:
        changed: What `why_not`, `is_done` or `skips` tell may have changed.
        finished: What `leave` began is done: the wizard goes on.
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
        """The operator comes here."""

    def why_not(self) -> str:
        """Return why the wizard cannot go on; empty if it can."""
        return ""

    def says_why(self) -> bool:
        """Tell whether something that was typed is wrong, which is said at its field."""
        return False

    def is_done(self) -> bool:
        """Tell whether what the step is for has been done."""
        return False

    def skips(self) -> bool:
        """Tell whether going on leaves the step undone."""
        return not self.is_done()

    def leave(self) -> bool:
        """Do what going on means; False if that takes a moment, after which `finished` tells, or cannot be."""
        return True

    def focus_widget(self) -> QWidget:
        """Return what gets the focus when the step is entered."""
        return self
