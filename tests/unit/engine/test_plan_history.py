"""Earlier plans of a chat: how each ended, when, and what came after it; page by page, with a cost of its own."""

from __future__ import annotations

import pytest

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import ModelRefusedError, NotFoundError
from chimein_gui.domain.ids import ChatId, GraphId
from chimein_gui.domain.notes import NoteKind
from chimein_gui.domain.plans.details import IN_THE_MAKING, PlanDetails, PlanEnd
from chimein_gui.domain.tasks import CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.operator.plan_history import PAGE_PLANS, PlanHistory, read_plan_page
from chimein_gui.engine.ports import GraphStanding, NewGraph, Transaction
from chimein_gui.engine.tasks.completion import cancel_steps
from chimein_gui.engine.tasks.graphs import reject_rest
from chimein_gui.engine.tasks.transitions import move_task
from tests.support.planning_room import PlanningRoom
from tests.unit.adapters.store.builders import connection_of, later
from tests.unit.adapters.store.sql_work import counted

E, S = PlanEnd, TaskStatus


def history(room: PlanningRoom) -> PlanHistory:
    return PlanHistory(room.room.store)


async def look(room: PlanningRoom) -> PlanDetails:
    """Return the plan that the chat follows."""
    (plan,) = (await history(room).current(room.room.chat_id)).rows
    return plan


async def past(room: PlanningRoom) -> dict[GraphId, PlanDetails]:
    return {plan.graph_id: plan for plan in (await history(room).page(room.room.chat_id)).plans}


async def plan(room: PlanningRoom, reply: str = "# «send»\none\n# «send»\ntwo", text: str = "hello") -> GraphId:
    room.model.script.append(reply)
    await room.plan(text)
    return (await room.graph()).graph_id


async def test_a_replaced_plan_names_its_successor_its_trigger_and_when(room: PlanningRoom) -> None:
    first = await plan(room, text="are you there?")
    one, _two = await room.drafts()
    open_plan = await look(room)
    assert (open_plan.end, open_plan.ended_at, open_plan.is_current) == (E.OPEN, None, True)
    await room.room.press(one)
    await room.deliver(one)
    second = await plan(room, text="anyone?")
    replaced_at = room.room.clock.now()
    room.room.clock.advance(60)
    third = await plan(room, text="hello?")
    found = await past(room)
    assert list(found) == [second, first]
    old = found[first]
    assert (old.end, old.successor, old.ended_at) == (E.REPLACED, second, replaced_at)
    assert [message.text for message in old.triggers] == ["are you there?"]
    assert [card.text for card in old.cards] == ["one", "two"]
    assert [step.status for step in old.graph.steps] == [S.DONE, S.DONE, S.CANCELLED]
    assert not old.is_current
    assert (found[second].end, found[second].successor) == (E.REPLACED, third)
    assert await history(room).plan(first) == old


@pytest.mark.parametrize("end", [E.SENT, E.REJECTED, E.OBSERVED, E.NO_ANSWER, E.FAILED, E.ENDED])
async def test_how_a_plan_ends(room: PlanningRoom, end: PlanEnd) -> None:
    if end is E.OBSERVED:
        await room.room.trust(TrustLevel.OBSERVE)
    graph_id = await plan(room, "# «think»\nno" if end is E.NO_ANSWER else "# «send»\none")
    room.room.clock.advance(30)
    ended_at = room.room.clock.now()

    def change(tx: Transaction) -> None:
        step = tx.tasks.of_graph(graph_id)[-1]
        if end is E.REJECTED:
            reject_rest(tx, graph_id, "", ended_at)
        elif end is E.FAILED:
            for status in (S.SENDING, S.FAILED):
                step = move_task(tx, step, status)
        elif end is E.ENDED:
            cancel_steps(tx, [step], CancelReason.ACCOUNT_CHANGED)

    if end in {E.SENT, E.FAILED}:
        (draft,) = await room.drafts()
        await room.room.press(draft)
    if end is E.SENT:
        await room.deliver(draft)
    await room.room.do(change)
    found = await look(room)
    assert (found.end, found.successor, found.failed) == (end, None, None)
    stored_at = found.graph.created_at
    assert found.ended_at == (stored_at if end in {E.OBSERVED, E.NO_ANSWER} else ended_at)


