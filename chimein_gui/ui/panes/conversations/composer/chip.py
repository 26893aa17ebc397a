"""Above the composer: the message that is replied to, or the sent message that is edited; Escape removes it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.composer.composer import ComposerDraft
from chimein_gui.viewmodels.transcript.message_words import message_words


class ComposerChip(QWidget):
    """Two lines beside a bar.

    Attributes:
        closed: The operator removed it.
    """

    closed = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme = context.theme
        self._title, self._text, self._icon = "", "", "reply"
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.close_button = IconButton(self._theme, "x", "")
        self.close_button.clicked.connect(self.closed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, round(self._theme.metrics(Face.SMALL).height() * 2 + 8))

    def show_sheet(self, draft: ComposerDraft) -> None:
        """Show what is replied to or edited; hidden if there is neither."""
        message = draft.edits or draft.answers
        self.setVisible(message is not None)
        if message is None:
            return
        self._icon = "pencil" if draft.edits is not None else "reply"
        who = foreign_text.isolated(message.sender_name) if message.sender_name else self.tr("this message")
        self._title = self.tr("Reply to {who}").format(who=who)
        if draft.edits is not None:
            self._title = self.tr("Editing a sent message")
        self._text = foreign_text.line(message_words(message))
        self.setAccessibleName(f"{self._title}: {self._text}")
        leave = self.tr("Cancel editing") if draft.edits is not None else self.tr("Cancel reply")
        self.close_button.rename(leave)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        color, line = theme.color("accent_text"), theme.metrics(Face.SMALL).height()
        painter.fillRect(QRectF(26, 2, 3, self.height() - 4), theme.color("accent"))
        icons.draw(painter, self._icon, color, QRectF(1, self.height() / 2 - 8, 16, 16))
        room = self.width() - 38 - self.close_button.width() - 8
        top = (self.height() - 2 * line) / 2 + line / 2
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), color, QPointF(37, top), self._title, room)
        ink = theme.color("text2")
        marks.draw_line(painter, theme.font(Face.SMALL), ink, QPointF(37, top + line), self._text, room)
        painter.end()
