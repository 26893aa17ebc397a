"""Where a proposed memory comes from: the messages, with the words that were read tinted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.messages import utf16_length
from chimein_gui.ui.widgets.surfaces.surface import Surface, soft_ground
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.text_block import runs_right_to_left
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.domain.memory.proposals import ProposalDetails
    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.pane import PaneContext

AVATAR = 24
MOST_SHOWN = 700
"""Characters of a message that are shown; around the words that were read."""


class MarkedText(QWidget):
    """A painted text in which some words have a ground of their own; for screen readers it is one text."""

    def __init__(self, theme: Theme, text: str, words: str) -> None:
        super().__init__()
        self._theme = theme
        text, words = foreign_text.body(text), foreign_text.body(words)
        start = text.find(words) if words else -1
        if len(text) > MOST_SHOWN:
            begin = max(0, min(start, len(text) - MOST_SHOWN)) if start > 0 else 0
            text = ("…" if begin else "") + text[begin : begin + MOST_SHOWN] + "…"
            start = text.find(words) if words else -1
        self._text, self._start, self._length = text, start, len(words)
        self.setAccessibleName(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._laid_out(width)[1]) + 2

    def sizeHint(self) -> QSize:
        width = min(480, self._theme.metrics(Face.BODY).horizontalAdvance(self._text) + 8)
        return QSize(round(width), self.heightForWidth(round(max(80.0, width))))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.heightForWidth(max(80, self.width())))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._theme.color("text1"))
        self._laid_out(self.width())[0].draw(painter, QRectF(self.rect()).topLeft())
        painter.end()

    def _laid_out(self, width: int) -> tuple[QTextLayout, float]:
        layout = QTextLayout(self._text, self._theme.font(Face.BODY))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        turned = runs_right_to_left(self._text)
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if turned else Qt.LayoutDirection.LeftToRight)
        layout.setTextOption(option)
        if self._start >= 0:
            look = QTextCharFormat()
            look.setBackground(self._theme.color(soft_ground("attention")))
            tinted = QTextLayout.FormatRange()
            tinted.start = utf16_length(self._text[: self._start])
            tinted.length = utf16_length(self._text[self._start : self._start + self._length])
            tinted.format = look
            layout.setFormats([tinted])
        layout.beginLayout()
        height = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width))
            line.setPosition(QRectF(0, height, 0, 0).topLeft())
            height += line.height()
        layout.endLayout()
        return layout, height


class _Avatar(QWidget):
    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme, self._name = theme, name
        self.setFixedSize(AVATAR, AVATAR)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        marks.draw_circle(painter, self._theme, QRectF(self.rect()), self._name)
        painter.end()


class EvidenceBubble(QWidget):
    """One message: who wrote it and when, and its text; a frame if a memory rests on it."""

    def __init__(self, context: PaneContext, message: Message, words: str, own_name: str) -> None:
        super().__init__()
        theme = context.theme
        name = own_name if message.out else message.sender_name
        is_evidence = bool(words) or words == message.text
        bubble = Surface(theme, "card", frame="attention" if is_evidence and not message.out else "line", radius=10)
        inside = QVBoxLayout(bubble)
        set_rtl_margins(inside, 12, 6, 12, 8)
        inside.setSpacing(2)
        head = QHBoxLayout()
        head.addWidget(ElidedLabel(theme, foreign_text.name(name), Face.SMALL_STRONG), 1)
        head.addWidget(PlainLabel(theme, context.models.clock.stamp(message.sent_at), Face.SMALL, "text2"))
        inside.addLayout(head)
        text = message.text or f"({message.media_kind})"
        inside.addWidget(MarkedText(theme, text, words))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(_Avatar(theme, name), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(bubble, 1)


def bubbles_of(context: PaneContext, item: ProposalDetails, own_name: str) -> list[EvidenceBubble]:
    """Return the messages of a proposal, oldest first."""
    words = {part.message_id: part.words for part in item.proposal.evidence}
    return [
        EvidenceBubble(context, message, words.get(message.key.message_id, ""), own_name) for message in item.messages
    ]
