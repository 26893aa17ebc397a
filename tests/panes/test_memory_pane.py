"""The Memory pane: notes and memories of a chat side by side, changed entry by entry, with undo."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.ids import GraphId, PeerId
from chimein_gui.domain.memory.edits import MemoryPage, file_entries
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.ui.panes.memory.files.people import labels_of
from chimein_gui.ui.requests import ShowMessage, ShowPlan
from chimein_gui.viewmodels.memory.cards import MemoryAudience, cards_of, leak_words
from tests.fakes.api_memories import memories_of
from tests.fakes.engine_api import NOON
from tests.fakes.memory_recall import WordRecall

pytestmark = [pytest.mark.with_panes("memory"), pytest.mark.qt_log_ignore("This plugin does not support")]

NOTES = "\ufeffVegetarian.\r\nNever beef.\r\n\r\n\r\nCall her Marta.\r\n"


def entry(text, key="1.0@x", chat=0):
    return entry_of(text, at=NOON, provenance=f"chat {chat} (Marta), source: test", key=key)


@pytest.fixture
def room(make_desktop, tmp_path, qtbot):
    desktop = make_desktop()
    desktop.furnish()
    info = desktop.api.chats[1].info
    curated = tmp_path / f"config/agents/Nora Vale/memory/{int(info.peer_id)}.md"
    about = tmp_path / f"state/Nora Vale/memory/{int(info.peer_id)}.md"
    for path in (curated, about):
        path.parent.mkdir(parents=True)
    curated.write_bytes(NOTES.encode())
    about.write_text(entry("likes tea") + "\n" + entry("her knee hurts", "2.0@x"), encoding="utf-8")
    (tmp_path / "state/Nora Vale/memory.md").write_text(entry("the ferry leaves at nine"), encoding="utf-8")
    desktop.api.memory_editor = memories_of(desktop.api, tmp_path)
    desktop.api.memory_recall = WordRecall(desktop.api.memory_editor._given)
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
    assert hand.rows(pane.people) == [
        "Nora Vale, global",
        "Marta Oliveira, Nora Vale, both files, 2 curated, 2 remembered, in the next prompt",
        "All chats, Nora Vale, remembered, 1 remembered",
    ]
    assert pane.people.current.title == "Marta Oliveira"
    assert texts(pane.curated) == ["Vegetarian.\r\nNever beef.", "Call her Marta."]
    assert texts(pane.remembered) == ["likes tea", "her knee hurts"]
    assert "likes tea" in hand.rows(pane.remembered.list)[0]
    pane.people.setFocus()
    room.press(Qt.Key.Key_Down)
    assert (texts(pane.remembered), pane.curated.isHidden()) == (["the ferry leaves at nine"], True)


def test_an_entry_is_edited_added_and_deleted_by_keys_and_each_is_undone(room, qtbot):
    pane = room.pane
    pane.curated.list.setFocus()
    room.press(Qt.Key.Key_J)
    assert pane.curated.list.current.found.entry.text == "Call her Marta."
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
    pane.model.changes.done.connect(lambda words, undo: done.append((words, undo)))
    pane.remembered.list.setFocus()
    pane.remembered.list.setCurrentIndex(pane.remembered.list.rows.index(0, 0))
    room.press(Qt.Key.Key_Delete)
    assert texts(pane.remembered) == ["her knee hurts", "# «send» 3"]
    done[-1][1]()
    room.desktop.settle()
    assert room.about.read_bytes() == before, "byte for byte"


def test_an_entry_moves_to_the_other_side_and_back(room):
    pane, done = room.pane, []
    pane.model.changes.done.connect(lambda words, undo: done.append(undo))
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


def test_what_another_program_changes_is_shown_and_merged_with_what_is_typed(room):
    pane, done = room.pane, []
    pane.model.changes.done.connect(lambda words, undo: done.append(words))
    pane.remembered.list.setFocus()
    pane.remembered.list.step(0)
    room.press(Qt.Key.Key_E)
    pane.remembered.field.set_text("likes coffee")
    room.about.write_text(room.about.read_text(encoding="utf-8").replace("her knee hurts", "her knee is well"), "utf-8")
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert texts(pane.remembered) == ["likes coffee", "her knee is well"], "both changes"
    assert done == ["Memory changed. What another program has changed in the file is kept, too."]


@pytest.fixture
def conflict(room):
    """The operator and another program change the same entry; the other one adds one, too."""
    pane = room.pane
    pane.remembered.list.setFocus()
    pane.remembered.list.step(0)
    room.press(Qt.Key.Key_E)
    pane.remembered.field.set_text("likes coffee")
    changed = room.about.read_text(encoding="utf-8").replace("likes tea", "now she likes tea")
    room.about.write_text(changed + "\n" + entry("has a dog", "3.0@x"), encoding="utf-8")
    room.disk = room.about.read_bytes()
    pane.model.refresh()
    room.desktop.settle()
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    return room


def test_the_same_entry_is_asked_about_and_written_only_when_it_is_decided(conflict):
    room, pane = conflict, conflict.pane
    page = pane.conflicts
    assert room.about.read_bytes() == room.disk, "not overwritten"
    assert pane.tabs.place == pane.tabs.place_of(page)
    assert room.desktop.sees("changed on disk while you were editing it", page)
    assert page.write.toolTip() == "Decide what both have changed first"
    assert room.desktop.sees("1 of 2 decided by the merge itself", page)
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert room.about.read_bytes() == room.disk
    room.press(Qt.Key.Key_3)
    assert page.write.isEnabled()
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert texts(pane.remembered) == ["now she likes coffee", "her knee hurts", "has a dog"]
    assert pane.model.changes.conflicts.all == ()
    assert not any(path.suffix == ".json" for path in room.folder.rglob("*.json")), "no draft is left"


def test_a_conflict_can_be_written_on_discarded_and_had_back(conflict):
    room, pane, done = conflict, conflict.pane, []
    pane.model.changes.done.connect(lambda words, undo: done.append(undo))
    pane.conflicts.keep.click()
    assert pane.remembered.field.text() == "likes coffee"
    pane.remembered.field.set_text("likes water")
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    (one,) = pane.model.changes.conflicts.all
    assert one.conflict.text == "likes water"
    pane.conflicts.discard.click()
    room.desktop.settle()
    assert pane.model.changes.conflicts.all == ()
    assert room.about.read_bytes() == room.disk
    done[-1]()
    assert [one.conflict.text for one in pane.model.changes.conflicts.all] == ["likes water"]


@pytest.mark.with_panes("memory", "plans")
def test_a_conflict_names_the_plan_whose_reply_changed_the_file_and_is_edited_by_a_key(room):
    pane, chat = room.pane, room.desktop.api.chats[1]
    pane.remembered.list.setFocus()
    pane.remembered.list.step(0)
    room.press(Qt.Key.Key_E)
    pane.remembered.field.set_text("likes coffee")
    words = f"chat {int(chat.info.peer_id)} (Marta), partner 1, source: the agent's reply"
    reply = entry_of("has a dog", at=NOON, provenance=words, key="312.0@x")
    changed = room.about.read_text(encoding="utf-8").replace("likes tea", "now she likes tea")
    room.about.write_text(changed + "\n" + reply, encoding="utf-8")
    pane.model.refresh()
    room.desktop.settle()
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert pane.conflicts.open_plan.text() == "Open plan 312"
    room.press(Qt.Key.Key_E)
    assert pane.tabs.place == pane.tabs.place_of(pane.files)
    assert pane.remembered.field.text() == "likes coffee"
    sent: list[object] = []
    room.desktop.window.requests.sent.connect(sent.append)
    pane.conflicts.open_plan.click()
    assert sent == [ShowPlan(chat.chat_id, None, GraphId(312))]


def test_a_conflict_with_another_program_names_no_plan(conflict):
    assert conflict.pane.conflicts.open_plan.isHidden()


def test_a_conflict_begins_anew_when_the_file_changes_again(conflict):
    room, pane = conflict, conflict.pane
    room.press(Qt.Key.Key_1)
    assert pane.conflicts.write.isEnabled()
    again = room.about.read_text(encoding="utf-8").replace("now she likes tea", "at six she likes tea")
    room.about.write_text(again, encoding="utf-8")
    pane.conflicts.write.click()
    room.desktop.settle()
    assert room.about.read_text(encoding="utf-8") == again
    assert not pane.conflicts.write.isEnabled()
    assert "six" in pane.model.changes.conflicts.all[0].conflict.theirs


def test_what_is_typed_outlives_a_crash(room, make_desktop):
    pane = room.pane
    pane.remembered.list.setFocus()
    pane.remembered.list.step(0)
    room.press(Qt.Key.Key_E)
    pane.remembered.field.set_text("likes coffee")
    pane.model.typed.keep_now()
    room.desktop.settle()
    room.about.write_text(room.about.read_text(encoding="utf-8").replace("likes tea", "likes milk"), encoding="utf-8")
    later = make_desktop()
    later.furnish()
    later.api.memory_editor = memories_of(later.api, room.folder)
    later.attach()
    later.open_chat()
    later.window.show_pane("memory")
    later.settle()
    again = later.window.panes["memory"]
    assert again.remembered.field.text() == "likes coffee"
    again.remembered.save.click()
    later.settle()
    (one,) = again.model.changes.conflicts.all
    assert (one.conflict.text, "likes milk" in one.conflict.theirs) == ("likes coffee", True)


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


def test_two_entries_become_one_by_a_key_and_two_again(room):
    pane, done = room.pane, []
    pane.model.changes.done.connect(lambda words, undo: done.append(undo))
    before = room.about.read_bytes()
    pane.remembered.list.setFocus()
    pane.remembered.list.step(0)
    room.press(Qt.Key.Key_M)
    assert pane.remembered.field.text() == "likes tea\nher knee hurts"
    pane.remembered.field.set_text("likes tea, and her knee hurts")
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert texts(pane.remembered) == ["likes tea, and her knee hurts"]
    done[-1]()
    room.desktop.settle()
    assert room.about.read_bytes() == before


def test_a_card_says_where_its_entry_comes_from_and_who_reads_what_was_said_elsewhere(room):
    pane = room.pane
    info = room.desktop.api.chats[1].info
    words = f"chat {int(info.peer_id)} (Marta), partner {int(info.peer_id)}, message 3, source: partner's order"
    room.about.write_text(entry_of("no nuts", at=NOON, provenance=words, key="9.0@x"), encoding="utf-8")
    elsewhere = "chat 77 (Bea), partner 77, message 440, source: the agent's reply"
    path = room.folder / "state/Nora Vale/memory.md"
    path.write_text(entry_of("her mother is ill", at=NOON, provenance=elsewhere, key="312.0@x"), encoding="utf-8")
    pane.model.refresh()
    room.desktop.settle()
    own, other = hand.rows(pane.remembered.list)
    assert own == "Today, 14:30. no nuts. the partner asked for it"
    assert "from Bea" in other
    assert "remembered by the reply of plan 312" in other
    assert "Learned in the chat with Bea; Marta Oliveira may read it in an answer." in other
    shown: list[object] = []
    room.desktop.window.requests.on(ShowMessage, shown.append)
    pane.remembered.list.setFocus()
    pane.remembered.list.step(0)
    room.press(Qt.Key.Key_O)
    assert shown == [(1, 3)]
    link = pane.remembered.list.link_rect(pane.remembered.list.current).center().toPoint()
    QTest.mouseClick(pane.remembered.list.viewport(), Qt.MouseButton.LeftButton, pos=link)
    assert len(shown) == 2


def test_a_row_says_how_much_of_what_others_said_its_chat_would_read(room):
    pane = room.pane
    said = "chat {0} (x), partner {0}, message 4, source: the agent's reply"
    peer = int(room.desktop.api.chats[1].info.peer_id)
    path = room.folder / "state/Nora Vale/memory.md"
    blocks = [
        entry_of(text, at=NOON, provenance=said.format(who), key=f"{place}.0@x")
        for place, (text, who) in enumerate((("her mother is ill", 77), ("likes boats", 78), ("likes milk", peer)))
    ]
    path.write_text("\n".join(blocks), encoding="utf-8")
    pane.model.refresh()
    room.desktop.settle()
    marta = hand.rows(pane.people)[1]
    assert marta == (
        "Marta Oliveira, Nora Vale, both files, 2 curated, 2 remembered, 2 from others, in the next prompt"
    )
    assert [(label.token, label.word) for label in labels_of(pane.people.model().items()[1])] == [
        ("attention", "2 from others"),
        ("accent_text", ""),
    ]
    assert room.desktop.sees("in the next prompt", pane.files.people)


def test_in_a_group_the_warning_says_how_many_read_what_was_said_elsewhere():
    words = "chat 77 (Bea), partner 77, message 440, source: the agent's reply"
    content = entry_of("her mother is ill", at=NOON, provenance=words, key="312.0@x")
    file = MemoryFile(MemoryKind.REMEMBERED, "Nora Vale")
    page = MemoryPage(file, "", file_entries(file.kind, content))
    (card,) = cards_of((page,), MemoryAudience(PeerId(-5), "Walkers", lambda _peer: "", 12))
    assert leak_words(card, str) == "Learned in the chat with Bea; in this group 12 members may read the answers."


def test_an_entry_of_all_chats_is_changed_in_its_own_file(room):
    pane = room.pane
    pane.remembered.list.setFocus()
    pane.remembered.list.step(5)
    assert pane.remembered.list.current.text == "the ferry leaves at nine"
    room.press(Qt.Key.Key_E)
    pane.remembered.field.set_text("the ferry leaves at ten")
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "ferry leaves at ten" in (room.folder / "state/Nora Vale/memory.md").read_text(encoding="utf-8")


def test_people_are_found_by_a_part_of_their_name(room):
    pane = room.pane
    pane.files.people.box.setText("mart")
    assert hand.rows(pane.people) == [
        "Nora Vale, global",
        "Marta Oliveira, Nora Vale, both files, 2 curated, 2 remembered, in the next prompt",
    ]
    pane.files.people.box.setText("nobody")
    assert hand.rows(pane.people) == []
    pane.files.people.box.clear()
    assert len(hand.rows(pane.people)) == 3


def test_the_history_of_a_file_is_compared_and_restored_by_keys(room):
    pane, done = room.pane, []
    pane.model.changes.done.connect(lambda words, undo: done.append(undo))
    first = room.about.read_bytes()
    pane.remembered.list.setFocus()
    pane.remembered.list.step(0)
    room.press(Qt.Key.Key_Delete)
    shorter = room.about.read_bytes()
    pane.remembered.list.setFocus()
    room.press(Qt.Key.Key_H)
    history = pane.files.inspector.history
    assert history.hasFocus()
    told = [row.partition(", ")[2] for row in hand.rows(history)]
    assert told == ["1 removed, you", "2 added, another program"]
    room.press(Qt.Key.Key_J)
    room.press(Qt.Key.Key_J)
    room.press(Qt.Key.Key_Return)
    assert "added: " in pane.files.version.text.accessibleName()
    assert "likes tea" in pane.files.version.text.accessibleName()
    room.press(Qt.Key.Key_R)
    assert room.about.read_bytes() == first
    done[-1]()
    room.desktop.settle()
    assert room.about.read_bytes() == shorter


def test_what_is_typed_in_place_stays_when_the_file_changes_around_it(room):
    pane = room.pane
    pane.remembered.list.setFocus()
    pane.remembered.list.step(0)
    room.press(Qt.Key.Key_E)
    pane.remembered.field.set_text("likes coffee")
    room.about.write_text(entry("new at the top", "8.0@x") + room.about.read_text(encoding="utf-8"), encoding="utf-8")
    pane.model.refresh()
    room.desktop.settle()
    assert pane.remembered.field.text() == "likes coffee"
    assert pane.remembered.field.field.hasFocus()
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert texts(pane.remembered) == ["new at the top", "likes coffee", "her knee hurts"]


def test_the_recall_test_ranks_the_cards_and_shows_what_does_not_make_it(room):
    pane, box = room.pane, room.pane.files.inspector.recall
    facts = [(f"{n}.0@x", f"{'tea ' if n < 6 else ''}likes nuts number {n}") for n in range(8)]
    room.about.write_text("\n".join(entry(text, key) for key, text in facts), encoding="utf-8")
    pane.model.refresh()
    room.desktop.settle()
    pane.remembered.list.setFocus()
    QTest.keyClicks(pane.remembered.list, "/")
    assert box.field.hasFocus()
    QTest.keyClicks(box.field, "tea nuts")
    room.press(Qt.Key.Key_Return)
    rows = hand.rows(box.list)
    assert rows[0] == "1, tea likes nuts number 0, 1.00, words 1.0, in the next prompt"
    assert rows[5] == "6, tea likes nuts number 5, 1.00, words 1.0, below the best 5"
    first, sixth = (pane.remembered.list.rows.card_at(row) for row in (0, 5))
    assert (first.score, sixth.score) == (1.0, 1.0)
    assert "next · rank 1" in hand.rows(pane.remembered.list)[0]
    assert "rank" not in hand.rows(pane.remembered.list)[5]
    room.press(Qt.Key.Key_Down)
    room.press(Qt.Key.Key_Down)
    assert pane.remembered.list.current.text == "tea likes nuts number 1"
    pane.remembered.list.setFocus()
    pane.remembered.list.step(-9)
    room.press(Qt.Key.Key_Delete)
    assert hand.rows(box.list)[0].startswith("1, tea likes nuts number 1"), "a deleted entry is not recalled"


def test_a_search_of_all_memories_leads_to_the_card_of_another_chat(room):
    pane, box = room.pane, room.pane.files.inspector.recall
    other = room.about.with_name("4242.md")
    other.write_text(entry("keeps bees on the roof", "9.0@x"), encoding="utf-8")
    chosen = pane.model.chosen
    box.modes.buttons()[1].click()
    assert box.field.hasFocus()
    QTest.keyClicks(box.field, "bees roof")
    room.press(Qt.Key.Key_Return)
    assert hand.rows(box.list) == ["1, keeps bees on the roof, 1.00, words 1.0"]
    assert all("rank" not in row for row in hand.rows(pane.remembered.list))
    room.press(Qt.Key.Key_Down)
    room.desktop.settle()
    assert (pane.model.chosen.peer, pane.model.chosen == chosen) == (4242, False)
    assert pane.remembered.list.current.text == "keeps bees on the roof"
    assert hand.rows(box.list) == ["1, keeps bees on the roof, 1.00, words 1.0"], "another row keeps what was found"
    box.modes.buttons()[0].click()
    room.desktop.settle()
    assert "in the next prompt" in hand.rows(box.list)[0]


def test_while_nothing_is_typed_the_newest_message_is_what_is_asked_about(room):
    desktop, pane = room.desktop, room.pane
    chat = desktop.api.chats[1]
    desktop.api.chats[1] = replace(chat, last_text="and your knee", last_out=False)
    desktop.api.memory_recall.asked.clear()
    pane.model.recall_test.choose("Nora Vale", chat.info.peer_id, "and your knee")
    desktop.settle()
    assert desktop.api.memory_recall.asked == ["and your knee"]
    assert "next · rank 1" in hand.rows(pane.remembered.list)[1]
    pane.people.setFocus()
    room.press(Qt.Key.Key_Down)
    pane.files.inspector.recall.field.setText("knee")
    room.desktop.settle()
    assert hand.rows(pane.files.inspector.recall.list) == []


def test_the_next_prompts_say_how_much_of_them_is_memories(room):
    pane = room.pane
    assert room.desktop.sees("Next prompt of", pane.files.inspector)
    before = pane.model.next_prompts["Marta Oliveira"]
    pane.remembered.list.setFocus()
    room.press(Qt.Key.Key_N)
    pane.remembered.field.set_text("a" * 4_000)
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert 990 < pane.model.next_prompts["Marta Oliveira"] - before < 1_020
    pane.people.setFocus()
    room.press(Qt.Key.Key_Down)
    assert list(pane.model.next_prompts) == ["Marta Oliveira"]


def test_a_link_is_clicked_where_it_stands_in_a_right_to_left_layout_too(room):
    pane = room.pane
    info = room.desktop.api.chats[1].info
    words = f"chat {int(info.peer_id)} (محمد), message 3, source: partner's order"
    room.about.write_text(entry_of("她不开车 🚗", at=NOON, provenance=words, key="9.0@x"), encoding="utf-8")
    pane.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    pane.model.refresh()
    room.desktop.settle()
    shown: list[object] = []
    room.desktop.window.requests.on(ShowMessage, shown.append)
    view = pane.remembered.list
    link = view.link_rect(view.rows.card_at(0))
    assert link.center().x() < view.viewport().width() / 2
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=link.center().toPoint())
    assert shown == [(1, 3)]


def choose(room, peer):
    room.pane.model.choose_file(MemoryFile(MemoryKind.CURATED, "Nora Vale", peer))
    room.desktop.settle()


def test_what_is_typed_for_one_person_never_goes_to_another(room):
    pane, marta, bea = room.pane, room.desktop.api.chats[1].info.peer_id, PeerId(7_000_005_002)
    hers = room.folder / f"config/agents/Nora Vale/memory/{int(bea)}.md"
    hers.write_text("Plays chess.\n", encoding="utf-8")
    pane.curated.list.setFocus()
    room.press(Qt.Key.Key_N)
    pane.curated.field.set_text("allergic to nuts")
    choose(room, bea)
    assert (pane.curated.is_writing, texts(pane.curated)) == (False, ["Plays chess."])
    choose(room, marta)
    assert pane.curated.field.text() == "allergic to nuts", "it is offered again where it belongs"
    pane.curated.save.click()
    room.desktop.settle()
    assert "allergic to nuts" in room.curated.read_text(encoding="utf-8")
    assert hers.read_text(encoding="utf-8") == "Plays chess.\n"


def test_a_text_that_is_not_saved_is_not_replaced_by_another(room):
    pane = room.pane
    pane.curated.list.setFocus()
    room.press(Qt.Key.Key_N)
    pane.curated.field.set_text("allergic to nuts")
    pane.curated.list.step(0)
    for begin in (pane.curated.begin_edit, pane.curated.begin_new, pane.curated.begin_merge):
        begin()
        assert pane.curated.field.text() == "allergic to nuts"


def test_a_text_that_could_not_be_written_is_in_the_field_again(room):
    pane = room.pane
    before = room.curated.read_bytes()
    room.curated.chmod(0o400)
    pane.curated.list.setFocus()
    room.press(Qt.Key.Key_N)
    pane.curated.field.set_text("allergic to nuts")
    pane.curated.save.click()
    room.desktop.settle()
    assert room.curated.read_bytes() == before
    assert (pane.curated.is_writing, pane.curated.field.text()) == (True, "allergic to nuts")
    assert pane.model.problem
    room.curated.chmod(0o600)
    pane.curated.save.click()
    room.desktop.settle()
    assert "allergic to nuts" in room.curated.read_text(encoding="utf-8")


def test_what_was_saved_is_not_offered_again_after_a_restart(room):
    pane = room.pane
    pane.curated.list.setFocus()
    room.press(Qt.Key.Key_N)
    pane.curated.field.set_text("allergic to nuts")
    pane.curated.save.click()
    room.desktop.settle()
    pane.model.typed.keep_now()
    room.desktop.settle()
    assert not list((room.folder / "state/chimein-drafts/memory").glob("*.json"))


def test_a_group_has_no_entries_about_it_that_nobody_would_read(room):
    pane = room.pane
    path = room.folder / "config/agents/Nora Vale/memory/-500.md"
    path.write_text("Be brief.\n", encoding="utf-8")
    choose(room, PeerId(-500))
    pane.curated.list.setFocus()
    pane.curated.list.step(0)
    assert not pane.curated.give_over.isEnabled()
    room.press(Qt.Key.Key_U)
    assert path.read_text(encoding="utf-8") == "Be brief.\n"
    assert pane.remembered.list.rows.page.file.kind is MemoryKind.REMEMBERED
