"""No model is called without budget, whatever is asked for, and in which order time passes and attempts fail."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from chimein_gui.domain.errors import DescriptionError, MediaTrouble, MediaUnavailableError, ModelTransientError
from chimein_gui.domain.media.records import MediaFault
from chimein_gui.engine.media.budget import PER_TICK, per_tick_of
from chimein_gui.engine.media.chain import MediaChain
from chimein_gui.engine.media.sources import MediaItem
from tests.support.engine_room import engine_room
from tests.support.log_guard import ExpectedLogs
from tests.support.media_room import media_room, sticker

FREE = [MediaUnavailableError("", MediaTrouble.OFFLINE), DescriptionError(MediaFault.SET_UNAVAILABLE)]
STEPS = st.one_of(
    st.tuples(st.just("ask"), st.lists(st.integers(1, 60), min_size=1, max_size=30)),
    st.tuples(st.just("get"), st.lists(st.integers(1, 60), min_size=1, max_size=3)),
    st.tuples(st.just("tick"), st.just([])),
    st.tuples(st.just("round"), st.just([])),
    st.tuples(st.just("back"), st.just([])),
    st.tuples(st.just("slow"), st.just([])),
    st.tuples(st.just("fast"), st.just([])),
)
PATIENCE_S = 8.0
PASSES = {"tick": 2.0, "round": 0.4}


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=25), st.sets(st.integers(1, 60)), st.sets(st.integers(1, 60)))
def test_no_call_to_the_model_happens_without_budget(
    steps: list[tuple[str, list[int]]], offline: set[int], busy: set[int]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_run(Path(folder), steps, offline, busy))


async def _run(folder: Path, steps: list[tuple[str, list[int]]], offline: set[int], busy: set[int]) -> None:
    async with media_room(folder) as room:
        paid_for, ticks, known, over = 0, 1, dict[str, int](), list[int]()

        def called(item: MediaItem) -> None:
            """A free failure comes before the call of the model."""
            nonlocal paid_for
            if int(item.unique_id) in offline:
                return
            paid_for += 1
            known[item.unique_id] = known.get(item.unique_id, 0) + 1
            over.append(max(0, paid_for - PER_TICK * ticks))

        room.describer.before = called
        for number in offline:
            room.describer.errors[str(number)] = FREE[number % 2]
        for number in busy - offline:
            room.describer.errors[str(number)] = ModelTransientError("overloaded")
        for step, numbers in steps:
            items = [sticker(number, set_name=f"set of {number % 7}") for number in numbers]
            if step in PASSES:
                before = room.budget.left
                room.clock.advance(PASSES[step])
                room.budget.expect_round(2.0)
                ticks += room.budget.left == PER_TICK and before < PER_TICK
            elif step == "back":
                room.clock.set_back(30.0)
            elif step in ("slow", "fast"):
                room.describer.gate.clear() if step == "slow" else room.describer.gate.set()
            else:
                room.spawn(_ask(room.chain, items, step), name="ask")
            for _turn in range(20):
                await asyncio.sleep(0)
        room.describer.gate.set()
        await room.worked_off()
        assert not any(over)
        assert all(count == 1 or int(unique_id) in busy for unique_id, count in known.items())


def test_the_operator_sets_the_number_of_a_tick(expected_logs: ExpectedLogs) -> None:
    given = {"": None, " 12 ": 12, "0": 0, "1000": 1000, "1001": None, "-1": None, "8.5": None, "9" * 5000: None}
    assert {value: per_tick_of({"MEDIA_DESC_BUDGET_PER_TICK": value}) for value in given} == given
    assert per_tick_of({}) is None
    expected_logs("MEDIA_DESC_BUDGET_PER_TICK has to be a number from 0 to 1000")


async def test_the_preference_holds_at_once_unless_the_environment_says_another_number(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        budget = room.engine._services.media_budget
        assert budget.left == 8
        await room.engine.preferences_service.change(descriptions_per_tick=0)
        assert budget.take() is None
    async with engine_room(tmp_path / "other", descriptions_per_tick=3) as room:
        await room.engine.preferences_service.change(descriptions_per_tick=0)
        assert room.engine._services.media_budget.left == 3


async def test_the_schedulers_ticks_renew_it_and_its_other_rounds_do_not(tmp_path: Path) -> None:
    async with engine_room(tmp_path, descriptions_per_tick=3) as room:
        budget = room.engine._services.media_budget
        assert [budget.take() is not None for _attempt in range(4)] == [True, True, True, False]
        room.engine._services.scheduler.look_again()
        await room.pass_time(1.0)
        assert budget.left == 0
        await room.pass_time(3.0)
        assert budget.left == 3


async def _ask(chain: MediaChain, items: list[MediaItem], step: str) -> None:
    if step == "get":
        for item in items:
            await chain.get(item, "Nora")
    else:
        await chain.described(items, "Nora", PATIENCE_S)
