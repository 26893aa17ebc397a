"""Stage two in the engine: an embedder prunes and rescues, and its silence costs nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.context.second_stage import candidates
from chimein_gui.domain.costs import PRICES, CallEnd, ModelCall, cost_usd
from chimein_gui.domain.errors import ModelTransientError
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.engine.llm.calls import EmbeddingCalls
from chimein_gui.engine.planning import rerank as context_second
from chimein_gui.engine.planning.rerank import MAX_TEXT, Rerank
from chimein_gui.engine.ports import Embedded, TextUse
from chimein_gui.engine.prompt.inputs import PlanInputs, enriched, read_begun
from tests.support.booked_calls import booked_calls
from tests.support.group_room import GroupRoom, group_room, texts
from tests.support.log_guard import ExpectedLogs

MINUTE = 60.0


class HandMade:
    """Implements `engine.ports.Embedder`: two subjects, told apart by a word."""

    model = "gemini-embedding-001"
    most_texts = 100

    def __init__(self, error: Exception | None = None, *, silent: bool = False) -> None:
        self.error = error
        self.silent = silent
        self.asked: list[tuple[str, ...]] = []
        self.was_asked = asyncio.Event()

    async def embed(self, texts: Sequence[str], use: TextUse = TextUse.ALIKE) -> Embedded:
        self.asked.append(tuple(texts))
        self.was_asked.set()
        if self.silent:
            await asyncio.Event().wait()
        if self.error is not None:
            raise self.error
        vectors = tuple((1.0, 0.2, 0.0) if "ramen" in text else (0.0, 0.2, 1.0) for text in texts)
        return Embedded(vectors, Usage(7 * len(vectors)))


async def talk(here: GroupRoom) -> None:
    here.group.said(
        (26 * MINUTE, "Priya", "Tom, the ramen place or the other one?"),
        (21 * MINUTE, "Ben", "the healthcheck fails again"),
        (14 * MINUTE, "Tom", "Priya, the ramen place, it opens at six"),
        (9 * MINUTE, "Leo", "the healthcheck needs a longer wait"),
        (5 * MINUTE, "Priya", "Tom, ramen at six then"),
    )
    await here.settled()


def use(here: GroupRoom, embedder: HandMade) -> None:
    planner = here.room.engine._services.planner
    planner._services = replace(planner._services, enrichers=(Rerank(EmbeddingCalls(embedder, here.room.clock)),))


async def begun_plan(here: GroupRoom) -> PlanInputs:
    """Read what a plan would begin with that answers the newest message."""
    chat_id, services = await here.chat_id(), here.room.engine._services.planner._services

    def work(tx: Any) -> PlanInputs:
        chat = tx.chats.get(chat_id)
        newest = tx.messages.newest_id(chat.info.account_id, chat.info.peer_id)
        return read_begun(tx, chat, (MessageId(newest),), services.source, services.environment)

    return await here.room.store.transact(work)


async def booked(here: GroupRoom) -> list[ModelCall]:
    """Return the embedder's calls in the ledger."""
    calls = await here.room.store.read(booked_calls)
    return [call for _, call in calls if call.purpose == "embed"]


async def test_the_prompt_holds_what_stage_two_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []
    really = context_second._chosen

    def note(*given: Any) -> Any:
        threads.append(threading.get_ident())
        return really(*given)

    monkeypatch.setattr(context_second, "_chosen", note)
    async with group_room(tmp_path) as here:
        await talk(here)
        use(here, HandMade())
        prompt = await here.call("Priya", "Nora, what do you think, Tom and I are hungry?")
        assert all("ramen" in text for text in texts(prompt)[:-1])
        assert len(texts(prompt)) == 4
        span = (await here.graph()).span
        assert span.chosen == (1, 3, 5, 6)
        assert [one.message_id for one in span.choices if one.included] == [1, 3, 5]
        assert len(threads) == 1
        assert threading.get_ident() not in threads  # the window does not wait for it


