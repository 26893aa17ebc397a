"""Hostile strings in the log-in, in Preferences, and on the page of codes: nothing is obeyed, nothing is pushed out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chimein_gui.domain.accounts.sign_in import CodeWay, SentCode, SignedInAs, SignInTrouble
from chimein_gui.domain.events import LoginChanged
from chimein_gui.domain.ids import AccountId, Revision
from chimein_gui.sandbox_api import SandboxLoginCode
from chimein_gui.ui.panes.rehearsal.pane import PHONE as PHONE_PAGE
from chimein_gui.viewmodels.preferences.catalogue import Page
from chimein_gui.viewmodels.preferences.keys import Key, KeyRow, KeyState
from tests.fakes.console import NOON
from tests.support import bait as bait_module
from tests.support import hostile
from tests.support.login_desk import ALL, PHONE, LoginDesk
from tests.support.on_screen import troubles

pytestmark = pytest.mark.whole_window


@pytest.fixture
def bait(tmp_path):
    with bait_module.laid(tmp_path) as laid:
        yield laid


def said(state, text):
    """Return a state of the log-in with a text wherever Telegram, a file or an error says something."""
    code = SentCode(CodeWay.EMAIL, 5, CodeWay.SMS, 60.0, text) if state.code is not None else None
    who = SignedInAs(AccountId(7), text, text, text, 214, 12) if state.signed_in is not None else None
    return replace(state, name=text, phone=text, words=text, hint=text, source=text, code=code, signed_in=who)


def test_log_ins_say_them_tamely(desktop, bait):
    login, wrong = LoginDesk(desktop), []
    size = login.dialog.size()
    for name, text in hostile.corpus(str(bait.path), bait.port).items():
        agent = desktop.console.agents[1]
        desktop.console.put_agent(replace(agent, spec=replace(agent.spec, name=text, source=text)))
        for state in (*ALL, replace(PHONE, trouble=SignInTrouble.REFUSED), replace(PHONE, busy=text)):
            login.show(said(state, text))
            assert not login.dialog.grab().isNull()
            found = [*troubles(login.dialog), *bait.touched()]
            found += ["another size"] if login.dialog.size() != size else []
            wrong += [f"{name} at {state.step}: {what}" for what in found]
    assert not wrong, "\n".join(wrong)


def test_preferences_say_them_tamely(desktop, bait):
    desktop.window.show_pane("preferences")
    desktop.settle()
    desk, keys, wrong = desktop.models.preferences_model, desktop.models.keys, []
    least = desktop.window.minimumSizeHint().width()
    for name, text in hostile.corpus(str(bait.path), bait.port).items():
        desk._refusals = {"config_dirs": text, "model": text, "chat_cap": text}
        desk.next_directories = (text, text)
        desk.current = replace(desk.current, model=text)
        desk.changed.emit()
        keys._rows[Key.MODEL] = KeyRow(KeyState.REFUSED, text[-4:], None, text, "")
        keys._rows[Key.APPLICATION] = KeyRow(KeyState.STORED, text[-4:], None, "", text)
        keys.changed.emit()
        desktop.settle()
        pane, found = desktop.window.panes["preferences"], bait.touched()
        for page in (Page.KEYS, Page.MODELS, Page.LIMITS, Page.DIRECTORIES):
            pane.show_page(page)
            assert not pane.grab().isNull()
            found += troubles(pane)
        found += ["a wider window"] if desktop.window.minimumSizeHint().width() > least else []
        wrong += [f"{name}: {what}" for what in found]
    assert desktop.window.panes["preferences"].sections[Page.DIRECTORIES].isVisible()
    assert not wrong, "\n".join(wrong)


def test_the_page_of_codes_says_them_tamely(stage, bait):
    stage.rehearsal.turn_to(PHONE_PAGE)
    stage.settle()
    wrong, least = [], stage.window.minimumSizeHint().width()
    for name, text in hostile.corpus(str(bait.path), bait.port).items():
        stage.sandbox.put(login_codes=(SandboxLoginCode(text, text, text, int(NOON.timestamp())),))
        stage.console.publish(LoginChanged(said(ALL[1], text), Revision(5)))
        stage.settle()
        assert not stage.rehearsal.grab().isNull()
        found = [*troubles(stage.rehearsal), *bait.touched()]
        found += ["a wider window"] if stage.window.minimumSizeHint().width() > least else []
        wrong += [f"{name}: {what}" for what in found]
    assert not wrong, "\n".join(wrong)
