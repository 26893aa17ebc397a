"""The Memory pane: notes and memories of a chat side by side, changed entry by entry, with undo."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.memory.files import entry_of
from tests.fakes.console import NOON
from tests.fakes.console_memories import memories_of

pytestmark = [pytest.mark.with_panes("memory"), pytest.mark.qt_log_ignore("This plugin does not support")]

NOTES = "\ufeffVegetarian.\r\nNever beef.\r\n\r\n\r\nCall her Marta.\r\n"


def entry(text, key="1.0@x", chat=0):
    return entry_of(text, at=NOON, provenance=f"chat {chat} (Marta), source: test", key=key)


@pytest.fixture
def room(make_desktop, tmp_path, qtbot):
    desktop = make_desktop()
    desktop.furnish()
    info = desktop.console.chats[1].info
    curated = tmp_path / f"config/agents/Nora Vale/memory/{int(info.peer_id)}.md"
    about = tmp_path / f"state/Nora Vale/memory/{int(info.peer_id)}.md"
    for path in (curated, about):
        path.parent.mkdir(parents=True)
    curated.write_bytes(NOTES.encode())
    about.write_text(entry("likes tea") + "\n" + entry("her knee hurts", "2.0@x"), encoding="utf-8")
    (tmp_path / "state/Nora Vale/memory.md").write_text(entry("the ferry leaves at nine"), encoding="utf-8")
    desktop.console.memory_editor = memories_of(desktop.console, tmp_path)
    desktop.attach()
    desktop.open_chat()
    desktop.window.show_pane("memory")
    desktop.settle()
    desktop.window.activateWindow()
    QApplication.processEvents()

    def press(key, held=Qt.KeyboardModifier.NoModifier):
        qtbot.keyClick(QApplication.focusWidget(), key, held)
        desktop.settle()

    pane = desktop.window.panes["memory"]
    return SimpleNamespace(desktop=desktop, pane=pane, curated=curated, about=about, press=press, folder=tmp_path)


def texts(side):
    return [one.entry.text for one in side.list.rows.page.entries]


def test_the_open_chat_is_shown_with_notes_and_memories_side_by_side(room):
    pane = room.pane
    assert hand.rows(pane.people) == ["All chats, Nora Vale, remembered", "Marta Oliveira, Nora Vale, both files"]
    assert pane.people.current.title == "Marta Oliveira"
    assert texts(pane.curated) == ["Vegetarian.\r\nNever beef.", "Call her Marta."]
    assert texts(pane.remembered) == ["likes tea", "her knee hurts"]
    assert hand.rows(pane.remembered.list)[0].endswith("likes tea")
    pane.people.setFocus()
    room.press(Qt.Key.Key_Up)
    assert (texts(pane.remembered), pane.curated.isHidden()) == (["the ferry leaves at nine"], True)


def test_an_entry_is_edited_added_and_deleted_by_keys_and_each_is_undone(room, qtbot):
    pane = room.pane
    pane.curated.list.setFocus()
    room.press(Qt.Key.Key_J)
    assert pane.curated.list.current.entry.text == "Call her Marta."
    room.press(Qt.Key.Key_K)
    room.press(Qt.Key.Key_E)
    assert pane.curated.field.field.hasFocus()
    pane.curated.field.set_text("Vegan.\nNo honey.")
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert room.curated.read_bytes() == NOTES.replace("Vegetarian.\r\nNever beef.", "Vegan.\r\nNo honey.").encode()
    pane.remembered.list.setFocus()
    room.press(Qt.Key.Key_N)
    pane.remembered.field.set_text("# «send» 3")
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert texts(pane.remembered)[-1] == "# «send» 3"
    assert "\\# «send» 3" in room.about.read_text(encoding="utf-8")
    before = room.about.read_bytes()
    done = []
    pane.model.done.connect(lambda words, undo: done.append((words, undo)))
    pane.remembered.list.setFocus()
    pane.remembered.list.setCurrentIndex(pane.remembered.list.rows.index(0, 0))
    room.press(Qt.Key.Key_Delete)
    assert texts(pane.remembered) == ["her knee hurts", "# «send» 3"]
    done[-1][1]()
    room.desktop.settle()
    assert room.about.read_bytes() == before, "byte for byte"


def test_an_entry_moves_to_the_other_side_and_back(room):
    pane, done = room.pane, []
    pane.model.done.connect(lambda words, undo: done.append(undo))
    notes, about = room.curated.read_bytes(), room.about.read_bytes()
    pane.remembered.list.setFocus()
    pane.remembered.list.setCurrentIndex(pane.remembered.list.rows.index(1, 0))
    room.press(Qt.Key.Key_U)
    assert texts(pane.remembered) == ["likes tea"]
    assert texts(pane.curated)[-1] == "her knee hurts"
    done[-1]()
    room.desktop.settle()
    assert texts(pane.remembered) == ["likes tea", "her knee hurts"]
    assert room.about.read_bytes() == about
    assert room.curated.read_bytes().strip() == notes.strip()


def test_what_another_program_changes_is_shown_and_never_overwritten(room):
    pane = room.pane
    entry_of_tea = pane.remembered.list.rows.entry_at(0)
    room.about.write_text(room.about.read_text(encoding="utf-8").replace("her knee hurts", "her knee is well"), "utf-8")
    file = pane.model.file_of(pane._kind())
    pane.model.edit(file, entry_of_tea, "likes coffee")
    room.desktop.settle()
    assert texts(pane.remembered) == ["likes coffee", "her knee is well"], "both changes"
    room.about.write_text(room.about.read_text(encoding="utf-8").replace("likes coffee", "likes water"), "utf-8")
    pane.model.edit(file, pane.remembered.list.rows.entry_at(0), "likes milk")
    room.desktop.settle()
    assert texts(pane.remembered)[0] == "likes water", "the same entry is not overwritten"
    assert room.desktop.sees("has changed", pane) or room.desktop.sees("changed", pane)


def test_a_file_that_cannot_be_read_says_so_and_an_empty_chat_what_to_do(room):
    room.about.unlink()
    room.about.mkdir()
    room.pane.model.refresh()
    room.desktop.settle()
    assert room.desktop.sees("Is a directory", room.pane)
    room.about.rmdir()
    room.curated.unlink()
    room.pane.model.problem = ""
    room.pane.model.refresh()
    room.desktop.settle()
    assert room.desktop.sees("No notes on this chat", room.pane)
    room.pane.curated.new.click()
    room.pane.curated.field.set_text("Birthday 14 February.")
    room.pane.curated.save.click()
    room.desktop.settle()
    assert room.curated.read_text(encoding="utf-8").endswith("\n\nBirthday 14 February.\n")
    assert room.curated.read_text(encoding="utf-8").startswith("# Memory from 2026-")


def test_the_tabs_show_one_page_at_a_time(room):
    pane = room.pane
    assert (pane.files.isVisible(), pane.review.isVisible()) == (True, False)
    pane.tabs.segments.focus_widget().setFocus()
    room.press(Qt.Key.Key_Right)
    assert (pane.files.isVisible(), pane.review.isVisible()) == (False, True)
    assert room.desktop.sees("Nothing to review", pane)
    room.press(Qt.Key.Key_Left)
    assert pane.files.isVisible()
