"""Where things are: config directories that people write, one state directory that the program writes.

See docs/behaviour.md, "Where files are".
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

CONFIG_VARIABLES = ("CHIMEIN_CONFIG_PATH", "CINDY_AGENT_CONFIG_PATH")
"""Lists of config directories, separated as in PATH; the second is an alias."""

STATE_VARIABLE = "CHIMEIN_STATE_DIR"

_LARGEST = 1_000_000
"""Bytes of preferences; whoever reads all of them tells of it."""

SANDBOX_SUFFIX = "-sandbox"
"""The sandbox keeps its state beside the live one, never in it."""

OWN_SUFFIX = "-sandbox-own"
"""So does a rehearsal of the operator's own personas: in the state of the samples they would miss their files."""


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
    def secrets(self) -> Path:
        """Secrets where there is no keychain, and the names of those in it; private to the user."""
        return self.state / "secrets.toml"

    @property
    def layout(self) -> Path:
        """Where the window was, and its panes."""
        return self.state / "window.ini"

    @property
    def shown_files(self) -> Path:
        """Files of messages that were fetched to be shown; the program may remove them at any time."""
        return self.state / "media" / "shown"

    @property
    def outgoing_files(self) -> Path:
        """Copies of the files that the operator sends, until they are sent."""
        return self.state / "media" / "outgoing"

    def session(self, agent_name: str) -> Path:
        """The Telegram session file of an agent."""
        return self.state / agent_name / "telegram.session"


def live_directories(environment: Mapping[str, str]) -> Directories:
    """Return the directories of a live run: the environment's, else those of Preferences, else the usual ones."""
    config = _listed(environment)
    state = _state(environment)
    if not config:
        config = _preferred(state) or (platformdirs.user_config_path("chimein", appauthor=False),)
    return Directories(config, state)


def sandbox_directories(environment: Mapping[str, str], samples: Path, own: Path | None = None) -> Directories:
    """Return the directories of a sandbox run: the operator's personas or our samples, and a state of its own.

    Args:
        environment: The environment variables; a config directory that they name is rehearsed.
        samples: The config directory that comes with the program.
        own: A config directory of the operator's, before those of the environment.
    """
    config = (own.expanduser(),) if own is not None else _listed(environment)
    suffix = OWN_SUFFIX if config else SANDBOX_SUFFIX
    live = _state(environment)
    return Directories(config or (samples,), live.with_name(live.name + suffix))


def _listed(environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the config directories that the environment names."""
    listed = next((environment[name] for name in CONFIG_VARIABLES if environment.get(name)), "")
    return tuple(_at_home(part) for part in listed.split(os.pathsep) if part)


def _preferred(state: Path) -> tuple[Path, ...]:
    """Return the config directories that Preferences name; whoever reads all of it reports what is wrong in it."""
    path = state / "preferences.toml"
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return ()
        import tomllib

        named = tomllib.loads(path.read_text(encoding="utf-8-sig")).get("config_dirs", ())
    except (OSError, ValueError, RecursionError):
        return ()
    listed = named if isinstance(named, list) else []
    return tuple(_at_home(one) for one in listed if isinstance(one, str) and one)


def _at_home(named: str) -> Path:
    """Return a path with its ``~`` resolved; that of a user who is unknown here is a path like any other."""
    try:
        return Path(named).expanduser()
    except RuntimeError:
        return Path(named)


def _state(environment: Mapping[str, str]) -> Path:
    named = environment.get(STATE_VARIABLE)
    return _at_home(named) if named else platformdirs.user_state_path("chimein", appauthor=False)
