"""Photos, stickers, voice and files from one unmodified client to another, byte for byte (SPEC §11)."""

import os
from hashlib import sha256

import pytest
from telethon import errors, events, functions, types

from chimein_gui.sandbox.media.storage import FileContent
from chimein_gui.sandbox.world.world import Draft
from tests.sandbox.attachments import (
    as_input_document,
    asset,
    bytes_of,
    named,
    send_media,
    sticker_set,
    stored,
    uploaded_document,
    uploaded_photo,
)
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, nora_for, sandbox

DUPLICATE = r"WARNING telethon.*RandomIdDuplicateError"
SAME_BYTES = "the partner's client downloads the same bytes"


@pytest.mark.operation("messages.sendMedia: uploaded photo with caption", SAME_BYTES)
async def test_a_photo_arrives_with_caption_and_sizes():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        picture = asset("photos/lake.jpg")
        entities = [types.MessageEntityBold(4, 4)]
        sent = await nora.send_file(
            await marta_for(nora), named(picture, "lake.jpg"), caption="the lake", formatting_entities=entities
        )
        arrived = (await inbox.next()).message
        assert (arrived.raw_text, arrived.entities) == ("the lake", entities)
        (size,) = arrived.photo.sizes
        assert (size.type, size.w, size.h, size.size) == ("x", 800, 600, len(picture))
        assert await bytes_of(marta, arrived) == picture
        assert (sent.photo.id, sent.photo.access_hash) != (arrived.photo.id, arrived.photo.access_hash)
        assert sent.photo.id == arrived.photo.id


@pytest.mark.operation("messages.sendMedia: sticker by InputDocument", "the partner's client fetches its set by id")
@pytest.mark.parametrize("name", ["harbour_otter", "little_lantern", "paper_boats"])
async def test_a_sticker_of_a_set_arrives_as_one(name):
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        given = (await sticker_set(nora, name)).documents[0]
        await send_media(nora, await marta_for(nora), types.InputMediaDocument(as_input_document(given)))
        arrived = (await inbox.next()).message
        attribute = next(one for one in arrived.sticker.attributes if isinstance(one, types.DocumentAttributeSticker))
        theirs = await marta(functions.messages.GetStickerSetRequest(attribute.stickerset, 0))
        assert theirs.set.short_name == name
        assert attribute.alt == theirs.packs[0].emoticon
        assert arrived.sticker.id == theirs.documents[0].id == given.id
        assert sha256(await bytes_of(marta, arrived)).digest() == sha256(await bytes_of(nora, given)).digest()


VIDEO = types.DocumentAttributeVideo(2.0, 320, 240, supports_streaming=True)


@pytest.mark.operation("messages.sendMedia: voice, music, video, video message, document", SAME_BYTES)
@pytest.mark.parametrize(
    ("file", "mime_type", "attributes", "seen_as"),
    [
        ("files/voice-note.ogg", "audio/ogg", [types.DocumentAttributeAudio(3, voice=True, waveform=b"\x01")], "voice"),
        ("files/lake-tune.mp3", "audio/mpeg", [types.DocumentAttributeAudio(3, title="Lake tune")], "audio"),
        ("files/lake-evening.mp4", "video/mp4", [VIDEO], "video"),
        (
            "files/lake-evening.mp4",
            "video/mp4",
            [types.DocumentAttributeVideo(2.0, 240, 240, round_message=True)],
            "video_note",
        ),
        ("files/plum-cake.pdf", "application/pdf", [types.DocumentAttributeFilename("cake.pdf")], "document"),
        ("stickers/otter-wave.webp", "image/webp", [], "document"),
    ],
)
async def test_a_file_arrives_as_its_kind(file, mime_type, attributes, seen_as):
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        media = await uploaded_document(nora, asset(file), mime_type, *attributes, name=file.rpartition("/")[2])
        await send_media(nora, await marta_for(nora), media)
        arrived = (await inbox.next()).message
        assert getattr(arrived, seen_as).id == arrived.document.id
        assert arrived.document.mime_type == mime_type
        assert arrived.file.name == (
            attributes[0].file_name if seen_as == "document" and attributes else media.file.name
        )
        assert await bytes_of(marta, arrived) == asset(file)


