"""Starts the sandbox as a separate process, so that it can never mix with a live run."""

from __future__ import annotations

import sys

from PySide6.QtCore import QProcess


def sandbox_command(*, frozen: bool | None = None) -> tuple[str, list[str]]:
    """Return the program and its arguments.

    Args:
        frozen: Whether this is the bundled program, which has no Python interpreter; None to detect it.
    """
    is_frozen = bool(getattr(sys, "frozen", False)) if frozen is None else frozen
    return sys.executable, ["sandbox"] if is_frozen else ["-m", "chimein_gui", "sandbox"]


def start_sandbox(command: tuple[str, list[str]] | None = None) -> bool:
    """Start it as a detached process; return whether that worked.

    Args:
        command: Program and arguments; None for the sandbox of this program.
    """
    program, arguments = command or sandbox_command()
    return bool(QProcess.startDetached(program, arguments)[0])
