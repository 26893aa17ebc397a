"""What the open chat asks beside its drafts: no wait, no kept text and no draft laid aside is without a way out."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt

from chimein_gui.domain.approvals import AskReason, Outcome, SavedEdit, Verdict
from chimein_gui.domain.events import StepChanged
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import ApprovalId, ChatId, MessageId, Revision, SavedEditId, TaskId
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.tasks import ApprovalState, CancelReason, Origin, TaskKind, TaskStatus
from tests.fakes.engine_api import BIG, NOON, approval

LONG_WAIT = StepChanged(
    ChatId(1),
    TaskId(9),
    TaskKind.WAIT,
    TaskStatus.AWAITING_OPERATOR,
    None,
    Note(NoteKind.LONG_WAIT, number=30),
    0,
    Revision(1),
)
MINE = "My own words & <b>more</b>"


def asks(desktop):
    return {line.accessibleName(): line for line in desktop.conversations.drafts.asks() if line.isVisible()}


def actions(line):
    return [button.text() for button in line.buttons if not button.isHidden()]


def press(desktop, line, words):
    button = next(button for button in line.buttons if not button.isHidden() and button.text() == words)
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert button.accessibleName().startswith(words)
    button.click()
    desktop.settle()


@pytest.mark.parametrize(("action", "call"), [("Allow wait", "let wait"), ("Skip wait", "skip")])
@pytest.mark.parametrize("when", ["before the start", "while open"])
def test_a_wait_of_more_than_a_day_asks_and_goes_on_either_way(bare, action, call, when):
    if when == "before the start":
        bare.api.plans.steps = (LONG_WAIT,)
    bare.attach()
    bare.open_chat()
    if when == "while open":
        bare.api.plans.put(LONG_WAIT)
        bare.settle()
    (line,) = asks(bare).values()
    assert "The plan wants to wait 30 h" in line.accessibleName()
    press(bare, line, action)
    assert bare.api.plans.calls == [(call, 9)]
    assert asks(bare) == {}


def test_a_plan_that_failed_is_made_again_at_a_press(desktop):
    failed = replace(
        desktop.api.chats[1],
        planning_problem=PlanningProblem(PlanningKind.FAILED, "overloaded"),
        newest_in_id=MessageId(3),
    )
    desktop.api.put_chat(replace(failed, pending=0))
    desktop.open_chat()
    (line,) = asks(desktop).values()
    press(desktop, line, "Plan now")
    assert desktop.api.plans.calls == [("retry", 1)]
    assert asks(desktop) == {}


def test_a_plan_that_waits_for_a_cap_is_paused_and_not_failed(desktop):
    fault = Note(ModelFault.CAP_REACHED, "all", 3_000_000)
    paused = {"planning_problem": PlanningProblem(PlanningKind.CAP, fault=fault), "newest_in_id": MessageId(3)}
    desktop.api.put_chat(replace(desktop.api.chats[1], pending=0, **paused))
    desktop.open_chat()
    (line,) = asks(desktop).values()
    assert line.accessibleName().startswith("Planning is paused: Today's cap of $3.00 for everything is reached.")
    assert actions(line) == [], "planning now would only wait again"


@pytest.mark.parametrize("busy", [{"pending": 1}, {"planning": True}, {"planned_up_to": MessageId(3)}])
def test_nothing_is_planned_again_where_nothing_is_unanswered(desktop, busy):
    problem = {
        "planning_problem": PlanningProblem(PlanningKind.PARTLY_USED, "line 3: left out"),
        "newest_in_id": MessageId(3),
        "pending": 0,
    }
    desktop.api.put_chat(replace(desktop.api.chats[1], **(problem | busy)))
    desktop.open_chat()
    (line,) = asks(desktop).values()
    assert actions(line) == []


def test_a_chosen_silence_is_no_failure_though_others_go_on(desktop):
    silent = {"planning_problem": PlanningProblem(PlanningKind.SILENT), "newest_in_id": MessageId(3), "pending": 0}
    desktop.api.put_chat(replace(desktop.api.chats[1], **silent))
    desktop.open_chat()
    (line,) = asks(desktop).values()
    assert line.accessibleName() == "About the plan: The model decided not to answer."
    assert actions(line) == ["Plan now"]


def kept(beside=BIG + 1):
    paired = None if beside is None else ApprovalId(beside)
    return SavedEdit(SavedEditId(4), ChatId(1), "The old draft", MINE, 0, paired, NOON)


def test_a_kept_text_is_approved_in_place_of_the_draft_beside_it(desktop):
    desktop.api.saved_edits.edits = (kept(),)
    desktop.open_chat()
    (line,) = asks(desktop).values()
    assert line.accessibleName() == f"Your edit was saved: {MINE}"
    press(desktop, line, "Approve my text")
    assert desktop.api.approvals[BIG + 1].text == MINE
    assert asks(desktop) == {}


def test_a_kept_text_beside_a_stale_draft_needs_two_presses(desktop):
    stale = replace(desktop.api.approvals[BIG + 1], changed_at=Revision(7), version=3)
    desktop.api.put_approval(stale)
    desktop.api.saved_edits.edits = (kept(),)
    desktop.open_chat()
    desktop.api.refuse = Outcome(Verdict.CHANGED, stale, Note(Reason.LOOK_AGAIN))
    (line,) = asks(desktop).values()
    press(desktop, line, "Approve my text")
    assert desktop.api.calls[-1].seen_up_to == stale.seen_up_to
    press(desktop, line, "Press again to approve")
    assert desktop.api.calls[-1].seen_up_to == stale.changed_at
    assert asks(desktop) == {}


def test_a_kept_text_without_a_draft_is_sent_as_a_message_and_asks_under_hold(desktop):
    desktop.api.saved_edits.edits = (kept(None),)
    desktop.api.holds.holds = (Hold(HoldScope.ALL, 0, "lunch", NOON),)
    desktop.open_chat()
    (line,) = asks(desktop).values()
    press(desktop, line, "Send as my message")
    press(desktop, line, "Held. Press again to keep it")
    mine = [card for card in desktop.api.approvals.values() if card.origin is Origin.OPERATOR]
    assert [(card.text, card.task_status) for card in mine] == [(MINE, TaskStatus.APPROVED)]
    assert asks(desktop) == {}


def test_a_kept_text_is_discarded_and_goes_when_it_was_approved_in_the_editor(desktop):
    desktop.open_chat()
    desktop.api.saved_edits.put(kept(None))
    desktop.settle()
    (line,) = asks(desktop).values()
    press(desktop, line, "Discard")
    assert asks(desktop) == {}
    desktop.api.saved_edits.put(kept())
    desktop.settle()
    assert len(asks(desktop)) == 1
    desktop.models.actions.approve_edited(desktop.api.approvals[BIG + 1], MINE)
    desktop.settle()
    assert asks(desktop) == {}


def observed(number, graph_number=5, **changes):
    made = approval(number, f"Would say {number}", task_status=TaskStatus.OBSERVED, state=ApprovalState.OBSERVED)
    return replace(made, graph_id=graph_number, created_at=NOON - timedelta(seconds=9 - number), **changes)


def test_what_is_observed_is_shown_of_the_newest_plan_and_may_be_sent(desktop):
    desktop.open_chat()
    for card in (observed(5, 50), observed(6, 60), observed(7, 60)):
        desktop.api.put_approval(card)
    desktop.settle()
    first, second = asks(desktop).values()
    assert first.accessibleName() == "Not sent (observe only): Would say 6"
    press(desktop, second, "Send this one")
    assert desktop.api.plans.calls == [("send anyway", BIG + 7)]
    (made,) = [one for one in desktop.api.approvals.values() if AskReason.SENT_ANYWAY in one.reasons]
    assert desktop.models.approvals.find(made.approval_id).text == "Would say 7"
    press(desktop, first, "Dismiss")
    assert asks(desktop) == {}


def test_what_was_replaced_after_its_approval_may_be_sent_anyway_also_after_a_restart(bare):
    card = approval(
        5,
        "Approved words",
        task_status=TaskStatus.CANCELLED,
        state=ApprovalState.SUPERSEDED,
        note=Note(CancelReason.SUPERSEDED_AFTER_APPROVAL),
    )
    bare.api.recent = (card,)
    bare.api.approvals[card.approval_id] = card
    bare.attach()
    bare.open_chat()
    (line,) = asks(bare).values()
    assert "Approved words" in line.accessibleName()
    press(bare, line, "Send anyway")
    assert asks(bare) == {}


def test_a_refused_resend_is_told(desktop):
    desktop.open_chat()
    desktop.put_approval(observed(6))
    desktop.api.plans.takes_up = False
    told: list[str] = []
    desktop.models.draft_commands.failed.connect(told.append)
    (line,) = asks(desktop).values()
    press(desktop, line, "Send this one")
    assert told == ["It can't be used any more."]


def test_a_send_that_failed_may_be_asked_for_again(desktop):
    card = replace(
        desktop.api.approvals[BIG + 1],
        task_status=TaskStatus.FAILED,
        note=Note(NoteKind.REFUSED, "CHAT_WRITE_FORBIDDEN"),
    )
    desktop.put_approval(card)
    view = desktop.approvals.list
    view.select(card.approval_id)
    view.buttons.bar.buttons["again"].click()
    desktop.settle()
    assert desktop.api.plans.calls == [("send anyway", BIG + 1)]


def test_the_lines_of_one_chat_are_not_those_of_another(desktop):
    desktop.api.plans.steps = (LONG_WAIT,)
    desktop.put_chat(replace(desktop.api.chats[1], chat_id=ChatId(2)))
    desktop.open_chat(2)
    assert asks(desktop) == {}
    desktop.open_chat(1)
    assert len(asks(desktop)) == 1
