"""The command line: without a display it says what to do, before Qt can abort the process."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from chimein_gui import program
from chimein_gui.__main__ import EXIT_MISUSED, EXIT_NO_DISPLAY, EXIT_NO_SANDBOX, SANDBOX_NEEDS, has_display, main
from chimein_gui.runtime import interpreter

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

class NotInstalled(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, NotInstalled())
from chimein_gui.__main__ import main
sys.exit(main({arguments}))
"""
"""A run of the command line where some packages are not installed."""


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "chimein_gui", *arguments, **environment)


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "DISPLAY", "WAYLAND"))}
    return subprocess.run(
        [sys.executable, *arguments],
        env={**keep, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_a_display_it_says_what_to_do() -> None:
    result = run()
    assert result.returncode == EXIT_NO_DISPLAY
    assert "chimein sandbox --tour DIR" in result.stderr
    assert "Traceback" not in result.stderr


def test_help_and_version_need_no_display() -> None:
    assert "sandbox" in run("--help").stdout
    assert run("--version").stdout.startswith("chimein ")


@pytest.mark.parametrize("arguments", [["sandbox"], ["sandbox", "--tour", "nowhere"]], ids=" ".join)
def test_without_its_extra_the_sandbox_says_what_to_install(arguments: list[str], tmp_path: Path) -> None:
    code = WITHOUT.format(names={"ruamel", "cryptography"}, arguments=arguments)
    result = python("-c", code, HOME=str(tmp_path))
    assert result.returncode == EXIT_NO_SANDBOX
    assert result.stdout == ""
    assert result.stderr == (
        "The sandbox needs cryptography and ruamel.yaml, not installed here; "
        "pip install 'chimein[sandbox]' brings what is missing.\n"
    )


def test_without_that_extra_the_window_opens(tmp_path: Path) -> None:
    result = python("-c", WITHOUT.format(names={"ruamel"}, arguments=["--smoke"]), HOME=str(tmp_path))
    assert result.returncode == 0, result.stderr


def test_what_the_sandbox_asks_for_is_its_extra() -> None:
    assert {re.split(r"[<>=]", line)[0] for line in PROJECT["optional-dependencies"]["sandbox"]} == set(SANDBOX_NEEDS)


def test_the_tour_is_never_played_at_the_operators_cost(tmp_path: Path) -> None:
    result = run("sandbox", "--model", "gemini", "--tour", str(tmp_path / "tour"))
    assert result.returncode == EXIT_MISUSED
    assert "--model" in result.stderr
    assert not (tmp_path / "tour").exists()


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (("sandbox",), ("written", False)),
        (("sandbox", "--model", "gemini"), ("gemini", False)),
        (("--hidden", "sandbox"), ("written", True)),
    ],
)
def test_the_command_line_says_who_answers_and_whether_the_window_is_shown(
    said: tuple[str, ...], meant: tuple[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, bool]] = []

    def run_sandbox(_own: Path | None, model: str, *, hidden: bool) -> int:
        asked.append((model, hidden))
        return 0

    monkeypatch.setattr(program, "run_sandbox", run_sandbox)
    for setting in ("set_up", "disable_gc_for_startup"):  # they are meant for a process of the program's own
        monkeypatch.setattr(interpreter, setting, lambda: None)
    assert main(said) == 0
    assert asked == [meant]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"DISPLAY": ""}, False),
        ({"DISPLAY": "nonsense"}, False),
        ({"DISPLAY": ":987"}, False),
        ({"DISPLAY": "elsewhere:10.0"}, True),
        ({"QT_QPA_PLATFORM": "offscreen"}, True),
        ({"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": "/nowhere"}, False),
    ],
)
def test_what_counts_as_a_display(environment: dict[str, str], expected: bool) -> None:
    assert has_display(environment) is expected


def test_a_wayland_socket_that_answers_is_a_display(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-0"))
        server.listen()
        assert has_display({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)})
