"""The editor's service on a real engine and real files: saves, names, copies and the archive."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest

from chimein_gui.adapters.files.agents.sources import ConfigSourceFiles
from chimein_gui.domain.agent_files.sources import SourceKind
from chimein_gui.domain.agents import Health
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.domain.text.line_merge import merge_lines
from tests.support.agent_files_room import agents, files_room, problems, put, write


@asynccontextmanager
async def room_of_nora(tmp_path):
    write(tmp_path / "config/prompts/Person.md", "You chat.")
    put(tmp_path)
    async with files_room(tmp_path, online=False) as room:
        yield room


@pytest.fixture
def nora(tmp_path):
    return tmp_path / "config/agents/Nora.md"


def refusal(caught):
    return caught.value.note.kind


async def test_a_rename_takes_files_state_and_identity_along_and_back(tmp_path, nora):
    async with room_of_nora(tmp_path) as room:
        before = (await agents(room))["Nora"]
        write(tmp_path / "config/agents/Nora/prompts/Own.md", "Only hers.")
        write(tmp_path / "state/Nora/memory.md", "remembered")
        path = await room.engine.sources.rename(str(nora), "Nora Vale")
        now = (await agents(room))["Nora Vale"]
        assert (now.agent_id, now.spec.source) == (before.agent_id, path)
        assert (tmp_path / "state/Nora Vale/memory.md").read_text() == "remembered"
        assert (tmp_path / "config/agents/Nora Vale/prompts/Own.md").exists()
        assert not nora.exists()
        assert await room.engine.sources.rename(path, "Nora") == str(nora)
        assert (await agents(room))["Nora"].agent_id == before.agent_id
        # A name that is typed into the file and saved is a rename, too; the file itself keeps its name.
        text = nora.read_text()
        await room.engine.sources.save(str(nora), text, text.replace("\nNora\n", "\nNell\n"))
        assert (await agents(room))["Nell"].agent_id == before.agent_id
        assert (tmp_path / "config/agents/Nell/prompts/Own.md").exists()


async def test_agents_follow_a_renamed_prompt_and_keep_every_other_byte(tmp_path, nora):
    async with room_of_nora(tmp_path) as room:
        nora.write_bytes(nora.read_bytes().replace(b"\n", b"\r\n").replace(b"Person", b" Person \r\n\r\nPerson2"))
        write(tmp_path / "config/prompts/Person2.md", "More.")
        await room.engine.agent_files.reload()
        text = nora.read_bytes()
        path = str(tmp_path / "config/prompts/Person.md")
        assert room.engine.sources.used_by(path) == ("Nora",)
        with pytest.raises(RefusedError) as caught:
            await room.engine.sources.archive(path)
        assert refusal(caught) is ConfigReason.PROMPT_IS_USED
        renamed = await room.engine.sources.rename(path, "Human")
        assert nora.read_bytes() == text.replace(b"Person ", b"Human ", 1)
        assert room.engine.sources.used_by(renamed) == ("Nora",)
        assert (await agents(room))["Nora"].spec.role_prompts == ("Human", "Person2")


async def test_an_archived_agent_is_not_loaded_and_comes_back_as_it_was(tmp_path, nora):
    async with room_of_nora(tmp_path) as room:
        before, text = (await agents(room))["Nora"], nora.read_bytes()
        write(tmp_path / "config/agents/Nora/prompts/Own.md", "Only hers.")
        archived = await room.engine.sources.archive(str(nora))
        left = (await agents(room)).get("Nora")
        assert left is None or left.health is Health.FAULTY_FILE, "one that has an account by now stays, held back"
        files = await room.engine.sources.files()
        assert [(one.name, one.is_archived) for one in files if one.kind is SourceKind.AGENT] == [("Nora", True)]
        assert await room.engine.sources.restore(archived) == str(nora)
        assert nora.read_bytes() == text
        assert (await agents(room))["Nora"].spec == before.spec
        assert (tmp_path / "config/agents/Nora/prompts/Own.md").exists()


async def test_a_copy_of_an_agent_waits_for_a_number_of_its_own(tmp_path, nora):
    async with room_of_nora(tmp_path) as room:
        write(tmp_path / "config/agents/Nora/prompts/Own.md", "Only hers.")
        path = await room.engine.sources.duplicate(str(nora), "Nell")
        await problems(room, "“Agent Phone” is empty")
        assert list(await agents(room)) == ["Nora"]
        assert (tmp_path / "config/agents/Nell/prompts/Own.md").read_text() == "Only hers."
        text = await room.engine.sources.read(path)
        with pytest.raises(RefusedError) as caught:
            await room.engine.sources.duplicate(str(nora), "nora")
        assert refusal(caught) is ConfigReason.NAME_IS_USED
        await room.engine.sources.save(path, text, text.replace("# Agent Phone\n", "# Agent Phone\n+9996621005\n"))
        assert set(await agents(room)) == {"Nora", "Nell"}


async def test_a_save_is_merged_or_refused_and_takes_effect_at_once(tmp_path, nora):
    async with room_of_nora(tmp_path) as room:
        base = nora.read_text()
        nora.write_text(base.replace("Person", "Person.md"))
        result = await room.engine.sources.save(str(nora), base, base.replace("Be Nora.", "Be brief."))
        assert result.is_merged
        assert nora.read_text() == base.replace("Person", "Person.md").replace("Be Nora.", "Be brief.")
        assert (await agents(room))["Nora"].spec.instructions == "Be brief."
        result = await room.engine.sources.save(str(nora), base, base.replace("Be Nora.", "Be long."))
        assert (result.is_conflict, result.text) == (True, nora.read_text())


async def test_nothing_outside_of_the_config_directories_is_read_or_written(tmp_path, nora):
    async with room_of_nora(tmp_path) as room:
        outside = write(tmp_path / "secret.md", "secret")
        link = tmp_path / "config/prompts/Link.md"
        link.symlink_to(outside)
        sources = room.engine.sources
        for path in (str(outside), str(tmp_path / "config/agents/../../secret.md"), str(tmp_path / "config/x.md")):
            with pytest.raises(RefusedError) as caught:
                await sources.read(path)
            assert refusal(caught) is ConfigReason.NOT_IN_CONFIG
        for work in (sources.save(str(link), "secret", "x"), sources.rename(str(outside), "Eve")):
            with pytest.raises(RefusedError) as caught:
                await work
            assert refusal(caught) is ConfigReason.NOT_IN_CONFIG
        for name in ("", ".hidden", "a/b", "x" * 250):
            with pytest.raises(RefusedError) as caught:
                await sources.create_prompt(name, "")
            assert refusal(caught) is FileReason.PROMPT_NAME
        with pytest.raises(RefusedError) as caught:
            await sources.create_prompt("Person", "")
        assert refusal(caught) is ConfigReason.FILE_IS_THERE
        with pytest.raises(RefusedError) as caught:
            await sources.save(str(nora), nora.read_text(), "\ud800")
        assert refusal(caught) is ConfigReason.SURROGATES
        assert outside.read_text() == "secret"


async def test_samples_can_be_read_and_copied_but_not_changed(tmp_path):
    path = write(tmp_path / "samples/prompts/Person.md", "You chat.")
    files = ConfigSourceFiles([tmp_path / "samples", tmp_path / "config"], tmp_path / "state", tmp_path / "samples")
    assert await files.read(str(path)) == "You chat."
    with pytest.raises(RefusedError) as caught:
        await files.write(str(path), "x", "You chat.")
    assert refusal(caught) is ConfigReason.COMES_WITH_CHIMEIN
    assert await files.home() == str(tmp_path / "config")
    assert [one.is_fixed for one in await files.files()] == [True]


@pytest.mark.parametrize(
    ("mine", "theirs", "both"),
    [
        ("A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"),
        ("a\nb\nc\n", "x\na\nb\nc\nd\n", "x\na\nb\nc\n"),
        ("a\nB\nc\nd\n", "a\nB\nc\nd\n", "a\nB\nc\nd\n"),
        ("a\nB\nc\nd\n", "a\nX\nc\nd\n", None),
        ("a\nB\nc\nd\n", "a\nb\nC\nd\n", None),
        ("a\nb\nc\nd\nmine", "a\nb\nc\nd\ntheirs", None),
    ],
)
def test_lines_are_merged_where_the_changes_do_not_touch(mine, theirs, both):
    assert merge_lines("a\nb\nc\nd\n", mine, theirs) == both
