"""Loading the config directories, good files and bad ones."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chimein_gui.adapters.files.agent_file import parse
from chimein_gui.adapters.files.agents import load_agents, load_model_prompt, prompt_names
from chimein_gui.domain.agents import FileProblem
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.media.assets import OwnMedia
from chimein_gui.sandbox.seeds.people import ACCOUNTS
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED

SAMPLES = Path("samples")
RECORD_FIELDS = {
    "unique_id", "kind", "sticker_set_name", "sticker_name", "description", "status", "failure_reason", "ts",
    "mime_type", "duration", "media_file",
}  # fmt: skip


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def agent(
    directory: Path, name: str = "Nora", *, file: str = "", phone: str = "+9996621001", roles: str = "Person"
) -> Path:
    text = f"# Agent Name\n{name}\n# Agent Phone\n{phone}\n# Role Prompt\n{roles}\n# Agent Instructions\nBe {name}.\n"
    return write(directory / "agents" / f"{file or name}.md", text)


def test_an_agent_with_its_prompts(tmp_path: Path) -> None:
    path = agent(tmp_path, roles="Person\nFunny.md")
    write(tmp_path / "prompts/Person.md", "\nYou are a person.\n\n")
    write(tmp_path / "prompts/Funny.md", "\ufeffBe funny.")  # as some editors begin a file: no part of the prompt
    [spec], problems = load_agents([tmp_path])
    assert problems == ()
    assert (spec.name, spec.phone, spec.instructions, spec.source) == ("Nora", "+9996621001", "Be Nora.", str(path))
    assert (spec.role_prompts, spec.role_texts) == (("Person", "Funny"), ("You are a person.", "Be funny."))
    assert (spec.timezone, spec.model) == ("", "")


def test_the_repositorys_samples_are_good() -> None:
    specs, problems = load_agents([Path("samples")])
    assert problems == ()
    assert load_model_prompt([Path("samples")])[0]
    accounts = [(f"{one.first_name} {one.last_name}", one.phone) for one in ACCOUNTS]
    assert [(spec.name, spec.phone) for spec in specs] == accounts
    assert len({spec.timezone for spec in specs}) == 5
    assert all("{{char}}" in spec.instructions for spec in specs)


def test_the_samples_name_only_stickers_that_the_sandbox_has() -> None:
    sets = {
        one.short_name: {sticker.emoji for sticker in one.stickers}
        for one in OwnMedia(resource_path("sandbox", "media")).sets
    }
    named = 0
    for path in Path("samples/agents").glob("*.md"):
        fields = parse(path.read_text(encoding="utf-8")).fields
        whole = [line for _, line in fields["Agent Sticker Sets"].lines()] if "Agent Sticker Sets" in fields else []
        single = [line for _, line in fields["Agent Stickers"].lines()] if "Agent Stickers" in fields else []
        assert set(whole) <= sets.keys(), path.name
        for line in single:
            name, _, emoji = (part.strip() for part in line.partition("::"))
            assert emoji in sets[name], f"{path.name}: {line}"
        named += len(whole) + len(single)
    assert named >= 8


def test_the_samples_show_what_a_config_directory_can_hold() -> None:
    specs, _ = load_agents([SAMPLES])
    used = {name for spec in specs for name in spec.role_prompts}
    assert used == set(prompt_names([SAMPLES])) == {"Person", "Group", "Retrieve", "Stickers", "Patient"}
    for spec in specs:
        assert len(spec.instructions.split("\n## ")) >= 5, f"{spec.name}: too little of a persona"
        assert ("Stickers" in spec.role_prompts) <= bool(spec.sticker_sets or spec.stickers), spec.name
    people = {str(user.user_id) for user in REHEARSAL_SEED.partners}
    memories = list(SAMPLES.glob("agents/*/memory/*.md"))
    assert memories
    for path in memories:
        assert path.stem in people
        assert path.parents[1].name in {spec.name for spec in specs}
        entries = path.read_text(encoding="utf-8").split("# Memory from ")[1:]
        for entry in entries:
            heading, _, text = entry.partition("\n")
            datetime.strptime(heading, "%Y-%m-%d %H:%M:%S UTC").replace(tzinfo=UTC)
            assert text.strip()


def test_the_samples_describe_every_sticker_of_the_sandbox() -> None:
    media = OwnMedia(resource_path("sandbox", "media"))
    stickers = {
        (one.short_name, sticker.emoji): (sticker.file_id, sticker.mime_type)
        for one in media.sets
        for sticker in one.stickers
    }
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(SAMPLES.glob("media/*.json"))]
    described = {
        (record["sticker_set_name"], record["sticker_name"]): (int(record["unique_id"]), record["mime_type"])
        for record in records
        if record["kind"] == "sticker"
    }
    assert described == stickers
    told = (SAMPLES / "README.md").read_text(encoding="utf-8")
    assert not [record["unique_id"] for record in records if f"`{record['unique_id']}.json`" not in told]
    known = {file.file_id for file in media.files.values()}
    for path, record in zip(sorted(SAMPLES.glob("media/*.json")), records, strict=True):
        assert (path.stem, record["status"]) == (record["unique_id"], "curated")
        assert int(record["unique_id"]) in known
        assert record["description"].endswith(".")
        assert record.keys() == RECORD_FIELDS


def test_the_agents_own_prompt_comes_first_then_the_directories_in_order(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    agent(one)
    write(two / "prompts/Person.md", "shared, second")
    assert load_agents([one, two])[0][0].role_texts == ("shared, second",)
    write(one / "prompts/Person.md", "shared, first")
    assert load_agents([one, two])[0][0].role_texts == ("shared, first",)
    write(two / "agents/Nora/prompts/Person.md", "own")
    assert load_agents([one, two])[0][0].role_texts == ("own",)


def test_a_missing_prompt_is_reported_with_its_line(tmp_path: Path) -> None:
    write(tmp_path / "prompts/Person.md", "x")
    path = agent(tmp_path, roles="Person\nGhost")
    assert load_agents([tmp_path])[0] == ()
    [problem] = load_agents([tmp_path])[1]
    assert (problem.path, problem.line, "Ghost" in problem.reason) == (str(path), 7, True)


def test_a_prompt_that_can_not_be_read_is_reported_with_its_line(tmp_path: Path) -> None:
    agent(tmp_path)
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts/Person.md").write_bytes(b"\xff\xfe")
    [problem] = load_agents([tmp_path])[1]
    assert (problem.line, "UTF-8" in problem.reason) == (6, True)


def test_the_first_of_two_agents_of_a_name_wins_and_the_second_is_reported(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one / "prompts/Person.md", "x")
    first = agent(one, "José", file="a")
    second = agent(two, "JOSE\u0301", file="b", phone="+9996621002")
    [spec], problems = load_agents([one, two])
    assert (spec.name, spec.source) == ("José", str(first))
    [problem] = problems
    assert (problem.path, str(first) in problem.reason) == (str(second), True)


def test_two_agents_on_one_phone_number_are_reported(tmp_path: Path) -> None:
    write(tmp_path / "prompts/Person.md", "x")
    agent(tmp_path, "Anna")
    agent(tmp_path, "Berta", phone="+999 66 21 001")
    specs, [problem] = load_agents([tmp_path])
    assert [spec.name for spec in specs] == ["Anna"]
    assert "+9996621001" in problem.reason


def test_a_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    write(tmp_path / "prompts/Person.md", "x")
    agent(tmp_path, "Good")
    agents = tmp_path / "agents"
    (agents / "latin.md").write_bytes("# Agent Name\nJos\xe9\n".encode("latin-1"))
    (agents / "huge.md").write_bytes(b"# Agent Name\n" + b"x" * 1_000_001)
    (agents / "empty.md").write_bytes(b"")
    (agents / "dangling.md").symlink_to("nowhere")
    os.mkfifo(agents / "pipe.md")
    (agents / "folder.md").mkdir()
    (agents / ".#Good.md").write_text("an editor's lock")
    (agents / "notes.txt").write_text("not ours")
    specs, problems = load_agents([tmp_path])
    assert [spec.name for spec in specs] == ["Good"]
    by_file = {Path(problem.path).name: problem for problem in problems}
    assert set(by_file) == {"latin.md", "huge.md", "empty.md", "dangling.md", "pipe.md"}
    assert (by_file["latin.md"].line, "UTF-8" in by_file["latin.md"].reason) == (2, True)
    assert "1 MB" in by_file["huge.md"].reason


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_reported(tmp_path: Path) -> None:
    agent(tmp_path).chmod(0)
    [problem] = load_agents([tmp_path])[1]
    assert "read" in problem.reason


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_directory_whose_files_can_not_be_looked_at_is_reported(tmp_path: Path) -> None:
    path = agent(tmp_path)
    path.parent.chmod(0o600)
    try:
        [problem] = load_agents([tmp_path])[1]
    finally:
        path.parent.chmod(0o700)
    assert (problem.path, "read" in problem.reason) == (str(path), True)


def test_an_agents_directory_that_is_none_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path / "agents", "a file")
    [problem] = load_agents([tmp_path])[1]
    assert (problem.path, "can't be read" in problem.reason) == (str(path), True)
    path.unlink()
    path.symlink_to("nowhere")
    [problem] = load_agents([tmp_path])[1]
    assert "can't be read" in problem.reason


def test_directories_that_do_not_exist_hold_nothing(tmp_path: Path) -> None:
    assert load_agents([tmp_path / "nowhere"]) == ((), ())
    assert load_agents([]) == ((), ())
    assert load_model_prompt([tmp_path / "nowhere"]) == ("", ())


def test_the_model_prompt_of_the_first_directory_counts(tmp_path: Path) -> None:
    write(tmp_path / "b/prompts/Gemini.md", "second\n")
    assert load_model_prompt([tmp_path / "a", tmp_path / "b"]) == ("second", ())
    write(tmp_path / "a/prompts/Gemini.md", "first\n")
    assert load_model_prompt([tmp_path / "a", tmp_path / "b"]) == ("first", ())
    bad = write(tmp_path / "a/prompts/Gemini.md", "")
    bad.write_bytes(b"one\n\xff")
    prompt, [problem] = load_model_prompt([tmp_path / "a", tmp_path / "b"])
    assert (prompt, problem.path, problem.line) == ("second", str(bad), 2)


def test_problems_are_file_problems(tmp_path: Path) -> None:
    path = write(tmp_path / "agents/x.md", "# Agent Name\nx\n")
    _, problems = load_agents([tmp_path])
    assert problems[0] == FileProblem(str(path), 2, "“# Agent Phone” is missing. Add it below this line.")
    assert len(problems) == 3


def agent_with(directory: Path, fields: str) -> Path:
    path = agent(directory)
    write(directory / "prompts/Person.md", "You are a person.")
    return write(path, path.read_text(encoding="utf-8") + fields)


def test_the_optional_fields_become_part_of_the_agent(tmp_path: Path) -> None:
    fields = """
