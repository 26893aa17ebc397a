"""Plays one interleaving in the room, and says what went wrong."""

from __future__ import annotations

import asyncio
import random
import traceback
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tests.e2e.races.moves import WEIGHTS, goes_to_the_list
from tests.e2e.races.room import Room
from tests.unit.engine.state_machine import outside
from tests.unit.engine.state_machine.town import first_messages

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import pytest

LENGTHS = range(8, 21)


@asynccontextmanager
async def open_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """Open a window on an engine; many interleavings are played there."""
    room = Room(folder, random.Random(0), monkeypatch)
    first_messages(room.crowd)
    await room.start()
    try:
        yield room
    finally:
        await room.close()


async def play(room: Room, seed: int) -> list[str]:
    """Play one interleaving; returns what went wrong and what happened before, or nothing."""
    rng = random.Random(seed)
    room.begin(rng)
    try:
        for _ in range(2):
            await outside.partner_writes(room)
        await room.passes(1, 2)
        await goes_to_the_list(room)
        for _ in range(rng.choice(LENGTHS)):
            await _move(room)
            if room.book.wrong:
                break
        else:
            await room.all_shown()
            room.compare()
        await room.tidy_up()
        room.compare()
    except Exception:  # noqa: BLE001 - whatever it is, it is what was looked for
        room.book.blame(traceback.format_exc())
    wrong, room.book.wrong = room.book.wrong, []
    return [*wrong, *room.story] if wrong else []


async def _move(room: Room) -> None:
    """Make one move; how far the world gets behind it is drawn, too."""
    rng = room.rng
    move = rng.choices(tuple(WEIGHTS), tuple(WEIGHTS.values()))[0]
    room.story.append(f"{move.__name__} at {room.clock.now():%H:%M:%S.%f}"[:-3])
    await move(room)
    room.book.fresh.clear()
    how_far = rng.random()
    if how_far < 0.6:
        await room.all_shown()
        room.compare_painted()
    elif how_far < 0.75:
        await room.handed_over()
    elif how_far < 0.9:
        await room.settled()
    else:
        await asyncio.sleep(0)
