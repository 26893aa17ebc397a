"""The log has an end: who was away too long is told so, and what memory it takes is known."""

import tracemalloc

import pytest
from telethon import functions, types

from chimein_gui.sandbox.auth_keys.key_ring import KeyRing
from chimein_gui.sandbox.auth_keys.key_rows import KeyRows
from chimein_gui.sandbox.persistence import NullJournal
from chimein_gui.sandbox.world.boxes import LOG_LIMIT
from chimein_gui.sandbox.world.records import Draft, User
from chimein_gui.sandbox.world.world import World
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, sandbox, send
from tests.support.footprint import stored_bytes


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


async def test_a_restart_after_forgetting_keeps_counting(state_dir):
    async with sandbox(state_dir) as server:
        await server.console.speak_many([(MARTA, NORA, "again")] * 5)
        server._around.world.forget_log(NORA)
        server._around.world.journal.commit()
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        assert (await nora(functions.updates.GetStateRequest())).pts == 6
        sent = await send(nora, await marta_for(nora), "next")
        assert (sent.pts, sent.id) == (7, 6)


def _world_of(count: int) -> World:
    world = World(NullJournal(), KeyRing(b"s" * 32, KeyRows(NullJournal())), lambda: 1_800_000_000.0)
    for number in range(count):
        world.add_user(User(NORA + number, f"Person {number}", "", "", "", is_partner=False))
    return world


@pytest.mark.parametrize("members", [2, 6])
def test_stored_bytes_are_an_honest_estimate(members):
    world = _world_of(members)
    peer = NORA + 1 if members == 2 else world.create_group(NORA, "All", range(NORA, NORA + members)).peer_id
    world.take_happenings()
    tracemalloc.start()
    try:
        start, estimated = tracemalloc.get_traced_memory()[0], stored_bytes(world)
        for number in range(4_000):
            world.send(NORA, peer, Draft(f"a text of ordinary length, number {number}", random_id=2**40 + number))
        world.take_happenings()
        grown = tracemalloc.get_traced_memory()[0] - start
    finally:
        tracemalloc.stop()
    assert stored_bytes(world) - estimated == pytest.approx(grown, rel=0.15)


def test_stored_bytes_shrink_with_what_is_deleted():
    world = _world_of(2)
    before = stored_bytes(world)
    sent = [world.send(NORA, NORA + 1, Draft("x" * 1_000)).message_id for _ in range(100)]
    full = stored_bytes(world)
    world.delete(NORA, sent, revoke=True)
    assert full - before > 100 * 1_000
    assert stored_bytes(world) - before < (full - before) / 2
