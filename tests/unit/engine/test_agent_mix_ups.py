"""Agent files that could give a persona somebody else's account: nobody answers for another."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chimein_gui.adapters.files.agents.folder import ConfigAgentFiles
from chimein_gui.domain.agents import Agent, AgentSpec, Health
from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.events import AgentChanged, Remembered
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.agents.new_agent import NewAgentField
from chimein_gui.engine.ports import AgentFolder, NewAgent
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.agent_files import FakeAgentFiles
from tests.fakes.clock import VirtualClock
from tests.fakes.group import FakeGroup
from tests.support.agent_files_room import (
    NORA,
    NORA_ACCOUNT,
    OTTO,
    OTTO_ACCOUNT,
    agents,
    files_room,
    problems,
    put,
    shown,
    two,
    write,
)
from tests.support.engine_room import Room, engine_room

RIM = "+9996621003"


async def both_online(room: Room) -> dict[str, Agent]:
    room.clock.advance(1)  # the second account starts a moment after the first
    return {name: await shown(room, name, Health.ONLINE) for name in ("Nora", "Otto")}


async def test_a_new_persona_with_the_old_name_of_a_refused_rename_does_not_get_its_account(folder: Path) -> None:
    put(folder)
    async with files_room(folder) as room:
        nora = (await agents(room))["Nora"]
        write(folder / "state/Nora/telegram.session", "Nora's")
        write(folder / "state/Mona/telegram.session", "somebody else's")
        put(folder, "Mona", file="another")
        put(folder, "Nora", RIM)
        await problems(room, "belongs to an earlier agent", "“Nora” is still")
        held = await shown(room, "Nora", Health.FAULTY_FILE)
        assert (held.agent_id, held.spec.phone, held.spec.instructions) == (nora.agent_id, NORA, "Be Nora.")
        assert not room.telegram.is_heard()
        (folder / "state/Mona/telegram.session").unlink()
        put(folder, "Mona", file="another", extra="# Aliases\nMo\n")
        assert (await shown(room, "Mona", Health.ONLINE)).agent_id == nora.agent_id
        assert (await agents(room))["Nora"].agent_id != nora.agent_id
        await problems(room)


async def test_a_rename_to_the_name_of_a_vanished_agent_does_not_get_its_account(folder: Path) -> None:
    put(folder), put(folder, "Otto", OTTO)
    group = FakeGroup(VirtualClock(), {"Nora": NORA_ACCOUNT, "Otto": OTTO_ACCOUNT, "Mona": NORA_ACCOUNT})
    async with files_room(folder, group) as room:
        before = await both_online(room)
        (folder / "config/agents/Otto.md").unlink()
        await shown(room, "Otto", Health.FAULTY_FILE)
        put(folder, "Otto", NORA, file="Nora")
        await problems(room, "earlier agent with an account of its own")
        nora = await shown(room, "Nora", Health.FAULTY_FILE)
        assert (nora.agent_id, nora.account_id) == (before["Nora"].agent_id, NORA_ACCOUNT)
        assert "account of its own" in note_sentence(nora.health_note)
        assert (await agents(room))["Otto"].health is Health.FAULTY_FILE
        put(folder, "Mona", NORA, file="Nora")
        mona = await shown(room, "Mona", Health.ONLINE)
        assert (mona.agent_id, mona.account_id) == (before["Nora"].agent_id, NORA_ACCOUNT)
        await problems(room)


async def test_a_file_that_follows_a_vanished_one_under_its_name_is_not_taken_for_it(folder: Path) -> None:
    """The file has the vanished one's name, too: only who was there a moment ago tells them apart."""
    put(folder), put(folder, "Otto", OTTO)
    async with files_room(folder, two(VirtualClock())) as room:
        before = await both_online(room)
        (folder / "config/agents/Otto.md").unlink()
        await shown(room, "Otto", Health.FAULTY_FILE)
        put(folder, "Otto", NORA, file="Nora").rename(folder / "config/agents/Otto.md")
        await problems(room, "earlier agent with an account of its own")
        assert (await shown(room, "Nora", Health.FAULTY_FILE)).agent_id == before["Nora"].agent_id
        assert (await agents(room))["Otto"].account_id == OTTO_ACCOUNT
        assert (await agents(room))["Otto"].health is Health.FAULTY_FILE
    group = two(VirtualClock())
    async with files_room(folder, group, online=False) as room:  # a restart does not decide it either
        assert (await shown(room, "Nora", Health.FAULTY_FILE)).agent_id == before["Nora"].agent_id
        await problems(room, "earlier agent with an account of its own")
        now = await agents(room)
        assert {name: (one.agent_id, one.health) for name, one in now.items()} == {
            name: (one.agent_id, Health.FAULTY_FILE) for name, one in before.items()
        }


async def test_an_agent_that_is_being_renamed_can_not_be_started_before_its_state_has_moved(folder: Path) -> None:
    files = FakeAgentFiles(AgentSpec("Nora", NORA, "Be Nora.", (), (), source="/config/agents/Nora.md"))
    moving, go_on = asyncio.Event(), asyncio.Event()

    async def move_state(_old: str, _new: str) -> None:
        moving.set()
        await go_on.wait()

    files.move_state = move_state  # type: ignore[assignment, method-assign]
    async with engine_room(folder, agents=(), agent_files=files) as room:
        agent = (await agents(room))["Nora"]
        files.put(AgentFolder((AgentSpec("Mona", NORA, "Be Mona.", (), (), source="/config/agents/Mona.md"),), ()))
        await moving.wait()
        room.engine.accounts.start(agent.agent_id)
        await room.worked_off()
        assert (room.telegram.connects, room.telegram.is_heard()) == (1, False)
        go_on.set()
        await shown(room, "Mona", Health.ONLINE)
        assert room.telegram.connects == 2


