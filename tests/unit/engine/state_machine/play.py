"""One interleaving: a town, a number of moves drawn from a seed, and a quiet end at which nothing may be lost."""

from __future__ import annotations

import asyncio
import logging
import random
import shutil
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

from chimein_gui.domain.errors import RateLimitedError, SlowModeError
from chimein_gui.domain.ids import PeerId
from chimein_gui.reporting.log_lines import FROM_OUTSIDE
from tests.unit.engine.state_machine import outside, plan_editing, presses, settings, twists
from tests.unit.engine.state_machine.endings import another_account_logs_in, come_to_an_end
from tests.unit.engine.state_machine.town import PEERS, Town, first_messages, prepared

Move = Callable[[Town], Awaitable[None]]

WEIGHTS: dict[Move, int] = {
    outside.partner_writes: 16,
    outside.partner_edits: 3,
    outside.partner_deletes: 2,
    outside.operator_on_the_phone: 2,
    presses.decides: 14,
    presses.approves: 8,
    presses.approves_all: 6,
    twists.changes_his_mind: 9,
    twists.rejects_and_takes_it_back: 4,
    twists.switches_off_in_flight: 2,
    presses.presses_again: 2,
    settings.writes_in_the_composer: 5,
    settings.sends_anyway: 2,
    settings.rewrites_the_plan: 4,
    settings.skips_a_wait: 3,
    plan_editing.edits_the_plan: 8,
    plan_editing.edits_in_a_row: 3,
    settings.holds: 3,
    settings.releases: 4,
    settings.sets_trust: 8,
    settings.sets_quiet_hours: 2,
    settings.a_quiet_hour_begins: 3,
    settings.opens_or_closes_an_editor: 3,
    settings.resumes: 2,
    outside.plans_an_outcome: 9,
    outside.uploads_go_wrong_or_on: 4,
    outside.answers: 5,
    outside.connection_breaks: 3,
    outside.model_thinks: 3,
    outside.model_fails: 2,
    outside.mutes_or_unmutes: 4,
    outside.look_ups_fail_or_work: 3,
    outside.crashes: 2,
    outside.dies_while_the_operator_writes: 1,
    outside.time_passes: 18,
    outside.a_night_passes: 1,
    twists.mutes_beside_an_open_editor: 3,
    twists.claims_out_of_turn: 7,
    twists.changes_a_card_behind_its_back: 2,
}
LENGTH = 60

RACING: tuple[Move, ...] = (
    outside.partner_writes,
    outside.operator_on_the_phone,
    settings.holds,
    outside.connection_breaks,
    outside.partner_edits,
    outside.mutes_or_unmutes,
)


class _Alarm(logging.Handler):
    """Whatever the engine calls an error of its own is one; what the town does from outside is expected."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if getattr(record, next(iter(FROM_OUTSIDE)), False):
            return
        words = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            words += f" ({record.exc_info[1]!r})"
        self.heard.append(words)


def template_file(folder: Path) -> Path:
    """Make the file that every interleaving begins with: an agent that has logged in once."""

    async def main() -> None:
        town = Town(folder, random.Random(0))
        first_messages(town.crowd)
        await town.start()
        await town.close()

    asyncio.run(main())
    return folder / "chimein.db"


def play(seed: int, template: Path, folder: Path, length: int = LENGTH) -> list[str]:
    """Play one interleaving; returns what went wrong and what happened before, or nothing."""
    home = folder / f"{seed}"
    home.mkdir()
    alarm, root = _Alarm(), logging.getLogger("chimein_gui")
    root.addHandler(alarm)
    propagates, root.propagate = root.propagate, False
    try:
        return asyncio.run(_play(seed, template, home, length, alarm))
    finally:
        root.removeHandler(alarm)
        root.propagate = propagates
        shutil.rmtree(home)


async def _play(seed: int, template: Path, home: Path, length: int, alarm: _Alarm) -> list[str]:
    rng = random.Random(seed)
    await prepared(home, template)
    town = Town(home, rng)
    first_messages(town.crowd)
    town.crowd.on_refusal = lambda peer, error: _told(town, peer, error)
    try:
        await town.start()
        for peer in PEERS:
            if rng.random() < 0.5:
                await settings.sets_trust(town, peer)
        for _ in range(length):
            await _move(town, rng)
            if town.book.wrong or alarm.heard:
                break
        else:
            if rng.random() < 0.06:
                await another_account_logs_in(town)
            else:
                await come_to_an_end(town)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what was looked for
        town.book.blame(f"{type(error).__name__}: {error}")
    finally:
        await town.close()
    wrong = [*town.book.wrong, *alarm.heard]
    return [*wrong, *town.story] if wrong else []


async def _move(town: Town, rng: random.Random) -> None:
    move = rng.choices(tuple(WEIGHTS), tuple(WEIGHTS.values()))[0]
    if rng.random() < 0.15:
        racing, after = rng.choice(RACING), rng.randrange(4)
        town.story.append(f"{move.__name__}, and {racing.__name__} before transaction {after}")
        town.store.race(after, lambda: in_the_middle(town, racing))
    else:
        town.story.append(f"{move.__name__} at {town.clock.now():%d %H:%M:%S}")
    await move(town)
    town.store.no_race()
    town.book.fresh.clear()


async def in_the_middle(town: Town, racing: Move) -> None:
    """A move in the middle of another one: it does not wait until everything is quiet."""
    real = town.settled
    town.is_racing = True
    town.settled = _a_few_turns  # type: ignore[method-assign]
    try:
        await racing(town)
    finally:
        town.settled = real  # type: ignore[method-assign]
        town.is_racing = False
        town.book.fresh.clear()
        for note in town.to_note:
            note()
        town.to_note.clear()


async def _a_few_turns() -> None:
    for _ in range(12):
        await asyncio.sleep(0)


def _told(town: Town, peer: PeerId, error: Exception) -> None:
    """Telegram wants us to wait, or has limited the account."""
    if isinstance(error, RateLimitedError):
        key = (town.chats[peer], "any") if isinstance(error, SlowModeError) else (0, town.crowd.asked_for)
        until = town.clock.now() + timedelta(seconds=error.retry_after_s)
        town.book.just_told[key] = max(until, town.book.just_told.get(key, until))
        town.book.told_by[key] = town.chats[peer]
    elif getattr(error, "code", "") == "PEER_FLOOD":
        town.book.limit_told = True
    elif getattr(error, "code", "") == "CHAT_WRITE_FORBIDDEN":
        town.ever_off.add(town.chats[peer])
