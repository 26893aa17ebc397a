"""The page for messages of a simulated person to an account, or into a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.control_colours import Role
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext


class SpeakPage(QWidget):
    """Sender, recipient and text."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme, self._partners = context.theme, context.models.send_as_partner
        self._said: tuple[int, int, str] | None = None
        self.who = Choice(self._theme, self.tr("Write as"), role=Role.UNREAL_FIELD)
        self.peer = Choice(self._theme, self.tr("To"), role=Role.UNREAL_FIELD)
        self.editor = MessageEditor(self._theme, lines=(3, 8), role=Role.UNREAL_FIELD, enter_submits=True)
        self.editor.field.setPlaceholderText(self.tr("What do they write?"))
        self.send = ActionButton(self._theme, self.tr("Send"), icon="send", kind=Kind.UNREAL)
        self.send.setAutoDefault(True)
        self._answer = InlineMessage(self._theme)
        self._build()
        self.who.currentIndexChanged.connect(self._fill_peers)
        self.peer.currentIndexChanged.connect(self._follow)
        self.editor.changed.connect(self._follow)
        self.editor.submitted.connect(self._speak)
        self.send.clicked.connect(self._speak)
        self._partners.partners_changed.connect(self._fill)
        self._partners.delivered.connect(self._delivered)
        self._partners.refused.connect(self._refused)
        self._fill()

    def _build(self) -> None:
        self._hint = PlainLabel(self._theme, "", Face.SMALL, "text2")
        self._hint.setWordWrap(True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (word, choice) in enumerate(((self.tr("Write as"), self.who), (self.tr("To"), self.peer))):
            grid.addWidget(PlainLabel(self._theme, word, Face.SMALL, "text2"), row, 0)
            grid.addWidget(choice, row, 1)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(self.send)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 14, 4, 12, 12)
        column.setSpacing(10)
        column.addWidget(self._hint)
        column.addLayout(grid)
        column.addWidget(self.editor)
        column.addWidget(self._answer)
        column.addLayout(last)
        column.addStretch(1)

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the page is entered."""
        return self.who

    def _fill(self) -> None:
        self._hint.setText(
            self.tr("Anyone here can write to any account, even for the first time.")
            if self._partners.partners
            else self.tr("This sandbox has no people to write as.")
        )
        for field in (self.who, self.peer, self.editor):
            field.setEnabled(bool(self._partners.partners))
        self.who.set_entries([(foreign_text.name(one.name), one.user_id) for one in self._partners.partners])
        self._fill_peers()

    def _fill_peers(self) -> None:
        who = self.who.currentData()
        peers: list[tuple[str, object]] = [
            (foreign_text.name(account.name), account.user_id) for account in self._partners.accounts
        ]
        word = self.tr("{group} (group)")
        peers += [
            (word.format(group=foreign_text.isolated(group.title)), group.peer_id)
            for group in self._partners.groups
            if who in group.member_ids
        ]
        self.peer.set_entries(peers)
        self._follow()

    def _follow(self) -> None:
        icon = "spinner" if self._said is not None else "send"
        self.send.set_look(self.tr("Send"), icon=icon, kind=Kind.UNREAL)
        who, peer = self.who.currentText(), self.peer.currentText()
        why_not = "" if self.editor.text().strip() else self.tr("Nothing typed yet")
        self.send.allow(why_not if self.peer.count() else self.tr("There is nobody to write to"))
        names = {"who": foreign_text.isolated(who), "peer": foreign_text.isolated(peer)}
        self.send.setAccessibleName(self.tr("Send as {who} to {peer}").format(**names))
        self.editor.field.setAccessibleName(self.tr("Message of {who} to {peer}").format(**names))

    def _speak(self) -> None:
        text, who, peer = self.editor.text().strip(), self.who.currentData(), self.peer.currentData()
        if not text or self._said is not None or not isinstance(who, int) or not isinstance(peer, int):
            return
        self._answer.say(None)
        if self._partners.send(who, peer, text, in_place=True):
            self._said = (who, peer, text)
            self._follow()

    def _delivered(self, partner_id: int, peer_id: int, text: str) -> None:
        if (partner_id, peer_id, text) != self._said:
            return
        self._said = None
        if self.editor.text().strip() == text:
            self.editor.set_text("")
        self._follow()
        place = self.peer.findData(peer_id)
        peer = foreign_text.isolated(self.peer.itemText(place) if place >= 0 else str(peer_id))
        self._answer.say(IconLabel("check", self.tr("Delivered to {peer}").format(peer=peer), "ok"))
        if self.send.hasFocus():
            self.editor.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _refused(self, reason: str) -> None:
        if self._said is not None:
            self._said = None
            self._follow()
            self._answer.refuse(reason)
