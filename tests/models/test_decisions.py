from dataclasses import replace

import pytest

from chimein_gui.domain.approvals import Approve, ApproveEdited, AskReason, Outcome, Reject, Undo, Verdict
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.console import BIG, approval, run_now


@pytest.fixture
def desk(room):
    room.console.approvals[BIG + 1] = approval(seen_up_to=4)
    room.attach()
    room.answers, room.failures = [], []
    room.models.actions.decision_answered.connect(room.answers.append)
    room.models.actions.failed.connect(room.failures.append)
    return room


def card(desk):
    return desk.models.approvals.find(BIG + 1)


def test_each_verb_is_one_call_with_the_version_and_a_fresh_client_id(desk):
    actions = desk.models.actions
    actions.approve(card(desk))
    desk.settle()
    assert desk.answers[-1].verdict is Verdict.ACCEPTED
    assert card(desk).task_status is TaskStatus.APPROVED
    actions.undo(card(desk))
    desk.settle()
    actions.approve_edited(card(desk), "mine")
    desk.settle()
    actions.undo(card(desk))
    desk.settle()
    actions.reject(card(desk), "too pushy")
    desk.settle()
    kinds = [call.decision for call in desk.console.calls]
    assert kinds == [Approve(), Undo(), ApproveEdited("mine"), Undo(), Reject("too pushy")]
    assert [call.expected_version for call in desk.console.calls] == [1, 1, 2, 3, 4]
    assert len({call.client_id for call in desk.console.calls}) == 5
    assert {call.seen_up_to for call in desk.console.calls} == {4}
    assert desk.models.approvals.of_chat(card(desk).chat_id) == (), (
        "its chat shows it no more; the list does for some seconds"
    )
    assert card(desk).task_status is TaskStatus.SKIPPED


def test_a_second_press_while_the_first_is_under_way_does_nothing(desk):
    spawned = []
    desk.models.actions.attach(desk.console, lambda job, name: spawned.append(job))
    desk.models.actions.approve(card(desk))
    desk.models.actions.approve(card(desk))
    assert desk.models.actions.is_in_flight(BIG + 1)
    assert len(spawned) == 1
    run_now(spawned[0], name="decide")
    desk.models.actions.approve(card(desk))  # the engine has answered, but the answer has not arrived yet
    assert len(spawned) == 1
    desk.settle()
    assert not desk.models.actions.is_in_flight(BIG + 1)


def test_an_outdated_decision_shows_the_new_card(desk):
    newer = replace(card(desk), version=2, text="newer")
    desk.console.refuse = Outcome(Verdict.OUTDATED, newer, "Version 2 was stored earlier.")
    desk.models.actions.approve(card(desk))
    desk.settle()
    assert card(desk).text == "newer"
    assert desk.models.actions.explanation_of(BIG + 1) == "Version 2 was stored earlier."


def test_what_is_only_learned_by_a_refusal_must_be_acknowledged_like_any_change(desk):
    """Twice the key, or a tick that sets itself, would send to a conversation that nobody has read."""
    changed = replace(card(desk), version=2, reasons=(AskReason.CHANGED,), changed_at=6)
    desk.console.refuse = Outcome(Verdict.CHANGED, changed, "1 newer message.")
    desk.console.approvals[BIG + 1] = changed
    desk.models.actions.approve(card(desk))
    desk.settle()
    assert not desk.models.actions.is_acknowledged(card(desk))
    desk.models.actions.approve(card(desk))
    desk.settle()
    assert len(desk.console.calls) == 1
    desk.models.actions.approve(card(desk))
    desk.settle()
    assert desk.answers[-1].verdict is Verdict.ACCEPTED
    assert desk.console.calls[-1].seen_up_to == 6


def test_a_card_that_is_marked_changed_takes_two_presses_and_a_newer_message_one_more(desk):
    desk.put_approval(replace(card(desk), reasons=(AskReason.CHANGED,), changed_at=6))
    desk.models.actions.approve(card(desk))
    desk.settle()
    assert desk.console.calls == []
    desk.put_approval(replace(card(desk), changed_at=9, version=2))
    assert not desk.models.actions.is_acknowledged(card(desk))
    desk.models.actions.approve(card(desk))
    assert desk.console.calls == []
    desk.models.actions.approve(card(desk))
    desk.settle()
    assert desk.console.calls[-1].seen_up_to == 9
