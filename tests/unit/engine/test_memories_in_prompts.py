"""What agents remember is in their prompts, each memory only where it may be seen."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.adapters.files.memory_places import MOST_BYTES
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.events import EngineEvent, FaultReported
from chimein_gui.domain.ids import PeerId, UserId
from chimein_gui.domain.memory.entries import MemoryKind, MemoryScope, MemoryText, MemoryView
from chimein_gui.domain.memory.files import entries_of, entry_of
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from chimein_gui.domain.prompt.memories import MOST_CHARACTERS, memory_sections
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.prompt.builder import build_prompt
from chimein_gui.engine.prompt.inputs import MemoryReader, scope_of
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.support.engine_room import engine_room
from tests.support.prompt_inputs import AGENT, CHAT, inputs, message

AT = datetime(2026, 11, 18, 19, 42, tzinfo=UTC)
HERE, THERE = PeerId(7), PeerId(-77)


def entry(text: str, chat: int, key: str = "1.0@x") -> str:
    return entry_of(text, at=AT, provenance=f"chat {chat} (chat 999), partner {chat}, source: test", key=key)


def write(path: Path, *entries: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(entries), encoding="utf-8")
    return path


def view(kind: MemoryKind, text: str) -> MemoryView:
    return MemoryView(MemoryScope("Nora", HERE, HERE), (MemoryText(kind, "memory.md", text),))


async def test_a_chat_sees_the_operators_notes_its_own_memories_and_those_of_all_chats(tmp_path: Path) -> None:
    first, second, state = tmp_path / "first", tmp_path / "second", tmp_path / "state"
    write(second / "agents/Nora/memory/7.md", "\n\nVegetarian.\nCall her Marta.")
    write(state / "Nora/memory.md", entry("likes tea", HERE), entry("# «send» 3\nthe ferry leaves at nine", THERE))
    write(state / "Nora/memory/7.md", entry("her knee hurts", HERE))
    write(state / "Nora/memory/5002.md", entry("a secret of Bea", 5_002))
    reader = MemoryReader(MarkdownMemoryFiles(state, (first, second)), EventBus())
    asked = replace(inputs(message(1, "hi"), trigger=1), agent=replace(AGENT, name="Nora"))
    sections = {one.title: one for one in build_prompt(await reader.into(asked)).sections}
    notes = sections["Memory: your operator's notes on this chat"]
    assert notes.text == "Vegetarian.\nCall her Marta."
    assert (notes.source, notes.lines) == (str(second / "agents/Nora/memory/7.md"), (3, 4))
    remembered = sections["Memory: remembered"]
    assert "[2026-11-18] likes tea" in remembered.text
    assert "[2026-11-18, from another chat] # «send» 3\n>   the ferry leaves at nine" in remembered.text
    assert "her knee hurts" in sections["Memory: about the partner"].text
    assert "Bea" not in build_prompt(await reader.into(asked)).system_instruction
    titles = list(sections)
    assert titles.index("Marks") < titles.index(notes.title) < titles.index("Chat"), "before what changes"
    write(first / "agents/Nora/memory/7.md", "Vegan.")
    again = {one.title: one.text for one in build_prompt(await reader.into(asked)).sections}
    assert again[notes.title] == "Vegan.", "read anew, and the earlier directory wins"


async def test_in_a_group_only_the_memories_of_the_one_who_is_answered_are_seen(tmp_path: Path) -> None:
    for number in (5_001, 5_002):
        write(tmp_path / f"Nora/memory/{number}.md", entry(f"secret {number}", number))
    write(tmp_path / "config/agents/Nora/memory/-77.md", "The walkers of Leeds.")
    reader = MemoryReader(MarkdownMemoryFiles(tmp_path, (tmp_path / "config",)), EventBus())
    group = replace(CHAT, info=ChatInfo(CHAT.info.account_id, THERE, ChatKind.GROUP, "Walkers"))
    target = replace(message(2, "Nora?"), sender_id=UserId(5_002))
    asked = replace(inputs(target, trigger=2), chat=group, target=target, agent=replace(AGENT, name="Nora"))
    text = build_prompt(await reader.into(asked)).system_instruction
    assert ("secret 5002" in text, "secret 5001" in text, "The walkers of Leeds." in text) == (True, False, True)
    assert scope_of(replace(asked, target=None)).person is None


async def test_no_memory_of_a_partner_stands_in_the_prompt_of_another_chat(tmp_path: Path) -> None:
    agents, partners = [f"Agent {number}" for number in range(50)], range(6_000, 6_020)
    for name in agents:
        number = name.split()[1]
        known = [entry(f"all-{number}-{partner}", partner, f"{partner}") for partner in partners]
        write(tmp_path / name / "memory.md", *known)
        for partner in partners:
            write(
                tmp_path / name / f"memory/{partner}.md",
                entry(f"secret-{number}-{partner} of <!-- chat 1 -->", partner),
            )
    reader = MemoryReader(MarkdownMemoryFiles(tmp_path), EventBus())
    for name in agents:
        number = name.split()[1]
        for partner in partners:
            chat = replace(CHAT, info=replace(CHAT.info, peer_id=PeerId(partner)))
            asked = replace(inputs(message(1, "hi"), trigger=1), chat=chat, agent=replace(AGENT, name=name))
            text = build_prompt(await reader.into(asked)).system_instruction
            assert set(re.findall(r"secret-\d+-\d+", text)) == {f"secret-{number}-{partner}"}
            marked = dict.fromkeys(re.findall(r"from another chat\] all-\d+-(\d+)", text))
            assert [int(one) for one in marked] == [one for one in partners if one != partner]
            assert set(re.findall(r"all-(\d+)-", text)) == {number}


@pytest.mark.parametrize("trouble", ["directory", "too large", "locked", "no utf-8"])
async def test_a_file_that_cannot_be_read_is_told_and_the_prompt_goes_on_without_it(
    tmp_path: Path, trouble: str
) -> None:
    path = write(tmp_path / "Nora/memory.md", entry("likes tea", HERE))
    write(tmp_path / "Nora/memory/7.md", entry("her knee hurts", HERE))
    bus, told = EventBus(), list[EngineEvent]()
    bus.subscribe(told.append)
    if trouble == "directory":
        path.unlink()
        path.mkdir()
    elif trouble == "too large":
        os.truncate(path, MOST_BYTES * 10)
    elif trouble == "locked":
        path.unlink()
        path.symlink_to(path)
    else:
        path.write_bytes(entry("likes te\udce1", HERE).encode("utf-8", "surrogateescape"))
    reader = MemoryReader(MarkdownMemoryFiles(tmp_path), bus)
    asked = replace(inputs(message(1, "hi"), trigger=1), agent=replace(AGENT, name="Nora"))
    prompt = build_prompt(await reader.into(asked))
    assert "her knee hurts" in prompt.system_instruction
    if trouble == "no utf-8":
        assert "likes te\ufffd" in prompt.system_instruction
        assert told == []
        return
    assert LeftOut(LeftOutKind.MEMORY_UNREADABLE, str(path)) in prompt.left_out
    (fault,) = told
    assert isinstance(fault, FaultReported)
    assert fault.cause is not None
    assert note_sentence(fault.cause).startswith(f"The memory file {path} can't be read.")
    path.rmdir() if trouble == "directory" else path.unlink()
    await reader.into(asked)
    assert isinstance(told[-1], FaultReported)
    assert told[-1].cause is None, "it is taken back"


def test_what_does_not_fit_is_counted_and_the_newest_stay() -> None:
    many = "\n".join(entry(f"fact {number} {'x' * 90}", HERE, str(number)) for number in range(200))
    made = memory_sections(view(MemoryKind.REMEMBERED, many))
    (section,), (left_out,) = made
    assert len(section.text) < MOST_CHARACTERS + 500
    assert "fact 199" in section.text
    kept = len(re.findall(r"fact \d+", section.text))
    assert left_out == LeftOut(LeftOutKind.MEMORY_OVER_LIMIT, "Memory: remembered", 200 - kept)
    first = int(re.findall(r"fact (\d+)", section.text)[0])
    lines = many.split("\n")
    assert lines[section.lines[0] - 1].startswith("# Memory from")
    assert lines[section.lines[0] + 2] == f"fact {first} {'x' * 90}"
    notes = memory_sections(view(MemoryKind.CURATED, "\n\n".join(["y" * 98] * 100)))
    assert notes.left_out == (LeftOut(LeftOutKind.MEMORY_OVER_LIMIT, notes.sections[0].title, 20),)
    (part,) = memory_sections(view(MemoryKind.CURATED, "\n".join(["y" * 99] * 100))).sections
    assert len(part.text) == 100 * 80 - 1


@pytest.mark.parametrize(
    "text", ["", "no heading", "# Memory from\n", "# Memory from 2026 UTC\n<!-- never closed\n", "\ufeff"]
)
def test_any_text_is_a_file_of_entries(text: str) -> None:
    assert memory_sections(view(MemoryKind.REMEMBERED, text)).sections == () or entries_of(text)


async def test_a_plan_and_its_preview_hold_the_same_memories(tmp_path: Path) -> None:
    write(tmp_path / "Nora Vale/memory.md", entry("the boathouse key is under the mat", 1))
    async with engine_room(tmp_path) as room:
        room.telegram.partner_writes("where is the key?")
        await room.model.asked(1)
        assert "under the mat" in room.model.prompts[-1].system_instruction
        chat = (await room.engine.queries.chats()).rows[0]
        now = await room.engine.prompts.now(chat.chat_id)
        assert b"under the mat" in now.body
