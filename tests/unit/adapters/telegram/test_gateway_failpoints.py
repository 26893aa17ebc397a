"""The failpoints around the hand-over are where they say they are, down to the bytes on the socket."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.domain.errors import OutcomeUnknownError
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.ids import MessageId
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.unit.adapters.telegram.support import MARTA, Recorder, Stage, request

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


async def test_what_never_was_written_is_not_told(it: Stage) -> None:
    reached: list[Failpoint] = []

    def reach(point: Failpoint) -> None:
        reached.append(point)
        assert gateway.connection.client is not None
        gateway.connection.client.abort()

    gateway = it.gateway(reach=reach)
    await gateway.connect(Recorder())
    await gateway.dialogs()
    with pytest.raises(OutcomeUnknownError):
        await gateway.send_text(request("never"))
    assert reached == [BEFORE]
    assert await it.mailbox() == []


async def _awaited(call: Awaitable[Any]) -> Any:
    return await call
