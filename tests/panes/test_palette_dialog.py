"""The command palette, with the keyboard alone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from chimein_gui.ui.shell.palette_dialog import PaletteDialog
from chimein_gui.ui.shell.palette_opener import Veil
from chimein_gui.ui.widgets.theme import Face, Theme
from tests.fakes.console import agent, chat


@pytest.fixture
def opened(desktop, qtbot):
    desktop.console.put_agent(agent(2, "Otto Brandt"))
    desktop.console.put_chat(chat(2, "Maritime Antiques", 2))
    desktop.settle()

    def open_it():
        desktop.window.action("palette").trigger()
        dialog = desktop.window.late.palette.dialog
        assert isinstance(dialog, PaletteDialog)
        return dialog

    yield desktop, open_it
    if desktop.window.late.palette.dialog is not None:
        desktop.window.late.palette.dialog.reject()
    desktop.models.toasts.detach()


def done(qtbot, check):
    qtbot.waitUntil(check, timeout=20_000)


def test_ctrl_k_opens_it_and_closes_it_again(opened):
    desktop, open_it = opened
    assert desktop.window.action("palette").shortcut().toString() == "Ctrl+K"
    dialog = open_it()
    assert dialog.isVisible()
    assert dialog.isModal()
    assert desktop.window.findChildren(Veil)
    desktop.window.action("palette").trigger()
    assert desktop.window.late.palette.dialog is None


def test_the_field_of_the_top_bar_opens_it(opened, qtbot):
    desktop, _ = opened
    qtbot.mouseClick(desktop.window.top_bar.search, Qt.MouseButton.LeftButton)
    assert desktop.window.late.palette.dialog.isVisible()


def test_letters_and_return_open_a_chat(opened, qtbot):
    desktop, open_it = opened
    asked: list[object] = []
    desktop.window.intents.open_chat.connect(asked.append)
    dialog = open_it()
    qtbot.keyClicks(dialog.field, "marit")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: asked == [2])
    assert desktop.window.late.palette.dialog is None


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


def test_it_holds_everything(opened, qtbot):
    desktop, open_it = opened
    dialog = open_it()
    qtbot.keyClicks(dialog.field, "hold ev")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: bool(desktop.console.brakes.holds))


def test_return_on_quit_alone_does_nothing(opened, qtbot):
    desktop, open_it = opened
    asked: list[object] = []
    desktop.window.close_requested.connect(lambda: asked.append(1))
    dialog = open_it()
    qtbot.keyClicks(dialog.field, ">quit")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    desktop.press(dialog.field, Qt.Key.Key_Down)
    desktop.press(dialog.field, Qt.Key.Key_Down)
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: asked == [1])
    assert desktop.console.brakes.holds == ()


def test_what_was_chosen_is_offered_first_the_next_time(opened, qtbot):
    desktop, open_it = opened
    dialog = open_it()
    qtbot.keyClicks(dialog.field, "marit")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: desktop.window.late.palette.dialog is None)
    assert open_it().model.entries()[0].entry_id == "chat:2"


def test_messages_of_the_open_chat_are_searched(opened, qtbot):
    desktop, open_it = opened
    desktop.open_chat()
    asked: list[object] = []
    desktop.window.intents.open_message.connect(lambda *where: asked.append(where))
    dialog = open_it()
    qtbot.keyClicks(dialog.field, "/bridge")
    desktop.window.late.palette._search()
    desktop.settle()
    assert [entry.title for entry in dialog.model.entries()] == ["is the bridge open?"]
    desktop.press(dialog.field, Qt.Key.Key_Return)
    done(qtbot, lambda: asked == [(1, 3)])


def test_the_scopes_can_be_pressed(opened, qtbot):
    _, open_it = opened
    dialog = open_it()
    qtbot.keyClicks(dialog.field, "o")
    dialog.scopes._group.button(4).click()
    assert dialog.field.text() == "#o"
    assert {entry.title for entry in dialog.model.entries()} == {"Nora Vale", "Otto Brandt"}


def test_hostile_names_change_no_width(opened, qtbot):
    desktop, open_it = opened
    desktop.console.put_chat(chat(3, "<b>\u202e" + "N" * 100_000 + "&", 2))
    desktop.console.put_chat(chat(4, "Z" + "\u0301" * 4000, 2))
    desktop.settle()
    dialog = open_it()
    width = dialog.width()
    dialog.field.setText("@")
    assert not dialog.grab().isNull()
    assert dialog.width() == width


def test_titles_keep_their_letters_after_the_palette_was_open(opened):
    desktop, open_it = opened
    theme = desktop.window.theme
    before = {face: theme.font(face).toString() for face in Face}
    open_it()
    assert {face: theme.font(face).toString() for face in Face} == before


@pytest.mark.parametrize("face", list(Face))
def test_a_font_of_the_theme_is_the_callers_own(face):
    theme = Theme()
    mine = theme.font(face)
    before = mine.toString()
    mine.setWeight(QFont.Weight.Black)
    mine.setPixelSize(99)
    assert theme.font(face).toString() == before