# Aliases
Nora
Zoe\u0308
Nora

# Agent Sticker Sets
paper_boats
# Agent Stickers
harbour_otter :: 😴
harbour_otter::😴
little_lantern :: 🏮 #2
# Approval
Countdown
# Memory Scope
Per-Partner
# Context
Group: history 40
"""
    agent_with(tmp_path, fields)
    [spec], problems = load_agents([tmp_path])
    assert problems == ()
    assert spec.aliases == ("Nora", "Zo\u00eb")
    assert spec.sticker_sets == ("paper_boats",)
    assert spec.stickers == (("harbour_otter", "😴"), ("little_lantern", "🏮 #2"))
    assert (spec.trust, spec.memory_scope) == (TrustLevel.COUNTDOWN, "per-partner")


def test_without_optional_fields_nothing_is_decided_for_the_operator(tmp_path: Path) -> None:
    agent_with(tmp_path, "# Approval\n\n# Aliases\n")
    [spec], problems = load_agents([tmp_path])
    assert problems == ()
    assert (spec.aliases, spec.sticker_sets, spec.stickers) == ((), (), ())
    assert (spec.trust, spec.memory_scope) == (None, "global")


@pytest.mark.parametrize(
    ("fields", "line", "words"),
    [
        ("# Aliases\nNora\n!!!\n", 11, "can't call the agent"),
        (f"# Aliases\n{'x' * 65}\n", 10, "at most 64 characters"),
        ("# Agent Sticker Sets\npaper_boats\n\npaper boats\n", 12, "short name"),
        ("# Agent Sticker Sets\nhttps://t.me/addstickers/paper_boats\n", 10, "behind t.me/addstickers/"),
        ("# Agent Stickers\nA :: B\nA :: \n", 11, "SET :: STICKER"),
        ("# Agent Stickers\nno such set :: B\n", 10, "SET :: STICKER"),
        ("# Aliases\n" + "\n".join(f"a{number}" for number in range(130_000)), 110, "100 lines at most"),
        ("# Agent Stickers\n" + "\n".join(f"A :: {number}" for number in range(1_001)), 1_010, "1000 lines at most"),
        ("# Approval\nalways\n", 10, "off, observe, review, countdown, auto"),
        ("# Memory Scope\n\nmine\n", 11, "global, per-partner"),
    ],
)
def test_a_wrong_value_is_reported_with_its_line_and_the_file_is_not_used(
    tmp_path: Path, fields: str, line: int, words: str
) -> None:
    path = agent_with(tmp_path, fields)
    specs, [problem] = load_agents([tmp_path])
    assert specs == ()
    assert (problem.path, problem.line) == (str(path), line)
    assert words in problem.reason


def test_of_a_file_that_is_wrong_throughout_the_first_problems_are_reported(tmp_path: Path) -> None:
    agent_with(tmp_path, "# LLM\n" * 100_000)
    specs, problems = load_agents([tmp_path])
    assert (specs, len(problems)) == ((), 21)
    assert [problem.line for problem in problems] == list(range(10, 31))
    assert problems[-1].reason == "Here and further down there are 99979 more problems."
