"""What messages carry, from the sandbox's Telegram to what the window asks: the composed program without a window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from chimein_gui.domain.errors import MediaTrouble, MediaUnavailableError
from chimein_gui.domain.ids import ChatId, MessageId
from chimein_gui.domain.messages import Message
from chimein_gui.engine.engine import Engine
from tests.e2e.whole_house import PATIENCE_S, House, house


async def chat_of_marta(engine: Engine) -> ChatId | None:
    agents = {agent.spec.name: agent.agent_id for agent in (await engine.directory.load()).rows}
    for chat in (await engine.queries.chats()).rows:
        if chat.info.title == "Marta Oliveira" and chat.agent_id == agents["Nora Vale"]:
            return chat.chat_id
    return None


async def transcript(here: House, whole: Callable[[list[Message]], bool]) -> list[Message]:
    """Wait until Nora's chat with Marta is stored."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            here.changed.clear()
            chat_id = await chat_of_marta(here.engine)
            if chat_id is not None:
                found = list((await here.engine.transcripts.before(chat_id, None, 100)).rows)
                if whole(found):
                    return found
            await here.changed.wait()


@pytest.mark.operation("upload.getFile: sizes of a photo", "the small one and the whole one are stored")
@pytest.mark.operation("reactions, forwards, albums, edits", "the stored messages carry them")
async def test_everything_a_chat_can_hold_reaches_the_window(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        engine, rows = here.engine, await transcript(here, lambda rows: len(rows) >= 16)
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

        chat_id = await chat_of_marta(engine)
        assert chat_id is not None
        [found] = (await engine.transcripts.search(chat_id, "DUCK plums")).rows
        around = (await engine.transcripts.around(chat_id, found.key.message_id, 5)).rows
        assert found in around
        assert len(around) == 5
        assert (await engine.transcripts.steps(chat_id, since_id=MessageId(0), limit=9)).rows == ()
