"""Enrichers of a plan's inputs, and the trace of the plan that tells of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.errors import ModelTransientError
from chimein_gui.domain.traces.entries import (
    ContextChosen,
    Enriched,
    EnrichEnd,
    Parsed,
    PromptBuilt,
    RepairAsked,
    Replied,
    ToolUse,
)
from chimein_gui.engine.llm.calls import PlanTrace
from chimein_gui.engine.prompt.inputs import Enricher, PlanInputs
from chimein_gui.engine.tools.declarations import MESSAGE, SEARCH
from tests.fakes.model import wants
from tests.support.log_guard import ExpectedLogs
from tests.support.planning_room import NORA, planning_room
from tests.support.variant_jobs import begin


@dataclass
class Adds:
    """Adds a line to the operator's note, which every prompt holds."""

    name: str
    bound_s: float = 1.0
    waits_for: asyncio.Event | None = None
    error: Exception | None = None
    seen: list[PlanTrace] = field(default_factory=list)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    has_something: bool = True

    @property
    def applies(self) -> Callable[[PlanInputs], bool]:
        return lambda _inputs: self.has_something

    async def enrich(self, inputs: PlanInputs, trace: PlanTrace) -> PlanInputs:
        self.seen.append(trace)
        self.began.set()
        if self.waits_for is not None:
            await self.waits_for.wait()
        if self.error is not None:
            raise self.error
        return replace(inputs, inputs=replace(inputs.inputs, note=f"{inputs.inputs.note}[{self.name}]"))


def ends(trace: PlanTrace) -> list[tuple[str, EnrichEnd, float]]:
    return [(one.name, one.end, one.took_s) for one in trace.entries if isinstance(one, Enriched)]


async def test_a_further_enricher_is_one_class_and_one_line_and_each_builds_on_those_before(tmp_path: Path) -> None:
    enrichers: tuple[Enricher, ...] = (
        first := Adds("media"),
        Adds("memories"),
        Adds("nothing", has_something=False),
        Adds("pages"),  # the one line
    )
    async with planning_room(tmp_path, enrichers=enrichers) as room:
        await room.plan()
        assert "[media][memories][pages]" in room.model.prompts[0].last_block
        assert ends(first.seen[0]) == [(name, EnrichEnd.DONE, 0.0) for name in ("media", "memories", "pages")]
        await begin(room, (await room.graph()).graph_id, "shorter").task
        assert "shorter[media][memories][pages]" in room.model.prompts[1].last_block


async def test_a_slow_one_costs_a_plan_its_bound_and_no_more(tmp_path: Path) -> None:
    slow = Adds("pages", bound_s=3.0, waits_for=asyncio.Event())
    async with planning_room(tmp_path, enrichers=(Adds("media"), slow, Adds("memories"))) as room:
        await room.due()
        job = room.start()
        await slow.began.wait()
        room.room.clock.advance(2.9)
        await asyncio.sleep(0)
        assert room.model.prompts == []
        room.room.clock.advance(0.1)
        await job
        assert "[media][memories]" in room.model.prompts[0].last_block
        expected = [("media", EnrichEnd.DONE, 0.0), ("pages", EnrichEnd.LATE, 3.0), ("memories", EnrichEnd.DONE, 0.0)]
        assert ends(slow.seen[0]) == expected
        assert len(await room.drafts()) == 1


async def test_one_that_fails_is_told_and_left_out(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs("Unexpected error in the enricher memories")
    overloaded = Adds("media", error=ModelTransientError("overloaded"))
    enrichers = (overloaded, Adds("memories", error=KeyError("x")), Adds("pages", error=TimeoutError()), Adds("last"))
    expected_logs("Unexpected error in the enricher pages")  # a time-out of its own is no bound of ours
    async with planning_room(tmp_path, enrichers=enrichers) as room:
        await room.plan()
        told = [one for one in overloaded.seen[0].entries if isinstance(one, Enriched)]
        assert [(one.end, one.error) for one in told[:2]] == [
            (EnrichEnd.FAILED, "overloaded"),
            (EnrichEnd.FAILED, "KeyError: 'x'"),
        ]
        assert [one.end for one in told[2:]] == [EnrichEnd.FAILED, EnrichEnd.DONE]
        assert "[last]" in room.model.prompts[0].last_block
        assert len(await room.drafts()) == 1


async def test_a_trace_tells_everything_in_its_order_and_its_calls_are_booked_once(tmp_path: Path) -> None:
    spy = Adds("media")
    async with planning_room(tmp_path, enrichers=(spy,)) as room:
        room.spec = replace(NORA, dm_history=1)
        await room.write("the ferry leaves at six")
        asks = wants((SEARCH, {"query": "ferry"}), (MESSAGE, {"message_id": 999}))
        room.model.script += [asks, "# «send»\nfirst\n# «dance»\nhop", "# «send»\nsecond"]
        await room.plan("when?")
        (trace,) = spy.seen
        steps = [one for one in trace.entries if not isinstance(one, ContextChosen | PromptBuilt | Parsed | Replied)]
        _, asked, search, message, answered, repair, repaired = steps
        assert isinstance(search, ToolUse)
        assert (search.name, search.messages, search.error) == (SEARCH, 1, "")
        assert json.loads(search.arguments) == {"query": "ferry"}
        assert isinstance(message, ToolUse)
        assert (message.messages, message.error) == (0, "There is no message 999 in this chat.")
        assert isinstance(repair, RepairAsked)
        assert [problem.line for problem in repair.problems] == [3]
        calls = [one for one in (asked, answered, repaired) if isinstance(one, ModelCall)]
        assert [(call.purpose, call.end) for call in calls] == [
            ("plan", CallEnd.ANSWERED),
            ("tool round", CallEnd.ANSWERED),
            ("repair", CallEnd.ANSWERED),
        ]
        assert sorted(await room.booked(), key=calls.index) == calls
        [context, prompt] = [one for one in trace.entries if isinstance(one, ContextChosen | PromptBuilt)]
        assert isinstance(context, ContextChosen)
        assert (context.held, context.considered, context.is_chosen) == (2, 2, False)
        assert isinstance(prompt, PromptBuilt)
        first = room.model.prompts[0]
        assert first.last_block
        assert (prompt.sections, prompt.turns) == (len(first.sections), len(first.turns)), "its sections count instead"
        replies = [(one.text[:9], one.tools) for one in trace.entries if isinstance(one, Replied)]
        assert replies == [("", (SEARCH, MESSAGE)), ("# «send»\n", ()), ("# «send»\n", ())]
        parsed = [(one.blocks, len(one.problems)) for one in trace.entries if isinstance(one, Parsed)]
        assert parsed == [(("send",), 1), (("send",), 0)]


async def test_a_trace_has_the_length_of_a_thought_and_nothing_of_it(tmp_path: Path) -> None:
    spy = Adds("media")
    async with planning_room(tmp_path, enrichers=(spy,)) as room:
        room.model.script.append("# «think»\nhe is annoyed\n# «send»\nsoon")
        await room.plan("when?")
        [reply] = [one for one in spy.seen[0].entries if isinstance(one, Replied)]
        assert reply.text == "# «think»\n(think, 13 characters)\n# «send»\nsoon"
