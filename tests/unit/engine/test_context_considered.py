"""What the operator can see of the choice of a plan, and of the one that would be made now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.chats import ContextPin, PinKind
from chimein_gui.domain.context.explained import Evidence
from chimein_gui.domain.ids import GraphId, MessageId
from chimein_gui.domain.prompt.considered import ConsideredMessage, ContextSelection
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from chimein_gui.domain.prompt.spans import PromptSpan
from tests.support.group_room import NORA, GroupRoom, group_room, texts

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0


async def seen(here: GroupRoom, graph_id: GraphId | None = None, *, now: bool = False) -> ContextSelection:
    found = await here.room.engine.contexts.load(await here.chat_id(), graph_id, now=now)
    return found.rows[0]


def of(selection: ContextSelection, number: int) -> ConsideredMessage:
    return next(one for one in selection.messages if one.message_id == number)


async def test_a_plan_shows_what_it_stored_with_links_and_what_the_rule_of_gaps_would_take(here: GroupRoom) -> None:
    (old,) = here.group.said((3 * DAY, "Wen", "We need a name for the ferry, something with wind"))
    here.group.said((10 * MINUTE, "Tom", "the tent is dry"), (5 * MINUTE, "Priya", "then we pack the tent, Tom"))
    await here.call("Ida", "Nora, your idea for the ferry?", reply_to=old)
    graph = await here.graph()
    found = await seen(here)
    assert (found.graph_id, [one.graph_id for one in found.plans]) == (graph.graph_id, [graph.graph_id])
    assert (found.target, found.history, found.is_stored) == (MessageId(4), None, True)
    stored = {one.message_id: (one.included, one.percent, one.reason) for one in graph.span.choices}
    shown = {one.message_id: (one.included, one.percent, one.reason) for one in found.messages if one.message_id != 4}
    assert shown == stored
    anchor, trigger = of(found, old), of(found, 4)
    assert (anchor.reason, anchor.percent, anchor.in_session) == ("anchor", 100, False)
    assert (trigger.reason, trigger.percent, trigger.parent, trigger.is_reply) == ("trigger", None, old, True)
    assert [one.message_id for one in found.messages if one.in_session] == [2, 3, 4]
    assert (of(found, 3).parent, of(found, 3).is_reply) == (2, False), "a likely answer"


async def test_a_likely_answer_is_explained_by_what_it_has_in_common_with_the_best_of_its_possible_parents(
    here: GroupRoom,
) -> None:
    here.group.said((10 * MINUTE, "Tom", "the tent is dry"), (9 * MINUTE, "Wen", "who brings salt?"))
    here.group.said((5 * MINUTE, "Priya", "then we pack the tent, Tom"))
    await here.call("Ida", "Nora, what do you say?", reply_to=2)
    chat, contexts = await here.chat_id(), here.room.engine.contexts
    found = await contexts.explain(chat, MessageId(3), (await here.graph()).graph_id)
    assert found is not None
    assert (found.best, found.words, found.turns, found.names_it) == (1, ("tent", "the"), 2, True)
    assert (found.parents[0].message_id, of(await seen(here), 3).parent) == (1, 1)
    assert sum(one.probability for one in found.parents) + found.others == pytest.approx(1.0)
    weights = {one.kind: one.weight for one in found.evidence}
    assert set(weights) == set(Evidence)
    assert weights[Evidence.NAMES] + weights[Evidence.WORDS] > 0.1
    assert await contexts.explain(chat, MessageId(4)) is None, "an explicit reply was not weighed"


async def test_what_would_be_taken_now_counts_what_came_since(here: GroupRoom) -> None:
    here.group.said((10 * MINUTE, "Tom", "the tent is dry"))
    await here.call("Tom", "Nora, shall we pack the tent?")
    here.group.said((0.0, "Tom", "or leave the tent up, Priya"))
    await here.settled()
    then, now = await seen(here), await seen(here, now=True)
    assert now.graph_id is None
    assert now.plans == then.plans
    assert [one.message_id for one in then.messages] == [1, 2]
    assert [one.message_id for one in now.messages][:3] == [1, 2, 3]


async def test_a_fixed_history_says_so_and_what_is_forgotten_says_that(tmp_path: Path) -> None:
    async with group_room(tmp_path, spec=replace(NORA, group_history=3)) as here:
        here.group.said(*((HOUR - n, "Ben", f"line {n}") for n in range(10)))
        await here.call("Tom", reply_to=2)
        for found in (await seen(here), await seen(here, now=True)):
            assert (found.history, found.is_stored) == (3, True)
            taken = [(one.message_id, one.reason) for one in found.messages if one.included]
            assert taken == [(2, "history"), (9, "history"), (10, "history"), (11, "trigger")]
            assert {one.percent for one in found.messages} == {None}


async def test_an_old_plan_without_its_choices_shows_only_what_it_answered(here: GroupRoom) -> None:
    here.group.said((10 * MINUTE, "Tom", "the tent is dry"))
    await here.call("Tom", "Nora, shall we pack the tent?")
    graph = await here.graph()
    forgotten = PromptSpan(graph.span.low, graph.span.high, graph.span.extra)
    await here.room.store.transact(lambda tx: tx.graphs.save(replace(graph, span=forgotten)))
    found = await seen(here, graph.graph_id)
    assert (found.is_stored, [one.message_id for one in found.messages]) == (False, [2])


async def test_a_chat_without_plans_shows_the_newest_message_of_a_partner(here: GroupRoom) -> None:
    here.group.said((10 * MINUTE, "Tom", "the tent is dry"), (5 * MINUTE, "Priya", "then we pack it"))
    await here.settled()
    found = await seen(here)
    assert (found.graph_id, found.plans, found.target) == (None, (), MessageId(2))


async def test_a_pin_that_a_fixed_history_does_not_reach_is_said(tmp_path: Path) -> None:
    async with group_room(tmp_path, spec=replace(NORA, group_history=3)) as here:
        here.group.said(*((HOUR - n, "Ben", f"line {n}") for n in range(9)))
        await here.settled()
        for number in (2, 9):
            await here.room.engine.chat_settings.pin(await here.chat_id(), MessageId(number), PinKind.IN)
        prompt = await here.call("Tom")
        assert texts(prompt)[:2] == ["line 7", "line 8"]
        unused = LeftOut(LeftOutKind.PIN_UNUSED, number=1)
        assert prompt.left_out == (LeftOut(LeftOutKind.OLDER, number=3), unused)
        replying = await here.call("Tom", reply_to=2)
        assert unused not in replying.left_out, "the last block quotes it"


async def test_pins_are_hard_reasons_of_every_later_plan_until_they_are_removed(here: GroupRoom) -> None:
    (far,) = here.group.said((9 * DAY, "Leo", "goal number nine!"))
    here.group.said(*((8 * DAY - n, "Ben", f"goal number {n}") for n in range(420)))
    first, second = here.group.said((10 * MINUTE, "Tom", "the tent is dry"), (5 * MINUTE, "Priya", "we pack it, Tom"))
    await here.settled()
    chat_id, settings = await here.chat_id(), here.room.engine.chat_settings
    for number, kind in ((far, PinKind.IN), (first, PinKind.OUT), (first + 9_000, PinKind.IN)):
        await settings.pin(chat_id, MessageId(number), kind)
    prompt = await here.call("Tom", "Nora, shall we pack the tent?")
    assert ("goal number nine!" in texts(prompt), "the tent is dry" in texts(prompt)) == (True, False)
    counted = {one.kind: one.number for one in prompt.left_out}
    assert counted.pop(LeftOutKind.OTHERS) > 1
    assert counted == {LeftOutKind.PINNED_OUT: 1, LeftOutKind.PIN_GONE: 1}
    found = await seen(here)
    assert [(of(found, n).included, of(found, n).reason) for n in (far, first)] == [
        (True, "pinned in"),
        (False, "pinned out"),
    ]
    for number in (far, first, first + 9_000):
        await settings.pin(chat_id, MessageId(number), None)
    await here.room.engine.plans.regenerate((await here.graph()).graph_id)
    again = texts(here.room.model.prompts[-1])
    assert ("goal number nine!" in again, "the tent is dry" in again) == (False, True), "planned again without pins"
    now = await seen(here, now=True)
    assert far not in [one.message_id for one in now.messages]
    assert of(now, first).included
    assert second in [one.message_id for one in now.messages]

    async def pins() -> tuple[ContextPin, ...]:
        return (await here.room.store.read(lambda tx: tx.chats.get(chat_id))).settings.pins

    async def regenerated() -> bool:
        await here.room.engine.plans.regenerate((await here.graph()).graph_id)
        return "goal number nine!" in texts(here.room.model.prompts[-1])

    await settings.pin(chat_id, MessageId(far), PinKind.ONCE)
    assert of(await seen(here, now=True), far).reason == "included once"
    assert len(await pins()) == 1, "a look uses nothing up"
    assert (await regenerated(), await pins(), await regenerated()) == (True, (), False)
    await settings.pin(chat_id, MessageId(far), PinKind.ONCE)
    assert "goal number nine!" in texts(await here.call("Tom", "Nora, and the rope?"))
    assert (of(await seen(here), far).reason, await pins(), await regenerated()) == ("included once", (), False)
