"""The list of whom there are memories of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate

from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.memory.people import PeopleModel, PersonRow, files_words, person_words

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme

PAD = 12.0


class _Delegate(QStyledItemDelegate):
    """Name, and below it which files there are; the agent at the end."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(46, round(2.4 * self._theme.metrics(Face.BODY).height() + 8)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if not isinstance(row, PersonRow):
            return
        rect, theme = QRectF(option.rect), self._theme
        painter.save()
        if self._view.isRightToLeft():
            mirror(painter, rect)
        draw_row(painter, colours_of(theme, Role.ROW, row_state(option.state.value)), rect)
        upper, lower = rect.top() + rect.height() * 0.32, rect.top() + rect.height() * 0.7
        left, right, quiet = rect.left() + PAD, rect.right() - PAD, theme.color("text2")
        agent = foreign_text.name(row.agent_name)
        width = min(theme.metrics(Face.SMALL).horizontalAdvance(agent), rect.width() / 2)
        marks.draw_line(painter, theme.font(Face.SMALL), quiet, QPointF(right - width, lower), agent, width)
        name = foreign_text.name(person_words(row))
        marks.draw_line(
            painter, theme.font(Face.STRONG), theme.color("text1"), QPointF(left, upper), name, right - left
        )
        room = right - left - width - 8
        marks.draw_line(painter, theme.font(Face.SMALL), quiet, QPointF(left, lower), files_words(row), room)
        painter.restore()


def is_person(row: PersonRow | None) -> bool:
    """Tell whether a row is about one person, not about a group or all chats."""
    return row is not None and row.peer is not None and int(row.peer) > 0


class PeopleList(QListView):
    """The list; its current row is the one whose memories are shown.

    Attributes:
        wanted: Everything about a person is wanted; carries the row.
    """

    wanted = Signal(object)

    def __init__(self, theme: Theme, model: PeopleModel) -> None:
        super().__init__()
        self.everything = QAction(self.tr("Everything about this person…"), self)
        speak_rows_only(self)
        self.setModel(model)
        make_selected_current(self)
        self.setItemDelegate(_Delegate(theme, self))
        self.setAccessibleName(self.tr("Whose memories"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.activated.connect(self._want)
        self.everything.triggered.connect(lambda _checked=False: self._want(self.currentIndex()))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.addAction(self.everything)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    def currentChanged(
        self, now: QModelIndex | QPersistentModelIndex, before: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(now, before)
        self.everything.setEnabled(is_person(self.current))

    def _want(self, _index: QModelIndex) -> None:
        if is_person(self.current):
            self.wanted.emit(self.current)

    @property
    def current(self) -> PersonRow | None:
        """The current row."""
        row = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return row if isinstance(row, PersonRow) else None

    def select(self, row: PersonRow) -> None:
        """Make a row current."""
        model = self.model()
        assert isinstance(model, PeopleModel)
        place = model.row_of(row.key)
        if place >= 0 and self.currentIndex().row() != place:
            self.setCurrentIndex(model.index(place, 0))
