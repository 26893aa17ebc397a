"""The last messages of the conversation on a card, with the one that is replied to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.card_changes import Change, ChangeKind
from chimein_gui.viewmodels.transcript.message_words import message_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.messages import Message, MessageKey
    from chimein_gui.ui.pane import PaneContext

translate = QCoreApplication.translate

AVATAR, NAME_LEFT = 18, 28
MOST_LINES = 4
MOST_COMPARED = 1_200
"""Most characters of an edited message that are compared."""


def shown_rows(details: CardDetails, *, only_answered: bool = False) -> list[Message]:
    """Return the messages that are shown; the one that is replied to comes first if it is older.

    Args:
        details: The details of the card.
        only_answered: Only the message that is replied to; without one, the last two.
    """
    target = details.target
    if only_answered:
        return [target] if target is not None else list(details.messages[-2:])
    is_older = target is not None and all(one.key != target.key for one in details.messages)
    return [target, *details.messages] if target is not None and is_older else list(details.messages)


def _mark(change: Change | None) -> str:
    """Return the mark of a message that was changed after planning; empty if it was not."""
    if change is None:
        return ""
    return {
        ChangeKind.NEW: translate("MessageLine", "new"),
        ChangeKind.EDITED: translate("MessageLine", "edited"),
        ChangeKind.DELETED: translate("MessageLine", "deleted"),
    }[change.kind]


class MessageLine(QWidget):
    """One message: avatar, name, text, time. The one that is replied to has a background.

    What was changed after planning is marked; of an edited text the difference is shown in its place.

    Attributes:
        difference: The difference of an edited text; hidden for the others.
    """

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._message: Message | None = None
        self._approval: Approval | None = None
        self._answered = False
        self._change: Change | None = None
        self.difference = WordDiff(self._theme, max_lines=MOST_LINES)
        self.difference.setParent(self)
        self.difference.hide()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._theme.changed.connect(self.update)

    def show_message(
        self, message: Message, approval: Approval, *, answered: bool, change: Change | None = None
    ) -> None:
        """Show a message.

        Args:
            message: The message.
            approval: The card.
            answered: Whether the planned send replies to it.
            change: What happened to it after planning, and must be read; None for nothing.
        """
        if (message, approval.agent_id, answered, change) == (
            self._message,
            self._agent_id(),
            self._answered,
            self._change,
        ):
            return
        self._message, self._approval, self._answered, self._change = message, approval, answered, change
        before = change.before if change is not None and change.kind is ChangeKind.EDITED else None
        self.difference.setHidden(before is None)
        parts = [self._who(), message_words(message)[:400], self._context.models.clock.clock(message.sent_at)]
        if answered:
            parts.append(self.tr("being answered"))
        if before is not None:
            self.difference.compare(before[:MOST_COMPARED], message.text[:MOST_COMPARED])
            parts.append(self.difference.accessibleName())
        if change is not None:
            parts.insert(0, _mark(change))
        self._place_difference()
        self.setAccessibleName(", ".join(parts))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if not self.difference.isHidden():
            return max(24, self.difference.heightForWidth(round(self._room(width))) + 7)
        return max(24, round(self._block(width).height) + 7)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_difference()
        super().resizeEvent(event)

    def _place_difference(self) -> None:
        if not self.difference.isHidden():
            column = QRect(round(self._columns()[1]), 3, round(self._room(self.width())), self.height() - 3)
            self.difference.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), column))

    def _room(self, width: int) -> float:
        """Return the width of the text, px."""
        _, text, time = self._columns()
        return max(60.0, width - text - time - 10)

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
        return text_block.lay_out(foreign_text.body(words[:2000]), self._font(), self._room(width), MOST_LINES)

    def _columns(self) -> tuple[float, float, float]:
        """Return the width of the names, the x of the text and the width of the times, px, at the current text size."""
        name = max(58.0, self._theme.metrics(Face.BODY).height() * 3.3)
        return (
            name,
            NAME_LEFT + 6 + name,
            max(44.0, self._theme.metrics(Face.META).horizontalAdvance("00:00") + 12)
            + (self._mark_width() + 6 if self._change is not None else 0),
        )

    def _mark_width(self) -> float:
        """Return the width of the mark of a changed message, px."""
        return self._theme.metrics(Face.META_STRONG).horizontalAdvance(_mark(self._change))

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
        if self._change is not None:
            painter.fillRect(QRectF(0, 0, 3, rect.height()), theme.color("attention"))
        first = 4 + self._theme.metrics(Face.BODY).height() / 2
        avatar = QRectF(8, first - AVATAR / 2, AVATAR, AVATAR)
        if message.out:
            identity = self._context.models.agents.identity_of(approval.agent_id)
            marks.draw_square(painter, theme, avatar, approval.agent_name, identity)
        else:
            marks.draw_circle(painter, theme, avatar, message.sender_name)
        quiet, (name, left, times) = theme.color("text2"), self._columns()
        who = self._who().split(" ")[0]
        marks.draw_line(painter, theme.font(Face.BODY), quiet, QPointF(NAME_LEFT + 6, first), who, name)
        ink = theme.color("text2" if message.deleted else "text1")
        if self.difference.isHidden():
            self._paint_words(painter, QRectF(left, 3, rect.width() - left - times - 10, rect.height()), ink)
        time = self._context.models.clock.stamp(message.sent_at)
        width = theme.metrics(Face.META).horizontalAdvance(time)
        marks.draw_line(painter, theme.font(Face.META), quiet, QPointF(rect.right() - 8 - width, first), time)
        if self._change is not None:
            place = QPointF(rect.right() - 14 - width - self._mark_width(), first)
            word, font = _mark(self._change), theme.font(Face.META_STRONG)
            marks.draw_line(painter, font, theme.color("attention"), place, word)
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
        self, details: CardDetails, changes: Mapping[MessageKey, Change], *, only_answered: bool = False
    ) -> None:
        """Show the last messages.

        Args:
            details: The details of the card.
            changes: What happened to messages after planning, and must be read.
            only_answered: As in `shown_rows`.
        """
        messages, target = shown_rows(details, only_answered=only_answered), details.target
        while len(self._lines) < len(messages):
            line = MessageLine(self._context)
            self._lines.append(line)
            self._column.addWidget(line)
        for place, line in enumerate(self._lines):
            line.setVisible(place < len(messages))
            if place < len(messages):
                one = messages[place]
                answered = target is not None and one.key == target.key
                line.show_message(one, details.approval, answered=answered, change=changes.get(one.key))
