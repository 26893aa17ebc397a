"""Stage two in the engine: an embedder prunes and rescues, and its silence costs nothing (SPEC §4)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from chimein_gui.domain.errors import ModelTransientError
from chimein_gui.engine.context_second import PATIENCE_S
from tests.support.group_room import GroupRoom, group_room, texts

MINUTE = 60.0


class HandMade:
    """Implements `engine.ports.Embedder`: two subjects, told apart by a word."""

    def __init__(self, error: Exception | None = None, *, silent: bool = False) -> None:
        self.error = error
        self.silent = silent
        self.asked: list[tuple[str, ...]] = []
        self.was_asked = asyncio.Event()

    async def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        self.asked.append(tuple(texts))
        self.was_asked.set()
        if self.silent:
            await asyncio.Event().wait()
        if self.error is not None:
            raise self.error
        return tuple((1.0, 0.2, 0.0) if "ramen" in text else (0.0, 0.2, 1.0) for text in texts)


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
    second = here.room.engine._services.planner._services.refine.__self__  # type: ignore[attr-defined]
    second._embedder = embedder


async def test_the_prompt_holds_what_stage_two_leaves(tmp_path: Path) -> None:
    async with group_room(tmp_path) as here:
        await talk(here)
        use(here, HandMade())
        prompt = await here.call("Priya", "Nora, what do you think, Tom and I are hungry?")
        assert all("ramen" in text for text in texts(prompt)[:-1])
        assert len(texts(prompt)) == 4
        span = (await here.graph()).span
        assert span.chosen == (1, 3, 5, 6)
        assert [one.message_id for one in span.choices if one.included] == [1, 3, 5]


async def test_texts_are_asked_for_once(tmp_path: Path) -> None:
    async with group_room(tmp_path) as here:
        await talk(here)
        embedder = HandMade()
        use(here, embedder)
        await here.call("Priya")
        await here.call("Priya", "Nora, and now?")
        asked = [text for batch in embedder.asked for text in batch]
        assert len(asked) == len(set(asked))


@pytest.mark.parametrize("is_silent", [False, True])
async def test_an_embedder_that_fails_leaves_the_first_choice(tmp_path: Path, is_silent: bool) -> None:
    async with group_room(tmp_path) as here:
        await talk(here)
        embedder = HandMade(ModelTransientError("overloaded"), silent=is_silent)
        use(here, embedder)
        here.group.said((0.0, "Priya", "Nora, what do you think?"))
        await embedder.was_asked.wait()
        here.room.clock.advance(PATIENCE_S + 0.1)
        await here.room.model.asked(1)
        held = texts(here.room.model.prompts[-1])
        assert held[-1] == "Nora, what do you think?"
        assert len(held) >= 4
        await here.settled()
