"""The page Phone: codes that arrived, and a look at the picture of a log-in."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep, QrCode
from chimein_gui.domain.events import LoginChanged
from chimein_gui.domain.ids import AgentId, Revision
from chimein_gui.sandbox_api import SandboxLoginCode
from chimein_gui.ui.panes.rehearsal.pane import PHONE
from tests.fakes.console import NOON

URL = "tg://login?token=abc"
CODES = (
    SandboxLoginCode("+9996622001", "54321", "sms", int(NOON.timestamp())),
    SandboxLoginCode("+9996622002", "12345", "app", int(NOON.timestamp()) - 60),
)


@pytest.fixture
def page(stage):
    stage.rehearsal.turn_to(PHONE)
    stage.settle()
    return stage.rehearsal.phone


def show_picture(stage, *, url=URL, step=LoginStep.QR):
    picture = QrCode(url, NOON + timedelta(seconds=30)) if url else None
    state = LoginState(AgentId(1), "Nora Vale", step, "", qr=picture)
    stage.console.publish(LoginChanged(state, Revision(5)))
    stage.settle()


def test_codes_appear_by_themselves_and_can_be_copied(stage, page, qtbot):
    assert page.cards == []
    stage.sandbox.put(login_codes=CODES)
    stage.settle()
    assert page.cards[0].accessibleName().startswith("Code 5 4 3 2 1, +9996622001 · by SMS")
    qtbot.mouseClick(page.cards[1].copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "12345"
    stage.sandbox.put(login_codes=())
    stage.settle()
    assert page.cards == []


def test_the_picture_of_a_log_in_is_scanned(stage, page):
    assert not page.scan.isEnabled()
    show_picture(stage)
    assert page.phone.currentText() == stage.console.agents[1].spec.phone
    page.phone.setCurrentText("+9996622001")
    page.scan.setFocus()
    stage.strike(page.scan, Qt.Key.Key_Return)
    assert stage.sandbox.scanned == [(URL, "+9996622001")]
    assert stage.sees("has seen it", page)
    show_picture(stage, url="", step=LoginStep.DONE)
    assert not page.scan.isEnabled()
