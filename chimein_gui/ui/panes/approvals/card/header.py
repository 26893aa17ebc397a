"""The header of the wide card: agent, recipient and status. Its layout is the same in all states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import ChatKind
from chimein_gui.ui.panes.approvals.card.words import labels_of, status_label
from chimein_gui.ui.widgets.controls.countdown_bar import HEIGHT, draw_countdown
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.store import waits_for_operator

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.ui.pane import PaneContext

SIDE, TILE = 22, 40
NAMES_AT = SIDE + TILE + 28 + TILE + 14
"""Where the names begin, in logical pixels from the edge."""


class CardHeader(QWidget):
    """Avatars and names of agent and recipient; status and version at the end."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._approval: Approval | None = None
        self._kind, self._planned = ChatKind.DM, ""
        self.status_words = self._label = IconLabel("hand", "")
        self._bar: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        lines = self._theme.metrics(Face.TITLE).height() + self._theme.metrics(Face.SMALL).height()
        return QSize(400, max(80, round(lines + 44)))

    def show_card(self, approval: Approval, details: CardDetails | None, label: IconLabel | None = None) -> None:
        """Show a card's header; `label` replaces its status, for example while the operator edits it."""
        self._approval = approval
        if details is not None:
            self._kind = details.chat.info.kind
        send_status = self._context.models.approvals.send_status
        status_words = send_status.words(approval)
        own = status_label(approval, status_words, send_status.hold_reason_of(approval))
        if waits_for_operator(approval):
            own = labels_of(approval, status_words)[0]
        if waits_for_operator(approval) and approval.reasons[:1] == (AskReason.FIRST_MESSAGE,):
            own = IconLabel(own.icon, self.tr("First message"), own.token)  # the recipient is shown beside it
        self.status_words = IconLabel(
            own.icon, status_words, "attention" if waits_for_operator(approval) else own.token
        )
        self._label = label or own
        at = details.planned_at if details is not None else approval.created_at
        self._planned = self.tr("Version {n}, planned {time}").format(
            n=approval.version, time=self._context.models.clock.clock(at)
        )
        self._bar = send_status.share_left(approval)
        who = self.tr("{agent} to {who}").format(
            agent=foreign_text.name(approval.agent_name), who=foreign_text.name(approval.chat_title)
        )
        self.setAccessibleName(f"{who}, {self.kind_words()}, {self._label.word}, {self._planned}")
        self.update()

    def step(self) -> None:
        """Shorten the countdown bar; with reduced motion only once a second."""
        if self._approval is not None and self._bar is not None and not self._theme.reduced_motion:
            self._bar = self._context.models.approvals.send_status.share_left(self._approval)
            self.update(0, self.height() - HEIGHT, self.width(), HEIGHT)

    def kind_words(self) -> str:
        """Return the kind of conversation in words."""
        return {
            ChatKind.DM: self.tr("Direct message"),
            ChatKind.GROUP: self.tr("Group: all members will see this"),
            ChatKind.CHANNEL: self.tr("Channel: all subscribers will see this"),
        }[self._kind]

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._approval is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        theme, approval = self._theme, self._approval
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        if self._bar is not None:
            draw_countdown(painter, theme, QRectF(0, self.height() - HEIGHT, self.width(), HEIGHT), self._bar)
        middle = (self.height() - 1) / 2
        square = QRectF(SIDE, middle - TILE / 2, TILE, TILE)
        identity = self._context.models.agents.identity_of(approval.agent_id)
        marks.draw_square(painter, theme, square, approval.agent_name, identity)
        icons.draw(painter, "arrow-right", theme.color("text3"), QRectF(square.right() + 7, middle - 7, 14, 14))
        circle = QRectF(square.right() + 28, middle - TILE / 2, TILE, TILE)
        marks.draw_circle(painter, theme, circle, approval.chat_title, group=self._kind is not ChatKind.DM)
        title, small = self._theme.metrics(Face.TITLE).height(), self._theme.metrics(Face.SMALL).height()
        upper, lower = middle - (small + 4) / 2, middle + (title + 4) / 2
        right, left = self.width() - SIDE, float(NAMES_AT)
        words, end = self.kind_words(), float(right)
        if self.names_fit():
            end = self._paint_status(painter, right, upper) - 16
            room = self._paint_version(painter, right, lower) - 16 - left
        else:
            room = self._paint_status(painter, right, lower) - 16 - left
            longer = f"{words} · {self._planned}"
            if theme.metrics(Face.SMALL).horizontalAdvance(longer) <= room:
                words = longer
        self._paint_names(painter, left, end, upper)
        place = QPointF(left, lower)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), place, words, max(0.0, room))
        painter.end()

    def names_fit(self) -> bool:
        """Tell whether both names have room beside the status; in a narrow card the status is below them instead."""
        if self._approval is None:
            return True
        wide = self._theme.metrics(Face.TITLE).horizontalAdvance
        agent = foreign_text.name(self._approval.agent_name)
        title = foreign_text.name(self._approval.chat_title)
        needed = wide(agent) + 5 + wide(self.tr("to")) + 5 + wide(title)
        return NAMES_AT + needed + 16 + self._status_width() + SIDE <= self.width()

    def _status_width(self) -> float:
        width = marks.mark_width(self._theme, self._label.word, Face.STRONG)
        return min(width + 4, self.width() * 0.42)

    def _paint_status(self, painter: QPainter, right: float, middle: float) -> float:
        label, theme = self._label, self._theme
        left = right - self._status_width()
        color = theme.color(label.token)
        icons.draw(painter, label.icon, color, QRectF(left, middle - 8, 16, 16))
        place = QPointF(left + marks.MARK_ICON + marks.MARK_GAP + 2, middle)
        marks.draw_line(painter, theme.font(Face.STRONG), color, place, label.word, right - place.x() + 1)
        return left

    def _paint_version(self, painter: QPainter, right: float, middle: float) -> float:
        font = self._theme.font(Face.SMALL)
        left = right - self._theme.metrics(Face.SMALL).horizontalAdvance(self._planned)
        marks.draw_line(painter, font, self._theme.color("text3"), QPointF(left, middle), self._planned)
        return left

    def _paint_names(self, painter: QPainter, left: float, end: float, upper: float) -> None:
        theme, approval = self._theme, self._approval
        if approval is None:
            return
        font, ink = theme.font(Face.TITLE), theme.color("text1")
        agent, title = foreign_text.name(approval.agent_name), foreign_text.name(approval.chat_title)
        x = left + marks.draw_line(painter, font, ink, QPointF(left, upper), agent, (end - left) * 0.45)
        x += marks.draw_line(painter, font, theme.color("text3"), QPointF(x + 5, upper), self.tr("to")) + 10
        marks.draw_line(painter, font, ink, QPointF(x, upper), title, end - x)
