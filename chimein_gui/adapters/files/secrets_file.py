"""`<state>/secrets.toml`: secrets if there is no keychain, and the names of those in the keychain."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import PRIVATE, write_atomic
from chimein_gui.adapters.files.texts import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_HEAD = """\
# Written by Chimein, and readable by you alone. What stands under [values] is secret: give this file to nobody.
"""


@dataclass(frozen=True, slots=True)
class SecretsContent:
    """Content of the file.

    Attributes:
        values: Secrets by name; not in the repr.
        in_keychain: Names of those in the keychain; None if none was recorded yet.
    """

    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    in_keychain: frozenset[str] | None = None


class SecretsFile:
    """Reads and writes the file; both block for a moment."""

    def __init__(self, path: Path) -> None:
        """Create the adapter; nothing is read yet."""
        self.path = path

    def read(self) -> SecretsContent:
        """Return the content; empty for a missing file. Access by other users is removed.

        Raises:
            OSError: It can't be read.
            ValueError: It is not in Chimein's format; the text contains nothing of it.
        """
        try:
            with self.path.open("rb") as file:
                raw = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return SecretsContent()
        if os.name == "posix" and self.path.stat().st_mode & 0o077:
            self.path.chmod(PRIVATE)
        try:
            if len(raw) > MAX_BYTES:
                raise ValueError
            found = tomllib.loads(raw.decode("utf-8"))
            values, names = found.get("values", {}), found.get("in_keychain")
            texts = {name: value for name, value in values.items() if isinstance(value, str)}
            return SecretsContent(MappingProxyType(texts), None if names is None else frozenset(map(str, names)))
        except (ValueError, TypeError, AttributeError, RecursionError):
            pass
        raise ValueError(f"{self.path} is not a file of secrets")  # outside: what was raised may repeat a secret

    def write(self, values: Mapping[str, str], in_keychain: frozenset[str] | None) -> None:
        """Replace the file; its directory is made private.

        Args:
            values: Secrets by name.
            in_keychain: Names of those in the keychain; None if none was recorded yet.

        Raises:
            OSError: Nothing has changed.
        """
        import tomlkit

        document = tomlkit.document()
        if in_keychain is not None:
            document["in_keychain"] = sorted(in_keychain)
        document["values"] = dict(sorted(values.items()))
        directory = self.path.parent
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if directory.stat().st_mode & 0o077:
            directory.chmod(0o700)
        write_atomic(self.path, _HEAD + tomlkit.dumps(document), PRIVATE)
