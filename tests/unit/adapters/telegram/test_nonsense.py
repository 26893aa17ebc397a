"""What answers is no Telegram, or one that has lost its mind; and a session file that goes while it is used."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions, types

from chimein_gui.adapters.telegram import connection
from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.session import seed_session
from chimein_gui.domain.errors import LoggedOutError, NotConnectedError
from chimein_gui.sandbox.rpc import registry
from tests.support.log_guard import ExpectedLogs
from tests.unit.adapters.telegram.support import Recorder, Stage, request

NONSENSE = {
    "noise": bytes(number * 167 % 251 for number in range(512)),
    "zeros": bytes(512),
    "a web page": b"HTTP/1.1 302 Found\r\nLocation: http://login.example/\r\n\r\n<html>" + b"x" * 400,
    "a long length": b"\xff\xff\xff\x7f" * 64,
}


@contextlib.asynccontextmanager
async def babbler(said: bytes) -> AsyncIterator[int]:
    """Listen, and answer everything with the same bytes; returns the port."""

    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while await reader.read(65536):
                writer.write(said)
                await writer.drain()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    server = await asyncio.start_server(babble, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize("kind", NONSENSE)
async def test_who_is_no_telegram_is_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs, kind: str
) -> None:
    told_at_once = kind in {"noise", "zeros"}  # the others look like a packet that is not complete yet
    if told_at_once:
        expected_logs(r"WARNING telethon\.network\.connection\.connection: Server response had invalid buffer")
        expected_logs(r"ERROR telethon\.network\.mtprotosender: Server sent invalid buffer")
    monkeypatch.setattr(connection, "CONNECT_TIMEOUT_S", 2 if told_at_once else 0.2)
    path = tmp_path / "telegram.session"
    async with babbler(NONSENSE[kind]) as port:
        seed_session(path, dc_id=2, host="127.0.0.1", port=port, auth_key=bytes(range(256)))
        gateway = TelethonGateway(session_path=path, backend=sandbox_backend())
        with pytest.raises(NotConnectedError, match=r"no answer in time|no way"):
            await gateway.connect(Recorder())
        assert not gateway.is_up()


@pytest.mark.parametrize("answer", [[], types.messages.DialogsNotModified(3)], ids=["nothing", "another list"])
async def test_a_list_of_chats_that_is_none_is_a_failed_question(
    it: Stage, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    gateway, _ = await it.connected()
    monkeypatch.setitem(registry._HANDLERS, functions.messages.GetDialogsRequest, lambda _call, _request: answer)
    with pytest.raises(NotConnectedError):
        await gateway.dialogs()


async def test_a_session_file_that_goes_while_it_is_used_is_missed_at_the_next_connect(
    tmp_path: Path, it: Stage
) -> None:
    gateway, recorder = await it.ready()
    session = tmp_path / "nora" / "telegram.session"
    for file in session.parent.iterdir():
        file.unlink()
    partner = await it.partner()
    nora = next(one.chat.peer_id for one in await partner.dialogs() if one.chat.title.startswith("Nora"))
    await partner.send_text(request("are you there?", peer_id=nora))
    await recorder.until(lambda: "are you there?" in recorder.texts())
    it.wire.cut()
    await gateway.wait_lost()
    again = TelethonGateway(session_path=session, backend=sandbox_backend())
    with pytest.raises(LoggedOutError, match="no session"):
        await again.connect(Recorder())
    assert not session.exists(), "nothing is made in its place"


async def test_a_session_file_that_nobody_can_look_for_is_no_log_out(tmp_path: Path) -> None:
    """The disk, and not the account, is in trouble: who is logged out is never tried again."""
    gateway = TelethonGateway(session_path=tmp_path / ("x" * 300) / "telegram.session", backend=sandbox_backend())
    with pytest.raises(NotConnectedError, match="session unusable"):
        await gateway.connect(Recorder())
