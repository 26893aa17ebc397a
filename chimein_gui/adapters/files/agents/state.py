"""The agents' own directories below the state directory: session, memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


def move_state(state: Path, old_name: str, new_name: str) -> None:
    """Give an agent's state directory its new name; harmless where there is none, or where that was done already.

    Raises:
        ConfigError: Another agent's state is in the way, or the disk refuses.
    """
    old, new = state / old_name, state / new_name
    try:
        if old_name == new_name or not _exists(old):
            return
        if _exists(new) and not new.samefile(old):
            if any(new.iterdir()):
                raise ConfigError(
                    f"The state of “{old_name}” can't be moved: {new} belongs to an earlier agent of the new name."
                    " Move that directory away, or give the agent another name."
                )
            new.rmdir()
        old.rename(new)
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(f"The state of “{old_name}” can't be moved to {new}: {reason}.") from error


def _exists(directory: Path) -> bool:
    return directory.exists() or directory.is_symlink()
