"""Login codes with the unmodified client: what it gets, what is refused, what the other side shows."""

import pytest
from telethon import errors, functions, types

from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from tests.sandbox.clients import NORA, Inbox, client_of, sandbox
from tests.sandbox.logins import PHONE, arriving, log_in, logged_in, sessions_of
from tests.sandbox.stage_time import Watch

STRANGER = "+9996629999"


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


@pytest.mark.operation("TelegramClient.start with code", "the server's session list has the client's key")
async def test_start_asks_for_the_code_and_logs_in(capsys):
    async with sandbox() as server, arriving(server) as client:
        assert await client.start(phone=PHONE, code_callback=lambda: server.last_code(PHONE)) is client
        assert sessions_of(server) == {client.session.auth_key.key_id}
        assert "Nora" in capsys.readouterr().out


@pytest.mark.operation("login code as a message from 777000", "the account's other session hears it")
async def test_the_code_comes_to_the_other_sessions():
    async with sandbox() as server, client_of(server, NORA) as other, arriving(server) as client:
        inbox = Inbox(other)
        await client.send_code_request(PHONE)
        heard = await inbox.next()
        assert heard.chat_id == 777000
        assert server.last_code(PHONE) in heard.raw_text
        assert [account.user_id for account in server.accounts()] == [NORA]
        assert 777000 not in [one.user_id for one in await server.console.partners()]


@pytest.mark.operation("auth.sendCode: no other session", "the code travels by SMS and no message is in the box")
async def test_without_another_session_the_code_travels_by_sms():
    async with sandbox() as server, arriving(server) as client:
        sent = await client.send_code_request(PHONE)
        assert isinstance(sent.type, types.auth.SentCodeTypeSms)
        assert isinstance(sent.next_type, types.auth.CodeTypeCall)
        await client.sign_in(PHONE, server.last_code(PHONE))
        assert await client.get_dialogs() == []


@pytest.mark.operation("auth.resendCode", "the next way, the same code logs in; none is left after the last")
async def test_a_code_is_sent_again_by_the_next_way():
    async with sandbox() as server, arriving(server) as client:
        first = await client.send_code_request(PHONE)
        again = await client(functions.auth.ResendCodeRequest(PHONE, first.phone_code_hash))
        assert isinstance(again.type, types.auth.SentCodeTypeCall)
        assert (again.next_type, again.timeout) == (None, None)
        with pytest.raises(errors.SendCodeUnavailableError):
            await client(functions.auth.ResendCodeRequest(PHONE, first.phone_code_hash))
        assert (await client.sign_in(PHONE, server.last_code(PHONE))).id == NORA


@pytest.mark.operation("auth.signIn: wrong, empty, cancelled, used code", "the key stays without a login")
async def test_codes_that_do_not_log_in():
    async with sandbox() as server, arriving(server) as client:
        sent = await client.send_code_request(PHONE)
        code = server.last_code(PHONE)
        wrong = "00000" if code != "00000" else "00001"
        with pytest.raises(errors.PhoneCodeInvalidError):
            await client.sign_in(PHONE, wrong)
        with pytest.raises(errors.PhoneCodeEmptyError):
            await client(functions.auth.SignInRequest(PHONE, sent.phone_code_hash, ""))
        with pytest.raises(errors.PhoneCodeHashEmptyError):
            await client(functions.auth.SignInRequest(PHONE, "", code))
        with pytest.raises(errors.PhoneCodeExpiredError):
            await client(functions.auth.SignInRequest(PHONE, "of another", code))
        assert await client(functions.auth.CancelCodeRequest(PHONE, sent.phone_code_hash))
        with pytest.raises(errors.PhoneCodeExpiredError):
            await client.sign_in(PHONE, code)
        with pytest.raises(errors.AuthKeyUnregisteredError):
            await client(functions.updates.GetStateRequest())
        await log_in(client, server)
        with pytest.raises(errors.PhoneCodeExpiredError):
            await client(functions.auth.SignInRequest(PHONE, sent.phone_code_hash, code))


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


@pytest.mark.operation("auth.signIn: expired code", "a fresh code logs in")
async def test_a_code_expires():
    watch = Watch()
    async with sandbox(now=watch) as server, arriving(server) as client:
        await client.send_code_request(PHONE)
        watch.ahead_s += 301
        with pytest.raises(errors.PhoneCodeExpiredError):
            await client.sign_in(PHONE, server.last_code(PHONE))
        assert (await log_in(client, server)).id == NORA


@pytest.mark.operation("auth.sendCode: PHONE_NUMBER_INVALID, _BANNED, _FLOOD", "no code is under way")
async def test_numbers_that_get_no_code():
    watch = Watch()
    async with sandbox(now=watch) as server, arriving(server) as client:
        request = functions.auth.SendCodeRequest
        for number in ("12", "no number", "", "1" * 16):
            with pytest.raises(errors.PhoneNumberInvalidError):
                await client(request(number, 1, "x", types.CodeSettings()))
        with pytest.raises(errors.ApiIdInvalidError):
            await client(request(PHONE, 0, "x", types.CodeSettings()))
        server.ban_number(STRANGER)
        with pytest.raises(errors.PhoneNumberBannedError):
            await client(request(STRANGER, 1, "x", types.CodeSettings()))
        with pytest.raises(LookupError):
            server.last_code(STRANGER)
        for _ in range(5):
            await client(request(PHONE, 1, "x", types.CodeSettings()))
        code = server.last_code(PHONE)
        with pytest.raises(errors.PhoneNumberFloodError):
            await client(request(PHONE, 1, "x", types.CodeSettings()))
        assert server.last_code(PHONE) == code
        watch.ahead_s += 601
        await client(request(PHONE, 1, "x", types.CodeSettings()))


@pytest.mark.operation("auth.signUp refused", "nobody has joined: the server knows the same people")
async def test_an_unknown_number_can_not_sign_up():
    async with sandbox() as server, arriving(server) as client:
        sent = await client.send_code_request(STRANGER)
        code = server.last_code(STRANGER)
        with pytest.raises(errors.PhoneNumberUnoccupiedError):
            await client.sign_in(STRANGER, code)
        with pytest.raises(errors.UpdateAppToLoginError):
            await client(functions.auth.SignUpRequest(STRANGER, sent.phone_code_hash, "New", "Comer"))
        assert not await client.is_user_authorized()
        assert [account.user_id for account in server.accounts()] == [NORA]


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


def test_the_default_people_have_no_second_factor():
    assert [person.password for person in (*DEFAULT_SEED.accounts, *DEFAULT_SEED.partners)] == ["", ""]
