"""One version of a plan beside others: its text, its differences, and the button that uses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout

from chimein_gui.domain.text.word_changes import WordChange, word_changes
from chimein_gui.ui.panes.approvals.card.section import Box
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.rows.in_view import InViewGuard, is_bare
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.tinted_text import TintedText
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent, QShowEvent

    from chimein_gui.ui.pane import PaneContext

translate = QCoreApplication.translate

MOST_COMPARED = 8_000
"""Most characters of a text that are compared."""


@dataclass(frozen=True, slots=True)
class Version:
    """The contents of a column.

    Attributes:
        number: Its key; the draft is 1.
        title: Its instruction, or another description.
        text: Everything that it would send.
        is_draft: It is the current plan.
        read_as: Key of what must have been visible before it can be used; another text has another key.
    """

    number: int
    title: str
    text: str
    is_draft: bool
    read_as: Hashable


class VersionColumn(Box):
    """Shows a version, with the words that the others do not have.

    Attributes:
        chosen: Use this version; its end has been visible.
        refused: It can't be used yet, because its end was not visible; the column has scrolled on.
    """

    chosen = Signal(object)
    refused = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme)
        theme = self._theme = context.theme
        self._version: Version | None = None
        self._others: tuple[str, ...] = ()
        self.title = ElidedLabel(theme, "", Face.STRONG)
        self._mark = PlainLabel(theme, self.tr("In use"), Face.SMALL_STRONG, "ok")
        self.text = TintedText(theme)
        self.use = ActionButton(theme, "", key="1")
        self._guard = InViewGuard(self._is_end_in_view, self)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self._mark)
        foot = QHBoxLayout()
        foot.addWidget(self.use)
        foot.addStretch(1)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 12, 8, 8, 10)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.text, 1)
        column.addLayout(foot)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        speak_as_place(self)
        self.use.clicked.connect(self.choose)
        theme.changed.connect(self._fill)
        self.text.verticalScrollBar().valueChanged.connect(lambda _value: self._look())
        self.text.verticalScrollBar().rangeChanged.connect(lambda _low, _high: self._look())

    @property
    def version(self) -> Version | None:
        """The shown version; None for none."""
        return self._version

    def show_version(self, version: Version, count: int, others: Sequence[str]) -> None:
        """Show a version.

        Args:
            version: The version.
            count: The number of versions.
            others: The texts it is compared with: the draft, or for the draft the visible versions.
        """
        if (version, tuple(others)) != (self._version, self._others):
            if self._version is None or version.number != self._version.number:
                self.text.verticalScrollBar().setValue(0)
            self._version, self._others = version, tuple(others)
            self._fill()
        number, title = version.number, version.title
        self.title.setText(f"{number}  {title}")
        self._mark.setVisible(version.is_draft)
        name = self.tr("Version {n} of {all}: {title}").format(n=number, all=count, title=title)
        self.setAccessibleName(self.tr("{version}, in use").format(version=name) if version.is_draft else name)
        self.text.setAccessibleName(self.accessibleName())
        words = self.tr("Keep this one") if version.is_draft else self.tr("Use this one")
        self.use.set_look(words, kind=Kind.PLAIN)
        self.use.set_key(str(number))
        self.use.setAccessibleName(f"{words}: {name}")
        self._look()

    def choose(self) -> None:
        """Use this version if its end has been visible; otherwise scroll on."""
        version = self._version
        if version is None:
            return
        if version.is_draft or self._guard.passes(version.read_as):
            self.chosen.emit(version)
            return
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.value() + max(1, bar.pageStep() - 1))
        self.refused.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._look()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._look()  # it may have come out from behind another tab

    def _look(self) -> None:
        self._guard.look(self._version.read_as if self._version is not None else None)

    def _is_end_in_view(self) -> bool:
        bar = self.text.verticalScrollBar()
        return is_bare(self) and bar.value() >= bar.maximum()

    def _fill(self) -> None:
        version = self._version
        if version is None:
            return
        text = foreign_text.body(version.text)
        differs = [False] * len(text)
        for other in self._others:
            place = 0
            for piece in word_changes(foreign_text.body(other)[:MOST_COMPARED], text[:MOST_COMPARED]):
                if piece.change is WordChange.REMOVED:
                    continue
                if piece.change is WordChange.ADDED:
                    units = len(piece.text.rstrip()) or len(piece.text)
                    differs[place : place + units] = [True] * units
                place += len(piece.text)
        runs, said = [], []
        start = 0
        for end in range(1, len(text) + 1):
            if end == len(text) or differs[end] is not differs[start]:
                words = text[start:end]
                runs.append((words, self._tinted() if differs[start] else self.text.plain()))
                if differs[start] and words.strip():
                    said.append(words.strip())
                start = end
        differing = translate("VersionColumn", "differs in: {words}").format(words="; ".join(said))
        self.text.fill(runs, differing if said else "")

    def _tinted(self) -> QTextCharFormat:
        """Return the format of differing words, which is not only a colour."""
        is_draft = self._version is not None and self._version.is_draft
        ground = "diff_removed" if is_draft else "diff_added"
        made = self.text.plain(f"{ground}_text")
        made.setBackground(self._theme.color(ground))
        style = QTextCharFormat.UnderlineStyle
        made.setUnderlineStyle(style.DashUnderline if is_draft else style.SingleUnderline)
        return made
