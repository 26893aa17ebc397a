"""Searching: by words, kind, author and date, in one chat or in all."""

from datetime import UTC, datetime, timedelta

import pytest
from telethon import functions, types

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.records import Draft
from tests.sandbox.clients import MARTA, NORA, client_of, send
from tests.sandbox.company import BEN, company, person

GEO = MediaRef("geo", raw=bytes(types.MessageMediaGeo(types.GeoPoint(10.0, 50.0, 0))))


def _texts(messages) -> list[str]:
    return [one.raw_text for one in messages]


@pytest.mark.operation("messages.search: words and author", "a member finds what another wrote, not what others did")
async def test_searching_a_group_by_author():
    async with company() as all_:
        await send(all_.ben, all_.group, "The boat is green")
        await send(all_.marta, all_.group, "My boat is blue")
        found = await all_.nora.get_messages(all_.group, search="BOAT is", limit=5)
        assert _texts(found) == ["My boat is blue", "The boat is green"]
        ben = await person(all_.nora, BEN)
        assert _texts(await all_.nora.get_messages(all_.group, search="boat", from_user=ben, limit=5)) == [
            "The boat is green"
        ]
        assert _texts(await all_.nora.get_messages(all_.group, from_user="me", search="boat", limit=5)) == []


@pytest.mark.operation("messages.search: kinds", "a member finds others' photos, stickers, links and mentions by kind")
@pytest.mark.operation("messages.getSearchCounters", "a member gets the numbers of what others sent")
async def test_searching_by_kind():
    async with company() as all_:
        library, peer_id = all_.server._around.media, -all_.chat_id
        for name in ("photo-lake", "video-lake-evening", "voice-note", "document-plum-cake", "gif-waves"):
            all_.world.send(MARTA, peer_id, Draft(text=name, media=library.named(name)))
        all_.world.send(MARTA, peer_id, Draft(text="here", media=GEO))
        await send(all_.marta, all_.group, "see https://lake.example/map")
        await send(all_.marta, all_.group, "@nora_vale_box look")
        expected = {
            types.InputMessagesFilterPhotos: ["photo-lake"],
            types.InputMessagesFilterVideo: ["video-lake-evening"],
            types.InputMessagesFilterPhotoVideo: ["video-lake-evening", "photo-lake"],
            types.InputMessagesFilterVoice: ["voice-note"],
            types.InputMessagesFilterDocument: ["document-plum-cake"],
            types.InputMessagesFilterGif: ["gif-waves"],
            types.InputMessagesFilterGeo: ["here"],
            types.InputMessagesFilterUrl: ["see https://lake.example/map"],
            types.InputMessagesFilterMyMentions: ["@nora_vale_box look"],
            types.InputMessagesFilterPhoneCalls: [],
        }
        for kind, texts in expected.items():
            assert _texts(await all_.nora.get_messages(all_.group, filter=kind(), limit=9)) == texts, kind
        counters = await all_.nora(
            functions.messages.GetSearchCountersRequest(all_.group, [kind() for kind in expected])
        )
        assert [one.count for one in counters] == [len(texts) for texts in expected.values()]


@pytest.mark.operation("messages.search: dates", "only what was said between them")
async def test_searching_by_date():
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    async with company(now=noon.timestamp) as all_:
        for days in range(5):
            moment = int((noon - timedelta(days=4 - days)).timestamp())
            all_.world.send(MARTA, NORA, Draft(text=f"day {days}"), sent_at=moment)
        marta = await person(all_.nora, MARTA)
        since, until = noon - timedelta(days=3, hours=1), noon - timedelta(days=1, hours=1)
        request = functions.messages.SearchRequest(
            marta, "day", types.InputMessagesFilterEmpty(), since, until, 0, 0, 10, 0, 0, 0
        )
        assert [one.message for one in (await all_.nora(request)).messages] == ["day 2", "day 1"]


@pytest.mark.operation("messages.searchGlobal", "what others wrote in all chats, in parts, newest first")
async def test_searching_everywhere():
    async with company() as all_:
        nora = await person(all_.marta, NORA)
        for n in range(3):
            await send(all_.marta, nora, f"plum cake {n}")
            await send(all_.ben, all_.group, f"plum jam {n}")
        await send(all_.ben, await person(all_.ben, MARTA), "plum secret")
        found = _texts(await all_.nora.get_messages(None, search="plum", limit=10))
        assert found == ["plum jam 2", "plum cake 2", "plum jam 1", "plum cake 1", "plum jam 0", "plum cake 0"]
        first = await _global(all_.nora, limit=4)
        assert (len(first.messages), first.count) == (4, 6)
        rest = await _global(all_.nora, rate=first.next_rate, below=first.messages[-1].id)
        assert [one.message for one in rest.messages] == ["plum jam 0", "plum cake 0"]
        groups = await _global(all_.nora, groups_only=True)
        assert {one.peer_id.chat_id for one in groups.messages} == {all_.chat_id}


async def _global(client, *, limit: int = 10, rate: int = 0, below: int = 0, groups_only: bool = False):
    return await client(
        functions.messages.SearchGlobalRequest(
            "plum",
            types.InputMessagesFilterEmpty(),
            None,
            None,
            rate or 0,
            types.InputPeerEmpty(),
            below,
            limit,
            groups_only=groups_only or None,
        )
    )


@pytest.mark.operation("messages.getMessages: replied to", "the message that another answered")
async def test_the_message_that_was_answered():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        asked = await send(all_.nora, all_.group, "Who?")
        bens = (await all_.ben.get_messages(all_.group, limit=1))[0].id
        await send(all_.ben, all_.group, "Me", reply_to=types.InputReplyToMessage(bens))
        (answer,) = await phone.get_messages(all_.group, limit=1)
        assert (await answer.get_reply_message()).id == asked.id
        wanted = functions.messages.GetMessagesRequest([types.InputMessageReplyTo(answer.id)])
        assert [one.message for one in (await phone(wanted)).messages] == ["Who?"]
