"""An engine whose chat with Marta, and a group in which she writes, hold something of every kind of data."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.adapters.files.memory_history.drafts import MemoryDrafts
from chimein_gui.adapters.files.people.files import PersonFolders
from chimein_gui.adapters.memory_index.index import SqliteMemoryIndex
from chimein_gui.domain.chats import ChatInfo, ChatKind, ContextPin, PinKind, Unsent
from chimein_gui.domain.ids import ChatId, MessageId, PeerId, UserId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.domain.memory.merging.drafts import MemoryDraft
from chimein_gui.domain.messages import Media, Message, MessageKey
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import Transaction
from chimein_gui.reporting.logs import logs_closed, start_logging, stop_logging
from tests.fakes.clock import VirtualClock
from tests.fakes.telegram import ACCOUNT, MARTA
from tests.support.engine_room import NORA, Room, engine_room

BEA = PeerId(7_000_005_002)
WALKERS = PeerId(-1_000_000_000_077)
TYPED = ("pewter accordion", "linen compass")
"""What the operator is typing about her."""
SECRETS = (
    *("quince marmalade", "verdigris kettle", "harbour swallow", "cinnamon ledger", "obsidian teaspoon"),
    *("paper lantern", "walnut overture", "copper saxifrage", "velvet barometer", "gooseberry anthem"),
    *("Marta Oliveira", "marta_o", "tortoise cadenza", "juniper almanac", "basalt nightingale"),
    *("ivory weathervane", "amber tollbooth", "coral sundial"),
    "saffron sextant",
    *TYPED,
)
"""Words of hers, and about her, each in another place; all are gone when she is forgotten."""
KEPT = ("a portrait of Bea", "Bea likes chess", "the walk begins at nine", "everybody likes soup")
"""Words of others, which stay."""
SHOWN = 4_711
"""Number of a file of hers."""


@dataclass
class PersonRoom:
    """The engine, and where its files are."""

    room: Room
    state: Path
    config: Path

    def grep(self, *words: str) -> dict[str, list[str]]:
        """Return which of these words are in which files, in any encoding that the program writes."""
        found: dict[str, list[str]] = {}
        for path in sorted((*self.state.rglob("*"), *self.config.rglob("*"))):
            content = path.read_bytes().lower() if path.is_file() else b""
            there = [word for word in words if word.lower().encode() in content or _escaped(word) in content]
            if there:
                found[str(path.relative_to(self.state.parent))] = there
        return found


def _escaped(word: str) -> bytes:
    return json.dumps(word)[1:-1].lower().encode()


def said(number: int, text: str, *, peer: PeerId, sender: int, name: str, **changes: Any) -> Message:
    key = MessageKey(ACCOUNT, peer, MessageId(number))
    message = Message(key, UserId(sender), name, out=False, sent_at=VirtualClock().now(), text=text)
    return replace(message, **changes)


def write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


@asynccontextmanager
async def person_engine(folder: Path, **more: Any) -> AsyncIterator[PersonRoom]:
    """Start an engine with the files of a person; starting it again on the same folder is a restart."""
    state, config = folder / "state", folder / "config"
    state.mkdir(exist_ok=True)
    memory, index = MarkdownMemoryFiles(state, (config,)), SqliteMemoryIndex(state / "memory_index.db")
    shown, logs = state / "media" / "shown", state / "logs"
    files = PersonFolders(state, (config,), shown, logs, memory.lock, logs_closed=logs_closed)
    start_logging(logs)
    try:
        async with engine_room(state, memory=memory, memory_index=index, person_files=files, **more) as room:
            yield PersonRoom(room, state, config)
    finally:
        await index.close()
        stop_logging()


async def furnish(there: PersonRoom) -> ChatId:
    """Let something of every kind of data be held about Marta; returns her chat."""
    room = there.room
    room.model.script += ["# «remember»\nshe has a gooseberry anthem\n# «send»\nI have a copper saxifrage"]
    sent = await room.approved("Do you like quince marmalade?")
    await room.approval(TaskStatus.DONE)
    chat_id = sent.chat_id
    room.model.script += ["# «send»\nPerhaps a velvet barometer."]
    await room.drafted("And a verdigris kettle?")
    await room.engine.composer.keep(Unsent(chat_id, "not sent: obsidian teaspoon"))
    await room.engine.prompts.of_chat(chat_id)  # stores the prompts that wait
    number = int(room.telegram.store("paper lantern", out=False).key.message_id)
    await room.store.transact(lambda tx: _tables(tx, chat_id, number))
    _files(there)
    await room.engine._services.index_memories()
    logging.getLogger("chimein_gui.test").info("The history of %s cannot be read", "Marta Oliveira")
    return chat_id


def _tables(tx: Transaction, chat_id: ChatId, number: int) -> None:
    chat = tx.chats.get(chat_id)
    named = replace(chat.info, title="Marta Oliveira", username="marta_o")
    tx.chats.ensure(chat.agent_id, named, planned_up_to=MessageId(0))
    tx.chats.set_settings(chat_id, replace(chat.settings, pins=(ContextPin(MessageId(1), PinKind.IN),)))
    picture = said(number, "paper lantern", peer=MARTA, sender=MARTA, name="Marta Oliveira", media_kind="photo")
    tx.messages.put(chat_id, replace(picture, media=Media(SHOWN, "image/png", 5, file_name="harbour swallow.png")))
    tx.saved_edits.add(
        chat_id,
        base="cinnamon ledger",
        mine="walnut overture",
        position=1,
        paired_with=None,
        created_at=picture.sent_at,
    )
    group = ChatInfo(ACCOUNT, WALKERS, ChatKind.GROUP, "Walkers of Leeds")
    walkers = tx.chats.ensure(chat.agent_id, group, planned_up_to=MessageId(99))[0].chat_id
    tx.messages.put(walkers, said(1, "tortoise cadenza", peer=WALKERS, sender=MARTA, name="Marta Oliveira"))
    tx.messages.put(walkers, said(2, "the walk begins at nine", peer=WALKERS, sender=BEA, name="Bea"))
    bea = ChatInfo(ACCOUNT, BEA, ChatKind.DM, "Bea", "bea")
    with_bea = tx.chats.ensure(chat.agent_id, bea, planned_up_to=MessageId(99))[0].chat_id
    tx.messages.put(with_bea, said(1, "Bea likes chess", peer=BEA, sender=BEA, name="Bea"))


def _files(there: PersonRoom) -> None:
    def entry(text: str, person: int) -> str:
        at = there.room.clock.now()
        return entry_of(text, at=at, provenance=f"chat {person} (x), partner {person}, source: test", key=text)

    agent = there.state / NORA.name
    own, shared = entry("tortoise cadenza", MARTA), entry("everybody likes soup", BEA)
    write(agent / "memory" / f"{int(MARTA)}.md", own)
    about = MemoryFile(MemoryKind.ABOUT_PARTNER, "Nora Vale", PeerId(int(MARTA)))
    MemoryDrafts(there.state).keep(MemoryDraft(about, own, "", "typed: pewter accordion"))
    for_all = MemoryFile(MemoryKind.REMEMBERED, "Nora Vale")
    MemoryDrafts(there.state).keep(MemoryDraft(for_all, own, "", "typed: linen compass"))
    write(agent / "memory" / f".{int(MARTA)}.md.1", own.replace("tortoise cadenza", "walnut overture"))
    known = (agent / "memory.md").read_text(encoding="utf-8") if (agent / "memory.md").exists() else ""
    write(agent / "memory.md", f"{known}\n{entry('juniper almanac of hers', MARTA)}\n{shared}")
    write(agent / ".memory.md.1", f"{entry('basalt nightingale', MARTA)}\n{shared}")
    versions = agent / "memory-versions"
    name = "20261120T120000.000000Z outside +1 -0 ~0.md"
    write(versions / f"about {int(MARTA)}" / name, own)
    write(versions / f"curated {int(MARTA)}" / name, "Loves her paper lantern.")
    write(versions / "remembered" / name, f"{entry('basalt nightingale', MARTA)}\n{shared}")
    write(agent / "memory" / f"{int(BEA)}.md", entry("Bea likes chess", BEA))
    notes = there.config / "agents" / NORA.name / "memory"
    write(notes / f"{int(MARTA)}.md", "Loves her paper lantern.")
    write(notes / f"{int(WALKERS)}.md", f"{KEPT[1]}\n\n{entry('saffron sextant', MARTA)}")
    shown = there.state / "media" / "shown"
    write(shown / str(SHOWN), "harbour swallow")
    write(shown / "1", "a picture of Bea")
    for number, said_of_it in ((SHOWN, "an ivory weathervane"), (1, "a portrait of Bea")):
        write(there.state / "media" / f"{number}.json", json.dumps({"kind": "photo", "description": said_of_it}))
    write(there.config / "media" / f"{SHOWN}.json", json.dumps({"description": "an amber tollbooth"}))
    curated = there.config / "agents" / NORA.name / "media" / f"{SHOWN}.json"
    write(curated, json.dumps({"description": "a coral sundial"}))


def tables_of(database: Path) -> dict[str, list[str]]:
    """Return the columns of each table of a database that is not the search index's."""
    with closing(sqlite3.connect(database)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            for name in names
            if not name.startswith(("search_index", "search_terms", "sqlite_"))
        }
