"""The account's way through a proxy: real small proxies on this machine before the sandbox's server."""

import logging
import socket
from pathlib import Path

import pytest
from telethon.network.connection import tcpmtproxy
from telethon.tl import functions

from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.transport import client as telegram_client
from chimein_gui.adapters.telegram.transport.key_exchange import SandboxTrust
from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.adapters.telegram.transport.tcp import LeavesLoopbackError
from chimein_gui.domain.accounts.proxies import Proxy, ProxyKind
from chimein_gui.domain.errors import NotConnectedError, ProxyError
from chimein_gui.viewmodels.words.errors import error_words
from tests.fakes.proxies import HttpConnect, LoopbackProxy, MtProxy, Socks5
from tests.support import network_guard
from tests.support.telethon_pauses import shorten_pauses
from tests.unit.adapters.telegram.support import NORA, Recorder, Stage, request, stage

LOGIN = ("me", "canary-pass")
WITH_LOGIN = {"username": LOGIN[0], "password": LOGIN[1]}
SECRET = "00112233445566778899aabbccddeeff"


async def passes(it: Stage, proxy: Proxy) -> None:
    """Connect through it, send and ask."""
    gateway = it.gateway(proxy=proxy)
    identity = await gateway.connect(Recorder())
    assert identity.account_id == NORA
    await gateway.dialogs()
    await gateway.send_text(request("through it"))
    assert await it.mailbox() == ["through it"]


async def refused(it: Stage, proxy: Proxy) -> str:
    """Return the words with which connecting ends; they and the log repeat no secret."""
    with pytest.raises(ProxyError) as caught:
        await it.gateway(proxy=proxy).connect(Recorder())
    assert isinstance(caught.value, NotConnectedError)
    return error_words(caught.value)


@pytest.mark.operation("an account behind a SOCKS5 or HTTP proxy", "the partner got its message; the proxy let it pass")
@pytest.mark.parametrize("made", [Socks5(), Socks5(LOGIN), HttpConnect(), HttpConnect(LOGIN)])
async def test_an_account_passes_a_proxy(tmp_path: Path, made: LoopbackProxy) -> None:
    fresh = type(made)(made.login)
    async with stage(tmp_path) as it, fresh as way:
        await passes(it, way.proxy(**(WITH_LOGIN if way.login else {})))
        assert way.passed == [("127.0.0.1", it.wire.port)]


@pytest.mark.operation("an account behind an MTProxy of our own", "the partner got its message; the proxy let it pass")
@pytest.mark.parametrize("form", ["{}", "dd{}"])
async def test_an_account_passes_an_mtproxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    shorten_pauses(monkeypatch, tcpmtproxy)  # it waits for the proxy to hang up
    async with stage(tmp_path) as it, MtProxy(("127.0.0.1", it.wire.port), SECRET) as way:
        await passes(it, way.proxy(secret=form.format(SECRET)))
        assert way.dc_ids == [2]


async def test_a_key_is_exchanged_through_an_mtproxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain packets of the exchange are padded, too."""
    shorten_pauses(monkeypatch, tcpmtproxy)
    async with stage(tmp_path) as it, MtProxy(("127.0.0.1", it.wire.port), SECRET) as way:
        backend = sandbox_backend(SandboxTrust(it.server.telegram_public_key))
        for attempt in range(3):  # one key in 256 is too short
            session = SessionFile(str(tmp_path / f"{attempt}.session"))
            session.set_dc(2, "127.0.0.1", it.wire.port)
            client = backend.new_client(session, way.proxy(secret=SECRET))
            try:
                await client.open()
                assert session.has_key
                await client.submit(functions.help.GetNearestDcRequest())
            except ConnectionError:
                continue
            finally:
                await client.close()
            return
        raise AssertionError("no key was exchanged")


@pytest.mark.parametrize(
    ("way", "login", "words"),
    [
        (lambda: Socks5(LOGIN), {}, "username and password"),
        (lambda: Socks5(LOGIN), {"username": "me", "password": "canary-wrong"}, "username and password"),
        (lambda: Socks5(answer=2), {}, "does not allow"),
        (lambda: Socks5(answer=5), {}, "can't reach Telegram"),
        (lambda: Socks5(answer=7), {}, "answer 7"),
        (lambda: HttpConnect(LOGIN), {}, "username and password"),
        (lambda: HttpConnect(LOGIN), {"username": "me", "password": "canary-wrong"}, "username and password"),
        (lambda: HttpConnect(status=403), {}, "does not allow"),
        (lambda: HttpConnect(status=502), {}, "can't reach Telegram"),
        (lambda: HttpConnect(status=418), {}, "answer 418"),
        (HttpConnect, {"username": "a:b", "password": "canary-pass"}, "can't use this username"),
        (HttpConnect, {"username": "müller", "password": "canary-\u4e2d"}, "can't use this username"),
    ],
)
async def test_a_proxy_that_refuses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, way: type[LoopbackProxy], login: dict[str, str], words: str
) -> None:
    caplog.set_level(logging.DEBUG)
    async with stage(tmp_path) as it, way() as proxy:
        said = await refused(it, proxy.proxy(**login))
        assert words in said
        assert proxy.passed == []
        assert "canary" not in said + caplog.text


@pytest.mark.parametrize("kind", list(ProxyKind))
async def test_a_proxy_that_is_not_there(tmp_path: Path, kind: ProxyKind) -> None:
    with socket.socket() as kept:
        kept.bind(("127.0.0.1", 0))  # bound and not listening
        port = kept.getsockname()[1]
        async with stage(tmp_path) as it:
            said = await refused(it, Proxy(kind, "127.0.0.1", port, secret=SECRET))
            assert "can't be reached" in said
            assert f"127.0.0.1:{port}" in said


@pytest.mark.parametrize("made", [Socks5, HttpConnect])
async def test_a_proxy_that_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: type[LoopbackProxy]
) -> None:
    monkeypatch.setitem(telegram_client._OPTIONS, "timeout", 0.2)
    async with stage(tmp_path) as it, made() as way:
        way.is_silent = True
        assert "in time" in await refused(it, way.proxy())


async def test_an_mtproxy_that_does_not_know_the_secret_hangs_up(tmp_path: Path) -> None:
    async with stage(tmp_path) as it, MtProxy(("127.0.0.1", it.wire.port), "ff" * 16) as way:
        said = await refused(it, way.proxy(secret=SECRET))
        assert "Is its secret right" in said
        assert SECRET not in said
        assert way.passed == []


@pytest.mark.operation("a proxy on another machine, for the sandbox", "no socket leaves loopback")
@pytest.mark.parametrize("kind", list(ProxyKind))
async def test_the_sandbox_goes_through_no_proxy_elsewhere(it: Stage, kind: ProxyKind) -> None:
    for host in ("10.0.0.1", "localhost"):
        gateway = it.gateway(proxy=Proxy(kind, host, 1080, secret=SECRET))
        with pytest.raises(LeavesLoopbackError, match=host):
            await gateway.connect(Recorder())
    assert network_guard.take_attempts() == []


async def test_the_sandbox_asks_a_proxy_for_nothing_elsewhere(tmp_path: Path) -> None:
    async with stage(tmp_path) as it, Socks5() as way:
        session = SessionFile(str(it.session()))
        session.set_dc(2, "149.154.167.51", 443)
        client = sandbox_backend().new_client(session, way.proxy())
        try:
            with pytest.raises(LeavesLoopbackError):
                await client.open()
        finally:
            await client.close()
        assert way.passed == []
