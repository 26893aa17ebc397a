"""Logging in by QR code: a session shows a token, the operator scans it with a phone of the sandbox."""

import asyncio

import pytest
from telethon import errors, functions, types

from chimein_gui.sandbox_api import SandboxRefusedError
from tests.sandbox.clients import NORA, PATIENCE_S, sandbox
from tests.sandbox.logins import PHONE, arriving, sessions_of


async def waiting(login) -> asyncio.Task:
    """Begin to wait for the acceptance, as the client demands, before it comes."""
    task = asyncio.get_running_loop().create_task(login.wait(PATIENCE_S))
    await asyncio.sleep(0)
    return task


@pytest.mark.operation("auth.exportLoginToken, updateLoginToken", "the server knows the key as the account's")
async def test_a_qr_code_logs_in():
    async with sandbox() as server, arriving(server) as client:
        login = await client.qr_login()
        assert login.url.startswith("tg://login?token=")
        waiter = await waiting(login)
        await server.console.scan_login(login.url, PHONE)
        assert (await waiter).id == NORA
        assert await client.is_user_authorized()
        assert sessions_of(server) == {client.session.auth_key.key_id}


@pytest.mark.operation("login token: refused", "nobody is logged in by it")
async def test_what_is_refused():
    async with sandbox() as server, arriving(server) as client, arriving(server) as thief:
        login = await client.qr_login()
        with pytest.raises(errors.AuthTokenInvalidError):
            await thief(functions.auth.ImportLoginTokenRequest(login.token))
        await server.console.scan_login(login.url, PHONE)
        with pytest.raises(SandboxRefusedError, match="already"):
            await server.console.scan_login(login.url, PHONE)
        with pytest.raises(errors.AuthTokenInvalidError):
            await thief(functions.auth.ImportLoginTokenRequest(login.token))
        assert not await thief.is_user_authorized()
        done = await client(functions.auth.ImportLoginTokenRequest(login.token))
        assert isinstance(done, types.auth.LoginTokenSuccess)
        assert (await client.get_me()).id == NORA
