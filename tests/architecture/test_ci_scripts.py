"""`.ci/run` runs what the README says, and `.ci/setup` asks for, or installs, just what is missing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.architecture.source_tree import ROOT

CI = ROOT / ".ci"
BASH = shutil.which("bash") or "bash"
TOOLS = ("cat", "comm", "cut", "dirname", "grep", "head", "sed", "sha256sum", "sort", "tr")

README = """\
# A house
<!-- run-line -->
```sh
true run
```
text <!-- test-line -->
<!-- test-line -->
```sh
LINE
```
"""


def _run(*command: str | Path, env: dict[str, str] | None = None, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BASH, *map(str, command)],
        cwd=cwd,
        env=dict(os.environ) if env is None else env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


# ---------------------------------------------------------------- .ci/run


def _gate_with(line: str, directory: Path, *options: str) -> subprocess.CompletedProcess[str]:
    readme = directory / "README.md"
    readme.write_text(README.replace("LINE", line), "utf-8")
    return _run(CI / "run", *options, env=os.environ | {"CHIMEIN_README": str(readme)}, cwd=directory)


def test_the_readme_holds_the_two_lines():
    assert _run(CI / "run", "--show", "run").stdout.startswith("bash .ci/setup && ")
    done = _run(CI / "run", "--show", "test")
    assert done.returncode == 0, done.stderr
    steps = done.stdout.strip().split(" && ")
    assert steps == [
        "bash .ci/setup --dev",
        ".venv/bin/ruff check",
        ".venv/bin/ruff format --check",
        ".venv/bin/mypy",
        ".venv/bin/lint-imports",
        ".venv/bin/pytest",
    ]


def test_the_gate_runs_exactly_the_line_and_times_each_step(tmp_path):
    done = _gate_with("echo one && cat && echo 'two words'", tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if not line.startswith("==")] == ["one", "two words"]
    timed = [match[1] for line in lines if (match := re.fullmatch(r"== \d+\.\d{3} s: (.*)", line))]
    assert timed == ["echo one", "cat", "echo 'two words'"]


@pytest.mark.parametrize(
    ("line", "status"), [("true && false && echo never", 1), ("(exit 7)", 7), ("no-such-tool", 127)]
)
def test_the_gate_fails_with_its_first_failing_step(line, status, tmp_path):
    done = _gate_with(line, tmp_path)
    assert done.returncode == status
    assert "never\n" not in done.stdout.replace("echo never", "")


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """Make a clone whose tools only tell that they ran; its .venv is of Python 3.11, and .ci/setup finds no other."""
    clone = tmp_path / "campaign"
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".ci").mkdir()
    shutil.copy(CI / "run", clone / ".ci")
    _script(clone / ".ci" / "setup", 'echo "setup $*"; [ "$1" != --beside ] || exit 69')
    _script(clone / ".venv" / "bin" / "python", 'case "$*" in -c*) echo 3.11 ;; *) echo "python $*" ;; esac')
    _script(clone / ".venv" / "bin" / "pytest", 'echo "pytest $*"')
    _script(clone / ".venv" / "bin" / "coverage", 'echo "coverage $*"')
    return clone


def test_the_campaign_runs_the_gates_tests_with_every_python_that_is_there(campaign):
    _script(
        campaign / ".ci" / "setup",
        'echo "setup $*"; [ "$1" != --beside ] || { mkdir -p .venv-$2/bin; cp other .venv-$2/bin/pytest; }',
    )
    _script(campaign / "other", 'echo "pytest of another $*"')
    done = _run(campaign / ".ci" / "run", "--campaign")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2:17] == [
        "## The gate's tests with Python 3.11",
        "pytest ",
        "## The gate's tests with Python 3.12",
        "setup --beside 3.12",
        "pytest of another ",
        "## The gate's tests with Python 3.13",
        "setup --beside 3.13",
        "pytest of another ",
        "## What the gate's tests reach",
        "coverage erase",
        "coverage run -m pytest -q",
        "coverage combine --quiet",
        "coverage report",
        "## Long runs",
        "pytest -n 0 --campaign --durations=0",
    ]


def test_the_campaign_says_which_python_is_not_there(campaign):
    done = _run(campaign / ".ci" / "run", "--campaign")
    assert done.returncode == 0, done.stderr
    for version in ("3.12", "3.13"):
        assert f"skipped: there is no Python {version} here\n" in done.stdout


@pytest.mark.parametrize("script", [".ci/setup", ".venv-3.13/bin/pytest", ".venv/bin/coverage"])
def test_a_campaign_fails_with_the_tests_of_another_python(campaign, script):
    _script(campaign / ".ci" / "setup", "exit 0")
    (campaign / ".venv-3.13" / "bin").mkdir(parents=True)
    _script(campaign / ".venv-3.13" / "bin" / "pytest", "exit 0")
    _script(campaign / script, '[ "$1" != --beside ] && [ -z "${0##*setup}" ] || exit 1')
    done = _run(campaign / ".ci" / "run", "--campaign")
    assert done.returncode == 1
    assert "# Campaign: FAILED" in done.stdout


# ---------------------------------------------------------------- .ci/setup


def _script(path: Path, script: str) -> None:
    path.write_text(f"#!{BASH}\n{script}\n", "utf-8")
    path.chmod(0o755)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Make something like a clone, in a path with blanks, whose PATH holds fakes of everything that acts."""
    clone = tmp_path / "a clone"
    (clone / ".ci").mkdir(parents=True)
    shutil.copy(CI / "setup", clone / ".ci")
    (clone / ".ci" / "apt.txt").write_text("# comment\nlibone\n\nlibtwo # why\nlibthree\n", "utf-8")
    (clone / ".ci" / "apt-campaign.txt").write_text("libfour\n", "utf-8")
    (clone / "bin").mkdir()
    for tool in TOOLS:
        (clone / "bin" / tool).symlink_to(shutil.which(tool) or pytest.skip(f"no {tool}"))
    _fake(clone, "apt-get", 'echo "$@" >>"$CALLS"')
    _fake(clone, "id", "echo 0")
    return clone


