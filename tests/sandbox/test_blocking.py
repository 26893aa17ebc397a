"""Block lists: paged, told to the owner's other devices, and felt by the blocked one as on live Telegram."""

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, NORA, round_trip, send
from tests.sandbox.company import company, person, raw


@pytest.mark.operation("a blocked person writes", "their send succeeds, the blocker gets nothing, it is never read")
async def test_what_a_blocked_person_writes_does_not_arrive():
    async with company() as all_:
        marta, nora = await person(all_.nora, MARTA), await person(all_.marta, NORA)
        await all_.nora(functions.contacts.BlockRequest(marta))
        inbox = raw(all_.nora)
        sent = await send(all_.marta, nora, "Hello? Anybody?")
        await all_.marta(functions.messages.SetTypingRequest(nora, types.SendMessageTypingAction()))
        await round_trip(all_.nora)
        assert inbox.is_empty()
        assert await all_.nora.get_messages(marta, limit=5) == []
        assert [one.id for one in await all_.marta.get_messages(nora, limit=5)] == [sent.id]
        await all_.nora(functions.contacts.UnblockRequest(marta))
        await send(all_.marta, nora, "There you are")
        assert [one.raw_text for one in await all_.nora.get_messages(marta, limit=5)] == ["There you are"]


@pytest.mark.operation("writing to somebody one has blocked", "YOU_BLOCKED_USER; the blocked one gets nothing")
async def test_writing_to_somebody_one_has_blocked():
    async with company() as all_:
        marta = await person(all_.nora, MARTA)
        await all_.nora(functions.contacts.BlockRequest(marta))
        with pytest.raises(errors.YouBlockedUserError):
            await send(all_.nora, marta, "Never mind")
        assert await all_.marta.get_messages(await person(all_.marta, NORA), limit=5) == []


@pytest.mark.operation("a blocked person in a common group", "their words arrive there")
async def test_groups_know_no_block_list():
    async with company() as all_:
        await all_.nora(functions.contacts.BlockRequest(await person(all_.nora, MARTA)))
        await send(all_.marta, all_.group, "You can still read me")
        assert (await all_.nora.get_messages(all_.group, limit=1))[0].raw_text == "You can still read me"
