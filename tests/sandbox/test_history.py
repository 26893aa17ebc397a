"""Looking back: history, single messages, the chat list."""

from datetime import UTC, datetime, timedelta

from telethon import functions, types

from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, sandbox
from tests.support.numbered_people import numbered_people

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


async def test_the_default_world_has_a_past_that_is_read():
    async with sandbox(seed=DEFAULT_SEED, now=NOON.timestamp) as server, client_of(server, NORA) as nora:
        (dialog,) = await nora.get_dialogs()
        assert (dialog.name, dialog.unread_count) == ("Marta Oliveira", 0)
        told = await nora.get_messages(dialog.input_entity, limit=20)
        lines = DEFAULT_SEED.history
        assert [message.raw_text for message in reversed(told)] == [line.text for line in lines]
        assert [message.sender_id for message in reversed(told)] == [line.from_id for line in lines]
        assert told[-1].date == NOON - timedelta(days=4, minutes=30)


async def test_history_is_paged_both_ways():
    async with sandbox() as server, client_of(server, NORA) as nora:
        await server.console.speak_many([(MARTA, NORA, f"line {n}") for n in range(1, 251)])
        peer = await marta_for(nora)
        newest_first = [message.id async for message in nora.iter_messages(peer, wait_time=0)]
        oldest_first = [message.id async for message in nora.iter_messages(peer, wait_time=0, reverse=True)]
        assert newest_first == list(range(250, 0, -1))
        assert oldest_first == list(range(1, 251))


async def test_history_respects_every_limit():
    async with sandbox() as server, client_of(server, NORA) as nora:
        await server.console.speak_many([(MARTA, NORA, f"line {n}") for n in range(1, 51)])
        peer = await marta_for(nora)

        async def ids(**limits):
            found = await nora.get_messages(peer, **limits)
            return [message.id for message in found]

        assert await ids(limit=3) == [50, 49, 48]
        assert await ids(limit=3, offset_id=10) == [9, 8, 7]
        assert await ids(limit=3, offset_id=10, add_offset=-2) == [11, 10, 9]
        assert await ids(limit=10, min_id=47) == [50, 49, 48]
        assert await ids(limit=2, max_id=5) == [4, 3]
        raw = await nora(functions.messages.GetHistoryRequest(peer, 0, None, 0, 2, 0, 0, 0))
        assert (raw.count, len(raw.messages)) == (50, 2)


async def test_history_before_a_date():
    async with sandbox(seed=DEFAULT_SEED, now=NOON.timestamp) as server, client_of(server, NORA) as nora:
        three_days_ago = NOON - timedelta(days=3)
        older = await nora.get_messages(await marta_for(nora), limit=10, offset_date=three_days_ago)
        assert [message.id for message in older] == [3, 2, 1]


async def test_single_messages_and_those_that_do_not_exist():
    async with sandbox(seed=DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        found = await nora.get_messages(await marta_for(nora), ids=[2, 999])
        assert found[0].raw_text == DEFAULT_SEED.history[1].text
        assert found[1] is None


async def test_the_chat_list_is_newest_first_and_paged():
    seed = numbered_people(accounts=1, partners=120)
    clock = iter(range(1_700_000_000, 1_800_000_000))
    async with sandbox(seed=seed, now=lambda: next(clock)) as server:
        people = [partner.user_id for partner in await server.console.partners()]
        for person in people:
            await server.console.speak(person, NORA, f"from {person}")
        async with client_of(server, NORA) as nora:
            dialogs = await nora.get_dialogs()
            assert [dialog.id for dialog in dialogs] == people[::-1]
            assert {dialog.unread_count for dialog in dialogs} == {1}


async def test_who_somebody_is():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        peer = await marta_for(nora)
        (seen,) = await nora(functions.users.GetUsersRequest([peer]))
        assert (seen.first_name, seen.contact, seen.phone) == ("Marta", True, "9996625001")
        contacts = await nora(functions.contacts.GetContactsRequest(0))
        assert [user.id for user in contacts.users] == [MARTA]
        assert (await nora(functions.contacts.GetBlockedRequest(0, 100))).blocked == []
        settings = await nora(functions.account.GetNotifySettingsRequest(types.InputNotifyPeer(peer)))
        assert settings.mute_until is None
        seen_by_marta = await marta.get_me()
        assert seen_by_marta.access_hash != peer.access_hash
