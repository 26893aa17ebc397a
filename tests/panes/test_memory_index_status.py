"""The head of the Memory pane: by what memories are found, how far the index is, stop, continue and rebuild."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.memory.embedding import EmbedderChoice, Embedding, EmbeddingStatus
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.ui.panes.memory.index_status import IndexStatus
from tests.fakes.api_memory_index import FakeMemoryIndex

pytestmark = [pytest.mark.with_panes("memory"), pytest.mark.qt_log_ignore("This plugin does not support")]

LOCAL = EmbedderChoice(Embedding.LOCAL, "/models/bge")
BGE = "bge-base-en-v1.5@0123456789ab"
DONE = EmbeddingStatus(LOCAL, BGE, BGE, entries=1_214, embedded=1_214)


@pytest.fixture
def room(make_desktop):
    desktop = make_desktop()
    desktop.furnish()
    desktop.api.memory_index = FakeMemoryIndex(desktop.api.bus, DONE)
    desktop.attach()
    desktop.window.show_pane("memory")
    desktop.settle()
    return desktop


def head(room):
    return room.window.panes["memory"].findChild(IndexStatus)


def become(room, **values):
    room.api.memory_index.become(replace(DONE, **values))
    room.settle()
    return head(room)


def test_the_head_says_what_finds_memories_how_many_there_are_and_that_all_is_there(room):
    shown = head(room)
    assert shown.title.text() == "Index: bge-base-en-v1.5 · 1,214 entries"
    assert shown.chip.accessibleName() == "up to date"
    assert shown.job.isHidden()
    shown.rebuild.click()
    room.settle()
    assert room.api.memory_index.calls == ["rebuild"]


def test_words_alone_lack_nothing(room):
    shown = become(room, choice=EmbedderChoice(), model="", in_use="", entries=1, embedded=0)
    assert shown.title.text() == "Index: words alone · 1 entry"
    assert shown.chip.accessibleName() == "up to date"


def test_gemini_says_what_it_costs(room):
    name = "gemini-embedding-001"
    shown = become(room, choice=EmbedderChoice(Embedding.GEMINI), model=name, in_use=name, entries=3, embedded=3)
    assert shown.title.text() == "Index: gemini-embedding-001 · 3 entries · $0.15 a million tokens"


def test_a_job_shows_how_far_it_is_and_is_stopped_and_continued_by_keys(room, qtbot):
    shown = become(room, embedded=214, in_use="gemini-embedding-001", is_running=True)
    assert shown.chip.accessibleName() == "214 of 1,214…"
    assert shown.chip.accessibleDescription() == (
        "Vectors of bge-base-en-v1.5 are being made. Until then memories are found by gemini-embedding-001."
    )
    assert shown.job.text() == "Stop"
    shown.job.setFocus()
    qtbot.keyClick(shown.job, Qt.Key.Key_Space)
    room.settle()
    shown = become(room, embedded=214, is_stopped=True)
    assert (shown.chip.accessibleName(), shown.job.text()) == ("stopped, 1,000 without a vector", "Continue")
    qtbot.keyClick(shown.job, Qt.Key.Key_Space)
    room.settle()
    assert room.api.memory_index.calls == ["stop", "go on"]


def test_memories_without_a_vector_are_counted(room):
    shown = become(room, embedded=1_213)
    assert shown.chip.accessibleName() == "1 without a vector"
    assert shown.chip.accessibleDescription() == "Memories without a vector are found by their words."


def test_a_problem_is_said_with_what_holds_until_it_is_gone(room):
    missing = Note(EmbedderReason.MODEL_FILE_MISSING, "/models/bge/model.onnx")
    shown = become(room, model="", in_use="", problem=missing)
    assert shown.chip.accessibleName() == "problem"
    assert shown.chip.accessibleDescription() == (
        "/models/bge/model.onnx is missing. Put the model's files into its folder, or set another one in Preferences. "
        "Until then memories are found by their words."
    )
    assert shown.job.text() == "Try again"
    shown.job.click()
    room.settle()
    assert room.api.memory_index.calls == ["go on"]


def test_a_model_that_fails_finds_nothing_meanwhile_though_it_is_the_one_in_use(room):
    refused = Note(EmbedderReason.MODEL_FILE_MISSING, "/models/bge/model.onnx")
    shown = become(room, embedded=0, problem=refused)
    assert shown.chip.accessibleDescription().endswith("Until then memories are found by their words.")


def test_while_files_are_read_nothing_can_be_rebuilt(room):
    shown = become(room, is_stale=True)
    assert shown.chip.accessibleName() == "reading files…"
    assert not shown.rebuild.isEnabled()


def test_a_rebuild_that_fails_says_why(room):
    room.api.memory_index.error = StoreError(Note(FaultReason.SYSTEM, "Input/output error"))
    head(room).rebuild.click()
    room.settle()
    assert head(room).chip.accessibleName() == "problem"
    assert "Input/output error" in head(room).chip.accessibleDescription()
    assert head(room).rebuild.isEnabled()


def test_without_an_index_there_is_nothing_in_the_head(make_desktop):
    desktop = make_desktop()
    desktop.furnish()
    desktop.attach()
    desktop.window.show_pane("memory")
    desktop.settle()
    assert head(desktop).isHidden()
