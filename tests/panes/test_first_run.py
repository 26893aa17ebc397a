"""From no account to a persona that is logged in, with real keys."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from chimein_gui import ui_driver as hand
from chimein_gui.domain.agents import FileProblem
from chimein_gui.domain.errors import ConfigError, SecretError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY
from chimein_gui.ui.dialogs.config_directory import ConfigDirectoryDialog
from chimein_gui.ui.dialogs.document import DocumentDialog, paragraphs
from chimein_gui.ui.dialogs.first_run.wizard import FirstRunDialog
from chimein_gui.ui.requests import OpenLogin, SetUpPersona
from chimein_gui.ui.shell.sandbox.start import sandbox_command, start_sandbox
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.viewmodels.accounts.first_run import Found, Places
from tests.fakes.engine_api import agent

SAFETY = Path(__file__).parents[2] / "docs/safety.md"
PERSONA, DIRECTORIES, KEYS, LOGIN, TRUST = range(1, 6)
"""The steps behind the first."""

GOOD = "good-key-of-the-operator-7Qf2"
HASH = "0123456789abcdef0123456789abcdef"


async def look(paths):
    if any("gone" in path for path in paths):
        raise FileNotFoundError(2, "no such directory")
    wrong = FileProblem("/c/agents/Zoe.md", 5, Note(FileReason.TIME_ZONE_UNKNOWN, "Mars"))
    return Found(("Nora Vale", "田辺ゆき"), (wrong,))


def live(make_desktop, **how):
    desktop = make_desktop(**how)
    desktop.models.first_run.places = Places(("/config",), "/state", look_into=look)
    desktop.attach()
    return desktop


@pytest.fixture
def empty(make_desktop):
    return live(make_desktop)


@pytest.fixture
def wizard(empty):
    empty.window.requests.send(SetUpPersona())
    return shown(empty, FirstRunDialog)


def shown(desktop, kind):
    desktop.settle()
    return next(one for one in desktop.window.findChildren(kind) if one.isVisible())


def words_in(widget):
    return [one.text() for one in widget.findChildren(QLabel) if one.isVisible()]


def press(desktop, root, name):
    found = hand.button(root, name)
    assert found is not None, name
    found.click()
    desktop.settle()


def test_a_window_without_an_account_leaves_out_what_only_accounts_need(empty):
    bar = empty.window.top_bar
    assert not any(one.isVisible() for one in (bar.queue, bar.hold, bar.cost, bar.connections))
    empty.put_agent(agent())
    assert bar.queue.isVisible()
    assert bar.hold.isVisible()


def test_the_whole_way_by_keyboard(empty, wizard, qtbot):
    asked = list[int]()
    empty.window.requests.on(OpenLogin, lambda request: asked.append(request.agent_id))
    assert wizard.safety.read.hasFocus()
    qtbot.keyClick(wizard, Qt.Key.Key_Return)
    assert wizard.persona.name_field.hasFocus()
    qtbot.keyClicks(wizard.persona.name_field, "Zora Rand")
    wizard.persona.phone.setFocus()
    qtbot.keyClicks(wizard.persona.phone, "+999 66 2 1009")
    empty.strike(wizard.persona.phone, Qt.Key.Key_Return)
    assert [(new.name, new.role_prompts) for new in empty.api.agent_files.made] == [("Zora Rand", ("Person",))]
    assert wizard.current() == DIRECTORIES
    assert not wizard.directories.choose.isEnabled()  # the persona is in this one
    qtbot.keyClick(wizard, Qt.Key.Key_Return)
    assert wizard.keys.model.field.line.hasFocus()
    qtbot.keyClicks(wizard.keys.model.field.line, GOOD)
    wizard.keys.application.api_id.setFocus()
    qtbot.keyClicks(wizard.keys.application.api_id, "20914377")
    qtbot.keyClicks(wizard.keys.application.api_hash.line, HASH)
    empty.strike(wizard.keys.application.api_hash.line, Qt.Key.Key_Return)
    kept = {name: one.value for name, one in empty.api.keys.secrets.items()}
    assert kept == {MODEL_KEY: GOOD, API_ID: "20914377", API_HASH: HASH}
    assert wizard.current() == LOGIN
    press(empty, wizard, "Log Zora Rand in")
    assert asked == [1]
    qtbot.keyClick(wizard, Qt.Key.Key_Return)
    assert "Everything waits for your review" in words_in(wizard)
    empty.strike(wizard, Qt.Key.Key_Return)
    assert not any(one.isVisible() for one in empty.window.findChildren(FirstRunDialog))


def test_the_first_step_says_what_the_document_begins_with_and_opens_all_of_it(empty, wizard):
    points = [text for mark, text in paragraphs(SAFETY.read_text(encoding="utf-8")) if mark[:1].isdigit()][:5]
    assert [one.accessibleName() for one in wizard.safety.findChildren(InlineMessage)] == points
    press(empty, wizard, "Read all of it…")
    document = shown(empty, DocumentDialog)
    assert document.focusWidget() is document.text
    read = words_in(document)
    assert read[0] == document.windowTitle() == "Safety and privacy"
    assert set(points) < set(read)
    assert not [words for words in read if "**" in words or "](" in words or "|" in words or words.startswith("#")]
    document.reject()


def test_what_is_wrong_stands_at_its_field_while_it_is_typed(empty, wizard, qtbot):
    wizard.show_step(KEYS)
    qtbot.keyClicks(wizard.keys.application.api_hash.line, "9f21c0d77b")
    words = "An API hash has 32 hexadecimal characters; this one has 10."
    assert wizard.keys.application.hash_line.problem() == words
    assert wizard.keys.application.api_hash.line.accessibleDescription() == words
    assert words_in(wizard).count(words) == 1
    empty.strike(wizard.keys.application.api_hash.line, Qt.Key.Key_Return)
    assert wizard.current() == KEYS
    assert wizard.next.text() == "Skip for now"
    assert wizard.next.isEnabled()
    wizard.show_step(PERSONA)
    assert words_in(wizard).count("Every agent has a name.") == 0  # nothing was typed yet
    qtbot.keyClicks(wizard.persona.name_field, "a/b")
    assert wizard.persona.lines["name"].problem() == "A name has no slash: it is also the name of a directory."
    wizard.persona.name_field.clear()
    qtbot.keyClicks(wizard.persona.phone, "12")
    assert not wizard.next.isEnabled()
    wizard.persona.phone.clear()
    qtbot.keyClicks(wizard.persona.phone, "+999 66 2 1009")
    wizard.next.click()
    assert wizard.persona.name_field.hasFocus()
    assert wizard.persona.lines["name"].problem() == "Every agent has a name."


def test_a_key_that_cannot_be_kept_stops_the_step_and_says_why(empty, wizard, qtbot):
    empty.api.keys.fail = SecretError(Note(KeyReason.KEYCHAIN_LOCKED))
    wizard.show_step(KEYS)
    qtbot.keyClicks(wizard.keys.model.field.line, GOOD)
    wizard.next.click()
    empty.settle()
    assert wizard.current() == KEYS
    assert "The keychain is locked, and was not opened." in words_in(wizard)
    empty.api.keys.fail = None
    wizard.next.click()
    empty.settle()
    assert wizard.current() == LOGIN


def test_a_file_that_cannot_be_written_says_why(empty, wizard):
    empty.api.agent_files.fail = ConfigError(Note(FaultReason.SYSTEM, "The directory cannot be written to"))
    wizard.show_step(PERSONA)
    empty.models.first_run.edit(name="Zoë", phone="+999 66 2 1009")
    wizard.next.click()
    empty.settle()
    assert wizard.current() == PERSONA
    assert "The directory cannot be written to." in words_in(wizard)


def test_a_text_that_was_typed_comes_back_when_a_template_was_taken_by_mistake(wizard, qtbot):
    wizard.show_step(PERSONA)
    wizard.persona.text.set_text("My own words")
    wizard.persona.template.activated.emit(1)
    assert "bookshop" in wizard.persona.text.text()
    qtbot.keyClick(wizard.persona.text.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert wizard.persona.text.text() == "My own words"


def test_a_directory_that_cannot_be_read_cannot_be_taken(empty):
    dialog = ConfigDirectoryDialog(empty.window.theme, empty.models, "/gone", empty.window)
    dialog.open()
    empty.settle()
    assert "no such directory" in dialog.found.accessibleName()
    assert not dialog.use.isEnabled()
    dialog.reject()


def test_the_sandbox_is_a_program_of_its_own(tmp_path, qtbot):
    assert sandbox_command(frozen=False) == (sys.executable, ["-m", "chimein_gui", "sandbox"])
    assert sandbox_command(frozen=True) == (sys.executable, ["sandbox"])
    mark = tmp_path / "it ran"
    code = f"import pathlib; pathlib.Path({str(mark)!r}).write_text('yes')"
    assert start_sandbox((sys.executable, ["-c", code]))
    qtbot.waitUntil(mark.exists, timeout=20_000)
    assert not start_sandbox((str(tmp_path / "no such program"), []))
