"""In the sandbox only: the operator speaks as the partner. Violet, because nothing of it is real."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from chimein_gui.domain.chats import Chat, ChatKind
from chimein_gui.ui.widgets import foreign_text, marks
from chimein_gui.ui.widgets.message_editor import MessageEditor
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.theme import Theme
from chimein_gui.ui.widgets.verb_button import Kind, VerbButton


class _Face(QWidget):
    """The partner's circle."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.name = theme, ""
        self.setFixedSize(26, 26)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        marks.draw_circle(painter, self._theme, QRectF(1, 1, 24, 24), self.name)
        painter.end()


class PartnerComposer(QWidget):
    """One field, one button; what was typed stays with its partner until it is delivered."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme, self._voice = context, context.theme, context.models.voice
        self._target: tuple[int, int] | None = None
        self._unsent: dict[tuple[int, int], str] = {}
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._face = _Face(self._theme)
        self.editor = MessageEditor(self._theme, lines=(1, 6), frame="unreal", enter_submits=True)
        self.send = VerbButton(self._theme, "", icon="send", kind=Kind.UNREAL)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 10, 16, 10)
        row.setSpacing(10)
        row.addWidget(self._face, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.editor, 1)
        row.addWidget(self.send, 0, Qt.AlignmentFlag.AlignBottom)
        self.editor.submitted.connect(self._speak)
        self.send.clicked.connect(self._speak)
        self.editor.changed.connect(self._follow)
        self._voice.spoken.connect(self._delivered)
        context.theme.changed.connect(self.update)
        self.hide()

    @property
    def target(self) -> tuple[int, int] | None:
        """Who would be spoken for, and to which account."""
        return self._target

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def set_chat(self, chat: Chat | None) -> None:
        """Speak as the partner of this chat; without one, as the first partner to the first account."""
        partner_id, account_id, agent_name = self._choose(chat)
        partner = self._voice.partner(partner_id) if partner_id else None
        if partner is None or not account_id:
            self.hide()
            return
        target = (partner_id, account_id)
        if target != self._target:
            self._target = None
            text = self._unsent.get(target, "")
            self.editor.set_text(text)
            self._target = target
        who, agent = foreign_text.isolated(partner.name), foreign_text.isolated(agent_name)
        self._face.name = partner.name
        self._face.update()
        self.editor.field.setPlaceholderText(self.tr("Speak as {who}").format(who=who))
        self.editor.field.setAccessibleName(self.tr("Speak as {who} to {agent}").format(who=who, agent=agent))
        self.send.setAccessibleName(self.tr("Send as {who} to {agent}").format(who=who, agent=agent))
        self._follow()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("pane"))
        painter.fillRect(QRectF(0, 0, 3, self.height()), self._theme.color("unreal"))
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawLine(QPointF(0, 0.5), QPointF(self.width(), 0.5))
        painter.end()

    def _choose(self, chat: Chat | None) -> tuple[int, int, str]:
        models = self._context.models
        if chat is not None:
            agent = models.chats.agent(chat.agent_id)
            is_dm = chat.info.kind is ChatKind.DM
            return (chat.info.peer_id if is_dm else 0), chat.info.account_id, agent.spec.name if agent else ""
        for agent in models.agents.items():
            if agent.account_id is not None and self._voice.partners:
                return self._voice.partners[0].user_id, agent.account_id, agent.spec.name
        return 0, 0, ""

    def _follow(self) -> None:
        if self._target is not None:
            self._unsent[self._target] = self.editor.text()
        self.send.setEnabled(bool(self.editor.text().strip()))

    def _speak(self) -> None:
        text = self.editor.text().strip()
        if self._target is not None and text:
            self._voice.speak(*self._target, text)

    def _delivered(self, text: str) -> None:
        if self.editor.text().strip() == text:
            self.editor.set_text("")
