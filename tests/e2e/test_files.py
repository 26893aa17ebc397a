"""Photos and files on real parts: what a chat can hold reaches the window, and what the operator sends arrives."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from chimein_gui.domain.errors import MediaTrouble, MediaUnavailableError
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


@pytest.mark.operation("upload.getFile: sizes of a photo", "the small one and the whole one are stored")
@pytest.mark.operation("reactions, forwards, albums, edits", "the stored messages carry them")
async def test_everything_a_chat_can_hold_reaches_the_window(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        engine, (chat_id, rows) = here.engine, await chat_of_marta(here, 16)
        kinds = {row.media_kind for row in rows}
        assert kinds >= {"photo", "sticker", "voice", "document", "video", ""}
        [passed_on] = [row for row in rows if row.forward]
        assert passed_on.forward is not None
        assert passed_on.forward.sender_name.startswith("Dédé")
        assert sum(bool(row.reactions) for row in rows) == 3
        assert len({row.grouped_id for row in rows if row.grouped_id}) == 1
        assert sum(row.edited_at is not None for row in rows) == 1

        photo = next(row for row in rows if row.media_kind == "photo")
        path = await engine.media_files.file(photo.key)
        assert path == tmp_path / "state" / "media" / "shown" / str(photo.media and photo.media.file_id)
        assert path.stat().st_size == (photo.media and photo.media.size)
        assert path.read_bytes().startswith(b"\xff\xd8\xff")
        small = await engine.media_files.file(photo.key, thumbnail=True)
        assert 0 < small.stat().st_size < path.stat().st_size
        for sticker in (row for row in rows if row.media_kind == "sticker"):
            assert (await engine.media_files.file(sticker.key)).stat().st_size == (sticker.media and sticker.media.size)
        text = next(row for row in rows if not row.media_kind)
        with pytest.raises(MediaUnavailableError) as caught:
            await engine.media_files.file(text.key)
        assert caught.value.trouble is MediaTrouble.NO_FILE

        [found] = (await engine.transcripts.search(chat_id, "DUCK plums")).rows
        around = (await engine.transcripts.around(chat_id, found.key.message_id, 5)).rows
        assert found in around
        assert len(around) == 5
        assert (await engine.transcripts.steps(chat_id, since_id=MessageId(0), limit=9)).rows == ()
