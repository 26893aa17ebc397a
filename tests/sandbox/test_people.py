"""People who are gone, bots, and what no client could send."""

import pytest
from telethon import errors

from chimein_gui.sandbox.world.records import User
from chimein_gui.sandbox_api import SandboxRefusedError
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, sandbox, send
from tests.sandbox.company import company, person


@pytest.mark.operation("a deleted account", "a former partner sees no name and is refused; the history stays")
async def test_a_deleted_account():
    async with company() as all_:
        marta = await person(all_.nora, MARTA)
        await send(all_.marta, await person(all_.marta, NORA), "Farewell")
        all_.world.directory.delete(MARTA)
        (dialog,) = [one for one in await all_.nora.get_dialogs() if one.is_user]
        assert (dialog.entity.deleted, dialog.entity.first_name, dialog.entity.username) == (True, None, None)
        assert [one.raw_text for one in await all_.nora.get_messages(marta, limit=5)] == ["Farewell"]
        with pytest.raises(errors.InputUserDeactivatedError):
            await send(all_.nora, marta, "Where did you go?")


@pytest.mark.operation("a bot as a user", "a client sees that it is one, and can write to it")
async def test_a_bot():
    async with company() as all_:
        bot = User(MARTA + 50, "Ferry times", "", "", "ferry_times_bot", is_partner=True, is_bot=True)
        all_.world.add_user(bot)
        seen = await all_.nora.get_entity("ferry_times_bot")
        assert (seen.bot, seen.phone) == (True, None)
        await send(all_.nora, seen, "/start")
        (delivery,) = await all_.server.console.mailbox(bot.user_id)
        assert delivery.text == "/start"


async def test_partners_who_are_nobody_neither_speak_nor_read():
    async with sandbox() as server:
        for partner_id, account_id in ((1, NORA), (MARTA, 1), (NORA, MARTA)):
            with pytest.raises(SandboxRefusedError):
                await server.console.speak(partner_id, account_id, "x")
        for nobody in (1, NORA):
            with pytest.raises(SandboxRefusedError):
                await server.console.mailbox(nobody)
        with pytest.raises(SandboxRefusedError):
            await server.console.speak_many([(MARTA, NORA, "kept back"), (MARTA, 1, "x")])
        async with client_of(server, NORA) as nora:
            assert await nora.get_dialogs() == []


@pytest.mark.parametrize(
    ("text", "words"), [("", "empty"), (" \n\t", "empty"), ("x" * 4097, "at most 4,096"), ("a\ud800", "half a char")]
)
async def test_what_no_client_could_send_partners_do_not_say(text, words):
    async with sandbox() as server:
        with pytest.raises(SandboxRefusedError, match=words):
            await server.console.speak(MARTA, NORA, text)
        with pytest.raises(SandboxRefusedError, match=words):
            await server.console.speak_many([(MARTA, NORA, "kept back"), (MARTA, NORA, text)])
        async with client_of(server, NORA) as nora:
            assert await nora.get_dialogs() == []
            await server.console.speak(MARTA, NORA, "😀" * 2048)
            assert len(await nora.get_messages(await marta_for(nora))) == 1
