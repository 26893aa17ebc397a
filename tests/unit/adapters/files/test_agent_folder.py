"""The agent files as the engine sees them: loaded, watched with the system's own reports, written."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
import watchfiles

from chimein_gui.adapters.files.agents.folder import ConfigAgentFiles
from chimein_gui.adapters.files.config_traces import ConfigTraces
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.engine.ports import AgentFolder, NewAgent
from chimein_gui.viewmodels.words.errors import error_words

WAIT_S = 60.0
WATCH = "chimein_gui.adapters.files.config_watch.watch"
PHONE = "+9996621001"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def text_of(name: str = "Nora", phone: str = PHONE, roles: str = "Person", instructions: str = "Be kind.") -> str:
    return (
        f"# Agent Name\n{name}\n# Agent Phone\n{phone}\n# Role Prompt\n{roles}\n# Agent Instructions\n{instructions}\n"
    )


def agent(config: Path, name: str = "Nora", phone: str = PHONE, file: str = "", **fields: str) -> Path:
    return write(config / f"agents/{file or name}.md", text_of(name, phone, **fields))


def unseen(path: Path, old: str, new: str) -> None:
    """Change words for others of their length, and leave the time of the change as it was, as coarse disks do."""
    before, text = path.stat(), path.read_text(encoding="utf-8")
    assert old in text
    assert len(old) == len(new)
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.fixture
def config(tmp_path: Path) -> Path:
    write(tmp_path / "config/prompts/Person.md", "You are a person.")
    return tmp_path / "config"


def files_of(*config: Path, poll_s: float = 60.0) -> ConfigAgentFiles:
    return ConfigAgentFiles(config, config[0].parent / "state", poll_s)


@asynccontextmanager
async def watched(files: ConfigAgentFiles, config: Path | None = None) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Watch; gives what waits for the next change.

    With a config directory the watch stands already: a first change was noticed, and the next one nobody looks for.
    """
    async with asyncio.timeout(WAIT_S), aclosing(files.changes()) as changes:
        if config is not None:
            write(config / "prompts/First.md", "The first change.")
            await anext(changes)
            await files.load()
        yield lambda: anext(changes)


def entries_of(directory: Path) -> list[Path]:
    return sorted(directory.rglob("*"))


def names(folder: AgentFolder) -> list[str]:
    return [spec.name for spec in folder.agents]


async def test_everything_is_loaded_in_one_go(config: Path) -> None:
    agent(config)
    write(config / "agents/Bad.md", "# Agent Name\nBad\n")
    write(config / "prompts/Gemini.md", "Be Gemini.")
    folder = await files_of(config).load()
    assert names(folder) == ["Nora"]
    assert {Path(problem.path).name for problem in folder.problems} == {"Bad.md"}
    assert (folder.model_prompt, folder.role_prompts, folder.last_good) == ("Be Gemini.", ("Person",), ())
    assert folder.model_prompt_source == str(config / "prompts/Gemini.md")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
async def test_what_is_no_file_is_neither_read_nor_waited_for(config: Path) -> None:
    """Opening a pipe waits for somebody to write into it: nothing would be loaded any more."""
    agent(config)
    for pipe in ("agents/Pipe.md", "prompts/Pipe.md"):
        os.mkfifo(config / pipe)
    (config / "agents/Folder.md").mkdir()
    files = files_of(config)
    async with asyncio.timeout(30):
        folder = await files.load()
        assert names(folder) == ["Nora"]
        [problem] = folder.problems
        assert (Path(problem.path).name, problem.note.kind) == ("Pipe.md", FileReason.NO_PLAIN_FILE)
        async with aclosing(files.changes()) as changes:
            (config / "agents/Pipe.md").unlink()
            await anext(changes)
        assert (await files.load()).problems == ()


