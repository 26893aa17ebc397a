"""A PostgreSQL with pgvector for tests: the one that CHIMEIN_TEST_POSTGRES names, or one of this computer's own."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "CHIMEIN_TEST_POSTGRES"
"""A connection string of a server on this computer whose user may add the extension."""

_DEBIAN = Path("/usr/lib/postgresql")


def why_not() -> str:
    """Return why there is no such server here; empty if there is one."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg (the extra `postgres`) is not installed"
    if os.environ.get(VARIABLE) or _binaries() is not None:
        return ""
    return f"there is no PostgreSQL with pgvector here; {VARIABLE} may name one"


@cache
def _binaries() -> Path | None:
    """Return the directory of Debian's PostgreSQL that has the extension; None if none has."""
    for binaries in sorted(_DEBIAN.glob("*/bin"), reverse=True):
        version = binaries.parent.name
        if Path(f"/usr/share/postgresql/{version}/extension/vector.control").is_file():
            return binaries
    return None


def server() -> Iterator[str]:
    """Give the connection string of a server; one that was started for it is stopped."""
    named = os.environ.get(VARIABLE)
    if named:
        yield named
        return
    binaries = _binaries()
    assert binaries is not None, why_not()
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="chimein-postgres-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        user: dict[str, str] = {}
        if os.getuid() == 0:  # the server refuses to run as root
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
            user = {"user": "postgres", "group": "postgres"}
        data = folder / "data"

        def run(*command: str) -> None:
            subprocess.run(command, check=True, capture_output=True, cwd=folder, **user)  # type: ignore[call-overload]

        run(str(binaries / "initdb"), "-D", str(data), "-U", "chimein", "-A", "trust", "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        run(str(binaries / "pg_ctl"), "-D", str(data), "-w", "-o", options, "-l", str(folder / "log"), "start")
        stack.callback(run, str(binaries / "pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop")
        yield f"postgresql://chimein@/postgres?host={folder}"
