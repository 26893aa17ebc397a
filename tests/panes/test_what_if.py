"""The What-if mode: an edited prompt is tried with the keyboard, and nothing of the window can send meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from chimein_gui.adapters.gemini.bodies import read_request
from chimein_gui.domain.costs import DRY_RUN
from chimein_gui.domain.errors import ModelKeyError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.prompts import PromptSection
from chimein_gui.domain.text.word_changes import WordChange
from chimein_gui.ui.dialogs.instruction import InstructionDialog
from chimein_gui.ui.panes.prompt.what_if.apply_dialog import ApplyDialog
from chimein_gui.ui.widgets.text.tinted_text import TintedText
from chimein_gui.ui.widgets.theme.theme import Scheme
from chimein_gui.viewmodels.prompt.what_if import PlaceKind, PromptPlace, parts_in
from tests.fakes.api_sources import sources_of
from tests.fakes.engine_api import approval
from tests.support.shown_plan import plan
from tests.support.shown_prompt import CHAT, HEADER, PLAN, PROMPT, call, view_of

pytestmark = [pytest.mark.whole_window, pytest.mark.qt_log_ignore("propagateSizeHints")]

REPLY = "# «think»\nhmm\n\n# «send» 3\nsee you at nine\n\n# «remember»\nlikes tea\n\n# «poem»\nx"


@pytest.fixture
def mode(desktop):
    api = desktop.api
    api.prompts.of_now[CHAT], api.prompts.prompts[CHAT] = view_of(), PROMPT
    api.plan_history.plans[CHAT] = plan()
    api.prompts.stored[PLAN] = (view_of(PROMPT, call(1)),)
    api.put_approval(approval(1, text="see you at ten"))
    desktop.open_chat()
    desktop.window.show_pane("prompt")
    desktop.settle()
    pane = desktop.window.panes["prompt"]
    pane.list.setFocus()
    desktop.press(pane.list, Qt.Key.Key_W, "w")
    desktop.settle()
    assert pane.mode is pane.what_if
    return pane.what_if


def edit(desktop, mode, words):
    """Go to the instructions by keyboard, and write at their end."""
    assert mode.list.hasFocus() or mode.editor.hasFocus()
    mode.list.setFocus()
    for _ in range(2):
        desktop.press(mode.list, Qt.Key.Key_Down)
    desktop.press(mode.list, Qt.Key.Key_Return)
    assert mode.editor.hasFocus()
    QTest.keyClick(mode.editor, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(mode.editor, words)
    desktop.settle()


def run(desktop, mode):
    QTest.keyClick(mode.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    desktop.settle()


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_an_edit_is_tried_by_keyboard_and_runs_stand_side_by_side(desktop, mode, scheme):
    desktop.window.theme.set_scheme(scheme)
    api = desktop.api
    edit(desktop, mode, " Be on time.")
    assert desktop.sees("edited here only", mode)
    assert desktop.sees("1 line changed", mode)
    api.dry_runs.script.append(REPLY)
    run(desktop, mode)
    ((model, body),) = api.dry_runs.bodies
    assert model == "gemini-2.5-flash"
    assert "Like puffins. Be on time." in read_request(body).instruction
    shown = mode.result
    assert "(think, 3 characters)" in shown.raw.toPlainText()
    assert "hmm" not in shown.raw.toPlainText()
    for words in ("send, in reply to 3", "see you at nine", "remember: not written", "likes tea", "«poem»"):
        assert desktop.sees(words, shown), words
    assert "removed: ten" in shown.diff.accessibleName()
    assert shown.facts.text().startswith("Rebuilt, 1 edit · gemini-2.5-flash · ")
    mode.reset.click()
    assert not desktop.sees("edited here only", mode)
    run(desktop, mode)
    assert desktop.sees("Run 2", shown)
    assert shown.raw.toPlainText() == "# «send»\nanswer 2"
    shown.tabs.chosen.emit(1)
    assert "see you at nine" in shown.raw.toPlainText()
    assert [one.purpose for one in api.costs.calls] == [DRY_RUN] * 2
    assert desktop.sees("Dry runs today: $0.00", mode)
    assert not mode.grab().isNull()


def test_the_two_kinds_never_mix(desktop, mode):
    assert not mode.bar.exact.isEnabled()
    desktop.window.panes["prompt"].head.plan.setCurrentIndex(1)
    desktop.settle()
    edit(desktop, mode, " Shout.")
    mode.bar.exact.click()
    desktop.settle()
    ((_model, body),) = desktop.api.dry_runs.bodies
    assert body == desktop.api.prompts.stored[PLAN][0].body
    assert mode.result.facts.text().startswith("Exact bytes · ")
    assert mode.editor.toPlainText().endswith("Shout."), "the edit stays for the other kind"


def test_nothing_in_the_mode_can_send(desktop, mode):
    assert desktop.sees("What-if: cannot send", mode)
    words = {one.text() or one.accessibleName() for one in mode.findChildren(QAbstractButton) if one.isVisible()}
    assert not [one for one in words if one.split()[0] in {"Send", "Approve", "Queue"}]
    assert {"Run dry", "Exact bytes again", "Regenerate with this…"} < words


def test_a_run_is_stopped_and_a_failure_is_said_in_words(desktop, mode):
    api = desktop.api
    seen = []

    def stop() -> None:
        seen.append(mode.bar.go.isVisible())
        mode.bar.stop.click()

    api.dry_runs.while_asking = stop
    run(desktop, mode)
    assert seen == [False]
    assert mode.bar.go.isVisible()
    assert mode.result.tabs.isHidden(), "no run"
    api.dry_runs.while_asking = bool
    fault = Note(ModelFault.KEY_NOT_ACCEPTED, number=403)
    api.dry_runs.script.append(ModelKeyError(fault, fault))
    run(desktop, mode)
    assert desktop.sees("Gemini does not accept the API key (HTTP 403)", mode)


def test_a_message_is_edited_and_the_edit_becomes_an_instruction(desktop, mode):
    places = [mode.place.itemData(at) for at in range(mode.place.count())]
    mode.place.setCurrentIndex(places.index(PromptPlace(PlaceKind.TURN, 0)))
    desktop.settle()
    assert mode.editor.toPlainText() == f"{HEADER.format(n=1)}\nsee you on Sunday?"
    mode.editor.setPlainText(f"{HEADER.format(n=1)}\nsee you on Monday?")
    run(desktop, mode)
    ((_model, body),) = desktop.api.dry_runs.bodies
    text = read_request(body)
    assert text.turns[0].parts == (HEADER.format(n=1), "see you on Monday?")
    assert text.turns[1:] == view_of().text.turns[1:]
    mode.result.regenerate.click()
    dialog = desktop.window.findChild(InstructionDialog)
    assert dialog.field.text() == "see you on Monday?"
    dialog.field.setText("mean Monday")
    dialog.ask.click()
    desktop.settle()
    assert [words for _graph_id, words in desktop.api.plans.asked] == ["mean Monday"]


def test_an_edit_is_applied_to_its_file_and_undone(desktop, mode, tmp_path):
    path = tmp_path / "config/agents/Nora Vale.md"
    path.parent.mkdir(parents=True)
    before = "# Agent Name\r\n" + 7 * "x\r\n" + "You are {{char}}.\r\nBe kind.\r\nLike puffins.\r\n# End"
    path.write_bytes(before.encode())
    desktop.api.sources = mode._file_edit._api = sources_of(desktop.api, tmp_path)
    assert not mode.apply.isEnabled()
    edit(desktop, mode, " Be on time.")
    mode.apply.click()
    desktop.settle()
    dialog = desktop.window.findChild(ApplyDialog)
    assert dialog.text.accessibleDescription().startswith("removed: Like puffins.")
    inks = {}
    for scheme in (Scheme.LIGHT, Scheme.DARK):
        desktop.window.theme.set_scheme(scheme)
        inks[scheme] = QTextCursor(dialog.text.document()).charFormat().foreground().color().name()
    assert inks[Scheme.LIGHT] != inks[Scheme.DARK], "an open dialog follows the colours"
    path.write_bytes(before.replace("# End", "# Another end").encode())
    dialog.write.click()
    desktop.settle()
    assert desktop.sees("The file changed meanwhile, so nothing was written", dialog)
    assert b"on time" not in path.read_bytes()
    dialog.write.click()
    desktop.settle()
    after = before.replace("puffins.", "puffins. Be on time.").replace("# End", "# Another end")
    assert path.read_bytes() == after.encode(), "every other byte stays, and so does the variable"
    assert desktop.sees("Written to", mode)
    mode.undo.click()
    desktop.settle()
    assert path.read_bytes() == before.replace("# End", "# Another end").encode()
    path.write_bytes(b"nothing of it")
    mode.apply.click()
    desktop.settle()
    assert desktop.sees("The file has changed since the prompt was built", mode)


def test_a_turn_that_is_edited_as_one_text_keeps_its_marks_as_parts():
    assert parts_in("⟦from: A⟧\none\n\ntwo\n⟦photo⟧") == ("⟦from: A⟧", "one\n\ntwo", "⟦photo⟧")


def test_where_there_is_no_room_the_list_goes_and_the_result_stands_below_the_text(mode):
    assert mode.minimumSizeHint().width() < 600
    for width, orientation, has_list in (
        (600, Qt.Orientation.Vertical, False),
        (900, Qt.Orientation.Horizontal, False),
    ):
        mode.resize(width, 700)
        assert (mode._split.orientation(), mode.list.isVisible()) == (orientation, has_list)


def test_the_text_of_a_closed_dialog_takes_no_fonts(desktop):
    text = TintedText(desktop.window.theme)
    shiboken6.delete(text)
    desktop.window.theme.fonts_changed.emit()


def test_what_is_invisible_in_a_file_stays_in_it_when_something_else_is_edited(desktop, mode):
    odd = "\tYou are Nora.\u00a0\u200fBe\u00ad kind.\nLike puffins."
    desktop.api.prompts.prompts[CHAT] = replace(PROMPT, sections=(PromptSection("Instructions", odd, "a.md", 1),))
    mode._model.read()
    desktop.settle()
    assert mode.editor.toPlainText().startswith("\tYou are Nora. ␣Be␣ kind.")
    mode.editor.setFocus()
    QTest.keyClick(mode.editor, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(mode.editor, " A lot.")
    assert mode._model.text(PromptPlace(PlaceKind.SECTION, 0)) == f"{odd} A lot."


def test_struck_and_added_words_of_an_edit_are_shown_below_it_and_marked_in_it(desktop, mode):
    long = "You write at most two messages in a row."
    sections = (PromptSection("Instructions", f"Like puffins.\n{long}\nBe kind.", "a.md", 1),)
    desktop.api.prompts.prompts[CHAT] = replace(PROMPT, sections=sections)
    mode._model.read()
    desktop.settle()
    assert not mode.changes.isVisible()
    cursor = mode.editor.document().find("two")
    cursor.insertText("four")
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertText("\nBe brief.")
    desktop.settle()
    marked = [one.cursor.selectedText() for one in mode.editor.extraSelections()]
    assert marked == ["four ", "Be brief."], "a word, and a whole line"
    removed = "".join(piece.text for piece in mode.changes.pieces if piece.change is WordChange.REMOVED)
    added = "".join(piece.text for piece in mode.changes.pieces if piece.change is WordChange.ADDED)
    assert (removed.strip(), added.split()) == ("two", ["four", "Be", "brief."])
    assert mode.changes.isVisible()
    mode.reset.click()
    desktop.settle()
    assert not mode.changes.isVisible()
