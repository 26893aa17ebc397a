"""Files of messages: found, fetched in pieces, also when their reference has expired; and what cannot be had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions, types

from chimein_gui.adapters.telegram import downloads
from chimein_gui.adapters.telegram.downloads import place_of
from chimein_gui.domain.errors import MediaTrouble, MediaUnavailableError, NotConnectedError, SendRefusedError
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.messages import Message, Reaction
from chimein_gui.engine.ports import FileWanted, FoundFile, TelegramGateway
from chimein_gui.sandbox.world.records import Draft, StoredMessage
from tests.unit.adapters.telegram.support import MARTA, NORA, Recorder, Stage, answer_with, stage, tap

GET_FILE = functions.upload.GetFileRequest
GET_MESSAGE = functions.messages.GetMessagesRequest


def said(it: Stage, name: str, peer: int = NORA) -> StoredMessage:
    """Let Marta send something of the sandbox's own."""
    made = it.world.send(MARTA, peer, Draft(media=it.server.media.named(name)))
    it.settle()
    return made


async def heard(recorder: Recorder, count: int = 1) -> Message:
    await recorder.until(lambda: len(recorder.of("arrived")) >= count)
    message: Message = recorder.of("arrived")[count - 1][1]
    return message


def wanted(message: Message, *, thumbnail: bool = False) -> FileWanted:
    file_id = None if message.media is None else message.media.file_id
    return FileWanted(message.key.peer_id, message.key.message_id, file_id, thumbnail)


async def bytes_of(found: FoundFile) -> bytes:
    return b"".join([piece async for piece in found.pieces()])


async def fetched(gateway: TelegramGateway, message: Message) -> bytes:
    found = await gateway.find_file(wanted(message))
    data = await bytes_of(found)
    assert found.size == len(data)
    return data


def content(it: Stage, name: str) -> bytes:
    file = it.server.media.file(it.server.media.named(name).file_id)
    assert file is not None
    return file.content.read(0, file.content.size)


NAMES = ("photo-lake", "otter-wave", "voice-note", "gif-waves", "document-plum-cake", "video-lake-evening")


async def test_the_whole_file_of_every_kind_arrives(it: Stage) -> None:
    gateway, recorder = await it.ready()
    for count, name in enumerate(NAMES, 1):
        said(it, name)
        message = await heard(recorder, count)
        assert message.media is not None
        assert message.media.size == len(content(it, name))
        assert await fetched(gateway, message) == content(it, name)


async def test_an_expired_reference_is_renewed_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "PIECE", 4096)
    look_ups = tap(monkeypatch, GET_MESSAGE)
    async with stage(tmp_path) as it:
        gateway, recorder = await it.ready()
        said(it, "photo-lake")
        found = await gateway.find_file(wanted(await heard(recorder)))
        came = b""
        async for piece in found.pieces():
            if len(came) == 4096:
                it.server.media.expire_file_references()
                it.settle()
            came += piece
        assert came == content(it, "photo-lake")
        assert len(look_ups) == 2


@pytest.mark.parametrize("code", ["FILE_REFERENCE_EXPIRED", "FILE_REFERENCE_INVALID", "LOCATION_INVALID"])
async def test_a_file_that_stays_refused_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    answer_with(monkeypatch, GET_FILE, 400, code)
    look_ups = tap(monkeypatch, GET_MESSAGE)
    async with stage(tmp_path) as it:
        gateway, recorder = await it.ready()
        said(it, "photo-lake")
        with pytest.raises(SendRefusedError) as caught:
            await fetched(gateway, await heard(recorder))
        assert caught.value.code == code
        assert len(look_ups) == (1 if code == "LOCATION_INVALID" else 3)


async def test_a_lost_connection_ends_the_download(it: Stage) -> None:
    gateway, recorder = await it.ready()
    said(it, "photo-lake")
    found = await gateway.find_file(wanted(await heard(recorder)))
    it.wire.cut()
    with pytest.raises(NotConnectedError):
        await bytes_of(found)
    with pytest.raises(NotConnectedError):
        await gateway.find_file(wanted(recorder.of("arrived")[0][1]))


async def test_what_is_gone_is_told_as_such(it: Stage) -> None:
    gateway, recorder = await it.ready()
    copy = said(it, "photo-lake")
    message = await heard(recorder)
    other = FileWanted(MARTA, message.key.message_id, file_id=5)
    with pytest.raises(MediaUnavailableError) as caught:
        await gateway.find_file(other)
    assert caught.value.trouble is MediaTrouble.GONE
    it.world.delete(MARTA, (copy.message_id,), revoke=True)
    it.settle()
    with pytest.raises(MediaUnavailableError) as caught:
        await gateway.find_file(wanted(message))
    assert caught.value.trouble is MediaTrouble.GONE


async def test_a_message_without_a_file_and_a_file_without_a_picture(it: Stage) -> None:
    gateway, recorder = await it.ready()
    text = (await gateway.history(MARTA, limit=1))[0]
    said(it, "voice-note")
    voice = await heard(recorder)
    for message, thumbnail in ((text, False), (voice, True)):
        with pytest.raises(MediaUnavailableError) as caught:
            await gateway.find_file(wanted(message, thumbnail=thumbnail))
        assert caught.value.trouble is MediaTrouble.NO_FILE


async def test_the_sticker_of_a_plan_is_found_in_its_set(it: Stage) -> None:
    gateway, _ = await it.ready()
    sticker = await gateway.find_sticker("harbour_otter", "👋")
    assert sticker is not None
    assert sticker.mime_type == "image/webp"
    planned = FileWanted(MARTA, MessageId(0), sticker.document_id, sticker=sticker)
    it.server.media.expire_file_references()
    it.settle()
    assert await bytes_of(await gateway.find_file(planned)) == content(it, "otter-wave")


async def test_reactions_are_reported_as_they_stand(it: Stage) -> None:
    gateway, recorder = await it.ready()
    made = it.world.send(MARTA, NORA, Draft("hello"))
    it.settle()
    message = await heard(recorder)
    it.world.reactions.give(made, (types.ReactionEmoji("👍"),))
    it.settle()
    await recorder.until(lambda: bool(recorder.of("reacted")))
    assert recorder.of("reacted") == [(message.key, (Reaction("👍", 1),), True)]
    [told] = await gateway.history(PeerId(MARTA), limit=1)
    assert told.reactions == (Reaction("👍", 1),)
    assert recorder.of("edited") == []


def test_the_picture_nearest_to_the_wanted_size_is_taken() -> None:
    def chosen(*sides: int, **options: Any) -> str:
        sizes = [types.PhotoSize(str(side), side, side // 2, side * 10) for side in sides]
        outline: list[Any] = [types.PhotoStrippedSize("i", b"x"), types.PhotoPathSize("j", b"x")]
        made = types.Photo(1, 2, b"r", None, [*outline, *sizes], 2)
        place = place_of(made, **options)
        assert place.location is not None
        assert place.size == int(place.location.thumb_size) * 10
        return str(place.location.thumb_size)

    assert chosen(90, 320, 800, 1280, thumbnail=True) == "320"
    assert chosen(90, 160, thumbnail=True) == "160"
    assert chosen(90, 320, 800, 1280, thumbnail=False) == "1280"
    with pytest.raises(MediaUnavailableError):
        chosen(thumbnail=True)
