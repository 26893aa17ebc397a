"""Several sessions of one account: what each hears, and how one ends."""

import pytest
from telethon import errors, events, functions, types
from telethon.sessions import StringSession

from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, round_trip, sandbox, send, telethon_client
from tests.sandbox.logins import arriving, logged_in, sessions_of


@pytest.mark.operation("two sessions of one account", "the second hears what the first sends, and what comes")
async def test_two_sessions_hear_the_same():
    async with sandbox() as server, client_of(server, NORA) as first, logged_in(server) as second:
        heard = Inbox(second)
        await server.console.speak(MARTA, NORA, "for both")
        assert (await heard.next()).raw_text == "for both"
        await send(first, await marta_for(first), "from the first")
        own = await heard.next()
        assert (own.raw_text, own.out) == ("from the first", True)


@pytest.mark.operation("auth.logOut", "the other session stays, the key gets AUTH_KEY_UNREGISTERED after a restart too")
async def test_logging_out_ends_one_session_only(state_dir):
    session = StringSession()
    async with sandbox(state_dir) as server, client_of(server, NORA) as first:
        async with logged_in(server, session) as second:
            await second(functions.auth.LogOutRequest())
            with pytest.raises(errors.AuthKeyUnregisteredError):
                await second(functions.updates.GetStateRequest())
        assert sessions_of(server) == {first.session.auth_key.key_id}
    async with sandbox(state_dir) as server, arriving(server, session) as second:
        with pytest.raises(errors.AuthKeyUnregisteredError):
            await second(functions.updates.GetStateRequest())


@pytest.mark.operation("the operator revokes an account", "both its sessions get 401, after a restart too")
async def test_the_operator_ends_all_sessions(state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as first, client_of(server, MARTA) as marta:
        old_key = server.auth_key_for(NORA)
        server._around.sign_in.revoke_all(NORA)
        with pytest.raises(errors.SessionRevokedError):
            await first._sender.send(functions.updates.GetStateRequest())
        assert await marta.is_user_authorized()
        assert server.auth_key_for(NORA) != old_key
    async with sandbox(state_dir) as server:
        again = telethon_client(server.addresses.telegram_port, old_key)
        await again.connect()
        with pytest.raises(errors.SessionRevokedError):
            await again(functions.updates.GetStateRequest())
        await again.disconnect()
        async with client_of(server, NORA) as nora:
            assert (await nora.get_me()).id == NORA


@pytest.mark.operation("forgotten keys", "the server answers -404, after a restart too, and a fresh key works")
async def test_the_operator_lets_all_keys_be_forgotten(state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as first:
        old_key = server.auth_key_for(NORA)
        await round_trip(first)
        lost = first.disconnected
        server._around.sign_in.forget_all(NORA)
        with pytest.raises(errors.AuthKeyNotFound):
            await first._sender.send(functions.updates.GetStateRequest())
        with pytest.raises(errors.AuthKeyNotFound):
            await lost
    async with sandbox(state_dir) as server:
        again = telethon_client(server.addresses.telegram_port, old_key)
        with pytest.raises(errors.AuthKeyNotFound):
            await again.connect()
        with pytest.raises(errors.AuthKeyNotFound):
            await again.disconnected
        async with client_of(server, NORA) as nora:
            assert (await nora.get_me()).id == NORA


@pytest.mark.operation("auth.bindTempAuthKey, auth.exportAuthorization refused", "the session goes on")
async def test_what_one_data_centre_does_not_need():
    async with sandbox() as server, client_of(server, NORA) as nora:
        with pytest.raises(errors.MethodInvalidError):
            await nora(functions.auth.BindTempAuthKeyRequest(1, 2, None, b""))
        with pytest.raises(errors.DcIdInvalidError):
            await nora(functions.auth.ExportAuthorizationRequest(2))
        assert await nora.get_me()


async def test_a_connection_that_only_asks_for_the_configuration_hears_nothing():
    async with sandbox() as server, arriving(server) as client:
        heard = Inbox(client, events.Raw())
        await server.console.speak(MARTA, NORA, "not for you")
        assert isinstance(await client(functions.help.GetConfigRequest()), types.Config)
        assert heard.is_empty()
