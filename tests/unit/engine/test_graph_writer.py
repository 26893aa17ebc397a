"""One transaction replaces the plan of a chat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approve, AskReason
from chimein_gui.domain.chats import ChatKind, TriggerMode, TrustLevel
from chimein_gui.domain.errors import NotConnectedError
from chimein_gui.domain.events import TaskGraphReplaced
from chimein_gui.domain.notes import Note, PlanningKind, PlanningProblem
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.tasks import FINAL, ApprovalState, CancelReason, LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.planning.lifecycle import IN_DOUBT
from chimein_gui.engine.ports import GraphStanding, Transaction
from chimein_gui.engine.tasks.transitions import back_to_review
from chimein_gui.viewmodels.words.notes import problem_words
from tests.support.planning_room import PlanningRoom, planning_room

S = TaskStatus
CAT = StickerRef("Cats", "😺", 99, "😺")
EVERYTHING = """# «send»
one
# «wait»
delay: 30
# «sticker»
Cats
😺
# «block»
rude
# «unblock»
# «clear-conversation»
# «shutdown»
good night
# «remember»
Marta likes tea
# «think»
secret thoughts
# «retrieve»
https://example.org/
"""


async def texts(room: PlanningRoom, *statuses: TaskStatus) -> list[str]:
    return [draft.text for draft in await room.drafts(*statuses)]


async def test_every_kind_of_block_becomes_its_step_in_order(room: PlanningRoom) -> None:
    room.stickers["Cats", "😺"] = CAT
    room.model.script.append(EVERYTHING)
    await room.plan()
    steps = await room.steps()
    assert [(step.kind, step.status) for step in steps] == [
        (TaskKind.RECEIVED, S.DONE),
        (TaskKind.SEND, S.AWAITING_DECISION),
        (TaskKind.WAIT, S.PENDING),
        (TaskKind.STICKER, S.AWAITING_DECISION),
        (TaskKind.BLOCK, S.AWAITING_DECISION),
        (TaskKind.UNBLOCK, S.AWAITING_DECISION),
        (TaskKind.CLEAR_CONVERSATION, S.AWAITING_DECISION),
        (TaskKind.SHUTDOWN, S.AWAITING_DECISION),
    ]
    assert [step.depends_on for step in steps[1:]] == [(step.task_id,) for step in steps[:-1]]
    assert [step.position for step in steps] == list(range(8))
    drafts = await room.drafts()
    assert drafts[1].sticker == CAT
    assert drafts[-1].text == "good night"
    assert [AskReason.IRREVERSIBLE in draft.reasons for draft in drafts] == [False, False, True, True, True, True]


async def test_no_thought_is_stored_or_published_not_even_where_a_problem_quotes_it(
    tmp_path: Path, room: PlanningRoom
) -> None:
    reply = "# «think» secret thoughts\nand secret ones\n# «dance»\nhop\n# «send»\nhello"
    room.model.script += [reply, reply]
    await room.plan()
    await room.room.store.aclose()
    stored = (tmp_path / "chimein.db").read_bytes()
    assert b"hello" in stored
    assert b"secret" not in stored
    assert all("secret" not in repr(event) for event in room.room.events)
    assert "secret" not in repr(room.model.prompts)


async def test_the_plan_keeps_what_its_prompt_held_and_what_it_answers(room: PlanningRoom) -> None:
    anchor = await room.write("an old question", out=True)
    first = await room.trigger("one")
    second = await room.due("two", reply_to_id=anchor.key.message_id)
    await room.planner.plan(room.room.chat_id)
    graph = await room.graph()
    assert graph.trigger_ids == (first.key.message_id, second.key.message_id)
    assert (graph.span.low, graph.span.high) == (1, second.key.message_id)
    (draft,) = await room.drafts()
    assert draft.covers_up_to == second.key.message_id


async def test_a_replan_cancels_the_old_rest_and_keeps_what_is_finished(room: PlanningRoom) -> None:
    room.model.script.append("# «send»\none\n# «send»\ntwo\n# «wait»\n5\n# «send»\nthree")
    one, two, three = await room.planned()
    await room.room.press(one)
    await room.deliver(one)
    await room.room.press(two)
    old = (await room.graph()).graph_id
    room.room.clock.advance(60)
    await room.plan("and now?")
    by_text = {draft.text: await room.room.now(draft) for draft in (one, two, three)}
    assert by_text["one"].task_status is S.DONE
    assert by_text["two"].note == Note(CancelReason.SUPERSEDED_AFTER_APPROVAL)
    assert by_text["three"].note == Note(CancelReason.SUPERSEDED)
    assert {by_text[text].state for text in ("two", "three")} == {ApprovalState.SUPERSEDED}
    steps = await room.steps(old)
    assert [step.status for step in steps] == [S.DONE, S.DONE, S.CANCELLED, S.CANCELLED, S.CANCELLED]
    assert all(step.status in FINAL for step in steps)
    assert (await room.room.do(lambda tx: tx.graphs.get(old))).standing is GraphStanding.PAST
    assert await texts(room) == ["answer 2"]


async def test_a_requests_row_of_a_superseded_approval_ends(room: PlanningRoom) -> None:
    (draft,) = await room.planned()
    await room.room.press(draft)
    assert [row.state for row in await room.room.rows(draft)] == [LedgerState.PREPARED]
    await room.plan("wait")
    assert await room.room.rows(draft) == ()


async def test_what_perhaps_was_delivered_survives_a_replan(room: PlanningRoom) -> None:
    room.model.script.append("# «send»\none\n# «send»\ntwo")
    one, two = await room.planned()
    await room.room.press(one)
    await room.room.claim(one)
    await room.room.end_request(one, LedgerState.UNKNOWN)
    await room.room.do(lambda tx: back_to_review(tx, tx.approvals.get(one.approval_id), AskReason.NOT_DELIVERED, None))
    await room.plan("hello?")
    assert (await room.room.now(one)).task_status is S.AWAITING_DECISION
    assert (await room.room.now(two)).task_status is S.CANCELLED
    assert len(await room.room.rows(one)) == 1


async def test_what_is_on_its_way_and_the_operators_own_messages_stay(room: PlanningRoom) -> None:
    (draft,) = await room.planned()
    await room.room.press(draft)
    beside = await room.room.beside("from me")
    waiting = await room.room.beside("from me, too")
    await room.room.press(beside)
    await room.room.claim(beside)
    await room.plan("hello?")
    assert (await room.room.now(beside)).task_status is S.SENDING
    assert (await room.room.now(waiting)).task_status is S.AWAITING_DECISION
    assert (await room.room.now(draft)).task_status is S.CANCELLED


async def test_an_outcome_that_becomes_unknown_during_the_call_keeps_the_new_plan_out(room: PlanningRoom) -> None:
    (draft,) = await room.planned()
    await room.room.press(draft)
    gate = room.close_gate()
    await room.due("hello?")
    room.start()
    await room.model.asked(2)
    await room.room.change(draft, changed_at=0)
    assert (await room.room.claim(draft)).claim is not None
    await room.room.end_request(draft, LedgerState.UNKNOWN)
    gate.set()
    await room.jobs_end()
    received = await room.due_plan()
    assert (received.status, received.reason) == (S.WAITING, IN_DOUBT)
    assert [one.approval_id for one in await room.drafts()] == [draft.approval_id]


@pytest.mark.parametrize("reply", ["", "# «think»\nnothing to say", "# «remember»\nshe is busy"])
async def test_no_answer_is_shown_and_answers_the_trigger(room: PlanningRoom, reply: str) -> None:
    room.model.script.append(reply)
    await room.plan()
    chat = await room.chat()
    assert chat.planned_up_to == chat.newest_in_id
    assert chat.planning_problem == PlanningProblem(PlanningKind.SILENT)


async def test_a_reply_of_which_nothing_is_left_is_no_answer_of_the_models(room: PlanningRoom) -> None:
    room.model.script += ["# «dance»\nhop", "# «dance»\nhop hop"]
    await room.plan()
    chat = await room.chat()
    assert chat.planned_up_to == 0
    assert "dance" in problem_words(chat.planning_problem)


async def test_block_and_the_like_are_for_direct_messages_only(room: PlanningRoom) -> None:
    group = await room.another_chat(-500, ChatKind.GROUP)
    await room.room.do(lambda tx: tx.tasks.add(group, TaskKind.RECEIVED, S.READY))
    await room.write("@nora hello", chat_id=group)
    room.model.script.append("# «block»\n# «clear-conversation»\n# «send»\nbye")

    def every_message(tx: Transaction) -> None:
        tx.chats.set_settings(group, replace(tx.chats.get(group).settings, triggers=TriggerMode.EVERY))

    await room.room.do(every_message)
    await room.planner.plan(group)
    graph = await room.room.do(lambda tx: tx.graphs.current_of(group))
    assert graph is not None
    assert graph.problems == (
        ReplyProblem(ReplyFault.DIRECT_ONLY, 1, said=("block",)),
        ReplyProblem(ReplyFault.DIRECT_ONLY, 2, said=("clear-conversation",)),
    )
    drafts = await room.room.do(lambda tx: tx.approvals.of_graph(graph.graph_id))
    assert [draft.kind for draft in drafts] == [TaskKind.SEND]


async def test_an_unknown_sticker_goes_as_text_and_keeps_its_reply(room: PlanningRoom) -> None:
    target = await room.trigger()
    room.model.script.append(f"# «sticker» {target.key.message_id}\nDogs\n🐶 #2")
    await room.later(2)
    (draft,) = await room.drafts()
    assert (draft.kind, draft.text, draft.reply_to_id) == (TaskKind.SEND, "🐶", target.key.message_id)
    assert (await room.graph()).problems == (ReplyProblem(ReplyFault.STICKER_UNKNOWN, 1, said=("🐶 #2", "Dogs")),)


async def test_a_sticker_that_cannot_be_looked_up_costs_no_plan(room: PlanningRoom) -> None:
    room.stickers["Dogs", "🐶"] = NotConnectedError("the connection is lost")
    room.model.script.append("# «sticker»\nDogs\n🐶")
    await room.plan()
    assert await texts(room) == ["🐶"]
    assert (await room.graph()).problems == (
        ReplyProblem(ReplyFault.STICKER_NOT_FOUND_OUT, 1, said=("🐶", "Dogs", "")),
    )


async def test_a_reply_to_a_message_of_another_chat_is_dropped_and_reported(room: PlanningRoom) -> None:
    room.model.script.append("# «send» 987654321\nhello")
    (draft,) = await room.planned()
    assert draft.reply_to_id is None
    assert (await room.graph()).problems == (ReplyProblem(ReplyFault.NO_MESSAGE, 1, 987654321),)


async def test_observe_draws_the_plan_and_does_nothing_of_it(room: PlanningRoom) -> None:
    await room.room.trust(TrustLevel.OBSERVE)
    room.model.script.append("# «wait»\n5\n# «send»\nhello\n# «remember»\nMarta likes tea")
    work = await room.plan()
    assert [step.status for step in await room.steps()] == [S.DONE, S.SKIPPED, S.OBSERVED]
    graph = await room.graph()
    assert await room.room.do(lambda tx: tx.effects.memory(graph.graph_id, 0)) is None
    assert work is None


async def test_a_plan_without_end_is_cut_and_says_so(room: PlanningRoom) -> None:
    room.model.script.append("# «send»\nhop\n" * 70)
    await room.plan()
    assert len(await room.drafts()) == 50
    assert (await room.graph()).problems == (ReplyProblem(ReplyFault.TOO_MANY_STEPS, number=20, said=("50",)),)


async def test_an_approved_draft_is_not_replaced_while_the_new_plan_is_only_in_the_making(room: PlanningRoom) -> None:
    (draft,) = await room.planned()
    await room.room.press(draft, Approve())
    await room.due("and?")
    gate = room.close_gate()
    plan = await room.asking(2)
    during = await room.room.now(draft)
    assert (during.task_status, during.is_stale) == (S.APPROVED, True)
    gate.set()
    await plan
    assert (await room.room.now(draft)).task_status is S.CANCELLED


@pytest.mark.parametrize(
    ("trust", "known", "held", "is_read"),
    [
        (TrustLevel.AUTO, True, "", True),
        (TrustLevel.AUTO, False, "", False),
        (TrustLevel.AUTO, True, "disk full", False),
        (TrustLevel.COUNTDOWN, True, "", False),
    ],
)
async def test_only_a_plan_that_nobody_decides_on_marks_the_chat_as_read_at_its_start(
    tmp_path: Path, trust: TrustLevel, *, known: bool, held: str, is_read: bool
) -> None:
    async with planning_room(tmp_path, known=known, memory_hold=held) as room:
        await room.room.trust(trust)
        gate = room.close_gate()
        message = await room.due()
        plan = await room.asking(1)
        assert room.read == ([message.key.message_id] if is_read else [])
        gate.set()
        await plan


async def test_a_new_plan_is_told_with_all_its_steps(room: PlanningRoom) -> None:
    room.model.script.append("# «send»\none\n# «wait»\ndelay: 5\n# «send»\ntwo")
    await room.plan()
    (event,) = [event for event in room.room.events if isinstance(event, TaskGraphReplaced)]
    graph, steps = event.graph, await room.steps()
    assert (graph.graph_id, graph.chat_id) == ((await room.graph()).graph_id, room.room.chat_id)
    assert graph.trigger_ids == (await room.graph()).trigger_ids != ()
    assert [step.kind for step in graph.steps] == [TaskKind.RECEIVED, TaskKind.SEND, TaskKind.WAIT, TaskKind.SEND]
    assert [(step.task_id, step.status, step.depends_on) for step in graph.steps] == [
        (step.task_id, step.status, step.depends_on) for step in steps
    ]
    assert [step.wait_s for step in graph.steps] == [None, None, 5.0, None]
