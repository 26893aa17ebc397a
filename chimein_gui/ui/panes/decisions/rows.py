"""Paints the rows of the log and of the edit rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from chimein_gui.domain.plans.decision_log import DecisionKind, DecisionShare, LoggedDecision
from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.widgets.rows.row_states import HOVERED, SELECTED
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import NONE, Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.decisions.words import kind_words, rate_words, rule_name, text_words

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.pane import PaneContext

PAD, SQUARE, TEXT_LEFT = 14.0, 20.0, 44.0
FIGURES = 3
FIGURE_WIDTH = 62.0

MOST_LOOKS = 300
"""Lines whose words are kept: new lines move all that are in sight, and these are painted again."""

_SIGNS = {
    DecisionKind.APPROVED: ("check", "ok"),
    DecisionKind.EDITED: ("pencil", "info"),
    DecisionKind.REJECTED: ("x", "danger"),
    DecisionKind.PLAN_REJECTED: ("x", "danger"),
    DecisionKind.POSTPONED: ("clock", "text2"),
    DecisionKind.UNDONE: ("undo", "text2"),
    DecisionKind.BY_RULE: ("bolt", "attention"),
    DecisionKind.WRITTEN: ("pencil", "text2"),
    DecisionKind.SENT_ANYWAY: ("send", "ok"),
    DecisionKind.REGENERATED: ("refresh", "text2"),
}


def label_of(one: LoggedDecision) -> IconLabel:
    """Return a decision as icon and words; an automatic one includes its rule."""
    icon, token = _SIGNS[one.kind]
    return IconLabel(icon, kind_words(one.kind) if one.rule is None else rule_name(one.rule.name), token)


def draw_ground(painter: QPainter, context: PaneContext, rect: QRectF, state: int, *, focused: bool) -> None:
    """Paint the background of a row: selected, hovered, or normal."""
    colours = colours_of(context.theme, Role.ROW, row_state(state, focused=focused))
    draw_row(painter, colours if focused else colours._replace(edge=NONE), rect)


class LineLook(NamedTuple):
    """Everything that the row of a decision shows."""

    agent: str
    identity: int
    chat: str
    label: IconLabel
    time: str
    words: str
    state: int
    focused: bool


class LineDelegate(QStyledItemDelegate):
    """One decision: agent, recipient, decision and time; the text below. Each appearance is painted once and cached."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self.pictures = RowPictures(context.theme, "pane")
        self._looks: dict[str, tuple[LoggedDecision, LineLook]] = {}
        context.theme.fonts_changed.connect(self.pictures.clear)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(52, round(2.1 * self._theme.metrics(Face.BODY).height() + 18)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        one = index.data(ItemRole)
        if not isinstance(one, LoggedDecision):
            return
        look = self._look(one, option.state.value & (SELECTED | HOVERED))
        self.pictures.draw(
            painter, option.rect, look, lambda p, rect: self._paint(p, rect, look), turned=self._view.isRightToLeft()
        )

    def _look(self, one: LoggedDecision, state: int) -> LineLook:
        models = self._context.models
        identity, time = models.agents.identity_of(one.agent_id), models.clock.stamp(one.at)
        focused = self._view.hasFocus()
        line, look = self._looks.get(one.client_id, (None, None))
        if line is one and look is not None:
            if (look.identity, look.time, look.state, look.focused) == (identity, time, state, focused):
                return look
            look = look._replace(identity=identity, time=time, state=state, focused=focused)
        else:
            words = foreign_text.line(text_words(one, foreign_text.isolated)) or foreign_text.line(one.words)
            look = LineLook(one.agent_name, identity, one.chat_title, label_of(one), time, words, state, focused)
        if len(self._looks) >= MOST_LOOKS:
            self._looks.clear()
        self._looks[one.client_id] = one, look
        return look

    def _paint(self, painter: QPainter, rect: QRectF, look: LineLook) -> None:
        theme = self._theme
        draw_ground(painter, self._context, rect, look.state, focused=look.focused)
        marks.draw_hairline(painter, theme, rect, TEXT_LEFT)
        upper, lower = rect.top() + rect.height() * 0.31, rect.top() + rect.height() * 0.7
        square = QRectF(rect.left() + PAD, rect.center().y() - SQUARE / 2, SQUARE, SQUARE)
        marks.draw_square(painter, theme, square, look.agent, look.identity)
        self._paint_head(painter, rect, upper, look)
        place, room = QPointF(rect.left() + TEXT_LEFT, lower), rect.width() - TEXT_LEFT - PAD
        marks.draw_line(painter, theme.font(Face.BODY), theme.color("text2"), place, look.words, room)

    def _paint_head(self, painter: QPainter, rect: QRectF, middle: float, look: LineLook) -> None:
        theme = self._theme
        end = rect.right() - PAD - theme.metrics(Face.SMALL).horizontalAdvance(look.time)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(end, middle), look.time)
        left, label = rect.left() + TEXT_LEFT, look.label
        most = (end - left) * 0.55 - 30
        shown = IconLabel(label.icon, elided(theme.metrics(Face.SMALL_STRONG), label.word, most), label.token)
        color = theme.color(label.token)
        end -= marks.mark_width(theme, shown.word, Face.SMALL_STRONG) + 14
        marks.draw_mark(painter, theme, QPointF(end, middle), shown, color, Face.SMALL_STRONG)
        font, ink = theme.font(Face.STRONG), theme.color("text1")
        agent = foreign_text.name(look.agent).split(" ")[0]
        left += marks.draw_line(painter, font, ink, QPointF(left, middle), agent, (end - left) * 0.4) + 4
        icons.draw(painter, "arrow-right", theme.color("text3"), QRectF(left, middle - 6, 12, 12))
        name = foreign_text.name(look.chat)
        marks.draw_line(painter, font, ink, QPointF(left + 16, middle), name, end - left - 26)


