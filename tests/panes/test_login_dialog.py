"""The log-in dialog: real widgets on states that the engine would tell."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLineEdit

from chimein_gui.domain.accounts.sign_in import CodeWay, LoginStep, LoginWork, SentCode, SignInTrouble
from chimein_gui.domain.agents import Health
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.sign_ins import SignInReason
from chimein_gui.ui.dialogs.login.qr_picture import QUIET, SIDE
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.requests import OpenLogin
from tests.fakes.engine_api import NOON
from tests.support.login_server import (
    ALL,
    APPLICATION,
    DONE,
    ONE,
    PASSWORD,
    PHONE,
    PHRASE,
    PICTURE,
    QR,
    SENT,
    WAIT,
    LoginControls,
)
from tests.support.on_screen import cut_off


@pytest.fixture
def login(desktop):
    return LoginControls(desktop)


def trouble(state, what, words="That did not work. Do this."):
    return replace(state, trouble=what, note=Note(NoteKind.OTHER, words))


def test_it_opens_and_asks_the_engine(login):
    assert login.logins.calls == [("begin",)]
    assert login.dialog.isVisible()
    assert login.dialog.isModal()
    login.desktop.window.requests.send(OpenLogin(ONE))
    assert login.logins.calls == [("begin",)], "one at a time"


def test_before_the_engine_says_anything_it_asks_for_nothing_and_can_be_left(login):
    dialog = login.dialog
    assert not any(page.isVisible() for page in dialog.pages.values()), "no page says anything that may not be so"
    assert not dialog.go.isVisible()
    assert dialog.doing.text() == dialog.busy.accessibleName() == "One moment…"
    assert dialog.focusWidget() is dialog.leave
    assert login.show(PICTURE).isVisible()
    assert not dialog.doing.text()


def test_the_picture_can_be_read_back_and_is_told_to_the_ear(login, qtbot):
    page = login.show(PICTURE)
    picture, image = page.picture, page.picture.grab().toImage()
    count = len(picture.squares)
    assert count >= 21
    for row, squares in enumerate(picture.squares):
        for column, is_dark in enumerate(squares):
            at = [QUIET + (place + 0.5) * SIDE / count for place in (column, row)]
            seen = image.pixelColor(round(at[0] - 0.5), round(at[1] - 0.5)).lightness() < 128
            assert seen is is_dark, (row, column)
    assert [f"{n}. " in picture.accessibleDescription() for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert "Link desktop device" in picture.accessibleDescription()
    assert page.time.words == "New code in 0:24"
    login.desktop.time = NOON + timedelta(seconds=9)
    login.desktop.models.clock.ticked.emit()
    assert page.time.words == "New code in 0:15"
    assert not login.dialog.go.isVisible()
    qtbot.mouseClick(login.dialog.other, Qt.MouseButton.LeftButton)
    assert login.called("use_phone") == [()]


def test_each_step_is_announced_once(login, monkeypatch):
    told: list[object] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", staticmethod(told.append))
    QAccessible.setActive(True)
    login.show(PHONE)
    login.show(SENT)
    login.show(SENT)
    QAccessible.setActive(False)
    announced = [event.message() for event in told if type(event) is QAccessibleAnnouncementEvent]
    assert [one for one in announced if "Step" in one] == [
        "Log in as Nora Vale, Step 1 of 3, phone number",
        "Enter the code, Step 2 of 3, sent to your Telegram app",
    ]


def test_the_picture_is_dark_on_white_in_the_dark_scheme_too(login):
    page, before = login.show(PICTURE), login.dialog.head.title.font()
    login.desktop.window.set_dark(True)
    assert login.dialog.head.title.font() == before
    assert page.picture.grab().toImage().pixelColor(QUIET // 2, SIDE // 2).name() == "#ffffff"


def test_api_id_and_hash(login, browser, qtbot):
    page = login.show(APPLICATION)
    assert page.api_id.hasFocus()
    assert not login.dialog.go.isEnabled()
    qtbot.keyClicks(page.api_id, "12345")
    line = page.api_hash.line
    qtbot.keyClicks(line, "0123456789abcdef0123456789abcdef")
    assert line.echoMode() is QLineEdit.EchoMode.Password, "as in Preferences"
    login.press(Qt.Key.Key_Return, target=line)
    assert login.called("use_application") == [("12345", "0123456789abcdef0123456789abcdef")]
    qtbot.mouseClick(login.dialog.other, Qt.MouseButton.LeftButton)
    assert browser.opened == ["https://my.telegram.org/apps"]
    login.show(PHONE)
    assert page.api_hash.text() == "", "what is secret is forgotten with the page"
    page = login.show(APPLICATION)
    qtbot.mouseClick(page.api_hash.eye, Qt.MouseButton.LeftButton)
    line.undo()
    assert line.text() == "", "and not had again by Ctrl+Z"


@pytest.mark.parametrize(
    "message",
    [
        "Login code: 58214. Do not give this code to anyone, even if they say they are from Telegram!",
        "Code for +9996600001: 582-14",
        " 58-2 14\n",
        "\u0665\u0668\u0662\u0661\u0664",
    ],
)
def test_of_a_pasted_message_the_code_is_taken(login, message):
    page = login.show(SENT)
    QGuiApplication.clipboard().setText(message)
    page.field.paste()
    login.desktop.settle()
    assert page.field.text() == "58214"
    assert login.called("enter_code") == [("58214",)]
    QGuiApplication.clipboard().clear()


def test_what_a_page_held_is_gone_with_it(login, qtbot):
    code = login.show(SENT)
    qtbot.keyClicks(code.field, "582")
    picture = login.show(PICTURE).picture
    assert code.field.text() == ""
    assert picture.squares
    number = login.show(PHONE)
    assert not picture.squares, "as good as a password until it expires"
    login.show(replace(PHONE, busy=LoginWork.ASKING_FOR_CODE))
    qtbot.keyClicks(number.field, "7")
    assert number.field.text() == PHONE.phone, "what is asked for is what stands there"


def test_a_code_of_unknown_length_waits_for_return(login, qtbot):
    page = login.show(replace(SENT, code=SentCode(CodeWay.SMS, 0, None, 0)))
    qtbot.keyClicks(page.field, "ab12")
    assert login.called("enter_code") == []
    login.press(Qt.Key.Key_Return)
    assert login.called("enter_code") == [("ab12",)]


def test_a_password_is_hidden_shown_and_forgotten(login, qtbot):
    page = login.show(PASSWORD)
    assert page.field.echoMode() is QLineEdit.EchoMode.Password
    assert "<b>+</b>" in login.words(), "a hint is no markup"
    qtbot.keyClicks(page.field, "the flood of 71")
    qtbot.mouseClick(page.eye, Qt.MouseButton.LeftButton)
    assert page.field.echoMode() is QLineEdit.EchoMode.Normal
    assert page.eye.accessibleName() == "Hide the password"
    login.press(Qt.Key.Key_Return, target=page.field)
    assert login.called("enter_password") == [("the flood of 71",)]
    login.show(trouble(PASSWORD, SignInTrouble.WRONG_PASSWORD))
    assert (page.field.selectedText(), page.note.isVisible()) == ("the flood of 71", True)
    login.show(DONE)
    assert (page.field.text(), page.field.echoMode()) == ("", QLineEdit.EchoMode.Password)
    page = login.show(PASSWORD)
    qtbot.mouseClick(page.eye, Qt.MouseButton.LeftButton)
    page.field.undo()
    assert page.field.text() == "", "what is forgotten is not had again by Ctrl+Z"


def test_a_password_survives_a_wait_and_no_more(login, qtbot):
    page = login.show(PASSWORD)
    qtbot.keyClicks(page.field, "secret")
    login.show(replace(WAIT, back_to=LoginStep.PASSWORD))
    login.show(PASSWORD)
    assert page.field.text() == "secret"
    login.show(replace(WAIT, back_to=LoginStep.PASSWORD))
    login.show(PICTURE)
    assert page.field.text() == ""


def test_a_log_in_that_is_done_meanwhile_is_not_asked_about_any_more(login):
    login.show(replace(PASSWORD, busy=LoginWork.CHECKING_PASSWORD))
    login.press(Qt.Key.Key_Escape)
    (question,) = login.dialog.findChildren(QuestionDialog)
    login.show(replace(PASSWORD, busy=LoginWork.SAVING_SESSION))
    assert question.isVisible()
    login.show(DONE)
    assert not login.dialog.findChildren(QuestionDialog), "“Stop” would stop nothing, and say that nothing is kept"
    assert login.is_open()
    assert login.called("cancel") == []


@pytest.mark.parametrize("start", [APPLICATION, PHONE, SENT, PASSWORD, replace(QR, trouble=SignInTrouble.NO_NETWORK)])
def test_after_an_error_return_tries_again_and_does_not_leave(login, qtbot, start):
    dialog, page = login.dialog, login.show(start)
    for field in page.findChildren(QLineEdit):
        qtbot.keyClicks(field, "5821")
    if start is SENT:
        qtbot.keyClicks(page.field, "4")
    dialog.go.setFocus()
    assert dialog.go.hasFocus()
    login.show(replace(start, trouble=None, busy=LoginWork.ASKING_FOR_CODE))
    login.show(trouble(start, SignInTrouble.NO_NETWORK))
    assert dialog.focusWidget() in {page.focus_place(), page.focus_place().focusProxy()}
    login.press(Qt.Key.Key_Return)
    assert login.called("cancel") == []
    assert len(login.logins.calls) > 1, "it was tried again"


def test_what_does_not_even_begin_closes_and_is_told(desktop):
    desktop.api.logins.fail = NotFoundError("There is no agent 1.")
    desktop.window.requests.send(OpenLogin(ONE))
    desktop.settle()
    assert desktop.window.lazy.logins.dialog is None
    assert desktop.models.bars.current().cause == "It no longer exists."


def test_a_phrase_has_a_line_of_its_own_and_is_forgotten_with_the_page(login):
    page = login.show(PHRASE)
    assert (page.words.isVisible(), page.field.isVisible(), page.words.hasFocus()) == (True, False, True)
    assert page.words.accessibleName() == "Phrase from the SMS"
    assert not login.dialog.go.isEnabled()
    login.show(SENT)
    assert (page.words.isVisible(), page.field.isVisible(), page.field.hasFocus()) == (False, True, True)
    login.show(PHRASE)
    QTest.keyClicks(page.words, "quiet herons")
    assert login.dialog.go.isEnabled()
    login.show(PHONE)
    assert page.words.text() == "", "as secret as a password"


def test_everything_has_a_name_and_can_be_reached_by_tab(login):
    for state in ALL:
        page = login.show(state)
        assert login.dialog.accessibleName()
        for control in (*login.dialog.findChildren(QAbstractButton), *login.dialog.findChildren(QLineEdit)):
            if control.isVisible():
                assert QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name), (state.step, control)
        buttons = [one for one in (login.dialog.go, login.dialog.leave, login.dialog.other) if one.isVisible()]
        assert all(one.focusPolicy() & Qt.FocusPolicy.TabFocus for one in buttons if one.isEnabled())
        assert page.focus_place().isVisible()


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize("percent", [100, 150])
def test_nothing_is_cut_off(desktop, percent):
    desktop.window.appearance.choose_text_size(str(percent))
    login = LoginControls(desktop)
    long_words = "Nobody has a Telegram account with this number. Check it, or make the account in Telegram’s app. " * 2
    path = "The agent's file /config/agents/of/mine/Nora.md can't be written: Permission denied."
    unchanged = Note(SignInReason.NUMBER_NOT_CHANGED, "Nora.md", cause=Note(NoteKind.OTHER, path))
    changed = Note(SignInReason.NEW_CHATS, cause=unchanged)
    named = "Telegram refused (CONNECTION DEVICE MODEL EMPTY). Try again later, or another way."
    states = (*ALL, replace(DONE, note=changed))
    troubles = [trouble(one, SignInTrouble.REFUSED, words) for one in ALL[:6] for words in (long_words, named)]
    for state in (*states, *troubles):
        login.show(state)
        QApplication.sendPostedEvents()
        assert cut_off(login.dialog) == [], state.step
    assert login.dialog.width() == round(448 * percent / 100)


# --- ways to it -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "word", "out", "starts"),
    [
        ({"health": Health.ONLINE}, "", True, False),
        # "Stop the other agent first": then there has to be a way to start this one.
        ({"health": Health.LOGGED_OUT}, "Log in again", False, True),
        ({"health": Health.LOGGED_OUT, "account_id": None}, "Log in", False, True),
        ({"health": Health.REVOKED}, "Log in again", False, False),
        ({"health": Health.BANNED}, "Log in again", True, False),
        ({"health": Health.STOPPED}, "", True, True),
        ({"health": Health.STOPPED, "account_id": None}, "Log in", False, False),
    ],
)
def test_the_agents_pane_offers_what_fits(desktop, changes, word, out, starts):
    desktop.window.show_pane("agents")
    desktop.put_agent(replace(desktop.api.agents[1], **changes))
    actions = desktop.agents.agent_actions
    assert actions.log_in.isVisible() is bool(word)
    assert actions.log_out.isVisible() is out
    assert actions.start.isVisible() is starts
    if word:
        assert actions.log_in.accessibleName() == f"{word} Nora Vale"
        actions.log_in.click()
        desktop.settle()
        assert desktop.api.logins.calls == [("begin",)]


def test_the_palette_logs_in(desktop):
    assert not [entry for entry in desktop.window.lazy.palette.commands() if "Log in" in entry.title]
    desktop.put_agent(replace(desktop.api.agents[1], health=Health.LOGGED_OUT))
    (entry,) = [entry for entry in desktop.window.lazy.palette.commands() if "Log in" in entry.title]
    assert entry.title == "Log in again: Nora Vale"
    desktop.window.lazy.palette._do(entry)
    desktop.settle()
    assert desktop.api.logins.calls == [("begin",)]


def test_the_palette_logs_out_and_asks_before(desktop):
    (entry,) = [entry for entry in desktop.window.lazy.palette.commands() if entry.title == "Log Nora Vale out…"]
    assert entry.destructive
    desktop.window.lazy.palette._do(entry)
    desktop.settle()
    assert desktop.api.logins.calls == []
    [asks] = [one for one in desktop.window.findChildren(QDialog) if one.isVisible()]
    assert "Log Nora Vale out?" in asks.windowTitle() or desktop.sees("Log Nora Vale out?", asks)
    asks.reject()
    desktop.put_agent(replace(desktop.api.agents[1], health=Health.LOGGED_OUT))
    assert not [entry for entry in desktop.window.lazy.palette.commands() if "Nora Vale out" in entry.title]


def test_what_was_logged_in_leads_on_to_its_chats(login, qtbot):
    login.show(DONE)
    qtbot.mouseClick(login.dialog.other, Qt.MouseButton.LeftButton)
    assert login.called("cancel") == [()]
    login.logins.put(replace(DONE, step=LoginStep.CLOSED))
    login.desktop.settle()
    assert not login.is_open()
    assert login.desktop.window.dock_manager.focus.last == "conversations"
    assert login.desktop.models.transcript.chat.agent_id == ONE
