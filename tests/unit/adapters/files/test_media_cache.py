"""Files that were fetched to be shown: whole or not there, private, and never more than fit."""

from __future__ import annotations

import asyncio
import errno
import os
import stat
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from chimein_gui.adapters.files.media_cache import MediaCacheFiles


async def of(*pieces: bytes | Exception) -> AsyncGenerator[bytes, None]:
    for piece in pieces:
        if isinstance(piece, Exception):
            raise piece
        yield piece


def names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()} if directory.exists() else set()


async def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    cache = MediaCacheFiles(tmp_path / "media" / "shown")
    assert await cache.find("77") is None
    path = await cache.keep("77", of(b"one ", b"two"))
    assert (path.read_bytes(), path.name) == (b"one two", "77")
    assert await cache.find("77") == path
    assert await MediaCacheFiles(path.parent).find("77") == path
    assert await cache.find("77.thumb") is None
    assert await cache.keep("-77.thumb", of(b"x")) != path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["", "..", "../77", "77.thumb.thumb", "a", "77\n", "7/7", "77.png"])
async def test_names_are_ids_alone(tmp_path: Path, name: str) -> None:
    cache = MediaCacheFiles(tmp_path)
    with pytest.raises(ValueError, match="not a name"):
        await cache.find(name)
    with pytest.raises(ValueError, match="not a name"):
        await cache.keep(name, of(b"x"))
    assert names(tmp_path) == set()


async def test_a_file_is_not_there_before_it_is_whole(tmp_path: Path) -> None:
    cache, gate, begun = MediaCacheFiles(tmp_path), asyncio.Event(), asyncio.Event()

    async def slow() -> AsyncGenerator[bytes, None]:
        yield b"half"
        begun.set()
        await gate.wait()
        yield b"whole"

    async with asyncio.TaskGroup() as group:
        keeping = group.create_task(cache.keep("77", slow()))
        await begun.wait()
        assert await cache.find("77") is None
        assert "77" not in names(tmp_path)
        gate.set()
    assert keeping.result().read_bytes() == b"halfwhole"
    assert names(tmp_path) == {"77"}


async def test_a_download_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    cache, begun = MediaCacheFiles(tmp_path), asyncio.Event()

    async def endless() -> AsyncGenerator[bytes, None]:
        yield b"half"
        begun.set()
        await asyncio.Event().wait()

    job = asyncio.ensure_future(cache.keep("77", endless()))  # noqa: TID251 - to cancel it
    await begun.wait()
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert names(tmp_path) == set()


async def test_a_full_disk_is_told_and_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = MediaCacheFiles(tmp_path)
    await cache.keep("77", of(b"old"))

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="space") as caught:
        await cache.keep("77", of(b"new"))
    assert caught.value.errno == errno.ENOSPC
    assert names(tmp_path) == {"77"}
    assert (tmp_path / "77").read_bytes() == b"old"


async def test_what_a_crash_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "abc.tmp").write_bytes(b"half")
    await MediaCacheFiles(tmp_path).keep("77", of(b"x"))
    assert names(tmp_path) == {"77"}


async def test_the_least_recently_used_go(tmp_path: Path) -> None:
    cache = MediaCacheFiles(tmp_path, most_bytes=100)
    for number in range(10):
        await cache.keep(str(number), of(b"x" * 10))
        os.utime(tmp_path / str(number), (number, number))
    assert len(names(tmp_path)) == 10
    assert await cache.find("0") is not None  # used now
    await cache.keep("10", of(b"x" * 10))
    assert names(tmp_path) == {"0", *map(str, range(3, 11))}
    await cache.keep("11", of(b"x" * 300))  # it alone is too much, and is shown all the same
    assert names(tmp_path) == {"11"}


async def test_what_an_earlier_run_kept_counts(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / str(number)).write_bytes(b"x" * 10)
        os.utime(tmp_path / str(number), (number, number))
    await MediaCacheFiles(tmp_path, most_bytes=50).keep("9", of(b"x" * 10))
    assert names(tmp_path) == {"6", "7", "8", "9"}
