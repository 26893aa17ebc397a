"""Uploads in parts, downloads by reference, and what is refused (SPEC §11)."""

import hashlib

import pytest
from telethon import errors, functions, types

from tests.sandbox.attachments import (
    as_input_document,
    asset,
    bytes_of,
    refused,
    send_media,
    sticker_set,
    stored,
    uploaded_document,
    uploaded_photo,
)
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, nora_for, sandbox

KB = 1024


def location_of(message, letter: str = ""):
    document = message.document
    return types.InputDocumentFileLocation(document.id, document.access_hash, document.file_reference, letter)


async def file_part(client, location, offset: int = 0, limit: int = 4 * KB, precise: bool | None = None) -> bytes:
    return (await client(functions.upload.GetFileRequest(location, offset, limit, precise=precise))).bytes


async def save_parts(client, file_id: int, parts: dict[int, bytes], total: int | None = None) -> None:
    for index, data in parts.items():
        if total is None:
            assert await client(functions.upload.SaveFilePartRequest(file_id, index, data))
        else:
            assert await client(functions.upload.SaveBigFilePartRequest(file_id, index, total, data))


async def send_file(client, peer, given):
    return await send_media(client, peer, types.InputMediaUploadedDocument(given, "text/plain", []))


# -- references -------------------------------------------------------------------------------------------------------


@pytest.mark.operation("FILE_REFERENCE_EXPIRED", "the partner fetches the message again and then the file")
async def test_an_expired_reference_is_renewed_with_the_message():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        await send_media(nora, await marta_for(nora), await uploaded_photo(nora, asset("photos/lake.jpg")))
        arrived = (await inbox.next()).message
        server.media.expire_file_references()
        with pytest.raises(errors.FileReferenceExpiredError):
            await bytes_of(marta, arrived)
        again = await marta.get_messages(await nora_for(marta), ids=arrived.id)
        assert again.photo.file_reference != arrived.photo.file_reference
        assert await bytes_of(marta, again) == asset("photos/lake.jpg")


@pytest.mark.operation("FILE_REFERENCE_EXPIRED after its life time", "a fresh one of the same file still works")
async def test_a_reference_lives_as_long_as_the_server_says():
    moments = [1_800_000_000.0]
    async with sandbox(now=lambda: moments[0]) as server, client_of(server, NORA) as nora:
        server.media.references.life_s = 60
        (sticker, *_) = (await sticker_set(nora, "harbour_otter")).documents
        moments[0] += 60
        assert await bytes_of(nora, sticker) == asset("stickers/otter-wave.webp")
        moments[0] += 1
        with pytest.raises(errors.FileReferenceExpiredError):
            await bytes_of(nora, sticker)
        assert await bytes_of(nora, (await sticker_set(nora, "harbour_otter")).documents[0])


@pytest.mark.operation("messages.sendMedia: FILE_REFERENCE_EXPIRED", "the partner hears nothing until it is renewed")
async def test_an_expired_reference_can_not_be_sent():
    async with sandbox() as server, client_of(server, NORA) as nora:
        peer = await marta_for(nora)
        old = (await sticker_set(nora, "harbour_otter")).documents[1]
        server.media.expire_file_references()
        with pytest.raises(errors.FileReferenceExpiredError):
            await send_media(nora, peer, types.InputMediaDocument(as_input_document(old)))
        assert await server.console.mailbox(MARTA) == ()
        fresh = (await sticker_set(nora, "harbour_otter")).documents[1]
        await send_media(nora, peer, types.InputMediaDocument(as_input_document(fresh)))
        assert len(await server.console.mailbox(MARTA)) == 1


@pytest.mark.operation("upload.getFile: somebody else's access hash or reference", "the file's owner still gets it")
async def test_hashes_and_references_are_worth_nothing_to_others():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        media = await uploaded_document(nora, b"between us", "text/plain", name="f.txt")
        sent = await send_media(nora, await marta_for(nora), media)
        theirs = (await inbox.next()).message.document
        own = sent.document
        with pytest.raises(errors.LocationInvalidError):
            await file_part(nora, types.InputDocumentFileLocation(own.id, theirs.access_hash, own.file_reference, ""))
        for reference, complaint in (
            (theirs.file_reference, "FILE_REFERENCE_INVALID"),
            (b"?", "FILE_REFERENCE_INVALID"),
            (b"", "FILE_REFERENCE_EMPTY"),
        ):
            with refused(complaint):
                await file_part(nora, types.InputDocumentFileLocation(own.id, own.access_hash, reference, ""))
        with pytest.raises(errors.FileIdInvalidError):
            await file_part(nora, types.InputDocumentFileLocation(1, own.access_hash, own.file_reference, ""))
        assert await file_part(nora, location_of(sent)) == b"between us"


# -- downloads --------------------------------------------------------------------------------------------------------


@pytest.mark.operation("upload.getFile: offset and limit", "the parts put together are the uploaded bytes")
async def test_a_file_is_read_in_parts_by_telegrams_rules():
    async with sandbox() as server, client_of(server, NORA) as nora:
        data = bytes(range(256)) * 4 * 1_030  # a little more than 1 MB
        media = await uploaded_document(nora, data, "application/octet-stream")
        location = location_of(await send_media(nora, "me", media))
        parts = [await file_part(nora, location, offset, 512 * KB) for offset in range(0, len(data), 512 * KB)]
        assert b"".join(parts) == data
        assert await file_part(nora, location, 2 * 1024 * KB, 4 * KB) == b""
        assert await file_part(nora, location, KB, 3 * KB, precise=True) == data[KB : 4 * KB]
        for offset, limit, precise, complaint in (
            (KB, 4 * KB, None, "OFFSET_INVALID"),
            (-4 * KB, 4 * KB, None, "OFFSET_INVALID"),
            (0, 5 * KB, None, "LIMIT_INVALID"),
            (0, 0, None, "LIMIT_INVALID"),
            (0, 12 * KB, None, "LIMIT_INVALID"),
            (0, 2 * 1024 * KB, None, "LIMIT_INVALID"),
            (1020 * KB, 8 * KB, None, "LIMIT_INVALID"),
            (100, 4 * KB, True, "OFFSET_INVALID"),
        ):
            with refused(complaint):
                await file_part(nora, location, offset, limit, precise)


