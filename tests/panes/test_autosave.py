"""What is typed on a draft is kept by the engine, and the editor follows its own versions."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approve, ApproveEdited, Edit
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.ui.draft_editor.autosave import PAUSE_MS
from chimein_gui.ui.panes.approvals.card.words import labels_of
from tests.fakes.engine_api import BIG, approval

Key = Qt.Key


@pytest.fixture
def editor(desktop):
    """Return the editor, open on the first draft; a test says when the hand has rested."""
    view = desktop.approvals.list
    view.setFocus()
    view.select(BIG + 1)
    desktop.press(view, Key.Key_E, "e")
    return desktop.approvals.editor


def typed(desktop, editor, text, *, rests=True):
    desktop.field.setPlainText(text)
    if rests:
        assert editor._autosave._timer.isActive()
        editor._autosave._timer.stop()
        editor._autosave._timer.timeout.emit()
        desktop.settle()


def texts(desktop):
    return [call.decision.text for call in desktop.api.calls if isinstance(call.decision, Edit)]


def test_typed_text_is_kept_when_the_hand_rests_and_the_editor_follows_its_own_versions(desktop, editor, qtbot):
    assert editor._autosave._timer.interval() == PAUSE_MS
    typed(desktop, editor, "My own", rests=False)
    editor._autosave._timer.setInterval(0)
    typed(desktop, editor, "My own words", rests=False)
    qtbot.waitUntil(lambda: texts(desktop) == ["My own words"])
    desktop.settle()
    assert desktop.api.approvals[BIG + 1].text == "My own words"
    assert hand.button(editor, "Discard") is None
    typed(desktop, editor, "My own words, more")
    assert [call.expected_version for call in desktop.api.calls] == [1, 2]
    assert editor.fields.text() == "My own words, more"
    assert hand.button(editor, "Discard") is None
    desktop.button("Approve edited text").click()
    desktop.settle()
    last = desktop.api.calls[-1]
    assert (last.decision, last.expected_version) == (ApproveEdited("My own words, more"), 3)
    assert editor.isHidden()


def test_nothing_is_kept_of_what_is_as_it_was(desktop, editor):
    editor._autosave._timer.timeout.emit()
    desktop.settle()
    assert texts(desktop) == []


def test_escape_puts_the_draft_back_and_the_text_comes_again(desktop, editor):
    typed(desktop, editor, "Half a thou")
    desktop.press(desktop.field, Key.Key_Escape)
    assert desktop.api.approvals[BIG + 1].text == "First draft"
    desktop.settle()
    (left,) = desktop.api.saved_edits.edits
    assert (left.base, left.mine, left.paired_with) == ("First draft", "Half a thou", BIG + 1)
    desktop.press(desktop.approvals.list, Key.Key_E, "e")
    assert editor.fields.text() == "Half a thou"
    typed(desktop, editor, "Half a thought")
    close = desktop.button("Close", editor)
    assert close.toolTip() == "The draft stays as it was. Your text is kept with it."
    close.click()
    desktop.settle()
    assert [one.mine for one in desktop.api.saved_edits.edits] == ["Half a thought"]
    desktop.open_chat()
    assert desktop.sees("Your edit was saved", desktop.conversations)
    desktop.press(desktop.approvals.list, Key.Key_E, "e")
    typed(desktop, editor, "Half a thought more")
    desktop.strike(desktop.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert desktop.api.saved_edits.edits == ()


def test_turning_to_another_draft_keeps_what_was_typed_at_once(desktop, editor):
    typed(desktop, editor, "Mine", rests=False)
    editor.edit(desktop.api.approvals[BIG + 2])
    desktop.settle()
    assert desktop.api.approvals[BIG + 1].text == "Mine"
    assert not editor._autosave._timer.isActive()


@pytest.mark.parametrize("leaves", ["gives up", "types more", "comes back"])
def test_what_an_answer_is_on_its_way_for_is_settled_when_the_editor_is_elsewhere(desktop, editor, monkeypatch, leaves):
    waiting = []
    monkeypatch.setattr(desktop.models.actions, "_spawn", lambda job, *, name: waiting.append((job, name)))
    typed(desktop, editor, "Half a thou")
    if leaves == "types more":
        typed(desktop, editor, "Half a thought", rests=False)
    else:
        desktop.press(desktop.field, Key.Key_Escape)
    editor.edit(desktop.api.approvals[BIG + 2])
    if leaves == "comes back":
        editor.edit(desktop.api.approvals[BIG + 1])
        typed(desktop, editor, "Something else", rests=False)
    monkeypatch.undo()
    for job, name in waiting:
        desktop.models.actions._spawn(job, name=name)
    desktop.settle()
    if leaves == "comes back":
        editor._autosave._timer.timeout.emit()
        desktop.settle()
    ends = {"gives up": "First draft", "types more": "Half a thought", "comes back": "Something else"}
    assert desktop.api.approvals[BIG + 1].text == ends[leaves]
    assert desktop.api.approvals[BIG + 2].text == "Second draft"


def test_another_text_on_the_card_is_never_written_over(desktop, editor):
    typed(desktop, editor, "Mine", rests=False)
    desktop.put_approval(replace(desktop.api.approvals[BIG + 1], version=7, text="Somebody else's"))
    assert hand.button(editor, "Discard")
    editor._autosave._timer.timeout.emit()
    desktop.settle()
    assert texts(desktop) == []
    assert desktop.api.approvals[BIG + 1].text == "Somebody else's"


def test_a_press_while_the_text_is_being_kept_counts_afterwards(desktop, editor, monkeypatch):
    waiting = []
    monkeypatch.setattr(desktop.models.actions, "_spawn", lambda job, *, name: waiting.append((job, name)))
    typed(desktop, editor, "Mine")
    desktop.button("Approve edited text").click()
    assert len(waiting) == 1
    monkeypatch.undo()
    job, name = waiting.pop()
    desktop.models.actions._spawn(job, name=name)
    desktop.settle()
    assert [type(call.decision) for call in desktop.api.calls] == [Edit, ApproveEdited]
    assert editor.isHidden()


def test_a_press_is_forgotten_when_more_is_typed_after_a_failure(desktop, editor, monkeypatch):
    waiting = []
    monkeypatch.setattr(desktop.models.actions, "_spawn", lambda job, *, name: waiting.append((job, name)))
    typed(desktop, editor, "Mine")
    desktop.button("Approve edited text").click()
    monkeypatch.undo()
    desktop.api.fail = StoreWriteError("database or disk is full")
    job, name = waiting.pop()
    desktop.models.actions._spawn(job, name=name)
    desktop.settle()
    desktop.api.fail = None
    typed(desktop, editor, "Mine, more")
    assert [type(call.decision) for call in desktop.api.calls] == [Edit, Edit]
    assert not editor.isHidden()


def test_back_to_the_draft_is_back_to_what_the_model_wrote(desktop, editor):
    typed(desktop, editor, "Mine")
    desktop.button("Restore draft").click()
    assert editor.fields.text() == "First draft"


def test_a_card_says_that_its_text_is_the_operators():
    words = [label.word for label in labels_of(approval(draft_text="The model's"), "Waits for you")]
    assert "Your text" in words
    assert "Your text" not in [label.word for label in labels_of(approval(), "Waits for you")]


def test_what_was_kept_is_what_a_plain_approval_sends(desktop, editor):
    typed(desktop, editor, "Mine")
    desktop.models.actions.approve(desktop.models.approvals.find(BIG + 1))
    desktop.settle()
    assert isinstance(desktop.api.calls[-1].decision, Approve)
    assert desktop.api.calls[-1].expected_version == 2


def test_what_was_typed_in_the_last_second_is_kept_when_the_program_ends(desktop, editor):
    typed(desktop, editor, "My own, in haste", rests=False)
    desktop.models.actions.ending.emit()
    desktop.settle()
    assert texts(desktop) == ["My own, in haste"]
    assert not editor._autosave._timer.isActive()


@pytest.mark.parametrize("where", ["chat", "list"])
def test_an_approval_beside_the_open_editor_says_what_it_did_and_the_next_one_sends(desktop, editor, where):
    said = "Your edit was saved first. Approve again to send it."
    desktop.open_chat()
    typed(desktop, editor, "My own words", rests=False)
    bubble, buttons = desktop.conversations.drafts.bubbles()[0], desktop.approvals.list.buttons
    assert bubble.approval.approval_id == BIG + 1
    button = bubble.buttons.by_action["A"] if where == "chat" else buttons.bar.buttons["A"]
    button.click()
    desktop.settle()
    assert [call.decision for call in desktop.api.calls] == [Edit("My own words")]
    assert desktop.sees(said, bubble)
    assert buttons.bar.buttons["A"].text() == "Approve version 2"
    assert "My own words" in bubble.accessibleName()
    button.click()
    desktop.settle()
    assert desktop.api.calls[-1].decision == Approve()
    assert desktop.api.approvals[BIG + 1].text == "My own words"
    assert not desktop.sees(said, bubble)
    assert editor.isHidden()


def test_what_is_typed_on_takes_the_word_about_the_press_back(desktop, editor):
    typed(desktop, editor, "Mine", rests=False)
    desktop.models.actions.approve(desktop.models.approvals.find(BIG + 1))
    desktop.settle()
    assert desktop.models.actions.explanation_of(BIG + 1)
    typed(desktop, editor, "Mine, longer")
    assert desktop.models.actions.explanation_of(BIG + 1) == ""
