"""Several sessions of one account: what each hears, and how one ends."""

import pytest
from telethon import errors, events, functions, types
from telethon.sessions import StringSession

from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, sandbox
from tests.sandbox.logins import arriving, logged_in, sessions_of


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


async def test_a_connection_that_only_asks_for_the_configuration_hears_nothing():
    async with sandbox() as server, arriving(server) as client:
        heard = Inbox(client, events.Raw())
        await server.console.speak(MARTA, NORA, "not for you")
        assert isinstance(await client(functions.help.GetConfigRequest()), types.Config)
        assert heard.is_empty()
