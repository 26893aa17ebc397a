"""Where things are, and that sandbox and live never share a directory."""

from __future__ import annotations

import os
from pathlib import Path

from chimein_gui.directories import live_directories, sandbox_directories


def test_the_environment_names_the_directories(tmp_path: Path) -> None:
    environment = {
        "CHIMEIN_CONFIG_PATH": os.pathsep.join([str(tmp_path / "a"), "", str(tmp_path / "b")]),
        "CHIMEIN_STATE_DIR": str(tmp_path / "state"),
    }
    found = live_directories(environment)
    assert found.config == (tmp_path / "a", tmp_path / "b")
    assert found.state == tmp_path / "state"
    assert found.session("Nora Vale") == tmp_path / "state" / "Nora Vale" / "telegram.session"


def test_the_old_name_is_an_alias_and_the_new_one_wins(tmp_path: Path) -> None:
    old = {"CINDY_AGENT_CONFIG_PATH": str(tmp_path / "old")}
    assert live_directories(old).config == (tmp_path / "old",)
    both = {**old, "CHIMEIN_CONFIG_PATH": str(tmp_path / "new")}
    assert live_directories(both).config == (tmp_path / "new",)


def test_the_sandbox_has_a_state_of_its_own(tmp_path: Path) -> None:
    environment = {"CHIMEIN_STATE_DIR": str(tmp_path / "state")}
    sandbox = sandbox_directories(environment, tmp_path / "samples")
    assert sandbox.config == (tmp_path / "samples",)
    assert sandbox.state != live_directories(environment).state
    assert sandbox.state not in live_directories(environment).state.parents
    assert live_directories(environment).state not in sandbox.state.parents


def test_the_sandbox_rehearses_the_operators_own_personas_in_a_state_of_their_own(tmp_path: Path) -> None:
    environment = {"CHIMEIN_STATE_DIR": str(tmp_path / "state")}
    samples = sandbox_directories(environment, tmp_path / "samples")
    for name in ("CHIMEIN_CONFIG_PATH", "CINDY_AGENT_CONFIG_PATH"):
        listed = os.pathsep.join([str(tmp_path / "a"), str(tmp_path / "b")])
        own = sandbox_directories({**environment, name: listed}, tmp_path / "samples")
        assert own.config == (tmp_path / "a", tmp_path / "b")
        assert own.state not in {samples.state, live_directories(environment).state}
    given = sandbox_directories({**environment, "CHIMEIN_CONFIG_PATH": "x"}, tmp_path / "samples", tmp_path / "c")
    assert given.config == (tmp_path / "c",)


def test_preferences_name_the_config_directories_and_the_environment_wins(tmp_path: Path) -> None:
    environment = {"CHIMEIN_STATE_DIR": str(tmp_path)}
    (tmp_path / "preferences.toml").write_text(f'config_dirs = ["{tmp_path / "a"}", "~/b"]\n', encoding="utf-8")
    assert live_directories(environment).config == (tmp_path / "a", Path("~/b").expanduser())
    environment["CHIMEIN_CONFIG_PATH"] = str(tmp_path / "c")
    assert live_directories(environment).config == (tmp_path / "c",)
