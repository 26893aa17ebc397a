"""Config files with errors: file, line, and how to correct them."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.requests import OpenAgentSource, OpenFolder
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.text.wrapped_text import WrappedText
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.words.notes import file_problem_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.agents import FileProblem

translate = QCoreApplication.translate

_SHOWN = 5


class ProblemRow(QWidget):
    """One file: its path and line, the error, and buttons that edit it, open its folder or allow its symbolic link."""

    def __init__(self, theme: Theme, send: Callable[[object], None], allow_link: Callable[[str], None]) -> None:
        super().__init__()
        self._at = 0
        self._path = self._leads_to = ""
        self._where = ElidedLabel(theme, "", Face.SMALL_STRONG, "text1")
        self._where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._line = PlainLabel(theme, "", Face.SMALL_STRONG, "text1")
        # Not a QLabel: with word wrap it shapes its text again for every width that a layout tries.
        self._why = WrappedText(theme, "text2", face=Face.SMALL)
        self._folder = ActionButton(theme, self.tr("Open folder"), icon="folder")
        self._folder.clicked.connect(lambda _checked=False: send(OpenFolder(self._path)))
        self._edit = ActionButton(theme, self.tr("Edit"), icon="pencil")
        self._edit.clicked.connect(lambda _checked=False: send(OpenAgentSource(self._path, self._at)))
        self._allow = ActionButton(theme, self.tr("Allow link"), icon="check")
        self._allow.clicked.connect(lambda _checked=False: allow_link(self._leads_to))
        self._build()

    def _build(self) -> None:
        head = QHBoxLayout()  # a long name is elided, the line number is not
        head.setSpacing(0)
        head.addWidget(self._where)
        head.addWidget(self._line)
        head.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addLayout(head)
        words.addWidget(self._why)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(10)
        line.addLayout(words, 1)
        line.addWidget(self._allow, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._edit, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._folder, 0, Qt.AlignmentFlag.AlignTop)

    def say(self, problem: FileProblem) -> None:
        """Show another error."""
        self._path, self._at, self._leads_to = problem.path, problem.line, problem.leads_to
        is_text = PurePath(problem.path).suffix.casefold() == ".md"
        self._edit.setVisible(is_text)
        self._folder.setVisible(not is_text)  # the editor opens it, too
        self._allow.setVisible(bool(problem.leads_to))
        self._allow.setAccessibleName(self.tr("Allow the link to {file}").format(file=problem.leads_to))
        place = foreign_text.line("/".join(PurePath(problem.path).parts[-2:]))
        number = f":{problem.line}" if problem.line else ""
        reason = foreign_text.line(file_problem_words(problem), 600)
        if problem.last_good:
            reason = " ".join((reason, self.tr("The previous version is in use.")))
        elif problem.is_warning:
            reason = " ".join((reason, self.tr("The rest of the file is in use.")))
        self._where.setText(place)
        self._line.setText(number)
        self._why.set_text(reason)
        self._why.setToolTip(foreign_text.tool_tip(reason))  # it is cut where several files have errors
        give_tip(self._where, problem.path)
        self._edit.setAccessibleName(self.tr("Edit {file}").format(file=place))
        self._folder.setAccessibleName(self.tr("Open the folder of {file}").format(file=place))
        self.setAccessibleName(f"{place}{number}: {reason}")


class FileProblems(Surface):
    """Shown below the list while there are errors."""

    def __init__(self, theme: Theme, send: Callable[[object], None], allow_link: Callable[[str], None]) -> None:
        super().__init__(theme, "danger_soft", stripe="danger")
        self._theme, self._send, self._allow_link = theme, send, allow_link
        self._title = PlainLabel(theme, "", Face.STRONG, "danger")
        self._rows: list[ProblemRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 14)
        self._column.setSpacing(8)
        self._more = PlainLabel(theme, "", Face.SMALL, "text2")
        self._more.hide()
        self._column.addWidget(self._title)
        self._column.addWidget(self._more)
        self.hide()

    def set_problems(self, problems: tuple[FileProblem, ...]) -> None:
        """Show the first few errors, and how many there are."""
        shown = problems[:_SHOWN]
        while len(self._rows) < len(shown):  # rows are reused, because creating them takes a frame
            self._rows.append(ProblemRow(self._theme, self._send, self._allow_link))
            self._column.insertWidget(len(self._rows), self._rows[-1])
        for place, row in enumerate(self._rows):
            row.setVisible(place < len(shown))
            if place < len(shown):
                row.say(shown[place])
        total = len(problems)
        many = translate("FileProblems", "%n problem(s) in files", "", total)
        self._title.setText(many)
        more = len(problems) - _SHOWN
        self._more.setText(translate("FileProblems", "and %n more", "", more) if more > 0 else "")
        self._more.setVisible(more > 0)
        self.setVisible(bool(problems))
