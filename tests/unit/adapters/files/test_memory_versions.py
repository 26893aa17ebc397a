"""Versions of memory files: each change is one, also those of other programs; a bounded number is kept."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.adapters.files.memory_history import versions as kept
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.edits import FileEntry, file_entries
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.files import entry_of, without_person
from chimein_gui.domain.memory.provenance import provenance_of
from chimein_gui.domain.memory.versions import Author, EntryCounts
from chimein_gui.engine.memory.editor import LONG, MemoryEditor

AT = datetime(2025, 1, 26, 14, 30, 15, tzinfo=UTC)
FILE = MemoryFile(MemoryKind.REMEMBERED, "Nora")
NOTES = MemoryFile(MemoryKind.CURATED, "Nora", PeerId(-7))


class Clock:
    def now(self) -> datetime:
        return AT


async def append(files: MarkdownMemoryFiles, text: str, number: int = 0, source: str = "the agent's reply") -> None:
    key = f"312.{number}@20250126T143015.000000"
    await files.append("Nora", text, at=AT, provenance=f"chat 7 (Marta), source: {source}", key=key)


def editor(state: Path) -> tuple[MemoryEditor, MarkdownMemoryFiles]:
    files = MarkdownMemoryFiles(state / "state", (state / "config",))
    return MemoryEditor(files, Clock(), list), files  # type: ignore[arg-type]


async def test_each_change_is_a_version_with_its_author_and_what_changed(tmp_path: Path) -> None:
    edits, files = editor(tmp_path)
    await append(files, "likes tea")
    await append(files, "her knee hurts", 1, source="partner's order")
    (page,) = await edits.pages("Nora", None)
    change = await edits.edit(FILE, page.entries[0], "likes coffee")
    await edits.undo(change)
    told = [(one.author, one.counts, one.plan) for one in await edits.versions(FILE)]
    assert told == [
        (Author.UNDO, EntryCounts(edited=1), None),
        (Author.OPERATOR, EntryCounts(edited=1), None),
        (Author.ORDER, EntryCounts(added=1), None),
        (Author.REPLY, EntryCounts(added=1), 312),
    ]
    texts = [await edits.version_text(FILE, one) for one in await edits.versions(FILE)]
    assert ["coffee" in text for text in texts] == [False, True, False, False]


async def test_what_another_program_writes_is_a_version_when_it_is_noticed_and_never_lost(tmp_path: Path) -> None:
    edits, files = editor(tmp_path)
    await append(files, "likes tea")
    path = tmp_path / "state/Nora/memory.md"
    path.write_text(path.read_text(encoding="utf-8").replace("tea", "milk"), encoding="utf-8")
    (page,) = await edits.pages("Nora", None)
    assert (await edits.versions(FILE))[0].author is Author.OUTSIDE
    assert len(await edits.versions(FILE)) == 2, "looking again makes no further version"
    path.write_text("\udcff".join((path.read_text(encoding="utf-8"), "")), encoding="utf-8", errors="surrogateescape")
    await append(files, "her knee hurts", 1)
    newest, outside, *_ = await edits.versions(FILE)
    assert (newest.author, outside.author) == (Author.REPLY, Author.OUTSIDE)
    assert (await edits.version_text(FILE, outside)).endswith("\udcff"), "byte for byte"
    assert page.entries[0].entry.text == "likes milk"
    path.unlink()
    await edits.pages("Nora", None)
    gone = (await edits.versions(FILE))[0]
    assert (gone.author, gone.counts) == (Author.OUTSIDE, EntryCounts(removed=2))


async def test_a_version_is_restored_byte_for_byte_and_the_restore_is_undone(tmp_path: Path) -> None:
    edits, _files = editor(tmp_path)
    path = tmp_path / "config/agents/Nora/memory/-7.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xef\xbb\xbfVegetarian.\r\n\r\nCall her Marta.\r\n")
    first = path.read_bytes()
    curated, *_others = await edits.pages("Nora", PeerId(-7))
    await edits.edit(NOTES, curated.entries[1], "")
    shorter = path.read_bytes()
    restored = await edits.restore(NOTES, (await edits.versions(NOTES))[-1])
    assert path.read_bytes() == first
    await edits.undo(restored)
    assert path.read_bytes() == shorter
    authors = [one.author for one in await edits.versions(NOTES)]
    assert authors == [Author.UNDO, Author.RESTORE, Author.OPERATOR, Author.OUTSIDE]


async def test_two_entries_become_one_in_one_write_and_two_again(tmp_path: Path) -> None:
    edits, files = editor(tmp_path)
    for number, text in enumerate(("likes tea", "her knee hurts", "likes tea very much")):
        await append(files, text, number)
    before = (tmp_path / "state/Nora/memory.md").read_bytes()
    (page,) = await edits.pages("Nora", None)
    first, _knee, last = page.entries
    changes = await edits.merge(FILE, first, last, "likes tea very much")
    (page,) = await edits.pages("Nora", None)
    assert [one.entry.text for one in page.entries] == ["likes tea very much", "her knee hurts"]
    newest = (await edits.versions(FILE))[0]
    assert (newest.author, newest.counts) == (Author.OPERATOR, EntryCounts(removed=1, edited=1))
    for change in reversed(changes):
        await edits.undo(change)
    assert (tmp_path / "state/Nora/memory.md").read_bytes() == before


async def test_the_newest_versions_are_kept_by_number_and_by_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_VERSIONS", 8)
    edits, files = editor(tmp_path)
    for number in range(11):
        await append(files, f"memory {number}", number)
    found = await edits.versions(FILE)
    assert len(found) == 8
    assert (await edits.version_text(FILE, found[0])).count("# Memory from") == 11
    assert (await edits.version_text(FILE, found[-1])).count("# Memory from") == 4
    monkeypatch.setattr(kept, "MOST_BYTES", 1)
    await append(files, "one more", 11)
    assert len(await edits.versions(FILE)) == kept.LEAST_VERSIONS
    with pytest.raises(NotFoundError):
        await files.version_text(FILE, "../../Nora/memory.md")


async def test_versions_keep_their_order_when_the_clock_is_set_back(tmp_path: Path) -> None:
    edits, files = editor(tmp_path)
    path = tmp_path / "state/Nora/memory.md"
    await append(files, "likes tea")
    path.write_text(path.read_text(encoding="utf-8").replace("tea", "milk"), encoding="utf-8")
    os.utime(path, (0, 0))
    await edits.pages("Nora", None)
    found = await edits.versions(FILE)
    assert [one.author for one in found] == [Author.OUTSIDE, Author.REPLY]
    assert found[0].at > found[1].at


async def test_a_change_is_written_although_its_version_cannot_be_kept(tmp_path: Path) -> None:
    edits, files = editor(tmp_path)
    await append(files, "likes tea")
    folder = tmp_path / "state/Nora" / kept.FOLDER
    for path in (folder / "remembered").iterdir():
        path.unlink()
    (folder / "remembered").rmdir()
    (folder / "remembered").write_text("in the way", encoding="utf-8")
    await append(files, "her knee hurts", 1)
    assert "knee" in (tmp_path / "state/Nora/memory.md").read_text(encoding="utf-8")
    assert await edits.versions(FILE) == ()


async def test_an_entry_is_edited_although_another_one_was_added_behind_it(tmp_path: Path) -> None:
    edits, files = editor(tmp_path)
    await append(files, "likes tea")
    (page,) = await edits.pages("Nora", None)
    await append(files, "her knee hurts", 1)
    change = await edits.edit(FILE, page.entries[0], "likes coffee")
    (page,) = await edits.pages("Nora", None)
    assert [one.entry.text for one in page.entries] == ["likes coffee", "her knee hurts"]
    await edits.undo(change)
    (page,) = await edits.pages("Nora", None)
    assert [one.entry.text for one in page.entries] == ["likes tea", "her knee hurts"]


async def test_notes_with_paragraphs_can_be_taken_back(tmp_path: Path) -> None:
    edits, _files = editor(tmp_path)
    path = tmp_path / "config/agents/Nora/memory/-7.md"
    path.parent.mkdir(parents=True)
    path.write_text("Be kind.\n\nNever call before ten.\n", encoding="utf-8")
    before = path.read_bytes()
    page = (await edits.pages("Nora", NOTES.peer))[0]
    change = await edits.edit(NOTES, page.entries[0], "Be kind.\n\nBe brief.")
    await edits.undo(change)
    assert path.read_bytes() == before
    added = await edits.add(NOTES, "One.\n\nTwo.")
    await edits.undo(added)
    assert path.read_text(encoding="utf-8").split() == before.decode().split()


async def test_a_moved_entry_keeps_its_time_and_its_origin(tmp_path: Path) -> None:
    edits, files = editor(tmp_path)
    about = MemoryFile(MemoryKind.ABOUT_PARTNER, "Nora", PeerId(7))
    notes = MemoryFile(MemoryKind.CURATED, "Nora", PeerId(7))
    path = tmp_path / "config/agents/Nora/memory/7.md"
    path.parent.mkdir(parents=True)
    path.write_text("Be kind.\n", encoding="utf-8")
    origin = "chat 7 (Marta), message 9, partner 7, source: the partner's order"
    await files.append(
        "Nora", "I am vegan.\n\n# Memory from me", at=AT, provenance=origin, key="order 1.7.9", partner=PeerId(7)
    )
    (entry,) = (await edits.pages("Nora", PeerId(7)))[1].entries
    changes = await edits.move(about, entry, notes)
    moved = (await edits.pages("Nora", PeerId(7)))[0].entries[1]
    assert (moved.entry, moved.block.count("order 1.7.9")) == (replace(entry.entry, line=moved.entry.line), 0)
    assert provenance_of(moved.block) == provenance_of(entry.block)
    assert without_person(path.read_text(encoding="utf-8"), PeerId(7))[1] == (entry.entry.text,)
    for change in reversed(changes):
        await edits.undo(change)
    assert (await edits.pages("Nora", PeerId(7)))[1].entries == (entry,)
    assert [one.entry.text for one in (await edits.pages("Nora", PeerId(7)))[0].entries] == ["Be kind."]


async def test_a_long_file_is_looked_at_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edits, files = editor(tmp_path)
    for number in range(3):
        await append(files, f"fact {number} {'x' * LONG}", number)
    threads = []

    def entries(kind: MemoryKind, content: str) -> tuple[FileEntry, ...]:
        threads.append(threading.current_thread())
        return file_entries(kind, content)

    for module in ("chimein_gui.engine.memory.editor", "chimein_gui.domain.memory.edits"):
        monkeypatch.setattr(f"{module}.file_entries", entries)
    (page,) = await edits.pages("Nora", None)
    change = await edits.edit(FILE, page.entries[1], "short")
    await edits.undo(change)
    assert threads
    assert threading.main_thread() not in threads, "the window is in the same thread as the loop"


async def test_a_deleted_note_comes_back_where_it_stood_and_not_into_the_entry_below(tmp_path: Path) -> None:
    edits, _files = editor(tmp_path)
    path = tmp_path / "config/agents/Nora/memory/-7.md"
    path.parent.mkdir(parents=True)
    below = entry_of("likes tea", at=AT, provenance="source: the operator", key="1.0@x")
    path.write_text(f"Be kind.\n\nBe brief.\n\n{below}", encoding="utf-8")
    before = path.read_bytes()
    for number in (0, 1):
        page = (await edits.pages("Nora", NOTES.peer))[0]
        await edits.undo(await edits.edit(NOTES, page.entries[number], ""))
        assert path.read_bytes() == before


async def test_a_line_like_a_heading_in_a_note_is_no_entry(tmp_path: Path) -> None:
    edits, _files = editor(tmp_path)
    path = tmp_path / "config/agents/Nora/memory/-7.md"
    path.parent.mkdir(parents=True)
    path.write_text("Be kind.\n\nBe brief.\n", encoding="utf-8")
    page = (await edits.pages("Nora", NOTES.peer))[0]
    await edits.edit(NOTES, page.entries[0], "Be kind.\r\n# Memory from 2020-01-01 00:00:00 UTC\r\nalways")
    texts = [one.entry.text for one in (await edits.pages("Nora", NOTES.peer))[0].entries]
    assert texts == ["Be kind.\n # Memory from 2020-01-01 00:00:00 UTC\nalways", "Be brief."]


async def test_a_byte_order_mark_hides_no_entry(tmp_path: Path) -> None:
    edits, files = editor(tmp_path)
    await append(files, "likes tea")
    path = tmp_path / "state/Nora/memory.md"
    path.write_text("\ufeff" + path.read_text(encoding="utf-8"), encoding="utf-8")
    (page,) = await edits.pages("Nora", None)
    assert [one.entry.text for one in page.entries] == ["likes tea"]
    rest, forgotten = without_person(path.read_text(encoding="utf-8"), PeerId(7))
    assert (rest, forgotten) == ("\ufeff", ("likes tea",))
    await edits.edit(FILE, page.entries[0], "")
    assert path.read_text(encoding="utf-8") == "\ufeff"
