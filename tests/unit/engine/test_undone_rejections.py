"""A rejection that was undone puts the plan back: its order, its waits, and what the other cards say."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.domain.approvals import AskReason, Undo
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.plans.step_edits import StepAction
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from tests.support.async_tests import OpenedInLoop
from tests.support.plan_editing import Editing, plan_editing

A, S = StepAction, TaskStatus


@pytest.fixture
def editing(tmp_path: Path) -> OpenedInLoop:
    """Return a room with a chat and the operator's edits."""
    return OpenedInLoop(plan_editing(tmp_path))


@pytest.mark.parametrize("back", ["1", "2", "12", "21"])
async def test_the_steps_follow_again_in_their_order_and_say_nothing_of_it(editing: Editing, back: str) -> None:
    cards = await editing.plan("1", "2", "3")
    gone = [cards[int(one) - 1] for one in sorted(back)]
    await editing.reject(*gone)
    assert AskReason.EARLIER_STEP in (await editing.card(cards[2].task_id)).reasons
    for one in back:
        assert AskReason.EARLIER_STEP in (await editing.card(cards[2].task_id)).reasons
        again = await editing.returned(cards[int(one) - 1])
        assert again.graph_id == cards[0].graph_id
    last = await editing.card(cards[2].task_id)
    assert (last.note, last.reasons) == (None, (AskReason.REVIEW,))
    assert last.version > cards[2].version, "a press on the card that said so is outdated"
    assert await editing.words() == ["1", "2", "3"]
    open_steps = [await editing.card(one.task_id) for one in await editing.steps() if one.status not in {S.SKIPPED}]
    for card in reversed(open_steps):
        await editing.room.approve(card)
    await editing.room.worked_off()
    assert editing.room.texts() == ["1", "2", "3"], "approved last first, and sent in their order, once each"


async def test_what_an_approved_later_step_was_about_to_do_waits_again(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    wait = await editing.done(A.INSERT, one, new=PlannedWait(60))
    await editing.reject(one)
    await editing.room.approve(two)
    await editing.pass_time(30)
    again = await editing.returned(one)
    steps = {step.task_id: step for step in await editing.steps()}
    (anew,) = [step for step in steps.values() if step.kind is TaskKind.WAIT and step.task_id != wait]
    assert (steps[wait].status, anew.status, anew.depends_on) == (S.CANCELLED, S.PENDING, (again.task_id,))
    assert steps[two.task_id].depends_on == (anew.task_id,)
    await editing.pass_time(100)
    assert editing.room.texts() == []
    await editing.room.execute(again)
    await editing.pass_time(59)
    assert editing.room.texts() == ["1"]
    await editing.pass_time(2)
    assert editing.room.texts() == ["1", "2"]


async def test_behind_what_has_left_meanwhile_the_rest_still_waits_for_it(editing: Editing) -> None:
    one, two, three = await editing.plan("1", "2", "3")
    await editing.reject(one)
    await editing.room.execute(two)
    again = await editing.returned(one)
    await editing.room.execute(three)
    assert editing.room.texts() == ["2"]
    await editing.room.execute(again)
    assert editing.room.texts() == ["2", "1", "3"]


async def test_no_rule_decides_on_it_and_what_one_decided_meanwhile_asks_again(editing: Editing) -> None:
    chat_id = await editing.room.chat(trust=TrustLevel.AUTO)
    editing = Editing(editing.room, chat_id)
    await editing.room.lose_connection()
    one, two = await editing.plan("1", "2")
    for card in (one, two):
        await editing.room.decide(card, Undo())
    await editing.reject(one)
    three = await editing.done(A.INSERT, two, new=PlannedStep(TaskKind.SEND, "3"))
    assert (await editing.card(three)).by_rule
    again = await editing.returned(one)
    assert await editing.room.status(again, await editing.card(three)) == [S.AWAITING_DECISION] * 2
    await editing.room.back_online()
    await editing.pass_time(100)
    assert editing.room.texts() == []


async def test_undoing_the_edits_of_the_plan_in_turn_brings_nothing_back_twice(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    await editing.done(A.SKIP, one)
    again = await editing.returned(one)
    await editing.done(A.UNDO, two)
    assert (await editing.card(again.task_id)).task_status is S.CANCELLED
    await editing.done(A.UNDO, two)
    assert await editing.words() == ["1", "2"]
    assert await editing.refused(A.UNDO, two) == Note(Reason.NOTHING_TO_UNDO)


async def test_what_another_step_told_a_later_card_stays(editing: Editing) -> None:
    one, two, three = await editing.plan("1", "2", "3")
    await editing.reject(one, two)
    await editing.returned(two)
    told = await editing.card(three.task_id)
    assert (told.note, AskReason.EARLIER_STEP in told.reasons) == (Note(NoteKind.EARLIER_REJECTED), True)
