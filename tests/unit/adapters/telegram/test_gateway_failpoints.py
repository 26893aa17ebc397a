"""The failpoints around the hand-over are where they say they are, down to the bytes on the socket."""

import asyncio
import logging
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from telethon.tl.core import MessageContainer

from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.tcp import PromptConnection
from chimein_gui.domain.errors import OutcomeUnknownError
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.ids import MessageId
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.unit.adapters.telegram.support import MARTA, Recorder, Stage, request, stage

BEFORE, AFTER = Failpoint.BEFORE_WRITE, Failpoint.AFTER_WRITE


async def watched(it: Stage) -> tuple[TelethonGateway, list[Failpoint]]:
    """Return a connected gateway, and the points it reaches from now on."""
    reached: list[Failpoint] = []
    gateway = it.gateway(reach=reached.append)
    await gateway.connect(Recorder())
    await gateway.dialogs()
    return gateway, reached


async def test_only_what_changes_something_reaches_them(it: Stage) -> None:
    gateway, reached = await watched(it)
    await gateway.history(MARTA, limit=5)
    await gateway.mark_read(MARTA, MessageId(5))
    await gateway.show_typing(MARTA)
    await gateway.find_sticker("harbour_otter", "👋")
    assert reached == []
    receipt = await gateway.send_text(request("one"))
    assert reached == [BEFORE, AFTER]
    assert receipt.message_id is not None
    await gateway.edit_text(MARTA, receipt.message_id, "two")
    await gateway.block(MARTA)
    assert reached == [BEFORE, AFTER] * 3


async def test_the_write_is_told_before_the_answer_comes(it: Stage) -> None:
    written = asyncio.Event()
    gateway = it.gateway(reach=lambda point: written.set() if point is AFTER else None)
    await gateway.connect(Recorder())
    await gateway.dialogs()
    await it.server.console.inject(FaultRule(FaultKind.NO_ANSWER, "messages.sendMessage"))
    revision = (await it.server.console.rehearsal()).revision
    sending = asyncio.get_running_loop().create_task(_awaited(gateway.send_text(request("written"))))
    await written.wait()
    await it.server.console.rehearsal(after=revision)
    assert await it.mailbox() == ["written"]
    assert not sending.done()
    await gateway.disconnect()
    with pytest.raises(OutcomeUnknownError):
        await sending


async def test_every_one_of_many_is_told_once_with_the_packet_it_left_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MessageContainer, "MAXIMUM_LENGTH", 10)
    async with stage(tmp_path) as it:
        told, all_told = 0, asyncio.Event()
        pending: list[int] = []

        def reach(point: Failpoint) -> None:
            nonlocal told
            if point is AFTER:
                told += 1
                assert gateway._client is not None
                pending.append(len(gateway._client._sender._pending_state))
                if told == 40:
                    all_told.set()

        gateway = it.gateway(reach=reach)
        await gateway.connect(Recorder())
        await gateway.dialogs()
        it.wire.hold_answers()
        async with asyncio.TaskGroup() as group:
            for one in range(1, 41):
                group.create_task(gateway.send_text(request(f"n{one}", random_id=one)))
            await all_told.wait()
            it.wire.release_answers()
        assert told == 40
        assert pending[0] < 40  # they left in several packets
        assert all(number <= out for number, out in enumerate(pending, start=1))
        assert gateway._client is not None
        assert gateway._client._unwritten == {}


async def test_what_never_was_written_is_not_told(it: Stage) -> None:
    reached: list[Failpoint] = []

    def reach(point: Failpoint) -> None:
        reached.append(point)
        assert gateway._client is not None
        gateway._client.abort()

    gateway = it.gateway(reach=reach)
    await gateway.connect(Recorder())
    await gateway.dialogs()
    with pytest.raises(OutcomeUnknownError):
        await gateway.send_text(request("never"))
    assert reached == [BEFORE]
    assert await it.mailbox() == []


async def test_what_waits_in_the_buffer_is_told_only_when_it_has_gone() -> None:
    queued, reading, gone, size = asyncio.Event(), asyncio.Event(), asyncio.Event(), 8_000_000
    received: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    class Watched(PromptConnection):
        def _send(self, packet: Any) -> None:
            super()._send(packet)
            queued.set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reading.wait()
        received.set_result(len(await reader.readexactly(size)))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    connection = Watched("127.0.0.1", port, 2, loggers=_Loggers())
    await connection.connect()
    connection.leaving = lambda: [gone.set]
    await connection.send(b"x" * size)
    await queued.wait()
    assert connection._writer.transport.get_write_buffer_size()
    assert not gone.is_set()
    reading.set()
    await gone.wait()
    assert not connection._writer.transport.get_write_buffer_size()
    assert await received == size
    await connection.disconnect()
    server.close()
    await server.wait_closed()


async def test_what_was_buffered_when_the_connection_was_cut_is_not_told() -> None:
    queued, gone = asyncio.Event(), asyncio.Event()

    class Watched(PromptConnection):
        def _send(self, packet: Any) -> None:
            super()._send(packet)
            self.abort()
            self._tell_when_gone([gone.set])  # as it looks again a little later
            queued.set()

    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    connection = Watched("127.0.0.1", server.sockets[0].getsockname()[1], 2, loggers=_Loggers())
    await connection.connect()
    connection.leaving = lambda: [gone.set]
    await connection.send(b"x" * 8_000_000)
    await queued.wait()
    assert not connection._writer.transport.get_write_buffer_size()  # thrown away
    assert not gone.is_set()
    await connection.disconnect()
    server.close()
    await server.wait_closed()


class _Loggers(dict[str, Any]):
    """Gives Telethon's connection a logger of any name."""

    def __missing__(self, name: str) -> Any:
        return logging.getLogger(name)


async def _awaited(call: Awaitable[Any]) -> Any:
    return await call
