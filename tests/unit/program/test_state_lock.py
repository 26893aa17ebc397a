"""Two programs on one state directory: the second is refused, and the words say why (SPEC §10, Command line)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chimein_gui.state_lock import EXIT_FAILED, EXIT_IN_USE, CannotStartError, owned_state


@contextmanager
def full_disk() -> Iterator[None]:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def refused(state: Path) -> CannotStartError:
    with pytest.raises(CannotStartError) as caught, owned_state(state, "live"):
        pass
    return caught.value


def test_the_second_program_is_told_which_one_is_there(tmp_path: Path) -> None:
    with owned_state(tmp_path, "live"):
        error = refused(tmp_path)
    assert error.exit_code == EXIT_IN_USE
    assert f"already running on {tmp_path} (process {os.getpid()})" in str(error)
    with owned_state(tmp_path, "live"):
        pass


def test_the_same_directory_under_another_name_is_the_same(tmp_path: Path) -> None:
    state, link = tmp_path / "state", tmp_path / "link"
    state.mkdir()
    link.symlink_to(state, target_is_directory=True)
    with owned_state(state, "live"):
        assert refused(link).exit_code == EXIT_IN_USE


def test_what_a_machine_with_another_name_left_can_be_removed(tmp_path: Path) -> None:
    lock = tmp_path / "chimein.lock"
    lock.write_text("99999\nchimein\nanother-machine\n", encoding="utf-8")
    error = refused(tmp_path)
    assert error.exit_code == EXIT_IN_USE
    assert "process 99999 on another-machine" in str(error)
    assert f"remove {lock}" in str(error)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit to the size of files")
def test_a_full_disk_is_not_called_another_program(tmp_path: Path) -> None:
    with full_disk():
        error = refused(tmp_path)
    assert error.exit_code == EXIT_FAILED
    assert "already running" not in str(error)
    assert "Make room" in str(error)
