"""Vectors of memories: which embedder is used when, what the job survives, and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chimein_gui.domain.costs import EMBED, PRICES
from chimein_gui.domain.errors import ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.events import MemoryEmbeddingChanged, ModelCallBooked, SecretsChanged
from chimein_gui.domain.ids import PeerId, Revision
from chimein_gui.domain.memory.embedding import EmbedderChoice, Embedding, choice_of, choice_of_key
from chimein_gui.domain.memory.entries import MemoryScope
from chimein_gui.domain.memory.recall import text_hash
from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.domain.settings.rules import preference_problem
from chimein_gui.engine.llm.costs import Costs
from chimein_gui.engine.memory.vectors.queries import PATIENCE_S, REST_S
from chimein_gui.engine.ports import TextUse
from tests.support.vector_room import CURATED, GEMINI, LOCAL, OF_BEN, REMEMBERED, VectorRoom, vector_room

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

SCOPE = MemoryScope("Nora", PeerId(77), PeerId(77))
NOTES = ("Marta drinks tea", "Marta has two cats", "Marta lives in Porto", "Marta works at night")


async def filled(here: VectorRoom) -> None:
    """Give all memories vectors of Gemini."""
    here.index.hold(CURATED, *NOTES)
    here.choice = GEMINI
    here.begin()
    await here.done("gemini-embedding-001")


async def test_words_alone_ask_nobody(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        here.index.hold(CURATED, *NOTES)
        here.begin()
        now = await here.until(lambda status: status.entries == 4)
        assert (now.missing, now.in_use, now.is_up_to_date) == (0, "", True)
        assert await here.queries(SCOPE, "tea?") is None
        assert here.gemini.asked == here.small.asked == []


async def test_every_memory_gets_a_vector_and_each_text_is_asked_once(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        here.index.hold(REMEMBERED, "Marta drinks tea")
        await filled(here)
        assert sorted(here.gemini.texts) == sorted(NOTES)
        assert {use for _texts, use in here.gemini.asked} == {TextUse.STORED}
        assert all(len(texts) <= here.gemini.most_texts for texts, _use in here.gemini.asked)
        assert set(here.index.vectors["gemini-embedding-001"]) == set(map(text_hash, NOTES))
        here.index.hold(CURATED, *NOTES, "Marta hates rain")
        here.job.wake()
        await here.until(lambda status: status.embedded == 6)
        assert here.gemini.texts[4:] == ["Marta hates rain"]


async def test_the_job_says_how_far_it_is(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        told = [one.status for one in here.room.events if isinstance(one, MemoryEmbeddingChanged)]
        assert [status.embedded for status in told if status.is_running][-2:] == [3, 4]
        assert {status.entries for status in told if status.is_running} == {4}


async def test_each_call_is_booked_under_the_agent_whose_memories_it_read(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        here.prices = PRICES
        here.index.hold(OF_BEN, "Ben cooks")
        await filled(here)
        costs = Costs(here.room.store, here.room.clock)
        today, of_nora = await costs.today(), await costs.agent_today(here.agent_id)
        calls = [one.call for one in here.room.events if isinstance(one, ModelCallBooked)]
        assert [call.purpose for call in calls] == [EMBED] * len(here.gemini.asked)
        assert today.calls == len(calls) == 3  # two for Nora, one for Ben
        assert of_nora.usd == pytest.approx(4 * 7 * 0.15 / 1e6)
        assert today.usd == pytest.approx(5 * 7 * 0.15 / 1e6)


async def test_a_model_of_this_computer_costs_nothing(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        here.index.hold(CURATED, *NOTES)
        here.choice = LOCAL
        here.begin()
        await here.done("small@1")
        assert (await Costs(here.room.store, here.room.clock).today()).calls == 0


async def test_after_a_kill_the_job_goes_on_where_it_was(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        here.index.hold(CURATED, *NOTES)
        here.choice = LOCAL
        here.small.gate.clear()
        here.small.ungated = 1
        here.begin()
        await here.until(lambda status: status.embedded == 2)
        await here.kill()
        here.small.gate.set()
        done = here.small.asked[0][0]
        here.small.asked.clear()
        here.begin()
        await here.done("small@1")
        assert sorted([*done, *here.small.texts]) == sorted(NOTES)


async def test_the_old_vectors_are_used_until_the_new_ones_are_complete(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        here.small.gate.clear()
        here.choose(LOCAL)
        await here.small.was_asked.wait()
        vector = await here.queries(SCOPE, "tea?")
        assert vector is not None
        assert (vector.model, here.job.status.in_use) == ("gemini-embedding-001", "gemini-embedding-001")
        assert len(here.index.vectors["gemini-embedding-001"]) == 4
        await here.kill()  # also over a restart
        here.begin()
        await here.until(lambda status: status.is_running)
        assert here.job.status.in_use == "gemini-embedding-001"
        here.small.gate.set()
        await here.done("small@1")
        assert set(here.index.vectors) == {"small@1"}
        vector = await here.queries(SCOPE, "tea?")
        assert vector is not None
        assert (vector.model, vector.dimension) == ("small@1", 4)


async def test_a_model_that_cannot_be_used_drops_nothing(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        here.choose(EmbedderChoice(Embedding.LOCAL, "/nothing"))
        now = await here.until(lambda status: status.problem is not None)
        assert now.problem is not None
        assert (now.problem.kind, now.in_use) == (EmbedderReason.MODEL_FILE_MISSING, "gemini-embedding-001")
        assert len(here.index.vectors["gemini-embedding-001"]) == 4
        assert await here.queries(SCOPE, "tea?") is not None
        here.choose(GEMINI)
        await here.done("gemini-embedding-001")
        assert len(here.gemini.asked) == 2 + 1  # nothing is paid again


async def test_words_alone_end_the_use_of_vectors_at_once_and_keep_them(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        here.choice = EmbedderChoice()  # the job has not even looked
        assert await here.queries(SCOPE, "tea?") is None
        here.job.wake()
        await here.until(lambda status: not status.in_use and not status.model)
        here.choose(GEMINI)
        await here.done("gemini-embedding-001")
        assert len(here.gemini.asked) == 2


async def test_vectors_that_were_put_aside_are_not_used_by_another_choice(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        here.choose(EmbedderChoice())
        await here.until(lambda status: not status.in_use)
        here.small.gate.clear()
        here.choose(LOCAL)
        await here.small.was_asked.wait()
        assert await here.queries(SCOPE, "tea?") is None  # nothing goes to Google any more
        here.small.gate.set()
        await here.done("small@1")


async def test_the_operator_stops_the_job_for_as_long_as_he_likes(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        here.index.hold(CURATED, *NOTES)
        here.choice = LOCAL
        here.small.gate.clear()
        here.small.ungated = 1
        here.begin()
        await here.until(lambda status: status.embedded == 2)
        await here.job.stop()
        await here.kill()
        here.small.gate.set()
        asked = len(here.small.asked)
        here.begin()
        now = await here.until(lambda status: status.is_stopped)
        assert (now.is_running, now.missing) == (False, 2)
        await here.room.worked_off()
        assert len(here.small.asked) == asked
        await here.job.go_on()
        await here.done("small@1")


async def test_another_choice_begins_though_the_one_before_was_stopped(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        here.index.hold(CURATED, *NOTES)
        here.choice = GEMINI
        here.begin()
        await here.job.stop()
        here.choose(LOCAL)
        await here.done("small@1")


@pytest.mark.parametrize("wait_s", [None, 7.0])
async def test_a_temporary_failure_is_shown_and_tried_again(tmp_path: Path, wait_s: float | None) -> None:
    async with vector_room(tmp_path) as here:
        here.index.hold(CURATED, *NOTES)
        here.choice = GEMINI
        here.gemini.errors = [None, ModelTransientError("busy", wait_s)]
        here.begin()
        now = await here.until(lambda status: status.problem is not None)
        assert (now.is_running, now.embedded) == (False, 3)
        await here.room.reach(lambda: here.job.status.embedded == 4 or None)
        assert here.job.status.problem is None
        assert len(here.gemini.texts) == 5


async def test_a_key_that_is_refused_waits_for_another(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        here.index.hold(CURATED, *NOTES)
        here.choice = GEMINI
        here.gemini.errors = [ModelKeyError("bad key")]
        here.begin()
        await here.until(lambda status: status.problem is not None)
        asked = len(here.gemini.asked)
        here.job.wake()  # by another memory
        await here.room.worked_off()
        assert len(here.gemini.asked) == asked
        here.job.hear(SecretsChanged((), Revision(0)))
        await here.done("gemini-embedding-001")


async def test_a_text_that_is_refused_holds_up_no_other(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        here.index.hold(CURATED, *NOTES)
        here.choice = GEMINI
        here.gemini.refuses = lambda text: "cats" in text
        here.begin()
        now = await here.until(lambda status: status.embedded == 3 and not status.is_running)
        assert (now.missing, now.problem) == (1, None)
        asked = len(here.gemini.asked)
        here.job.wake()
        await here.room.worked_off()
        assert len(here.gemini.asked) == asked


async def test_an_index_that_is_being_made_anew_drops_no_vectors(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        here.index.stale = True
        here.index.hold(CURATED)
        here.choose(LOCAL)
        await here.until(lambda status: status.model == "small@1" and status.is_stale)
        assert len(here.index.vectors["gemini-embedding-001"]) == 4


async def test_a_query_is_asked_once(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        asked = len(here.gemini.asked)
        first, again = await here.queries(SCOPE, "tea?"), await here.queries(SCOPE, "tea? ")
        assert first == again
        assert here.gemini.asked[asked:] == [(("tea?",), TextUse.QUERY)]


async def test_what_the_model_looks_up_itself_is_not_paid_for(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        asked = len(here.gemini.asked)
        assert await here.queries(SCOPE, "tea?", may_pay=False) is None
        assert len(here.gemini.asked) == asked
        known = await here.queries(SCOPE, "tea?")
        assert await here.queries(SCOPE, "tea?", may_pay=False) == known
        here.choose(LOCAL)
        await here.done("small@1")
        assert await here.queries(SCOPE, "cats?", may_pay=False) is not None


async def silent(here: VectorRoom) -> None:
    here.gemini.gate.clear()
    here.gemini.was_asked.clear()
    task = here.jobs.spawn(_ignored(here.queries(SCOPE, "cats?")), name="query")
    await here.gemini.was_asked.wait()
    here.room.clock.advance(PATIENCE_S)
    await task


async def failing(here: VectorRoom) -> None:
    here.gemini.errors = [ModelRefusedError("no")]
    await _ignored(here.queries(SCOPE, "cats?"))


async def _ignored(call: Awaitable[object]) -> None:
    with pytest.raises((ModelRefusedError, ModelTransientError)):
        await call


@pytest.mark.parametrize("fail", [silent, failing])
async def test_after_a_failure_plans_do_not_wait_for_a_while(
    tmp_path: Path, fail: Callable[[VectorRoom], Awaitable[None]]
) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        await fail(here)
        here.gemini.gate.set()
        asked = len(here.gemini.asked)
        await _ignored(here.queries(SCOPE, "dogs?"))
        assert len(here.gemini.asked) == asked
        here.room.clock.advance(REST_S)
        assert await here.queries(SCOPE, "dogs?") is not None


def test_a_choice_is_stored_by_its_kind_and_directory() -> None:
    for choice in (GEMINI, LOCAL, EmbedderChoice(Embedding.LOCAL, "/a:b")):
        assert choice_of_key(choice.key) == choice
    assert choice_of_key("") == choice_of("another") == EmbedderChoice()
    assert choice_of("gemini", "/small") == GEMINI


@pytest.mark.parametrize(
    ("name", "value", "is_right"),
    [
        ("memory_embedding", "local", True),
        ("memory_embedding", "cloud", False),
        ("memory_embedding", 1, False),
        ("memory_model_dir", "", True),
        ("memory_model_dir", "~/models/bge", True),
        ("memory_model_dir", "models/bge", False),
        ("memory_model_dir", ["/a"], False),
    ],
)
def test_only_a_known_embedder_and_a_whole_path_are_taken(name: str, value: object, *, is_right: bool) -> None:
    assert (preference_problem(name, value) is None) is is_right


async def test_a_choice_that_is_taken_back_during_the_last_batch_drops_no_vectors(tmp_path: Path) -> None:
    async with vector_room(tmp_path) as here:
        await filled(here)
        paid = len(here.gemini.asked)
        here.small.gate.clear()
        here.small.ungated = 1
        here.choose(LOCAL)
        await here.until(lambda status: status.embedded == 2)
        here.choice = GEMINI
        here.small.gate.set()
        here.job.wake()
        await here.until(lambda status: status.choice == GEMINI and not status.is_running)
        assert len(here.index.vectors["gemini-embedding-001"]) == 4
        here.job.wake()
        await here.done("gemini-embedding-001")
        assert len(here.gemini.asked) == paid, "nothing is paid twice"
