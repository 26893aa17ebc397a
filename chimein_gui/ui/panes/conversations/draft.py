"""A planned message in its place: dashed, with its fate in words and its verbs as real buttons."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.widgets import bubble, foreign_text, icons
from chimein_gui.ui.widgets.bubble import Quote
from chimein_gui.ui.widgets.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.ui.widgets.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.wrapped_text import WrappedText
from chimein_gui.viewmodels.approvals import waits_for_operator
from chimein_gui.viewmodels.card_words import card_text, deed_word, has_text
from chimein_gui.viewmodels.fates import Brake
from chimein_gui.viewmodels.message_words import message_words

_HEAD = 18


class QuoteBox(QWidget):
    """What the draft answers."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme = context.theme
        self._quote: Quote | None = None
        self.setFixedHeight(round(bubble.quote_height(self._theme)))

    def set_quote(self, quote: Quote | None) -> None:
        """Show a quote, or nothing."""
        self._quote = quote
        self.setVisible(quote is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._quote is not None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            bubble.paint_quote(painter, self._theme, self._quote, QRectF(self.rect()))
            painter.end()


class DraftBubble(QWidget):
    """One planned send of the open chat.

    Attributes:
        verb_pressed: A, E, R or Z, with the approval.
    """

    verb_pressed = Signal(str, object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._approval: Approval | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._state = PlainLabel(self._theme, "", Face.SMALL_STRONG, "attention")
        self._fate = ElidedLabel(self._theme, "", Face.SMALL_STRONG, "attention")
        self._fate.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._quote = QuoteBox(context)
        self._text = WrappedText(self._theme)
        self._note = WrappedText(self._theme, "text2")
        self._buttons = {
            "A": VerbButton(self._theme, self.tr("Approve"), icon="check", kind=Kind.PRIMARY),
            "E": VerbButton(self._theme, self.tr("Edit"), icon="pencil"),
            "R": VerbButton(self._theme, self.tr("Reject"), icon="x"),
            "Z": VerbButton(self._theme, self.tr("Undo"), icon="undo"),
        }
        self._build()
        self._theme.changed.connect(self._recolour)
        context.models.clock.ticked.connect(self._tick)

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(0)
        head.addSpacing(_HEAD + 2)
        head.addWidget(self._state)
        head.addWidget(self._fate, 1)
        verbs = QHBoxLayout()
        verbs.setSpacing(7)
        for verb, button in self._buttons.items():
            verbs.addWidget(button)
            button.clicked.connect(lambda _checked=False, pressed=verb: self._press(pressed))
        verbs.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(15, 10, 14, 11)
        column.setSpacing(7)
        column.addLayout(head)
        column.addSpacing(5)
        column.addWidget(self._quote)
        column.addWidget(self._text)
        column.addWidget(self._note)
        column.addSpacing(1)
        column.addLayout(verbs)

    def show_approval(self, approval: Approval) -> None:
        """Show the newest snapshot."""
        self._approval = approval
        actions = self._context.models.actions
        waits = waits_for_operator(approval)
        sent = approval.task_status is TaskStatus.SENDING
        self._state.setText(self.tr("Planned, not sent") if waits else self.tr("Approved"))
        brake = self._context.models.approvals.fates.brake_of(approval)
        if brake is Brake.HOLD:
            self._state.setText(self.tr("Not sent"))
        if approval.task_status in (TaskStatus.UNKNOWN, TaskStatus.FAILED):
            self._state.setText(self.tr("Not confirmed") if approval.task_status is TaskStatus.UNKNOWN else "")
        for label in (self._state, self._fate):
            label.set_color("info" if sent or brake is Brake.WAIT else "attention")
        if approval.task_status is TaskStatus.FAILED:
            self._fate.set_color("danger")
        self._text.set_text(card_text(approval, foreign_text.name))
        note = actions.explanation_of(approval.approval_id) or approval.note
        if note.casefold() == self._context.models.approvals.fate_of(approval).casefold():
            note = ""
        self._note.set_text(note[:600])
        self._note.setVisible(bool(note))
        self._quote.set_quote(self._quote_of(approval))
        for verb, button in self._buttons.items():
            offered = waits and (verb != "E" or has_text(approval))
            button.setVisible(offered if verb != "Z" else approval.task_status is TaskStatus.APPROVED)
            button.setEnabled(not actions.is_in_flight(approval.approval_id))
        self._show_approve(approval)
        self._tick()

    def _show_approve(self, approval: Approval) -> None:
        again, deed = self._context.models.actions.is_acknowledged(approval), deed_word(approval)
        words = deed or self.tr("Approve")
        if again:
            words = self.tr("Press again: {deed}").format(deed=deed) if deed else self.tr("Press again to send")
        icon = "warning" if again else "alert" if deed else "check"
        self._buttons["A"].set_look(words, icon=icon, kind=Kind.DANGER if deed else Kind.PRIMARY)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(rect, 10, 10)
        painter.fillPath(path, self._theme.color("draft"))
        if self._approval is not None:
            painter.setClipPath(path)
            identity = self._context.models.agents.identity_of(self._approval.agent_id)
            painter.fillRect(QRectF(rect.left(), rect.top(), 4, rect.height()), self._theme.identity(identity))
            painter.setClipping(False)
        pen = QPen(self._theme.color("attention_line"), 1)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.drawPath(path)
        self._paint_head(painter)
        painter.end()

    def _paint_head(self, painter: QPainter) -> None:
        top = self._state.geometry().center().y()
        left = 15.0 if not self.isRightToLeft() else self.width() - 30.0
        icons.draw(painter, "planned", self._theme.color("attention"), QRectF(left, top - 7, 15, 15))
        approval = self._approval
        if approval is None or approval.task_status is not TaskStatus.APPROVED:
            return
        if self._context.models.approvals.fates.brake_of(approval) is not Brake.NONE:
            return
        if approval.due_at is None or approval.decided_at is None:
            return
        whole = (approval.due_at - approval.decided_at).total_seconds()
        left = (approval.due_at - self._context.models.clock.now()).total_seconds()
        y = self._state.geometry().bottom() + 7
        pen = QPen(self._theme.color("track"), 3)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        end = self.width() - 16
        painter.drawLine(QPointF(17, y), QPointF(end, y))
        if whole > 0 < left:
            pen.setColor(self._theme.color("attention"))
            painter.setPen(pen)
            painter.drawLine(QPointF(17, y), QPointF(17 + (end - 17) * min(1.0, left / whole), y))

    def _quote_of(self, approval: Approval) -> Quote | None:
        answered = self._context.models.transcript.message(approval.reply_to_id)
        if answered is None:
            return None
        who = approval.agent_name if answered.out else answered.sender_name
        return Quote(
            foreign_text.name(who), foreign_text.line(message_words(answered)), self._theme.color("accent_text")
        )

    def _press(self, verb: str) -> None:
        if self._approval is not None:
            self.verb_pressed.emit(verb, self._approval)

    def _recolour(self) -> None:
        if self._approval is not None:
            self._quote.set_quote(self._quote_of(self._approval))
        self.update()

    def _tick(self) -> None:
        if self._approval is None:
            return
        fate = self._context.models.approvals.fate_of(self._approval)
        self._fate.setText(fate)
        who = self.tr("{agent} to {who}").format(
            agent=foreign_text.name(self._approval.agent_name), who=foreign_text.name(self._approval.chat_title)
        )
        self.setAccessibleName(f"{self._state.text()}, {fate}, {who}: {card_text(self._approval)}")
        for button in self._buttons.values():
            button.setAccessibleName(f"{button.text()}: {who}")
        self.update()
