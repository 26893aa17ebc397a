"""The recall test: a text that somebody might say, and what would come up; or a search of all memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QStyledItemDelegate, QVBoxLayout, QWidget

from chimein_gui.domain.memory.choice import RecallStatus
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import decimal_words
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.memory.recall_test import RecallTest, search_words, words_part

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.domain.memory.recall import Recalled
    from chimein_gui.ui.widgets.theme.theme import Theme

translate = QCoreApplication.translate

ROW, CUT, BAR = 24.0, 16.0, 28.0
MOST_ROWS = 10


def _is_first_below(index: QModelIndex | QPersistentModelIndex) -> bool:
    """Tell whether the hairline of the cut stands above a row."""
    above = index.model().index(index.row() - 1, 0).data(ItemRole) if index.row() else None
    here = index.data(ItemRole)
    return above is not None and above[1] is RecallStatus.IN_PROMPT and here[1] not in (RecallStatus.IN_PROMPT, None)


class _Delegate(QStyledItemDelegate):
    """Rank, text, the part of the words, and the score; grey behind the cut."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        height = max(ROW, self._theme.metrics(Face.SMALL).height() + 7)
        return QSize(120, round(height + (CUT if _is_first_below(index) else 0)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        found = index.data(ItemRole)
        if found is None:
            return
        one, status = found
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        if _is_first_below(index):
            self._paint_cut(painter, QRectF(rect.left(), rect.top(), rect.width(), CUT))
            rect.setTop(rect.top() + CUT)
        is_current = index.row() == self._view.currentIndex().row()
        state = row_state(option.state.value, focused=is_current and self._view.hasFocus())
        draw_tile(painter, colours_of(self._theme, Role.ROW, state), rect.adjusted(6, 0, -6, 0))
        self._paint_row(painter, one, rect.adjusted(14, 0, -14, 0), is_in=status in (RecallStatus.IN_PROMPT, None))
        painter.restore()

    def _paint_cut(self, painter: QPainter, rect: QRectF) -> None:
        theme, middle, words = self._theme, rect.center().y(), translate("RecallList", "cut")
        width = theme.metrics(Face.META).horizontalAdvance(words)
        left = rect.center().x() - width / 2
        painter.setPen(QPen(theme.color("line_strong"), 1))
        painter.drawLine(QPointF(rect.left() + 14, middle), QPointF(left - 8, middle))
        painter.drawLine(QPointF(left + width + 8, middle), QPointF(rect.right() - 14, middle))
        marks.draw_line(painter, theme.font(Face.META), theme.color("text3"), QPointF(left, middle), words)

    def _paint_row(self, painter: QPainter, one: Recalled, rect: QRectF, *, is_in: bool) -> None:
        theme, middle, right = self._theme, rect.center().y(), rect.right()
        small, strong = theme.font(Face.SMALL), theme.font(Face.SMALL_STRONG)
        ink = theme.color("text1" if is_in else "text3")
        score = decimal_words(one.score, 2)
        right -= theme.metrics(Face.SMALL_STRONG).horizontalAdvance(score)
        marks.draw_line(painter, strong if is_in else small, ink, QPointF(right, middle), score)
        right -= BAR + 6
        painter.setPen(Qt.PenStyle.NoPen)
        filled = BAR * min(1.0, max(0.0, one.score))
        for width, token in ((BAR, "track"), (filled, "accent" if is_in else "line_strong")):
            painter.setBrush(theme.color(token))
            painter.drawRoundedRect(QRectF(right, middle - 2, width, 4), 2, 2)
        part = words_part(one)
        if part:
            right -= theme.metrics(Face.META).horizontalAdvance(part) + 6
            marks.draw_line(painter, theme.font(Face.META), theme.color("text2"), QPointF(right, middle), part)
        rank = theme.color("accent_text" if is_in else "text3")
        marks.draw_line(painter, strong, rank, QPointF(rect.left(), middle), str(one.rank))
        at = QPointF(rect.left() + 18, middle)
        marks.draw_line(painter, small, ink, at, foreign_text.line(one.entry.text, 120), right - 6 - at.x())


class RecallList(SpokenListView):
    """What came up; as high as it needs to be."""

    def __init__(self, theme: Theme, model: RecallTest) -> None:
        super().__init__()
        speak_rows_only(self)
        self.setModel(model)
        make_selected_current(self)
        self.setItemDelegate(_Delegate(theme, self))
        self.setAccessibleName(self.tr("What would be recalled"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        model.modelReset.connect(self._fit)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self._fit)

    def _fit(self) -> None:
        self.scheduleDelayedItemsLayout()
        model = self.model()
        rows = min(model.rowCount(), MOST_ROWS)
        self.setFixedHeight(sum(self.sizeHintForRow(row) for row in range(rows)) + 2 * self.frameWidth())


class RecallBox(QWidget):
    """Title, field and list.

    Attributes:
        chosen: An entry of the list is current; carries it.
        left: Escape was pressed in the empty field.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, model: RecallTest) -> None:
        super().__init__()
        self._model = model
        title = self.tr("Recall test")
        self._hint = self.tr("Say what somebody might say")
        self.field = LineField(theme, title, hint=self._hint, icon="search")
        self.list = RecallList(theme, model)
        self.about = PlainLabel(theme, "", Face.META, "text2")
        self.about.setWordWrap(True)
        self._problem = PlainLabel(theme, "", Face.SMALL, "text2")
        self._problem.setWordWrap(True)
        inside = QVBoxLayout()
        set_rtl_margins(inside, 14, 10, 12, 6)
        inside.setSpacing(6)
        head = QHBoxLayout()
        self.title = ElidedLabel(theme, title, Face.SMALL_STRONG, "text2")
        self.modes = Segments(theme, (self.tr("Recall"), self.tr("Search")), self.tr("What the box asks"))
        self.modes.choose(0)
        head.addWidget(self.title, 1)
        head.addWidget(self.modes)
        inside.addLayout(head)
        inside.addWidget(self.field)
        inside.addWidget(self.about)
        inside.addWidget(self._problem)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        column.addLayout(inside)
        column.addWidget(self.list)
        self.modes.chosen.connect(self._change_mode)
        self.field.textChanged.connect(model.ask)
        self.field.returnPressed.connect(model.ask_now)
        self.field.stepped_down.connect(self.list.setFocus)
        self.list.selectionModel().currentChanged.connect(lambda now, _before: self._choose(now))
        model.answered.connect(self.show_answer)
        self.show_answer()

    def show_answer(self) -> None:
        """Show what was found, or why nothing was."""
        recall, problem = self._model.recall, self._model.problem
        words = search_words(recall) if recall is not None else ""
        if recall is not None and not self._model.is_search and not self.field.text().strip():
            words = self.tr("for the newest message · {how}").format(how=words)
        self.about.setText(words)
        self.about.setVisible(recall is not None)
        if recall is not None and not self._model.rows:
            problem = self.tr("Nothing fits.")
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem) and bool(self.field.text()))
        self.list.setVisible(bool(self._model.rows))

    def _change_mode(self, place: int) -> None:
        is_search = place == 1
        title = self.tr("Search all memories") if is_search else self.tr("Recall test")
        self.title.setText(title)
        self.field.setAccessibleName(title)
        self.field.setPlaceholderText(self.tr("Words, or what it is about") if is_search else self._hint)
        self.list.setAccessibleName(self.tr("What was found") if is_search else self.tr("What would be recalled"))
        self._model.search(wanted=is_search)
        self.field.setFocus()

    def _choose(self, index: QModelIndex) -> None:
        found = index.data(ItemRole)
        if found is not None:
            self.chosen.emit(found[0])
