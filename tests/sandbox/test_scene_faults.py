"""Scenes that bring faults, with the server's real ones."""

import asyncio

import pytest
from telethon.errors import FloodWaitError

from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from chimein_gui.sandbox_api import SandboxRefusedError
from tests.sandbox.clients import MARTA, NORA, PATIENCE_S, client_of, marta_for, round_trip, sandbox, send
from tests.sandbox.scene_words import HEAD, heard
from tests.sandbox.stage_time import theatre

FLOOD = """lines:
  - {fault: {like: flood-wait, account: nora, seconds: 30, times: 0}, label: f}
  - {who: marta, to: nora, say: hello}
  - {after: 60s, mend: f}
  - {after: 60s, who: marta, to: nora, say: bye}
"""
AWAY = """lines:
  - {fault: {like: restart, seconds: 200ms}}
  - {who: marta, to: nora, say: while you were away, label: it}
  - {after: 1s, edit: it, say: edited while you were away}
"""


@pytest.mark.operation("scenario: a flood wait that is taken back", "nothing reaches the partner before, all after")
async def test_a_flood_of_a_scene_strikes_and_ends_with_it(tmp_path):
    (tmp_path / "flood.yaml").write_text(HEAD + FLOOD, encoding="utf-8")
    async with sandbox() as server, client_of(server, NORA) as nora:
        peer = await marta_for(nora)
        stage = theatre(server, tmp_path, server.console.faults)
        stage.runner.start("flood")
        stage.clock.advance(1)
        with pytest.raises(FloodWaitError) as told:
            await send(nora, peer, "too soon")
        assert 28 <= told.value.seconds <= 30
        assert await server.console.mailbox(MARTA) == ()
        assert [one.rule.account_id for one in (await server.console.rehearsal()).faults] == [NORA]
        stage.clock.advance(60)
        assert (await server.console.rehearsal()).faults == ()
        async with client_of(server, NORA) as again:  # Telethon itself remembers for how long it was told to wait
            await send(again, await marta_for(again), "in time")
        assert [one.text for one in await server.console.mailbox(MARTA)] == ["in time"]
        stage.runner.stop()


@pytest.mark.operation(
    "scenario: the server is away while people write", "the client that comes back holds the edited text"
)
async def test_what_was_said_while_the_server_was_away_is_there_afterwards(tmp_path, expected_logs):
    expected_logs(r"WARNING telethon.*Server closed the connection")
    expected_logs(r"ERROR telethon.*Automatic reconnection failed")
    (tmp_path / "away.yaml").write_text(HEAD + AWAY, encoding="utf-8")
    async with sandbox() as server:
        stage = theatre(server, tmp_path, server.console.faults)
        async with client_of(server, NORA, catch_up=False) as nora:  # a catch-up that is cut off is an error of its own
            gone = asyncio.wait_for(nora.disconnected, PATIENCE_S)
            stage.play_to_the_end("away")
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await gone
        assert heard(server) == ["edited while you were away"]
        assert server._telegram._comeback is not None
        await asyncio.wait_for(server._telegram._comeback, PATIENCE_S)
        async with client_of(server, NORA) as nora:
            await nora.get_dialogs()
            [newest] = await nora.get_messages(MARTA, limit=1)
            assert newest.message == "edited while you were away"
            assert newest.edit_date is not None
            await round_trip(nora)


async def test_the_console_plays_and_tells_how_far_it_is():
    """Through the port, in the real loop, at the highest speed."""
    async with sandbox(seed=REHEARSAL_SEED) as server:
        before = await server.console.rehearsal()
        await server.console.set_speed(1000)
        await server.console.start_scenario("hostile-stranger")
        state = before
        while state.scenario is None or not (state.scenario.finished or state.scenario.problem):
            state = await asyncio.wait_for(server.console.rehearsal(after=state.revision), PATIENCE_S)
        assert state.scenario.problem == ""
        assert state.revision > before.revision
        assert state.speed == 1000
        with pytest.raises(SandboxRefusedError, match="a speed between"):
            await server.console.set_speed(0.01)
        with pytest.raises(SandboxRefusedError, match="no scene"):
            await server.console.start_scenario("../voices/x")
        await server.console.start_scenario("busy-friday")  # closing the server ends it