class RateDelegate(QStyledItemDelegate):
    """One agent, or one of its chats, indented: decided by you, by a rule, edit rate."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(28, round(self._theme.metrics(Face.BODY).height() * 1.65)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        one = index.data(ItemRole)
        if not isinstance(one, DecisionShare):
            return
        rect, theme = QRectF(option.rect), self._theme
        painter.save()
        if self._view.isRightToLeft():
            mirror(painter, rect)
        draw_ground(painter, self._context, rect, option.state.value, focused=self._view.hasFocus())
        middle, left = rect.center().y(), rect.left() + PAD
        is_agent = one.chat_id is None
        if is_agent:
            square = QRectF(left, middle - 8, 16, 16)
            identity = self._context.models.agents.identity_of(one.agent_id)
            marks.draw_square(painter, theme, square, one.agent_name, identity)
        left += 24
        face = Face.STRONG if is_agent else Face.BODY
        width = FIGURE_WIDTH * theme.percent / 100
        name = foreign_text.name(one.agent_name if is_agent else one.chat_title)
        room = rect.right() - PAD - FIGURES * width - left - 6
        marks.draw_line(painter, theme.font(face), theme.color("text1"), QPointF(left, middle), name, room)
        for place, figure in enumerate(reversed(figures_of(one))):
            right = rect.right() - PAD - place * width
            advance = theme.metrics(face).horizontalAdvance(figure)
            ink = theme.color("text1" if place == 0 else "text2")
            marks.draw_line(painter, theme.font(face), ink, QPointF(right - advance, middle), figure)
        painter.restore()


def figures_of(one: DecisionShare) -> tuple[str, str, str]:
    """Return the figures of a row: decided by you, by a rule, edit rate."""
    totals = one.totals
    return f"{totals.approved + totals.edited + totals.rejected}", f"{totals.by_rule}", rate_words(totals)
