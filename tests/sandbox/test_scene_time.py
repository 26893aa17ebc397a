"""Scenes and their time: speed and pauses change no order, and what breaks by them mends."""

import asyncio
from itertools import pairwise
from random import Random

import pytest
from telethon.errors import FloodWaitError

from chimein_gui.sandbox.scenes.timeline import Timeline
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from chimein_gui.sandbox_api import SandboxRefusedError
from tests.sandbox.clients import MARTA, NORA, PATIENCE_S, client_of, marta_for, round_trip, sandbox, send
from tests.sandbox.scene_words import HEAD, heard
from tests.sandbox.stage_time import VirtualLoop, theatre


class Record:
    """A timeline that notes what is played when."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        self.turns = 0
        self.timeline = Timeline(self.loop, self._turn)
        self.played: list[tuple[str, float, float]] = []
        self._began = self.loop.time()

    def _turn(self) -> None:
        self.turns += 1

    def at(self, moment: float, name: str) -> None:
        self.timeline.at(moment, lambda due: self.played.append((name, due, round(self.loop.time() - self._began, 6))))


def test_speed_takes_effect_at_once_in_the_middle_of_a_wait():
    record = Record()
    record.at(100.0, "late")
    record.loop.advance(10)
    record.timeline.set_speed(30.0)
    record.loop.advance(2.9)
    assert not record.played
    record.loop.advance(0.2)
    assert record.played == [("late", 100.0, 13.0)]
    record.at(130.0, "slow")
    record.timeline.set_speed(0.1)
    record.loop.advance(200)
    assert [name for name, _, _ in record.played] == ["late"]
    record.loop.advance(70)
    assert [name for name, _, _ in record.played] == ["late", "slow"]


def test_a_pause_stands_still_and_goes_on_where_it_stood():
    record = Record()
    record.at(10.0, "a")
    record.loop.advance(4)
    record.timeline.pause(paused=True)
    record.timeline.pause(paused=True)
    assert not record.loop.waits()
    record.loop.advance(1000)
    assert not record.played
    assert record.timeline.now() == pytest.approx(4)
    record.timeline.set_speed(2.0)
    record.timeline.pause(paused=False)
    record.loop.advance(2.9)
    assert not record.played
    record.loop.advance(0.2)
    assert record.played == [("a", 10.0, 1007.0)]


@pytest.mark.parametrize("speed", [0, 0.09, 1000.5, -1, float("nan"), float("inf")])
def test_a_speed_that_makes_no_sense_is_refused(speed):
    record = Record()
    with pytest.raises(SandboxRefusedError, match=r"speed: 0\.1, 1000, "):
        record.timeline.set_speed(speed)
    assert record.timeline.speed == 1.0


def test_what_is_late_is_still_played_in_its_order():
    """A loop that was busy for a while calls everything at once; the order is that of the moments."""
    record = Record()

    def spread(due: float) -> None:
        for step in range(5):
            record.at(due + step * 0.5, f"child {step}")

    record.timeline.at(1.0, spread)
    record.at(2.25, "between")
    record.loop._now += 60  # nobody called back meanwhile
    record.loop.advance(0)
    assert [name for name, _, _ in record.played] == ["child 0", "child 1", "child 2", "between", "child 3", "child 4"]
    assert [due for _, due, _ in record.played] == sorted(due for _, due, _ in record.played)


def test_speed_and_pauses_never_change_the_order():
    draw = Random(7)
    moments = [(draw.uniform(0, 50), str(number)) for number in range(300)]
    orders = set()
    for seed in range(8):
        chance, record = Random(seed), Record()
        for moment, name in moments:
            record.at(moment, name)
        while not record.timeline.is_empty:
            record.timeline.set_speed(chance.choice([0.1, 1, 7, 1000]))
            record.timeline.pause(paused=chance.random() < 0.3)
            record.loop.advance(chance.uniform(0, 5))
            record.timeline.pause(paused=False)
        orders.add(tuple(name for name, _, _ in record.played))
        assert all(one <= other for one, other in pairwise(due for _, due, _ in record.played))
    assert len(orders) == 1


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
        assert state.scenario.problem is None
        assert state.revision > before.revision
        assert state.speed == 1000
        with pytest.raises(SandboxRefusedError, match=r"speed: 0\.1, 1000, 0\.01"):
            await server.console.set_speed(0.01)
        with pytest.raises(SandboxRefusedError, match="no scene"):
            await server.console.start_scenario("../voices/x")
        await server.console.start_scenario("busy-friday")  # closing the server ends it
