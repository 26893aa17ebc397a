"""Files to send in tests, and looking at what arrives."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from telethon import TelegramClient, errors, functions, types

from chimein_gui.resource_files import resource_path


def asset(file: str) -> bytes:
    """Return a file of the sandbox's own media."""
    return resource_path("sandbox", "media", *file.split("/")).read_bytes()


def named(data: bytes, name: str) -> io.BytesIO:
    """Return bytes as a file with a name, as `send_file` wants it."""
    file = io.BytesIO(data)
    file.name = name
    return file


@contextmanager
def refused(name: str) -> Iterator[None]:
    """Expect the error that Telethon makes of Telegram's name for it."""
    with pytest.raises(errors.RPCError) as caught:
        yield
    expected = errors.rpc_message_to_error(types.RpcError(caught.value.code or 0, name), caught.value.request)
    assert (type(caught.value), str(caught.value)) == (type(expected), str(expected))


async def send_media(client: TelegramClient, peer, media, caption: str = "", random_id: int = 0, **fields):
    request = functions.messages.SendMediaRequest(peer, media, caption, random_id=random_id or None, **fields)
    return client._get_response_message(request, await client(request), peer)


async def uploaded_photo(client: TelegramClient, data: bytes, name: str = "picture.jpg"):
    return types.InputMediaUploadedPhoto(await client.upload_file(data, file_name=name))


async def uploaded_document(
    client: TelegramClient, data: bytes, mime_type: str, *attributes, name: str = "f", **fields
):
    file = await client.upload_file(data, file_name=name)
    return types.InputMediaUploadedDocument(file, mime_type, list(attributes), **fields)


async def bytes_of(client: TelegramClient, message, **options) -> bytes:
    return await client.download_media(message, file=bytes, **options)
