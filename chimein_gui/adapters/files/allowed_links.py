"""Files outside the config directories that prompts may be links to, because the operator has allowed it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import make_private, write_atomic
from chimein_gui.adapters.files.texts import UnreadableFileError, read_text
from chimein_gui.domain.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


class AllowedLinks:
    """A list in the state directory; a damaged one allows nothing."""

    def __init__(self, state: Path) -> None:
        """Take note of the state directory; nothing is read or made yet."""
        self._path = state / "allowed_links.json"

    def targets(self) -> frozenset[str]:
        """Return the files, as paths."""
        try:
            listed = json.loads(read_text(self._path))
        except (UnreadableFileError, ValueError, RecursionError):
            return frozenset()
        return frozenset(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else frozenset()

    def add(self, target: str) -> None:
        """Allow one more.

        Raises:
            ConfigError: It could not be noted.
        """
        allowed = sorted({*self.targets(), target})
        try:
            make_private(self._path.parent)
            write_atomic(self._path, json.dumps(allowed, ensure_ascii=False, indent=1))
        except OSError as error:
            words = error.strerror or str(error)
            raise ConfigError(f"That the link is allowed could not be noted: {words}.") from error
