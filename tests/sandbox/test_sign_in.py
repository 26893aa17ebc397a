"""Login codes with the unmodified client: what it gets, what is refused, what the other side shows."""

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import NORA, client_of, sandbox
from tests.sandbox.logins import PHONE, arriving, logged_in, sessions_of


@pytest.mark.operation("auth.sendCode, auth.signIn", "the account's first session lists the new one with its device")
async def test_a_code_logs_in():
    async with (
        sandbox() as server,
        client_of(server, NORA) as witness,
        arriving(server, device_model="Test bench") as client,
    ):
        assert not await client.is_user_authorized()
        sent = await client.send_code_request(PHONE)
        assert isinstance(sent.type, types.auth.SentCodeTypeApp)
        assert (sent.type.length, sent.timeout) == (5, 60)
        assert isinstance(sent.next_type, types.auth.CodeTypeSms)
        me = await client.sign_in(PHONE, server.last_code(PHONE))
        assert (me.id, me.is_self) == (NORA, True)
        assert await client.is_user_authorized()
        assert sessions_of(server) == {client.session.auth_key.key_id, witness.session.auth_key.key_id}


@pytest.mark.operation("auth.signIn: third wrong guess", "the right code is worthless afterwards")
async def test_a_code_dies_with_the_third_wrong_guess():
    async with sandbox() as server, arriving(server) as client:
        sent = await client.send_code_request(PHONE)
        code = server.last_code(PHONE)
        wrong = f"{(int(code) + 1) % 100_000:05}"
        for _ in range(3):
            with pytest.raises(errors.PhoneCodeInvalidError):
                await client(functions.auth.SignInRequest(PHONE, sent.phone_code_hash, wrong))
        with pytest.raises(errors.PhoneCodeExpiredError):
            await client(functions.auth.SignInRequest(PHONE, sent.phone_code_hash, code))


@pytest.mark.operation("login by code survives a server restart", "the restarted server knows the exchanged key")
async def test_a_login_survives_a_restart_of_the_server(state_dir):
    from telethon.sessions import StringSession

    session = StringSession()
    async with sandbox(state_dir) as server, logged_in(server, session) as client:
        key = session.auth_key.key
        assert (await client.get_me()).id == NORA
    async with sandbox(state_dir) as server, arriving(server, session) as client:
        assert client.session.auth_key.key == key
        assert (await client.get_me()).id == NORA
        assert sessions_of(server) == {client.session.auth_key.key_id}
