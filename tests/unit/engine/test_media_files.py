"""Files of messages for the window: fetched once, few at a time, and every trouble told with what to do."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.adapters.files.media_cache import MediaCacheFiles
from chimein_gui.domain.errors import (
    MediaTrouble,
    MediaUnavailableError,
    NotConnectedError,
    RateLimitedError,
    SendRefusedError,
)
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.messages import Media, MessageKey
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.library.media_files import MB, MediaFiles
from chimein_gui.engine.ports import TelegramGateway
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.telegram import FakeGateway, FakeTelegram
from tests.support.async_tests import OpenedInLoop
from tests.support.ingest_room import CHANNEL, IngestRoom, ingest_room
from tests.support.log_guard import ExpectedLogs

FILE = 2**62


class Quiet:
    """A listener that only has to be there."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_given: None


@dataclass
class FileRoom:
    """Messages with files, a small Telegram that has them, and the place they are kept in."""

    room: IngestRoom
    telegram: FakeTelegram
    gateway: FakeGateway
    files: MediaFiles
    directory: Path
    is_there: bool = True

    async def said(self, kind: str = "photo", file_id: int = FILE, **media: Any) -> MessageKey:
        message = await self.room.says("", media_kind=kind, media=Media(file_id, **media))
        return message.key

    def put(self, key: MessageKey, *parts: bytes | Exception, file_id: int = FILE, thumbnail: bool = False) -> Any:
        return self.telegram.files.put(key.message_id, file_id, *parts, thumbnail=thumbnail)

    async def trouble(self, key: MessageKey, **options: Any) -> MediaUnavailableError:
        with pytest.raises(MediaUnavailableError) as caught:
            await self.files.file(key, **options)
        return caught.value

    def kept(self) -> set[str]:
        return {path.name for path in self.directory.iterdir()} if self.directory.exists() else set()

    def faults(self) -> list[str]:
        return [note_sentence(event.cause) for event in self.room.events if isinstance(event, FaultReported)]


@asynccontextmanager
async def file_room(tmp_path: Path) -> AsyncIterator[FileRoom]:
    async with ingest_room(tmp_path) as room:
        telegram = FakeTelegram(room.clock)
        gateway = FakeGateway(telegram)
        await gateway.connect(Quiet())
        directory = tmp_path / "shown"
        made = FileRoom(room, telegram, gateway, None, directory)  # type: ignore[arg-type]

        def gateway_of(_account_id: AccountId) -> TelegramGateway | None:
            return gateway if made.is_there else None

        cache = MediaCacheFiles(directory)
        jobs = JobRunner()
        made.files = MediaFiles(room.store, room.bus, room.clock, jobs.spawn, cache, gateway_of)
        try:
            yield made
        finally:
            await jobs.aclose()


@pytest.fixture
def it(tmp_path: Path) -> OpenedInLoop:
    return OpenedInLoop(file_room(tmp_path))


async def test_a_file_is_fetched_once_and_named_by_its_id(it: FileRoom) -> None:
    key = await it.said(file_name="../../evil.sh")
    it.put(key, b"pic", b"ture")
    path = await it.files.file(key)
    assert (path.read_bytes(), it.kept()) == (b"picture", {str(FILE)})
    it.is_there = False
    assert await it.files.file(key) == path, "what is kept is shown offline too"
    assert len(it.telegram.files.asked) == 1


async def test_the_thumbnail_is_a_file_of_its_own(it: FileRoom) -> None:
    key = await it.said("video", size=900 * MB)
    it.put(key, b"small", thumbnail=True)
    assert (await it.files.file(key, thumbnail=True)).read_bytes() == b"small"
    assert it.kept() == {f"{FILE}.thumb"}
    assert (await it.trouble(key)).trouble is MediaTrouble.TOO_BIG


async def test_asking_twice_at_once_fetches_once(it: FileRoom) -> None:
    first, again = await it.said("sticker"), await it.said("sticker")
    gate = asyncio.Event()
    for key in (first, again):
        it.put(key, b"otter").gate = gate
    asking = asyncio.gather(*(it.files.file(key) for key in (first, again, first)))
    gate.set()
    assert len(set(await asking)) == 1
    assert len(it.telegram.files.asked) == 1


async def test_two_chats_whose_messages_have_the_same_id_have_files_of_their_own(it: FileRoom) -> None:
    keys = []
    for peer in (CHANNEL, PeerId(CHANNEL - 1)):
        message = await it.room.says("", peer=peer, number=40, media_kind="photo")  # nobody knows its file yet
        it.room.newest = 0
        keys.append(message.key)
    assert {key.message_id for key in keys} == {40}
    gate = asyncio.Event()
    for file_id, key in enumerate(keys, start=FILE):
        it.telegram.files.put_in(key, file_id, f"picture {file_id}".encode()).gate = gate
    asking = asyncio.gather(*(it.files.file(key) for key in keys))
    gate.set()
    assert [path.read_bytes() for path in await asking] == [f"picture {FILE}".encode(), f"picture {FILE + 1}".encode()]


