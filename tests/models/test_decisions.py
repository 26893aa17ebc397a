"""Decisions: one call with the version that was seen, and what every draft offers."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from chimein_gui.domain.approvals import Approve, ApproveEdited, AskReason, Outcome, Reject, Rule, Undo, Verdict
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.events import StepChanged, TaskGraphReplaced
from chimein_gui.domain.ids import ChatId, GraphId, MessageId, Revision, TaskId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.graphs import PlanStep, TaskGraph
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus
from chimein_gui.viewmodels.approvals.available_actions import Action, available_actions, state_of
from chimein_gui.viewmodels.decisions.of_message import MessageDecisions
from chimein_gui.viewmodels.drafts.plan_chain import Then, what_follows
from chimein_gui.viewmodels.drafts.status import draft_status
from tests.fakes.engine_api import BIG, NOON, approval, chat, run_now


@pytest.fixture
def editor(room):
    room.api.approvals[BIG + 1] = approval(seen_up_to=4)
    room.attach()
    room.answers, room.failures = [], []
    room.models.actions.decision_answered.connect(room.answers.append)
    room.models.actions.failed.connect(room.failures.append)
    return room


def test_a_decision_that_cannot_be_read_is_asked_for_once(editor):
    decisions, reads = MessageDecisions(editor.models), []

    class Broken:
        async def of_message(self, _chat_id, message_id):
            reads.append(message_id)
            raise StoreError("Disk gone")

    decisions.attach(SimpleNamespace(decision_log=Broken()), run_now)
    for _repaint in range(3):
        assert decisions.of(ChatId(1), MessageId(7)) is None
        editor.settle()
    assert reads == [7]


def card(editor):
    return editor.models.approvals.find(BIG + 1)


def test_each_action_is_one_call_with_the_version_and_a_fresh_client_id(editor):
    actions = editor.models.actions
    actions.approve(card(editor))
    editor.settle()
    assert editor.answers[-1].verdict is Verdict.ACCEPTED
    assert card(editor).task_status is TaskStatus.APPROVED
    actions.undo(card(editor))
    editor.settle()
    actions.approve_edited(card(editor), "mine")
    editor.settle()
    actions.undo(card(editor))
    editor.settle()
    actions.reject(card(editor), "too pushy")
    editor.settle()
    kinds = [call.decision for call in editor.api.calls]
    assert kinds == [Approve(), Undo(), ApproveEdited("mine"), Undo(), Reject("too pushy")]
    assert [call.expected_version for call in editor.api.calls] == [1, 1, 2, 3, 4]
    assert len({call.client_id for call in editor.api.calls}) == 5
    assert {call.seen_up_to for call in editor.api.calls} == {4}
    assert editor.models.approvals.of_chat(card(editor).chat_id) == (), (
        "its chat shows it no more; the list does for some seconds"
    )
    assert card(editor).task_status is TaskStatus.SKIPPED


def test_a_second_press_while_the_first_is_under_way_does_nothing(editor):
    spawned = []
    editor.models.actions.attach(editor.api, lambda job, name: spawned.append(job))
    editor.models.actions.approve(card(editor))
    editor.models.actions.approve(card(editor))
    assert editor.models.actions.is_in_flight(BIG + 1)
    assert len(spawned) == 1
    run_now(spawned[0], name="decide")
    editor.models.actions.approve(card(editor))  # the engine has answered, but the answer has not arrived yet
    assert len(spawned) == 1
    editor.settle()
    assert not editor.models.actions.is_in_flight(BIG + 1)


def test_an_outdated_decision_shows_the_new_card(editor):
    newer = replace(card(editor), version=2, text="newer")
    editor.api.refuse = Outcome(Verdict.OUTDATED, newer, Note(Reason.OUTDATED))
    editor.models.actions.approve(card(editor))
    editor.settle()
    assert card(editor).text == "newer"
    assert editor.models.actions.explanation_of(BIG + 1) == "The draft changed meanwhile; nothing was decided."


def test_what_is_only_learned_by_a_refusal_must_be_acknowledged_like_any_change(editor):
    """Twice the key, or a tick that sets itself, would send to a conversation that nobody has read."""
    changed = replace(card(editor), version=2, reasons=(AskReason.CHANGED,), changed_at=6)
    editor.api.refuse = Outcome(Verdict.CHANGED, changed, Note(Reason.LOOK_AGAIN))
    editor.api.approvals[BIG + 1] = changed
    editor.models.actions.approve(card(editor))
    editor.settle()
    assert not editor.models.actions.is_acknowledged(card(editor))
    editor.models.actions.approve(card(editor))
    editor.settle()
    assert len(editor.api.calls) == 1
    editor.models.actions.approve(card(editor))
    editor.settle()
    assert editor.answers[-1].verdict is Verdict.ACCEPTED
    assert editor.api.calls[-1].seen_up_to == 6


def test_a_card_that_is_marked_changed_takes_two_presses_and_a_newer_message_one_more(editor):
    editor.put_approval(replace(card(editor), reasons=(AskReason.CHANGED,), changed_at=6))
    editor.models.actions.approve(card(editor))
    editor.settle()
    assert editor.api.calls == []
    editor.put_approval(replace(card(editor), changed_at=9, version=2))
    assert not editor.models.actions.is_acknowledged(card(editor))
    editor.models.actions.approve(card(editor))
    assert editor.api.calls == []
    editor.models.actions.approve(card(editor))
    editor.settle()
    assert editor.api.calls[-1].seen_up_to == 9


V = Action
APPROVED: dict[str, Any] = {"task_status": TaskStatus.APPROVED, "decided_at": NOON - timedelta(seconds=10)}
COUNTDOWN: dict[str, Any] = APPROVED | {"decided_by": Rule.COUNTDOWN_TRUST, "due_at": NOON + timedelta(seconds=47)}
BY_HAND: dict[str, Any] = APPROVED | {"decided_by": "operator", "due_at": NOON + timedelta(seconds=3)}


@pytest.mark.parametrize(
    ("changes", "state", "status_words", "actions", "share"),
    [
        ({}, "Planned, not sent", "Waits for you", (V.APPROVE, V.EDIT, V.REJECT), None),
        (
            {"reasons": (AskReason.NOT_DELIVERED,)},
            "Delivery unknown",
            "Check Telegram first",
            (V.APPROVE, V.EDIT, V.REJECT),
            None,
        ),
        (
            COUNTDOWN,
            "Planned, not sent",
            "Sends in 0:47 unless stopped",
            (V.APPROVE, V.EDIT, V.REJECT, V.HOLD),
            47 / 57,
        ),
        (BY_HAND, "Approved", "Sends in 3 s", (V.UNDO,), 3 / 13),
        (BY_HAND | {"origin": Origin.OPERATOR}, "Your message", "Sends in 3 s", (V.UNDO,), 3 / 13),
        ({"task_status": TaskStatus.SENDING}, "Approved", "Sending…", (), None),
        ({"task_status": TaskStatus.UNKNOWN}, "Delivery unknown", "Checking Telegram…", (), None),
        (
            {"task_status": TaskStatus.FAILED},
            "Not sent",
            "Failed, won't retry",
            (V.PLAN_AGAIN, V.ASK_AGAIN, V.DISMISS),
            None,
        ),
    ],
)
def test_every_draft_has_its_words_and_actions(room, changes, state, status_words, actions, share):
    room.api.chats[1] = chat(newest_in_id=5)
    room.attach()
    room.models.preferences_model.current = Preferences(countdown_s=57, undo_s=13)
    draft = approval(**changes)
    status = draft_status(room.models.approvals, draft)
    offered = tuple(one.action for one in available_actions(draft, state_of(draft, room.models, in_chat=True)))
    assert (status.state, status.status_words) == (state, status_words)
    assert tuple(action for action in offered if action not in (V.REGENERATE, V.LATER, V.PLAN)) == actions
    assert status.share == pytest.approx(share)


def wait(number, wait_s, status=TaskStatus.PENDING, chat_id=1):
    return StepChanged(
        ChatId(chat_id), TaskId(number), TaskKind.WAIT, status, None, None, 0, Revision(1), wait_s=wait_s
    )


def test_what_follows_is_told_up_to_the_next_send():
    plan: dict[str, Any] = {"graph_id": GraphId(9)}
    first = approval(1, **plan)
    sticker = approval(3, "fox_thumbs", kind=TaskKind.STICKER, **plan)
    third = approval(5, "x" * 120, task_status=TaskStatus.APPROVED, **plan)
    other = approval(2, graph_id=GraphId(8))
    waits = (wait(2, 20.0), wait(4, 0.2), wait(6, 7200.0))
    told = [what_follows(one, (other, third, first, sticker), waits, Preferences()) for one in (first, sticker, third)]
    assert told[0] == (
        Then("hourglass", "waits 20 s"),
        Then("keyboard", "types 4 s"),
        Then("sticker", "sticker {it} asks too", "fox_thumbs", asks=True),
    )
    assert told[1] == (Then("keyboard", "types 4 s"), Then("planned", "the next message"))
    assert told[2] == (Then("hourglass", "waits 2 h"),)


def test_the_waits_of_the_open_chat_are_followed(room):
    room.attach()
    told = list[object]()
    room.models.waits.steps_changed.connect(lambda: told.append(1))
    room.api.plans.steps = (wait(2, 20.0), wait(3, 5.0, chat_id=2))
    room.models.waits.open(ChatId(1))
    room.settle()
    assert [step.wait_s for step in room.models.waits.ahead()] == [20.0]
    room.api.plans.put(wait(2, 20.0, TaskStatus.DONE))
    room.settle()
    assert room.models.waits.ahead() == ()
    # The waits of another plan are not told one by one.
    steps = (
        PlanStep(TaskId(6), TaskKind.SEND, TaskStatus.PARKED, ()),
        PlanStep(TaskId(7), TaskKind.WAIT, TaskStatus.PENDING, (TaskId(6),), wait_s=30.0),
        PlanStep(TaskId(8), TaskKind.WAIT, TaskStatus.SKIPPED, (TaskId(7),)),
    )
    graph = TaskGraph(GraphId(2), ChatId(1), NOON, (), (), steps)
    room.api.publish(TaskGraphReplaced(graph, Revision(room.api.revision + 1)))
    room.settle()
    assert [step.task_id for step in room.models.waits.ahead()] == [7]
    assert told


def test_a_stop_pressed_behind_send_now_is_the_last_word(room):
    """Both presses fall into the time that the engine needs to stop the countdown."""
    room.api.approvals[BIG + 1] = approval(1, **COUNTDOWN)
    room.attach()
    room.models.actions.attach(room.api, room.errands)
    running = room.models.approvals.find(BIG + 1)
    room.models.draft_commands.approve(running)
    room.models.draft_commands.stop(running)
    room.settle()
    assert {type(call.decision) for call in room.api.calls} == {Undo}
    assert room.models.approvals.find(BIG + 1).task_status is TaskStatus.AWAITING_DECISION


def test_send_now_does_not_send_another_text_than_the_one_on_the_screen(room):
    room.api.approvals[BIG + 1] = approval(1, **COUNTDOWN)
    room.attach()
    shown = room.models.approvals.find(BIG + 1)
    room.api.approvals[BIG + 1] = replace(shown, text="Other words", version=4)
    room.models.draft_commands.approve(shown)
    room.settle()
    assert [call.decision for call in room.api.calls] == [Undo()]
    assert room.models.approvals.find(BIG + 1).text == "Other words"
