"""Agent files that change while the engine runs, or while it does not: real files, a real watch, a real database."""

from __future__ import annotations

import asyncio
from pathlib import Path

from chimein_gui.domain import events as ev
from chimein_gui.domain.agents import AgentSpec, Health
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import LoggedOutError, StoreWriteError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import AgentFolder
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.agent_files import FakeAgentFiles
from tests.fakes.clock import VirtualClock
from tests.fakes.telegram import FakeTelegram
from tests.support.agent_files_room import (
    NORA,
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


async def test_an_edit_takes_effect_with_the_next_plan_and_the_account_stays_connected(folder: Path) -> None:
    path = put(folder)
    async with files_room(folder) as room:
        before = (await agents(room))["Nora"]
        text = path.read_text(encoding="utf-8")
        write(folder / "config/prompts/Gemini.md", "Be Gemini.")
        write(path, text.replace("Be Nora.", "Be Nora, and brief.") + "# Aliases\nNo\n")
        await room.until(lambda: _specs(room, "Nora")[-1].aliases == ("No",))
        after = (await agents(room))["Nora"]
        assert (after.agent_id, after.identity, after.health) == (before.agent_id, before.identity, Health.ONLINE)
        await room.drafted()
        assert "Be Nora, and brief." in room.model.prompts[-1].system_instruction
        assert "Be Gemini." in room.model.prompts[-1].system_instruction
        assert room.telegram.connects == 1


def _specs(room: Room, name: str) -> list[AgentSpec]:
    changes = [event.agent.spec for event in room.events if isinstance(event, ev.AgentChanged)]
    return [spec for spec in changes if spec.name == name]


async def test_a_directory_that_can_not_be_read_makes_nobody_vanish(folder: Path) -> None:
    put(folder)
    async with files_room(folder):
        pass
    (folder / "config/agents").rename(folder / "config/away")
    (folder / "config/agents").symlink_to("agents")  # a circle
    write(folder / "config/prompts/Person.md", "You are a person.")
    async with files_room(folder, online=False) as room:
        assert "can't be read" in note_sentence((await shown(room, "Nora", Health.FAULTY_FILE)).health_note)
        (folder / "config/agents").unlink()
        (folder / "config/away").rename(folder / "config/agents")
        await shown(room, "Nora", Health.ONLINE)


async def test_an_agent_whose_file_is_gone_stops_is_shown_so_and_comes_back_with_it(folder: Path) -> None:
    path = put(folder)
    async with files_room(folder) as room:
        write(folder / "state/Nora/memory.md", "# Memory")
        path.unlink()
        agent = await shown(room, "Nora", Health.FAULTY_FILE)
        assert agent.health_note == Note(ConnectionReason.FILE_GONE, str(path))
        assert not room.telegram.is_heard()
        room.engine.accounts.start(agent.agent_id)
        await room.engine.accounts.stop(agent.agent_id)
        assert (await agents(room))["Nora"].health is Health.FAULTY_FILE
        assert (folder / "state/Nora/memory.md").is_file()
        put(folder, file="in another file")
        back = await shown(room, "Nora", Health.ONLINE)
        assert (back.agent_id, back.health_note, room.telegram.connects) == (agent.agent_id, None, 2)


async def test_an_agent_whose_file_was_gone_at_the_start_is_listed_and_nothing_is_planned_for_it(folder: Path) -> None:
    path = put(folder)
    telegram = FakeTelegram(VirtualClock())
    async with files_room(folder, telegram) as room:
        room.model.gate = asyncio.Event()
        telegram.partner_writes("hello")
        await room.model.asked(1)
    path.unlink()
    async with files_room(folder, telegram, online=False) as room:
        agent = await shown(room, "Nora", Health.FAULTY_FILE)
        assert note_sentence(agent.health_note).startswith(f"File missing: {path}")
        await room.pass_time(30)
        assert (room.model.prompts, telegram.connects) == ([], 1)
        put(folder)
        back = await shown(room, "Nora", Health.ONLINE)
        assert (back.agent_id, back.health_note) == (agent.agent_id, None)
        await room.approval(TaskStatus.AWAITING_DECISION)


async def test_one_that_was_stopped_by_the_operator_comes_back_stopped(folder: Path) -> None:
    path = put(folder)
    async with files_room(folder) as room:
        agent = (await agents(room))["Nora"]
        await room.engine.accounts.stop(agent.agent_id)
        path.unlink()
        await shown(room, "Nora", Health.FAULTY_FILE)
        put(folder)
        await shown(room, "Nora", Health.STOPPED)
        await room.worked_off()
        assert room.telegram.connects == 1


async def test_an_agent_that_was_never_logged_in_vanishes_with_its_file(folder: Path) -> None:
    telegram = FakeTelegram(VirtualClock(), refuse_connect=LoggedOutError("no session"))
    path = put(folder)
    async with files_room(folder, telegram, online=False) as room:
        agent = await shown(room, "Nora", Health.LOGGED_OUT)
        path.unlink()
        await room.until(lambda: any(isinstance(event, ev.AgentRemoved) for event in room.events))
        assert [event.agent_id for event in room.events if isinstance(event, ev.AgentRemoved)] == [agent.agent_id]
        assert await agents(room) == {}
        put(folder)
        await room.until(lambda: isinstance(room.events[-1], ev.AgentChanged))
        assert (await agents(room))["Nora"].agent_id == agent.agent_id


async def test_a_rename_moves_the_state_and_keeps_id_chats_and_drafts(folder: Path) -> None:
    path = put(folder)
    async with files_room(folder) as room:
        before = (await agents(room))["Nora"]
        write(folder / "state/Nora/telegram.session", "the session")
        draft = await room.drafted()
        [chat] = (await room.engine.queries.chats()).rows
        put(folder, "Mona")
        path.unlink()
        after = await shown(room, "Mona", Health.ONLINE)
        assert (after.agent_id, after.identity, after.account_id) == (
            before.agent_id,
            before.identity,
            before.account_id,
        )
        assert "Nora" not in await agents(room)
        assert (folder / "state/Mona/telegram.session").read_text(encoding="utf-8") == "the session"
        assert not (folder / "state/Nora").exists()
        assert [(one.chat_id, one.agent_id) for one in (await room.engine.queries.chats()).rows] == [
            (chat.chat_id, after.agent_id)
        ]
        [kept] = (await room.engine.queries.approvals()).rows
        assert (kept.approval_id, kept.task_status) == (draft.approval_id, TaskStatus.AWAITING_DECISION)
        assert not [event for event in room.events if isinstance(event, ev.AgentRemoved)]


async def test_a_rename_while_the_program_was_off_is_found_at_the_start_and_can_be_done_again(folder: Path) -> None:
    path = put(folder)
    async with files_room(folder) as room:
        before = (await agents(room))["Nora"]
        write(folder / "state/Nora/telegram.session", "the session")
    path.unlink()
    put(folder, "Mona")
    (folder / "state/Nora").rename(folder / "state/Mona")  # the program was killed between the move and its row
    async with files_room(folder) as room:
        assert [(one.spec.name, one.agent_id) for one in (await agents(room)).values()] == [("Mona", before.agent_id)]
        assert (folder / "state/Mona/telegram.session").is_file()
    async with files_room(folder) as room:
        assert [(one.spec.name, one.agent_id) for one in (await agents(room)).values()] == [("Mona", before.agent_id)]


async def test_a_new_file_brings_an_agent_that_starts_where_others_run_and_else_waits(folder: Path) -> None:
    put(folder)
    async with files_room(folder, two(VirtualClock())) as room:
        put(folder, "Otto", OTTO)
        otto = await shown(room, "Otto", Health.ONLINE)
        assert (otto.identity, otto.account_id) == (1, OTTO_ACCOUNT)
        for agent in (await agents(room)).values():
            await room.engine.accounts.stop(agent.agent_id)
        put(folder, "Rim", "+9996621003")
        await shown(room, "Rim", Health.STOPPED)


async def test_exchanged_names_are_refused_for_both_and_nothing_is_mixed_up(folder: Path) -> None:
    put(folder), put(folder, "Otto", OTTO)
    async with files_room(folder, two(VirtualClock())) as room:
        room.clock.advance(1)  # the second account starts a moment after the first
        ids = {name: (await shown(room, name, Health.ONLINE)).agent_id for name in ("Nora", "Otto")}
        put(folder, "Nora", OTTO), put(folder, "Otto", NORA)
        await problems(room, "have exchanged", "have exchanged")
        for name, agent_id in ids.items():
            assert (await shown(room, name, Health.FAULTY_FILE)).agent_id == agent_id
        put(folder, "Nora", NORA), put(folder, "Otto", OTTO)
        for name, agent_id in ids.items():
            assert (await shown(room, name, Health.ONLINE)).agent_id == agent_id


async def test_another_trust_in_the_file_counts_at_once_and_has_to_be_confirmed(folder: Path) -> None:
    put(folder, extra="# Approval\nauto\n")
    async with files_room(folder) as room:
        await room.drafted()
        agent = (await agents(room))["Nora"]
        await room.engine.agent_settings.confirm_trust(agent.agent_id)
        await room.chat(lambda chat: chat.trust is TrustLevel.AUTO)
        put(folder, extra="# Approval\nobserve\n")
        await room.chat(lambda chat: chat.trust is TrustLevel.OBSERVE)
        put(folder, extra="# Approval\nauto\n")
        await room.until(lambda: _specs(room, "Nora")[-1].trust is TrustLevel.AUTO)
        assert not (await agents(room))["Nora"].trust_confirmed
        assert (await room.engine.queries.chats()).rows[0].trust is not TrustLevel.AUTO


async def test_a_database_that_takes_no_writes_is_said_and_tried_again(folder: Path) -> None:
    put(folder)
    async with files_room(folder) as room:
        real, refused = room.store.transact, asyncio.Event()

        async def transact(work, **options):
            if "_stored" in repr(work) and not refused.is_set():
                refused.set()
                raise StoreWriteError("the disk is full")
            return await real(work, **options)

        room.store.transact = transact  # type: ignore[method-assign]
        put(folder, extra="# Aliases\nNo\n")
        await room.until(lambda: any(isinstance(e, ev.FaultReported) and e.key == "agent files" for e in room.events))
        await room.reach(lambda: _specs(room, "Nora")[-1].aliases == ("No",) or None)
        await room.worked_off()
        told = [event for event in room.events if isinstance(event, ev.FaultReported) and event.key == "agent files"]
        assert [bool(event.cause) for event in told] == [True, False], "what is over is not shown any more"


async def test_a_rename_whose_state_the_disk_refuses_is_tried_again_with_the_next_change(folder: Path) -> None:
    files = FakeAgentFiles(AgentSpec("Nora", NORA, "Be Nora.", (), (), source="/config/agents/Nora.md"))
    async with engine_room(folder, agents=(), agent_files=files) as room:
        files.refusal = "the disk refuses"
        files.put(AgentFolder((AgentSpec("Mona", NORA, "Be Mona.", (), (), source="/config/agents/Mona.md"),), ()))
        await problems(room, "the disk refuses")
        assert not room.telegram.is_heard()
        files.refusal = ""
        files.put(files.folder)
        await shown(room, "Mona", Health.ONLINE)
        assert files.moves == [("Nora", "Mona")]
        await problems(room)


async def test_an_agent_that_its_file_disables_does_not_start_and_starts_once_it_may(folder: Path) -> None:
    put(folder)
    put(folder, "Otto", OTTO, extra="# Disabled\n")
    async with files_room(folder) as room:
        assert (await agents(room))["Otto"].health is Health.STOPPED
        room.engine.accounts.start((await agents(room))["Otto"].agent_id)
        assert (await agents(room))["Otto"].health is Health.STOPPED
        put(folder, extra="# Disabled\n")
        await shown(room, "Nora", Health.STOPPED)
        connects = room.telegram.connects
        put(folder)
        await shown(room, "Nora", Health.ONLINE)
        assert room.telegram.connects == connects + 1
        assert (await agents(room))["Otto"].health is Health.STOPPED


async def test_a_prompt_that_leads_elsewhere_is_asked_about_once(folder: Path) -> None:
    secret = write(folder / "elsewhere/secret.txt", "The operator's own letters.")
    (folder / "config/prompts/Person.md").unlink()
    (folder / "config/prompts/Person.md").symlink_to(secret)
    put(folder)
    async with files_room(folder, online=False) as room:
        [problem] = await problems(room, f"is a link to {secret.resolve()}, outside the config folders")
        assert (problem.line, problem.leads_to) == (6, str(secret.resolve()))
        assert await agents(room) == {}
        await room.engine.agent_files.allow_link(problem.leads_to)
        await problems(room)
        assert (await agents(room))["Nora"].spec.role_texts == ("The operator's own letters.",)
    async with files_room(folder) as room:
        await problems(room)
        assert "Nora" in await agents(room)


async def test_a_link_within_the_config_directories_is_no_question(folder: Path) -> None:
    write(folder / "config/shared/Person.md", "You are a person.")
    (folder / "config/prompts/Person.md").unlink()
    (folder / "config/prompts/Person.md").symlink_to("../shared/Person.md")
    put(folder)
    async with files_room(folder) as room:
        await problems(room)
        assert (await agents(room))["Nora"].spec.role_texts == ("You are a person.",)
