"""A sandbox client opens no socket to anywhere but this machine, whatever Telethon decides to do."""

import logging
from collections import defaultdict
from pathlib import Path

import pytest
from telethon.crypto import AuthKey

from chimein_gui.adapters.telegram.backend import live_backend, sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.client import AccountClient
from chimein_gui.adapters.telegram.transport.session import SessionFile, seed_session
from chimein_gui.adapters.telegram.transport.tcp import LeavesLoopbackError, LiveConnection, require_loopback
from chimein_gui.domain.errors import LoggedOutError, NotConnectedError
from tests.support import network_guard
from tests.unit.adapters.telegram.support import Recorder

REAL_DC = "149.154.167.51"


def sandbox_client(session: SessionFile) -> AccountClient:
    backend = sandbox_backend()
    return backend.client(session, backend.api_id, backend.api_hash, connection=backend.connection)


async def refused(client: AccountClient, address: str) -> None:
    """Connecting fails and the audit hook below asyncio has seen no attempt."""
    try:
        with pytest.raises(LeavesLoopbackError) as caught:
            await client.open()
        assert address in str(caught.value)
        assert network_guard.take_attempts() == []
    finally:
        await client.close()


@pytest.mark.parametrize(
    "address",
    [
        REAL_DC,
        "2001:67c:4e8:f002::a",
        "::ffff:149.154.167.51",
        "0.0.0.0",
        "::",
        "localhost",
        "telegram.org",
        "127.1",
        "127.0.0.1.nip.io",
        " 127.0.0.1",
        "",
        None,
        2130706433,
    ],
)
def test_an_address_that_is_not_numeric_loopback_is_refused(address: object) -> None:
    if address == 2130706433:  # 127.0.0.1 as a number: str() of it is no address
        address = str(address)
    with pytest.raises(LeavesLoopbackError):
        require_loopback(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.255.0.3", "::1"])
def test_numeric_loopback_passes(address: str) -> None:
    require_loopback(address)


@pytest.mark.parametrize(
    ("host", "asked_for"), [(REAL_DC, REAL_DC), ("localhost", "localhost"), ("::1", REAL_DC), (None, REAL_DC)]
)
async def test_a_session_that_names_another_host_is_refused(tmp_path: Path, host: str | None, asked_for: str) -> None:
    """An IPv6 address, or none, Telethon replaces by the real server's."""
    path = tmp_path / "a.session"
    if host is not None:
        seed_session(path, dc_id=2, host=host, port=443, auth_key=bytes(range(256)))
    session = SessionFile(str(path))
    session.auth_key = AuthKey(bytes(range(256)))
    await refused(sandbox_client(session), asked_for)


async def test_the_gateway_reports_it_as_no_connection(tmp_path: Path) -> None:
    path = tmp_path / "telegram.session"
    seed_session(path, dc_id=2, host=REAL_DC, port=443, auth_key=bytes(range(256)))
    gateway = TelethonGateway(session_path=path, backend=sandbox_backend())
    with pytest.raises(NotConnectedError, match="only connect to this machine"):
        await gateway.connect(Recorder())


async def test_the_real_telegram_is_not_asked_with_a_session_that_the_sandbox_made(tmp_path: Path) -> None:
    path = tmp_path / "telegram.session"
    seed_session(path, dc_id=2, host="127.0.0.1", port=4443, auth_key=bytes(range(256)))
    gateway = TelethonGateway(session_path=path, backend=live_backend(1, "hash"))
    with pytest.raises(LoggedOutError, match="sandbox session"):
        await gateway.connect(Recorder())
    assert network_guard.take_attempts() == []


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1"])
async def test_a_live_connection_is_not_led_to_this_machine(address: str) -> None:
    connection = LiveConnection(address, 443, 2, loggers=defaultdict(lambda: logging.getLogger("telethon")))
    with pytest.raises(LoggedOutError, match="sandbox session"):
        await connection.connect()
    assert network_guard.take_attempts() == []
