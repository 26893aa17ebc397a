"""The directories of a run: config directories that people edit, one state directory that the program writes.

See docs/behaviour.md, "Where files are".
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CONFIG_VARIABLES = ("CHIMEIN_CONFIG_PATH", "CINDY_AGENT_CONFIG_PATH")
"""Lists of config directories, separated as in PATH; the second is an alias."""

STATE_VARIABLE = "CHIMEIN_STATE_DIR"

_LARGEST = 1_000_000
"""Most bytes of the preferences that are read here; the full reader reports a larger file."""

SANDBOX_SUFFIX = "-sandbox"
"""The sandbox keeps its state beside the live one, never in it."""

OWN_SUFFIX = "-sandbox-own"
"""A rehearsal of the operator's own personas has a third state: in that of the samples their files would be missing."""


@dataclass(frozen=True, slots=True)
class Directories:
    """The directories of one run.

    Attributes:
        config: In order of priority.
        state: Database, sessions, logs.
    """

    config: tuple[Path, ...]
    state: Path

    @property
    def database(self) -> Path:
        """Return the SQLite file."""
        return self.state / "chimein.db"

    @property
    def logs(self) -> Path:
        """Return the directory of rotated logs."""
        return self.state / "logs"

    @property
    def preferences(self) -> Path:
        """Return the file of preferences."""
        return self.state / "preferences.toml"

    @property
    def secrets(self) -> Path:
        """Return the private file of secrets, and of the names of those in the keychain."""
        return self.state / "secrets.toml"

    @property
    def layout(self) -> Path:
        """Return the file with the layout of the window and its panes."""
        return self.state / "window.ini"

    @property
    def shown_files(self) -> Path:
        """Return the directory of files fetched for display; the program may remove them at any time."""
        return self.state / "media" / "shown"

    @property
    def outgoing_files(self) -> Path:
        """Return the directory with copies of files that the operator sends, until they are sent."""
        return self.state / "media" / "outgoing"

    @property
    def character_cards(self) -> Path:
        """Return the directory with the character cards that agents were made of."""
        return self.state / "media" / "cards"

    def session(self, agent_name: str) -> Path:
        """Return the Telegram session file of an agent."""
        return self.state / agent_name / "telegram.session"


def live_directories(environment: Mapping[str, str]) -> Directories:
    """Return the directories of a live run: those of the environment, else of Preferences, else the defaults."""
    config = _listed(environment)
    state = _state(environment)
    if not config and not (config := _preferred(state)):
        import platformdirs

        config = (platformdirs.user_config_path("chimein", appauthor=False),)
    return Directories(config, state)


def sandbox_directories(environment: Mapping[str, str], samples: Path, own: Path | None = None) -> Directories:
    """Return the directories of a sandbox run: the operator's personas or our samples, and a separate state.

    Args:
        environment: The environment variables; config directories that they name are rehearsed.
        samples: The config directory of the program.
        own: A config directory of the operator's, with priority over those of the environment.
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
    """Return the config directories that Preferences name; the full reader reports other mistakes in the file."""
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
    """Return a path with its ``~`` resolved; that of an unknown user is kept literally."""
    try:
        return Path(named).expanduser()
    except RuntimeError:
        return Path(named)


def _state(environment: Mapping[str, str]) -> Path:
    named = environment.get(STATE_VARIABLE)
    if named:
        return _at_home(named)
    import platformdirs  # late: only where the environment does not say it

    return platformdirs.user_state_path("chimein", appauthor=False)
