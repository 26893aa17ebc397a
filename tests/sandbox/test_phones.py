"""Log-in codes and pictures as the operator of a rehearsal has them, in this process and over the channel."""

import asyncio
import base64

import pytest
from telethon import functions, types

from chimein_gui.sandbox.timekeeping import wall_clock
from chimein_gui.sandbox_api import SandboxRefusedError
from tests.sandbox.clients import NORA, PATIENCE_S, client_of, sandbox
from tests.sandbox.logins import PHONE, arriving

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
        with pytest.raises(SandboxRefusedError, match="scanned already"):
            await console.scan_login(url, PHONE)
        done = await client(functions.auth.ImportLoginTokenRequest(token.token))
        assert done.authorization.user.id == NORA
