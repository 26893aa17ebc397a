"""Whom a client trusts: a sandbox's the sandbox alone, a live one never."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from telethon.crypto import rsa

from chimein_gui.adapters.telegram.backend import live_backend, sandbox_backend
from chimein_gui.adapters.telegram.transport.client import AccountClient, LiveClient, SandboxClient
from chimein_gui.adapters.telegram.transport.key_exchange import SandboxTrust
from chimein_gui.adapters.telegram.transport.tcp import PromptConnection
from tests.unit.adapters.telegram.support import Stage, client_for, exchanged, stage

LIVE = replace(live_backend(1, "hash"), connection=PromptConnection)
"""The live client, but for its refusal of this machine's addresses: what is tested here comes after that."""


@asynccontextmanager
async def closing(client: AccountClient) -> AsyncIterator[AccountClient]:
    try:
        yield client
    finally:
        await client.close()


async def refuses(client: AccountClient) -> None:
    """Connecting ends without a key, and Telethon's own keys are as they were."""
    async with closing(client):
        with pytest.raises(ConnectionError, match="auth_key generation failed"):
            await client.open()
        assert not client._sender.auth_key
        assert not client.session.has_key


@pytest.mark.operation("live client at the sandbox's port", "it gets no key; the sandbox has no new session")
async def test_a_live_client_refuses_the_sandboxs_key(tmp_path: Path, it: Stage) -> None:
    before = dict(rsa._server_keys)
    backend = sandbox_backend(SandboxTrust(it.server.telegram_public_key))
    async with closing(await exchanged(backend, tmp_path / "a.session", it.wire.port)):
        assert rsa._server_keys == before
        keys = len(it.world.keys._records)
        await refuses(client_for(LIVE, tmp_path / "live.session", it.server.addresses.telegram_port))
        assert len(it.world.keys._records) == keys


@pytest.mark.operation("live client while a sandbox client exchanges its key", "only the sandbox client gets one")
async def test_a_live_client_refuses_it_in_the_middle_of_a_sandbox_clients_exchange(tmp_path: Path, it: Stage) -> None:
    """At each of the three steps, and with both exchanges interleaved in one loop."""
    pem = it.server.telegram_public_key()
    backend = sandbox_backend(SandboxTrust(lambda: pem))
    got_keys = 0
    for step in range(3):
        sandbox_client = client_for(backend, tmp_path / f"a{step}.session", it.wire.port)
        async with closing(sandbox_client):
            it.wire.release_answers()
            opening = asyncio.get_running_loop().create_task(sandbox_client.open())
            await hold_after(it, step)
            assert not opening.done()
            await refuses(client_for(LIVE, tmp_path / f"live{step}.session", it.server.addresses.telegram_port))
            assert not opening.done()
            it.wire.release_answers()
            await asyncio.wait([opening])
            got_keys += opening.exception() is None and sandbox_client.session.has_key
    assert got_keys >= 2  # one in 256 is too short


async def hold_after(it: Stage, answers: int) -> None:
    """Let so many answers of the server pass and keep the next."""
    it.wire.let_pass(answers)
    await it.wire.kept.wait()


@pytest.mark.parametrize("trust", ["none", "withdrawn", "of another sandbox"])
async def test_a_sandbox_client_without_the_right_trust_refuses(tmp_path: Path, trust: str) -> None:
    async with stage(tmp_path) as it, stage(tmp_path / "other") as other:
        withdrawn = SandboxTrust(it.server.telegram_public_key)
        withdrawn.withdraw()
        chosen = {
            "none": None,
            "withdrawn": withdrawn,
            "of another sandbox": SandboxTrust(other.server.telegram_public_key),
        }[trust]
        await refuses(client_for(sandbox_backend(chosen), tmp_path / "a.session", it.wire.port))


async def test_a_sandbox_client_trusts_none_of_telegrams_keys() -> None:
    """Whatever fingerprints a server offers, only its own sandbox's is sealed for."""
    from chimein_gui.adapters.telegram.transport.key_exchange import _sealer
    from chimein_gui.sandbox.wire.server_key import ServerKey

    key = ServerKey()
    seal = _sealer(key.public_pem())
    assert seal(key.fingerprint, b"x") is not None
    for fingerprint in rsa._server_keys:
        assert seal(fingerprint, b"x") is None
        assert seal(fingerprint, b"x", use_old=True) is None


def test_backends_do_not_share_their_trust() -> None:
    one, other = SandboxTrust(lambda: b"1"), SandboxTrust(lambda: b"2")
    first, second = sandbox_backend(one).client, sandbox_backend(other).client
    assert issubclass(first, SandboxClient)
    assert issubclass(second, SandboxClient)
    assert (first.trust, second.trust, SandboxClient.trust) == (one, other, None)
    assert not hasattr(LiveClient, "trust")
    first._config = "first"
    assert second._config is LiveClient._config is None