async def test_a_plan_that_was_given_up_says_why_and_can_be_dismissed(room: PlanningRoom) -> None:
    first = await plan(room)
    room.model.script.append(ModelRefusedError("blocked"))
    trigger = await room.due("and now?")
    await room.run()
    (failed,) = (await past(room)).values()
    assert (failed.end, failed.successor, failed.ended_at) == (E.FAILED, None, room.room.clock.now())
    assert failed.failed is not None
    assert failed.failed.kind is NoteKind.MODEL_FAILED
    assert [message.text for message in failed.triggers][-1] == "and now?"
    assert (await look(room)).graph_id == first, "the old one is still followed"
    assert (await room.chat()).planning_problem is not None
    await room.room.do(lambda tx: reject_rest(tx, failed.graph_id, "", room.room.clock.now()))
    assert failed.is_unanswered
    assert not (await past(room))[failed.graph_id].is_unanswered
    chat = await room.chat()
    assert (chat.planning_problem, chat.planned_up_to) == (None, trigger.key.message_id)
    newest = await plan(room, text="hello again")
    found = await past(room)
    assert found[first].successor == newest, "a plan that could not be made replaces nothing"
    assert found[failed.graph_id].successor == newest


async def test_variants_that_were_not_chosen_and_own_messages_are_no_plans(room: PlanningRoom) -> None:
    first = await plan(room)
    made = []
    for reply in ("# «send»\nuno", "# «send»\neins", "# «send»\nun"):
        room.model.script.append(reply)
        made.append((await room.variants.regenerate(first, "warmer")).graph_id)
    unwanted, chosen, _other = made
    assert unwanted is not None
    assert chosen is not None
    await room.variants.discard(unwanted)
    await room.room.beside("by the way")
    room.room.clock.advance(60)
    await room.variants.choose(chosen)
    (old,) = (await past(room)).values()
    assert (old.graph_id, old.end, old.successor) == (first, E.REPLACED, chosen)
    assert old.ended_at == room.room.clock.now()
    await plan(room)
    assert list(await past(room)) == [chosen, first]


def fill(tx: Transaction, chat_id: ChatId, count: int) -> None:
    """Store past plans, each beside a message of the operator's own."""
    for number in range(count):
        for standing in (GraphStanding.BESIDE, GraphStanding.PAST):
            graph_id = tx.graphs.add(NewGraph(chat_id, later(number), standing=standing))
            tx.tasks.add(chat_id, TaskKind.WAIT, S.CANCELLED, graph_id=graph_id, position=1, wait_s=5.0)


async def test_the_first_page_costs_the_same_of_10_000_plans_as_of_a_few(room: PlanningRoom) -> None:
    chat_id = room.room.chat_id

    def cost(tx: Transaction) -> int:
        with counted(connection_of(tx)) as work:
            page = read_plan_page(tx, chat_id, None, PAGE_PLANS)
        assert (len(page.plans), page.has_more) == (PAGE_PLANS, True)
        return work.steps

    costs = []
    for more in (30, 9_970):
        await room.room.do(lambda tx, more=more: fill(tx, chat_id, more))  # type: ignore[misc]
        costs.append(await room.room.store.read(cost))
    assert costs[1] <= costs[0] * 1.1
    page = await history(room).page(chat_id)
    older = await history(room).page(chat_id, page.plans[-1].graph_id, limit=50)
    assert (len(older.plans), older.has_more) == (50, True)
    ids = [one.graph_id for one in (*page.plans, *older.plans)]
    assert ids == sorted(set(ids), reverse=True)
    with pytest.raises(NotFoundError):
        await history(room).plan(GraphId(10**9))


async def test_a_plan_in_the_making_is_listed_behind_the_current_one(room: PlanningRoom) -> None:
    first = await plan(room)
    waiting = await room.room.store.transact(
        lambda tx: tx.tasks.add(room.room.chat_id, TaskKind.RECEIVED, S.WAITING, due_at=room.room.clock.now())
    )
    current, making = (await history(room).current(room.room.chat_id)).rows
    assert (current.graph_id, making.graph_id, making.is_current) == (first, IN_THE_MAKING, True)
    (step,) = making.graph.steps
    assert (step.task_id, step.status, step.until) == (waiting, S.WAITING, room.room.clock.now())
