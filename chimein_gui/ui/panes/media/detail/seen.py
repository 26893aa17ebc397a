"""Where a file was seen: one line a chat; Return shows the newest message with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from chimein_gui.domain.media.library import Sighting
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.media_library.words import sighting_sentence, sighting_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.pane import PaneContext

PAD = 8.0


class _Rows(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.all: tuple[Sighting, ...] = ()

    def show(self, sightings: tuple[Sighting, ...]) -> None:
        if sightings != self.all:
            self.beginResetModel()
            self.all = sightings
            self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own
        return 0 if parent.isValid() else len(self.all)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.all):
            return None
        if role == ItemRole:
            return self.all[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return sighting_sentence(self.all[index.row()])
        return None


class _Delegate(QStyledItemDelegate):
    def __init__(self, context: PaneContext, view: SeenList) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(24, round(self._theme.metrics(Face.BODY).height() + 6)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        one, rect, theme = index.data(ItemRole), QRectF(option.rect), self._theme
        if not isinstance(one, Sighting):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        if self._view.hasFocus() or row_state(option.state.value).hovered:
            state = row_state(option.state.value, focused=False)
            draw_tile(painter, colours_of(theme, Role.ROW, state), rect)
        middle, right = rect.center().y(), rect.right() - PAD
        small, quiet = theme.font(Face.SMALL), theme.color("text2")
        time = self._context.models.clock.stamp(one.at)
        width = theme.metrics(Face.SMALL).horizontalAdvance(time)
        marks.draw_line(painter, small, quiet, QPointF(right - width, middle), time)
        right -= width + 10
        words = sighting_words(one)
        width = theme.metrics(Face.SMALL).horizontalAdvance(words)
        marks.draw_line(painter, small, quiet, QPointF(right - width, middle), words)
        right -= width + 8
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.identity(self._view.identity(one.agent_name)))
        painter.drawEllipse(QRectF(rect.left() + PAD - 4, middle - 4, 8, 8))
        name = f"{foreign_text.name(one.agent_name).split(' ')[0]} → {foreign_text.name(one.title)}"
        at = QPointF(rect.left() + PAD + 12, middle)
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), theme.color("text1"), at, name, right - at.x())
        painter.restore()


class SeenList(SpokenListView):
    """The chats, the newest first.

    Attributes:
        opened: A message shall be shown; carries the `Sighting`.
    """

    opened = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._agents = context.models.agents
        self.rows = _Rows(self)
        speak_rows_only(self)
        self.setModel(self.rows)
        make_selected_current(self)
        self.setItemDelegate(_Delegate(context, self))
        self.setAccessibleName(self.tr("Where it was seen"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.activated.connect(self._open)
        self.clicked.connect(self._open)
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    def identity(self, name: str) -> int:
        """Return the number of an agent's identity colour."""
        agents = self._agents
        return next((agents.identity_of(one.agent_id) for one in agents.items() if one.spec.name == name), 0)

    def _open(self, index: QModelIndex) -> None:
        one = index.data(ItemRole)
        if isinstance(one, Sighting):
            self.opened.emit(one)