async def test_an_account_that_is_offline_or_lost_in_the_middle(it: FileRoom) -> None:
    key = await it.said()
    it.put(key, b"half", NotConnectedError("The connection was lost."))
    it.is_there = False
    error = await it.trouble(key)
    assert (error.trouble, error.can_retry, error.retry_after_s) == (MediaTrouble.OFFLINE, True, None)
    it.is_there = True
    error = await it.trouble(key)
    assert (error.trouble, error.can_retry) == (MediaTrouble.OFFLINE, True)
    assert it.kept() == set()
    it.put(key, b"whole")
    assert (await it.files.file(key)).read_bytes() == b"whole"


async def test_a_wait_of_telegrams_is_kept_by_the_whole_account(it: FileRoom) -> None:
    key, other = await it.said(), await it.said(file_id=FILE + 1)
    it.telegram.files.script.append(RateLimitedError("Telegram asks to wait 30 s.", 30, "find_file"))
    it.put(key, b"one")
    it.put(other, b"two", file_id=FILE + 1)
    error = await it.trouble(key)
    assert (error.trouble, error.can_retry, error.retry_after_s) == (MediaTrouble.WAIT, True, 30)
    it.room.clock.advance(10)
    error = await it.trouble(other)
    assert (error.trouble, error.retry_after_s) == (MediaTrouble.WAIT, 20)
    assert len(it.telegram.files.asked) == 1
    it.room.clock.advance(20)
    assert (await it.files.file(other)).read_bytes() == b"two"


@pytest.mark.parametrize(
    ("kind", "size", "too_big"),
    [("photo", 20 * MB, False), ("photo", 20 * MB + 1, True), ("sticker", 2 * MB + 1, True), ("voice", 3 * MB, False)],
)
async def test_a_file_has_its_limit(it: FileRoom, kind: str, size: int, too_big: bool) -> None:
    told, untold = await it.said(kind, size=size), await it.said(kind, FILE + 1)
    it.put(told, b"x").told_size = size
    it.put(untold, b"x" * size, file_id=FILE + 1).told_size = 0
    for key in (told, untold):
        if too_big:
            assert (await it.trouble(key)).trouble is MediaTrouble.TOO_BIG
        else:
            await it.files.file(key)
    assert bool(it.kept()) is not too_big
    assert bool(it.telegram.files.asked)


async def test_what_telegram_refuses_or_nobody_foresaw_is_gone(it: FileRoom, expected_logs: ExpectedLogs) -> None:
    key = await it.said()
    it.telegram.files.script.append(SendRefusedError("Telegram refused: LOCATION_INVALID.", "LOCATION_INVALID"))
    error = await it.trouble(key)
    assert (error.trouble, error.can_retry) == (MediaTrouble.GONE, False)
    expected_logs(r"ERROR chimein_gui\.engine\.library\.media_files: Fetching a file failed unexpectedly")
    it.telegram.files.script.append(ZeroDivisionError())
    assert (await it.trouble(key)).trouble is MediaTrouble.GONE


async def test_a_message_without_a_file_is_not_asked_for(it: FileRoom) -> None:
    text = await it.room.says("hello")
    place = await it.room.says("", media_kind="location", media=Media(title="Café"))
    service = await it.room.says("", media_kind="pin_message", is_service=True)
    for message in (text, place, service):
        assert (await it.trouble(message.key)).trouble is MediaTrouble.NO_FILE
    unknown = MessageKey(text.key.account_id, text.key.peer_id, MessageId(9_999))
    assert (await it.trouble(unknown)).trouble is MediaTrouble.GONE
    assert it.telegram.files.asked == []


async def test_the_sticker_of_a_plan_needs_no_message(it: FileRoom) -> None:
    text = await it.room.says("hello")
    planned = MessageKey(text.key.account_id, text.key.peer_id, MessageId(0))
    it.put(planned, b"otter")
    path = await it.files.file(planned, media=Media(FILE, emoji="👋", set_name="harbour_otter"))
    assert path.read_bytes() == b"otter"
    [asked] = it.telegram.files.asked
    assert asked.sticker is not None
    assert (asked.sticker.set_name, asked.sticker.document_id) == ("harbour_otter", FILE)
    assert (await it.trouble(planned, media=Media(5))).trouble is MediaTrouble.GONE


async def test_a_full_disk_is_told_until_it_has_room(it: FileRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    key = await it.said()
    it.put(key, b"picture")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        error = await it.trouble(key)
    assert (error.trouble, error.can_retry) == (MediaTrouble.DISK, True)
    assert it.faults() == ["The disk is full: a file could not be saved."]
    assert it.kept() == set()
    await it.files.file(key)
    assert it.faults()[-1] == ""
