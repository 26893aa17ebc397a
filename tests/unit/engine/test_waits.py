"""Waits: counted from when they become ready; more than 24 h goes to the operator."""

from __future__ import annotations

from datetime import timedelta

import pytest

from chimein_gui.domain.approvals import AskReason, Reject
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import StepChanged
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.ports import TaskRow
from chimein_gui.engine.tasks.completion import end_wait, let_wait_begin, skip_wait
from chimein_gui.engine.tasks.next_action import EndWait, next_action
from tests.support.planning_room import PlanningRoom

S = TaskStatus


async def wait_of(room: PlanningRoom) -> TaskRow:
    return next(step for step in await room.steps() if step.kind is TaskKind.WAIT)


async def end(room: PlanningRoom) -> None:
    wait = await wait_of(room)
    room.room.bus.publish(*await room.room.do(lambda tx: end_wait(tx, wait.task_id, room.room.environment)))


async def planned(room: PlanningRoom, reply: str) -> None:
    room.model.script.append(reply)
    await room.plan()


async def test_a_wait_at_the_beginning_counts_from_the_plan_while_the_draft_is_queued(room: PlanningRoom) -> None:
    await planned(room, "# «wait»\ndelay: 30\n# «send»\nhello")
    wait, (draft,) = await wait_of(room), await room.drafts()
    assert (wait.status, wait.due_at) == (S.WAITING, room.room.clock.now() + timedelta(seconds=30))
    await room.room.press(draft)
    assert (await room.room.now(draft)).due_at is None
    room.room.clock.advance(29)
    await end(room)
    assert (await wait_of(room)).status is S.WAITING
    assert (await room.room.claim(draft)).claim is None
    room.room.clock.advance(1)
    await end(room)
    assert (await wait_of(room)).status is S.DONE
    assert (await room.room.now(draft)).due_at == room.room.clock.now()
    assert (await room.room.claim(draft)).claim is not None


async def test_a_wait_between_two_sends_begins_when_the_first_is_sent(room: PlanningRoom) -> None:
    await planned(room, "# «send»\none\n# «wait»\n5\n# «send»\ntwo")
    one, two = await room.drafts()
    await room.room.press(two)
    room.room.clock.advance(3600)
    assert (await wait_of(room)).status is S.PENDING
    await room.room.press(one)
    await room.deliver(one)
    wait = await wait_of(room)
    assert (wait.status, wait.due_at) == (S.WAITING, room.room.clock.now() + timedelta(seconds=5))
    work = await room.room.do(lambda tx: next_action(tx, room.room.chat_id, room.room.environment))
    assert isinstance(work, EndWait)
    assert (work.at, work.task_id) == (wait.due_at, wait.task_id)


@pytest.mark.parametrize(("text", "status"), [("86400", S.WAITING), ("86401", S.AWAITING_OPERATOR)])
async def test_more_than_24_h_goes_to_the_operator(room: PlanningRoom, text: str, status: TaskStatus) -> None:
    await planned(room, f"# «wait»\n{text}\n# «send»\nhello")
    assert (await wait_of(room)).status is status


async def test_the_operator_lets_a_long_wait_begin_or_skips_it(room: PlanningRoom) -> None:
    await planned(room, "# «wait»\n100000\n# «send»\nhello")
    wait = await wait_of(room)
    assert (await room.room.do(lambda tx: next_action(tx, room.room.chat_id, room.room.environment))) is None
    room.room.clock.advance(50)
    await room.room.do(lambda tx: let_wait_begin(tx, wait.task_id, room.room.environment))
    wait = await wait_of(room)
    assert (wait.status, wait.due_at) == (S.WAITING, room.room.clock.now() + timedelta(seconds=100000))
    events = await room.room.do(lambda tx: skip_wait(tx, wait.task_id, room.room.environment))
    assert (await wait_of(room)).status is S.SKIPPED
    (draft,) = await room.drafts()
    assert AskReason.EARLIER_STEP in draft.reasons
    assert draft.note == Note(NoteKind.EARLIER_SKIPPED)
    assert [event.status for event in events if isinstance(event, StepChanged)] == [S.SKIPPED]
    approved = (await room.room.press(draft)).approval
    assert (await room.room.claim(approved)).claim is not None


async def test_a_wait_behind_a_rejected_send_begins(room: PlanningRoom) -> None:
    await planned(room, "# «send»\none\n# «wait»\n5\n# «send»\ntwo")
    one, _ = await room.drafts()
    await room.room.press(one, Reject())
    assert (await wait_of(room)).status is S.WAITING


async def test_a_wait_behind_a_rejected_send_that_stands_behind_an_open_one_does_not_begin(room: PlanningRoom) -> None:
    await planned(room, "# «send»\none\n# «send»\ntwo\n# «wait»\n5\n# «send»\nthree")
    one, two, _ = await room.drafts()
    await room.room.press(two, Reject())
    assert (await wait_of(room)).status is S.PENDING
    await room.room.press(one)
    await room.deliver(one)
    assert (await wait_of(room)).status is S.WAITING


async def test_an_automatic_send_behind_a_wait_leaves_after_it(room: PlanningRoom) -> None:
    await room.room.trust(TrustLevel.AUTO)
    await planned(room, "# «wait»\n5\n# «send»\nhello")
    (draft,) = await room.drafts()
    assert (draft.task_status, draft.due_at) == (S.APPROVED, None)
    room.room.clock.advance(5)
    await end(room)
    assert (await room.room.claim(draft)).claim is not None
