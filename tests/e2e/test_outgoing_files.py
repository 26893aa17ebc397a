"""Photos and files of the operator's on real parts: the composed program and the sandbox."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from chimein_gui.domain.ids import ChatId, MessageId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.plans.outgoing_files import FileToSend
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.resource_files import resource_path
from tests.e2e.whole_house import PATIENCE_S, House, house

BIG = bytes(range(256)) * 4 * 1024 * 11
"""11 MB: large enough to be announced as a big file."""


async def chat_of_marta(here: House, least: int) -> tuple[ChatId, list[Message]]:
    """Wait until Nora's chat with Marta holds so many messages; returns it with them."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            here.changed.clear()
            for chat in (await here.engine.queries.chats()).rows:
                name = here.engine.directory.spec_of(chat.agent_id).name
                if (chat.info.title, name) == ("Marta Oliveira", "Nora Vale"):
                    rows = list((await here.engine.transcripts.before(chat.chat_id, None, 100)).rows)
                    if len(rows) >= least:
                        return chat.chat_id, rows
            await here.changed.wait()


async def sent(here: House, chat_id: ChatId, file: FileToSend, caption: str = "") -> MessageId:
    """Send a file as Nora to Marta and return the message it became."""
    written = await here.engine.composer.write(chat_id, caption, client_id=file.file_name, attached=file)
    assert written.approval is not None
    wanted = written.approval.approval_id
    async with asyncio.timeout(PATIENCE_S):
        while True:
            here.changed.clear()
            now = await here.engine._services.store.read(lambda tx: tx.approvals.get(wanted))
            if now.task_status is TaskStatus.DONE and now.message_id is not None:
                return now.message_id
            await here.changed.wait()


@pytest.mark.operation(
    "upload.saveFilePart, upload.saveBigFilePart", "the file that is fetched again has the same bytes"
)
@pytest.mark.operation("upload.getFile: offset and limit", "the parts put together are the uploaded bytes")
async def test_photos_and_files_arrive_byte_for_byte(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        chat_id, _ = await chat_of_marta(here, 16)
        photo = resource_path("sandbox") / "media" / "photos" / "lake.jpg"
        photo_id = await sent(here, chat_id, FileToSend(photo, "lake.jpg", as_photo=True), "The *lake*, this morning")
        big_id = await sent(here, chat_id, FileToSend(BIG, "scan.bin"))
        rows = {row.key.message_id: row for row in (await chat_of_marta(here, 18))[1]}
        arrived, file = rows[photo_id], rows[big_id]
        assert (arrived.media_kind, arrived.text) == ("photo", "The lake, this morning")
        assert (await here.engine.media_files.file(arrived.key)).read_bytes() == photo.read_bytes()
        assert (file.media_kind, file.media and file.media.file_name) == ("document", "scan.bin")
        fetched = (await here.engine.media_files.file(file.key)).read_bytes()
        assert hashlib.sha256(fetched).digest() == hashlib.sha256(BIG).digest()
        assert list((tmp_path / "state" / "media" / "outgoing").iterdir()) == []
