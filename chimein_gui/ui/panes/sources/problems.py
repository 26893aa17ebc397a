"""The problems of the shown file, each with its line and the button that repairs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.sources.words import field_label, repair_words
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.sources.findings import FileProblemRow

MOST_SHOWN = 4
"""Most rows; with the key of the next problem the others are reached."""

translate = QCoreApplication.translate


class _Row(QWidget):
    """One problem."""

    def __init__(self, theme: Theme, owner: ProblemList, row: FileProblemRow) -> None:
        super().__init__()
        words = foreign_text.line(note_sentence(row.problem.note), 300)
        if row.field:
            words = self.tr("{field}: {problem}").format(field=field_label(row.field), problem=words)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        at = ActionButton(theme, self.tr("line {n}").format(n=row.problem.line), kind=Kind.QUIET)
        at.clicked.connect(lambda _checked=False: owner.wanted.emit(row.problem.line))
        at.setAccessibleDescription(words)
        label = ElidedLabel(theme, words, Face.SMALL, "text1")
        line.addWidget(at)
        line.addWidget(label, 1)
        self.repair: ActionButton | None = None
        if row.repair is not None:
            self.repair = ActionButton(theme, foreign_text.line(repair_words(row.repair), 60))
            self.repair.setAccessibleDescription(words)
            self.repair.clicked.connect(lambda _checked=False: owner.repaired.emit(row))
            line.addWidget(self.repair)


class ProblemList(Surface):
    """Shown below the Markdown while there are problems.

    Attributes:
        wanted: A line is to be shown; carries its number.
        repaired: A problem is to be repaired; carries its row.
    """

    wanted = Signal(int)
    repaired = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "pane", top_line="line")
        self._theme = theme
        self._rows: tuple[FileProblemRow, ...] = ()
        self._title = PlainLabel(theme, "", Face.STRONG, "danger")
        self._meanwhile = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.next = ActionButton(theme, self.tr("Next"), key="F4", kind=Kind.QUIET)
        self._column = QVBoxLayout(self)
        set_rtl_margins(self._column, 12, 8, 12, 8)
        self._column.setSpacing(6)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._title)
        head.addWidget(self._meanwhile, 1)
        head.addWidget(self.next)
        self._column.addLayout(head)
        self._shown: list[_Row] = []
        self.hide()

    def show_problems(self, rows: tuple[FileProblemRow, ...], meanwhile: str) -> None:
        """Show the first few problems, and what is in use meanwhile."""
        self._meanwhile.setText(meanwhile)
        self.setVisible(bool(rows))
        if rows == self._rows:
            return
        self._rows = rows
        for row in self._shown:
            row.hide()
            row.deleteLater()
        self._shown = [_Row(self._theme, self, row) for row in rows[:MOST_SHOWN]]
        for row in self._shown:
            self._column.addWidget(row)
        number = len(rows)
        self._title.setText(translate("SourceProblems", "%n problem(s)", "", number))
        self._title.set_color("danger" if any(not row.is_warning for row in rows) else "attention")

    def buttons(self) -> list[ActionButton]:
        """Return the buttons that repair."""
        return [row.repair for row in self._shown if row.repair is not None]
