"""The processes behind the kill tests: the sandbox, and the zygote of victims before it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.kills.life import Life
from tests.support.own_process import own_sandbox, python_process


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
    with (
        own_sandbox(folder, "--accounts", str(accounts)) as own,
        python_process("-m", "tests.kills.zygote", str(own.port_file)) as zygote,
    ):
        yield Sandbox(own.port_file, zygote)
