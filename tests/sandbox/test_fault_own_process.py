"""Faults of a sandbox in another process, and what is on its disk when it is killed right after one."""

import asyncio

import pytest

from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.sandbox.clients import CUT, GIVEN_UP, MARTA, connected, fails, marta_for, send
from tests.support.control import ControlChannelConsole
from tests.support.own_process import own_sandbox

SEND = "messages.sendMessage"


async def _mailbox(port_file) -> list[str]:
    console = await ControlChannelConsole.from_port_file(port_file)
    try:
        return [one.text for one in await console.mailbox(MARTA)]
    finally:
        await console.aclose()


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        pytest.param(FaultKind.DROP_AFTER, ["said"], id="lost after the send"),
        pytest.param(FaultKind.DROP_BEFORE, [], id="lost before the send"),
        pytest.param(FaultKind.NO_ANSWER, ["said"], id="never answered"),
    ],
)
@pytest.mark.operation("fault on a send, then kill -9 of the server", "the partner's mailbox after the restart")
async def test_what_was_executed_is_on_disk_before_the_fault_shows(tmp_path, kind, stored, expected_logs):
    expected_logs(CUT)
    expected_logs(GIVEN_UP)
    options = ("--state-dir", str(tmp_path / "state"))
    with own_sandbox(tmp_path, *options) as own:
        async with connected(own.described) as nora:
            before = await _mailbox(own.port_file)
            console = await ControlChannelConsole.from_port_file(own.port_file)
            await console.inject(FaultRule(kind, SEND))
            revision = (await console.rehearsal()).revision
            peer = await marta_for(nora)
            async with asyncio.TaskGroup() as group:
                sending = group.create_task(fails(send(nora, peer, "said", random_id=3)))
                await console.rehearsal(after=revision)
                own.process.kill()
            assert sending.result()
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await nora.disconnected
            await console.aclose()
    with own_sandbox(tmp_path, *options) as own:
        assert await _mailbox(own.port_file) == before + stored
