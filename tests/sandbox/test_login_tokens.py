"""Logging in by QR code: one session shows a token, another accepts it."""

import asyncio

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import NORA, PATIENCE_S, client_of, sandbox
from tests.sandbox.logins import GUARDED, PASSWORD, arriving
from tests.sandbox.test_sign_in import Watch


async def accept(client, token: bytes):
    return await client(functions.auth.AcceptLoginTokenRequest(token))


async def waiting(login) -> asyncio.Task:
    """Begin to wait for the acceptance, as the client demands, before it comes."""
    task = asyncio.get_running_loop().create_task(login.wait(PATIENCE_S))
    await asyncio.sleep(0)
    return task


@pytest.mark.operation("auth.exportLoginToken, acceptLoginToken, updateLoginToken", "both sessions list each other")
async def test_a_qr_code_logs_in():
    async with sandbox() as server, client_of(server, NORA) as phone, arriving(server, device_model="Desk") as client:
        login = await client.qr_login()
        assert login.url.startswith("tg://login?token=")
        waiter = await waiting(login)
        accepted = await accept(phone, login.token)
        assert accepted.device_model == "Desk"
        assert (await waiter).id == NORA
        assert await client.is_user_authorized()
        listed = (await phone(functions.account.GetAuthorizationsRequest())).authorizations
        assert [one.device_model for one in listed if not one.current] == ["Desk"]
        listed = (await client(functions.account.GetAuthorizationsRequest())).authorizations
        assert len(listed) == 2


@pytest.mark.operation(
    "QR login with a second factor", "the accepting session lists the new one only after the password"
)
async def test_a_qr_code_and_a_password_log_in():
    async with sandbox(seed=GUARDED) as server, client_of(server, NORA) as phone, arriving(server) as client:
        login = await client.qr_login()
        waiter = await waiting(login)
        await accept(phone, login.token)
        with pytest.raises(errors.SessionPasswordNeededError):
            await waiter
        assert len((await phone(functions.account.GetAuthorizationsRequest())).authorizations) == 1
        assert (await client.sign_in(password=PASSWORD)).id == NORA
        assert len((await phone(functions.account.GetAuthorizationsRequest())).authorizations) == 2


@pytest.mark.operation("login token: expired, recreated", "the accepting session is refused the old one only")
async def test_a_token_expires_and_is_made_anew():
    watch = Watch()
    async with sandbox(now=watch) as server, client_of(server, NORA) as phone, arriving(server) as client:
        login = await client.qr_login()
        old = login.token
        assert 25 <= login.expires.timestamp() - watch() <= 30
        watch.ahead_s += 31
        with pytest.raises(errors.AuthTokenExpiredError):
            await accept(phone, old)
        await login.recreate()
        with pytest.raises(errors.AuthTokenInvalidError):
            await accept(phone, old)
        waiter = await waiting(login)
        await accept(phone, login.token)
        assert (await waiter).id == NORA


@pytest.mark.operation("login token: refused", "nobody is logged in by it")
async def test_what_is_refused():
    async with (
        sandbox() as server,
        client_of(server, NORA) as phone,
        arriving(server) as client,
        arriving(server) as thief,
    ):
        login = await client.qr_login()
        with pytest.raises(errors.AuthTokenInvalidError):
            await accept(phone, b"made up")
        with pytest.raises(errors.AuthKeyUnregisteredError):
            await accept(thief, login.token)
        with pytest.raises(errors.AuthTokenInvalidError):
            await thief(functions.auth.ImportLoginTokenRequest(login.token))
        await accept(phone, login.token)
        with pytest.raises(errors.AuthTokenAlreadyAcceptedError):
            await accept(phone, login.token)
        with pytest.raises(errors.AuthTokenInvalidError):
            await thief(functions.auth.ImportLoginTokenRequest(login.token))
        assert not await thief.is_user_authorized()
        done = await client(functions.auth.ImportLoginTokenRequest(login.token))
        assert isinstance(done, types.auth.LoginTokenSuccess)
        assert (await client.get_me()).id == NORA
