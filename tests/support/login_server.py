"""A desktop with an open log-in, and every state that the engine can publish of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from PySide6.QtWidgets import QLabel

from chimein_gui.domain.accounts.sign_in import (
    CodeForm,
    CodeWay,
    LoginState,
    LoginStep,
    QrCode,
    SentCode,
    SignedInAs,
    SignInTrouble,
)
from chimein_gui.domain.ids import AccountId, AgentId
from chimein_gui.ui.requests import OpenLogin
from tests.fakes.engine_api import NOON

ONE = AgentId(1)
CODE = SentCode(CodeWay.APP, 5, CodeWay.SMS, 60.0)
URL = "tg://login?token=" + "A" * 44
QR = LoginState(ONE, "Nora Vale", LoginStep.QR, phone="+9996600001", source="Nora.md")
PICTURE = replace(QR, qr=QrCode(URL, NOON + timedelta(seconds=24)))
PHONE = replace(QR, step=LoginStep.PHONE)
SENT = replace(QR, step=LoginStep.CODE, code=CODE, code_was_sent=True, resend_at=NOON + timedelta(seconds=48))
PHRASE = replace(SENT, code=SentCode(CodeWay.SMS, 0, CodeWay.SMS, 60.0, "quiet", CodeForm.PHRASE))
PASSWORD = replace(SENT, step=LoginStep.PASSWORD, hint="first dog <b>+</b> year of the flood")
WAIT = replace(
    QR,
    step=LoginStep.WAIT,
    trouble=SignInTrouble.WAIT,
    wait_began_at=NOON - timedelta(seconds=300),
    wait_until=NOON + timedelta(seconds=892),
    back_to=LoginStep.PHONE,
)
DONE = replace(
    QR, step=LoginStep.DONE, signed_in=SignedInAs(AccountId(7), "Nora V.", "noravale", "+9996600001", 214, 12)
)
APPLICATION = replace(QR, step=LoginStep.APPLICATION)
ALL = (APPLICATION, PICTURE, PHONE, SENT, PHRASE, PASSWORD, WAIT, DONE)


class LoginControls:
    """A desktop with an open log-in."""

    def __init__(self, desktop):
        self.desktop, self.logins = desktop, desktop.api.logins
        agent = desktop.api.agents[1]
        desktop.put_agent(replace(agent, spec=replace(agent.spec, source="/config/agents/Nora.md")))
        desktop.window.requests.send(OpenLogin(ONE))
        desktop.settle()
        self.dialog = desktop.window.lazy.logins.dialog

    def show(self, state):
        self.logins.put(state)
        self.desktop.settle()
        return self.dialog.page

    def press(self, key, text="", target=None):
        self.desktop.press(target or self.dialog.focusWidget() or self.dialog, key, text)

    def called(self, method):
        return [call[1:] for call in self.logins.calls if call[0] == method]

    def words(self):
        labels = (label.text() for label in self.dialog.page.findChildren(QLabel) if label.isVisible())
        return " | ".join(text for text in labels if text)

    def is_open(self):
        return self.desktop.window.lazy.logins.dialog is not None
