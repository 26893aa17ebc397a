"""Regenerate, choose, discard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import ApproveEdited, AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.costs import CallEnd
from chimein_gui.domain.errors import ModelRefusedError
from chimein_gui.domain.events import ApprovalRequested, TaskGraphReplaced, VariantStored
from chimein_gui.domain.ids import GraphId
from chimein_gui.domain.notes import Note, PlanningKind, PlanningProblem
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import CancelReason, LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.operator.composer import Composer
from chimein_gui.engine.planning.variant_store import IN_DOUBT, NEXT_PLAN, NO_VARIANT, NOTHING_LEFT, REPLACED
from chimein_gui.engine.planning.variants import BUSY, KEPT, Regenerated
from chimein_gui.engine.ports import GraphStanding, MemoryState, Transaction
from chimein_gui.engine.prompt.inputs import kept_instruction
from chimein_gui.engine.tasks.graphs import reject_rest
from tests.support.decision_room import QUICK
from tests.support.planning_room import PlanningRoom, planning_room
from tests.support.variant_jobs import begin, planned

S = TaskStatus


async def a_variant(room: PlanningRoom, graph_id: GraphId, reply: str, instruction: str = "warmer") -> GraphId:
    room.model.script.append(reply)
    made = await room.variants.regenerate(graph_id, instruction)
    assert made.graph_id is not None, made.note
    return made.graph_id


def system(room: PlanningRoom) -> str:
    return room.model.prompts[-1].last_block


async def test_a_variant_is_parked_and_the_plan_stays(room: PlanningRoom) -> None:
    plan = await planned(room)
    before = await room.drafts()
    made = await a_variant(room, plan, "# «wait»\n5\n# «send»\nuno\n# «remember»\nShe likes it warm")
    assert (await room.graph()).graph_id == plan
    assert await room.drafts() == before
    variant = await room.room.do(lambda tx: tx.graphs.get(made))
    assert (variant.standing, variant.variant_of, variant.instruction) == (GraphStanding.VARIANT, plan, "warmer")
    assert [step.status for step in await room.steps(made)] == [S.PENDING, S.PARKED]
    effect = await room.room.do(lambda tx: tx.effects.memory(made, 0))
    assert effect is not None
    assert effect.state is MemoryState.PARKED
    assert await room.room.do(lambda tx: tx.effects.memories_to_write()) == ()
    (event,) = [event for event in room.room.events if isinstance(event, VariantStored)]
    told = event.graph
    assert (told.graph_id, told.variant_of, told.instruction) == (made, plan, "warmer")
    assert [(step.kind, step.status) for step in told.steps] == [(TaskKind.WAIT, S.PENDING), (TaskKind.SEND, S.PARKED)]
    assert [draft.text for draft in event.drafts] == ["uno"]
    assert not await room.room.do(lambda tx: [a for a in tx.approvals.waiting() if a.graph_id == made])
    assert [call.purpose for call in await room.booked()] == ["plan", "regenerate"]
    assert await room.variants.choose(made) is None
    assert [step.status for step in await room.steps(made)] == [S.WAITING, S.AWAITING_DECISION], "now it begins"


async def test_choosing_swaps_graphs_in_one_transaction(room: PlanningRoom) -> None:
    plan = await planned(room)
    one, two, three = await room.drafts()
    await room.room.press(two)
    made = await a_variant(room, plan, "# «send»\nuno\n# «remember»\nShe likes it warm")
    other = await a_variant(room, plan, "# «send»\neins\n# «remember»\nother")
    room.room.events.clear()
    assert await room.variants.choose(made) is None
    for draft in (one, two, three):
        now = await room.room.now(draft)
        assert (now.task_status, now.note) == (S.CANCELLED, Note(CancelReason.VARIANT))
    assert await room.room.rows(two) == ()
    assert (await room.graph()).graph_id == made
    assert [draft.text for draft in await room.drafts(S.AWAITING_DECISION)] == ["uno"]
    standings = [await room.room.do(lambda tx, g=g: tx.graphs.get(g).standing) for g in (plan, other)]  # type: ignore[misc]
    assert standings == [GraphStanding.PAST, GraphStanding.RETIRED]
    assert [step.status for step in await room.steps(other)] == [S.CANCELLED]
    states = [await room.room.do(lambda tx, g=g: tx.effects.memory(g, 0)) for g in (made, other)]  # type: ignore[misc]
    assert [effect and effect.state for effect in states] == [MemoryState.PREPARED, MemoryState.UNDONE]
    kinds = [e for e in room.room.events if isinstance(e, TaskGraphReplaced | ApprovalRequested)]
    assert [type(event) for event in kinds] == [TaskGraphReplaced, ApprovalRequested]
    told = kinds[0].graph if isinstance(kinds[0], TaskGraphReplaced) else None
    assert told is not None
    assert (told.graph_id, told.variant_of) == (made, plan)
    assert [(step.task_id, step.status) for step in told.steps] == [
        (step.task_id, step.status) for step in await room.steps(made)
    ]
    assert len({event.revision for event in room.room.events if hasattr(event, "revision")}) == 1
    (chosen,) = await room.drafts()
    assert (await room.room.press(chosen)).approval.task_status is S.APPROVED


async def test_regenerate_after_part_of_the_plan_was_sent(room: PlanningRoom) -> None:
    """What was sent stays; the variant is written for the rest and leaves behind it."""
    plan = await planned(room)
    one, two, three = await room.drafts()
    await room.room.press(one)
    await room.deliver(one)
    made = await a_variant(room, plan, "# «send»\ndos\n# «send»\ntres")
    assert "sent already; do not repeat it, write only what follows:\n⟦quote⟧\n> one\n⟦end" in system(room)
    assert "replaces them:\n⟦quote⟧\n> two\n> three\n⟦end" in system(room)
    assert await room.variants.choose(made) is None
    assert (await room.room.now(one)).task_status is S.DONE
    assert [(await room.room.now(draft)).task_status for draft in (two, three)] == [S.CANCELLED, S.CANCELLED]
    dos, tres = await room.drafts()
    assert not dos.is_stale
    await room.room.press(tres)
    await room.room.press(dos)
    assert (await room.room.claim(tres)).claim is None
    await room.deliver(dos)
    assert (await room.deliver(tres)).task_status is S.DONE


async def test_a_send_during_it_restarts_it(room: PlanningRoom) -> None:
    plan = await planned(room)
    one, *_ = await room.drafts()
    await room.room.press(one)
    gate = room.close_gate()
    room.model.script += ["# «send»\nold", "# «send»\nnew"]
    job = begin(room, plan)
    await room.model.asked(2)
    claimed = await room.room.claim(one)
    assert claimed.claim is not None
    await room.confirm(one, claimed.claim.row.ledger_id)
    await room.model.asked(3)
    assert "do not repeat it, write only what follows:\n⟦quote⟧\n> one\n⟦end" in system(room)
    gate.set()
    await job.task
    assert job.result is not None
    assert job.result.graph_id is not None
    texts = await room.room.do(lambda tx: [a.text for a in tx.approvals.of_graph(job.result.graph_id)])  # type: ignore[union-attr,arg-type]
    assert texts == ["new"]
    ends = [(call.purpose, call.end) for call in await room.booked()][1:]
    assert ends == [("regenerate", CallEnd.CANCELLED), ("regenerate", CallEnd.ANSWERED)]


async def test_a_partners_message_cancels_it_and_the_instruction_goes_with_the_next_plan(room: PlanningRoom) -> None:
    plan = await planned(room)
    gate = room.close_gate()
    job = begin(room, plan, "mention the weather")
    await room.model.asked(2)
    await room.trigger("wait!")
    await job.task
    assert job.result == Regenerated(None, KEPT)
    assert [call.end for call in await room.booked()] == [CallEnd.ANSWERED, CallEnd.CANCELLED]
    gate.set()
    await room.later(2)
    assert "Note of your operator, not from the chat: mention the weather" in system(room)
    await room.plan("and now?")
    assert "mention the weather" not in system(room)


@pytest.mark.parametrize("is_stored", [True, False])
async def test_cancelled_while_it_is_stored_its_calls_are_booked_once(room: PlanningRoom, is_stored: bool) -> None:
    plan = await planned(room)
    gate = room.close_gate()
    job = begin(room, plan, "mention the weather")
    await room.model.asked(2)
    real = room.room.store.transact

    async def transact(work: Callable[[Transaction], Any], **options: Any) -> Any:
        if is_stored:
            await real(work, **options)
        job.task.cancel()
        await asyncio.Event().wait()

    room.room.store.transact = transact  # type: ignore[method-assign]
    gate.set()
    await asyncio.gather(job.task, return_exceptions=True)
    room.room.store.transact = real  # type: ignore[method-assign]
    assert [call.purpose for call in await room.booked()] == ["plan", "regenerate"]
    instructions = await room.room.do(lambda tx: [one.instruction for one in tx.graphs.variants_of(plan)])
    assert instructions == ["mention the weather"], "the variant carries it, or the next plan"
    assert (await room.room.do(lambda tx: kept_instruction(tx, plan)) == "") is is_stored


async def test_with_a_message_waiting_for_its_plan_the_instruction_goes_with_that(room: PlanningRoom) -> None:
    plan = await planned(room)
    await room.trigger("one more")
    made = await room.variants.regenerate(plan, "mention the weather")
    assert made.graph_id is None
    assert made.note == NEXT_PLAN
    assert len(room.model.prompts) == 1
    await room.later(2)
    assert "mention the weather" in system(room)


async def test_a_plan_in_the_making_is_begun_again_with_the_instruction(room: PlanningRoom) -> None:
    plan = await planned(room)
    gate = room.close_gate()
    await room.due("one more")
    making = await room.asking(2)
    await room.variants.regenerate(plan, "mention the weather")
    await making
    gate.set()
    await room.later(2)
    assert "mention the weather" in system(room)


async def test_a_new_plan_ends_the_variants_of_the_old_one(room: PlanningRoom) -> None:
    made = await a_variant(room, await planned(room), "# «wait»\n5\n# «send»\nuno\n# «remember»\nwarm")
    await room.plan("and?")
    assert [step.status for step in await room.steps(made)] == [S.CANCELLED, S.CANCELLED]
    assert await room.variants.choose(made) == NO_VARIANT
    effect = await room.room.do(lambda tx: tx.effects.memory(made, 0))
    assert effect is not None
    assert effect.state is MemoryState.UNDONE


async def test_a_discarded_variant_is_gone_and_the_plan_goes_on(room: PlanningRoom) -> None:
    plan = await planned(room)
    before = await room.drafts()
    made = await a_variant(room, plan, "# «send»\nuno")
    assert await room.variants.discard(made) is None
    assert await room.drafts() == before
    assert await room.variants.choose(made) is not None
    assert await room.variants.discard(made) is not None
    assert [step.reason for step in await room.steps(made)] == [Note(CancelReason.VARIANT)]


async def test_a_variant_that_is_older_than_a_send_of_the_plan_says_so(room: PlanningRoom) -> None:
    plan = await planned(room)
    made = await a_variant(room, plan, "# «send»\nuno")
    one, *_ = await room.drafts()
    await room.room.press(one)
    await room.deliver(one)
    assert await room.variants.choose(made) is None
    (uno,) = await room.drafts()
    assert AskReason.CHANGED in uno.reasons
    assert uno.is_stale


async def test_a_chosen_variant_stands_behind_what_is_on_its_way(room: PlanningRoom) -> None:
    plan = await planned(room)
    one, *_ = await room.drafts()
    made = await a_variant(room, plan, "# «wait»\n5\n# «send»\nuno")
    await room.room.press(one)
    claimed = await room.room.claim(one)
    assert claimed.claim is not None
    assert await room.variants.choose(made) is None
    wait, _ = await room.steps(made)
    assert wait.status is S.PENDING
    room.room.clock.advance(3)
    await room.confirm(one, claimed.claim.row.ledger_id)
    wait, _ = await room.steps(made)
    assert wait.status is S.WAITING
    assert wait.due_at == room.room.clock.now() + timedelta(seconds=5)


async def test_a_send_after_the_call_but_before_the_variant_is_stored_restarts_it_too(room: PlanningRoom) -> None:
    plan = await planned(room)
    one, *_ = await room.drafts()
    await room.room.press(one)
    claimed = await room.room.claim(one)
    assert claimed.claim is not None
    row_id = claimed.claim.row.ledger_id

    async def confirm_meanwhile(_set_name: str, _name: str) -> None:
        await room.confirm(one, row_id)

    room.find_sticker = confirm_meanwhile  # type: ignore[method-assign,assignment]
    room.model.script += ["# «sticker»\nCats\n😺", "# «send»\nnew"]
    made = await room.variants.regenerate(plan)
    assert made.graph_id is not None
    drafts = await room.room.do(lambda tx: tx.approvals.of_graph(made.graph_id))  # type: ignore[arg-type]
    assert [draft.text for draft in drafts] == ["new"]
    assert len(room.model.prompts) == 3


async def test_with_an_outcome_in_doubt_there_is_neither_a_regenerate_nor_a_choice(room: PlanningRoom) -> None:
    plan = await planned(room)
    made = await a_variant(room, plan, "# «send»\nuno")
    one, *_ = await room.drafts()
    await room.room.press(one)
    await room.room.claim(one)
    await room.room.end_request(one, LedgerState.UNKNOWN)
    assert await room.variants.choose(made) == IN_DOUBT
    assert (await room.variants.regenerate(plan)).note == IN_DOUBT
    assert (await room.graph()).graph_id == plan


async def test_there_is_nothing_to_regenerate_of_a_plan_that_is_over(room: PlanningRoom) -> None:
    plan = await planned(room, "# «send»\none")
    (one,) = await room.drafts()
    await room.room.press(one)
    await room.deliver(one)
    assert (await room.variants.regenerate(plan)).note == NOTHING_LEFT
    await room.plan("and?")
    assert (await room.variants.regenerate(plan)).note == REPLACED
    assert len(room.model.prompts) == 2


async def test_a_refusal_and_a_version_without_anything_to_send_are_explained_and_booked(room: PlanningRoom) -> None:
    plan = await planned(room)
    room.model.script.append(ModelRefusedError("Gemini blocked the prompt."))
    made = await room.variants.regenerate(plan)
    assert made == Regenerated(None, Note(Reason.NO_VERSION, "Gemini blocked the prompt"))
    assert len(await room.booked()) == 2
    assert "in another way" in system(room)
    room.model.script.append("# «think»\nno idea")
    made = await room.variants.regenerate(plan)
    assert made.graph_id is None
    assert made.problem == PlanningProblem(PlanningKind.SILENT)
    assert await room.room.do(lambda tx: tx.graphs.variants_of(plan)) == ()


async def test_one_regenerate_of_a_chat_at_a_time(room: PlanningRoom) -> None:
    plan = await planned(room)
    gate = room.close_gate()
    job = begin(room, plan)
    await room.model.asked(2)
    assert await room.variants.regenerate(plan) == Regenerated(None, BUSY)
    gate.set()
    await job.task
    assert job.result is not None
    assert job.result.graph_id is not None


async def test_an_edit_of_a_replaced_draft_is_not_lost_by_the_choice(room: PlanningRoom) -> None:
    plan = await planned(room)
    made = await a_variant(room, plan, "# «send»\nuno")
    one, *_ = await room.drafts()
    await room.room.press(one, ApproveEdited("my own words"))
    await room.variants.choose(made)
    saved_edits = await room.room.do(lambda tx: tx.saved_edits.of_chat(room.room.chat_id))
    (uno,) = await room.drafts()
    assert [(edit.mine, edit.base, edit.paired_with) for edit in saved_edits] == [
        ("my own words", "one", uno.approval_id)
    ]


COMPOSED = "I answer this myself"


def composer(room: PlanningRoom) -> Composer:
    base = room.room
    return Composer(base.unit, base.environment)


async def test_a_plan_whose_model_has_not_seen_his_message_on_its_way_does_not_leave_by_itself(tmp_path: Path) -> None:
    """What the operator composes waits until the plan is made: no message in the chat tells the model of it."""
    async with planning_room(tmp_path, preferences=replace(QUICK, takeover_s=0)) as room:
        await room.room.written(1, out=True)
        await room.room.trust(TrustLevel.AUTO)
        gate = room.close_gate()
        await room.due("shall we meet?")
        job = await room.asking(1)
        await composer(room).write(room.room.chat_id, COMPOSED, client_id="press")
        gate.set()
        await job
        (draft,) = await room.drafts()
        assert draft.task_status is TaskStatus.AWAITING_DECISION
        assert AskReason.CHANGED in draft.reasons


async def test_a_variant_whose_model_has_not_seen_his_message_says_so_too(room: PlanningRoom) -> None:
    plan = await planned(room)
    await composer(room).write(room.room.chat_id, COMPOSED, client_id="press")
    made = await room.variants.regenerate(plan, "warmer")
    assert made.graph_id is not None, made.note
    variant = made.graph_id
    (draft,) = await room.room.do(lambda tx: tx.approvals.of_graph(variant))
    assert AskReason.CHANGED in draft.reasons


async def test_a_plan_that_is_rejected_during_a_regenerate_has_no_variant(room: PlanningRoom) -> None:
    plan = await planned(room)
    gate = room.close_gate()
    job = begin(room, plan)
    await room.model.asked(2)
    await room.room.do(lambda tx: reject_rest(tx, plan, "no", room.room.clock.now()))
    gate.set()
    await job.task
    assert job.result == Regenerated(None, NOTHING_LEFT)
    assert await room.room.do(lambda tx: tx.tasks.current_of_chat(room.room.chat_id)) == ()
