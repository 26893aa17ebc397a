"""Photos, voice and files: from one unmodified client to another, kept, refused; and the sandbox's own."""

import stat
import tomllib
from hashlib import sha256

import pytest
from telethon import types

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.media.assets import OwnMedia
from chimein_gui.sandbox.media.manifest import ManifestError, read_manifest
from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.world.records import Draft
from tests.sandbox.attachments import asset, bytes_of, named, refused, send_media, uploaded_document, uploaded_photo
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, nora_for, sandbox

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


@pytest.mark.operation("messages.sendMedia: what is no photo", "the partner hears nothing")
@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"not a picture", "IMAGE_PROCESS_FAILED"),
        (b"\xff\xd8\xff\xe0\x00", "IMAGE_PROCESS_FAILED"),
        (
            b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + (4_000).to_bytes(4, "big") + (10).to_bytes(4, "big"),
            "PHOTO_INVALID_DIMENSIONS",
        ),
    ],
)
async def test_what_is_no_photo_is_refused(data, complaint):
    async with sandbox() as server, client_of(server, NORA) as nora:
        with refused(complaint):
            await send_media(nora, await marta_for(nora), await uploaded_photo(nora, data))
        assert await server.console.mailbox(MARTA) == ()


@pytest.mark.operation("media and a restart of the server", "the partner downloads everything again")
async def test_media_is_found_again_after_a_restart(state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        peer = await marta_for(nora)
        await send_media(nora, peer, await uploaded_photo(nora, asset("photos/lake.jpg")))
        video = types.DocumentAttributeVideo(1.5, 320, 240)
        media = await uploaded_document(nora, asset("files/waves-gif.mp4"), "video/mp4", video)
        sent = await send_media(nora, peer, media)
        files = list((state_dir / "media" / "files").iterdir())
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert len(files) == 2
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        shown, picture = await marta.get_messages(await nora_for(marta), limit=2)
        assert await bytes_of(marta, picture) == asset("photos/lake.jpg")
        assert (shown.video.id, shown.file.name) == (sent.document.id, "f")
        assert await bytes_of(nora, sent) == asset("files/waves-gif.mp4")
        fresh = await send_media(nora, await marta_for(nora), await uploaded_document(nora, b"later", "text/plain"))
        assert fresh.document.id > sent.document.id


async def test_a_file_that_exists_no_more_does_not_break_its_chat():
    async with sandbox() as server, client_of(server, NORA) as nora:
        peer, around = await marta_for(nora), server._around
        around.world.send(MARTA, NORA, Draft("look", media=MediaRef("photo", 12345)))
        (message,) = await nora.get_messages(peer)
        assert (message.raw_text, type(message.media)) == ("look", types.MessageMediaUnsupported)


HERE = resource_path("sandbox", "media")
MANIFEST = read_manifest(HERE)
STICKERS = tuple(sticker for one in MANIFEST.sticker_sets for sticker in one.stickers)
ASSETS = (*MANIFEST.files, *STICKERS)
UNNAMED = {"manifest.toml", "README.md"}


def content(file: str) -> bytes:
    return (HERE / file).read_bytes()


def test_every_file_is_named_and_has_the_hash_of_the_manifest():
    hashes = tomllib.loads(content("manifest.toml").decode())["sha256"]
    found = {path.relative_to(HERE).as_posix() for path in HERE.rglob("*") if path.is_file()} - UNNAMED
    assert {file: sha256(content(file)).hexdigest() for file in found} == hashes
    parts = (part for asset in ASSETS for part in (asset.file, asset.effect, asset.thumb and asset.thumb.file))
    offered = {part for part in parts if part}
    assert offered == found
    assert sum(len(content(file)) for file in found) < 400 * 1024


def test_what_the_sandbox_offers_is_what_the_manifest_says():
    own = OwnMedia(HERE)
    assert list(own.files) == [asset.name for asset in ASSETS]
    assert [own.files[asset.name].content.size for asset in ASSETS] == [len(content(asset.file)) for asset in ASSETS]
    assert [one.short_name for one in own.sets] == ["harbour_otter", "little_lantern", "paper_boats"]
    assert own.ref("otter-wave").kind == "sticker"
    with pytest.raises(LookupError, match="photo-moon"):
        own.ref("photo-moon")


@pytest.mark.parametrize(
    ("manifest", "complaint"),
    [
        ("[[file]\n", "manifest.toml"),
        ('[[file]]\nname = "x"\nkind = "photo"\nfile = "gone.jpg"\n', "x: .*gone.jpg"),
        ('[[file]]\nname = "x"\nkind = "photo"\nfile = "a"\nwidht = 1\n', "widht"),
        ('[[sticker_set]]\nshort_name = "x"\ntitle = "X"\n', "sticker"),
    ],
)
def test_a_damaged_manifest_says_where(tmp_path, manifest, complaint):
    (tmp_path / "manifest.toml").write_text(manifest)
    with pytest.raises(ManifestError, match=complaint):
        OwnMedia(tmp_path)
