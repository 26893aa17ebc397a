"""Shown below the empty list: the next automatic sends, and the last decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.approvals.card.section import Section
from chimein_gui.ui.requests import ShowDecisions
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.recent import SHOWN
from chimein_gui.viewmodels.approvals.send_status import quiet_end
from chimein_gui.viewmodels.decisions.words import by_rule_words, sent_by_rule_words
from chimein_gui.viewmodels.plans.upcoming_words import quiet_hours_words

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.ui.pane import PaneContext

SQUARE = 22


class _Line(QWidget):
    """Agent's avatar, recipient, status and time."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._approval: Approval | None = None
        self._label, self._time, self._identity = IconLabel("bolt", ""), "", 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(220, max(32, round(self._theme.metrics(Face.BODY).height() * 2)))

    def say(self, approval: Approval, label: IconLabel, time: str) -> None:
        """Show a card."""
        identity = self._context.models.agents.identity_of(approval.agent_id)
        if approval is self._approval and (label, time, identity) == (self._label, self._time, self._identity):
            return
        self._approval, self._label, self._time, self._identity = approval, label, time, identity
        who = f"{foreign_text.name(approval.agent_name)}, {foreign_text.name(approval.chat_title)}"
        self.setAccessibleName(", ".join(filter(None, (who, label.word, time))))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        approval, theme = self._approval, self._theme
        if approval is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        middle = self.height() / 2
        square = QRectF(1, middle - SQUARE / 2, SQUARE, SQUARE)
        marks.draw_square(painter, theme, square, approval.agent_name, self._identity)
        time_width = theme.metrics(Face.SMALL).horizontalAdvance(self._time)
        x = self.width() - time_width - 1
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(x, middle), self._time)
        x -= marks.mark_width(theme, self._label.word, Face.SMALL) + (12 if self._time else 0)
        color = theme.color(self._label.token)
        icons.draw(painter, self._label.icon, color, QRectF(x, middle - 7, 14, 14))
        marks.draw_line(painter, theme.font(Face.SMALL), color, QPointF(x + 18, middle), self._label.word)
        left = square.right() + 9
        name = foreign_text.name(approval.chat_title)
        marks.draw_line(
            painter, theme.font(Face.BODY), theme.color("text1"), QPointF(left, middle), name, x - left - 10
        )
        painter.end()


class NothingWaits(QWidget):
    """Two short lists; each is hidden while it is empty."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._models = context, context.models
        self._next = Section(context.theme, self.tr("Sending next"), above=12)
        self._last = Section(context.theme, self.tr("Recent decisions"), link=self.tr("Show all"), above=12)
        self._last.link_pressed.connect(lambda: context.requests.send(ShowDecisions()))
        self._lines = {section: [_Line(context) for _ in range(SHOWN)] for section in (self._next, self._last)}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(0)
        for section, lines in self._lines.items():
            column.addWidget(section)
            section.column.setSpacing(0)
            for line in lines:
                section.add(line)
        self.setMaximumWidth(340)
        self._models.approvals.upcoming_changed.connect(self._refresh)
        self._models.clock.ticked.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        clock = self._models.clock
        leaving = [
            (one, self._rule(one), "" if self._quiet_end(one) else clock.left(one.due_at) if one.due_at else "")
            for one in self._models.approvals.leaving.next()
        ]
        decided = [
            (one, self._end(one), clock.stamp(one.decided_at) if one.decided_at else "")
            for one in self._models.approvals.recent.decided()
        ]
        for section, rows in ((self._next, leaving), (self._last, decided)):
            section.setVisible(bool(rows))
            for place, line in enumerate(self._lines[section]):
                line.setVisible(place < len(rows))
                if place < len(rows):
                    line.say(*rows[place])

    def _rule(self, approval: Approval) -> IconLabel:
        """Return who lets it go; until quiet hours are over, when these end, which is often far away."""
        until = self._quiet_end(approval)
        if until is not None:
            return IconLabel("moon", quiet_hours_words(until, self._models.clock), "text2")
        words = by_rule_words(approval.decided_by) if approval.by_rule else self.tr("approved by you")
        return IconLabel("bolt", words, "info")

    def _quiet_end(self, approval: Approval) -> datetime | None:
        models, now = self._models, self._models.clock.now()
        return quiet_end(approval, models.chats.chat(approval.chat_id), models.agents.find(approval.agent_id), now)

    def _end(self, approval: Approval) -> IconLabel:
        if approval.task_status is TaskStatus.SKIPPED:
            return IconLabel("x", self.tr("Rejected"), "danger")
        if approval.by_rule:
            return IconLabel("bolt", sent_by_rule_words(approval.decided_by), "info")
        return IconLabel("ticks", self.tr("Sent, edited") if approval.is_edited else self.tr("Sent"), "ok")
