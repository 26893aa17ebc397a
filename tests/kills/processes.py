"""The processes behind the kill tests: the sandbox, and the zygote of victims before it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.kills.life import Life


class Sandbox:
    """The sandbox's process, and the zygote of victims before it."""

    def __init__(self, port_file: Path, zygote: subprocess.Popen[str]) -> None:
        self.port_file = port_file
        self.described: dict[str, Any] = json.loads(port_file.read_text(encoding="utf-8"))
        self._zygote = zygote
        self._pairs = iter(zip(self.accounts, self.partners, strict=True))

    @property
    def accounts(self) -> tuple[int, ...]:
        """User ids of the accounts."""
        return tuple(one["user_id"] for one in self.described["accounts"])

    @property
    def partners(self) -> tuple[int, ...]:
        """User ids of the partners."""
        return tuple(one["user_id"] for one in self.described["partners"])

    def fresh_pair(self) -> tuple[int, int]:
        """Return an account and a partner that no other test has used."""
        return next(self._pairs)

    def bear(self, life: Life) -> None:
        """Fork a victim."""
        assert self._zygote.stdin is not None
        self._zygote.stdin.write(life.to_text() + "\n")
        self._zygote.stdin.flush()

    def exit_code(self) -> int:
        """Return how the last victim ended, once it has; nothing of it is left then."""
        assert self._zygote.stdout is not None
        return int(self._zygote.stdout.readline())


@contextmanager
def sandbox_process(folder: Path, accounts: int) -> Iterator[Sandbox]:
    """Run a sandbox with so many accounts and partners, and a zygote."""
    port_file = folder / "ports.json"
    parent = ["--parent-pid", str(os.getpid())]
    server = [
        "-m",
        "tests.support.own_sandbox",
        "--port-file",
        str(port_file),
        "--accounts",
        str(accounts),
        *parent,
    ]
    with _process(*server) as telegram:
        _await_ready(telegram)
        with _process("-m", "tests.kills.zygote", str(port_file)) as zygote:
            _await_ready(zygote)
            yield Sandbox(port_file, zygote)


@contextmanager
def _process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _await_ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    if process.stdout.readline() != "ready\n":
        raise RuntimeError("a process did not start")
