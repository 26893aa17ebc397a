"""A sandbox client opens no socket to anywhere but this machine, whatever Telethon decides to do."""

import logging
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from telethon.crypto import AuthKey
from telethon.tl import types
from telethon.tl.types import DcOption

from chimein_gui.adapters.telegram.backend import live_backend, sandbox_backend
from chimein_gui.adapters.telegram.client import AccountClient, LiveClient, SandboxClient
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.loopback import (
    LeavesLoopbackError,
    LiveConnection,
    LoopbackConnection,
    require_loopback,
)
from chimein_gui.adapters.telegram.session import SessionFile, seed_session
from chimein_gui.domain.errors import LoggedOutError, NotConnectedError
from tests.support import network_guard
from tests.unit.adapters.telegram.support import Recorder, Stage

REAL_DC = "149.154.167.51"


def sandbox_client(session: SessionFile) -> AccountClient:
    backend = sandbox_backend()
    return backend.client(session, backend.api_id, backend.api_hash, connection=backend.connection)


async def refused(client: AccountClient, *addresses: str) -> None:
    """Connecting fails and the audit hook below asyncio has seen no attempt."""
    try:
        with pytest.raises(LeavesLoopbackError) as caught:
            await client.open()
        assert any(address in str(caught.value) for address in addresses)
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


async def test_a_session_without_an_address_is_rewritten_to_the_real_servers_and_refused(tmp_path: Path) -> None:
    session = SessionFile(str(tmp_path / "a.session"))
    session.auth_key = AuthKey(bytes(range(256)))
    assert not session.server_address
    await refused(sandbox_client(session), REAL_DC)


async def test_an_ipv6_address_is_rewritten_to_the_real_servers_and_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    seed_session(path, dc_id=2, host="::1", port=443, auth_key=bytes(range(256)))
    await refused(sandbox_client(SessionFile(str(path))), REAL_DC)


@pytest.mark.parametrize("host", [REAL_DC, "localhost"])
async def test_a_session_that_names_another_host_is_refused(tmp_path: Path, host: str) -> None:
    path = tmp_path / "a.session"
    seed_session(path, dc_id=2, host=host, port=443, auth_key=bytes(range(256)))
    await refused(sandbox_client(SessionFile(str(path))), host)


async def test_a_migration_to_a_real_data_centre_is_refused(it: Stage) -> None:
    client = sandbox_client(SessionFile(str(it.session())))
    await client.open()
    dc = DcOption(id=4, ip_address="149.154.167.92", port=443)
    SandboxClient._config = types.Config(**{**config_fields(), "dc_options": [dc]})
    try:
        with pytest.raises(LeavesLoopbackError, match=r"149\.154\.167\.92"):
            await client._switch_dc(4)
        with pytest.raises(LeavesLoopbackError, match=r"149\.154\.167\.92"):
            await client._create_exported_sender(4)
        assert network_guard.take_attempts() == []
    finally:
        SandboxClient._config = None
        await client.close()


def config_fields() -> dict[str, Any]:
    import inspect

    return dict.fromkeys(list(inspect.signature(types.Config.__init__).parameters)[1:])


async def test_a_proxy_is_refused() -> None:
    from collections import defaultdict
    from logging import getLogger

    connection = LoopbackConnection(
        "127.0.0.1", 1, 2, loggers=defaultdict(lambda: getLogger("x")), proxy=("socks5", "10.0.0.1", 1)
    )
    with pytest.raises(LeavesLoopbackError, match="proxy"):
        await connection.connect()
    assert network_guard.take_attempts() == []


async def test_the_gateway_reports_it_as_no_connection(tmp_path: Path) -> None:
    path = tmp_path / "telegram.session"
    seed_session(path, dc_id=2, host=REAL_DC, port=443, auth_key=bytes(range(256)))
    gateway = TelethonGateway(session_path=path, backend=sandbox_backend())
    with pytest.raises(NotConnectedError, match="only connect to this machine"):
        await gateway.connect(Recorder())


def test_live_and_sandbox_do_not_share_what_telethon_keeps_on_the_class() -> None:
    SandboxClient._config = "sandbox"
    try:
        assert LiveClient._config is None
    finally:
        SandboxClient._config = None


async def test_the_real_telegram_is_not_asked_with_a_session_that_the_sandbox_made(tmp_path: Path) -> None:
    path = tmp_path / "telegram.session"
    seed_session(path, dc_id=2, host="127.0.0.1", port=4443, auth_key=bytes(range(256)))
    gateway = TelethonGateway(session_path=path, backend=live_backend(1, "hash"))
    with pytest.raises(LoggedOutError, match="made in the sandbox"):
        await gateway.connect(Recorder())
    assert network_guard.take_attempts() == []


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1"])
async def test_a_live_connection_is_not_led_to_this_machine(address: str) -> None:
    connection = LiveConnection(address, 443, 2, loggers=defaultdict(lambda: logging.getLogger("telethon")))
    with pytest.raises(LoggedOutError, match="made in the sandbox"):
        await connection.connect()
    assert network_guard.take_attempts() == []
