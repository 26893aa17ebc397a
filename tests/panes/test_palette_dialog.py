"""The command palette, with the keyboard alone."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication

from chimein_gui.domain.ids import ChatId, MessageId
from chimein_gui.ui.requests import ShowChat, ShowMessage
from chimein_gui.ui.shell.palette.dialog import PaletteDialog
from chimein_gui.ui.shell.palette.opener import Backdrop
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.palette.entries import Kind
from tests.fakes.engine_api import agent, chat, message

pytestmark = pytest.mark.with_panes()

NONE_CHOSEN = "None is chosen. The down arrow goes to the first one."


@pytest.fixture
def opened(desktop, qtbot):
    desktop.api.put_agent(agent(2, "Otto Brandt"))
    desktop.put_chat(chat(2, "Maritime Antiques", 2))

    def open_it():
        desktop.window.action("palette").trigger()
        dialog = desktop.window.lazy.palette.dialog
        assert isinstance(dialog, PaletteDialog)
        return dialog

    yield desktop, open_it
    if desktop.window.lazy.palette.dialog is not None:
        desktop.window.lazy.palette.dialog.reject()
    desktop.models.toasts.detach()


def done(qtbot, check):
    qtbot.waitUntil(check, timeout=20_000)


def test_ctrl_k_opens_it_and_closes_it_again(opened):
    desktop, open_it = opened
    assert desktop.window.action("palette").shortcut().toString() == "Ctrl+K"
    dialog = open_it()
    assert dialog.isVisible()
    assert dialog.isModal()
    assert desktop.window.findChildren(Backdrop)
    desktop.window.action("palette").trigger()
    assert desktop.window.lazy.palette.dialog is None


def test_letters_and_return_open_a_chat(opened, qtbot):
    desktop, open_it = opened
    asked: list[object] = []
    desktop.window.requests.on(ShowChat, lambda request: asked.append(request.chat_id))
    dialog = open_it()
    qtbot.keyClicks(dialog.field, "marit")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: asked == [2])
    assert desktop.window.lazy.palette.dialog is None


@pytest.mark.parametrize("words", ["log out", "zzzz", "/boat", ">next"])
def test_after_each_letter_the_field_says_what_return_would_open(opened, qtbot, words):
    _desktop, open_it = opened
    dialog = open_it()
    for letter in words:
        qtbot.keyClicks(dialog.field, letter)
        row = dialog.list.currentIndex()
        told = row.data(Qt.ItemDataRole.AccessibleTextRole) if row.isValid() else dialog.nothing.text()
        assert dialog.field.accessibleDescription() == foreign_text.line(told or NONE_CHOSEN)
        assert dialog.list.selectionModel().selectedIndexes() == ([row] if row.isValid() else [])


def test_arrows_move_over_headings_and_the_focus_stays(opened):
    desktop, open_it = opened
    dialog = open_it()
    seen = [dialog.list.currentIndex().row()]
    for _ in range(dialog.model.rowCount()):
        desktop.press(dialog.field, Qt.Key.Key_Down)
        seen.append(dialog.list.currentIndex().row())
    entries = [row for row in range(dialog.model.rowCount()) if dialog.model.entry_at(row) is not None]
    assert set(seen) == set(entries)
    assert seen[0] == entries[0]
    desktop.press(dialog.field, Qt.Key.Key_Up)
    assert dialog.list.currentIndex().row() in entries
    assert not dialog.list.hasFocus()


def test_an_agent_a_pane_and_a_command(opened, qtbot):
    desktop, open_it = opened
    dialog = open_it()
    qtbot.keyClicks(dialog.field, "#otto")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: desktop.agents.list.currentIndex().row() == 1)
    dialog = open_it()
    qtbot.keyClicks(dialog.field, ">layout: appr")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: desktop.window.docks["approvals"].width() > desktop.window.width() / 2)


def test_return_on_quit_alone_does_nothing(opened, qtbot):
    desktop, open_it = opened
    asked: list[object] = []
    desktop.window.close_guard.requested.connect(lambda: asked.append(1))
    dialog = open_it()
    qtbot.keyClicks(dialog.field, ">quit")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    desktop.press(dialog.field, Qt.Key.Key_Down)
    desktop.press(dialog.field, Qt.Key.Key_Down)
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: asked == [1])
    assert desktop.api.holds.holds == ()


def test_what_was_chosen_is_offered_first_the_next_time(opened, qtbot):
    desktop, open_it = opened
    dialog = open_it()
    qtbot.keyClicks(dialog.field, "marit")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: desktop.window.lazy.palette.dialog is None)
    assert open_it().model.entries()[0].entry_id == "chat:2"


def test_messages_of_all_chats_are_searched_newest_first(opened, qtbot):
    desktop, open_it = opened
    desktop.api.put_message(2, message(7, "the bridge of sighs", chat_number=2, minutes_ago=1))
    desktop.settle()
    asked: list[object] = []
    desktop.window.requests.on(ShowMessage, asked.append)
    dialog = open_it()
    qtbot.keyClicks(dialog.field, "/bridge")
    desktop.window.lazy.palette._search()
    desktop.settle()
    assert [entry.title for entry in dialog.model.entries()] == ["the bridge of sighs", "is the bridge open?"]
    dialog.field.setText("bridge")
    desktop.press(dialog.field, Qt.Key.Key_Down)
    desktop.window.lazy.palette._search()
    desktop.settle()
    titles = [entry.title for entry in dialog.model.entries() if entry.kind is Kind.MESSAGE]
    assert titles == ["the bridge of sighs", "is the bridge open?"]
    for _ in range(dialog.model.rowCount()):
        if dialog.model.entry_at(dialog.list.currentIndex().row()).title == titles[-1]:
            break
        desktop.press(dialog.field, Qt.Key.Key_Down)
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: asked == [ShowMessage(ChatId(1), MessageId(3))])


@pytest.mark.parametrize("face", list(Face))
def test_a_font_of_the_theme_is_the_callers_own(face):
    theme = Theme()
    mine = theme.font(face)
    before = mine.toString()
    mine.setWeight(QFont.Weight.Black)
    mine.setPixelSize(99)
    assert theme.font(face).toString() == before


OTHER_WORDS = {
    "theme": "Theme: Dark",
    "night": "Theme: Dark",
    "zoom": "Larger text",
    "settings": "Preferences",
    "shortcuts": "Keys",
    "mute": "Reply to: Never",
    "trust": "Trust level: Review: messages wait for you",
    "plan now": "Plan a reply now",
    "take over": "Take over",
    "dark": "Theme: Dark",
    "light": "Theme: Light",
    "font": "Larger text",
    "stop": "Hold or release everything",
    "plan": "Plan a reply now",
}


def test_a_command_is_found_by_another_word_for_it(opened, qtbot, subtests):
    desktop, open_it = opened
    desktop.api.put_chat(replace(desktop.api.chats[1], pending=0, newest_in_id=3))
    desktop.open_chat()
    dialog = open_it()
    for typed, command in OTHER_WORDS.items():
        dialog.field.clear()
        qtbot.keyClicks(dialog.field, f">{typed}")
        with subtests.test(typed):
            assert command in [entry.title for entry in dialog.model.entries()]


def test_what_is_offered_for_the_open_chat_is_done(opened, qtbot):
    desktop, open_it = opened
    desktop.open_chat()
    dialog = open_it()
    qtbot.keyClicks(dialog.field, ">take over")
    assert dialog.model.entries()[0].detail == "Marta Oliveira"
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: desktop.window.lazy.palette.dialog is None)
    qtbot.waitUntil(lambda: desktop.api.chats[1].takeover_until is not None)


NOTHING_FOUND = {
    "/nowhere": "No messages with “nowhere”",  # before a chat is opened
    "@nobody at all": "No results for “nobody at all”",
    "#nobody": "No results for “nobody”",
    "xqzw": "No results for “xqzw”",
    "/": "Type words to search the messages of all chats",
    "hold": "",
    "": "",
}


def test_where_nothing_is_found_it_says_what_was_searched(opened, qtbot, subtests):
    desktop, open_it = opened
    dialog = open_it()
    for typed, words in NOTHING_FOUND.items():
        dialog.field.clear()
        qtbot.keyClicks(dialog.field, typed)
        desktop.window.lazy.palette._search()
        desktop.settle()
        with subtests.test(typed):
            assert dialog.nothing.text() == words
            assert dialog.nothing.isVisible() is bool(words)
        if typed == "/nowhere":
            dialog.reject()
            desktop.open_chat()
            dialog = open_it()


def test_the_first_page_offers_chats_and_what_can_be_done_in_the_open_one_and_is_as_high_as_its_rows(opened, qtbot):
    desktop, open_it = opened
    desktop.open_chat()
    dialog = open_it()
    headings = [dialog.model.index(row, 0).data() for row in range(dialog.model.rowCount()) if not dialog._id_of(row)]
    assert headings[0] == "Recent"
    assert "Commands for Marta Oliveira" in headings
    assert "chat:1" in [entry.entry_id for entry in dialog.model.entries()]
    assert {"Take over", "Hold this chat"} <= {entry.title for entry in dialog.model.entries()}
    tall = dialog.height()
    qtbot.keyClicks(dialog.field, "/nowhere")
    desktop.window.lazy.palette._search()
    desktop.settle()
    assert dialog.height() < tall / 2


@pytest.mark.qt_log_ignore("does not support setting window masks")
def test_the_corners_are_cut_off_where_nothing_may_compose_windows(opened, monkeypatch):
    _, open_it = opened
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")
    dialog = open_it()
    corners = (dialog.rect().topLeft(), dialog.rect().bottomRight())
    assert not any(dialog.mask().contains(corner) for corner in corners)
    assert dialog.mask().contains(dialog.rect().center())
    assert dialog.mask().boundingRect() == dialog.rect()


def test_what_changes_a_chat_is_not_found_by_strewn_letters(opened, qtbot):
    desktop, open_it = opened
    desktop.open_chat()
    dialog = open_it()
    qtbot.keyClicks(dialog.field, ">mute")
    titles = [one.title for one in dialog.model.entries()[:-1]]
    assert all("Reply to" in one or "Quiet" in one or "Mute" in one for one in titles), titles