async def test_the_last_good_version_stays_while_the_file_is_broken(config: Path) -> None:
    path, files = agent(config), files_of(config)
    good = await files.load()
    write(path, "half a fi")
    broken = await files.load()
    assert broken.agents == good.agents
    assert broken.last_good == (str(path),)
    assert all(problem.last_good for problem in broken.problems)
    assert broken.problems
    agent(config, instructions="Be kinder.")
    repaired = await files.load()
    assert (repaired.agents[0].instructions, repaired.problems, repaired.last_good) == ("Be kinder.", (), ())
    path.unlink()
    assert (await files.load()).agents == ()
    write(path, "broken again")
    assert (await files.load()).agents == ()


@pytest.mark.parametrize("gone", ["config", "config/agents"])
async def test_a_directory_that_is_not_there_any_more_leaves_its_agents_as_they_were(config: Path, gone: str) -> None:
    path, files = agent(config), files_of(config)
    write(config / "prompts/Gemini.md", "Be Gemini.")
    good = await files.load()
    place = config.parent / gone.replace("config", config.name)
    place.rename(place.with_name("away"))
    lost = await files.load()
    assert (lost.agents, lost.last_good, lost.model_prompt) == (good.agents, (str(path),), "Be Gemini.")
    [problem] = lost.problems
    assert (problem.path, problem.note.kind) == (str(path.parent), FileReason.FOLDER_LOST)
    place.with_name("away").rename(place)
    assert (await files.load()).problems == ()
    path.unlink()
    assert (await files.load()).agents == ()


async def test_a_prompt_that_is_gone_leaves_its_agents_as_they_were(config: Path) -> None:
    agent(config)
    files = files_of(config)
    await files.load()
    (config / "prompts/Person.md").unlink()
    folder = await files.load()
    assert folder.agents[0].role_texts == ("You are a person.",)
    assert folder.problems[0].note == Note(FileReason.PROMPT_MISSING, "Person")


async def test_another_file_with_the_same_name_or_number_ends_the_last_good_version(config: Path) -> None:
    path, files = agent(config), files_of(config)
    await files.load()
    write(path, "broken")
    agent(config, "Mona", file="Mona")
    assert names(await files.load()) == ["Mona"]


@pytest.mark.parametrize("name", ["Nora", "Mona"])
async def test_a_file_that_stood_back_does_not_step_in_while_the_first_one_is_broken(config: Path, name: str) -> None:
    second = write(config.parent / "second/agents/Nora.md", text_of(name, instructions="Be a sample."))
    path, files = agent(config), files_of(config, config.parent / "second")
    good = await files.load()
    write(path, "half a fi")
    for _ in range(2):
        broken = await files.load()
        assert (broken.agents, broken.last_good) == (good.agents, (str(path),))
        assert [problem.path for problem in broken.problems if problem.path == str(second)] == [str(second)]
    path.unlink()
    assert [spec.instructions for spec in (await files.load()).agents] == ["Be a sample."]


async def test_a_model_prompt_that_can_not_be_read_stays_as_it_was_and_is_reported(config: Path) -> None:
    path = write(config / "prompts/Gemini.md", "Be Gemini.")
    files = files_of(config)
    await files.load()
    path.write_bytes(b"\xff")
    folder = await files.load()
    assert (folder.model_prompt, [problem.line for problem in folder.problems]) == ("Be Gemini.", [1])
    path.unlink()
    assert (await files.load()).model_prompt == ""


@pytest.mark.parametrize(
    "change",
    [
        lambda config: agent(config, instructions="Be kinder."),
        lambda config: agent(config, "Mona", "+9996621002"),
        lambda config: (config / "agents/Nora.md").unlink(),
        lambda config: write(config / "new.md", text_of(instructions="Swapped.")).replace(config / "agents/Nora.md"),
        lambda config: (config / "agents/Nora.md").rename(config / "agents/Mona.md"),
        lambda config: write(config / "prompts/Person.md", "You are another."),
        lambda config: write(config / "agents/Nora/prompts/Person.md", "Own."),
        lambda config: write(config / "prompts/Gemini.md", "Be Gemini."),
        lambda config: unseen(config / "agents/Nora.md", "kind", "cold"),
    ],
    ids=["edited", "added", "deleted", "replaced", "moved", "shared prompt", "own prompt", "model prompt", "unseen"],
)
async def test_every_kind_of_change_is_noticed(config: Path, change: Callable[[Path], object]) -> None:
    agent(config)
    files = files_of(config)
    before = await files.load()
    async with watched(files, config) as next_change:
        change(config)
        await next_change()
        assert await files.load() != before


