"""Paints the rows of the list of traces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtWidgets import QStyledItemDelegate

from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.panes.traces.looks import state_label
from chimein_gui.ui.widgets.rows.row_states import HOVERED, SELECTED
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.standing import MAY_WAIT, standing_in
from chimein_gui.viewmodels.traces.words import dollars_exact, first_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QListView, QStyleOptionViewItem

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.traces.list import TraceListModel

STRIPE, LEAD, TRAIL = 3.0, 24.0, 16.0
BEFORE_HIT = 24
"""Most characters before a word that is searched for, where the beginning of the message has no room."""


class TraceLook(NamedTuple):
    """Everything that the row of a trace shows, in words."""

    agent: str
    identity: int
    chat: str
    time: str
    is_kept: bool
    label: IconLabel
    words: str
    sought: str
    usd: float | None
    state: int
    focused: bool


class TraceDelegate(QStyledItemDelegate):
    """Two lines: who answers whom and when; what became of it, the message, and the cost.

    Each appearance is painted once and cached.

    Attributes:
        is_narrow: There is room for an icon and the time alone.
        counts_down: A row that was painted says how much time is left.
        waiting: The chats of painted rows that show what a plan waits for now; the view clears it when it repaints all.
        sought: Words that are searched for.
        today: The date; the view sets it before each paint.
    """

    def __init__(self, context: PaneContext, view: QListView, rows: TraceListModel) -> None:
        """Paint the rows of a view.

        Args:
            context: The models and colours.
            view: The list; between it and `rows` stands nothing that sorts or filters.
            rows: The rows.
        """
        super().__init__(view)
        self._context, self._theme, self._view, self._rows = context, context.theme, view, rows
        self.today = context.models.clock.today()
        self.waiting: set[ChatId] = set()
        self.pictures = RowPictures(context.theme, "pane")
        context.theme.fonts_changed.connect(self.pictures.clear)
        self.is_narrow = self.counts_down = False
        self.sought = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(54, round(2.1 * self._theme.metrics(Face.BODY).height() + 20)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = self._rows.item_at(index.row())
        if row is None:
            return
        models, state = self._context.models, option.state.value & (SELECTED | HOVERED)
        waits = None
        if row.state in MAY_WAIT:
            self.waiting.add(row.chat_id)
            standing = standing_in(models, row)
            if standing is not None:
                self.counts_down = self.counts_down or standing.until is not None
                waits = state_label(row, standing, models.clock)
        identity, words = models.agents.identity_of(row.agent_id), first_words(row)
        focused = bool(state & SELECTED) and self._view.hasFocus()
        # What the look is made from: making the look of each row in sight costs more than drawing the images.
        key = (
            row.agent_name,
            identity,
            row.chat_title,
            row.ended_at,
            self.today,
            row.is_kept,
            waits,
            row.kind,
            row.state,
            row.is_edited,
            words,
            self.sought,
            row.usd,
            state,
            focused,
        )

        def paint(on: QPainter, rect: QRectF) -> None:
            label = waits or state_label(row, None, models.clock)
            time = models.clock.stamp(row.ended_at)
            shown = (row.agent_name, identity, row.chat_title, time, row.is_kept, label, words, self.sought)
            self._paint(on, rect, TraceLook(*shown, row.usd, state, focused))

        self.pictures.draw(painter, option.rect, key, paint, turned=self._view.isRightToLeft())

    def _paint(self, painter: QPainter, rect: QRectF, look: TraceLook) -> None:
        theme = self._theme
        colours = colours_of(theme, Role.ROW, row_state(look.state, focused=look.focused))
        edge = 3 if self.is_narrow else 6
        draw_tile(painter, colours, rect.adjusted(edge, 1, -edge, -2))
        identity = theme.identity(look.identity)
        stripe = QRectF(rect.left() + (6 if self.is_narrow else 12), rect.top() + 8, STRIPE, rect.height() - 17)
        painter.fillRect(stripe, identity)
        if self.is_narrow:
            self._paint_narrow(painter, rect.adjusted(12, 0, -edge - 3, 0), look)
            return
        if not look.state & SELECTED:  # the tile of the chosen row has an edge of its own
            marks.draw_hairline(painter, theme, rect, LEAD, 10)
        self._paint_head(painter, rect, look)
        self._paint_state(painter, rect, look)

    def _paint_narrow(self, painter: QPainter, room: QRectF, look: TraceLook) -> None:
        """Paint the icon of the state above the time, both in the middle of the room; the tool tip has the rest."""
        theme, middle = self._theme, room.center().x()
        top = room.top() + room.height() * 0.3 - 8
        left = middle - (15 if look.is_kept else 8)
        icons.draw(painter, look.label.icon, theme.color(look.label.token), QRectF(left, top, 16, 16))
        if look.is_kept:
            icons.draw(painter, "lock", theme.color("accent"), QRectF(left + 19, top + 2, 12, 12))
        width = min(theme.metrics(Face.META).horizontalAdvance(look.time), room.width())
        at = QPointF(middle - width / 2, room.top() + room.height() * 0.7)
        marks.draw_line(painter, theme.font(Face.META), theme.color("text2"), at, look.time, width + 1)

    def _paint_head(self, painter: QPainter, rect: QRectF, look: TraceLook) -> None:
        theme, middle = self._theme, rect.top() + rect.height() * 0.32
        small = theme.metrics(Face.SMALL)
        end = rect.right() - TRAIL - small.horizontalAdvance(look.time)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(end, middle), look.time)
        if look.is_kept:
            end -= 20
            icons.draw(painter, "lock", theme.color("accent"), QRectF(end, middle - 7, 14, 14))
        font = theme.font(Face.STRONG if look.state & SELECTED else Face.BODY)
        ink, left = theme.color("text1"), rect.left() + LEAD
        agent = foreign_text.name(look.agent).split(" ")[0]
        left += marks.draw_line(painter, font, ink, QPointF(left, middle), agent, (end - left) * 0.45) + 4
        icons.draw(painter, "arrow-right", theme.color("text3"), QRectF(left, middle - 6, 12, 12))
        chat = foreign_text.name(look.chat)
        marks.draw_line(painter, font, ink, QPointF(left + 16, middle), chat, end - left - 24)

    def _paint_state(self, painter: QPainter, rect: QRectF, look: TraceLook) -> None:
        theme, middle = self._theme, rect.top() + rect.height() * 0.7
        cost = dollars_exact(look.usd)
        end = rect.right() - TRAIL - theme.metrics(Face.SMALL).horizontalAdvance(cost)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(end, middle), cost)
        at = QPointF(rect.left() + LEAD, middle)
        ink = theme.color(look.label.token)
        left = marks.draw_mark(painter, theme, at, look.label, ink, Face.SMALL_STRONG) + 10
        room, small = end - left - 10, theme.metrics(Face.SMALL)
        words = from_hit(foreign_text.line(look.words), look.sought, lambda part: small.horizontalAdvance(part) <= room)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(left, middle), words, room)


def from_hit(words: str, sought: str, fits: Callable[[str], bool]) -> str:
    """Return words from a place on at which the first of the words that are searched for is in sight.

    Args:
        words: The text.
        sought: What is searched for: each of its words, or what begins with one.
        fits: Returns whether a part has room.
    """
    # Scripts without blanks between words have letters, too, so a word is looked for within others there.
    begins_word = {one: r"(?<!\w)" if one.isascii() else "" for one in re.findall(r"\w+", sought)}
    found = [re.search(f"{begin}{one}", words, re.IGNORECASE) for one, begin in begins_word.items()]
    hits = [one for one in found if one is not None]
    if not hits:
        return words
    hit = min(hits, key=lambda one: one.start())
    if fits(words) or fits(f"{words[: hit.end()]}…"):
        return words
    begins = [one.start() for one in re.finditer(r"\S+", words[: hit.start()])]
    near = [place for place in begins if hit.start() - place <= BEFORE_HIT]
    begin = next((place for place in near if fits(f"…{words[place : hit.end()]}…")), hit.start())
    return f"…{words[begin:]}"
