"""Memory files that can't be written: the operator reads why, nothing is lost, and plans go on."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from chimein_gui.adapters.files import memory
from chimein_gui.adapters.files.memory_places import MOST_BYTES
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.memory.files import entries_of
from chimein_gui.domain.memory.orders.answers import FIXED_ANSWERS
from chimein_gui.domain.memory.orders.given import OrderState
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.telegram import MARTA
from tests.support.engine_room import Room, engine_room

KEPT = b"Kept by hand.\n"


@dataclass(frozen=True)
class Trouble:
    """One fault of a memory file.

    Attributes:
        begin: Brings it about; called with the path of the file and pytest's patches.
        end: Ends it.
        says: What the operator reads.
        left: What is in the file afterwards, before what was to be written; None if it is a new one.
    """

    begin: Callable[[Path, pytest.MonkeyPatch], object]
    end: Callable[[Path, pytest.MonkeyPatch], object]
    says: str
    left: bytes | None = KEPT


def full(_path: Path, patches: pytest.MonkeyPatch) -> None:
    def write(*_told: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    patches.setattr(memory, "write_atomic", write)


def truncate(path: Path) -> None:
    os.truncate(path, len(KEPT))


def replace_by_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


TROUBLES = {
    "full disk": Trouble(full, lambda _path, patches: patches.undo(), "No space left"),
    "read-only": Trouble(lambda path, _: path.chmod(0o400), lambda path, _: path.chmod(0o600), "Permission denied"),
    "directory": Trouble(lambda path, _: replace_by_directory(path), lambda path, _: path.rmdir(), "directory", None),
    "50 MB": Trouble(
        lambda path, _: os.truncate(path, MOST_BYTES * 10), lambda path, _: truncate(path), "larger than 5 MB"
    ),
}


def faults(room: Room) -> list[str]:
    found = [one for one in room.events if isinstance(one, FaultReported) and one.key == "memory"]
    return [note_sentence(one.cause) for one in found]


def prepared(folder: Path, name: str) -> Path:
    path = folder / "Nora Vale" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(KEPT)
    return path


def content(path: Path) -> bytes:
    """Return the bytes of a file; none of a directory."""
    return path.read_bytes() if path.is_file() else b""


def texts(path: Path) -> list[str]:
    return [one.text for one in entries_of(path.read_text(encoding="utf-8"))]


async def is_survived(room: Room, path: Path, trouble: Trouble, patches: pytest.MonkeyPatch, text: str) -> None:
    """Check that the fault is told and that plans go on; end it, and check that nothing was lost."""
    await room.until(lambda: faults(room))
    assert trouble.says in faults(room)[0]
    assert content(path).rstrip(b"\x00") in {b"", KEPT}, "nothing was changed"
    await room.delivered(await room.drafted("and now?", "answer 2"), "answer 2")
    trouble.end(path, patches)
    assert room.engine.memories is not None
    await room.engine.memories.write_now()
    assert faults(room)[-1] == "", "it is taken back"
    assert content(path).startswith(trouble.left or b"# Memory from")
    assert texts(path) == [text]


@pytest.mark.parametrize("name", TROUBLES)
async def test_what_a_reply_remembers_waits_until_its_file_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    trouble, path = TROUBLES[name], prepared(tmp_path, "memory.md")
    async with engine_room(tmp_path) as room:
        trouble.begin(path, monkeypatch)
        room.model.script.append("# «remember»\nlikes tea\n\n# «send»\nNoted.")
        room.model.script.append("# «send»\nanswer 2")
        await room.delivered(await room.drafted("I like tea", "Noted."))
        await is_survived(room, path, trouble, monkeypatch, "likes tea")


@pytest.mark.parametrize("name", TROUBLES)
async def test_what_a_partner_orders_waits_until_the_file_about_them_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    trouble, path = TROUBLES[name], prepared(tmp_path, f"memory/{MARTA}.md")
    async with engine_room(tmp_path) as room:
        trouble.begin(path, monkeypatch)
        room.model.script.append("# «send»\nanswer 2")
        draft = await room.drafted("/remember I like tea")
        assert draft.text == FIXED_ANSWERS[OrderState.PREPARED]
        await room.delivered(draft)
        await is_survived(room, path, trouble, monkeypatch, "I like tea")


async def test_a_fault_survives_a_restart_and_what_waits_is_written_then(tmp_path: Path) -> None:
    path = prepared(tmp_path, f"memory/{MARTA}.md")
    replace_by_directory(path)
    async with engine_room(tmp_path) as room:
        await room.drafted("/remember I like tea")
        await room.until(lambda: faults(room))
    path.rmdir()
    async with engine_room(tmp_path) as room:
        assert room.engine.memories is not None
        await room.engine.memories.write_now()
        assert texts(path) == ["I like tea"]


async def test_characters_that_are_no_utf_8_stay_as_they_are(tmp_path: Path) -> None:
    path = prepared(tmp_path, f"memory/{MARTA}.md")
    before = b"caf\xe9\n\n# Memory from 2026-01-01 00:00:00 UTC\n\nth\xe9\n"
    path.write_bytes(before)
    async with engine_room(tmp_path) as room:
        await room.drafted("/remember I like tea")
        assert path.read_bytes().startswith(
            b"caf\xe9\n\n# Memory from 2026-01-01 00:00:00 UTC\n\nth\xe9\n\n# Memory from"
        )
        assert faults(room) == []
        assert room.find(TaskStatus.AWAITING_DECISION)
