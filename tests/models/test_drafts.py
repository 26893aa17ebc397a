"""How a draft stands in its chat, what follows it, and verbs that stop its countdown first."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from chimein_gui.domain.approvals import AskReason, Rule, Undo
from chimein_gui.domain.events import StepChanged, TaskGraphReplaced
from chimein_gui.domain.ids import ChatId, GraphId, Revision, TaskId
from chimein_gui.domain.plans.graphs import PlanStep, TaskGraph
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus
from chimein_gui.viewmodels.approvals.available_actions import Action, available_actions, state_of
from chimein_gui.viewmodels.drafts.plan_chain import Then, what_follows
from chimein_gui.viewmodels.drafts.status import draft_status
from tests.fakes.console import BIG, NOON, approval, chat

V = Action
APPROVED: dict[str, Any] = {"task_status": TaskStatus.APPROVED, "decided_at": NOON - timedelta(seconds=10)}
COUNTDOWN: dict[str, Any] = APPROVED | {"decided_by": Rule.COUNTDOWN_TRUST, "due_at": NOON + timedelta(seconds=47)}
BY_HAND: dict[str, Any] = APPROVED | {"decided_by": "operator", "due_at": NOON + timedelta(seconds=3)}


@pytest.mark.parametrize(
    ("changes", "state", "fate", "verbs", "share"),
    [
        ({}, "Planned, not sent", "Waits for you", (V.APPROVE, V.EDIT, V.REJECT), None),
        (
            {"reasons": (AskReason.NOT_DELIVERED,)},
            "Delivery unknown",
            "Look in Telegram first",
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
        ({"task_status": TaskStatus.UNKNOWN}, "Delivery unknown", "Being looked up in Telegram", (), None),
        (
            {"task_status": TaskStatus.FAILED},
            "Not sent",
            "Failed, will not retry",
            (V.PLAN_AGAIN, V.ASK_AGAIN, V.PUT_AWAY),
            None,
        ),
    ],
)
def test_every_draft_has_its_words_and_verbs(room, changes, state, fate, verbs, share):
    room.console.chats[1] = chat(newest_in_id=5)
    room.attach()
    room.models.preferences_model.current = Preferences(countdown_s=57, undo_s=13)
    draft = approval(**changes)
    fated = draft_status(room.models, draft)
    offered = tuple(one.verb for one in available_actions(draft, state_of(draft, room.models, in_chat=True)))
    assert (fated.state, fated.fate) == (state, fate)
    assert tuple(verb for verb in offered if verb not in (V.REGENERATE, V.LATER, V.PLAN)) == verbs
    assert fated.share == pytest.approx(share)


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
    room.console.plans.steps = (wait(2, 20.0), wait(3, 5.0, chat_id=2))
    room.models.waits.open(ChatId(1))
    room.settle()
    assert [step.wait_s for step in room.models.waits.ahead()] == [20.0]
    room.console.plans.put(wait(2, 20.0, TaskStatus.DONE))
    room.settle()
    assert room.models.waits.ahead() == ()
    # The waits of another plan are not told one by one.
    steps = (
        PlanStep(TaskId(6), TaskKind.SEND, TaskStatus.PARKED, None),
        PlanStep(TaskId(7), TaskKind.WAIT, TaskStatus.PENDING, TaskId(6), wait_s=30.0),
        PlanStep(TaskId(8), TaskKind.WAIT, TaskStatus.SKIPPED, TaskId(7)),
    )
    graph = TaskGraph(GraphId(2), ChatId(1), NOON, (), (), steps)
    room.console.publish(TaskGraphReplaced(graph, Revision(room.console.revision + 1)))
    room.settle()
    assert [step.task_id for step in room.models.waits.ahead()] == [7]
    assert told


def test_a_stop_pressed_behind_send_now_is_the_last_word(room):
    """Both presses fall into the time that the engine needs to stop the countdown."""
    room.console.approvals[BIG + 1] = approval(1, **COUNTDOWN)
    room.attach()
    room.models.actions.attach(room.console, room.errands)
    running = room.models.approvals.find(BIG + 1)
    room.models.draft_commands.approve(running)
    room.models.draft_commands.stop(running)
    room.settle()
    assert {type(call.decision) for call in room.console.calls} == {Undo}
    assert room.models.approvals.find(BIG + 1).task_status is TaskStatus.AWAITING_DECISION


def test_send_now_does_not_send_another_text_than_the_one_on_the_screen(room):
    room.console.approvals[BIG + 1] = approval(1, **COUNTDOWN)
    room.attach()
    shown = room.models.approvals.find(BIG + 1)
    room.console.approvals[BIG + 1] = replace(shown, text="Other words", version=4)
    room.models.draft_commands.approve(shown)
    room.settle()
    assert [call.decision for call in room.console.calls] == [Undo()]
    assert room.models.approvals.find(BIG + 1).text == "Other words"