async def test_directories_that_appear_later_are_noticed_one_after_the_other(tmp_path: Path) -> None:
    first, second = tmp_path / "a/b/first", tmp_path / "second"
    files = ConfigAgentFiles([first, second], tmp_path / "state", 60.0)
    assert (await files.load()).agents == ()
    async with watched(files) as next_change:
        write(second / "prompts/Person.md", "You are a person.")
        await next_change()
        await files.load()
        agent(first)
        await next_change()
        assert names(await files.load()) == ["Nora"]
        write(first / "agents/Nora/prompts/Person.md", "Own.")
        await next_change()
        assert (await files.load()).agents[0].role_texts == ("Own.",)


async def test_a_link_that_leads_in_a_circle_costs_the_others_no_watch(config: Path) -> None:
    path = agent(config)
    (config / "agents/loop.md").symlink_to("loop.md")
    assert str(path.parent) in ConfigTraces([config]).roots()
    files = files_of(config)
    folder = await files.load()
    assert (names(folder), [Path(problem.path).name for problem in folder.problems]) == (["Nora"], ["loop.md"])
    async with watched(files, config) as change:
        agent(config, instructions="Be kinder.")
        await change()


async def test_a_link_is_followed_to_where_its_file_is_changed(config: Path) -> None:
    real = write(config.parent / "elsewhere/nora.md", text_of())
    (config / "agents").mkdir()
    (config / "agents/Nora.md").symlink_to(real)
    files = files_of(config)
    await files.load()
    async with watched(files, config) as next_change:
        write(real, text_of(instructions="Be kinder."))
        await next_change()
        assert (await files.load()).agents[0].instructions == "Be kinder."


async def test_what_changed_between_loading_and_watching_is_not_lost(config: Path) -> None:
    agent(config)
    files = files_of(config)
    await files.load()
    agent(config, instructions="Be kinder.")
    async with watched(files) as next_change:
        await next_change()


async def test_a_burst_is_one_change_and_what_changes_nothing_is_none(config: Path) -> None:
    path, files = agent(config), files_of(config)
    await files.load()
    async with watched(files, config) as next_change:
        for number in range(50):
            agent(config, f"Agent {number}", f"+99966211{number:02}")
        await next_change()
        while len((await files.load()).agents) < 51:  # a slow disk may make two bursts of it
            await next_change()
        path.touch()
        write(path, path.read_text(encoding="utf-8"))
        write(config / "agents/notes.txt", "not ours")
        write(config / "agents/.#Nora.md", "an editor's lock")
        write(config / "media/x.json", "{}")
        agent(config, "Last", "+9996621099")
        await next_change()
        assert len((await files.load()).agents) == 52


