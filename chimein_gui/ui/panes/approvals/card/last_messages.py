"""The last messages of the conversation on a card, with the one that is replied to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.transcript.message_words import message_words

if TYPE_CHECKING:
    from collections.abc import Container

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.messages import Message, MessageKey
    from chimein_gui.ui.pane import PaneContext

SIGN, NAME_LEFT = 18, 28
MOST_LINES = 4


class MessageLine(QWidget):
    """One message: avatar, name, text, time. The one that is replied to has a background."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._message: Message | None = None
        self._approval: Approval | None = None
        self._answered = self._new = False
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._theme.changed.connect(self.update)

    def show_message(self, message: Message, approval: Approval, *, answered: bool, new: bool = False) -> None:
        """Show a message.

        Args:
            message: The message.
            approval: The card.
            answered: Whether the planned send replies to it.
            new: Whether it arrived after planning, and must be read.
        """
        if (message, approval.agent_id, answered, new) == (
            self._message,
            self._agent_id(),
            self._answered,
            self._new,
        ):
            return
        self._message, self._approval, self._answered, self._new = message, approval, answered, new
        parts = [self._who(), message_words(message)[:400], self._context.models.clock.clock(message.sent_at)]
        if answered:
            parts.append(self.tr("being answered"))
        if new:
            parts.insert(0, self.tr("new"))
        self.setAccessibleName(", ".join(parts))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(24, round(self._block(width).height) + 7)

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(150, 24)

    def _agent_id(self) -> object:
        return self._approval.agent_id if self._approval is not None else None

    def _who(self) -> str:
        if self._message is None or self._approval is None:
            return ""
        return foreign_text.name(self._approval.agent_name if self._message.out else self._message.sender_name)

    def _block(self, width: int) -> text_block.TextBlock:
        words = message_words(self._message) if self._message is not None else ""
        if self._message is not None and self._message.deleted and self._message.text:
            words = self._message.text
        _, text, time = self._columns()
        room = max(60.0, width - text - time - 10)
        return text_block.lay_out(foreign_text.body(words[:2000]), self._font(), room, MOST_LINES)

    def _columns(self) -> tuple[float, float, float]:
        """Return the width of the names, the x of the text and the width of the times, px, at the current text size."""
        name = max(58.0, self._theme.metrics(Face.BODY).height() * 3.3)
        return (
            name,
            NAME_LEFT + 6 + name,
            max(44.0, self._theme.metrics(Face.META).horizontalAdvance("00:00") + 12)
            + (self._new_width() + 6 if self._new else 0),
        )

    def _new_width(self) -> float:
        """Return the width of the mark of a new message, px."""
        return self._theme.metrics(Face.META_STRONG).horizontalAdvance(self.tr("new")) if self._new else 0.0

    def _font(self) -> QFont:
        font = self._theme.font(Face.BODY)
        if self._message is None or not self._message.deleted:
            return font
        struck = QFont(font)
        struck.setStrikeOut(True)
        return struck

    def paintEvent(self, event: QPaintEvent) -> None:
        message, approval = self._message, self._approval
        if message is None or approval is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        theme, rect = self._theme, QRectF(self.rect())
        if self._answered:
            painter.fillRect(rect, theme.color("accent_soft"))
            painter.fillRect(QRectF(0, 0, 3, rect.height()), theme.color("accent"))
        if self._new:
            painter.fillRect(QRectF(0, 0, 3, rect.height()), theme.color("attention"))
        first = 4 + self._theme.metrics(Face.BODY).height() / 2
        sign = QRectF(8, first - SIGN / 2, SIGN, SIGN)
        if message.out:
            identity = self._context.models.agents.identity_of(approval.agent_id)
            marks.draw_square(painter, theme, sign, approval.agent_name, identity)
        else:
            marks.draw_circle(painter, theme, sign, message.sender_name)
        quiet, (name, left, times) = theme.color("text2"), self._columns()
        who = self._who().split(" ")[0]
        marks.draw_line(painter, theme.font(Face.BODY), quiet, QPointF(NAME_LEFT + 6, first), who, name)
        ink = theme.color("text2" if message.deleted else "text1")
        self._paint_words(painter, QRectF(left, 3, rect.width() - left - times - 10, rect.height()), ink)
        time = self._context.models.clock.stamp(message.sent_at)
        width = theme.metrics(Face.META).horizontalAdvance(time)
        marks.draw_line(painter, theme.font(Face.META), quiet, QPointF(rect.right() - 8 - width, first), time)
        if self._new:
            word = self.tr("new")
            left = rect.right() - 14 - width - self._new_width()
            place = QPointF(left, first)
            marks.draw_line(painter, theme.font(Face.META_STRONG), theme.color("attention"), place, word)
        painter.end()

    def _paint_words(self, painter: QPainter, column: QRectF, ink: QColor) -> None:
        """Paint the text in its column, in its own direction."""
        painter.save()
        if is_turned(painter):
            mirror(painter, column)
        text_block.draw(painter, self._block(self.width()), column.topLeft(), ink)
        painter.restore()


class LastMessages(QWidget):
    """A list of message lines, whose widgets are reused."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self._lines: list[MessageLine] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(1)

    def show_details(
        self, details: CardDetails, new: Container[MessageKey] = (), *, only_answered: bool = False
    ) -> None:
        """Show the last messages; the one that is replied to comes first if it is older.

        Args:
            details: The details of the card.
            new: Messages that arrived after planning, and must be read.
            only_answered: Show only the message that is replied to; without one, the last two.
        """
        messages = list(details.messages)
        target = details.target
        if target is not None and all(one.key != target.key for one in messages):
            messages.insert(0, target)
        if only_answered:
            messages = [target] if target is not None else messages[-2:]
        while len(self._lines) < len(messages):
            line = MessageLine(self._context)
            self._lines.append(line)
            self._column.addWidget(line)
        for place, line in enumerate(self._lines):
            line.setVisible(place < len(messages))
            if place < len(messages):
                one = messages[place]
                answered = target is not None and one.key == target.key
                line.show_message(one, details.approval, answered=answered, new=one.key in new)
