"""The price list: its numbers are edited in place."""

from __future__ import annotations

from datetime import date
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QStyledItemDelegate,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from chimein_gui.ui.panes.costs.table import CORNER
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current
from chimein_gui.ui.widgets.rows.opaque_ground import fill, make_opaque
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.rows.spoken_views import SpokenTableView
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import day_words
from chimein_gui.viewmodels.costs.prices import MODEL, PROMPT, SINCE, make_prices

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QKeyEvent, QPaintEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.core.roles import Index

_LONG_DAY = date(2028, 9, 28)
"""A day whose name is long."""

PAD = 12
"""Room at both sides of a cell, px."""


class _Heads(QHeaderView):
    """Heads in the look of the other tables."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self.setHighlightSections(False)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.reset)

    def sectionSizeFromContents(self, logical: int) -> QSize:
        metrics = self._theme.metrics(Face.META_STRONG)
        words = str(self.model().headerData(logical, self.orientation()))
        return QSize(round(metrics.horizontalAdvance(words)) + 2 * PAD, max(28, round(metrics.height() * 2)))

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        theme, model = self._theme, self.model()
        painter.save()
        painter.fillRect(rect, theme.color("card"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        painter.setFont(theme.font(Face.META_STRONG))
        painter.setPen(theme.color("text3"))
        alignment = int(model.headerData(logical, self.orientation(), Qt.ItemDataRole.TextAlignmentRole))
        words = str(model.headerData(logical, self.orientation()))
        painter.drawText(rect.adjusted(PAD, 0, -PAD, 0), alignment, words)
        painter.restore()


class _Cells(QStyledItemDelegate):
    """Cells in the look of the other tables; the current one has the ring while the table has the focus."""

    def __init__(self, theme: Theme, view: QTableView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = self._theme.metrics(Face.BODY)
        words = foreign_text.line(str(index.data()), 120)
        wide = metrics.horizontalAdvance(words)
        if index.column() == SINCE:  # the other columns stay where they are when a price gets its day
            wide = max(wide, metrics.horizontalAdvance(day_words(_LONG_DAY, with_year=True)))
        return QSize(ceil(wide) + 2 * PAD + 4, max(28, round(metrics.height() * 1.8)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, state, theme = QRectF(option.rect), option.state.value, self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, theme.color("card"))  # over the selection that the style has painted
        focused = self._view.hasFocus() and bool(state & SELECTED)
        draw_tile(painter, colours_of(theme, Role.ROW, row_state(state, focused=focused)), rect.adjusted(2, 1, -2, -1))
        painter.setFont(theme.font(Face.BODY))
        painter.setPen(theme.color("text1" if index.flags() & Qt.ItemFlag.ItemIsEditable else "text2"))
        inside = rect.adjusted(PAD, 0, -PAD, 0)
        words = elided(theme.metrics(Face.BODY), foreign_text.line(str(index.data()), 120), inside.width())
        side = index.data(Qt.ItemDataRole.TextAlignmentRole)
        alignment = side if side is not None else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(inside, int(alignment), words)
        painter.restore()


class _Table(SpokenTableView):
    """The table on the ground of its card."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        make_opaque(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "card")
        super().paintEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and self.hasFocus() and self.can_edit:  # in a field the key ends its change
            self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    @property
    def can_edit(self) -> bool:
        """Whether the current cell can be changed."""
        return bool(self.currentIndex().flags() & Qt.ItemFlag.ItemIsEditable)


class PricePage(QWidget):
    """Shows all prices.

    Attributes:
        left: The costs are to be shown again.
    """

    left = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme = theme = context.theme
        self.model = context.own(make_prices)
        self.list = view = _Table(theme)
        self._preferences = context.models.preferences_model
        view.setModel(self.model)
        view.setItemDelegate(_Cells(theme, view))
        make_selected_current(view)
        view.setAccessibleName(self.tr("Prices of models"))
        view.setFrameShape(QTableView.Shape.NoFrame)
        view.setShowGrid(False)
        view.verticalHeader().hide()
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setTabKeyNavigation(False)
        heads = _Heads(theme)
        view.setHorizontalHeader(heads)
        heads.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        heads.setSectionResizeMode(MODEL, QHeaderView.ResizeMode.Stretch)
        self.back = ActionButton(theme, self.tr("Back to the costs"), icon="caret-left")
        self.remove = ActionButton(theme, self.tr("Remove your price"))
        about = PlainLabel(
            theme,
            self.tr(
                "US dollars per million tokens. A change counts for calls from now on; earlier calls keep their cost."
            ),
            Face.SMALL,
            "text2",
        )
        self.refusal = PlainLabel(theme, "", Face.SMALL, "danger")
        self.refusal.hide()
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addWidget(about, 1)
        row.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(10)
        column.addLayout(row)
        column.addWidget(self.refusal)
        card = Card(theme)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(1, 4, 1, CORNER)
        inside.addWidget(view)
        column.addWidget(card, 1)
        self.back.clicked.connect(lambda _checked=False: self.left.emit())
        self.remove.clicked.connect(lambda _checked=False: self.model.remove(view.currentIndex().row()))
        view.selectionModel().currentChanged.connect(self._refresh)
        self._place = ("", 0, 0)
        self.model.modelAboutToBeReset.connect(self._note_place)
        self.model.modelReset.connect(self._go_back)
        self.model.dataChanged.connect(self._refresh)
        self._preferences.changed.connect(self._refresh)
        theme.changed.connect(self._colour)
        self._colour()
        self._refresh()

    def enter(self, model: str = "") -> None:
        """Focus the table, at the price of a model if one is named."""
        self.model.forget_typed()
        if model:
            self.list.setCurrentIndex(self.model.index(self.model.row_for(model), PROMPT))
        elif not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(0, 1))
        self.list.setFocus()

    def _colour(self) -> None:
        palette, color = self.list.palette(), self._theme.color
        for role, token in (
            (QPalette.ColorRole.Base, "card"),
            (QPalette.ColorRole.Highlight, "accent_soft"),
            (QPalette.ColorRole.HighlightedText, "text1"),
        ):
            palette.setColor(role, color(token))
        self.list.setPalette(palette)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _note_place(self) -> None:
        at = self.list.currentIndex()
        self._place = (self.model.rows[at.row()].model if at.isValid() else "", at.row(), at.column())

    def _go_back(self) -> None:
        """Make the cell current that was it before the rows changed."""
        model, row, column = self._place
        if column >= 0 and row >= 0:
            known = next((at for at, price in enumerate(self.model.rows) if model and price.model == model), row)
            self.list.setCurrentIndex(self.model.index(min(known, len(self.model.rows) - 1), column))
        self._refresh()

    def _refresh(self) -> None:
        self.remove.setEnabled(self.model.is_own(self.list.currentIndex().row()))
        refusal = self._preferences.refusal("prices")
        self.refusal.setText(refusal)
        self.refusal.setVisible(bool(refusal))
