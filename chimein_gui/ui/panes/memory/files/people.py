"""Whose memories: agents as headings, below each its chats and people, and a box that finds one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.painted_rows import PaintedRows, two_lines
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.surfaces.padded import Padded
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.memory.people import (
    PeopleModel,
    PersonRow,
    conflict_words,
    count_words,
    files_words,
    next_words,
    others_words,
    person_words,
    scope_words,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme

INSET, PAD, UNDER = 6.0, 8.0, 30.0
AVATAR = 20.0
LEAST = 200
"""Least width, px: names must be told apart, however wide the words beside them are."""


class _Delegate(PaintedRows[PersonRow]):
    """A heading with the agent's avatar; a row with its name and counts, and below them which files there are."""

    def __init__(self, theme: Theme, view: QListView, identity: Callable[[str], int]) -> None:
        super().__init__(theme, view)
        self._identity = identity

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = index.data(ItemRole)
        if isinstance(row, PersonRow) and row.is_heading:
            return self.height_of(Face.BODY, 1.5, 10, least=34)
        return self.height_of(Face.BODY, 2.2, 8, least=42)

    def draw(self, painter: QPainter, rect: QRectF, row: PersonRow, state: int) -> None:
        if row.is_heading:
            self._paint_heading(painter, row, rect)
        else:
            look = row_state(state, focused=False)
            draw_tile(painter, colours_of(self._theme, Role.ROW, look), rect.adjusted(INSET, 1, -INSET, -1))
            self._paint_row(painter, row, rect.adjusted(INSET + UNDER, 0, -INSET - PAD, 0))

    def _paint_heading(self, painter: QPainter, row: PersonRow, rect: QRectF) -> None:
        theme, middle = self._theme, rect.center().y() + 2
        left, right = rect.left() + INSET + PAD, rect.right() - INSET - PAD
        name = foreign_text.name(row.agent_name)
        avatar = QRectF(left, middle - AVATAR / 2, AVATAR, AVATAR)
        marks.draw_square(painter, theme, avatar, name, self._identity(row.agent_name))
        scope = scope_words(row)
        width = theme.metrics(Face.SMALL).horizontalAdvance(scope)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(right - width, middle), scope)
        at = QPointF(left + AVATAR + 8, middle)
        room = right - width - 8 - at.x()
        marks.draw_line(painter, theme.font(Face.STRONG), theme.color("text1"), at, name, room)

    def _paint_row(self, painter: QPainter, row: PersonRow, rect: QRectF) -> None:
        theme, left, right = self._theme, rect.left(), rect.right()
        upper, lower = two_lines(rect)
        small, quiet = theme.font(Face.SMALL), theme.color("text2")
        count = count_words(row)
        width = theme.metrics(Face.SMALL).horizontalAdvance(count)
        marks.draw_line(painter, small, quiet, QPointF(right - width, upper), count)
        name, at = foreign_text.name(person_words(row)), QPointF(left, upper)
        marks.draw_line(painter, theme.font(Face.STRONG), theme.color("text1"), at, name, right - width - 8 - left)
        end = right
        for icon_label in labels_of(row):
            end -= marks.mark_width(theme, icon_label.word)
            marks.draw_mark(painter, theme, QPointF(end, lower), icon_label, theme.color(icon_label.token))
            end -= 8
        marks.draw_line(painter, small, quiet, QPointF(left, lower), files_words(row), end - left)


def labels_of(row: PersonRow) -> list[IconLabel]:
    """Return the marks of a row, from the right: a conflict, what others said, and that a prompt holds its entries."""
    icon_labels = []
    if row.has_conflict:
        icon_labels.append(IconLabel("alert", conflict_words(), "danger"))
    if row.from_others:
        icon_labels.append(IconLabel("warning", others_words(row), "attention"))
    if row.is_next:
        icon_labels.append(IconLabel("quotes", "", "accent_text"))
    return icon_labels


def is_person(row: PersonRow | None) -> bool:
    """Tell whether a row is about one person, not about a group or all chats."""
    return row is not None and row.peer is not None and int(row.peer) > 0


class PeopleList(SpokenListView):
    """The list; its current row is the one whose memories are shown.

    Attributes:
        wanted: Everything about a person is wanted; carries the row.
    """

    wanted = Signal(object)

    def __init__(self, theme: Theme, model: PeopleModel, identity: Callable[[str], int]) -> None:
        """`identity` returns the number of an agent's identity colour by its name."""
        super().__init__()
        self.everything = QAction(self.tr("Everything about this person…"), self)
        speak_rows_only(self)
        self.setModel(model)
        make_selected_current(self)
        self.setItemDelegate(_Delegate(theme, self, identity))
        self.setAccessibleName(self.tr("Whose memories"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(self.horizontalScrollBarPolicy().ScrollBarAlwaysOff)
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
        """Make a row current; none is if this one is left out by a search."""
        model = self.model()
        assert isinstance(model, PeopleModel)
        place = model.row_of(row.key)
        if place != self.currentIndex().row():
            self.setCurrentIndex(model.index(place, 0))


class People(QWidget):
    """The box above, the list below."""

    def __init__(self, theme: Theme, model: PeopleModel, identity: Callable[[str], int]) -> None:
        super().__init__()
        find = self.tr("Find a person or file")
        self.box = LineField(theme, find, hint=find, icon="search")
        self.list = PeopleList(theme, model, identity)
        self.setMinimumWidth(LEAST)
        around = QHBoxLayout()
        around.setContentsMargins(10, 8, 10, 8)
        around.addWidget(self.box)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(around)
        self._nothing = PlainLabel(theme, self.tr("Nobody and no file has these words."), Face.BODY, "text2")
        self._nothing.setWordWrap(True)
        column.addWidget(Padded(self._nothing, 14, 4))
        column.addWidget(self.list, 1)
        legend = StateChip(theme)
        legend.say(IconLabel("quotes", next_words(), "accent_text"))
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 6, 12, 6)
        foot.addWidget(legend)
        foot.addStretch(1)
        column.addLayout(foot)
        self.box.stepped_down.connect(self.list.setFocus)
        for rows_changed in (model.rowsInserted, model.rowsRemoved):
            rows_changed.connect(self._show_nothing)
        self.box.textChanged.connect(self._show_nothing)
        self._show_nothing()

    def _show_nothing(self) -> None:
        self._nothing.setVisible(bool(self.box.text().strip()) and not self.list.model().rowCount())
