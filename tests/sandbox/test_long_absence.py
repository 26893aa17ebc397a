"""The log has an end: who was away too long is told so, and what memory it takes is known."""

import pytest
from telethon import functions, types

from chimein_gui.sandbox.world.boxes import LOG_LIMIT
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, sandbox


@pytest.mark.operation(
    "updates.getDifference: log forgotten", "differenceTooLong with the present pts; history has all"
)
async def test_a_forgotten_log():
    async with sandbox() as server, client_of(server, NORA) as nora:
        before = await nora(functions.updates.GetStateRequest())
        await server.console.speak_many([(MARTA, NORA, f"line {n}") for n in range(5)])
        server._around.world.forget_log(NORA)
        told = await nora(functions.updates.GetDifferenceRequest(before.pts, before.date, 0))
        assert told == types.updates.DifferenceTooLong(before.pts + 5)
        assert len(await nora.get_messages(await marta_for(nora), limit=9)) == 5
        await server.console.speak(MARTA, NORA, "after")
        told = await nora(functions.updates.GetDifferenceRequest(before.pts + 5, before.date, 0))
        assert [one.message for one in told.new_messages] == ["after"]


@pytest.mark.operation("updates.getDifference: log trimmed", "the newest steps stay, also after a restart")
async def test_the_log_is_trimmed_by_itself(state_dir):
    async with sandbox(state_dir) as server:
        for _ in range(13):
            await server.console.speak_many([(MARTA, NORA, "again")] * 1_000)
        world = server._around.world
        assert LOG_LIMIT <= len(world.box(NORA).log) <= LOG_LIMIT + 1_000
        pts = world.box(NORA).pts
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        state = await nora(functions.updates.GetStateRequest())
        assert state.pts == pts == 13_001
        told = await nora(functions.updates.GetDifferenceRequest(1, state.date, 0))
        assert told == types.updates.DifferenceTooLong(pts)
        told = await nora(functions.updates.GetDifferenceRequest(pts - 3, state.date, 0))
        assert len(told.new_messages) == 3
