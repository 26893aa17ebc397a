"""What is kept for a time only: raw objects of Telegram's, and how the context of old plans was chosen."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.events import TracesRemoved
from chimein_gui.domain.ids import GraphId, MessageId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.prompt.sent import PromptOutline, SectionSource
from chimein_gui.domain.prompt.spans import ContextChoice, PromptSpan
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.domain.traces.records import TraceRecord
from chimein_gui.domain.traces.summaries import EVERYTHING, TraceId, TraceKind, TraceState
from chimein_gui.engine.core.environment import LivePreferences
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.library.retention import CHOICES_KEPT, EVERY_S, KEPT, MOST_PLANS, Retention
from chimein_gui.engine.ports import GraphStanding, NewGraph, Transaction
from chimein_gui.viewmodels.transcript.message_words import service_words
from tests.support.booked_calls import booked_calls
from tests.support.decision_room import ACCOUNT, PARTNER, DecisionRoom, decision_room

CHOICES = tuple(ContextChoice(MessageId(number), number % 3 == 0, number % 100, "thread") for number in range(1, 301))
SPAN = PromptSpan(MessageId(1), MessageId(300), (MessageId(900),), tuple(map(MessageId, range(3, 301, 3))), CHOICES)
DAY = 86_400.0


@dataclass
class Attic:
    """A database that ages."""

    room: DecisionRoom
    jobs: JobRunner
    busy: bool = False
    preferences: LivePreferences = field(default_factory=lambda: LivePreferences(Preferences()))

    async def plan(self, standing: GraphStanding = GraphStanding.CURRENT, **changes: Any) -> GraphId:
        new = NewGraph(self.room.chat_id, self.room.clock.now(), standing=standing, span=SPAN, **changes)
        return await self.room.do(lambda tx: tx.graphs.add(new))

    async def step(self, graph_id: GraphId, status: TaskStatus) -> None:
        await self.room.do(lambda tx: tx.tasks.add(self.room.chat_id, TaskKind.SEND, status, graph_id=graph_id))

    async def span(self, graph_id: GraphId) -> PromptSpan:
        return (await self.room.store.read(lambda tx: tx.graphs.get(graph_id))).span

    async def hears(self, number: int, kind: str, raw: dict[str, object], *, is_service: bool = True) -> MessageKey:
        changes = {"sender_id": UserId(5), "media_kind": kind, "is_service": is_service}
        raw_json = json.dumps({"_": "MessageService", **raw})
        await self.room.written(number, out=False, text="", raw_json=raw_json, **changes)
        return MessageKey(ACCOUNT, PARTNER, MessageId(number))

    async def message(self, key: MessageKey) -> Message:
        found = await self.room.store.read(lambda tx: tx.messages.get(key))
        assert found is not None
        return found

    async def pass_time(self, seconds: float) -> None:
        """Let it pass at once."""
        await self.room.pass_time(seconds, seconds)

    async def round(self) -> None:
        """Let the next round begin, and end."""
        await self.pass_time(EVERY_S)
        await self.room.pass_time(8)


@asynccontextmanager
async def attic(folder: Path) -> AsyncIterator[Attic]:
    jobs = JobRunner()
    async with decision_room(folder, known=False, kind=ChatKind.GROUP) as room:
        made = Attic(room, jobs)
        retention = Retention(room.store, room.clock, lambda: not made.busy, made.preferences, room.bus)
        jobs.spawn(retention.run(), name="retention")
        try:
            yield made
        finally:
            await jobs.aclose()


async def test_how_an_old_replaced_plan_chose_its_context_is_forgotten(tmp_path: Path) -> None:
    async with attic(tmp_path) as it:
        old, beside = await it.plan(), await it.plan(GraphStanding.BESIDE)
        await it.step(old, TaskStatus.DONE)
        await it.pass_time(DAY)
        young = await it.plan()
        current = await it.plan()
        variant = await it.plan(GraphStanding.VARIANT, variant_of=current)
        await it.pass_time(CHOICES_KEPT.total_seconds() - DAY - EVERY_S + 60)
        assert await it.span(old) == SPAN, "its time has not come"
        await it.round()
        assert await it.span(old) == await it.span(beside) == PromptSpan(SPAN.low, SPAN.high, SPAN.extra)
        assert await it.span(young) == SPAN
        await it.pass_time(DAY)
        await it.round()
        assert (await it.span(young)).choices == ()
        assert await it.span(current) == await it.span(variant) == SPAN, "the card shows it"


async def test_a_replaced_plan_with_an_open_step_keeps_what_its_card_shows(tmp_path: Path) -> None:
    async with attic(tmp_path) as it:
        doubtful, waiting = await it.plan(), await it.plan(GraphStanding.BESIDE)
        await it.step(doubtful, TaskStatus.UNKNOWN)
        await it.step(waiting, TaskStatus.AWAITING_DECISION)
        await it.plan()
        await it.pass_time(2 * CHOICES_KEPT.total_seconds())
        await it.round()
        assert await it.span(doubtful) == await it.span(waiting) == SPAN


async def test_a_prompt_is_kept_as_long_as_raw_data_and_its_call_stays_booked(tmp_path: Path) -> None:
    async with attic(tmp_path) as it:
        clock, chat_id = it.room.clock, it.room.chat_id
        graph_id = await it.plan()

        async def asked() -> ModelCall:
            call = ModelCall("gemini-x", "plan", clock.now(), 1.0, CallEnd.ANSWERED, Usage(10, 5))
            left_out = LeftOut(LeftOutKind.ROLE, "Retrieve")
            outline = PromptOutline((SectionSource("Role", "a.md", 2, 5),), (left_out,))

            def add(tx: Transaction) -> None:
                tx.effects.book(chat_id, call)
                tx.prompts.add(graph_id, chat_id, call, outline, b"packed")
                tx.prompts.add(graph_id, chat_id, call, outline, b"a call is booked once")
                tx.prompts.add(GraphId(999), chat_id, replace(call, purpose="repair"), outline, b"no such plan")

            await it.room.do(add)
            return call

        async def kept() -> list[ModelCall]:
            return [one.call for one in await it.room.store.read(lambda tx: tx.prompts.of_graph(graph_id))]

        old = await asked()
        await it.pass_time(KEPT.total_seconds() - EVERY_S + 60)
        young = await asked()
        assert await kept() == [old, young]
        of_chat = await it.room.store.read(lambda tx: tx.prompts.of_chat(chat_id, limit=9))
        assert [one.call for one in of_chat] == [young, old]
        await it.round()
        assert await kept() == [young]
        assert len(await it.room.do(booked_calls)) == 2


async def test_what_telegram_sent_is_forgotten_but_for_who_came_and_went(tmp_path: Path) -> None:
    async with attic(tmp_path) as it:
        left = await it.hears(1, "chat_delete_user", {"action": {"_": "X", "user_id": 5}, "date": "long ago"})
        brought = await it.hears(2, "chat_add_user", {"action": {"_": "X", "users": [6]}, "date": "long ago"})
        pinned = await it.hears(3, "pin_message", {"action": {"_": "X"}})
        unknown = await it.hears(4, "unknown", {"media": "?" * 500}, is_service=False)
        before = [service_words(await it.message(key)) for key in (left, brought, pinned)]
        await it.pass_time(KEPT.total_seconds() - EVERY_S + 60)
        young = await it.hears(5, "unknown", {"media": "?"}, is_service=False)
        assert "?" in (await it.message(unknown)).raw_json
        await it.round()
        assert [service_words(await it.message(key)) for key in (left, brought, pinned)] == before
        assert "Marta left the group" in before[0]
        assert (await it.message(pinned)).raw_json == (await it.message(unknown)).raw_json == ""
        assert "date" not in (await it.message(left)).raw_json
        assert (await it.message(young)).raw_json
        aged = it.room.clock.now() - KEPT
        again = await it.room.store.read(lambda tx: tx.retention.raw_before(aged, limit=9))
        assert again == (), "nothing is looked at twice"


async def test_nothing_is_forgotten_while_a_chat_has_something_to_do(tmp_path: Path) -> None:
    async with attic(tmp_path) as it:
        old = await it.plan()
        await it.plan()
        it.busy = True
        await it.pass_time(2 * CHOICES_KEPT.total_seconds())
        await it.round()
        assert await it.span(old) == SPAN
        it.busy = False
        await it.room.pass_time(3)
        assert (await it.span(old)).choices == ()


async def test_a_backlog_is_worked_off_in_small_transactions(tmp_path: Path) -> None:
    async with attic(tmp_path) as it:
        plans = [await it.plan() for _ in range(3 * MOST_PLANS)]
        it.room.clock.advance(2 * CHOICES_KEPT.total_seconds())

        async def left() -> int:
            spans = await it.room.store.read(lambda tx: [tx.graphs.get(graph_id).span for graph_id in plans])
            return sum(bool(span.choices) for span in spans)

        seen = [await left()]
        await it.room.worked_off()
        seen.append(await left())
        while seen[-1] > 1:
            await it.pass_time(1)
            seen.append(await left())
        at_once = [before - after for before, after in itertools.pairwise(seen) if before != after]
        assert max(at_once) <= MOST_PLANS
        assert sum(at_once) == len(plans) - 1, "the chat's current plan is left"


async def test_old_traces_go_with_their_prompts_but_for_those_that_are_kept_or_open(tmp_path: Path) -> None:
    async with attic(tmp_path) as it:
        clock, chat_id = it.room.clock, it.room.chat_id

        async def traced(state: TraceState, *, is_kept: bool = False, size: int = 10) -> tuple[TraceId, ModelCall]:
            graph_id = await it.plan(GraphStanding.PAST)
            call = ModelCall("gemini-x", "plan", clock.now(), 1.0, CallEnd.ANSWERED, Usage(10, 5))
            clock.advance(1)

            def add(tx: Transaction) -> TraceId:
                tx.effects.book(chat_id, call)
                tx.prompts.add(graph_id, chat_id, call, PromptOutline(), b"x" * size)
                agent_id = tx.chats.get(chat_id).agent_id
                made = TraceRecord(TraceKind.PLAN, chat_id, agent_id, state, clock.now(), clock.now(), (call,))
                trace_id = tx.traces.record(replace(made, graph_id=graph_id))
                tx.traces.keep(trace_id, is_kept=is_kept)
                return trace_id

            return await it.room.do(add), call

        async def left() -> tuple[list[TraceId], int]:
            def work(tx: Transaction) -> tuple[list[TraceId], int]:
                rows = tx.traces.page(EVERYTHING, None, limit=99)
                return sorted(row.trace_id for row in rows), tx.traces.sizes().prompts

            return await it.room.store.read(work)

        sent, _ = await traced(TraceState.SENT)
        kept, _ = await traced(TraceState.SENT, is_kept=True)
        waiting, _ = await traced(TraceState.WAITING)
        await it.pass_time(KEPT.total_seconds() - EVERY_S + 60)
        young, _ = await traced(TraceState.SENT)
        assert await left() == ([sent, kept, waiting, young], 4)
        await it.round()
        assert await left() == ([kept, waiting, young], 2), "the prompts of a kept trace stay"
        assert len([event for event in it.room.events if isinstance(event, TracesRemoved)]) == 1
        assert len(await it.room.do(booked_calls)) == 4
        it.preferences.change(Preferences(keep_mb=10))
        large = [(await traced(TraceState.SENT, size=4_000_000))[0] for _ in range(3)]
        await it.round()
        found, _ = await left()
        assert {kept, waiting} <= {*found}
        assert young not in found, "the oldest go first"
        assert large[-1] not in found, "portions are not cut to what is needed"
        assert (await it.room.store.read(lambda tx: tx.traces.sizes())).all_bytes <= 10_000_000
