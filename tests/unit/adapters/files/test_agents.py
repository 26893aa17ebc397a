"""Loading the config directories, good files and bad ones."""

from pathlib import Path

import pytest

from chimein_gui.adapters.files.agents.agents import load_agents, load_model_prompt
from chimein_gui.domain.agent_files.parsing import parse
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.media.assets import OwnMedia
from chimein_gui.sandbox.seeds.people import ACCOUNTS
from chimein_gui.viewmodels.words.notes import file_problem_words


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
    assert (spec.role_prompts, spec.role_texts) == (("Person", "Funny"), ("\nYou are a person.", "Be funny."))
    assert spec.role_sources == tuple(str(tmp_path / f"prompts/{name}.md") for name in spec.role_prompts)
    assert path.read_text().splitlines()[spec.instructions_line - 1] == "Be Nora."
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


def test_the_agents_own_prompt_comes_first_then_the_directories_in_order(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    agent(one)
    write(two / "prompts/Person.md", "shared, second")
    assert load_agents([one, two])[0][0].role_texts == ("shared, second",)
    write(one / "prompts/Person.md", "shared, first")
    assert load_agents([one, two])[0][0].role_texts == ("shared, first",)
    write(two / "agents/Nora/prompts/Person.md", "own")
    assert load_agents([one, two])[0][0].role_texts == ("own",)


def test_the_first_of_two_agents_of_a_name_wins_and_the_second_is_reported(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one / "prompts/Person.md", "x")
    first = agent(one, "José", file="a")
    second = agent(two, "JOSE\u0301", file="b", phone="+9996621002")
    [spec], problems = load_agents([one, two])
    assert (spec.name, spec.source) == ("José", str(first))
    [problem] = problems
    assert (problem.path, str(first) in file_problem_words(problem)) == (str(second), True)


def test_two_agents_on_one_phone_number_are_reported(tmp_path: Path) -> None:
    write(tmp_path / "prompts/Person.md", "x")
    agent(tmp_path, "Anna")
    agent(tmp_path, "Berta", phone="+999 66 21 001")
    specs, [problem] = load_agents([tmp_path])
    assert [spec.name for spec in specs] == ["Anna"]
    assert "+9996621001" in file_problem_words(problem)


def test_an_agents_directory_that_is_none_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path / "agents", "a file")
    [problem] = load_agents([tmp_path])[1]
    assert (problem.path, problem.note.kind) == (str(path), FileReason.FOLDER_UNREADABLE)
    path.unlink()
    path.symlink_to("nowhere")
    [problem] = load_agents([tmp_path])[1]
    assert problem.note.kind is FileReason.FOLDER_UNREADABLE


def test_directories_that_do_not_exist_hold_nothing(tmp_path: Path) -> None:
    assert load_agents([tmp_path / "nowhere"]) == ((), ())
    assert load_agents([]) == ((), ())
    assert load_model_prompt([tmp_path / "nowhere"]) == ("", "", ())


def test_the_model_prompt_of_the_first_directory_counts(tmp_path: Path) -> None:
    other = write(tmp_path / "b/prompts/Gemini.md", "second\n")
    assert load_model_prompt([tmp_path / "a", tmp_path / "b"]) == ("second", str(other), ())
    bad = write(tmp_path / "a/prompts/Gemini.md", "first\n")
    assert load_model_prompt([tmp_path / "a", tmp_path / "b"]) == ("first", str(bad), ())
    bad.write_bytes(b"one\n\xff")
    prompt, _source, [problem] = load_model_prompt([tmp_path / "a", tmp_path / "b"])
    assert (prompt, problem.path, problem.line) == ("second", str(bad), 2)


def agent_with(directory: Path, fields: str) -> Path:
    path = agent(directory)
    write(directory / "prompts/Person.md", "You are a person.")
    return write(path, path.read_text(encoding="utf-8") + fields)


def test_without_optional_fields_nothing_is_decided_for_the_operator(tmp_path: Path) -> None:
    agent_with(tmp_path, "# Approval\n\n# Aliases\n")
    [spec], problems = load_agents([tmp_path])
    assert problems == ()
    assert (spec.aliases, spec.sticker_sets, spec.stickers) == ((), (), ())
    assert (spec.trust, spec.memory_scope) == (None, "global")


@pytest.mark.parametrize(
    ("fields", "line", "words"),
    [
        (f"# Aliases\n{'x' * 65}\n", 10, "at most 64 characters"),
        ("# Agent Stickers\nno such set :: B\n", 10, "SET :: STICKER"),
        ("# Aliases\n" + "\n".join(f"a{number}" for number in range(130_000)), 110, "100 lines at most"),
        ("# Agent Stickers\n" + "\n".join(f"A :: {number}" for number in range(1_001)), 1_010, "1000 lines at most"),
    ],
)
def test_a_wrong_value_is_reported_with_its_line_and_the_file_is_not_used(
    tmp_path: Path, fields: str, line: int, words: str
) -> None:
    path = agent_with(tmp_path, fields)
    specs, [problem] = load_agents([tmp_path])
    assert specs == ()
    assert (problem.path, problem.line) == (str(path), line)
    assert words in file_problem_words(problem)


def test_of_a_file_that_is_wrong_throughout_the_first_problems_are_reported(tmp_path: Path) -> None:
    agent_with(tmp_path, "# LLM\n" * 100_000)
    specs, problems = load_agents([tmp_path])
    assert (specs, len(problems)) == ((), 21)
    assert [problem.line for problem in problems] == list(range(10, 31))
    assert problems[-1].note == Note(FileReason.FURTHER_PROBLEMS, number=99_979)
