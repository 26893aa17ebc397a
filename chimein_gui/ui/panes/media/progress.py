"""Shows how far the description of many files is, and the budget of descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import CONTROL, ControlStyle, Face
from chimein_gui.viewmodels.media_library.words import progress_words

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.media_library.requests import DescribeRequests


def _bar(name: str) -> QProgressBar:
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setProperty(CONTROL, ControlStyle.LINE.value)
    bar.setFixedHeight(4)
    bar.setAccessibleName(name)
    return bar


class DescribingBar(Surface):
    """Only while many files are described, and after that until it is dismissed."""

    def __init__(self, theme: Theme, requests: DescribeRequests) -> None:
        super().__init__(theme, "raised", bottom_line="line")
        self._requests = requests
        self._words = ElidedLabel(theme, "", Face.SMALL)
        self._bar = _bar(self.tr("Descriptions"))
        self.cancel = ActionButton(theme, self.tr("Cancel"), kind=Kind.QUIET)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 16, 6, 12, 6)
        row.setSpacing(12)
        row.addWidget(self._words, 2)
        row.addWidget(self._bar, 1)
        row.addWidget(self.cancel)
        self.cancel.clicked.connect(self._press)
        requests.progressed.connect(self._show)
        self._show()

    def _show(self) -> None:
        now = self._requests.progress
        self.setVisible(now is not None)
        if now is None:
            return
        self._words.setText(progress_words(now))
        self._bar.setRange(0, max(1, now.count))
        self._bar.setValue(now.done + now.failed)
        self.cancel.set_look(self.tr("Dismiss") if now.is_over else self.tr("Cancel"), kind=Kind.QUIET)

    def _press(self) -> None:
        if self._requests.is_describing:
            self._requests.cancel()
        else:
            self._requests.progress = None
            self._show()


class BudgetBox(Surface):
    """How many descriptions are left in this tick."""

    def __init__(self, theme: Theme, requests: DescribeRequests) -> None:
        super().__init__(theme, "pane", top_line="line")
        self._requests = requests
        self._left = PlainLabel(theme, "", Face.META_STRONG, "text2")
        self._bar = _bar(self.tr("AI budget"))
        self._waiting = PlainLabel(theme, "", Face.META, "text2")
        head = QHBoxLayout()
        head.addWidget(ElidedLabel(theme, self.tr("AI budget"), Face.META_STRONG, "text2"), 1)
        head.addWidget(self._left)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 14, 8, 12, 8)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self._bar)
        column.addWidget(self._waiting)
        requests.budget_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        left, count, waiting = self._requests.budget
        self.setVisible(count > 0)
        self._left.setText(self.tr("{left} of {count} left").format(left=left, count=count))
        self._bar.setRange(0, max(1, count))
        self._bar.setValue(left)
        words = self.tr("%n wait(s), nothing is lost", "", waiting) if waiting else self.tr("Nothing waits")
        self._waiting.setText(words)
