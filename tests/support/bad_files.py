"""Damaged files, as crashes, copies and mistakes leave them; each reader must report them and not change them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HUGE = 10_000_000
"""Bytes."""


def _with(change: Callable[[bytes], bytes]) -> Callable[[Path, bytes], object]:
    return lambda path, good: path.write_bytes(change(good))


def _without_permission(path: Path, good: bytes) -> None:
    """Make a file that can't be read, for root either: a process's memory where none is mapped."""
    if os.geteuid() == 0 and sys.platform == "linux":
        path.symlink_to("/proc/self/mem")
    else:
        path.write_bytes(good)
        path.chmod(0)


_KINDS: dict[str, Callable[[Path, bytes], object]] = {
    "empty": _with(lambda _good: b""),
    "truncated": _with(lambda good: good[: len(good) // 2]),
    "binary": _with(lambda _good: bytes(range(256)) * 40),
    "UTF-16": _with(lambda good: good.decode("utf-8", "replace").encode("utf-16")),
    "Latin-1": _with(lambda good: "été = 1\n".encode("latin-1") + good),
    "huge": _with(lambda good: (good + b"\n") * (HUGE // (len(good) + 1) + 1)),
    "nested": _with(lambda _good: b"a = " + b"[" * 100_000),
    "another format": _with(lambda _good: b'{"what": ["is", "this"]}\n'),
    "a directory": lambda path, _good: path.mkdir(),
    "a link to itself": lambda path, _good: path.symlink_to(path.name),
    "not readable": _without_permission,
}

every_bad_file = pytest.mark.parametrize("kind", sorted(_KINDS))
"""Parametrizes a test with `kind`, for `spoil`."""

no_file = frozenset({"a directory", "a link to itself", "not readable"})
"""Kinds without readable bytes."""


def spoil(path: Path, kind: str, good: bytes) -> Callable[[], bool]:
    """Put something bad where a file is expected.

    Args:
        path: Does not exist yet; its directory is created.
        kind: As `every_bad_file` gives it.
        good: The content of a good file, some hundred bytes.

    Returns:
        A function that returns whether the bad file is still there, unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _KINDS[kind](path, good)
    before = _looks(path)
    return lambda: _looks(path) == before


def _looks(path: Path) -> object:
    if path.is_symlink():
        return path.readlink()
    if path.is_dir():
        return sorted(path.iterdir())
    content = path.read_bytes() if os.access(path, os.R_OK) else b""
    return path.stat().st_ino, path.stat().st_size, content
