"""The versions of a memory file as a list, and one of them compared with the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QVBoxLayout, QWidget

from chimein_gui.domain.memory.versions import Author, MemoryVersion
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.painted_rows import PaintedRows, two_lines
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.memory.history import HistoryModel, author_words, change_words, entries_text

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme

MOST_COMPARED = 200_000
"""Characters of each version that are compared."""


class _Delegate(PaintedRows[MemoryVersion]):
    """A dot on a line; when and what changed, and below it by whom."""

    def __init__(self, theme: Theme, view: QListView, model: HistoryModel) -> None:
        super().__init__(theme, view)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return self.height_of(Face.SMALL, 2.3, 8, least=40)

    def draw(self, painter: QPainter, rect: QRectF, row: MemoryVersion, state: int) -> None:
        version, model, theme = row, self._model, self._theme
        place = model.versions.index(version)
        is_current = place == self._view.currentIndex().row()
        look = row_state(state, focused=is_current and self._view.hasFocus())
        draw_tile(painter, colours_of(theme, Role.ROW, look), rect.adjusted(6, 1, -6, -1))
        x, (upper, lower) = rect.left() + 18, two_lines(rect)
        painter.setPen(QPen(theme.color("line_strong"), 1))
        if place < model.rowCount() - 1:
            painter.drawLine(QPointF(x, upper + 7), QPointF(x, rect.bottom() + upper - rect.top() - 5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line_strong" if place else "accent"))
        painter.drawEllipse(QPointF(x, upper), 4, 4)
        left, right = x + 14, rect.right() - 14
        when = model.time_of(version)
        width = theme.metrics(Face.SMALL).horizontalAdvance(when)
        small, quiet = theme.font(Face.SMALL), theme.color("text2")
        marks.draw_line(painter, small, quiet, QPointF(right - width, upper), when)
        at, room, words = QPointF(left, upper), right - width - 8 - left, change_words(version.counts)
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), theme.color("text1"), at, words, room)
        token = "attention" if version.author is Author.OUTSIDE else "text2"
        at = QPointF(left, lower)
        marks.draw_line(painter, small, theme.color(token), at, author_words(version), right - left)


class HistoryList(SpokenListView):
    """The list.

    Attributes:
        entered: A version shall be compared; carries it.
        left: Escape was pressed.
    """

    entered = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, model: HistoryModel) -> None:
        super().__init__()
        speak_rows_only(self)
        self.setModel(model)
        make_selected_current(self)
        self.setItemDelegate(_Delegate(theme, self, model))
        self.setAccessibleName(self.tr("History of the file"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._kept = ""
        model.modelAboutToBeReset.connect(self._keep)
        model.modelReset.connect(self._restore)
        self.clicked.connect(lambda _index: self._enter())
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current(self) -> MemoryVersion | None:
        """The current version."""
        found = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return found if isinstance(found, MemoryVersion) else None

    def step(self, by: int) -> None:
        """Go to another version."""
        row = min(max(self.currentIndex().row() + by, 0), self.model().rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self.model().index(row, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _enter(self) -> None:
        if self.current is not None:
            self.entered.emit(self.current)

    def _keep(self) -> None:
        self._kept = self.current.name if self.current is not None else ""

    def _restore(self) -> None:
        model = self.model()
        assert isinstance(model, HistoryModel)
        row = next((row for row, one in enumerate(model.versions) if one.name == self._kept), -1)
        if row >= 0:
            self.setCurrentIndex(model.index(row, 0))


class VersionView(QWidget):
    """What a version changed, with a button that restores it.

    Attributes:
        restored: The version shall be restored; carries it.
        left: The comparison shall be closed.
    """

    restored = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, model: HistoryModel) -> None:
        super().__init__()
        self._model = model
        self.version: MemoryVersion | None = None
        self._title = ElidedLabel(theme, "", Face.STRONG)
        self._about = PlainLabel(theme, "", Face.SMALL, "text2")
        self.text = WordDiff(theme)
        self.restore = ActionButton(theme, self.tr("Restore this version"), icon="undo", key="R", kind=Kind.PRIMARY)
        self.back = ActionButton(theme, self.tr("Back"), key="Esc")
        head = QHBoxLayout()
        set_rtl_margins(head, 12, 8, 12, 4)
        head.setSpacing(8)
        head.addWidget(self._title, 1)
        head.addWidget(self.restore)
        head.addWidget(self.back)
        about = QHBoxLayout()
        set_rtl_margins(about, 12, 0, 12, 8)
        about.addWidget(self._about)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 4, 16, 16)
        column.addWidget(self.text)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addLayout(about)
        whole.addWidget(ScrollBox(inside), 1)
        self.restore.clicked.connect(self.restore_it)
        self.back.clicked.connect(self.left)

    def restore_it(self) -> None:
        """Restore the shown version; the newest one is what the file holds."""
        if self.version is not None and self.restore.isEnabled():
            self.restored.emit(self.version)

    def show_version(self, version: MemoryVersion, before: str, after: str) -> None:
        """Show what a version changed."""
        self.version = version
        when = self._model.time_of(version)
        title = self.tr("Version of {time}, {change}").format(time=when, change=change_words(version.counts))
        self._title.setText(title)
        self._about.setText(author_words(version))
        file = self._model.file
        texts = [entries_text(file.kind, one) for one in (before, after)] if file is not None else [before, after]
        if texts[0] == texts[1]:
            texts = [before, after]  # something else than an entry changed
        self.text.compare(texts[0][:MOST_COMPARED], texts[1][:MOST_COMPARED])
        is_newest = self._model.version_at(0) == version
        self.restore.allow(self.tr("The file is like this now") if is_newest else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