async def test_no_memory_is_written_to_the_state_that_a_rename_is_moving(folder: Path) -> None:
    files = ConfigAgentFiles([folder / "config"], folder, poll_s=60.0)
    moving, go_on, move = asyncio.Event(), asyncio.Event(), files.move_state

    async def move_state(old: str, new: str) -> None:
        moving.set()
        await go_on.wait()
        await move(old, new)

    files.move_state = move_state  # type: ignore[assignment]
    path, in_the_way = put(folder), folder / "Nora/memory.md"
    in_the_way.mkdir(parents=True)
    async with engine_room(folder, agents=(), agent_files=files) as room:
        room.model.script.append("# «remember»\nShe likes plums\n# «send»\nNoted")
        await room.drafted()
        await room.until(lambda: any(getattr(event, "key", "") == "memory" for event in room.events))
        in_the_way.rmdir()
        put(folder, "Mona")
        path.unlink()
        await moving.wait()
        assert room.engine.memories is not None
        room.engine.memories.write_soon()
        await room.worked_off()
        assert not in_the_way.exists()
        go_on.set()
        await room.until(lambda: any(isinstance(event, Remembered) for event in room.events))
        assert "She likes plums" in (folder / "Mona/memory.md").read_text(encoding="utf-8")
        assert not (folder / "Nora").exists()


async def test_a_file_that_was_gone_at_the_start_brings_its_agent_and_what_was_approved_back(folder: Path) -> None:
    path = put(folder)
    async with files_room(folder) as room:
        draft = await room.drafted()
        agent = (await agents(room))["Nora"]
    path.unlink()
    async with files_room(folder, online=False) as room:
        assert (await agents(room))["Nora"].health is Health.FAULTY_FILE
        [kept] = (await room.engine.queries.approvals()).rows
        assert kept.approval_id == draft.approval_id
        await room.decide(kept, Approve())
        await room.pass_time(5)
        put(folder)
        back = await shown(room, "Nora", Health.ONLINE)
        assert back.agent_id == agent.agent_id
        await room.approval(TaskStatus.DONE)
        assert room.telegram.connects == 1


async def test_a_file_that_stood_back_does_not_stand_in_at_the_next_start_for_one_that_is_broken(folder: Path) -> None:
    path = put(folder)
    put(folder, phone=RIM, file="Zora", extra="# Aliases\nSample\n")
    async with files_room(folder) as room:
        nora = (await agents(room))["Nora"]
        await problems(room, "already used")
    good = path.read_text(encoding="utf-8")
    write(path, "half a fi")
    async with files_room(folder, online=False) as room:
        held = await shown(room, "Nora", Health.FAULTY_FILE)
        assert (held.agent_id, held.spec.instructions, held.spec.aliases) == (nora.agent_id, "Be Nora.", ())
        assert (str(path) in note_sentence(held.health_note), room.telegram.connects) == (True, 0)
        write(path, good)
        assert (await shown(room, "Nora", Health.ONLINE)).agent_id == nora.agent_id
        await problems(room, "already used")


async def test_only_the_trust_that_the_operator_saw_is_confirmed(folder: Path) -> None:
    put(folder, extra="# Approval\ncountdown\n")
    async with files_room(folder) as room:
        agent, editor = (await agents(room))["Nora"], room.engine.agent_settings
        put(folder, extra="# Approval\nauto\n")
        await room.until(lambda: _trusts(room)[-1] is TrustLevel.AUTO)
        with pytest.raises(ConfigError, match="auto"):
            await editor.confirm_trust(agent.agent_id, level=TrustLevel.COUNTDOWN)
        assert not (await room.store.read(lambda tx: tx.agents.all()))[0].trust_confirmed
        await editor.confirm_trust(agent.agent_id, level=TrustLevel.AUTO)
        assert (await agents(room))["Nora"].trust_confirmed


def _trusts(room: Room) -> list[TrustLevel | None]:
    return [event.agent.spec.trust for event in room.events if isinstance(event, AgentChanged)]


async def test_a_persona_is_not_made_up_with_the_name_of_one_whose_file_is_gone(folder: Path) -> None:
    path = put(folder)
    async with files_room(folder) as room:
        nora = (await agents(room))["Nora"]
    path.unlink()
    async with files_room(folder, online=False) as room:
        new = NewAgent("nora", RIM, "A clockmaker.", ("Person",))
        [problem] = room.engine.agent_files.problems_of(new)
        assert problem.field is NewAgentField.NAME
        with pytest.raises(ConfigError, match="Nora"):
            await room.engine.agent_files.create(new)
        assert {one.agent_id: one.health for one in (await agents(room)).values()} == {
            nora.agent_id: Health.FAULTY_FILE
        }
        # With its number it is the same agent under its old name or another.
        again = NewAgent("Nora", NORA, "A clockmaker.", ("Person",))
        assert room.engine.agent_files.problems_of(again) == ()
        assert await room.engine.agent_files.create(again) == nora.agent_id
