"""Agents made of character cards, and cards made of agents: real files, a real store."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from chimein_gui.adapters.files.agents.folder import ConfigAgentFiles
from chimein_gui.adapters.files.character_cards import CharacterCardCopies
from chimein_gui.domain.character_cards.card_file import CardContainer
from chimein_gui.domain.character_cards.persona import instructions_of, suggested_name
from chimein_gui.domain.errors import ConfigError, RefusedError
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.notes.character_cards import CardReason
from chimein_gui.engine.ports import NewAgent
from tests.support.agent_files_room import NORA, OTTO, agents, write
from tests.support.character_cards import as_charx, as_json, as_png, v2, v3
from tests.support.engine_room import Room, engine_room


@asynccontextmanager
async def room_of(folder: Path) -> AsyncIterator[Room]:
    """Start an engine with a config directory that has one role prompt."""
    write(folder / "config/prompts/Person.md", "Be a person.")
    files = ConfigAgentFiles([folder / "config"], folder / "state", poll_s=60.0)
    cards = CharacterCardCopies(folder / "state/media/cards")
    async with engine_room(folder, agents=(), agent_files=files, card_files=cards, online=False) as room:
        yield room


async def made(room: Room, folder: Path, data: bytes, phone: str = NORA, name: str = "") -> AgentId:
    (folder / "card").write_bytes(data)
    file = await room.engine.character_cards.read(folder / "card")
    text = instructions_of(file.card, with_prompts=False)
    new = NewAgent(name or suggested_name(file.card), phone, text, ("Person",))
    return await room.engine.character_cards.create(file, new)


async def exported(room: Room, folder: Path, agent_id: AgentId, *, as_imported: bool) -> bytes:
    await room.engine.character_cards.export(agent_id, folder / "out", as_imported=as_imported)
    return (folder / "out").read_bytes()


@pytest.mark.parametrize(
    "data", [as_json(v2()), as_png(chara=v2(), ccv3=v3()), as_charx(v3())], ids=["JSON", "PNG", "CHARX"]
)
async def test_an_agent_goes_out_as_it_came_in_and_as_it_is_now_also_after_a_restart(folder: Path, data: bytes) -> None:
    async with room_of(folder) as room:
        agent_id = await made(room, folder, data)
        assert (await agents(room))["Mira Holt"].agent_id == agent_id
    async with room_of(folder) as room:
        cards = room.engine.character_cards
        assert await exported(room, folder, agent_id, as_imported=True) == data
        now = await exported(room, folder, agent_id, as_imported=False)
        assert (await cards.read(folder / "out")).card.text == (await cards.read(folder / "card")).card.text
        file = folder / "config/agents/Mira Holt.md"
        file.write_text(file.read_text().replace("dry, kind", "loud").replace("Mira Holt", "Mira"))
        await room.engine.agent_files.reload()
        now = await exported(room, folder, agent_id, as_imported=False)
        after = json.loads((await cards.read(folder / "out")).card.text)["data"]
        assert (after["name"], after["personality"]) == ("Mira", "loud")
        assert NORA.encode() not in now
        assert await exported(room, folder, agent_id, as_imported=True) == data


async def test_two_cards_of_one_name_stay_apart_and_follow_their_agents(folder: Path) -> None:
    first, second = as_json(v2()), as_json(v2(creator="somebody else"))
    async with room_of(folder) as room:
        one = await made(room, folder, first)
        with pytest.raises(ConfigError):
            await made(room, folder, second, OTTO)
        two = await made(room, folder, second, OTTO, "Mira Holt 2")
        assert await exported(room, folder, one, as_imported=True) == first
        assert await exported(room, folder, two, as_imported=True) == second


async def test_an_agent_without_a_card_has_only_the_one_as_it_is_now(folder: Path) -> None:
    async with room_of(folder) as room:
        agent_id = await room.engine.agent_files.create(NewAgent("Otto", OTTO, "Be Otto.", ("Person",)))
        assert await room.engine.character_cards.original(agent_id) is None
        with pytest.raises(RefusedError):
            await exported(room, folder, agent_id, as_imported=True)
        assert not (folder / "out").exists()
        out = json.loads(await exported(room, folder, agent_id, as_imported=False))
        assert (out["data"]["name"], out["data"]["description"]) == ("Otto", "Be Otto.")


async def test_a_kept_card_that_somebody_changed_is_not_passed_off_as_the_imported_one(folder: Path) -> None:
    async with room_of(folder) as room:
        agent_id = await made(room, folder, as_png(chara=v2()))
        assert await room.engine.character_cards.original(agent_id) is CardContainer.PNG
        next((folder / "state/media/cards").iterdir()).write_bytes(b"other")
        assert await room.engine.character_cards.original(agent_id) is None


async def test_what_can_not_be_read_or_written_says_why(folder: Path) -> None:
    async with room_of(folder) as room:
        os.mkfifo(folder / "pipe")
        with (folder / "huge").open("wb") as huge:
            huge.truncate(10**12)
        for name, why in {"pipe": CardReason.NO_FILE, "gone": CardReason.NO_FILE, "huge": CardReason.TOO_LARGE}.items():
            with pytest.raises(RefusedError) as refused:
                await room.engine.character_cards.read(folder / name)
            assert refused.value.note is not None
            assert refused.value.note.kind is why
        agent_id = await made(room, folder, as_json(v2()))
        with pytest.raises(RefusedError) as refused:
            await room.engine.character_cards.export(agent_id, folder / "no/where.json", as_imported=True)
        assert refused.value.note is not None
        assert refused.value.note.kind is CardReason.NOT_WRITTEN
