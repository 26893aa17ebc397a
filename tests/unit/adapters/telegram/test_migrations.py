"""A sandbox client that is sent elsewhere by its server goes nowhere: no socket but to this machine, clear words."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from telethon.crypto import AuthKey
from telethon.tl import functions, types

from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.client import AccountClient, SandboxClient
from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.adapters.telegram.transport.tcp import LeavesLoopbackError
from chimein_gui.domain.errors import NotConnectedError
from chimein_gui.sandbox.rpc import registry
from tests.support import network_guard
from tests.unit.adapters.telegram.support import NORA, PHONE, Recorder, Stage, answer_with, stage

FOREIGN = {4: "149.154.167.92"}


def list_foreign_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server's configuration name servers of the real Telegram, which the sandbox never does."""
    configuration = registry._HANDLERS[functions.help.GetConfigRequest]

    def answer(call: Any, request: Any) -> Any:
        config = configuration(call, request)
        for number, address in FOREIGN.items():
            config.dc_options.append(types.DcOption(number, address, 443))
        return config

    monkeypatch.setitem(registry._HANDLERS, functions.help.GetConfigRequest, answer)


@asynccontextmanager
async def client_of(it: Stage, path: Path | None = None) -> AsyncIterator[AccountClient]:
    """Connect the product's own sandbox client."""
    backend = sandbox_backend()
    session = SessionFile(str(path or it.session()))
    client = backend.client(session, backend.api_id, backend.api_hash, connection=backend.connection)
    await client.open()
    try:
        yield client
    finally:
        SandboxClient._config = None
        await client.close()


@pytest.mark.operation("USER_MIGRATE, PHONE_MIGRATE, NETWORK_MIGRATE to a foreign server", "no socket leaves loopback")
@pytest.mark.parametrize("word", ["USER", "PHONE", "NETWORK"])
async def test_a_migration_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    list_foreign_servers(monkeypatch)
    async with stage(tmp_path) as it:
        old_session = it.session()
        async with client_of(it) as client:
            await client.submit(functions.auth.LogOutRequest())
        async with client_of(it, old_session) as client:
            answer_with(monkeypatch, functions.auth.SendCodeRequest, 303, f"{word}_MIGRATE_4")
            with pytest.raises(LeavesLoopbackError, match=FOREIGN[4]):
                await client.send_code_request(PHONE)
            assert network_guard.take_attempts() == []
            assert not client.is_up()


@pytest.mark.operation("FILE_MIGRATE to a foreign server", "no socket leaves loopback, the connection goes on")
async def test_a_file_elsewhere_is_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    list_foreign_servers(monkeypatch)
    async with stage(tmp_path) as it, client_of(it) as client:
        answer_with(monkeypatch, functions.upload.GetFileRequest, 303, "FILE_MIGRATE_4")
        where = types.InputDocumentFileLocation(1, 1, b"", "")
        with pytest.raises(LeavesLoopbackError, match=FOREIGN[4]):
            await client.download_file(where, bytes)
        assert network_guard.take_attempts() == []
        assert client.is_up()


async def test_a_session_that_was_sent_elsewhere_stays_here_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Telethon has written the foreign address into the session by then."""
    list_foreign_servers(monkeypatch)
    async with stage(tmp_path) as it:
        async with client_of(it) as client:
            with pytest.raises(LeavesLoopbackError):
                await client._switch_dc(4)
            path = tmp_path / "nora" / "telegram.session"
        session = SessionFile(str(path))
        assert session.server_address == FOREIGN[4]
        session.auth_key = AuthKey(it.server.auth_key_for(NORA))
        session.close()
        gateway = TelethonGateway(session_path=path, backend=sandbox_backend())
        with pytest.raises(NotConnectedError):
            await gateway.connect(Recorder())
        assert network_guard.take_attempts() == []


@pytest.mark.operation("a proxy is set", "no socket leaves loopback")
@pytest.mark.parametrize("proxy", [("socks5", "10.0.0.1", 1080), ("http", "127.0.0.1", 8080)])
async def test_a_proxy_of_the_client_is_refused(it: Stage, proxy: tuple[str, str, int]) -> None:
    backend = sandbox_backend()
    session = SessionFile(str(it.session()))
    client = backend.client(session, backend.api_id, backend.api_hash, connection=backend.connection)
    client.set_proxy(proxy)
    try:
        with pytest.raises(LeavesLoopbackError, match="proxy"):
            await client.open()
        assert network_guard.take_attempts() == []
    finally:
        await client.close()
