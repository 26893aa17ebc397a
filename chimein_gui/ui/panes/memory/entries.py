"""One side of the Memory pane: the entries of a file as cards, and the field in which one is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QStyledItemDelegate, QVBoxLayout, QWidget

from chimein_gui.domain.memory.edits import FileEntry
from chimein_gui.domain.memory.files import shown
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.controls.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.memory.model import EntriesModel

GAP, PAD = 4.0, 10.0
MOST_LINES = 12
"""Lines of an entry that a card shows."""

MOST_TYPED = 8_000


class _Delegate(QStyledItemDelegate):
    """A card: when it was written, and the text."""

    def __init__(self, theme: Theme, view: EntryList) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def _block(self, entry: FileEntry, width: float) -> text_block.TextBlock:
        words = foreign_text.body(shown(entry.entry.text))
        return text_block.lay_out(words, self._theme.font(Face.BODY), width, MOST_LINES)

    def _head(self, entry: FileEntry) -> float:
        return self._theme.metrics(Face.SMALL).height() + 4 if self._view.rows.day_of(entry) else 0.0

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        entry = index.data(ItemRole)
        if not isinstance(entry, FileEntry):
            return QSize(120, 30)
        width = self._view.viewport().width() - 2 * (GAP + PAD)
        height = self._block(entry, max(60.0, width)).height
        return QSize(120, round(self._head(entry) + height + 2 * (GAP + PAD)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry = index.data(ItemRole)
        if not isinstance(entry, FileEntry):
            return
        theme = self._theme
        rect = QRectF(option.rect).adjusted(GAP, GAP / 2, -GAP, -GAP / 2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("card"))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        focused = self._view.hasFocus()
        draw_row(painter, colours_of(theme, Role.ROW, row_state(option.state.value, focused=focused)), rect)
        left, top = rect.left() + PAD, rect.top() + PAD
        day = self._view.rows.day_of(entry)
        if day:
            middle = QPointF(left, top + theme.metrics(Face.SMALL).height() / 2)
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), middle, day)
            top += self._head(entry)
        text = QRectF(left, top, rect.width() - 2 * PAD, rect.bottom() - PAD - top + 2)
        if self._view.isRightToLeft():
            mirror(painter, text)
        text_block.draw(painter, self._block(entry, text.width()), text.topLeft(), theme.color("text1"))
        painter.restore()


class EntryList(QListView):
    """The cards.

    Attributes:
        rows: The entries.
        pressed_key: A key for the side was pressed; carries it.
    """

    pressed_key = Signal(str)

    def __init__(self, theme: Theme, rows: EntriesModel, name: str) -> None:
        super().__init__()
        self.rows = rows
        speak_rows_only(self)
        self.setModel(rows)
        make_selected_current(self)
        self.setItemDelegate(_Delegate(theme, self))
        self.setAccessibleName(name)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current(self) -> FileEntry | None:
        """The current entry."""
        return self.rows.entry_at(self.currentIndex().row())

    def step(self, by: int) -> None:
        """Go to the next entry, or the one before."""
        row = min(max(self.currentIndex().row() + by, 0), self.rows.rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self.rows.index(row, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {
            Qt.Key.Key_Return: "edit",
            Qt.Key.Key_Enter: "edit",
            Qt.Key.Key_Delete: "delete",
        }
        wanted = keys.get(Qt.Key(event.key()))
        if wanted is not None:
            self.pressed_key.emit(wanted)
        else:
            super().keyPressEvent(event)


class EntrySide(QWidget):
    """Head with path and *Add*, the cards, and the field.

    Attributes:
        saved: A text was written; carries the entry that it replaces, or None for a new one, and the text.
        moved: An entry shall go to the other side; carries it.
    """

    saved = Signal(object, str)
    moved = Signal(object)

    def __init__(self, theme: Theme, rows: EntriesModel, title: str, other: str) -> None:
        super().__init__()
        self._theme = theme
        self._edited: FileEntry | None = None
        self.list = EntryList(theme, rows, title)
        self._count = PlainLabel(theme, "", Face.SMALL, "text2")
        self._path = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.new = VerbButton(theme, self.tr("Add"), icon="plus", kind=Kind.QUIET)
        self.edit = VerbButton(theme, self.tr("Edit"), key="E")
        self.delete = VerbButton(theme, self.tr("Delete"))
        self.give_over = VerbButton(theme, other, key="U")
        self.field = MessageEditor(theme, lines=(2, 8), most=MOST_TYPED)
        self.field.field.setAccessibleName(self.tr("Text of the memory"))
        self.save = VerbButton(theme, self.tr("Save"), key="Ctrl+Enter", kind=Kind.PRIMARY)
        self.cancel = VerbButton(theme, self.tr("Cancel"))
        self._empty = PlainLabel(theme, "", Face.BODY, "text2")
        self._empty.setWordWrap(True)
        self._empty.setContentsMargins(16, 12, 16, 12)
        self._writing = QWidget()
        self._build(title)
        self._wire()
        self.show_state()

    def _build(self, title: str) -> None:
        head = QHBoxLayout()
        set_rtl_margins(head, 12, 8, 8, 0)
        head.setSpacing(8)
        head.addWidget(PlainLabel(self._theme, title, Face.STRONG))
        head.addWidget(self._count)
        head.addStretch(1)
        head.addWidget(self.new)
        path = QHBoxLayout()
        set_rtl_margins(path, 12, 0, 12, 4)
        path.addWidget(self._path)
        verbs = QHBoxLayout()
        set_rtl_margins(verbs, 12, 4, 12, 8)
        verbs.setSpacing(8)
        for button in (self.edit, self.give_over, self.delete):
            verbs.addWidget(button)
        verbs.addStretch(1)
        below = QVBoxLayout(self._writing)
        set_rtl_margins(below, 12, 4, 12, 8)
        below.addWidget(self.field)
        buttons = QHBoxLayout()
        buttons.addWidget(self.save)
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        below.addLayout(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(path)
        column.addWidget(self._empty)
        column.addWidget(self.list, 1)
        column.addWidget(self._writing)
        column.addLayout(verbs)
        self._writing.hide()

    def _wire(self) -> None:
        self.new.clicked.connect(self.begin_new)
        self.edit.clicked.connect(self.begin_edit)
        self.delete.clicked.connect(self.remove)
        self.give_over.clicked.connect(self.give)
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.leave_field)
        self.field.submitted.connect(self._save)
        self.field.cancelled.connect(self.leave_field)
        self.list.pressed_key.connect(self._press)
        self.list.doubleClicked.connect(lambda _index: self.begin_edit())
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self.show_state())
        self.list.rows.modelReset.connect(self.show_state)

    @property
    def is_writing(self) -> bool:
        """Whether something is being written."""
        return self._writing.isVisible()

    def say_empty(self, words: str) -> None:
        """Say what stands here when there is nothing."""
        self._empty.setText(words)
        self.show_state()

    def show_state(self) -> None:
        """Show how many entries there are, and what can be done."""
        page, count = self.list.rows.page, self.list.rows.rowCount()
        self._count.setText(str(count) if count else "")
        self._path.setText(foreign_text.line(page.path, 400) if page is not None else "")
        self._empty.setVisible(not count)
        self.list.setVisible(bool(count))
        for button in (self.edit, self.delete, self.give_over):
            button.setVisible(bool(count) and not self.is_writing)
            button.setEnabled(self.list.current is not None)

    def begin_new(self) -> None:
        """Write a new entry."""
        self._begin(None, "")

    def begin_edit(self) -> None:
        """Change the current entry."""
        entry = self.list.current
        if entry is not None:
            self._begin(entry, shown(entry.entry.text))

    def remove(self) -> None:
        """Delete the current entry."""
        entry = self.list.current
        if entry is not None:
            self.saved.emit(entry, "")

    def give(self) -> None:
        """Move the current entry to the other side."""
        entry = self.list.current
        if entry is not None:
            self.moved.emit(entry)

    def leave_field(self) -> None:
        """Close the field without saving."""
        self._writing.hide()
        self.show_state()
        (self.list if self.list.isVisible() else self.new).setFocus()

    def _begin(self, entry: FileEntry | None, text: str) -> None:
        self._edited = entry
        self.field.set_text(text)
        self._writing.show()
        self.field.field.setFocus()
        self.show_state()

    def _save(self) -> None:
        text, entry = self.field.text(), self._edited
        self.leave_field()
        if text.strip():
            self.saved.emit(entry, text)

    def _press(self, wanted: str) -> None:
        if wanted == "delete":
            self.remove()
        else:
            self.begin_edit()
