"""Clients without a key: the exchange, and the codes and pictures that log them in."""

import asyncio
import base64
import logging
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest
from telethon import TelegramClient, errors, functions, types
from telethon.crypto import Factorization, rsa
from telethon.extensions import BinaryReader
from telethon.sessions import StringSession

from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox.timekeeping import wall_clock
from chimein_gui.sandbox.wire.handshake import KeyExchange
from chimein_gui.sandbox.wire.server_key import ServerKey
from chimein_gui.sandbox_api import SandboxRefusedError
from tests.sandbox.clients import NORA, PATIENCE_S, client_of, sandbox

PHONE = DEFAULT_SEED.accounts[0].phone


@contextmanager
def trusted(server: SandboxServer) -> Iterator[None]:
    """Let the unmodified client know the server's key, as long as the test needs it."""
    before = dict(rsa._server_keys)
    rsa.add_key(server.telegram_public_key(), old=False)
    try:
        yield
    finally:
        rsa._server_keys.clear()
        rsa._server_keys.update(before)


def newcomer(server: SandboxServer, session: StringSession | None = None, **options) -> TelegramClient:
    """Make an unmodified client without a key."""
    session = StringSession() if session is None else session
    session.set_dc(2, "127.0.0.1", server.addresses.telegram_port)
    defaults = {"auto_reconnect": False, "flood_sleep_threshold": 0, "request_retries": 1, "connection_retries": 0}
    return TelegramClient(session, 1, "x", **defaults | options)


@asynccontextmanager
async def arriving(
    server: SandboxServer, session: StringSession | None = None, **options
) -> AsyncIterator[TelegramClient]:
    """Connect such a client; it exchanges a key unless the session has one."""
    session = StringSession() if session is None else session
    with trusted(server), short_keys_are_no_news():
        client = await connected(server, session, **options)
    try:
        yield client
    finally:
        await client.disconnect()


async def connected(server: SandboxServer, session: StringSession, **options) -> TelegramClient:
    """Connect; one exchanged key in 256 is too short, the server asks again, and Telethon gives up there."""
    for _ in range(3):
        client = newcomer(server, session, **options)
        try:
            await client.connect()
        except ConnectionError:
            continue
        return client
    raise AssertionError("three keys were too short in a row")


@contextmanager
def short_keys_are_no_news() -> Iterator[None]:
    log = logging.getLogger("telethon.network.mtprotosender")

    def is_news(record: logging.LogRecord) -> bool:
        return "DhGenRetry" not in record.getMessage()

    log.addFilter(is_news)
    try:
        yield
    finally:
        log.removeFilter(is_news)


@pytest.mark.operation("req_pq_multi, req_DH_params, set_client_DH_params", "the server opens what the key seals")
async def test_a_client_without_a_key_gets_one_and_is_not_logged_in():
    async with sandbox() as server, arriving(server) as client:
        assert len(client.session.auth_key.key) == 256
        assert (await client(functions.help.GetNearestDcRequest())).this_dc == 2
        with pytest.raises(errors.AuthKeyUnregisteredError):
            await client(functions.updates.GetStateRequest())


@pytest.mark.operation("exchanged key after a server restart", "the restarted server knows it, with another RSA key")
async def test_an_exchanged_key_survives_a_restart_and_the_rsa_key_does_not(state_dir):
    session = StringSession()
    async with sandbox(state_dir) as server, arriving(server, session):
        first = server.telegram_public_key()
    stored = b"".join(path.read_bytes() for path in state_dir.rglob("*") if path.is_file())
    assert b"PRIVATE KEY" not in stored  # three letters alone stand among random bytes now and then
    assert b"PUBLIC KEY" not in stored
    modulus = rsa.rsa.PublicKey.load_pkcs1(first).n
    assert modulus.to_bytes(256, "big") not in stored
    assert modulus.to_bytes(256, "little") not in stored
    async with sandbox(state_dir) as server:
        assert server.telegram_public_key() != first
        async with arriving(server, session) as client:
            assert (await client(functions.help.GetNearestDcRequest())).this_dc == 2


