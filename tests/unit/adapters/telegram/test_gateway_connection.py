"""Connecting, losing the connection, and leaving nothing behind."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from telethon.sessions import SQLiteSession
from telethon.tl import functions, types

from chimein_gui.adapters.telegram import connection
from chimein_gui.adapters.telegram.backend import live_backend, sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.client import input_self
from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.domain.errors import LoggedOutError, NotConnectedError, RateLimitedError
from tests.unit.adapters.telegram.support import MARTA, NORA, Recorder, Stage, answer_with, request, stage


async def test_connecting_tells_whose_account_it_is(it: Stage) -> None:
    identity = await it.gateway().connect(Recorder())
    assert (identity.account_id, identity.name, identity.usernames, identity.phone) == (
        NORA,
        "Nora Vale",
        ("nora_vale_box",),
        "+9996621001",
    )
    assert it.gateways[0].is_up()


async def test_a_key_the_server_does_not_know_is_logged_out(it: Stage) -> None:
    path = it.session(auth_key=bytes(range(256)))
    gateway = TelethonGateway(session_path=path, backend=sandbox_backend())
    with pytest.raises(LoggedOutError):
        await gateway.connect(Recorder())
    assert not gateway.is_up()


async def test_without_a_session_file_nothing_is_tried_and_none_is_made(tmp_path: Path) -> None:
    path = tmp_path / "telegram.session"
    gateway = TelethonGateway(session_path=path, backend=live_backend(1, "hash"))
    with pytest.raises(LoggedOutError):
        await gateway.connect(Recorder())
    assert not path.exists()


async def test_a_session_without_a_key_makes_no_key_exchange(tmp_path: Path) -> None:
    path = tmp_path / "telegram.session"
    SessionFile(str(path)).close()
    gateway = TelethonGateway(session_path=path, backend=live_backend(1, "hash"))
    with pytest.raises(LoggedOutError):
        await gateway.connect(Recorder())


async def test_no_server_is_not_connected(tmp_path: Path) -> None:
    async with stage(tmp_path) as it:
        path = it.session()
    gateway = TelethonGateway(session_path=path, backend=sandbox_backend())
    with pytest.raises(NotConnectedError):
        await gateway.connect(Recorder())
    assert not gateway.is_up()
    await gateway.wait_lost()


async def test_a_server_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECT_TIMEOUT_S", 0.05)
    async with stage(tmp_path) as it:
        it.wire.hold_answers()
        with pytest.raises(NotConnectedError, match="in time"):
            await it.gateway().connect(Recorder())


async def test_a_flood_wait_while_connecting_names_its_seconds(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(monkeypatch, functions.users.GetUsersRequest, 420, "FLOOD_WAIT_77")
    with pytest.raises(RateLimitedError) as caught:
        await it.gateway().connect(Recorder())
    assert caught.value.retry_after_s == 77


async def test_a_connect_can_be_cancelled_at_any_moment(it: Stage) -> None:
    """Telethon's `wait_for` may swallow a cancellation that arrives together with the result (cpython#86296)."""
    finished = False
    turns = 0
    while not finished:
        gateway = it.gateway()
        task = asyncio.get_running_loop().create_task(gateway.connect(Recorder()))
        for _ in range(turns):
            await asyncio.sleep(0)
        finished = task.done()
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled() or finished, f"the cancellation after {turns} turns was swallowed"
        await gateway.disconnect()
        turns += 1
    assert turns > 10


async def test_the_loss_of_the_connection_is_noticed_and_a_new_gateway_connects(it: Stage) -> None:
    gateway, _ = await it.connected()
    it.wire.cut()
    await gateway.wait_lost()
    assert not gateway.is_up()
    await gateway.wait_lost()
    with pytest.raises(NotConnectedError):
        await gateway.send_text(request("too late"))
    with pytest.raises(NotConnectedError):
        await gateway.dialogs()
    await gateway.disconnect()
    await it.connected()


