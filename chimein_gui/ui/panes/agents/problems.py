"""Config files that could not be used: file, line, what to write instead."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.agents import FileProblem
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme import Face, Theme
from chimein_gui.ui.widgets.tips import give_tip
from chimein_gui.ui.widgets.verb_button import VerbButton
from chimein_gui.ui.widgets.wrapped_text import WrappedText

if TYPE_CHECKING:
    from collections.abc import Callable

_SHOWN = 5


class FileProblems(QWidget):
    """Stands below the list while there is a problem."""

    def __init__(self, theme: Theme, open_folder: Callable[[str], None]) -> None:
        super().__init__()
        self._theme, self._open_folder = theme, open_folder
        self._title = PlainLabel(theme, "", Face.STRONG, "danger")
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 14)
        self._column.setSpacing(8)
        self._more = PlainLabel(theme, "", Face.SMALL, "text2")
        self._more.hide()
        self._column.addWidget(self._title)
        theme.changed.connect(self.update)
        self.hide()

    def set_problems(self, problems: tuple[FileProblem, ...]) -> None:
        """Show the first few; the count says how many there are."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self._rows = [self._row(problem) for problem in problems[:_SHOWN]]
        for row in self._rows:
            self._column.addWidget(row)
        many = self.tr("{n} problems in files").format(n=len(problems))
        self._title.setText(self.tr("1 problem in a file") if len(problems) == 1 else many)
        more = len(problems) - _SHOWN
        self._more.setText(self.tr("and {n} more").format(n=more) if more > 0 else "")
        self._more.setVisible(more > 0)
        self._column.addWidget(self._more)
        self.setVisible(bool(problems))

    def _row(self, problem: FileProblem) -> QWidget:
        path = PurePath(problem.path)
        place = foreign_text.line("/".join(path.parts[-2:]))
        where = ElidedLabel(self._theme, place, Face.SMALL_STRONG, "text1")
        line_number = PlainLabel(self._theme, f":{problem.line}" if problem.line else "", Face.SMALL_STRONG, "text1")
        give_tip(where, problem.path)
        reason = foreign_text.line(problem.reason, 600)
        if problem.last_good:
            reason = f"{reason} {self.tr('The version before is in use.')}"
        # Not a label: one that wraps shapes its text anew for every width that a layout tries.
        why = WrappedText(self._theme, "text2", face=Face.SMALL)
        why.set_text(reason)
        where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        folder = VerbButton(self._theme, self.tr("Open folder"), icon="folder")
        folder.setAccessibleName(self.tr("Open the folder of {file}").format(file=place))
        folder.clicked.connect(lambda _checked=False: self._open_folder(problem.path))
        words = QVBoxLayout()
        words.setSpacing(2)
        head = QHBoxLayout()  # a long name gives way, the line stays
        head.setSpacing(0)
        head.addWidget(where)
        head.addWidget(line_number)
        head.addStretch(1)
        words.addLayout(head)
        words.addWidget(why)
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(10)
        line.addLayout(words, 1)
        line.addWidget(folder, 0, Qt.AlignmentFlag.AlignTop)
        row.setAccessibleName(f"{where.text()}{line_number.text()}: {reason}")
        return row

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("danger_soft"))
        painter.fillRect(0, 0, 4, self.height(), self._theme.color("danger"))
        painter.end()
