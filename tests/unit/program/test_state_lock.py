"""Two programs on one state directory: the second is refused, and the words say why."""

from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chimein_gui.runtime.state_lock import EXIT_FAILED, EXIT_IN_USE, CannotStartError, owned_state
from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
from chimein_gui.viewmodels.words.errors import error_words


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
    assert f"already running with the data folder {tmp_path} (process {os.getpid()})" in error_words(error)
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
    assert "(another-machine, process 99999)" in error_words(error)
    assert f"remove {lock}" in error_words(error)


RUNS = """
import sys, pathlib
from chimein_gui.runtime.state_lock import owned_state
with owned_state(pathlib.Path(sys.argv[1]), "live"):
    print("has it", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_program(state: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", RUNS, str(state)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "has it\n"
        try:
            yield program
        finally:
            program.kill()


posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other locks and no modes")


@posix
def test_removing_the_lock_file_lets_nobody_in(tmp_path: Path) -> None:
    with another_program(tmp_path):
        (tmp_path / "chimein.lock").unlink()
        error = refused(tmp_path)
        assert error.exit_code == EXIT_IN_USE
        assert "already running" in error_words(error)


@posix
def test_after_a_crash_nobody_is_called_running(tmp_path: Path) -> None:
    with another_program(tmp_path) as program:
        program.kill()
        program.wait()
        assert (tmp_path / "chimein.lock").exists()
        with full_disk():
            error = refused(tmp_path)
        assert error.exit_code == EXIT_FAILED
        assert "already running" not in error_words(error)
        assert "Free some disk space" in error_words(error)
        with owned_state(tmp_path, "live"):
            pass


@posix
@pytest.mark.parametrize("mode", [0o1777, 0o777, 0o770, 0o1700])
def test_a_shared_directory_is_refused_and_left_as_it_is(tmp_path: Path, mode: int) -> None:
    state = tmp_path / "shared"
    state.mkdir()
    state.chmod(mode)
    error = refused(state)
    assert error.exit_code == EXIT_FAILED
    assert "Others can write" in error_words(error)
    assert stat.S_IMODE(state.stat().st_mode) == mode
    assert list(state.iterdir()) == []


@posix
def test_a_directory_with_other_things_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    state = tmp_path / "home"
    state.mkdir(mode=0o755)
    state.chmod(0o755)
    (state / "letters.txt").write_text("dear")
    error = refused(state)
    assert "has other files in it" in error_words(error)
    assert stat.S_IMODE(state.stat().st_mode) == 0o755
    (state / "preferences.toml").write_text("")
    with owned_state(state, "live"):
        assert stat.S_IMODE(state.stat().st_mode) == 0o700


@posix
@pytest.mark.parametrize(
    "name", ["chimein.kind", "chimein.lock", "window.ini", "secrets.toml", "chimein.db", "Nora Vale/telegram.session"]
)
def test_a_pipe_is_refused_with_its_name_and_hangs_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / name)
    error = refused(tmp_path)
    assert error.exit_code == EXIT_FAILED
    assert str(tmp_path / name) in error_words(error)
    assert "is a pipe" in error_words(error)


@posix
def test_a_link_to_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "window.ini").symlink_to("/dev/zero")
    assert "is a pipe, a socket or a device" in error_words(refused(tmp_path))


@posix
def test_whatever_the_umask_files_are_for_this_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        old = tmp_path / "preferences.toml"
        old.write_text("")
        with owned_state(tmp_path, "live"):
            LayoutMemory(tmp_path / "window.ini").remember("a", "b")
            logging.FileHandler(tmp_path / "chimein.log").close()
            (tmp_path / "logs").mkdir()
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        assert os.umask(0) == 0
    finally:
        os.umask(before)
    modes["window.ini"] = stat.S_IMODE((tmp_path / "window.ini").stat().st_mode)
    assert modes.pop("logs") == 0o700
    assert set(modes.values()) == {0o600}
    assert {"chimein.lock", "chimein.kind", "chimein.log", "preferences.toml", "window.ini"} <= set(modes)
