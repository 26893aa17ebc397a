"""The first run in the real program: nobody is there, nothing is kept, and whatever is left half-way leaves nothing."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from chimein_gui import ui_driver as hand
from chimein_gui.directories import STATE_VARIABLE, live_directories
from chimein_gui.sandbox.model.errors import BAD_KEY
from chimein_gui.tour.driver import press
from chimein_gui.ui.dialogs.config_directory import ConfigDirectoryDialog
from chimein_gui.ui.dialogs.first_run.wizard import FirstRunDialog
from chimein_gui.ui.shell.sandbox import start as sandbox_start
from tests.e2e.branch_stage import Stage
from tests.e2e.live_alike import API_HASH, API_ID, MODEL
from tests.e2e.log_in_hands import PLAIN, Hands
from tests.e2e.log_ins import write_agent

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support", "propagateSizeHints"),  # dialogs are windows of their own
]

T = TypeVar("T", bound=QWidget)

WAYS = ("Try the sandbox", "Set up your first persona", "Open an existing folder…")
PLACES = ("safety", "persona", "directories", "keys", "login", "trust")


async def wizard(hands: Hands) -> FirstRunDialog:
    await press(hands.program.window, WAYS[1])
    return await hand.until("the first run", lambda: _shown(hands, FirstRunDialog))


def _shown(hands: Hands, kind: type[T]) -> T | None:
    return next((one for one in hands.program.window.findChildren(kind) if one.isVisible()), None)


async def _at(dialog: FirstRunDialog, place: int) -> None:
    await hand.until(f"the step {PLACES[place]}", lambda: dialog.current() == place)


def _told(root: QWidget, words: str) -> bool:
    return any(words in line for line in hand.words_in_sight(root))


def _nothing_written(hands: Hands) -> None:
    directories = hands.program.directories
    assert not list(directories.config[0].rglob("*.md"))
    assert not directories.secrets.exists()
    assert not hands.program.window.models.agents.items()


async def three_ways_are_offered(hands: Hands) -> None:
    for way in WAYS:
        await hand.until(way, partial(hand.button, hands.program.window, way))


async def the_sandbox_starts_beside(hands: Hands) -> None:
    mark = hands.program.directories.state / "it ran"
    usual = sandbox_start.sandbox_command
    code = f"import pathlib; pathlib.Path({str(mark)!r}).write_text('yes')"
    sandbox_start.sandbox_command = lambda **_how: (sys.executable, ["-c", code])
    try:
        await press(hands.program.window, WAYS[0])
        await hand.until("the other program", mark.exists)
    finally:
        sandbox_start.sandbox_command = usual
    assert hands.program.window.models.toasts.current.text == "The sandbox is starting"  # type: ignore[union-attr]


async def left_at_each_step(hands: Hands) -> None:
    for last in range(len(PLACES)):
        dialog = await wizard(hands)
        for place in range(last):
            await _at(dialog, place)
            dialog.next.click()
        await _at(dialog, last)
        if PLACES[last] == "keys":
            QTest.keyClicks(dialog.keys.model.field.line, MODEL)
        if PLACES[last] == "persona":
            QTest.keyClicks(dialog.persona.name_field, "Zora Rand")
            QTest.keyClicks(dialog.persona.phone, PLAIN)
        if dialog.later.isVisible():
            dialog.later.click()
        else:
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        await hand.until("it gone", lambda: _shown(hands, FirstRunDialog) is None)
        _nothing_written(hands)


async def a_bad_key_has_its_verdict(hands: Hands) -> None:
    dialog = await wizard(hands)
    for place in range(PLACES.index("keys")):
        await _at(dialog, place)
        dialog.next.click()
    keys = dialog.keys
    QTest.keyClicks(keys.model.field.line, BAD_KEY)
    keys.model.check.click()
    await hand.until("the verdict", lambda: _told(dialog, "Gemini does not know this key."))
    assert _told(dialog, "Does not work")
    keys.model.field.line.selectAll()
    QTest.keyClicks(keys.model.field.line, MODEL)
    assert not _told(dialog, "Does not work"), "that was another key"
    keys.model.check.click()
    await hand.until("the verdict", lambda: _told(dialog, "The key works"))
    QTest.keyClicks(keys.application.api_id, API_ID)
    QTest.keyClicks(keys.application.api_hash.line, API_HASH[:10])
    assert dialog.next.text() == "Skip for now"
    dialog.later.click()
    await hand.until("it gone", lambda: _shown(hands, FirstRunDialog) is None)
    _nothing_written(hands)


async def _look_into(hands: Hands, path: Path) -> ConfigDirectoryDialog:
    await press(hands.program.window, WAYS[2])
    chooser = await hand.until("the chooser", lambda: _shown(hands, QFileDialog))
    field = chooser.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    field.setText(str(path))
    QTest.keyClick(field, Qt.Key.Key_Return)
    dialog = await hand.until("the directory", lambda: _shown(hands, ConfigDirectoryDialog))
    await hand.until("what is in it", lambda: "Checking" not in dialog.found.accessibleName())
    return dialog


async def an_empty_directory(hands: Hands) -> None:
    empty = hands.program.directories.state / "empty"
    empty.mkdir()
    dialog = await _look_into(hands, empty)
    assert "No agent files yet" in dialog.found.accessibleName()
    dialog.reject()
    assert not hands.program.directories.preferences.exists()


async def a_directory_with_problems(hands: Hands) -> None:
    path = hands.program.directories.state / "half good"
    write_agent(path, "Inês Faro", PLAIN)
    (path / "agents" / "Half.md").write_text("# Agent Name\nHalf\n", encoding="utf-8")
    dialog = await _look_into(hands, path)
    said = hand.seen(dialog.found.accessibleName())
    assert "1 agent, " in said
    assert "problem" in said
    assert "Half.md" in said
    dialog.reject()
    assert not hands.program.directories.preferences.exists()


async def a_good_directory_is_taken(hands: Hands) -> None:
    path = hands.program.directories.state / "good"
    write_agent(path, "Inês Faro", PLAIN)
    dialog = await _look_into(hands, path)
    assert "1 agent" in hand.seen(dialog.found.accessibleName())
    await press(dialog, "Use after restart")
    await hand.until("it gone", lambda: _shown(hands, ConfigDirectoryDialog) is None)
    again = live_directories({STATE_VARIABLE: str(hands.program.directories.state)})
    assert again.config == (path,)


FIRST = Stage(
    (
        three_ways_are_offered,
        the_sandbox_starts_beside,
        left_at_each_step,
        a_bad_key_has_its_verdict,
        an_empty_directory,
        a_directory_with_problems,
        a_good_directory_is_taken,
    ),
    {},
    {},
)


async def test_before_there_is_anybody(tmp_path: Path, subtests: pytest.Subtests) -> None:
    await FIRST.play(tmp_path, subtests)
