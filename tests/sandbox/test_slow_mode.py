"""Slow mode in a group."""

import pytest
from telethon import errors

from tests.sandbox.clients import send
from tests.sandbox.company import company

NOON = 1_800_000_000.0


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> float:
        return self.time


@pytest.mark.operation("slow mode", "SLOWMODE_WAIT with what remains; the others hear one message, then the next")
async def test_slow_mode():
    clock = Clock()
    async with company(now=clock) as all_:
        all_.world.groups.set_slow_mode(all_.world.groups.get(-all_.chat_id), 30)
        await send(all_.ben, all_.group, "first")
        clock.time += 12
        with pytest.raises(errors.SlowModeWaitError) as refused:
            await send(all_.ben, all_.group, "too soon")
        assert refused.value.seconds == 18
        await send(all_.marta, all_.group, "others may")
        await send(all_.nora, all_.group, "the creator may")
        await send(all_.nora, all_.group, "at any time")
        clock.time += 18
        await send(all_.ben, all_.group, "second")
        told = [one.raw_text for one in await all_.nora.get_messages(all_.group, limit=5)]
        assert told == ["second", "at any time", "the creator may", "others may", "first"]
