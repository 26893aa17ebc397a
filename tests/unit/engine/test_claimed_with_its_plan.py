"""A send that is claimed in the very commit of its plan is handed over before anything else happens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ingest.staleness_watch import StalenessWatch
from tests.support.group_room import PEOPLE, GroupRoom, group_room
from tests.support.log_guard import ExpectedLogs

if TYPE_CHECKING:
    import pytest

CALL = "Nora, what do you think?"


async def automatic(here: GroupRoom) -> None:
    """Let the agent answer by itself in a group where something was said before."""
    here.group.said((3600.0, "Ben", "hello"), (3500.0, "Tom", "good morning"))
    await here.settled()
    await here.room.engine.chat_settings.set_trust(await here.chat_id(), TrustLevel.AUTO)


def between(here: GroupRoom, monkeypatch: pytest.MonkeyPatch, happens: Callable[[], Awaitable[None]]) -> None:
    """Let something happen where the messages are looked at that came while the model was thinking."""
    watch: StalenessWatch = here.room.engine._services.staleness_watch
    real = watch._unit

    class Store:
        async def read(self, work: Callable[..., object]) -> object:
            monkeypatch.setattr(watch, "_unit", real)
            await happens()
            return await real.read(work)

    monkeypatch.setattr(watch, "_unit", Store())


async def test_nothing_leaves_after_a_hold_that_is_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with group_room(tmp_path, has_written=True) as here:
        await automatic(here)
        left: list[int] = []

        async def hold() -> None:
            await here.room.engine.holds.hold()
            left.append(len(here.group.requests))

        between(here, monkeypatch, hold)
        here.group.says(CALL, PEOPLE["Priya"])
        await here.room.worked_off()
        await here.settled()
        assert left == [len(here.group.requests)], "whoever presses hold is told when nothing leaves any more"


async def test_trouble_beside_the_plan_does_not_keep_a_claimed_send(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    async with group_room(tmp_path, has_written=True) as here:
        await automatic(here)

        expected_logs("Job watch context failed")

        async def fail() -> None:
            raise StoreError("The database is closed.")

        between(here, monkeypatch, fail)
        here.group.says(CALL, PEOPLE["Priya"])
        await here.room.worked_off()
        await here.settled()
        assert here.room.find(TaskStatus.DONE) is not None
        assert len(here.group.requests) == 1
