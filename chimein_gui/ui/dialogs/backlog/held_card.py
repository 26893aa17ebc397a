"""One held message in the review: a checkbox, agent, recipient, age, the text, and why it was not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.wrapped_text import WrappedText
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.approvals.card_words import card_text, reason_words

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from chimein_gui.domain.holds import BacklogItem
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.viewmodels.accounts.agents import AgentListModel
    from chimein_gui.viewmodels.core.clock import ClockFace

SPOKEN = 160
"""Most characters of the text in the checkbox's accessible name; the card shows the whole text."""

TILE, GAP = 24, 8

_OF_ALL = frozenset({AskReason.HELD, AskReason.REVIEW})
"""Reasons that are not shown, because every held message has them."""


class _Head(QWidget):
    """The first line: the agent's avatar, an arrow, the recipient's avatar and name, and the age at the end."""

    def __init__(self, theme: Theme, agents: AgentListModel, age: str, approval: Approval, *, is_group: bool) -> None:
        super().__init__()
        self._theme, self._approval, self._is_group = theme, approval, is_group
        self._identity = agents.identity_of(approval.agent_id)
        self._age = age
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, max(TILE + 2, round(self._theme.metrics(Face.STRONG).height() + 4)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        theme, approval, middle = self._theme, self._approval, self.height() / 2
        square = QRectF(0, middle - TILE / 2, TILE, TILE)
        marks.draw_square(painter, theme, square, approval.agent_name, self._identity)
        quiet = theme.color("text3")
        icons.draw(painter, "arrow-right", quiet, QRectF(square.right() + 4, middle - 6, 12, 12))
        circle = QRectF(square.right() + 20, square.top(), TILE, TILE)
        marks.draw_circle(painter, theme, circle, approval.chat_title, group=self._is_group)
        age_left = self.width() - theme.metrics(Face.SMALL).horizontalAdvance(self._age)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(age_left, middle), self._age)
        left = circle.right() + GAP
        words = foreign_text.name(approval.chat_title)
        ink, font = theme.color("text1"), theme.font(Face.STRONG)
        marks.draw_line(painter, font, ink, QPointF(left, middle), words, age_left - GAP - left)
        painter.end()


class HeldCard(Card):
    """A card with a checkbox, which a click anywhere on the card toggles.

    Attributes:
        approval: The approval as last reported.
        tick: Whether the button of the account sends it.
        why: The label below the text: why it was not sent, or that it was approved.
    """

    def __init__(
        self, theme: Theme, agents: AgentListModel, clock: ClockFace, item: BacklogItem, groups: frozenset[ChatId]
    ) -> None:
        super().__init__(theme)
        self.approval = approval = item.approval
        who = foreign_text.name(approval.chat_title)
        text = card_text(approval, foreign_text.name)
        self.tick = CheckBox(theme, "")
        self.tick.setAccessibleName(f"{who}: {foreign_text.line(text, SPOKEN)}")
        # Not "ignored", for which a layout leaves no room: the head of the card would be over it.
        self.tick.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.tick.setFixedWidth(28)
        self.tick.setChecked(item.ticked)
        self.tick.clicked.connect(self._see_the_end)
        self._words = words = WrappedText(theme)
        words.set_text(text)
        why, color = self._why(item)
        self.why = PlainLabel(theme, why, Face.META_STRONG, color)
        self.why.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(
            _Head(theme, agents, clock.age(approval.created_at), approval, is_group=approval.chat_id in groups)
        )
        column.addWidget(words)
        column.addWidget(self.why)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 12, 10, 14, 10)
        row.setSpacing(4)
        row.addWidget(self.tick, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    def refuse(self, approval: Approval, explanation: str) -> None:
        """Show why the message was not sent, and clear the checkbox. The approval still waits in the Approvals pane."""
        self.approval = approval
        self._words.set_text(card_text(approval, foreign_text.name))
        self.tick.setChecked(False)
        self.why.setText(foreign_text.line(explanation, 300))
        self.why.set_color("attention")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.tick.click()
        super().mouseReleaseEvent(event)

    def _see_the_end(self, checked: bool) -> None:
        """Select nothing whose end is out of sight: the first click brings it into view."""
        if checked and self.visibleRegion().boundingRect().bottom() < self.rect().bottom():
            self.tick.setChecked(False)
            area = self.parentWidget()
            while area is not None and not isinstance(area, ScrollBox):
                area = area.parentWidget()
            inside = area.widget() if area is not None else None
            if area is not None and inside is not None:
                area.ensureVisible(0, self.mapTo(inside, self.rect().bottomLeft()).y(), 0, 8)

    def _why(self, item: BacklogItem) -> tuple[str, str]:
        reasons = [reason for reason in item.approval.shown_reasons if reason not in _OF_ALL]
        if reasons:
            return ", ".join(reason_words(one, item.approval, foreign_text.name) for one in reasons), "attention"
        if item.ticked:
            return self.tr("Approved while on hold"), "ok"
        return self.tr("Not decided yet"), "text2"
