"""Ends and starts in awkward moments: an orderly end costs nothing, a crash is counted, and both are told."""

from __future__ import annotations

import asyncio
from pathlib import Path

from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.model import FakeModel
from tests.fakes.telegram import MARTA, FakeGateway, FakeTelegram
from tests.support.engine_room import close, engine_room


def silent_model() -> FakeModel:
    """Return a model that answers nothing before the program ends."""
    model = FakeModel()
    model.gate = asyncio.Event()
    return model


async def test_three_orderly_ends_do_not_lose_a_message(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram, model=silent_model()) as room:
        telegram.partner_writes("hello")
        await room.model.asked(1)
    for _ in range(2):
        async with engine_room(tmp_path, telegram=telegram, model=silent_model()) as room:
            await room.model.asked(1)
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.approval(TaskStatus.AWAITING_DECISION)


class WritesMeanwhile(FakeGateway):
    """The partner writes as soon as the list of chats is there: too late to be old, too early to be heard at once."""

    async def dialogs(self):
        listed = await super().dialogs()
        if not self._server.messages:
            self._server.partner_writes("hello")
        return listed


async def test_a_kill_at_the_end_of_a_first_log_in_does_not_lose_what_came_meanwhile(tmp_path: Path) -> None:
    telegram = FakeTelegram(make=WritesMeanwhile, dialogs_gate=asyncio.Event())
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        room.pull_the_plug()
        killed, real = asyncio.Event(), room.store.transact

        async def transact(work, **options):
            if await room.store.read(lambda tx: tx.agents.all()[0].account_id is not None):
                killed.set()
                raise asyncio.CancelledError
            return await real(work, **options)

        room.store.transact = transact  # type: ignore[method-assign]
        assert telegram.dialogs_gate is not None
        telegram.dialogs_gate.set()
        await killed.wait()
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.approval(TaskStatus.AWAITING_DECISION)


async def test_what_is_reported_just_before_the_end_is_stored(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    busy, free = asyncio.Event(), asyncio.Event()

    async def wait_for_the_disk() -> None:
        busy.set()
        await free.wait()

    async with engine_room(tmp_path, telegram=telegram) as room:
        message = telegram.partner_writes("five")
        await room.approval(TaskStatus.AWAITING_DECISION)
        room.before_each("Ingest._store_batch", wait_for_the_disk)
        gateway = telegram.gateway
        assert gateway is not None
        assert gateway.listener is not None
        gateway.listener.partner_typing(message.key.account_id, MARTA)
        await busy.wait()
        telegram.partner_edits(message, "SIX")
        async with asyncio.TaskGroup() as group:
            group.create_task(close(room))
            await gateway._lost.wait()
            free.set()
    async with engine_room(tmp_path, telegram=telegram) as room:
        assert await room.transcript() == ["SIX"]
