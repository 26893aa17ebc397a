"""No trigger is lost, whatever happens while its plan is made: it is planned, or the operator is told."""

from __future__ import annotations

import asyncio

import pytest

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.planning.lifecycle import let_key_waiters_go
from chimein_gui.engine.tasks.completion import let_wait_begin
from chimein_gui.engine.tasks.transitions import NEVER
from chimein_gui.engine.triggers.triggers import unanswered
from chimein_gui.viewmodels.words.notes import problem_words
from tests.support.ingest_room import GROUP, PAUL, IngestRoom
from tests.support.log_guard import ExpectedLogs
from tests.support.planning_room import PlanningRoom


async def call_that_finishes(room: PlanningRoom, answer: str | Exception) -> tuple[asyncio.Task[None], asyncio.Event]:
    """Begin a plan that newer messages have cut off twice: its call is not interrupted any more."""
    room.model.script += ["cut off", "cut off", answer]
    gate = room.close_gate()
    await room.trigger("first")
    for times in (1, 2):
        room.room.clock.advance(2)
        job = await room.asking(times)
        await room.trigger(f"once more, {times}")
        await job
        assert job.cancelling() == 0, "its call was interrupted, not the job"
    room.room.clock.advance(2)
    job = await room.asking(3)
    return job, gate


async def test_a_message_during_the_last_call_of_a_plan_that_is_given_up_is_planned(room: PlanningRoom) -> None:
    job, gate = await call_that_finishes(room, ModelRefusedError("blocked"))
    newest = await room.trigger("something else")
    gate.set()
    await job
    received = await room.due_plan()
    assert received.status is TaskStatus.WAITING
    assert received.trigger_ids[-1] == newest.key.message_id
    assert received.attempts == 0
    await room.later(2)
    assert [draft.text for draft in await room.drafts()] == ["answer 4"]


async def test_a_message_that_is_told_late_is_not_passed_over(room: PlanningRoom) -> None:
    """A gap is filled during the call: what it brings has lower ids than the trigger, and is not in the prompt."""
    room.next_id = 40
    job, gate = await call_that_finishes(room, "# «send»\nhello")
    room.next_id = 30
    late = await room.trigger("told late")
    gate.set()
    await job
    received = await room.due_plan()
    assert late.key.message_id in received.trigger_ids
    (draft,) = await room.drafts()
    assert AskReason.CHANGED in draft.reasons


async def test_a_draft_has_not_seen_a_message_that_is_told_late(room: PlanningRoom) -> None:
    """Sent as it is, the draft would count the late message as answered."""
    await room.room.written(1, out=True)
    await room.room.trust(TrustLevel.AUTO)
    room.next_id = 40
    await room.plan("hello")
    (draft,) = await room.drafts(TaskStatus.APPROVED)
    room.next_id = 30
    late = await room.trigger("told late")
    draft = await room.room.now(draft)
    assert draft.task_status is TaskStatus.AWAITING_DECISION
    assert draft.is_stale
    await room.later(2)
    assert "told late" in str(room.model.prompts[-1].turns)
    assert late.key.message_id in (await room.graph()).trigger_ids


async def test_a_plan_that_cannot_be_stored_is_tried_again(room: PlanningRoom, expected_logs: ExpectedLogs) -> None:
    """A plan that stays «running» with nobody making it would swallow all later messages, too."""
    expected_logs(r"ERROR chimein_gui\.engine\.planning\.planner: .*could not be stored")
    await room.due("hello")
    real, troubles = room.room.store.transact, [ValueError("nobody foresaw this")]

    async def transact(work, **options):
        def trouble(tx):
            result = work(tx)
            received = tx.tasks.open_received(room.room.chat_id)
            if received is None and troubles:
                raise troubles.pop()
            return result

        return await real(trouble, **options)

    room.room.store.transact = transact  # type: ignore[method-assign]
    await room.run()
    received = await room.due_plan()
    assert received.status is TaskStatus.WAITING
    assert "nobody foresaw this" in problem_words((await room.chat()).planning_problem)
    assert len(await room.booked()) == 1
    await room.later(10)
    assert [draft.text for draft in await room.drafts()] == ["answer 2"]


async def test_a_key_that_is_changed_during_a_call_with_the_old_one_is_not_called_bad(room: PlanningRoom) -> None:
    room.model.script.append(ModelKeyError("the old key is bad"))
    gate = room.close_gate()
    await room.due("hello")
    job = await room.asking(1)
    await room.planner.model_key_changed()
    gate.set()
    await job
    assert room.services.calls.key_problem("gemini-2.5-flash") is None
    received = await room.due_plan()
    assert received.due_at != NEVER
    await room.later(10)
    assert [draft.text for draft in await room.drafts()] == ["answer 2"]


async def test_messages_behind_a_failed_attempt_put_the_next_one_off_for_15_s_at_most(room: PlanningRoom) -> None:
    room.model.script.append(ModelTransientError("overloaded"))
    await room.plan()
    room.room.clock.advance(9)
    for _ in range(16):
        await room.trigger("and")
        room.room.clock.advance(1)
    received = await room.due_plan()
    assert received.due_at is not None
    assert received.due_at <= room.room.clock.now()


async def test_a_new_key_lets_a_plan_go_that_more_messages_came_for(room: PlanningRoom) -> None:
    room.model.script.append(ModelKeyError("bad"))
    await room.plan()
    await room.trigger("and")
    received = await room.due_plan()
    assert received.due_at == NEVER
    now = room.room.clock.now()
    assert await room.room.do(lambda tx: let_key_waiters_go(tx, now)) == (room.room.chat_id,)


async def test_a_reply_that_only_waits_is_said(room: PlanningRoom) -> None:
    room.model.script.append("# «wait»\ndelay: 5")
    await room.plan()
    assert "nothing to send" in problem_words((await room.chat()).planning_problem)


async def test_his_own_older_message_that_is_told_late_is_not_in_the_prompt(room: PlanningRoom) -> None:
    """An outgoing message that no request made marks the drafts, whatever its id."""
    room.next_id = 40
    gate = room.close_gate()
    await room.due("shall we meet?")
    job = await room.asking(1)
    room.next_id = 30
    await room.write("I am ill today", out=True)
    gate.set()
    await job
    (draft,) = await room.drafts()
    assert AskReason.CHANGED in draft.reasons


async def test_a_callout_is_not_forgotten_while_a_busy_group_waits_for_its_plan(room: IngestRoom) -> None:
    """During half an hour of takeover, or a night with a bad key, a group writes more than is looked through."""
    call = await room.says("Nora?", peer=GROUP, by=PAUL)
    chat = await room.chat(GROUP)
    for _ in range(310):
        room.listener.message_arrived(chat.info, room.message("chatter", peer=GROUP, by=PAUL))
    await room.ingest.flush()
    chat = await room.chat(GROUP)
    assert await room.do(lambda tx: unanswered(tx, chat)) == (call.key.message_id,)
    await room.deletes(call)
    assert await room.do(lambda tx: unanswered(tx, chat)) == ()


@pytest.mark.parametrize("delay", ["99999999999999999999", "1" + "0" * 400])
async def test_a_wait_without_end_can_be_allowed(room: PlanningRoom, delay: str) -> None:
    room.model.script.append(f"# «wait»\ndelay: {delay}\n# «send»\nlater")
    await room.plan()
    wait = (await room.steps())[1]
    assert wait.status is TaskStatus.AWAITING_OPERATOR
    await room.room.do(lambda tx: let_wait_begin(tx, wait.task_id, room.room.environment))
    assert (await room.steps())[1].status is TaskStatus.WAITING