def _fake(clone: Path, name: str, script: str) -> None:
    _script(clone / "bin" / name, script)


def _installed(clone: Path, *packages: str) -> None:
    """Let dpkg-query tell that these are installed, `libtwo` as something that another package provides."""
    table = "\\n".join([*packages, "deinstall\\tlibthree, "])
    _fake(clone, "dpkg-query", f"printf '{table}\\n'")


def _setup(clone: Path, *options: str, **named: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    calls = clone / "calls"
    environment = {"PATH": str(clone / "bin"), "CALLS": str(calls), "HOME": str(clone)} | named
    done = _run(clone / ".ci" / "setup", *options, env=environment, cwd=clone.parent)
    return done, calls.read_text("utf-8").splitlines() if calls.exists() else []


def test_root_installs_only_what_is_missing(clone):
    _installed(clone, "installed\\tlibone, ", "installed\\tbig, libother (= 1), libtwo (= 2)")
    assert _setup(clone)[1] == ["-q update", "-q install -y --no-install-recommends libthree"]
    assert _setup(clone, "--campaign")[1][-1].endswith("--no-install-recommends libfour libthree")
    (clone / ".ci" / "apt-where-known.txt").write_text("libfive\nlibsix # why\n", "utf-8")
    _fake(clone, "apt-cache", '[ "$2" = libsix ]')
    assert _setup(clone, "--campaign")[1][-1].endswith("--no-install-recommends libsix")
    _fake(clone, "apt-get", "exit 100")
    done, _ = _setup(clone)
    assert done.returncode == 100
    assert "no Python" not in done.stderr


def test_others_are_told_the_line_to_run_first(clone):
    _installed(clone, "installed\\tlibone, ")
    _fake(clone, "id", "echo 1000")
    done, calls = _setup(clone)
    assert done.returncode == 1
    line = "sudo apt-get update && sudo apt-get install -y --no-install-recommends libthree libtwo"
    assert f"\n    {line}\n" in done.stderr
    _installed(clone, "installed\\tlibone, libtwo, libthree")
    done, calls = _setup(clone)
    assert not calls
    assert "no Python 3.11, 3.12 or 3.13 with venv found" in done.stderr


def test_another_system_is_told_and_goes_on(clone):
    done, calls = _setup(clone)
    assert not calls
    assert "this is no Debian" in done.stderr
    assert "no Python 3.11, 3.12 or 3.13 with venv found" in done.stderr


def test_an_old_python_is_passed_over(clone):
    _installed(clone, "installed\\tlibone, libtwo, libthree")
    _fake(clone, "python3", "exit 1")
    _fake(clone, "python3.12", '[ "$1" = -c ] || { echo "$0 $*" >>"$CALLS"; exit 9; }')
    done, calls = _setup(clone)
    assert done.returncode == 9
    assert calls == [f"{clone}/bin/python3.12 -m venv --clear .venv"]


PYTHON = """\
case "$*" in
    *base_prefix*) echo '{installation}' ;;
    *sys.prefix*) echo "$PWD/.venv" ;;
    *ensurepip*) [ "{version}" = "${{3-{version}}}" ] ;;
    -c* | -VV) ;;
    *) echo "$0 $*" >>"$CALLS"; [ "$2" != venv ] || exit 9 ;;
esac
"""
"""A Python of one version and installation, which makes no environments."""


@pytest.fixture
def made(clone: Path) -> Path:
    """Make the clone one that was set up with a Python that is called A."""
    _installed(clone, "installed\\tlibone, libtwo, libthree")
    (clone / ".venv" / "bin").mkdir(parents=True)
    _script(clone / ".venv" / "bin" / "python", PYTHON.format(installation="A", version="3.11"))
    _script(clone / ".venv" / "bin" / "pip", f'# {clone}/.venv/bin/python\necho "pip $*" >>"$CALLS"')
    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        (clone / name).touch()
    return clone


@pytest.mark.parametrize("named", ["", "A", "B"])
def test_an_environment_of_another_python_than_is_named_is_made_again(made, named):
    for installation in ("A", "B"):
        _fake(made, installation, PYTHON.format(installation=installation, version="3.12"))
    done, calls = _setup(made, CHIMEIN_PYTHON=named)
    assert done.returncode == (9 if named == "B" else 0), done.stderr
    assert any(call.startswith("pip ") for call in calls) == (named != "B")
    assert [call for call in calls if " -m venv " in call] == (
        [f"{made}/bin/B -m venv --clear .venv"] if named == "B" else []
    )


def _locks_of(calls: list[str]) -> list[list[str]]:
    """Return the locks of each installation from locks."""
    return [re.findall(r"--requirement (\S+)", call) for call in calls if "--require-hashes" in call]


def test_use_gets_only_what_use_needs_and_whoever_develops_gets_the_rest(made):
    done, calls = _setup(made)
    assert done.returncode == 0, done.stderr
    assert _locks_of(calls) == [["requirements.lock"]]
    assert _locks_of(_setup(made, "--dev")[1])[1:] == [["requirements.lock", "requirements-dev.lock"]]
    (made / "calls").unlink()
    for option in ([], ["--dev"]):
        assert not _locks_of(_setup(made, *option)[1])


def test_a_named_python_that_is_none_is_not_passed_over(made):
    _fake(made, "python3", "exit 0")
    done, calls = _setup(made, CHIMEIN_PYTHON="no-such-python")
    assert done.returncode == 1
    assert not calls
    assert "CHIMEIN_PYTHON=no-such-python is no Python 3.11, 3.12 or 3.13 with venv" in done.stderr


def test_an_environment_beside_is_of_the_python_that_was_asked_for(made):
    """One on the PATH that can't run, as pyenv leaves them, and one of another version are passed over."""
    _fake(made, "python3.13", "exit 127")
    _fake(made, "other", PYTHON.format(installation="B", version="3.12"))
    _fake(made, "right", PYTHON.format(installation="C", version="3.13"))
    done, calls = _setup(made, "--beside", "3.13", CHIMEIN_PYTHONS=f"{made}/bin/other:{made}/bin/right")
    assert done.returncode == 9, done.stderr
    assert calls == [f"{made}/bin/right -m venv --clear .venv-3.13"]


def test_without_such_a_python_there_is_no_environment_beside(made):
    done, calls = _setup(made, "--beside", "3.13")
    assert done.returncode == 69
    assert not calls
    assert "no Python 3.13 with venv found" in done.stderr
    assert not (made / ".venv-3.13").exists()


@pytest.mark.skipif(not (ROOT / ".venv" / ".chimein-project").exists(), reason="this checkout was not set up")
def test_a_second_set_up_does_nothing():
    # A stray pip would fail without an index.
    done = _run(CI / "setup", "--dev", env=os.environ | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""})
    assert done.returncode == 0, done.stderr
    assert done.stdout + done.stderr == ""
