"""Photos, stickers, voice and files from one unmodified client to another, byte for byte."""

from hashlib import sha256

import pytest
from telethon import functions, types

from tests.sandbox.attachments import (
    as_input_document,
    asset,
    bytes_of,
    named,
    send_media,
    sticker_set,
    uploaded_document,
)
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, sandbox

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
