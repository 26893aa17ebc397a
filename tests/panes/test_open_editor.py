"""An open editor and what happens to its card meanwhile: nothing typed is lost, and nothing else leaves for it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approve, ApproveEdited, Edit, Postpone, SavedEdit
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, SavedEditId
from chimein_gui.domain.messages import LONGEST_TEXT
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from chimein_gui.ui.draft_editor.fields import Task
from tests.fakes.engine_api import BIG, NOON, approval

Key = Qt.Key
FIRST, SECOND = BIG + 1, BIG + 2


@pytest.fixture
def cards(desktop):
    """Two drafts of one plan, and the first one's editor is open."""
    desktop.put_approval(replace(desktop.api.approvals[SECOND], graph_id=GraphId(1)))
    desktop.approvals.list.setFocus()
    desktop.press(desktop.approvals.list, Key.Key_E, "e")
    assert desktop.approvals.editor.target.approval_id == FIRST
    return desktop


def type_in(desktop, qtbot, words=" mine"):
    qtbot.keyClicks(desktop.field, words)


def submit(desktop, qtbot):
    desktop.strike(desktop.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def replan(desktop, *drafts):
    for number in (1, 2):
        old = desktop.api.approvals[BIG + number]
        desktop.api.put_approval(replace(old, state=ApprovalState.SUPERSEDED, task_status=TaskStatus.CANCELLED))
    for draft in drafts:
        desktop.api.put_approval(replace(draft, graph_id=GraphId(7)))
    desktop.settle()


def test_a_text_moves_to_the_new_draft_at_its_own_place(cards, qtbot):
    type_in(cards, qtbot)
    replan(cards, approval(7, "New one", created_at=NOON), approval(8, "New two", created_at=NOON))
    submit(cards, qtbot)
    assert cards.approvals.editor.target.text == "New one"
    submit(cards, qtbot)
    assert cards.decisions() == [(BIG + 7, ApproveEdited("First draft mine"))]


def test_a_draft_that_goes_because_it_was_decided_here_is_not_called_gone(cards, monkeypatch):
    editor, actions = cards.approvals.editor, cards.models.actions
    monkeypatch.setattr(actions, "is_in_flight", lambda approval_id: approval_id == FIRST)
    replan(cards)
    assert hand.button(editor, "Discard") is None
    monkeypatch.undo()
    editor._look_again()
    assert hand.button(editor, "Discard")


def test_a_text_never_moves_to_what_is_no_message(cards, qtbot):
    type_in(cards, qtbot)
    replan(cards, approval(7, "", kind=TaskKind.BLOCK, created_at=NOON))
    assert cards.sees("no new one yet")
    submit(cards, qtbot)
    assert cards.decisions() == []
    assert cards.approvals.editor.fields.text() == "First draft mine"


def test_the_next_draft_of_the_same_plan_is_no_successor(cards, qtbot):
    type_in(cards, qtbot)
    now = cards.api.approvals[FIRST]
    sending = {"task_status": TaskStatus.SENDING, "state": ApprovalState.APPROVED, "decided_by": "operator"}
    cards.put_approval(replace(now, **sending))
    editor = cards.approvals.editor
    assert cards.sees("decided without your edit")
    assert hand.button(editor, "Use my text") is None
    submit(cards, qtbot)
    assert cards.decisions() == []
    assert editor.target.approval_id == FIRST


def test_putting_a_card_off_does_not_close_its_editor(cards, qtbot):
    type_in(cards, qtbot)
    cards.models.actions.postpone(cards.models.approvals.find(FIRST), NOON.replace(hour=23))
    cards.settle()
    assert [type(decision) for _, decision in cards.decisions()] == [Postpone]
    assert cards.approvals.editor.isVisible()
    assert cards.approvals.editor.fields.text() == "First draft mine"


def test_a_reason_outlives_an_approval_from_elsewhere(cards, qtbot):
    cards.approvals.list.setFocus()
    cards.press(cards.approvals.list, Key.Key_R, "r")
    type_in(cards, qtbot, "Too long")
    cards.models.draft_commands.approve(cards.models.approvals.find(FIRST))
    cards.settle()
    editor = cards.approvals.editor
    assert cards.decisions() == [(FIRST, Approve())]
    assert editor.fields.text() == "Too long"
    assert cards.sees("decided without your edit")


def test_a_text_that_moved_is_kept_on_its_new_card_too(cards, qtbot):
    type_in(cards, qtbot)
    replan(cards, approval(7, "New one", created_at=NOON))
    submit(cards, qtbot)
    cards.approvals.editor._autosave._timer.timeout.emit()
    cards.settle()
    assert cards.decisions() == [(BIG + 7, Edit("First draft mine"))]


def test_an_editor_is_told_to_the_engine_once_and_its_end_on_every_way_out(cards, qtbot):
    assert cards.api.editing == [1]
    type_in(cards, qtbot)
    replan(cards, approval(7, "New one", created_at=NOON))
    submit(cards, qtbot)
    assert cards.api.editing == [1]
    submit(cards, qtbot)
    assert cards.api.editing == []


def test_a_closed_pane_keeps_the_text_on_its_card_and_lets_go_of_the_chat(cards, qtbot):
    type_in(cards, qtbot)
    assert cards.api.editing == [1]
    cards.window.docks["approvals"].close()
    cards.settle()
    assert cards.api.editing == []
    assert cards.decisions() == [(FIRST, Edit("First draft mine"))]
    assert cards.models.toasts.current.text.startswith("Edit saved for")
    cards.models.toasts.act()
    cards.settle()
    assert cards.models.toasts.current is None
    assert cards.window.docks["approvals"].isVisible()
    assert cards.approvals.editor.target.approval_id == FIRST
    assert cards.approvals.editor.fields.text() == "First draft mine"
    assert cards.api.editing == [1]


def test_a_closed_pane_says_nothing_of_a_text_that_nobody_touched(cards):
    cards.window.docks["approvals"].close()
    cards.settle()
    assert cards.api.editing == []
    assert cards.models.toasts.current is None
    assert cards.decisions() == []


def test_a_text_whose_draft_has_gone_stays_in_the_closed_pane(cards, qtbot):
    type_in(cards, qtbot)
    replan(cards)
    cards.window.docks["approvals"].close()
    cards.settle()
    assert cards.models.toasts.current.text.startswith("Edit still open for")
    cards.models.toasts.act()
    cards.settle()
    assert cards.approvals.editor.isVisible()
    assert cards.approvals.editor.fields.text() == "First draft mine"


def kept_beside(number, mine):
    return SavedEdit(SavedEditId(number), ChatId(1), "First draft", mine, 0, ApprovalId(BIG + 7), NOON)


def test_a_text_that_goes_on_beside_the_new_draft_is_not_offered_once_more(cards, qtbot):
    type_in(cards, qtbot)
    cards.approvals.editor._autosave._timer.timeout.emit()
    cards.settle()
    type_in(cards, qtbot, " and more")
    replan(cards, approval(7, "New one", created_at=NOON))
    elsewhere = kept_beside(2, "Another one of mine")
    cards.api.saved_edits.put(kept_beside(1, "First draft mine"), elsewhere)
    cards.settle()
    submit(cards, qtbot)
    submit(cards, qtbot)
    call = cards.api.calls[-1]
    assert (call.approval_id, call.decision.text) == (BIG + 7, "First draft mine and more")
    assert cards.api.saved_edits.edits == (elsewhere,)


@pytest.mark.parametrize("way_back", ["cancel", "the draft"])
def test_a_text_that_was_not_sent_after_all_is_still_kept(cards, qtbot, way_back):
    type_in(cards, qtbot)
    cards.approvals.editor._autosave._timer.timeout.emit()
    cards.settle()
    replan(cards, approval(7, "New one", created_at=NOON))
    cards.api.saved_edits.put(kept_beside(1, "First draft mine"))
    cards.settle()
    submit(cards, qtbot)
    if way_back == "cancel":
        qtbot.keyClick(cards.field, Key.Key_Escape)
    else:
        cards.button("Restore draft").click()
    cards.settle()
    for _press in range(2):  # the first may only keep what stands in the editor
        cards.models.actions.approve(cards.models.approvals.find(BIG + 7))
        cards.settle()
    assert cards.api.approvals[BIG + 7].state is ApprovalState.APPROVED
    assert len(cards.api.saved_edits.edits) == 1


def test_the_focus_stays_with_the_operator_when_the_editor_closes_by_another_decision(cards):
    cards.conversations.tree.setFocus()
    cards.models.draft_commands.approve(cards.models.approvals.find(FIRST))
    cards.settle()
    assert not cards.approvals.editor.isVisible()
    assert QApplication.focusWidget() is cards.conversations.tree


def test_an_instruction_is_not_blocked_by_the_edit_that_was_given_up_just_before(cards, qtbot):
    editor = cards.approvals.editor
    type_in(cards, qtbot)
    qtbot.waitUntil(lambda: cards.models.approvals.find(FIRST).text == "First draft mine")
    cards.settle()
    qtbot.keyClick(cards.field, Key.Key_Escape)
    editor.ask(
        Task.INSTRUCTION, cards.models.approvals.find(FIRST)
    )  # before it is stored that the draft stays as it was
    cards.field.setPlainText("shorter")
    cards.settle()
    assert cards.api.approvals[FIRST].text == "First draft"
    assert hand.button(editor, "Regenerate")


def test_a_paste_that_is_longer_than_anything_that_can_be_sent_is_cut_and_said(cards):
    editor = cards.approvals.editor
    field = cards.field
    QApplication.clipboard().setText("x" * (LONGEST_TEXT + 300_000))
    field.selectAll()
    field.paste()
    assert len(editor.fields.text()) == LONGEST_TEXT
    assert cards.sees("The pasted text was 300,000 characters too long and was cut.")
    assert hand.button(editor, "Approve edited text")
    field.undo()
    assert editor.fields.text() == "First draft"


def test_a_text_that_is_too_long_is_counted_and_cannot_be_approved(cards):
    editor = cards.approvals.editor
    cards.field.setPlainText("x" * (LONGEST_TEXT + 1))
    assert cards.sees("40,961 characters: shorten it to 40,960")
    assert hand.button(editor, "Approve edited text") is None
    cards.field.setPlainText("x" * LONGEST_TEXT)
    assert cards.sees("40,960 characters: 10 messages")
    assert hand.button(editor, "Approve edited text")