async def test_where_the_system_reports_nothing_files_are_looked_at_now_and_then(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = config.parent / "nothing happens here"
    nothing.mkdir()
    monkeypatch.setattr(WATCH, lambda *_roots, **options: watchfiles.watch(nothing, **options))
    agent(config)
    files = files_of(config, poll_s=0.2)
    await files.load()
    async with watched(files) as next_change:
        # The first may be found because the watch has just begun; those after it are not.
        for words in ("Seen without a report.", "Seen a second time.", "And a third.", "And a fifth."):
            agent(config, instructions=words)
            await next_change()
            assert (await files.load()).agents[0].instructions == words


async def test_where_there_are_no_watches_left_files_are_looked_at_now_and_then(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_roots: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(WATCH, refuse)
    agent(config)
    files = files_of(config, poll_s=0.05)
    await files.load()
    async with watched(files) as next_change:
        agent(config, instructions="Seen all the same.")
        await next_change()


async def test_a_new_agent_is_written_so_that_it_can_be_loaded(tmp_path: Path) -> None:
    config = tmp_path / "not/there/yet"
    files = ConfigAgentFiles([config], tmp_path / "state")
    text = "You are {{char}}.\n\n# How you write\nBriefly.\n```\n# kept as it is\n```\n#Aliases\n#\n# "
    new = NewAgent("李 Nora", "+999 66 21-001", text, ("Person", "Retrieve"), "Europe/Lisbon")
    path = await files.create(new)
    for name in ("Person", "Retrieve"):
        write(config / f"prompts/{name}.md", name)
    folder = await files.load()
    assert folder.problems == ()
    [spec] = folder.agents
    assert (spec.source, spec.name, spec.phone) == (path, "李 Nora", PHONE)
    assert (spec.role_prompts, spec.timezone) == (("Person", "Retrieve"), "Europe/Lisbon")
    said = "You are {{char}}.\n\n## How you write\nBriefly.\n```\n# kept as it is\n```\n##Aliases\n##\n##"
    assert spec.instructions == said


async def test_a_first_agent_brings_the_prompts_it_needs_along_and_replaces_none(tmp_path: Path) -> None:
    samples, config = tmp_path / "samples", tmp_path / "config"
    for name in ("Person", "Retrieve", "Group", "Gemini"):
        write(samples / f"prompts/{name}.md", f"The sample {name}.")
    mine = write(config / "prompts/Person.md", "Mine.")
    files = ConfigAgentFiles([config], tmp_path / "state", samples=samples)
    assert (await files.load()).role_prompts == ("Group", "Person", "Retrieve")
    await files.create(NewAgent("Nora", PHONE, "Be kind.", ("Person", "Retrieve")))
    folder = await files.load()
    assert (folder.problems, folder.model_prompt) == ((), "The sample Gemini.")
    assert folder.agents[0].role_texts == ("Mine.", "The sample Retrieve.")
    assert mine.read_text(encoding="utf-8") == "Mine."
    assert not (config / "prompts/Group.md").exists()


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (NewAgent("nora", "+9996621002", "x", ("Person",)), "taken"),
        (NewAgent("Mona", PHONE, "x", ("Person",)), "belongs to “Nora”"),
        (NewAgent("Broken", "+9996621002", "x", ("Person",)), "taken"),
        (NewAgent("con", "+9996621002", "x", ("Person",)), "taken by a folder"),
        (NewAgent("Mona", "0171", "x", ("Person",)), "international format"),
        (NewAgent("Mona", "+9996621002", "", ("Person",)), "Instructions” is missing"),
        (NewAgent("Mona", "+9996621002", "x", ()), "Role Prompt” is missing"),
        (NewAgent("Mona", "+9996621002", "x", ("Person",), "Mars"), "time zone"),
        (NewAgent("Mona\n# LLM\nx y", "+9996621002", "x", ("Person",)), "one model name"),
        (NewAgent("Mona\nLisa", "+9996621002", "x", ("Person",)), "one line"),
    ],
)
async def test_an_agent_that_can_not_be_is_not_written(config: Path, new: NewAgent, words: str) -> None:
    agent(config)
    write(config / "agents/broken.md", "not yet done")
    before = entries_of(config)
    with pytest.raises(ConfigError) as caught:
        await files_of(config).create(new)
    assert words in error_words(caught.value)
    assert entries_of(config) == before


async def test_a_directory_that_can_not_be_written_is_said(tmp_path: Path) -> None:
    in_the_way = write(tmp_path / "config", "a file where the directory should be")
    with pytest.raises(ConfigError, match="agent not written"):
        await files_of(in_the_way).create(NewAgent("Nora", PHONE, "x", ("Person",)))
    with pytest.raises(ConfigError, match="no config directory"):
        await ConfigAgentFiles([], tmp_path).create(NewAgent("Nora", PHONE, "x", ("Person",)))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_another_number_changes_nothing_else_in_the_file(config: Path, end: str) -> None:
    text = "\ufeff" + text_of(phone="\t +999 66 21-001  ", instructions="My number is +9996621001.  \n\n\n")
    path = config / "agents/Nora.md"
    path.parent.mkdir()
    path.write_bytes(text.replace("\n", end).encode())
    path.chmod(0o640)
    await files_of(config).set_phone(str(path), "+999 66 22-001")
    assert path.read_bytes() == text.replace("+999 66 21-001", "+9996622001").replace("\n", end).encode()
    assert path.stat().st_mode & 0o777 == 0o640


