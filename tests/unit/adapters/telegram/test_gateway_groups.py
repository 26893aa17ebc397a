"""A basic group with all that happens in groups: listed, told and fetched without a word in the log."""

from telethon.tl import types

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import PeerId
from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.world.records import Draft, Group, StoredMessage
from tests.unit.adapters.telegram.support import MARTA, NORA, OTTO, Stage, arrived, lake

GEO = MediaRef("geo", raw=bytes(types.MessageMediaGeo(types.GeoPoint(10.0, 50.0, 0))))


def everything(it: Stage, group: Group) -> list[StoredMessage]:
    """Let all kinds of things be said in the group; returns Marta's copies of what she said."""
    world, library, peer = it.world, it.server._around.media, group.peer_id
    first = world.send(MARTA, peer, Draft("Hello @nora_vale_box, see https://lake.example"))
    said = [first, world.send(MARTA, peer, Draft("an answer", reply_to_id=first.message_id, silent=True))]
    kinds = ("photo-lake", "video-lake-evening", "voice-note", "audio-lake-tune", "document-plum-cake", "gif-waves")
    said += [world.send(MARTA, peer, Draft(media=library.named(name))) for name in (*kinds, "otter-wave")]
    album = world.post.next_album_id()
    said += [world.send(MARTA, peer, Draft(f"part {n}", media=GEO, grouped_id=album)) for n in range(2)]
    header = types.MessageFwdHeader(date=first.sent_at, from_id=types.PeerUser(OTTO))
    said.append(world.send(MARTA, peer, Draft("passed on", forward=header)))
    for raw in (types.MessageMediaDice(3, "🎲"), types.MessageMediaContact("99966", "A", "B", "", 0)):
        said.append(world.send(MARTA, peer, Draft(media=MediaRef("other", raw=bytes(raw)))))
    world.send(MARTA, peer, Draft(action=types.MessageActionPinMessage(), reply_to_id=first.message_id))
    world.groups.rename(group, MARTA, "Lake 2")
    world.groups.set_admin(group, OTTO, is_admin=True)
    world.groups.remove(group, MARTA, OTTO)
    world.groups.add(group, MARTA, OTTO)
    world.reactions.give(first, (types.ReactionEmoji("👍"),))
    it.settle()
    return said


async def test_all_kinds_of_messages_of_a_group_are_told_and_fetched_alike(it: Stage) -> None:
    group = lake(it)
    gateway, recorder = await it.connected()
    said = everything(it, group)
    told = await arrived(recorder, len(said) + 4)
    [listed] = [one for one in await gateway.dialogs() if one.chat.peer_id == group.peer_id]
    assert (listed.chat.kind, listed.chat.title) == (ChatKind.GROUP, "Lake 2")
    assert listed.newest_id == told[-1].key.message_id
    fetched = await gateway.history(PeerId(group.peer_id), limit=50)
    assert [one.key for one in fetched[1:]] == [one.key for one in told]
    # the title and what was pinned changed after the messages were told; all else is the same
    assert [(one.text, one.media_kind, one.sender_id) for one in fetched[1:]] == [
        (one.text, one.media_kind, one.sender_id) for one in told
    ]
    assert {one.sender_name for one in told} == {"Marta Oliveira"}
    kinds = [one.media_kind for one in told if not one.is_service]
    assert kinds == [
        *("", "", "photo", "video", "voice", "audio", "document", "gif", "sticker"),
        *("location", "location", "", "dice", "contact"),
    ]
    services = [one.media_kind for one in fetched if one.is_service]
    assert services == ["chat_create", "pin_message", "chat_edit_title", "chat_delete_user", "chat_add_user"]
    assert [one.forward.sender_name for one in told if one.forward] == ["Otto Lind"]
    albums = {one.grouped_id for one in told if one.grouped_id}
    assert len(albums) == 1
    assert told[1].reply_to_id == told[0].key.message_id


async def test_being_made_to_leave_is_told_and_the_past_can_still_be_read(it: Stage) -> None:
    world, group = it.world, lake(it)
    gateway, recorder = await it.ready()
    world.groups.remove(group, MARTA, NORA)
    it.settle()
    [told] = await arrived(recorder, 1)
    assert (told.is_service, told.media_kind) == (True, "chat_delete_user")
    [listed] = [one for one in await gateway.dialogs() if one.chat.peer_id == group.peer_id]
    assert listed.chat.title == "Lake"
    assert len(await gateway.history(PeerId(group.peer_id), limit=9)) == 2
