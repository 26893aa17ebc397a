"""Uploads in parts, downloads by reference, and what is refused."""

import hashlib

import pytest
from telethon import errors, functions, types

from tests.sandbox.attachments import (
    asset,
    bytes_of,
    refused,
    send_media,
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
