"""Paints the rows of the Log pane."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate

from chimein_gui.domain.ids import AgentId
from chimein_gui.reporting.log_lines import LogLine
from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.widgets.rows.row_states import HOVERED, SELECTED
from chimein_gui.ui.widgets.surfaces.surface import soft_ground
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import is_turned
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.log.model import chat_title
from chimein_gui.viewmodels.log.words import leads_words, level_word, time_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QListView, QStyleOptionViewItem

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.log.columns import Columns
    from chimein_gui.viewmodels.log.model import LogModel

ICON, DOT = 13.0, 7.0

_MOST_CUTS = 500

_MOST_BYTES = 4 * 2**20
"""Memory for painted rows; for a larger window, what its rows in sight need."""

_Word: TypeAlias = "tuple[Face, QColor, float, str]"
"""Font, colour, leading edge in px, and words."""


def level_label(level: int) -> IconLabel:
    """Return a level as icon, word and colour."""
    word = level_word(level)
    if level >= logging.ERROR:
        return IconLabel("x-circle", word, "danger")
    if level >= logging.WARNING:
        return IconLabel("warning", word, "attention")
    return IconLabel("info", word, "info") if level >= logging.INFO else IconLabel("dots", word, "text3")


class _Look(NamedTuple):
    """A font with its measures, px.

    Attributes:
        font, metrics: As the theme has them.
        widest: Width of the widest letter.
        widest_plain: Width of the widest letter of ASCII, of which most lines are.
        drop: How far the base line is below the middle of a line.
    """

    font: QFont
    metrics: QFontMetricsF
    widest: float
    widest_plain: float
    drop: float


class _Agent(NamedTuple):
    """An agent as its rows show it; the name is foreign, the identity is the number of its colour."""

    name: str
    identity: int


class LogDelegate(QStyledItemDelegate):
    """All rows have the same height, so that the view needs to measure none.

    At 1,000 new lines a second each call counts: all rows in sight are new ones at every paint, and while another
    thread writes, the time of a paint is more than doubled. So they are painted before they are shown, some at a time.

    Attributes:
        pictures: The painted rows.
    """

    def __init__(self, context: PaneContext, view: QListView, model: LogModel, columns: Callable[[], Columns]) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._model, self._columns = model, columns
        self.pictures = RowPictures(context.theme, "pane", _MOST_BYTES)
        self._looks: dict[Face, _Look] = {}
        self._cuts: dict[tuple[Face, str, float], str] = {}
        """Words that stand in many rows, as they are shown."""
        self._row_height = 0
        context.theme.fonts_changed.connect(self._forget)

    def _forget(self) -> None:
        self._looks.clear()
        self._cuts.clear()
        self.pictures.clear()
        self._row_height = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, self.row_height())

    def row_height(self) -> int:
        """Return the height of every row, px."""
        if not self._row_height:
            self._row_height = max(25, round(self._theme.metrics(Face.BODY).height() * 1.5))
        return self._row_height

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line = index.data(ItemRole)
        if not isinstance(line, LogLine):
            return
        state = option.state.value & (SELECTED | HOVERED)
        focused = self._view.hasFocus() and bool(state & SELECTED)
        self.pictures.draw(
            painter,
            option.rect,
            (line, self._agent_of(line), state, focused),
            lambda once, rect: self._paint(once, rect, line, state, focused=focused),
            turned=self._view.isRightToLeft(),
        )

    def prepare(self, line: LogLine) -> None:
        """Paint a line that is shown soon, so that its row is only drawn then."""
        self.pictures.prepare(
            self._view.viewport(),
            self.row_height(),
            (line, self._agent_of(line), 0, False),
            lambda once, rect: self._paint(once, rect, line, 0, focused=False),
            turned=self._view.isRightToLeft(),
        )

    def _agent_of(self, line: LogLine) -> _Agent | None:
        """Return the agent that a line is about, by himself or by its chat; None without one."""
        agent_id = self._model.agent_of(line)
        agents = self._context.models.agents
        agent = agents.find(AgentId(agent_id)) if agent_id is not None else None
        if agent is None or not agent.spec.name:
            return None
        return _Agent(agent.spec.name, agents.identity_of(agent.agent_id))

    def _paint(self, painter: QPainter, rect: QRectF, line: LogLine, state: int, *, focused: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        label = level_label(line.level)
        self._paint_ground(painter, rect, label.token, state, focused=focused)
        words = self._words_of(painter, rect, line, label, is_strong=bool(state & SELECTED))
        (self._draw_turned if is_turned(painter) else self._draw)(painter, rect.center().y() + 0.5, words)

    def _paint_ground(self, painter: QPainter, rect: QRectF, token: str, state: int, *, focused: bool) -> None:
        if token in ("danger", "attention"):
            tint = QColor(self._theme.color(soft_ground(token)))
            tint.setAlphaF(0.55)
            painter.fillRect(rect, tint)
        if state:
            colours = colours_of(self._theme, Role.ROW, row_state(state, focused=focused))
            draw_tile(painter, colours, rect.adjusted(6, 1, -6, -1))

    def _words_of(
        self, painter: QPainter, rect: QRectF, line: LogLine, label: IconLabel, *, is_strong: bool
    ) -> list[_Word]:
        """Paint the icon and the dot of a row, and return its words, those of one font one after the other."""
        theme, columns, left, middle = self._theme, self._columns(), rect.left(), rect.center().y() + 0.5
        second, colour = theme.color("text2"), theme.color(label.token)
        icons.draw(painter, label.icon, colour, QRectF(left + columns.level, middle - ICON / 2, ICON, ICON))
        words: list[_Word] = [(Face.MONO, second, left + columns.time, time_words(line.at))]
        if columns.agent > columns.part:
            part = self._cut(Face.SMALL, foreign_text.line(line.part, 40), columns.part_room)
            words.append((Face.SMALL, second, left + columns.part, part))
        face = Face.SMALL_STRONG if line.level >= logging.WARNING else Face.SMALL
        words.append((face, colour, left + columns.level + ICON + 5, label.word))
        agent = self._agent_of(line)
        if agent is not None:
            dot = left + columns.agent
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.identity(agent.identity))
            painter.drawEllipse(QRectF(dot, middle - DOT / 2, DOT, DOT))
            room = columns.message - columns.agent - DOT - 14
            name = self._cut(Face.SMALL_STRONG, foreign_text.name(agent.name), room)
            words.append((Face.SMALL_STRONG, theme.color("text1"), dot + DOT + 6, name))
        end = columns.end
        if link := leads_words(line, foreign_text.line(chat_title(self._context.models.chats, line), 40)):
            width = min(self._look(Face.SMALL_STRONG).metrics.horizontalAdvance(link), columns.link_width)
            end -= width
            link = self._fitting(Face.SMALL_STRONG, link, width + 1)
            words.append((Face.SMALL_STRONG, theme.color("accent_text"), left + end, link))
        ink = theme.color("text2" if line.level < logging.INFO else "text1")
        face, text, room = Face.STRONG if is_strong else Face.BODY, foreign_text.line(line.text, 300), end - 12
        words.append((face, ink, left + columns.message, self._fitting(face, text, room - columns.message)))
        return words

    def _draw(self, painter: QPainter, middle: float, words: list[_Word]) -> None:
        set_font = None
        for face, color, left, text in words:
            look = self._look(face)
            if face is not set_font:
                painter.setFont(look.font)
                set_font = face
            painter.setPen(color)
            painter.drawText(QPointF(left, middle + look.drop), text)

    def _draw_turned(self, painter: QPainter, middle: float, words: list[_Word]) -> None:
        for face, color, left, text in words:
            marks.draw_line(painter, self._look(face).font, color, QPointF(left, middle), text)

    def _cut(self, face: Face, words: str, room: float) -> str:
        """Return as much of words that many rows have as fits."""
        key = face, words, room
        shown = self._cuts.get(key)
        if shown is None:
            if len(self._cuts) >= _MOST_CUTS:
                self._cuts.clear()
            shown = self._cuts[key] = self._fitting(face, words, room)
        return shown

    def _fitting(self, face: Face, text: str, room: float) -> str:
        look = self._look(face)
        widest = look.widest_plain if text.isascii() else look.widest
        return text if len(text) * widest <= room else elided(look.metrics, text, room)

    def _look(self, face: Face) -> _Look:
        known = self._looks.get(face)
        if known is None:
            metrics = self._theme.metrics(face)
            plain = max(metrics.horizontalAdvance(chr(number)) for number in range(32, 127))
            drop = (metrics.ascent() - metrics.descent()) / 2
            known = self._looks[face] = _Look(self._theme.font(face), metrics, metrics.maxWidth(), plain + 0.5, drop)
        return known
