"""Forwards, with and without their author, and albums whose parts stay messages of their own."""

import pytest
from telethon import errors, functions, types

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.records import Draft
from tests.sandbox.clients import MARTA, NORA, send
from tests.sandbox.company import BEN, company, heard_message, person, raw

LAKE = MediaRef("geo", raw=bytes(types.MessageMediaGeo(types.GeoPoint(10.0, 50.0, 0))))


async def _forward(client, source, ids, target, **options):
    names = list(range(100, 100 + len(ids)))
    return await client(functions.messages.ForwardMessagesRequest(source, ids, target, random_id=names, **options))


async def _album(all_, sender_id: int, peer_id: int) -> list[int]:
    """Send an album of three as somebody; returns the ids of the sender's copies."""
    album = all_.world.post.next_album_id()
    parts = [Draft(text=f"part {n}", media=LAKE, grouped_id=album) for n in range(3)]
    sent = [all_.world.send(sender_id, peer_id, part).message_id for part in parts]
    all_.server._around.hub.settle()
    return sent


@pytest.mark.operation("messages.forwardMessages", "the receiver sees who wrote it and when; the answer names the ids")
async def test_a_forward_names_its_author():
    async with company() as all_:
        nora = await person(all_.marta, NORA)
        first = await send(all_.marta, nora, "Cake at three")
        second = await send(all_.marta, nora, "Bring forks")
        marta = await person(all_.nora, MARTA)
        inbox = raw(all_.ben)
        at_noras = [one.id for one in await all_.nora.get_messages(marta, limit=2, reverse=True)]
        answer = await _forward(all_.nora, marta, at_noras, all_.group)
        named = {one.random_id: one.id for one in answer.updates if isinstance(one, types.UpdateMessageID)}
        assert sorted(named) == [100, 101]
        for text, sent in (("Cake at three", first), ("Bring forks", second)):
            heard = await heard_message(inbox)
            assert (heard.message, heard.from_id.user_id) == (text, NORA)
            assert (heard.fwd_from.from_id.user_id, heard.fwd_from.date) == (MARTA, sent.date)
        author = await all_.ben.get_entity(types.PeerUser(MARTA))
        assert author.first_name == "Marta"


@pytest.mark.operation("messages.forwardMessages: drop_author", "the receiver sees it as the forwarder's own words")
async def test_a_forward_without_its_author():
    async with company() as all_:
        sent = await send(all_.ben, all_.group, "Anonymous wisdom")
        at_noras = (await all_.nora.get_messages(all_.group, limit=1))[0].id
        await _forward(all_.nora, all_.group, [at_noras], await person(all_.nora, MARTA), drop_author=True)
        (heard,) = await all_.marta.get_messages(await person(all_.marta, NORA), limit=1)
        assert (heard.raw_text, heard.fwd_from, heard.sender_id) == ("Anonymous wisdom", None, NORA)
        assert sent.id


@pytest.mark.operation("account.setPrivacy: forwards", "the receiver sees a name without a link to the author")
async def test_an_author_who_wants_no_link():
    async with company() as all_:
        key, rule = types.InputPrivacyKeyForwards(), types.InputPrivacyValueDisallowAll()
        await all_.ben(functions.account.SetPrivacyRequest(key, [rule]))
        await send(all_.ben, all_.group, "Not me")
        at_noras = (await all_.nora.get_messages(all_.group, limit=1))[0].id
        await _forward(all_.nora, all_.group, [at_noras], await person(all_.nora, MARTA))
        (heard,) = await all_.marta.get_messages(await person(all_.marta, NORA), limit=1)
        assert (heard.fwd_from.from_id, heard.fwd_from.from_name) == (None, "Ben Vale")


@pytest.mark.operation("messages.forwardMessages: repeated random_id", "refused; the receiver has it once")
async def test_a_repeated_forward_arrives_once():
    async with company() as all_:
        await send(all_.ben, all_.group, "Once")
        at_noras = (await all_.nora.get_messages(all_.group, limit=1))[0].id
        marta = await person(all_.nora, MARTA)
        await _forward(all_.nora, all_.group, [at_noras], marta)
        repeated = functions.messages.ForwardMessagesRequest(all_.group, [at_noras], marta, random_id=[100])
        with pytest.raises(errors.RandomIdDuplicateError):
            await all_.nora._sender.send(repeated)
        assert len(await all_.marta.get_messages(await person(all_.marta, NORA), limit=5)) == 1


async def test_what_can_not_be_forwarded():
    async with company() as all_:
        marta = await person(all_.nora, MARTA)
        service = (await all_.nora.get_messages(all_.group, limit=1))[0]
        for ids in ([service.id], [9_999]):
            with pytest.raises(errors.MessageIdInvalidError):
                await _forward(all_.nora, all_.group, ids, marta)
        assert await all_.marta.get_messages(await person(all_.marta, NORA), limit=5) == []


@pytest.mark.operation("album: received", "the receiver's parts are messages of their own with one grouped id")
@pytest.mark.operation("album: one part deleted", "the receiver keeps the other parts, still grouped")
@pytest.mark.operation("album: one part edited", "the receiver hears the edit of that part alone")
async def test_parts_of_an_album():
    async with company() as all_:
        inbox = raw(all_.ben)
        sent = await _album(all_, NORA, -all_.chat_id)
        parts = [await heard_message(inbox) for _ in range(3)]
        assert [part.message for part in parts] == ["part 0", "part 1", "part 2"]
        assert len({part.grouped_id for part in parts}) == 1
        assert parts[0].grouped_id
        assert isinstance(parts[0].media, types.MessageMediaGeo)
        await all_.nora.delete_messages(None, [sent[1]])
        assert (await inbox.next_of(types.UpdateDeleteMessages)).messages == [parts[1].id]
        await all_.nora.edit_message(all_.group, sent[2], "last part")
        edited = (await inbox.next_of(types.UpdateEditMessage)).message
        assert (edited.id, edited.grouped_id, edited.message) == (parts[2].id, parts[0].grouped_id, "last part")
        left = await all_.ben.get_messages(all_.group, limit=2)
        assert [one.id for one in left] == [parts[2].id, parts[0].id]


@pytest.mark.operation("album: forwarded", "the receiver gets an album of its own")
async def test_a_forwarded_album_stays_together():
    async with company() as all_:
        sent = await _album(all_, NORA, -all_.chat_id)
        (before,) = await all_.nora.get_messages(all_.group, ids=[sent[0]])
        await _forward(all_.nora, all_.group, sent, await person(all_.nora, MARTA))
        parts = await all_.marta.get_messages(await person(all_.marta, NORA), limit=3)
        assert [part.raw_text for part in parts] == ["part 2", "part 1", "part 0"]
        (album,) = {part.grouped_id for part in parts}
        assert album not in (None, before.grouped_id)
        assert BEN not in {part.sender_id for part in parts}
