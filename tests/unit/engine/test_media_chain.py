"""The chain of descriptions: its order, its budget, and what follows from each failure."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from chimein_gui.domain.errors import (
    DescriptionError,
    MediaTrouble,
    MediaUnavailableError,
    ModelKeyError,
    ModelRefusedError,
    ModelTransientError,
    NotDrawableError,
)
from chimein_gui.domain.events import FaultReported, PersonForgotten
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.media.records import (
    DescriptionStatus,
    Failure,
    MediaFault,
    Met,
    failure_of,
    retry_at,
)
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.engine.media.budget import PER_TICK
from chimein_gui.engine.media.chain import newest_first
from chimein_gui.engine.media.sources import AT_ONCE, KEY_PAUSE, AIGenerating
from chimein_gui.resource_files import resource_path
from tests.support.log_guard import ExpectedLogs
from tests.support.media_room import CHAT, MediaRoom, media_room, sticker

Status = DescriptionStatus
SAMPLES = tuple(path.stem for path in (resource_path("samples") / "media").glob("*.json"))

# Each source, in the order of the chain: how it gets an answer, and by what it is known.
SOURCES: dict[str, Callable[[MediaRoom], None]] = {
    "own, first directory": lambda room: room.put(room.folder / "first/agents/Nora/media", "7", description="own 1"),
    "own, second directory": lambda room: room.put(room.folder / "second/agents/Nora/media", "7", description="own 2"),
    "shared, first directory": lambda room: room.put(room.folder / "first/media", "7", description="shared 1"),
    "shared, second directory": lambda room: room.put(room.folder / "second/media", "7", description="shared 2"),
    "cache": lambda room: room.put(room.cache, "7", description="cached", status="generated"),
    "unsupported": lambda _room: None,
    "budget": lambda room: room.spend(),
    "model": lambda _room: None,
}
ANSWERS = {
    "own, first directory": ("own 1", Status.CURATED),
    "own, second directory": ("own 2", Status.CURATED),
    "shared, first directory": ("shared 1", Status.CURATED),
    "shared, second directory": ("shared 2", Status.CURATED),
    "cache": ("cached", Status.GENERATED),
    "unsupported": ("", Status.UNSUPPORTED),
    "budget": ("", Status.BUDGET),
    "model": ("by the model: 7", Status.GENERATED),
}


@pytest.mark.parametrize(("first", "second"), [*itertools.combinations(SOURCES, 2)])
async def test_of_each_two_sources_the_first_answers(tmp_path: Path, first: str, second: str) -> None:
    async with media_room(tmp_path) as room:
        SOURCES[second](room)
        SOURCES[first](room)
        mime_type = "application/pdf" if "unsupported" in (first, second) else "image/webp"
        record = await room.get(sticker(7, mime_type=mime_type))
        assert (record.description, record.status) == ANSWERS[first]
        assert not room.describer.asked
        # Where nothing says more, the previews say the same, and nothing is spent.
        left = room.budget.left
        known = (await room.chain.known("Nora", ("7",))).get("7")
        assert (known is None) == (first == "budget")
        assert room.budget.left == left


async def test_the_model_is_asked_last_and_its_words_are_kept(tmp_path: Path) -> None:
    async with media_room(tmp_path) as room:
        record = await room.get(sticker(7, set_name="otters"))
        assert (record.description, record.status) == ANSWERS["model"]
        assert (record.sticker_set_name, record.sticker_name, record.met) == ("otters", "🦦", (Met("Nora", 66, 7),))
        assert await room.get(sticker(7), "Theo") == record
        assert (room.describer.asked, room.budget.left) == (["7"], PER_TICK - 1)
        assert await room.chain.known("Theo", ("7",)) == {"7": record}


@pytest.mark.parametrize("folder", ["first/agents/Nora/media", "second/media", "state/media"])
@pytest.mark.parametrize("values", [{"description": " \n"}, {"status": "pending"}, {"description": "", "status": "?"}])
async def test_a_file_without_words_is_no_answer(tmp_path: Path, folder: str, values: dict[str, object]) -> None:
    async with media_room(tmp_path) as room:
        room.put(tmp_path / folder, "7", **values)
        assert (await room.get(sticker(7))).description == "by the model: 7"


async def test_a_broken_file_is_no_answer_and_stays_as_it_is(tmp_path: Path) -> None:
    async with media_room(tmp_path) as room:
        for folder in ("first/media", "state/media"):
            room.put(tmp_path / folder, "7")
            (tmp_path / folder / "7.json").write_text("{")
        assert (await room.get(sticker(7))).description == "by the model: 7"
        assert (tmp_path / "first/media/7.json").read_text() == "{"


@dataclass(frozen=True)
class Failing:
    """What follows from an error: the record, whether it is stored, whether it cost a unit."""

    error: Exception
    status: DescriptionStatus
    fault: MediaFault
    words: str = ""
    is_stored: bool = True
    is_free: bool = False
    is_unexpected: bool = False


TEMPORARY, PERMANENT = Status.TEMPORARY_FAILURE, Status.PERMANENT_FAILURE
KEY = ModelKeyError("no")
FAILURES = [
    Failing(
        MediaUnavailableError("", MediaTrouble.OFFLINE), TEMPORARY, MediaFault.OFFLINE, is_stored=False, is_free=True
    ),
    Failing(
        MediaUnavailableError("", MediaTrouble.WAIT, 9),
        TEMPORARY,
        MediaFault.ASKED_TO_WAIT,
        is_stored=False,
        is_free=True,
    ),
    Failing(MediaUnavailableError("", MediaTrouble.DISK), TEMPORARY, MediaFault.DISK, is_stored=False),
    Failing(MediaUnavailableError("", MediaTrouble.TOO_BIG), PERMANENT, MediaFault.TOO_BIG),
    Failing(MediaUnavailableError("", MediaTrouble.GONE), TEMPORARY, MediaFault.GONE),
    Failing(MediaUnavailableError("", MediaTrouble.NO_FILE), PERMANENT, MediaFault.NO_FILE),
    Failing(NotDrawableError("hangs"), PERMANENT, MediaFault.BROKEN),
    Failing(DescriptionError(MediaFault.BROKEN, "no PNG"), PERMANENT, MediaFault.BROKEN, "no PNG"),
    Failing(DescriptionError(MediaFault.KIND, "x/y"), Status.UNSUPPORTED, MediaFault.KIND, "x/y"),
    Failing(
        DescriptionError(MediaFault.SET_UNAVAILABLE),
        TEMPORARY,
        MediaFault.SET_UNAVAILABLE,
        is_stored=False,
        is_free=True,
    ),
    Failing(ModelTransientError("overloaded"), TEMPORARY, MediaFault.MODEL_BUSY),
    Failing(TimeoutError(), TEMPORARY, MediaFault.MODEL_BUSY),
    Failing(
        ModelRefusedError("blocked", Note(ModelFault.PROMPT_BLOCKED, "SAFETY")),
        PERMANENT,
        MediaFault.MODEL_REFUSED,
        str(Note(ModelFault.PROMPT_BLOCKED, "SAFETY")),
    ),
    Failing(KEY, TEMPORARY, MediaFault.MODEL_KEY, is_stored=False, is_free=True),
    Failing(ZeroDivisionError(), TEMPORARY, MediaFault.UNEXPECTED, "ZeroDivisionError", is_unexpected=True),
]


@pytest.mark.parametrize("failing", FAILURES, ids=lambda one: f"{type(one.error).__name__} {one.fault.value}")
async def test_each_failure_has_its_record_its_cost_and_its_next_attempt(
    tmp_path: Path, failing: Failing, expected_logs: ExpectedLogs
) -> None:
    if failing.is_unexpected:
        expected_logs("Unexpected error while the medium 7 was described")
    async with media_room(tmp_path) as room:
        item = sticker(7, set_name="otters")
        room.describer.errors["7"] = failing.error
        record = await room.get(item)
        assert (record.status, failure_of(record)) == (failing.status, Failure(failing.fault, failing.words))
        assert (room.cache / "7.json").exists() == failing.is_stored
        assert room.budget.left == PER_TICK - (0 if failing.is_free else 1)
        room.describer.errors.clear()
        is_paused = failing.is_stored or failing.fault in {MediaFault.MODEL_KEY, MediaFault.SET_UNAVAILABLE}
        assert (await room.get(item)).has_words != is_paused
        room.clock.advance(KEY_PAUSE.total_seconds())
        assert (await room.get(item)).has_words != (failing.status in {PERMANENT, Status.UNSUPPORTED})


async def test_temporary_failures_back_off_and_longer_each_time_also_over_a_restart(tmp_path: Path) -> None:
    pauses: list[float] = []
    for _start in range(2):
        async with media_room(tmp_path) as room:
            if pauses:
                room.clock.advance(1_000)
            room.describer.errors["7"] = ModelTransientError("overloaded")
            for _attempt in range(3):
                room.tick()
                record = await room.get(sticker(7))
                again_at = retry_at(record)
                assert again_at is not None
                pauses.append((again_at - room.clock.now()).total_seconds())
                asked = len(room.describer.asked)
                room.clock.advance(pauses[-1] - 3)
                assert await room.get(sticker(7)) == record
                assert len(room.describer.asked) == asked
                room.clock.advance(3)
    assert pauses == [60, 120, 240, 480, 960, 1920]


async def test_a_set_that_can_not_be_fetched_backs_off_as_a_set_and_costs_nothing(tmp_path: Path) -> None:
    async with media_room(tmp_path) as room:
        room.describer.errors["1"] = DescriptionError(MediaFault.SET_UNAVAILABLE)
        await room.get(sticker(1, set_name="AnimatedEmojies"))
        others = [await room.get(sticker(number, set_name="AnimatedEmojies")) for number in range(2, 20)]
        assert {str(failure_of(record)) for record in others} == {"set unavailable"}
        assert (room.describer.asked, room.budget.left) == (["1"], PER_TICK)
        assert (await room.get(sticker(30, set_name="otters"))).has_words
        room.clock.advance(60)
        assert (await room.get(sticker(2, set_name="AnimatedEmojies"))).has_words
        assert not room.cache.joinpath("1.json").exists()


async def test_two_hundred_stickers_at_once_cost_eight_a_tick_the_newest_first(tmp_path: Path) -> None:
    items = [sticker(number) for number in range(1, 201)]
    async with media_room(tmp_path) as room:
        began = room.clock.now()
        found = await room.chain.described(items, "Nora", 8.0)
        assert room.clock.now() == began
        assert {number for number, record in found.items() if record.has_words} == {str(n) for n in range(193, 201)}
        assert {record.status for record in found.values() if not record.has_words} == {Status.BUDGET}
        assert (len(found), len(room.chain.waiting), len(list(room.cache.iterdir()))) == (200, 192, 8)
        for tick in range(2, 26):
            room.budget.expect_round(1.0)  # a round of the scheduler is no tick
            assert len(room.describer.asked) == 8 * (tick - 1)
            room.tick()
            await room.describer.were_asked(8 * tick)
            assert len(room.describer.asked) == 8 * tick
            await room.worked_off()
        asked = [int(unique_id) for unique_id in room.describer.asked]
        assert [set(asked[at : at + 8]) for at in range(0, 200, 8)] == [
            set(range(first, first + 8)) for first in range(193, 0, -8)
        ]
        room.tick()
        assert all(one.has_words for one in (await room.chain.described(items, "Nora", 8.0)).values())
        assert (room.budget.left, len(room.describer.asked), room.chain.waiting) == (PER_TICK, 200, ())


async def test_a_plan_waits_no_longer_than_it_may_and_what_is_late_is_there_for_the_next(tmp_path: Path) -> None:
    items = [sticker(number) for number in range(1, 4)]
    async with media_room(tmp_path) as room:
        room.put(tmp_path / "first/media", "1", description="An otter.")
        room.describer.gate.clear()
        plan = room.begin(room.chain.described(items, "Nora", 8.0))
        await room.describer.were_asked(2)
        room.clock.advance(7.9)
        await asyncio.sleep(0)
        assert not plan.done()
        room.clock.advance(0.1)
        assert set(await plan) == {"1"}
        again = room.begin(room.chain.described(items, "Nora", 8.0))
        room.describer.gate.set()
        assert {number for number, record in (await again).items() if record.has_words} == {"1", "2", "3"}
        assert sorted(room.describer.asked) == ["2", "3"]


async def test_simultaneous_requests_share_one_attempt_and_slow_ones_do_not_pile_up(tmp_path: Path) -> None:
    async with media_room(tmp_path) as room:
        room.describer.gate.clear()
        waiting = [room.begin(room.get(sticker(7), name)) for name in ("Nora", "Theo")]
        await room.describer.were_asked(1)
        slow = [room.begin(room.get(sticker(number))) for number in range(100, 100 + AT_ONCE - 1)]
        await room.describer.were_asked(AT_ONCE)
        room.spend()
        late = room.begin(room.get(sticker(7), "Ida"))  # it is paid for, so the budget does not matter
        room.tick()
        assert (await room.get(sticker(8))).status is Status.BUDGET
        assert room.chain.running == {"7", *(str(number) for number in range(100, 100 + AT_ONCE - 1))}
        room.describer.gate.set()
        first, second = await asyncio.gather(*waiting)
        assert first == second == await late
        assert len(await asyncio.gather(*slow)) == AT_ONCE - 1
        assert room.describer.asked.count("7") == 1


async def test_what_was_described_since_the_look_into_the_cache_is_not_described_again(tmp_path: Path) -> None:
    async with media_room(tmp_path) as room:
        generating = AIGenerating(room.describer, room.chain.cache, room.budget, room.clock, room.spawn)
        first = await room.get(sticker(7))
        assert await generating.get(sticker(7), "Theo") == first
        assert (room.describer.asked, room.budget.left) == (["7"], PER_TICK - 1)


async def test_the_operator_may_have_it_described_again_whatever_is_known_or_spent(tmp_path: Path) -> None:
    async with media_room(tmp_path) as room:
        first = await room.get(sticker(7))
        room.spend()
        again = await room.chain.again(sticker(7), "Nora", "shorter")
        assert again is not None
        assert (first.description, again.description) == ("by the model: 7", "by the model: 7 shorter")
        room.describer.errors["7"] = ModelTransientError("overloaded")
        failed = await room.chain.again(sticker(7), "Nora")
        assert failed is not None
        assert failed.status is TEMPORARY
        assert await room.get(sticker(7)) == replace(again, path=again.path)


async def test_a_full_disk_costs_no_second_description_in_this_run(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    async with media_room(tmp_path) as room:
        lines: list[FaultReported] = []
        room.bus.subscribe(lambda event: lines.append(event) if isinstance(event, FaultReported) else None)
        room.cache.parent.mkdir(parents=True)
        room.cache.write_text("in the way")
        expected_logs("The description of 7 can't be written")
        record = await room.get(sticker(7))
        assert (record.description, record.path) == ("by the model: 7", "")
        assert await room.get(sticker(7)) == record
        assert room.describer.asked == ["7"]
        room.cache.unlink()
        await room.get(sticker(8))
        remedies = [one.remedy and one.remedy.kind for one in lines]
        assert remedies == [FaultReason.DESCRIPTIONS_NOT_KEPT, None]


async def test_nothing_is_stored_of_a_person_who_is_forgotten_meanwhile(tmp_path: Path) -> None:
    async with media_room(tmp_path) as room:
        await room.get(sticker(12))
        room.tick()
        room.describer.gate.clear()
        plan = room.begin(room.chain.described([sticker(number) for number in range(1, 12)], "Nora", 8.0))
        await room.describer.were_asked(1 + PER_TICK)
        room.bus.publish(PersonForgotten(CHAT, (), (), Revision(1)))
        room.describer.gate.set()
        await plan
        room.tick()
        await room.worked_off()
        assert not list(room.cache.iterdir())
        assert (len(room.describer.asked), room.chain.waiting) == (1 + PER_TICK, ())
        assert (await room.get(sticker(11))).has_words, "what comes later is new"
        assert (room.cache / "11.json").exists()


async def test_the_samples_are_used_as_they_are(tmp_path: Path) -> None:
    async with media_room(tmp_path, resource_path("samples")) as room:
        items = [sticker(int(unique_id), at=room.clock.now()) for unique_id in SAMPLES]
        found = await room.chain.described(items, "Nora", 8.0)
        assert len(found) == 13
        assert {record.status for record in found.values()} == {Status.CURATED}
        assert (room.describer.asked, room.budget.left) == ([], PER_TICK)


async def test_without_a_describer_and_for_other_kinds_nothing_is_known(tmp_path: Path) -> None:
    async with media_room(tmp_path) as room:
        assert await room.chain.get(replace(sticker(7), kind="document"), "Nora") is None
        assert not room.cache.exists()


def test_the_newest_message_comes_first_and_a_medium_once() -> None:
    again = replace(sticker(1), sent_at=sticker(9).sent_at)
    assert [item.unique_id for item in newest_first([sticker(1), sticker(3), again, sticker(2)])] == ["1", "3", "2"]
