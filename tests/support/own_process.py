"""A sandbox in a separate process: it shares no GIL with what is measured, and can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
"""Directory from which the process imports `tests`."""


@dataclass(frozen=True, slots=True)
class OwnSandbox:
    """A running sandbox, as its port file describes it."""

    process: subprocess.Popen[str]
    port_file: Path
    described: dict[str, Any]


@contextmanager
def own_sandbox(folder: Path, *options: str) -> Iterator[OwnSandbox]:
    """Run a sandbox with its port file in a folder; it is killed at the end."""
    port_file = folder / "ports.json"
    options = ("--port-file", str(port_file), "--parent-pid", str(os.getpid()), *options)
    with python_process("-m", "tests.support.own_sandbox", *options) as process:
        yield OwnSandbox(process, port_file, json.loads(port_file.read_text(encoding="utf-8")))


@contextmanager
def python_process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run Python until the end of the block; the body begins once it has said that it is ready."""
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                raise RuntimeError("a process did not start")
            yield process
        finally:
            process.kill()
