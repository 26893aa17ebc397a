"""Looking back: history, search, single messages, the chat list."""

from datetime import UTC, datetime, timedelta

import pytest
from telethon import functions, types

from chimein_gui.sandbox.seed import DEFAULT_SEED, benchmark_seed
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, nora_for, sandbox

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


@pytest.mark.operation("messages.getMessages: the pinned one by its kind", "none, as in all chats but channels")
async def test_the_pinned_message_is_not_asked_for_by_its_kind():
    async with sandbox(seed=DEFAULT_SEED) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        peer = await marta_for(nora)
        await nora.pin_message(peer, 2)
        assert await nora.get_messages(peer, ids=types.InputMessagePinned()) is None
        (theirs,) = await marta.get_messages(await nora_for(marta), filter=types.InputMessagesFilterPinned(), limit=5)
        assert theirs.raw_text == DEFAULT_SEED.history[1].text


async def test_search_finds_words_regardless_of_case():
    async with sandbox(seed=DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        peer = await marta_for(nora)
        assert [message.id for message in await nora.get_messages(peer, search="LAKE", limit=5)] == [1]
        photos = await nora.get_messages(peer, filter=types.InputMessagesFilterPhotos(), limit=5)
        assert photos == []


async def test_the_chat_list_is_newest_first_and_paged():
    seed = benchmark_seed(accounts=1, partners=120)
    clock = iter(range(1_700_000_000, 1_800_000_000))
    async with sandbox(seed=seed, now=lambda: next(clock)) as server:
        people = [partner.user_id for partner in await server.console.partners()]
        for person in people:
            await server.console.speak(person, NORA, f"from {person}")
        async with client_of(server, NORA) as nora:
            dialogs = await nora.get_dialogs()
            assert [dialog.id for dialog in dialogs] == people[::-1]
            assert {dialog.unread_count for dialog in dialogs} == {1}


async def test_one_chat_by_peer():
    async with sandbox(seed=DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        await server.console.speak(MARTA, NORA, "new")
        wanted = types.InputDialogPeer(await marta_for(nora))
        answer = await nora(functions.messages.GetPeerDialogsRequest([wanted]))
        assert answer.dialogs[0].unread_count == 1
        assert answer.messages[0].message == "new"
        assert answer.state.pts == (await nora(functions.updates.GetStateRequest())).pts


async def test_who_somebody_is():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        peer = await marta_for(nora)
        full = await nora(functions.users.GetFullUserRequest(peer))
        assert full.users[0].first_name == "Marta"
        assert full.users[0].contact
        assert full.users[0].phone == "9996625001"
        contacts = await nora(functions.contacts.GetContactsRequest(0))
        assert [user.id for user in contacts.users] == [MARTA]
        assert (await nora(functions.contacts.GetBlockedRequest(0, 100))).blocked == []
        settings = await nora(functions.account.GetNotifySettingsRequest(types.InputNotifyPeer(peer)))
        assert settings.mute_until is None
        seen_by_marta = await marta.get_me()
        assert seen_by_marta.access_hash != peer.access_hash