async def test_the_client_always_finds_the_factors():
    """Of two factors alike in size Telethon finds 1 and the product now and then; then the exchange would end here."""
    exchange = KeyExchange(ServerKey(), adopt=lambda _key: True)
    for nonce in range(200):
        question = bytes(functions.ReqPqMultiRequest(nonce))
        reader = BinaryReader(exchange.answer(struct.pack("<qqi", 0, 1, len(question)) + question)[20:])
        product = int.from_bytes(reader.tgread_object().pq, "big")
        small, large = Factorization.factorize(product)
        assert small * large == product < 2**63
        assert 2**15 < small < 2**16 < 2**45 < large < 2**46


STRANGER = "+9996629999"


@pytest.mark.operation("the console shows log-in codes", "the code it shows logs the client in, and is gone then")
async def test_codes_are_shown_as_long_as_they_log_in():
    ahead = [0.0]
    async with sandbox(now=lambda: wall_clock() + ahead[0]) as server, arriving(server) as client:
        console = server.console
        assert await console.login_codes() == ()
        revision = (await console.rehearsal()).revision
        changed = asyncio.get_running_loop().create_task(console.rehearsal(after=revision))
        sent = await client.send_code_request(PHONE)
        state = await asyncio.wait_for(changed, PATIENCE_S)
        [shown] = await console.login_codes()
        assert state.login_codes == (shown,)
        assert (shown.phone, shown.code, shown.way) == (PHONE, server.last_code(PHONE), "sms")
        assert abs(shown.sent_at - wall_clock()) < PATIENCE_S
        ahead[0] = 5
        await client(functions.auth.ResendCodeRequest(PHONE, sent.phone_code_hash))
        await client(functions.auth.SendCodeRequest(STRANGER, 1, "x", types.CodeSettings()))
        codes = await console.login_codes()
        assert {(one.phone, one.way) for one in codes} == {(STRANGER, "sms"), (PHONE, "call")}
        await client(functions.auth.SignInRequest(PHONE, sent.phone_code_hash, shown.code))
        assert [one.phone for one in await console.login_codes()] == [STRANGER]
        ahead[0] = 400
        assert await console.login_codes() == ()


@pytest.mark.operation("the console shows how a code came", "the other session has the same code as a message")
async def test_a_code_comes_in_telegram_where_the_account_is_open():
    async with sandbox() as server, client_of(server, NORA) as phone, arriving(server) as client:
        await client.send_code_request(PHONE)
        [shown] = await server.console.login_codes()
        assert shown.way == "app"
        told = (await phone.get_dialogs())[0].message
        assert shown.code in told.message


@pytest.mark.operation("the console scans a login token", "the session that shows it is logged in")
async def test_a_picture_is_scanned_by_the_console():
    async with sandbox() as server, arriving(server) as client:
        console = server.console
        token = await client(functions.auth.ExportLoginTokenRequest(1, "x", []))
        url = f"tg://login?token={base64.urlsafe_b64encode(token.token).decode().rstrip('=')}"
        with pytest.raises(SandboxRefusedError, match=r"\+9996629999"):
            await console.scan_login(url, STRANGER)
        with pytest.raises(SandboxRefusedError):
            await console.scan_login(url, "nobody")
        for nonsense in ("", "tg://login", "tg://login?token=", "https://login?token=AA", "tg://login?token=A"):
            with pytest.raises(SandboxRefusedError, match="picture"):
                await console.scan_login(nonsense, PHONE)
        await console.scan_login(url, PHONE)
        with pytest.raises(SandboxRefusedError, match="picture scanned"):
            await console.scan_login(url, PHONE)
        done = await client(functions.auth.ImportLoginTokenRequest(token.token))
        assert done.authorization.user.id == NORA
