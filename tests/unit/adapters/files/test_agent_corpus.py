"""Agent files as people write them: good ones with what they mean, bad ones with each line and reason."""

import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.adapters.files.agents.agents import load_agents
from chimein_gui.adapters.files.texts import MAX_BYTES
from chimein_gui.viewmodels.words.notes import file_problem_words

CORPUS = Path(__file__).parent / "corpus"


def expected(kind: str) -> dict[str, Any]:
    return tomllib.loads((CORPUS / kind / "expected.toml").read_text(encoding="utf-8"))


GOOD, WARNED, BAD = expected("good"), expected("warned"), expected("bad")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "agents").mkdir()
    (tmp_path / "prompts").mkdir()
    for name in ("Person", "Retrieve"):
        (tmp_path / f"prompts/{name}.md").write_text(f"The prompt {name}.", encoding="utf-8")
    return tmp_path


def test_every_file_of_the_corpus_is_expected_and_the_other_way_round() -> None:
    for kind, files, least in (("good", GOOD, 12), ("warned", WARNED, 3), ("bad", BAD, 25)):
        assert {path.stem for path in (CORPUS / kind).glob("*.md")} == files.keys()
        assert len(files) >= least


@pytest.mark.parametrize("name", GOOD)
def test_good_files_mean_what_is_expected(config: Path, name: str) -> None:
    shutil.copy(CORPUS / f"good/{name}.md", config / "agents")
    [spec], problems = load_agents([config])
    assert problems == ()
    said = {field: getattr(spec, field) for field in GOOD[name]}
    assert {field: _plain(value) for field, value in said.items()} == GOOD[name]


@pytest.mark.parametrize("name", WARNED)
def test_files_with_headings_that_mean_nothing_here_are_used_and_say_so(config: Path, name: str) -> None:
    shutil.copy(CORPUS / f"warned/{name}.md", config / "agents")
    [spec], problems = load_agents([config])
    assert spec.role_prompts == ("Person",)
    assert [[problem.line, file_problem_words(problem)] for problem in problems] == WARNED[name]
    assert all(problem.is_warning for problem in problems)


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_with_each_line_and_reason(config: Path, name: str) -> None:
    shutil.copy(CORPUS / f"bad/{name}.md", config / "agents")
    specs, problems = load_agents([config])
    assert specs == ()
    assert [[problem.line, file_problem_words(problem)] for problem in problems] == BAD[name]
    lines = len((CORPUS / f"bad/{name}.md").read_bytes().splitlines())
    assert all(problem.line <= lines for problem in problems)


def test_a_file_of_a_megabyte_is_read_and_a_larger_one_refused(config: Path) -> None:
    text = (CORPUS / "good/smallest.md").read_text(encoding="utf-8")
    path = config / "agents/Nora.md"
    path.write_text(text + "x" * (MAX_BYTES - len(text)), encoding="utf-8")
    [spec], problems = load_agents([config])
    assert (len(spec.instructions) > 999_000, problems) == (True, ())
    path.write_text(text + "x" * (MAX_BYTES - len(text) + 1), encoding="utf-8")
    assert load_agents([config])[0] == ()
    [problem] = load_agents([config])[1]
    assert (problem.line, file_problem_words(problem)) == (0, "The file is larger than 1 MB.")


def _plain(value: object) -> object:
    """Return a value as TOML can say it."""
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
