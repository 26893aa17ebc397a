"""No plan waits longer than 8 s for media, previews spend nothing, and a file's content decides what is shown of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.adapters.files.media.records import MediaRecordFiles
from chimein_gui.adapters.files.media_cache import MediaCacheFiles
from chimein_gui.domain.costs import DESCRIPTION, CallEnd
from chimein_gui.domain.errors import DescriptionError, ModelTransientError
from chimein_gui.domain.events import ModelCallBooked
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.media.records import MediaFault
from chimein_gui.domain.messages import FrameKind, Media, Message, MessageKey
from chimein_gui.domain.prompt.prompts import ModelReply, Prompt, Usage
from chimein_gui.engine.media.contents import MOST_PICTURE, MOST_SOUND, MediaContents
from chimein_gui.engine.media.describer import TITLE
from chimein_gui.engine.media.enricher import PATIENCE_S
from chimein_gui.engine.media.sources import MediaItem
from tests.fakes.frames import FakeFrameRenderer
from tests.fakes.model import FakeModel
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import Room, engine_room

JPEG, WEBP = b"\xff\xd8\xff a picture", b"RIFF....WEBP a sticker"


class Describing(FakeModel):
    """Answers calls for descriptions apart from plans; a test says how."""

    def __init__(self) -> None:
        super().__init__()
        self.described: list[Prompt] = []
        self.may_describe = asyncio.Event()
        self.may_describe.set()
        self.error: Exception | None = None

    async def generate(self, prompt: Prompt) -> ModelReply:
        if prompt.sections[0].title != TITLE:
            return await super().generate(prompt)
        self.described.append(prompt)
        await self.may_describe.wait()
        if self.error is not None:
            raise self.error
        return ModelReply(f"Picture {len(self.described)}.", Usage(300, 10))


@asynccontextmanager
async def picture_room(folder: Path, model: Describing) -> AsyncIterator[Room]:
    records, shown = MediaRecordFiles(folder / "state", (folder / "config",)), MediaCacheFiles(folder / "shown")
    async with engine_room(folder, model=model, media_records=records, shown_files=shown) as room:
        yield room


def sends(telegram: FakeTelegram, *kinds: str, data: bytes = JPEG) -> list[Message]:
    """Let the partner send media."""
    found = []
    for kind in kinds:
        message = telegram.store("", out=False)
        number = int(message.key.message_id)
        media = Media(7_000 + number, "image/webp" if kind == "sticker" else "")
        message = telegram.messages[-1] = replace(message, media_kind=kind, media=media)
        telegram.files.put(number, 7_000 + number, data)
        found.append(message)
    for message in found:
        telegram.report(message)
    return found


def media_of(prompt: Prompt) -> list[str]:
    return [part for turn in prompt.turns for part in turn.parts if part.startswith(("⟦photo", "⟦sticker"))]


async def test_a_plan_waits_eight_seconds_at_most_and_the_late_words_are_in_the_next(tmp_path: Path) -> None:
    model = Describing()
    model.may_describe.clear()
    async with picture_room(tmp_path, model) as room:
        began = room.clock.now()
        sends(room.telegram, "photo")
        await room.reach(lambda: bool(model.prompts), step_s=0.5)
        assert (room.clock.now() - began).total_seconds() <= PATIENCE_S
        assert media_of(model.prompts[0]) == ["⟦photo⟧"]
        model.may_describe.set()
        await room.reach(lambda: [e for e in room.events if isinstance(e, ModelCallBooked)], step_s=0.5)
        room.telegram.partner_writes("and?")
        await model.asked(2)
        assert media_of(model.prompts[1]) == ["⟦photo⟧ Picture 1."]
        assert len(model.described) == 1


async def test_forty_stickers_at_once_cost_eight_a_tick(tmp_path: Path) -> None:
    model = Describing()
    async with picture_room(tmp_path, model) as room:
        sends(room.telegram, *["sticker"] * 40, data=WEBP)
        await model.asked(1)
        assert len(model.described) == 8
        words = [part.endswith(".") for part in media_of(model.prompts[-1])]
        assert words == [False] * 32 + [True] * 8, "the newest first"
        await room.reach(lambda: len(model.described) == 40, step_s=0.5)
        assert len({e.call.began_at for e in room.events if isinstance(e, ModelCallBooked)}) >= 5
        room.telegram.partner_writes("and?")
        await room.reach(lambda: all(part.endswith(".") for part in media_of(model.prompts[-1])), step_s=0.5)
        assert len(model.described) == 40


async def test_a_preview_asks_fetches_and_spends_nothing(tmp_path: Path) -> None:
    model = Describing()
    model.error = ModelTransientError("busy")
    async with picture_room(tmp_path, model) as room:
        sends(room.telegram, "photo")
        await model.asked(1)
        [call] = [e.call for e in room.events if isinstance(e, ModelCallBooked) and e.call.purpose == DESCRIPTION]
        assert (call.end, call.usage.prompt_tokens > 258) == (CallEnd.FAILED, True)
        model.error, asked = None, len(room.telegram.files.asked)
        room.clock.advance(3600)
        chat = (await room.engine.queries.chats()).rows[0]
        rebuilt = await room.engine.prompts.rebuilt(chat.chat_id)
        assert media_of(rebuilt.prompt) == ["⟦photo⟧"]
        assert (len(model.described), len(room.telegram.files.asked)) == (1, asked)


class Files:
    """Hands out files that a test has written."""

    def __init__(self, folder: Path, **files: bytes) -> None:
        self.folder = folder
        for name, data in files.items():
            (folder / name).write_bytes(data)
        self.asked: list[str] = []

    async def __call__(self, key: MessageKey, *, thumbnail: bool = False, media: Media | None = None) -> Path:
        self.asked.append("small" if thumbnail else "whole")
        return self.folder / self.asked[-1]


def item(kind: str, mime_type: str = "", *, size: int = 100, duration_s: float = 0.0) -> MediaItem:
    media = Media(5, mime_type, size, duration_s=duration_s)
    return MediaItem("5", kind, media, AccountId(1), MessageKey(AccountId(1), PeerId(7), MessageId(3)))


async def test_the_first_bytes_say_what_a_file_is(tmp_path: Path) -> None:
    files, frames = Files(tmp_path, whole=JPEG, small=WEBP), FakeFrameRenderer()
    contents = MediaContents(files, frames)
    assert (await contents.of(item("sticker", "image/webp"))).file.mime_type == "image/jpeg"
    assert (await contents.of(item("photo", size=MOST_PICTURE + 1))).file.mime_type == "image/webp"
    assert files.asked == ["whole", "small"]
    (tmp_path / "whole").write_bytes(JPEG + bytes(MOST_PICTURE))
    assert (await contents.of(item("photo"))).file.mime_type == "image/webp", "larger than it was said to be"
    moving = await contents.of(item("sticker", "application/x-tgsticker"))
    assert (moving.is_sheet, moving.file.mime_type, frames.asked[-1][1]) == (True, "image/png", FrameKind.TGS)
    frames.broken.add(tmp_path / "whole")
    still = await contents.of(item("sticker", "application/x-tgsticker"))
    assert (still.is_still, still.file.mime_type) == (True, "image/webp")
    assert (await contents.of(item("video", "video/mp4"))).is_still, "the library for videos is not installed"
    (tmp_path / "whole").write_bytes(b"OggS a voice")
    assert (await contents.of(item("voice", "audio/mpeg", duration_s=119))).file.mime_type == "audio/ogg"


BROKEN = {
    "no picture": (item("photo"), b"MZ a program", MediaFault.BROKEN),
    "no sound": (item("voice", "audio/ogg"), JPEG, MediaFault.BROKEN),
    "long": (item("voice", "audio/ogg", duration_s=121), b"OggS", MediaFault.TOO_BIG),
    "big": (item("audio", "audio/mpeg", size=MOST_SOUND + 1), b"ID3", MediaFault.TOO_BIG),
    "lies": (item("audio", "audio/mpeg"), b"ID3" + bytes(MOST_SOUND), MediaFault.TOO_BIG),
    "gone": (item("photo"), None, MediaFault.DISK),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_what_can_not_be_shown_is_named(tmp_path: Path, name: str) -> None:
    what, data, fault = BROKEN[name]
    files = Files(tmp_path, small=b"no picture either", **({} if data is None else {"whole": data}))
    with pytest.raises(DescriptionError) as caught:
        await MediaContents(files, FakeFrameRenderer()).of(what)
    assert caught.value.fault is fault


async def test_a_broken_animation_without_a_still_picture_is_broken(tmp_path: Path) -> None:
    files, frames = Files(tmp_path, whole=b"x", small=b"y"), FakeFrameRenderer()
    frames.broken.add(tmp_path / "whole")
    with pytest.raises(DescriptionError) as caught:
        await MediaContents(files, frames).of(item("sticker", "application/x-tgsticker"))
    assert caught.value.fault is MediaFault.BROKEN
