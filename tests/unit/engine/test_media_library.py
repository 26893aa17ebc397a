"""All media: what was met in chats and what files say of it are joined; the operator's changes land in the files."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from chimein_gui.adapters.files.media.records import MediaRecordFiles
from chimein_gui.domain.costs import DESCRIPTION, CallEnd, ModelCall
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import DescriptionsChanged, MessageStored, PersonForgotten
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.media.records import DescriptionStatus, PlaceKind
from chimein_gui.domain.media.requests import ASSUMED, MEASURED_CALLS
from chimein_gui.domain.messages import Media
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.media.enricher import _count
from chimein_gui.engine.media.library import MediaLibraryService
from tests.fakes.clock import VirtualClock
from tests.unit.adapters.store.builders import PEER, chat_in, message, opened, spec, sql_of

WAVE = Media(77, "image/webp", emoji="👋", set_name="otters")


def with_media(number, media=WAVE, kind="sticker", **more):
    return message(number, "", media_kind=kind, media=media, **more)


class Room:
    """A store with one chat, files of descriptions, and the service."""

    def __init__(self, store, folder, jobs, chat):
        self.store, self.folder, self.chat = store, folder, chat
        self.bus = EventBus()
        self.records = MediaRecordFiles(folder / "state", (folder / "config",), folder / "samples", poll_s=0.05)
        agents = {chat.agent_id: spec(sticker_sets=("otters",))}
        self.clock = VirtualClock()
        self.service = MediaLibraryService(store, self.bus, self.clock, jobs.spawn, self.records, lambda: agents)

    async def said(self, *messages):
        for one in messages:
            await self.store.transact(lambda tx, one=one: tx.messages.put(self.chat.chat_id, one))
            self.bus.publish(MessageStored(self.chat.chat_id, one, Revision(1)))

    async def deleted(self, *ids):
        info = self.chat.info
        marked = await self.store.transact(lambda tx: tx.messages.mark_deleted(info.account_id, info.peer_id, ids))
        for chat_id, one in marked:
            self.bus.publish(MessageStored(chat_id, one, Revision(1)))

    async def entry(self, unique_id="77"):
        library = await self.service.load()
        assert library is not None
        return next(one for one in library.entries if one.unique_id == unique_id)

    def cached(self, unique_id="77", **more):
        path = self.folder / "state/media" / f"{unique_id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        said = {"unique_id": unique_id, "kind": "sticker", "description": "An otter waves.", "status": "generated"}
        path.write_text(json.dumps(said | more), encoding="utf-8")
        return path


@asynccontextmanager
async def media_room(tmp_path):
    jobs = JobRunner()
    async with opened(tmp_path) as store:
        chat = await store.transact(chat_in)
        yield Room(store, tmp_path, jobs, chat)
        await jobs.aclose()


async def test_what_was_met_and_what_files_say_of_it_are_one_entry(tmp_path):
    async with media_room(tmp_path) as room:
        room.cached()
        room.cached("99", kind="photo", description="", status="unsupported")
        await room.said(with_media(1), with_media(2, out=True), with_media(3, Media(5), kind="photo"), message(4, "hi"))
        await room.store.transact(lambda tx: tx.media.count_uses(("77", "77", "5")))
        library = await room.service.load()
        entries = {one.unique_id: one for one in library.entries}
        assert sorted(entries) == ["5", "77", "99"]
        wave = entries["77"]
        assert (wave.kind, wave.set_name, wave.name, wave.status) == (
            "sticker",
            "otters",
            "👋",
            DescriptionStatus.GENERATED,
        )
        assert (wave.text, wave.uses, wave.sendable_by) == ("An otter waves.", 1, ("Ada",))
        (seen,) = wave.seen
        assert (seen.agent_name, seen.chat_id, seen.key.message_id, seen.count, seen.sent) == (
            "Ada",
            room.chat.chat_id,
            2,
            2,
            1,
        )
        assert entries["5"].status is DescriptionStatus.PENDING
        assert not entries["99"].needs_look
        assert await room.service.load(library.version) is None, "nothing changed"
        await room.said(with_media(9))
        assert (await room.service.load(library.version)).version > library.version


async def test_what_is_deleted_was_seen_nowhere_any_more(tmp_path):
    async with media_room(tmp_path) as room:
        await room.said(with_media(1), with_media(2), with_media(3, Media(5), kind="photo"))
        assert (await room.entry()).seen[0].key.message_id == 2
        await room.deleted(2)
        (seen,) = (await room.entry()).seen
        assert (seen.key.message_id, seen.count) == (1, 1)
        await room.deleted(3)
        library = await room.service.load()
        assert [one.unique_id for one in library.entries] == ["77"]


async def test_what_a_description_takes_is_measured_once_there_were_enough(tmp_path):
    async with media_room(tmp_path) as room:
        at = room.clock.now() - timedelta(days=1)

        def book(tx, count):
            call = ModelCall("m", DESCRIPTION, at, 1.0, CallEnd.ANSWERED, Usage(1_000, 30, 10))
            unlike = (
                replace(call, purpose="plan", usage=Usage(9_000)),
                replace(call, estimated=True, usage=Usage(9_000)),
                replace(call, end=CallEnd.FAILED, usage=Usage(9_000)),
                replace(call, began_at=at - timedelta(days=40), usage=Usage(9_000)),
            )
            for _ in range(count):
                tx.effects.book(room.chat.chat_id, call)
                tx.effects.book(room.chat.chat_id, replace(call, usage=Usage(500, 50)))
            for one in unlike:
                tx.effects.book(room.chat.chat_id, one)

        await room.store.transact(lambda tx: book(tx, MEASURED_CALLS // 2 - 1))
        await room.service.load()
        assert room.service.usage == ASSUMED
        await room.store.transact(lambda tx: book(tx, 1))
        await room.service.load()
        assert room.service.usage == ASSUMED, "not with each look"
        room.clock.advance(600)
        await room.service.load()
        assert room.service.usage == Usage(750, 40, 5)


async def test_the_operators_words_are_written_beside_those_of_the_model(tmp_path):
    async with media_room(tmp_path) as room:
        path = room.cached(zeal=1)
        before = path.read_bytes()
        await room.said(with_media(1))
        record = await room.service.save(await room.entry(), " A puffin. ")
        assert (record.place.kind, record.status) == (PlaceKind.SHARED, DescriptionStatus.CURATED)
        entry = await room.entry()
        assert (entry.text, entry.generated.description) == ("A puffin.", "An otter waves.")
        assert path.read_bytes() == before
        written = room.folder / "config/media/77.json"
        text = written.read_text(encoding="utf-8")
        await room.service.save(entry, "A puffin waves.")
        assert written.read_text(encoding="utf-8") == text.replace("A puffin.", "A puffin waves.")
        with pytest.raises(RefusedError):
            await room.service.save(entry, "Written over what changed meanwhile.")
        assert (await room.entry()).text == "A puffin waves."


async def test_a_record_moves_to_an_agents_own_directory_and_wins_there(tmp_path):
    async with media_room(tmp_path) as room:
        await room.said(with_media(1))
        await room.service.save(await room.entry(), "Shared words.")
        own = next(place for place in (await room.service.load()).places if place.kind is PlaceKind.OWN)
        moved = await room.service.move((await room.entry()).curated[0], own)
        assert moved.path.endswith("agents/Ada/media/77.json")
        await room.service.delete(moved)
        assert (await room.entry()).status is DescriptionStatus.PENDING
        await room.service.restore(moved)
        assert (await room.entry()).text == "Shared words."


async def test_an_edit_on_disk_is_part_of_the_next_answer(tmp_path):
    async with media_room(tmp_path) as room:
        path = room.cached()
        version = (await room.service.load()).version
        heard = asyncio.Event()
        room.bus.subscribe(lambda _event: heard.set(), DescriptionsChanged)
        path.write_text(path.read_text("utf-8").replace("waves", "sleeps"), encoding="utf-8")
        async with asyncio.timeout(5):
            await heard.wait()
        library = await room.service.load(version)
        assert library.entries[0].text == "An otter sleeps."


async def test_what_a_forgotten_person_sent_is_not_listed_any_more(tmp_path):
    async with media_room(tmp_path) as room:
        await room.said(with_media(1))
        assert (await room.service.load()).entries
        await room.store.transact(lambda tx: sql_of(tx).run("DELETE FROM messages"))
        room.bus.publish(PersonForgotten(PEER, (room.chat.chat_id,), (), Revision(2)))
        assert not (await room.service.load()).entries


async def test_a_record_that_is_broken_says_so_and_is_not_overwritten(tmp_path):
    async with media_room(tmp_path) as room:
        path = room.cached("77")
        path.write_text("{ no json", encoding="utf-8")
        await room.said(with_media(1))
        entry = await room.entry()
        assert entry.generated.problem is not None
        await room.service.save(replace(entry, generated=None), "Words.")
        assert path.read_text(encoding="utf-8") == "{ no json"


async def test_every_prompt_counts_the_files_that_stand_in_it(tmp_path):
    async with media_room(tmp_path) as room:
        await room.store.transact(lambda tx: _count(tx, ("77", "5", "77")))
        await room.store.transact(lambda tx: _count(tx, ("77",)))
        assert await room.store.read(lambda tx: tx.media.uses()) == {"77": 2, "5": 1}
