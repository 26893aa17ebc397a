"""The composer of the sandbox, in which the operator writes as the partner, or as any member of a group.

It is violet, because everything in it is simulated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.panes.conversations.composer.audience import Audience, audience_of
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.controls.spoken_role import spoken
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme

WHO_WIDTH = 148
SHOWN_NAME = 20
"""Most characters of a name in the placeholder, which cuts longer ones without an ellipsis."""


class _Face(QWidget):
    """The partner's avatar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.name = theme, ""
        self.setFixedSize(26, 26)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        marks.draw_circle(painter, self._theme, QRectF(1, 1, 24, 24), self.name)
        painter.end()


class PartnerComposer(Surface):
    """A field, a button, and in a group a choice of the sender. The typed text is kept until it is delivered.

    Attributes:
        left: Escape was pressed in the empty field.
    """

    left = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "pane", top_line="line", stripe="unreal")
        self._context, self._theme, self._partners = context, context.theme, context.models.send_as_partner
        self._audience: Audience | None = None
        self._target: tuple[int, int] | None = None
        self._unsent: dict[tuple[int, int], str] = {}
        self._last: dict[int, int] = {}
        self._name, self._hint = "", ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._face = _Face(self._theme)
        self.who = Choice(self._theme, self.tr("Who is writing"), role=Role.UNREAL_FIELD)
        self.who.setFixedWidth(WHO_WIDTH)
        self.editor = MessageEditor(self._theme, lines=(1, 6), role=Role.UNREAL_FIELD, enter_submits=True)
        self.send = ActionButton(self._theme, "", icon="send", kind=Kind.UNREAL)
        self.coach = QWidget()
        self._coach_words = ElidedLabel(self._theme, "", Face.SMALL, "text2")
        self.example = ActionButton(self._theme, self.tr("Is the bridge open again?"), kind=Kind.LINK)
        self.example.clicked.connect(lambda _checked=False: self.editor.type_in(self.example.text()))
        line = QHBoxLayout(self.coach)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(self._coach_words)
        line.addWidget(self.example)
        line.addStretch(1)
        self.coach.hide()
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self._face, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.who, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.editor, 1)
        row.addWidget(self.send, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 18, 10, 16, 10)
        column.setSpacing(6)
        column.addWidget(self.coach)
        column.addLayout(row)
        self.who.currentIndexChanged.connect(lambda _place: self._choose())
        self.editor.submitted.connect(self._speak)
        self.editor.cancelled.connect(self._leave)
        self.send.clicked.connect(self._speak)
        self.editor.changed.connect(self._follow)
        self._partners.delivered.connect(self._delivered)
        self._partners.busy_changed.connect(self._show_busy)
        self.hide()

    @property
    def target(self) -> tuple[int, int] | None:
        """The sender's user id, and the recipient: an agent's account, or the marked id of a group.

        None if nobody can write.
        """
        return self._target

    @property
    def can_speak(self) -> bool:
        """Whether a simulated person can write in this chat."""
        return self._audience is not None

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def set_chat(self, chat: Chat | None) -> None:
        """Write in this chat; None: as anybody to the first account."""
        audience = self._audience = audience_of(self._context.models, chat)
        self.coach.setVisible(chat is None)
        if audience is None:
            return
        entries = [(foreign_text.name(one.name), one.user_id) for one in audience.senders]
        self.who.set_entries(entries, self._last.get(audience.peer_id, audience.senders[0].user_id))
        self.who.setVisible(len(entries) > 1)
        self._choose()

    def _choose(self) -> None:
        """Switch to the chosen sender: avatar, names, and the unsent text."""
        audience, chosen = self._audience, self.who.currentData()
        partner = self._partners.partner(chosen) if isinstance(chosen, int) else None
        if audience is None or partner is None:
            return
        target = (partner.user_id, audience.peer_id)
        if target != self._target:
            self._target = None
            self.editor.set_text(self._unsent.get(target, ""))
            self._target = target
        self._last[audience.peer_id] = partner.user_id
        who, where = foreign_text.isolated(partner.name), foreign_text.isolated(audience.name)
        self._face.name = partner.name
        self._face.update()
        self._name = foreign_text.isolated(foreign_text.short(partner.name, SHOWN_NAME))
        self._show_placeholder()
        agent, first = _first_name(audience.name), _first_name(partner.name)
        self._coach_words.setText(self.tr("Write to {agent} as {who}, for example:").format(agent=agent, who=first))
        self.editor.field.setAccessibleName(spoken(self.tr("Write as {who} to {where}").format(who=who, where=where)))
        self.send.setAccessibleName(spoken(self.tr("Send as {who} to {where}").format(who=who, where=where)))
        self._follow()

    def set_hint(self, words: str) -> None:
        """Show a hint in the empty field, if it fits."""
        if words != self._hint:
            self._hint = words
            self._show_placeholder()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_placeholder()

    def _show_placeholder(self) -> None:
        words = self.tr("Write as {who}").format(who=self._name)
        whole = f"{words}\u2003{self._hint}" if self._hint else words
        if self._theme.metrics(Face.BODY).horizontalAdvance(whole) > self.editor.width() - 34:
            whole = words
        if self.editor.field.placeholderText() != whole:
            self.editor.field.setPlaceholderText(whole)
            self.editor.field.setAccessibleDescription(self._hint)

    def _leave(self) -> None:
        if not self.editor.text():
            self.left.emit()

    def _follow(self) -> None:
        if self._target is not None:
            self._unsent[self._target] = self.editor.text()
        self.send.allow("" if self.editor.text().strip() else self.tr("Nothing typed yet"))
        self._show_busy()

    def _show_busy(self) -> None:
        busy = self._target is not None and self._partners.busy(*self._target)
        self.send.set_look("", icon="spinner" if busy else "send", kind=Kind.UNREAL)

    def _speak(self) -> None:
        text = self.editor.text().strip()
        if self._target is not None and text:
            self._partners.send(*self._target, text)

    def _delivered(self, partner_id: int, peer_id: int, text: str) -> None:
        target = (partner_id, peer_id)
        typed = self._unsent.get(target, "").strip()
        if typed.startswith(text):
            # What was typed after it meanwhile is the next message.
            left = self._unsent[target] = typed.removeprefix(text).lstrip()
            if self._target == target:
                self.editor.set_text(left)


def _first_name(name: str) -> str:
    """Return the first word of a name."""
    return foreign_text.isolated(foreign_text.short(name.split(" ")[0], SHOWN_NAME))