@pytest.mark.parametrize("is_silent", [False, True])
async def test_an_embedder_that_fails_leaves_the_first_choice(here: GroupRoom, is_silent: bool) -> None:
    await talk(here)
    embedder = HandMade(ModelTransientError("overloaded"), silent=is_silent)
    use(here, embedder)
    here.group.said((0.0, "Priya", "Nora, what do you think?"))
    await embedder.was_asked.wait()
    here.room.clock.advance(2.1)
    await here.room.model.asked(1)
    held = texts(here.room.model.prompts[-1])
    assert held[-1] == "Nora, what do you think?"
    await here.settled()
    first = (await begun_plan(here)).context
    assert first is not None
    assert held == [message.text for message in first.messages]
    assert (await here.graph()).span == first.span()
    assert len(held) >= 4
    (call,) = await booked(here)
    assert call.end is (CallEnd.CANCELLED if is_silent else CallEnd.FAILED)
    assert (call.estimated, call.usage.prompt_tokens > 10) == (True, True)


NAN = float("nan")


@pytest.mark.parametrize(
    "answer",
    [
        lambda count: ((NAN, 1.0, 0.0),) * count,
        lambda count: tuple((1.0,) * (n + 1) for n in range(count)),
        lambda count: ((1.0, 0.0),) * (count - 1),
    ],
    ids=["not numbers", "of all lengths", "too few"],
)
async def test_vectors_that_are_none_leave_the_first_choice(
    tmp_path: Path, answer: Callable[[int], tuple[tuple[float, ...], ...]]
) -> None:
    class Odd(HandMade):
        async def embed(self, texts: Sequence[str], use: TextUse = TextUse.ALIKE) -> Embedded:
            return (await super().embed(texts))._replace(vectors=answer(len(texts)))

    async with group_room(tmp_path) as here:
        await talk(here)
        begun = await begun_plan(here)
        embedder = Odd()
        stage = Rerank(EmbeddingCalls(embedder, here.room.clock))
        refined = await enriched((stage,), here.room.clock, begun)
        assert embedder.asked
        assert (refined.inputs, refined.context, refined.span) == (begun.inputs, begun.context, begun.span)
        right = HandMade()
        stage._calls = EmbeddingCalls(right, here.room.clock)
        await enriched((stage,), here.room.clock, begun)
        assert right.asked == embedder.asked  # nothing of it was kept


@pytest.mark.parametrize("error", [KeyError("text"), ValueError("shapes"), RecursionError()])
async def test_it_never_fails_whatever_the_embedder_does(
    here: GroupRoom, expected_logs: ExpectedLogs, error: Exception
) -> None:
    expected_logs("Unexpected error in the enricher rerank")
    await talk(here)
    begun = await begun_plan(here)
    stage = Rerank(EmbeddingCalls(HandMade(error), here.room.clock))
    assert await enriched((stage,), here.room.clock, begun) is begun
    assert [call.end for call in begun.trace.unbooked] == [CallEnd.FAILED]


async def test_what_the_embedder_costs_is_booked_with_the_plan(here: GroupRoom) -> None:
    await talk(here)
    embedder = HandMade()
    use(here, embedder)
    await here.call("Priya", "Nora, what do you think, Tom and I are hungry?")
    (call,) = await booked(here)
    asked = len(embedder.asked[0])
    assert (call.model, call.end, call.estimated) == ("gemini-embedding-001", CallEnd.ANSWERED, False)
    assert call.usage == Usage(7 * asked)
    assert call.cost_usd == cost_usd("gemini-embedding-001", Usage(7 * asked), PRICES) != 0
    today = await here.room.engine.costs.today()
    assert (today.calls, len(today.latencies_s)) == (2, 1)  # what it takes tells nothing of how long answers take


async def test_texts_without_words_are_not_asked_for_and_long_ones_are_cut(here: GroupRoom) -> None:
    await talk(here)
    begun = await begun_plan(here)
    assert begun.context is not None
    odd = ("ramen " * 400, " \n ", *(message.text for message in begun.context.considered[2:]))
    messages = tuple(replace(one, text=text) for one, text in zip(begun.context.considered, odd, strict=True))
    embedder = HandMade()
    stage = Rerank(EmbeddingCalls(embedder, here.room.clock))
    inputs = replace(begun, context=replace(begun.context, considered=messages))
    await enriched((stage,), here.room.clock, inputs)
    (asked,) = embedder.asked
    assert asked[0] == ("ramen " * 400)[:MAX_TEXT]
    assert all(text.strip() for text in asked)
    assert len(asked) == len(candidates(begun.context.choices)) - 1
