"""Paints the row of an agent: avatar, name, waiting approvals, health, current activity, and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from chimein_gui.domain.agents import Agent, MethodWait
from chimein_gui.domain.chats import AUTOMATIC
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.widgets.surfaces.health import health_label
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.accounts.activities import shown_phone
from chimein_gui.viewmodels.accounts.words import method_words
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.panes.agents import make_activities
from chimein_gui.viewmodels.words.notes import note_sentence
from chimein_gui.viewmodels.words.refusals import refusal_words
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

LEFT, RIGHT, TOP, SQUARE = 60.0, 14.0, 11.0, 32.0
GAP = 10.0

MOST_WAITS = 3
"""Most rate limits that get a line of their own, soonest end first; the others are only counted."""

translate = QCoreApplication.translate


def notes_of(agent: Agent, context: PaneContext) -> tuple[IconLabel, ...]:
    """Return the notes of an agent, one line each, such as a hold, a rate limit, or a trust level to confirm."""
    notes = []
    held = context.models.holds.of_account(agent.account_id)
    if held is not None:
        words = translate("Agents", "Held since {time}").format(time=context.models.clock.stamp(held.since))
        reason = foreign_text.line(held.reason)
        notes.append(IconLabel("hand", f"{words}: {reason}" if reason else words, "attention"))
    if agent.limited:
        notes.append(IconLabel("warning", foreign_text.line(refusal_words(agent.limited)), "attention"))
    elif agent.spec.is_disabled:
        notes.append(
            IconLabel(
                "info",
                translate("Agents", "Disabled in its file: remove the heading “# Disabled” to start it"),
                "text2",
            )
        )
    elif agent.health_note is not None:
        notes.append(IconLabel("info", foreign_text.line(note_sentence(agent.health_note)), "text2"))
    if agent.proxy:
        notes.append(
            IconLabel(
                "plug", translate("Agents", "Through {proxy}").format(proxy=foreign_text.line(agent.proxy)), "text2"
            )
        )
    notes += [_wait_note(wait, context) for wait in agent.waits[:MOST_WAITS]]
    if len(agent.waits) > MOST_WAITS:
        count = len(agent.waits) - MOST_WAITS
        notes.append(IconLabel("hourglass", translate("Agents", "And %n more", "", count), "info"))
    if wants_confirmation(agent) and agent.spec.trust is not None:
        words = translate("Agents", "Its file asks for {level}; confirm it").format(level=trust_word(agent.spec.trust))
        notes.append(IconLabel("bolt", words, "attention"))
    return tuple(notes)


def _wait_note(wait: MethodWait, context: PaneContext) -> IconLabel:
    left = context.models.clock.left(wait.until)
    words = translate("Agents", "Telegram rate limit, {what}: {time}").format(what=method_words(wait.method), time=left)
    return IconLabel("hourglass", words, "info")


def wants_confirmation(agent: Agent) -> bool:
    """Tell whether the operator has to confirm the trust level of the agent's file."""
    return agent.spec.trust in AUTOMATIC and not agent.trust_confirmed


class AgentDelegate(QStyledItemDelegate):
    """One agent per row; each note adds a line."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        agent = index.data(ItemRole)
        lines = 1 + (len(notes_of(agent, self._context)) if isinstance(agent, Agent) else 0)
        body, small = self._heights()
        return QSize(self._view.viewport().width(), round(body + lines * (small + 4) + 2 * TOP))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        agent = index.data(ItemRole)
        if not isinstance(agent, Agent):
            return
        rect, theme = QRectF(option.rect), self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        draw_row(painter, colours_of(theme, Role.ROW, row_state(option.state.value)), rect)
        marks.draw_hairline(painter, theme, rect, 14)
        square = QRectF(rect.left() + 15, rect.top() + TOP + 2, SQUARE, SQUARE)
        marks.draw_square(painter, theme, square, agent.spec.name, agent.identity)
        self._paint_lines(painter, rect, agent)
        painter.restore()

    def _paint_lines(self, painter: QPainter, rect: QRectF, agent: Agent) -> None:
        theme = self._theme
        body, small = self._heights()
        left, right = rect.left() + LEFT, rect.right() - RIGHT
        y = rect.top() + TOP + body / 2
        self._paint_first(painter, left, right, y, agent)
        y += body / 2 + 4 + small / 2
        self._paint_state(painter, left, right, y, agent)
        for note in notes_of(agent, self._context):
            y += small + 4
            ink = theme.color(note.token)
            marks.draw_mark(painter, theme, QPointF(left, y), IconLabel(note.icon, "", note.token), ink, Face.SMALL)
            at = QPointF(left + marks.MARK_ICON + marks.MARK_GAP, y)
            marks.draw_line(painter, theme.font(Face.SMALL), ink, at, note.word, right - at.x())

    def _paint_first(self, painter: QPainter, left: float, right: float, y: float, agent: Agent) -> None:
        """Paint name, number of waiting approvals, and phone number."""
        theme = self._theme
        pending = self._context.models.chats.pending_of(agent.agent_id)
        if pending:
            right = marks.draw_badge(painter, theme, right, y, str(pending), "attention") - GAP
        phone = shown_phone(agent.spec.phone)
        width = theme.metrics(Face.SMALL).horizontalAdvance(phone)
        name = foreign_text.name(agent.spec.name)
        wanted = theme.metrics(Face.STRONG).horizontalAdvance(name)
        if wanted + GAP + width <= right - left:
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(right - width, y), phone)
            right -= width + GAP
        marks.draw_line(painter, theme.font(Face.STRONG), theme.color("text1"), QPointF(left, y), name, right - left)

    def _paint_state(self, painter: QPainter, left: float, right: float, y: float, agent: Agent) -> None:
        """Paint health and current activity."""
        theme, models = self._theme, self._context.models
        label = health_label(agent, models.clock)
        ink = theme.color(label.token)
        x = marks.draw_mark(painter, theme, QPointF(left, y), label, ink, Face.SMALL_STRONG) + GAP
        does = models.own(make_activities).of(agent)
        words = foreign_text.line(does.words)
        if not words or x + 40 > right:
            return
        ink = theme.color(does.token)
        if does.icon:
            x = (
                marks.draw_mark(painter, theme, QPointF(x, y), IconLabel(does.icon, "", does.token), ink)
                + marks.MARK_GAP
            )
        marks.draw_line(painter, theme.font(Face.SMALL), ink, QPointF(x, y), words, right - x)

    def _heights(self) -> tuple[float, float]:
        return self._theme.metrics(Face.BODY).height(), self._theme.metrics(Face.SMALL).height()
