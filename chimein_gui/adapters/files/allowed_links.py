"""Files outside the config directories to which prompts may link, with the operator's permission."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import make_private, write_atomic
from chimein_gui.adapters.files.texts import UnreadableFileError, read_text
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason

if TYPE_CHECKING:
    from pathlib import Path


class AllowedLinks:
    """A list in the state directory; a damaged one allows nothing."""

    def __init__(self, state: Path) -> None:
        """Create the list; nothing is read or made yet."""
        self._path = state / "allowed_links.json"

    def targets(self) -> frozenset[str]:
        """Return the paths of the allowed files."""
        try:
            listed = json.loads(read_text(self._path))
        except (UnreadableFileError, ValueError, RecursionError):
            return frozenset()
        return frozenset(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else frozenset()

    def add(self, target: str) -> None:
        """Allow one more file.

        Raises:
            ConfigError: The permission could not be stored.
        """
        allowed = sorted({*self.targets(), target})
        try:
            make_private(self._path.parent)
            write_atomic(self._path, json.dumps(allowed, ensure_ascii=False, indent=1))
        except OSError as error:
            words = error.strerror or str(error)
            raise ConfigError(Note(ConfigReason.LINK_NOT_NOTED, words)) from error
