"""What the pictures of the Memory pane have shown: nothing is cut off, and what is empty or broken says so."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QLocale, QPoint
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.memory.embedding import EmbedderChoice, Embedding, EmbeddingStatus
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.ui.panes.memory.conflicts.column import Column
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.viewmodels.core import numbers
from tests.fakes.api_memories import memories_of
from tests.fakes.api_memory_index import FakeMemoryIndex
from tests.fakes.engine_api import NOON
from tests.fakes.memory_recall import WordRecall

pytestmark = [pytest.mark.with_panes("memory"), pytest.mark.qt_log_ignore("This plugin does not support")]

LOCAL = EmbedderChoice(Embedding.LOCAL, "/models/bge")


@pytest.fixture
def room(make_desktop, tmp_path):
    desktop = make_desktop()
    desktop.furnish()
    about = tmp_path / f"state/Nora Vale/memory/{int(desktop.api.chats[1].info.peer_id)}.md"
    about.parent.mkdir(parents=True)
    about.write_text(entry_of("likes tea", at=NOON, provenance="source: test", key="1.0@x"), encoding="utf-8")
    desktop.api.memory_editor = memories_of(desktop.api, tmp_path)
    desktop.api.memory_recall = WordRecall(desktop.api.memory_editor._given)
    desktop.api.memory_index = FakeMemoryIndex(desktop.api.bus, EmbeddingStatus(entries=1))
    desktop.attach()
    desktop.open_chat()
    desktop.window.resize(1280, 720)
    desktop.window.show_pane("memory")
    desktop.settle()
    return SimpleNamespace(desktop=desktop, pane=desktop.window.panes["memory"], about=about)


def test_a_file_that_cannot_be_read_is_named_until_it_can(room):
    content = room.about.read_bytes()
    room.about.unlink()
    room.about.mkdir()
    room.pane.model.refresh()
    room.desktop.settle()
    said = room.pane.files.message.accessibleName()
    assert f"Nora Vale/memory/{room.about.name} can’t be read" in said
    assert "Is a directory" in said
    room.about.rmdir()
    room.about.write_bytes(content)
    room.pane.model.refresh()
    room.desktop.settle()
    assert room.pane.files.message.isHidden()


def test_a_search_that_leaves_nobody_says_so_and_shows_what_was_shown(room):
    people, chosen = room.pane.files.people, room.pane.model.chosen
    people.box.setText("zeppelin")
    room.desktop.settle()
    assert hand.rows(people.list) == []
    assert room.desktop.sees("Nobody and no file has these words.", people)
    assert room.pane.model.chosen == chosen
    people.box.setText("all chats")
    room.desktop.settle()
    assert room.pane.model.chosen == chosen
    assert people.list.current is None
    people.box.clear()
    room.desktop.settle()
    current = people.list.current
    assert current is not None
    assert current.key == chosen.key
    assert not room.desktop.sees("Nobody and no file has these words.", people)


def test_what_an_empty_side_says_keeps_away_from_its_edge(room):
    side = room.pane.remembered
    assert side.empty.isHidden()
    for dark in (True, False):
        room.desktop.window.set_dark(dark)
        room.desktop.settle()
    room.about.write_text("", encoding="utf-8")
    room.pane.model.refresh()
    room.desktop.settle()
    assert side.empty.isVisible()
    assert side.empty.mapTo(side, side.empty.contentsRect().topLeft()).x() >= 12


def test_what_is_not_said_takes_no_room(room):
    files = room.pane.files
    top = files.people.mapTo(files, QPoint()).y()
    assert top == 0
    side = room.pane.remembered
    assert side.list.y() - side.new.geometry().bottom() < 40


def test_a_broken_index_says_in_the_pane_what_to_do(room):
    missing = Note(EmbedderReason.MODEL_FILE_MISSING, "/models/bge/model.onnx")
    status = replace(EmbeddingStatus(LOCAL, entries=1), problem=missing)
    room.desktop.api.memory_index.become(status)
    room.desktop.settle()
    message = room.pane.files.index_message
    assert message.isVisible()
    assert "Put the model's files into its folder" in message.accessibleName()
    room.desktop.api.memory_index.become(EmbeddingStatus(entries=1))
    room.desktop.settle()
    assert message.isHidden()


def test_the_day_of_a_card_is_short_where_there_is_no_room_for_more(room):
    view = room.pane.remembered.list
    card = view.rows.card_at(0)
    long, short = view.rows.day_of(card.found), view.rows.short_day_of(card.found)
    assert len(short) < len(long)
    assert (view.itemDelegate().day_in(card, 900), view.itemDelegate().day_in(card, 60)) == (long, short)


def test_the_switch_of_the_review_is_not_cut_off(room):
    page = room.pane.review
    room.pane.tabs.show_page(1)
    room.desktop.settle()
    assert page.is_on.width() >= page.is_on.sizeHint().width()


def test_the_line_of_what_is_recalled_is_not_cut_off(room):
    box = room.pane.files.inspector.recall
    box.field.setText("tea")
    box.field.returnPressed.emit()
    room.desktop.settle()
    assert box.about.wordWrap()
    assert box.about.height() >= box.about.heightForWidth(box.about.width())


def test_long_words_beside_the_people_leave_them_their_room(room):
    files = room.pane.files
    room.pane.curated.give_over.setText("Move it over to the other side, where others stand")
    files.inspector.recall.title.setText("Search all memories of all agents in all chats, whatever they are about")
    room.desktop.settle()
    assert files.people.width() >= 200


def test_the_number_of_a_line_stands_beside_its_first_line(room, qtbot):
    column = Column(room.pane._context.theme, "Yours", "typed here", "info")
    qtbot.addWidget(column)
    words = "a text of so many words that it takes more lines than one in a narrow column"
    column.show_texts([(words, f"{words} and one more", 7)])
    column.resize(260, 300)
    column.show()
    QApplication.processEvents()
    number, text = column.texts[0]
    assert text.height() > 2 * number.height()
    assert number.mapTo(column, QPoint()).y() == text.mapTo(column, QPoint()).y()


def test_scores_have_the_decimal_sign_of_the_language(room, monkeypatch):
    monkeypatch.setattr(numbers, "locale", lambda: QLocale("de_DE"))
    box = room.pane.files.inspector.recall
    box.field.setText("tea")
    box.field.returnPressed.emit()
    room.desktop.settle()
    assert "1,00, words 1,0" in hand.rows(box.list)[0]
    assert ". 1,00. " in hand.rows(room.pane.remembered.list)[0]


def test_the_titles_of_the_recall_test_are_whole_in_a_small_window(room):
    room.desktop.window.resize(1280, 720)
    room.desktop.settle()
    box = room.pane.files.inspector.recall
    for place in (0, 1):
        box.modes.chosen.emit(place)
        room.desktop.settle()
        metrics = QFontMetricsF(box.title.font())
        assert elided(metrics, box.title.text(), box.title.width()) == box.title.text()
