"""Block lists: paged, told to the owner's other devices, and felt by the blocked one as on live Telegram."""

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, NORA, client_of, round_trip, sandbox, send
from tests.sandbox.company import OTTO, company, person, raw
from tests.support.numbered_people import numbered_people


@pytest.mark.operation("contacts.block", "the other session hears it and lists it")
@pytest.mark.operation("contacts.unblock", "the other session hears it; the list is empty again")
async def test_blocking_and_unblocking():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        inbox = raw(phone)
        otto = await person(all_.nora, OTTO)
        assert await all_.nora(functions.contacts.BlockRequest(otto))
        heard = await inbox.next_of(types.UpdatePeerBlocked)
        assert (heard.peer_id.user_id, heard.blocked) == (OTTO, True)
        listed = await phone(functions.contacts.GetBlockedRequest(0, 100))
        assert [one.peer_id.user_id for one in listed.blocked] == [OTTO]
        assert await all_.nora(functions.contacts.UnblockRequest(otto))
        assert not (await inbox.next_of(types.UpdatePeerBlocked)).blocked
        assert (await phone(functions.contacts.GetBlockedRequest(0, 100))).blocked == []


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


@pytest.mark.operation(
    "contacts.getBlocked: more than 100", "all parts together are the whole list, also after a restart"
)
async def test_a_long_block_list_is_paged(state_dir):
    seed = numbered_people(accounts=1, partners=250)
    async with sandbox(state_dir, seed) as server:
        world = server._around.world
        strangers = [partner.user_id for partner in await server.console.partners()]
        for number, stranger in enumerate(strangers):
            world.directory.block(NORA, stranger, 1_700_000_000 + number)
        world.journal.commit()
    async with sandbox(state_dir, seed) as server, client_of(server, NORA) as nora:
        seen: list[int] = []
        while True:
            part = await nora(functions.contacts.GetBlockedRequest(len(seen), 1_000))
            assert part.count == 250
            if not part.blocked:
                break
            assert len(part.blocked) <= 100
            seen += [one.peer_id.user_id for one in part.blocked]
        assert seen == strangers[::-1]


async def test_nobody_blocks_themselves():
    async with company() as all_:
        with pytest.raises(errors.ContactIdInvalidError):
            await all_.nora(functions.contacts.BlockRequest(types.InputPeerSelf()))
        assert (await all_.nora(functions.contacts.GetBlockedRequest(0, 100))).blocked == []
