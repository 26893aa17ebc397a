"""The simulated phones of all accounts: login codes that arrived, and a scanner for the QR code of a login."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.control_colours import Role
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.rehearsal.commands import RehearsalCommand

if TYPE_CHECKING:
    from chimein_gui.sandbox_api import SandboxLoginCode
    from chimein_gui.ui.pane import PaneContext

SHOWN = 12


class _CodeCard(Card):
    """One code in large text, with its account, how it was sent, and when."""

    def __init__(self, context: PaneContext, code: SandboxLoginCode) -> None:
        super().__init__(context.theme, stripe="unreal")
        theme = context.theme
        ways = {"app": self.tr("in Telegram"), "sms": self.tr("by SMS"), "call": self.tr("by call")}
        ways |= {"sms word": self.tr("a word, by SMS"), "sms phrase": self.tr("a phrase, by SMS")}
        at = context.models.clock.clock(datetime.fromtimestamp(code.sent_at, UTC))
        phone = foreign_text.line(code.phone)
        about = " · ".join((phone, ways.get(code.way, foreign_text.line(code.way)), at))
        digits = foreign_text.line(code.code, 40)
        number = PlainLabel(theme, digits, Face.TITLE)
        number.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = ActionButton(theme, self.tr("Copy"), icon="copy")
        self.copy.setAccessibleName(self.tr("Copy the code of {phone}").format(phone=phone))
        self.copy.clicked.connect(lambda _checked=False: QGuiApplication.clipboard().setText(code.code))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(number)
        words.addWidget(ElidedLabel(theme, about, Face.SMALL, "text2"))
        row = QHBoxLayout(self)
        set_rtl_margins(row, 16, 8, 10, 8)
        row.addLayout(words, 1)
        row.addWidget(self.copy)
        self.setAccessibleName(self.tr("Code {code}, {about}").format(code=" ".join(digits), about=about))


class PhonePage(QWidget):
    """Codes in a scroll area, the scanner below."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._rehearsal, self._agents = context.models.rehearsal, context.models.agents
        self._shown: tuple[SandboxLoginCode, ...] | None = None
        self.cards: list[_CodeCard] = []
        self.phone = Choice(self._theme, self.tr("Whose phone"), role=Role.UNREAL_FIELD, editable=True)
        self.scan = ActionButton(self._theme, self.tr("Scan the QR code"), icon="phone", kind=Kind.UNREAL)
        self.scan.setAutoDefault(True)
        self._none = PlainLabel(self._theme, self.tr("No codes yet."), Face.BODY, "text2")
        self._waits = PlainLabel(self._theme, "", Face.SMALL, "text2")
        self._answer = InlineMessage(self._theme)
        self._build()
        self.scan.clicked.connect(lambda _checked=False: self._scan())
        self.phone.editTextChanged.connect(lambda _text: self._follow())
        self._rehearsal.changed.connect(self.refresh)
        self._rehearsal.login_pictures.changed.connect(self._picture_came)
        self._rehearsal.commands.scanned.connect(self._scanned)
        self._agents.summary_changed.connect(self._fill)
        self._fill()
        self.refresh()

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the page is entered."""
        return self.cards[0].copy if self.cards else self.phone

    def refresh(self) -> None:
        """Show the codes, and why a QR code could not be scanned."""
        codes = self._rehearsal.state.login_codes[:SHOWN]
        if codes != self._shown:
            self._shown = codes
            for card in self.cards:
                self._codes.removeWidget(card)
                card.hide()
                card.deleteLater()
            self.cards = [_CodeCard(self._context, code) for code in codes]
            for place, card in enumerate(self.cards):
                self._codes.insertWidget(place, card)
            self._none.setVisible(not codes)
        refusal = self._rehearsal.refusal(RehearsalCommand.SCAN)
        if refusal:
            self._answer.refuse(foreign_text.line(refusal, 300))
        self._follow()

    def _build(self) -> None:
        for label in (self._none, self._waits):
            label.setWordWrap(True)
        inside = QWidget()
        self._codes = QVBoxLayout(inside)
        self._codes.setContentsMargins(0, 0, 0, 0)
        self._codes.setSpacing(6)
        self._codes.addWidget(self._none)
        self._codes.addStretch(1)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.phone, 1)
        line.addWidget(self.scan)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 14, 4, 12, 12)
        column.setSpacing(8)
        column.addWidget(PlainLabel(self._theme, self.tr("Login codes received"), Face.SMALL_STRONG, "text2"))
        column.addWidget(ScrollBox(inside), 1)
        column.addWidget(PlainLabel(self._theme, self.tr("QR code of a login"), Face.SMALL_STRONG, "text2"))
        column.addWidget(self._waits)
        column.addLayout(line)
        column.addWidget(self._answer)

    def _fill(self) -> None:
        typed = self.phone.currentText()
        phones = [agent.spec.phone for agent in self._agents.items()]
        self.phone.set_entries([(foreign_text.line(phone), phone) for phone in phones])
        if typed:
            self.phone.setCurrentText(typed)

    def _picture_came(self) -> None:
        """Select the account that logs in; the operator may scan with another one."""
        waits = self._rehearsal.login_pictures.newest
        agent = self._agents.find(waits.agent_id) if waits is not None else None
        if waits is not None:
            self._answer.say(None)
            self.phone.setCurrentText(foreign_text.line(waits.phone or (agent.spec.phone if agent else "")))
        self._follow()

    def _follow(self) -> None:
        waits = self._rehearsal.login_pictures.newest
        busy = self._rehearsal.busy(RehearsalCommand.SCAN)
        if waits is None:
            self._waits.setText(self.tr("No login shows a QR code now."))
        else:
            words = self.tr("The login of {name} shows one.")
            self._waits.setText(words.format(name=foreign_text.isolated(waits.name)))
        self.scan.set_look(self.tr("Scan the QR code"), icon="spinner" if busy else "phone", kind=Kind.UNREAL)
        no_phone = "" if self.phone.currentText().strip() else self.tr("Choose whose phone it is")
        self.scan.allow(self.tr("No login shows a QR code now") if waits is None else no_phone)

    def _scan(self) -> None:
        self._answer.say(None)
        self._rehearsal.commands.scan(self.phone.currentText().strip())

    def _scanned(self, phone: str) -> None:
        words = self.tr("The phone of {phone} scanned it").format(phone=foreign_text.line(phone))
        self._answer.say(IconLabel("check", words, "ok"))
