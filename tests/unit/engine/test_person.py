"""Everything about a person: shown, given out, forgotten; on a real database and real files."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import PersonForgotten
from chimein_gui.domain.memory.files import entries_of
from chimein_gui.domain.people.holdings import HoldingKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.words.notes import note_words
from tests.fakes.telegram import HANG, MARTA
from tests.support.person_room import BEA, KEPT, SECRETS, TYPED, furnish, person_engine


async def test_everything_that_is_held_about_a_person_is_listed(tmp_path: Path) -> None:
    async with person_engine(tmp_path) as there:
        await furnish(there)
        found = await there.room.engine.people.look(MARTA)
    held = {one.kind: one for one in found.held}
    assert set(held) == set(HoldingKind) - {HoldingKind.SEARCH, HoldingKind.PROPOSALS, HoldingKind.ORDERS}
    assert found.name == "Marta Oliveira"
    assert not found.forgetting
    messages = held[HoldingKind.MESSAGES]
    assert (messages.tally.count, messages.tally.theirs, messages.agent_name) == (4, 3, "Nora Vale")
    assert messages.tally.first is not None
    assert messages.tally.first <= (messages.tally.last or messages.tally.first)
    assert held[HoldingKind.GROUP_MESSAGES].place == "Walkers of Leeds"
    assert held[HoldingKind.PROMPTS].tally.count == 2
    assert held[HoldingKind.MEDIA].tally.count == 4, "a picture, and three descriptions of it"


async def test_forgotten_is_gone_from_the_whole_state_folder_and_what_others_said_stays(tmp_path: Path) -> None:
    async with person_engine(tmp_path) as there:
        await furnish(there)
        before = there.grep(*SECRETS)
        assert {word for words in before.values() for word in words} == set(SECRETS)
        assert "tortoise cadenza" in before["state/memory_index.db"]
        kept = (there.state / "Nora Vale" / "memory" / f"{int(MARTA)}.md").read_text(encoding="utf-8")
        assert entries_of(kept)
        await there.room.engine.people.forget(MARTA)
        assert there.grep(*SECRETS) == {}
        known = entries_of.cache_info().misses
        assert entries_of(kept), "it was read again"
        assert entries_of.cache_info().misses == known + 1, "what was read is not kept in memory"
        assert {word for words in there.grep(*KEPT).values() for word in words} == set(KEPT)
        left = await there.room.engine.people.look(MARTA)
        assert {one.kind for one in left.held} <= {
            *(HoldingKind.GROUP_MESSAGES, HoldingKind.REQUESTS, HoldingKind.COSTS, HoldingKind.CHAT),
            *(HoldingKind.DRAFTS,),
        }
        assert any(isinstance(event, PersonForgotten) and event.person == MARTA for event in there.room.events)
        assert not [chat for chat in (await there.room.engine.queries.chats()).rows if chat.info.peer_id == MARTA]
        assert not (await there.room.engine.holds.load()).rows
    async with person_engine(tmp_path, telegram=there.room.telegram) as there:
        assert there.grep(*SECRETS) == {}, "Telegram still has it all, and the connect did not bring it back"
        assert [one.info.peer_id for one in (await there.room.engine.queries.chats()).rows if one.info.peer_id == BEA]


async def test_a_file_that_cannot_be_read_is_named_and_the_order_stays_until_it_can(tmp_path: Path) -> None:
    async with person_engine(tmp_path) as there:
        await furnish(there)
        agent = there.state / "Nora Vale"
        broken = agent / "memory.md"
        kept = broken.read_bytes()
        broken.unlink()
        broken.mkdir()
        with pytest.raises(RefusedError) as caught:
            await there.room.engine.people.forget(MARTA)
        assert str(broken) in note_words(caught.value.note)
        assert "basalt nightingale" not in (agent / ".memory.md.1").read_text(encoding="utf-8"), "all others are done"
        assert (await there.room.engine.people.look(MARTA)).forgetting
        broken.rmdir()
        broken.write_bytes(kept)
        await there.room.engine.people.forget(MARTA)
        assert "juniper almanac" not in broken.read_text(encoding="utf-8")
        assert not (await there.room.engine.people.look(MARTA)).forgetting


async def test_what_comes_later_is_a_new_conversation(tmp_path: Path) -> None:
    async with person_engine(tmp_path) as there:
        await furnish(there)
        await there.room.engine.people.forget(MARTA)
        draft = await there.room.drafted("It is me again.")
        texts = (await there.room.engine.transcripts.before(draft.chat_id, None, 50)).rows
        assert [one.text for one in texts] == ["It is me again."]
        assert there.grep("quince marmalade") == {}


async def test_of_whom_is_forgotten_for_good_nothing_is_proposed_any_more(tmp_path: Path) -> None:
    async with person_engine(tmp_path) as there:
        await furnish(there)

        async def is_never() -> list[bool]:
            return await there.room.store.read(
                lambda tx: [tx.proposals.is_never(agent.agent_id, MARTA) for agent in tx.agents.all()]
            )

        await there.room.engine.people.forget(MARTA)
        assert not any(await is_never())
        await there.room.engine.people.forget(MARTA, never=True)
        found = await is_never()
        assert found
        assert all(found)


async def test_nothing_is_forgotten_while_something_is_being_sent(tmp_path: Path) -> None:
    async with person_engine(tmp_path) as there:
        there.room.telegram.script.append(HANG)
        await there.room.send_off()
        with pytest.raises(RefusedError):
            await there.room.engine.people.forget(MARTA)
        assert not (await there.room.engine.people.look(MARTA)).forgetting
        assert not (await there.room.engine.holds.load()).rows
        there.room.clock.advance(20)
        await there.room.approval(TaskStatus.UNKNOWN)
        with pytest.raises(RefusedError):
            await there.room.engine.people.forget(MARTA)
        await there.room.reach(lambda: there.room.find(TaskStatus.DONE))


async def test_the_archive_holds_what_is_hers_and_nothing_of_the_operators_secrets(tmp_path: Path) -> None:
    target = tmp_path / "marta.zip"
    steps: list[int] = []
    async with person_engine(tmp_path) as there:
        await furnish(there)
        assert await there.room.engine.people.export(MARTA, target, steps.append)
    assert target.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(target) as archive:
        content = {name: archive.read(name).decode() for name in archive.namelist()}
    talk = content[f"conversations/Nora Vale-{int(MARTA)}.jsonl"]
    assert next(json.loads(line)["text"] for line in talk.splitlines()) == "Do you like quince marmalade?"
    assert "tortoise cadenza" in content["memories/Nora Vale/memories.md"]
    assert "paper lantern" in content["memories/Nora Vale/notes.md"]
    assert content["media/4711"] == "harbour swallow"
    assert "ivory weathervane" in content["media/4711.json"]
    everything = "\n".join(content.values())
    missing = [word for word in SECRETS if word not in everything]
    assert missing == ["basalt nightingale", *TYPED], "a former version, and what the operator is typing"
    assert not [word for word in KEPT if word in everything]
    assert "telegram.session" not in everything
    assert steps == sorted(steps)
    assert json.loads(content["contents.json"])["person"] == int(MARTA)


async def test_a_stopped_archive_leaves_no_file(tmp_path: Path) -> None:
    async with person_engine(tmp_path) as there:
        await furnish(there)
        people = there.room.engine.people
        (tmp_path / "out").mkdir()
        assert not await people.export(MARTA, tmp_path / "out" / "x.zip", lambda _count: people.stop_export())
        assert list((tmp_path / "out").iterdir()) == []
        with pytest.raises(RefusedError):
            await people.export(MARTA, tmp_path / "nowhere" / "x.zip", lambda _count: None)
