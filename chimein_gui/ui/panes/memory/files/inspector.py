"""The right column of the tab Files: a recall test, and the history of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.panes.memory.files.history import HistoryList
from chimein_gui.ui.panes.memory.files.recall_box import RecallBox
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.memory.people import file_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.memory.model import MemoryModel


class _Tokens(QWidget):
    """How much of the next prompts is memories."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[tuple[ElidedLabel, PlainLabel]] = []
        self._column = QVBoxLayout(self)
        set_rtl_margins(self._column, 14, 8, 14, 4)
        self._column.setSpacing(4)
        self._add(Face.SMALL_STRONG, "text2", self.tr("Next prompt of"), self.tr("tokens"))
        self.hide()

    def _add(self, face: Face, ink: str, name: str, count: str) -> tuple[ElidedLabel, PlainLabel]:
        labels = ElidedLabel(self._theme, name, face, ink), PlainLabel(self._theme, count, Face.SMALL, "text2")
        row = QHBoxLayout()
        row.addWidget(labels[0], 1)
        row.addWidget(labels[1])
        self._column.addLayout(row)
        return labels

    def show_tokens(self, tokens: Mapping[str, int]) -> None:
        """Show the tokens by the names of the chats."""
        self.setVisible(bool(tokens))
        while len(self._rows) < len(tokens):
            self._rows.append(self._add(Face.SMALL, "text1", "", ""))
        shown = [*tokens.items(), *[("", 0)] * (len(self._rows) - len(tokens))]
        for labels, (name, count) in zip(self._rows, shown, strict=True):
            labels[0].setText(foreign_text.name(name))
            labels[1].setText(f"~{count}" if count else "0")
            for label in labels:
                label.setVisible(bool(name))


class Inspector(QWidget):
    """About what is chosen."""

    def __init__(self, context: PaneContext, model: MemoryModel) -> None:
        super().__init__()
        theme = context.theme
        self._model = model
        self._title = ElidedLabel(theme, "", Face.SMALL_STRONG, "text2")
        self._count = PlainLabel(theme, "", Face.SMALL, "text2")
        self.history = HistoryList(theme, model.history)
        self._none = PlainLabel(
            theme, self.tr("No version is kept yet. The first change makes one."), Face.SMALL, "text2"
        )
        self._none.setWordWrap(True)
        self._none.setContentsMargins(14, 4, 14, 4)
        head = QHBoxLayout()
        set_rtl_margins(head, 14, 10, 14, 4)
        head.addWidget(self._title, 1)
        head.addWidget(self._count)
        self.recall = RecallBox(theme, model.recall_test)
        self.tokens = _Tokens(theme)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self.recall)
        self.column.addWidget(self.tokens)
        self.column.addLayout(head)
        self.column.addWidget(self._none)
        self.column.addWidget(self.history, 1)
        self.column.addStretch(0)
        model.history.modelReset.connect(self._show)
        model.changed.connect(lambda: self.tokens.show_tokens(model.next_prompts))
        self._show()

    def _show(self) -> None:
        file, count = self._model.history.file, self._model.history.rowCount()
        words = foreign_text.line(file_words(file)) if file is not None else ""
        self._title.setText(self.tr("History · {file}").format(file=words) if words else self.tr("History"))
        self._count.setText(self.tr("%n kept", "", count) if count else "")
        self._none.setVisible(not count)
        self.history.setVisible(bool(count))