async def test_a_number_can_be_put_where_there_was_none(config: Path) -> None:
    path = agent(config, phone="")
    await files_of(config).set_phone(str(path), PHONE)
    assert (await files_of(config).load()).agents[0].phone == PHONE


async def test_a_number_is_not_written_where_it_does_not_belong(config: Path) -> None:
    path, files = agent(config), files_of(config)
    with pytest.raises(ConfigError, match="phone form"):
        await files.set_phone(str(path), "0171")
    with pytest.raises(ConfigError, match="not in config"):
        await files.set_phone(str(write(config / "Nora.md", text_of())), PHONE)
    with pytest.raises(ConfigError, match="agent file odd"):
        await files.set_phone(str(config / "agents/Ghost.md"), PHONE)
    for text in ("# Agent Name\nNora\n", text_of(phone="+9996621001\n+9996621002")):
        write(path, text)
        with pytest.raises(ConfigError, match="no one number"):
            await files.set_phone(str(path), PHONE)
        assert path.read_text(encoding="utf-8") == text
    path.write_bytes(b"# Agent Phone\n\xff\n")
    with pytest.raises(ConfigError, match="agent file no text"):
        await files.set_phone(str(path), PHONE)


async def test_the_state_moves_once_and_never_into_anothers(config: Path) -> None:
    files, state = files_of(config), config.parent / "state"
    write(state / "Nora/telegram.session", "secret")
    await files.move_state("Nora", "Mona")
    await files.move_state("Nora", "Mona")
    await files.move_state("Mona", "mona")
    assert entries_of(state) == [state / "mona", state / "mona/telegram.session"]
    write(state / "Other/memory.md", "# Memory")
    with pytest.raises(ConfigError, match="state in the way"):
        await files.move_state("mona", "Other")
    (state / "Empty").mkdir()
    await files.move_state("mona", "Empty")
    assert (state / "Empty/telegram.session").read_text(encoding="utf-8") == "secret"
    await files.move_state("Nobody", "Somebody")
    write(state / "File", "no directory")
    with pytest.raises(ConfigError, match="state not moved"):
        await files.move_state("Empty", "File")


async def test_nothing_is_written_into_the_samples_that_come_with_the_program(tmp_path: Path) -> None:
    """The sandbox reads them in place: an agent or a number of a rehearsal would be the next version's."""
    samples = tmp_path / "samples"
    write(samples / "prompts/Person.md", "You are a person.")
    path = agent(samples)
    files = ConfigAgentFiles([samples], tmp_path / "state", samples=samples)
    before, text = entries_of(samples), path.read_text(encoding="utf-8")
    with pytest.raises(ConfigError, match="comes with chimein"):
        await files.create(NewAgent("Otto", "+9996621002", "x", ("Person",)))
    with pytest.raises(ConfigError, match="comes with chimein"):
        await files.set_phone(str(path), "+9996622001")
    assert (entries_of(samples), path.read_text(encoding="utf-8")) == (before, text)


async def test_a_number_that_another_file_has_is_not_written(config: Path) -> None:
    """Two files with one number: one of them is not loaded any more, and its account goes down."""
    path = agent(config)
    agent(config, "Otto", "+9996621002")
    files = files_of(config)
    with pytest.raises(ConfigError, match=r"number is used .* Otto"):
        await files.set_phone(str(path), "+9996621002")
    assert (await files.load()).problems == ()
    await files.set_phone(str(path), PHONE)
