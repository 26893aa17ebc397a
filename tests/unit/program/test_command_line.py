"""The command line: without a display it says what to do, before Qt can abort the process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from chimein_gui.__main__ import EXIT_NO_DISPLAY, has_display


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "DISPLAY", "WAYLAND"))}
    return subprocess.run(
        [sys.executable, "-m", "chimein_gui", *arguments],
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


def test_a_display_that_nobody_serves_counts_as_none() -> None:
    assert run(DISPLAY=":987").returncode == EXIT_NO_DISPLAY


def test_help_and_version_need_no_display() -> None:
    assert "sandbox" in run("--help").stdout
    assert run("--version").stdout.startswith("chimein ")


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
