"""Bad files in the state directory: the program says what to do, or starts as if they were not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.directories import live_directories
from chimein_gui.runtime.state_lock import CannotStartError, owned_state
from chimein_gui.viewmodels.words.errors import error_words
from tests.support.bad_files import every_bad_file, spoil


@every_bad_file
def test_bad_preferences_leave_the_usual_config_directory(tmp_path: Path, kind: str) -> None:
    spoil(tmp_path / "preferences.toml", kind, b"config_dirs = ['/elsewhere', '/and/there']\n")
    usual = live_directories({"CHIMEIN_STATE_DIR": str(tmp_path / "none")}).config
    assert live_directories({"CHIMEIN_STATE_DIR": str(tmp_path)}).config == usual


def test_the_home_of_an_unknown_user_is_a_path_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "preferences.toml").write_text("config_dirs = ['~nobody-of-that-name/x']\n")
    assert live_directories({"CHIMEIN_STATE_DIR": str(tmp_path)}).config == (Path("~nobody-of-that-name/x"),)


@every_bad_file
def test_a_bad_stamp_is_told_and_kept(tmp_path: Path, kind: str) -> None:
    untouched = spoil(tmp_path / "chimein.kind", kind, b"sandbox\n")
    if kind == "empty":
        with owned_state(tmp_path, "live"):
            assert (tmp_path / "chimein.kind").read_text() == "live\n"
        return
    with pytest.raises(CannotStartError) as refused, owned_state(tmp_path, "live"):
        pass
    assert str(tmp_path) in error_words(refused.value)
    assert "CHIMEIN_STATE_DIR" in error_words(refused.value)
    assert len(error_words(refused.value)) < 500
    assert untouched()