@pytest.mark.operation("upload.getFile: sizes of a photo", "each size is the file the manifest names")
async def test_a_photo_is_downloaded_by_size():
    async with sandbox() as server, client_of(server, NORA) as nora:
        photo = server.media.views.photo(NORA, stored(server, "photo-kitchen"))
        assert [size.type for size in photo.sizes] == ["i", "m", "x"]

        def size(letter: str):
            return types.InputPhotoFileLocation(photo.id, photo.access_hash, photo.file_reference, letter)

        assert await nora.download_file(size("x"), file=bytes) == asset("photos/kitchen.jpg")
        assert await nora.download_file(size("m"), file=bytes) == asset("photos/kitchen.m.jpg")
        for letter in ("w", "i", "f"):
            with pytest.raises(errors.LocationInvalidError):
                await file_part(nora, size(letter))


# -- uploads ----------------------------------------------------------------------------------------------------------


@pytest.mark.operation("upload.saveFilePart: parts out of order, one again", "the partner downloads the last version")
async def test_parts_come_in_any_order_and_may_be_repeated():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        await save_parts(nora, 7, {2: b"c" * 10, 0: b"x" * KB, 1: b"b" * KB})
        await save_parts(nora, 7, {0: b"a" * KB})
        whole = b"a" * KB + b"b" * KB + b"c" * 10
        await send_file(nora, await marta_for(nora), types.InputFile(7, 3, "f.txt", hashlib.md5(whole).hexdigest()))
        assert await bytes_of(marta, (await inbox.next()).message) == whole


BROKEN_UPLOADS = [
    ({0: b"a" * KB}, types.InputFile(7, 2, "f", ""), "FILE_PART_1_MISSING"),
    ({0: b"a" * KB, 1: b"b" * KB}, types.InputFile(7, 0, "f", ""), "FILE_PARTS_INVALID"),
    ({0: b"a" * KB, 1: b"b" * KB}, types.InputFile(7, 4_001, "f", ""), "FILE_PARTS_INVALID"),
    ({0: b"a" * 1_000, 1: b"b"}, types.InputFile(7, 2, "f", ""), "FILE_PART_SIZE_INVALID"),
    ({0: b"a" * 3 * KB, 1: b"b"}, types.InputFile(7, 2, "f", ""), "FILE_PART_SIZE_INVALID"),
    ({0: b"a" * KB, 1: b"b" * 2 * KB, 2: b"c"}, types.InputFile(7, 3, "f", ""), "FILE_PART_SIZE_CHANGED"),
    ({0: b"a" * KB}, types.InputFile(7, 1, "f", "0" * 32), "MD5_CHECKSUM_INVALID"),
    ({}, types.InputFile(8, 1, "f", ""), "FILE_PART_0_MISSING"),
]


@pytest.mark.operation("messages.sendMedia: parts that make no file", "the partner hears nothing")
@pytest.mark.parametrize(("parts", "given", "complaint"), BROKEN_UPLOADS)
async def test_an_upload_that_is_not_whole_is_refused(parts, given, complaint):
    async with sandbox() as server, client_of(server, NORA) as nora:
        await save_parts(nora, 7, parts)
        with refused(complaint):
            await send_file(nora, await marta_for(nora), given)
        assert await server.console.mailbox(MARTA) == ()


@pytest.mark.operation("upload.saveFilePart and saveBigFilePart: impossible parts", "a good upload afterwards arrives")
async def test_a_part_that_fits_no_file_is_refused():
    async with sandbox() as server, client_of(server, NORA) as nora:
        for parts, total, complaint in (
            ({0: b""}, None, "FILE_PART_EMPTY"),
            ({0: b"a" * (512 * KB + 1)}, None, "FILE_PART_TOO_BIG"),
            ({-1: b"a"}, None, "FILE_PART_INVALID"),
            ({4_000: b"a"}, None, "FILE_PART_INVALID"),
            ({3: b"a"}, 3, "FILE_PARTS_INVALID"),
            ({0: b"a"}, 4_001, "FILE_PARTS_INVALID"),
            ({0: b"a" * 1_000}, 2, "FILE_PART_SIZE_INVALID"),
        ):
            with refused(complaint):
                await save_parts(nora, 9, parts, total)
        await save_parts(nora, 9, {0: b"good"})
        await send_file(nora, await marta_for(nora), types.InputFile(9, 1, "f", ""))
        (delivery,) = await server.console.mailbox(MARTA)
        assert delivery.text == ""


@pytest.mark.operation("upload: one account can't use another's parts", "nothing of it reaches the other account")
async def test_parts_belong_to_who_uploaded_them():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        await save_parts(nora, 7, {0: b"secret"})
        with refused("FILE_PART_0_MISSING"):
            await send_file(marta, await nora_for(marta), types.InputFile(7, 1, "f", ""))
        assert await nora.get_messages(await marta_for(nora)) == []


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
