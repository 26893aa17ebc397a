"""Reactions: stored and told as they stand, and nothing else: no edit, no stale draft, no trigger."""

from __future__ import annotations

from dataclasses import replace

from chimein_gui.domain.events import MessageStored
from chimein_gui.domain.messages import Media, Message, Reaction
from tests.support.ingest_room import IngestRoom

THUMB = (Reaction("👍", 1),)


async def stored(room: IngestRoom, message: Message) -> Message:
    found = await room.store.read(lambda tx: tx.messages.get(message.key))
    assert found is not None
    return found


async def react(room: IngestRoom, message: Message, *reactions: Reaction, tells_mine: bool = True) -> None:
    room.listener.reactions_changed(message.key, reactions, tells_mine=tells_mine)
    await room.ingest.flush()


async def test_a_reaction_is_stored_and_told_and_that_is_all(room: IngestRoom) -> None:
    message = await room.says("hello")
    draft = await room.draft(message)
    room.events.clear()
    room.due.clear()
    room.triggered.clear()
    await react(room, message, *THUMB)
    assert await stored(room, message) == replace(message, reactions=THUMB)
    [told] = room.events
    assert isinstance(told, MessageStored)
    assert told.message == replace(message, reactions=THUMB)
    assert await room.now(draft) == draft
    assert (room.due, room.triggered) == ([], [])


async def test_the_same_again_is_not_told(room: IngestRoom) -> None:
    message = await room.says("hello")
    await react(room, message, *THUMB)
    room.events.clear()
    await react(room, message, *THUMB)
    assert room.events == []
    await react(room, room.message("never told"), *THUMB)
    assert room.events == [], "nor what is of an unknown message"
    await react(room, message)
    assert (await stored(room, message)).reactions == ()


async def test_an_edit_that_hides_itself_brings_reactions_and_makes_nothing_stale(room: IngestRoom) -> None:
    message = await room.says("hello")
    draft = await room.draft(message)
    room.events.clear()
    room.listener.message_edited((await room.chat()).info, replace(message, reactions=THUMB))
    await room.ingest.flush()
    assert [type(event) for event in room.events] == [MessageStored]
    assert (await stored(room, message)).reactions == THUMB
    assert await room.now(draft) == draft


async def test_an_edit_with_a_reaction_is_an_edit(room: IngestRoom) -> None:
    message = await room.says("hello")
    draft = await room.draft(message)
    edited = replace(message, text="hello!", edited_at=room.clock.now(), reactions=THUMB)
    room.listener.message_edited((await room.chat()).info, edited)
    await room.ingest.flush()
    assert await stored(room, message) == edited
    assert (await room.now(draft)).is_stale


async def test_a_file_that_is_told_later_makes_no_draft_stale(room: IngestRoom) -> None:
    message = await room.says("see this", media_kind="photo")
    draft = await room.draft(message)
    room.listener.message_edited((await room.chat()).info, replace(message, media=Media(5)))
    await room.ingest.flush()
    assert (await stored(room, message)).media == Media(5)
    assert await room.now(draft) == draft
