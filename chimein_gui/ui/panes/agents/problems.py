"""Config files that could not be used: file, line, what to write instead."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.domain.agents import FileProblem
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.labels import PlainLabel
from chimein_gui.ui.widgets.theme import Face, Theme

_SHOWN = 5


class FileProblems(QWidget):
    """Stands below the list while there is a problem."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title = PlainLabel(theme, "", Face.STRONG, "danger")
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 14)
        self._column.setSpacing(8)
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
        self.setVisible(bool(problems))

    def _row(self, problem: FileProblem) -> QWidget:
        path = PurePath(problem.path)
        place = foreign_text.line("/".join(path.parts[-2:]))
        where = PlainLabel(
            self._theme, f"{place}:{problem.line}" if problem.line else place, Face.SMALL_STRONG, "text1"
        )
        where.setToolTip(foreign_text.tool_tip(problem.path))
        why = PlainLabel(self._theme, foreign_text.line(problem.reason, 600), Face.SMALL, "text2")
        why.setWordWrap(True)
        for label in (where, why):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QWidget()
        column = QVBoxLayout(row)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(where)
        column.addWidget(why)
        row.setAccessibleName(f"{where.text()}: {why.text()}")
        return row

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("danger_soft"))
        painter.fillRect(0, 0, 4, self.height(), self._theme.color("danger"))
        painter.end()
