"""Looking back: history, single messages, the chat list."""

from datetime import UTC, datetime, timedelta

from telethon import functions

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