async def test_an_error_while_sending_is_noticed_though_nothing_was_read(it: Stage) -> None:
    gateway, _ = await it.ready()
    assert gateway.connection.client is not None
    connection = gateway.connection.client._sender._connection

    def fail(_data: bytes) -> None:
        raise ConnectionResetError("no route")

    connection._send = fail
    with pytest.raises(Exception, match="perhaps sent"):
        await gateway.send_text(request("hello"))
    await gateway.wait_lost()


async def test_a_disconnect_in_the_middle_of_a_loss_leaves_nobody_waiting(it: Stage) -> None:
    for turns in range(15):
        gateway, _ = await it.connected()
        client = gateway.connection.client
        assert client is not None
        waiting = asyncio.get_running_loop().create_task(client.wait_lost())
        client.abort()
        for _ in range(turns):
            await asyncio.sleep(0)
        await gateway.disconnect()
        await waiting


async def test_an_account_that_goes_waits_for_no_disk_on_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed_in: list[int] = []
    close = SQLiteSession.close

    def noted(session: SQLiteSession) -> None:
        if session._conn is not None:
            closed_in.append(threading.get_ident())
        close(session)

    async with stage(tmp_path) as it:
        gateway, _ = await it.connected()
        monkeypatch.setattr(SQLiteSession, "close", noted)
        await gateway.disconnect()
        monkeypatch.undo()
    assert len(closed_in) == 1
    assert closed_in[0] != threading.get_ident()


async def test_updates_wait_until_somebody_takes_them(it: Stage) -> None:
    await it.connected()
    await it.gateways[0].disconnect()
    await it.server.console.speak(MARTA, NORA, "missed")
    backend = sandbox_backend()
    session = SessionFile(str(it.session()))
    client = backend.client(session, backend.api_id, backend.api_hash, connection=backend.connection)
    taken: asyncio.Queue[str] = asyncio.Queue()

    class Sink:
        async def take(self, updates: Sequence[Any], users: Sequence[Any], chats: Sequence[Any]) -> None:
            for update in updates:
                if isinstance(update, types.UpdateNewMessage):
                    taken.put_nowait(update.message.message)

        def left_out(self, ids: object) -> None:
            raise AssertionError("all can be read")

        def jumped(self) -> None:
            raise AssertionError("nothing was jumped over")

    await client.open()
    for text in ("while", "nobody", "listens"):
        await it.server.console.speak(MARTA, NORA, text)
        await client.submit(input_self())
    client.report_to(Sink())
    assert [await taken.get() for _ in range(4)] == ["missed", "while", "nobody", "listens"]
    await client.close()


async def test_disconnecting_is_noticed_and_may_be_repeated(tmp_path: Path, it: Stage) -> None:
    gateway, _ = await it.connected()
    client = gateway.connection.client
    assert client is not None
    waiting = asyncio.get_running_loop().create_task(client.wait_lost())
    await asyncio.gather(gateway.disconnect(), gateway.disconnect())
    await waiting
    await gateway.disconnect()
    assert not gateway.is_up()
    await TelethonGateway(session_path=tmp_path / "x.session", backend=sandbox_backend()).disconnect()


async def test_the_session_file_is_private_and_complete_after_the_end(tmp_path: Path, it: Stage) -> None:
    gateway, _ = await it.connected()
    await gateway.dialogs()
    await gateway.disconnect()
    path = tmp_path / "nora" / "telegram.session"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["telegram.session"]
    rows = sqlite3.connect(path)
    try:
        assert rows.execute("select count(*) from entities where id = ?", (MARTA,)).fetchone() == (1,)
        assert rows.execute("select count(*) from update_state where pts > 0").fetchone() == (1,)
    finally:
        rows.close()


async def test_secrets_are_in_no_log_and_no_repr(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with stage(tmp_path) as it:
        gateway, _ = await it.connected()
        await gateway.send_text(request("hello"))
        await gateway.disconnect()
        key = it.server.auth_key_for(NORA)
        assert key.hex() not in caplog.text
        assert repr(key)[2:40] not in caplog.text
    assert "s3cret" not in repr(live_backend(1, "s3cret"))
