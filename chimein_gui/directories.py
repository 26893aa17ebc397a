"""Where things are: config directories that people write, one state directory that the program writes (SPEC §2)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

CONFIG_VARIABLES = ("CHIMEIN_CONFIG_PATH", "CINDY_AGENT_CONFIG_PATH")
"""Lists of config directories, separated as in PATH; the second is an alias."""

STATE_VARIABLE = "CHIMEIN_STATE_DIR"

SANDBOX_SUFFIX = "-sandbox"
"""The sandbox keeps its state beside the live one, never in it (SPEC §12)."""


@dataclass(frozen=True, slots=True)
class Directories:
    """The directories of one run.

    Attributes:
        config: Earlier ones win.
        state: Database, sessions, logs.
    """

    config: tuple[Path, ...]
    state: Path

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.state / "chimein.db"

    @property
    def logs(self) -> Path:
        """The directory of rotated logs."""
        return self.state / "logs"

    @property
    def preferences(self) -> Path:
        """What the operator has adjusted."""
        return self.state / "preferences.toml"

    @property
    def layout(self) -> Path:
        """Where the window was, and its panes."""
        return self.state / "window.ini"

    @property
    def shown_files(self) -> Path:
        """Files of messages that were fetched to be shown; the program may remove them at any time."""
        return self.state / "media" / "shown"

    def session(self, agent_name: str) -> Path:
        """The Telegram session file of an agent."""
        return self.state / agent_name / "telegram.session"


def live_directories(environment: Mapping[str, str]) -> Directories:
    """Return the directories of a live run."""
    listed = next((environment[name] for name in CONFIG_VARIABLES if environment.get(name)), "")
    config = tuple(Path(part).expanduser() for part in listed.split(os.pathsep) if part)
    if not config:
        config = (platformdirs.user_config_path("chimein", appauthor=False),)
    return Directories(config, _state(environment))


def sandbox_directories(environment: Mapping[str, str], samples: Path, state: Path | None = None) -> Directories:
    """Return the directories of a sandbox run: our samples, and a state of its own.

    Args:
        environment: The environment variables.
        samples: The config directory that comes with the program.
        state: Used as it is, where given.
    """
    live = _state(environment)
    return Directories((samples,), state or live.with_name(live.name + SANDBOX_SUFFIX))


def _state(environment: Mapping[str, str]) -> Path:
    named = environment.get(STATE_VARIABLE)
    return Path(named).expanduser() if named else platformdirs.user_state_path("chimein", appauthor=False)