@pytest.mark.operation("upload.saveBigFilePart: 11 MB in parts of 512 KB", SAME_BYTES)
async def test_a_big_file_goes_in_parts_and_comes_in_parts(state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        data = os.urandom(11 * 1024 * 1024 + 77)
        media = await uploaded_document(nora, data, "application/octet-stream", name="big.bin")
        assert isinstance(media.file, types.InputFileBig)
        await send_media(nora, await marta_for(nora), media)
        arrived = (await inbox.next()).message
        assert arrived.file.size == len(data)
        kept = server.media.file(arrived.document.id)
        assert kept is not None
        assert isinstance(kept.content, FileContent)  # not in memory
        assert sha256(await bytes_of(marta, arrived)).digest() == sha256(data).digest()


HOSTILE_NAMES = [
    "../../../etc/passwd",
    "a/b\\c:d*e?.txt",
    "\u202egpj.exe",
    "x" * 400,
    "\x00\n\r.pdf",
    "CON.txt",
    "👩‍👩‍👧.webp",
]


@pytest.mark.operation("messages.sendMedia: hostile file names", "the partner's client reads exactly the name given")
@pytest.mark.parametrize("name", HOSTILE_NAMES)
async def test_a_hostile_name_is_only_a_name(name, state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        attribute = types.DocumentAttributeFilename(name)
        media = await uploaded_document(nora, b"plain", "text/plain", attribute, name=name)
        await send_media(nora, await marta_for(nora), media)
        arrived = (await inbox.next()).message
        assert (arrived.file.name, await bytes_of(marta, arrived)) == (name, b"plain")
        (stored,) = (state_dir / "media" / "files").iterdir()
        assert stored.name == str(arrived.document.id)


@pytest.mark.operation("messages.sendMedia: a random_id again", "the partner has the photo once")
async def test_a_photo_is_not_sent_twice(expected_logs):
    expected_logs(DUPLICATE)
    async with sandbox() as server, client_of(server, NORA, request_retries=0) as nora:
        peer = await marta_for(nora)
        await send_media(nora, peer, await uploaded_photo(nora, asset("photos/cake.jpg")), "cake", 5)
        with pytest.raises(errors.RandomIdDuplicateError):
            await send_media(nora, peer, await uploaded_photo(nora, asset("photos/lake.jpg")), "lake", 5)
        assert [one.text for one in await server.console.mailbox(MARTA)] == ["cake"]


@pytest.mark.operation("messages.sendMedia: a file that somebody else sent", "its sender gets it back as the same file")
async def test_a_received_file_can_be_sent_on():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        heard_by_nora, heard_by_marta = Inbox(nora, events.NewMessage(incoming=True)), Inbox(marta)
        media = await uploaded_document(nora, asset("files/plum-cake.pdf"), "application/pdf", name="cake.pdf")
        sent = await send_media(nora, await marta_for(nora), media)
        received = (await heard_by_marta.next()).message
        await marta.send_file(await nora_for(marta), received.document, caption="yours")
        back = (await heard_by_nora.next()).message
        assert back.raw_text == "yours"
        assert back.document.id == sent.document.id
        assert await bytes_of(nora, back) == asset("files/plum-cake.pdf")


@pytest.mark.operation("messages.sendMedia: hidden photo that destroys itself", "the partner sees both flags")
async def test_spoiler_and_life_time_are_kept():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        media = await uploaded_photo(nora, asset("photos/lake.jpg"))
        media.spoiler, media.ttl_seconds = True, 30
        await send_media(nora, await marta_for(nora), media)
        arrived = (await inbox.next()).message
        assert (arrived.media.spoiler, arrived.media.ttl_seconds) == (True, 30)
        assert arrived.photo is not None


@pytest.mark.operation("messages.sendMedia: a partner's media by name", "the account's client downloads it")
@pytest.mark.parametrize("name", ["photo-lake", "otter-wave", "lantern-star", "boat-sail", "voice-note", "gif-waves"])
async def test_partners_send_what_the_sandbox_brings_along(name):
    async with sandbox() as server, client_of(server, NORA) as nora:
        inbox = Inbox(nora)
        await marta_for(nora)
        around = server._around
        around.world.send(MARTA, NORA, Draft("look", media=server.media.named(name)))
        around.hub.settle()
        arrived = (await inbox.next()).message
        content = stored(server, name).content
        assert arrived.raw_text == "look"
        assert await bytes_of(nora, arrived) == content.read(0, content.size)
