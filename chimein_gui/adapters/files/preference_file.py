"""Writes `<state>/preferences.toml` (port `PreferenceFile`): single values change, the rest of the file stays."""

from __future__ import annotations

import asyncio
import tomllib
from typing import TYPE_CHECKING, Any

from chimein_gui.adapters.files.atomic import write_atomic
from chimein_gui.adapters.files.texts import MAX_BYTES
from chimein_gui.domain.costs import Price
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.settings.rules import own_prices

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tomlkit import TOMLDocument


class PreferenceFiles:
    """Keeps everything that people wrote around the values: comments, order, line ends, unknown keys."""

    def __init__(self, path: Path) -> None:
        """Create the adapter; nothing is read yet.

        Args:
            path: The file; it is made with the first change.
        """
        self._path = path
        self._one_at_a_time = asyncio.Lock()

    async def write(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Write some values and leave everything else unchanged.

        Raises:
            ConfigError: Nothing has changed: the file is broken, or can't be read or written.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._write, {name: _toml(name, value) for name, value in changes.items()})

    def _text(self) -> str:
        """Return the file's text; larger files than any preferences are refused, because parsing would take minutes."""
        try:
            with self._path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return ""
        if len(data) > MAX_BYTES:
            raise ConfigError(Note(ConfigReason.PREFERENCES_TOO_LARGE, str(self._path)))
        return data.decode("utf-8")

    def _write(self, changes: Mapping[str, Any]) -> dict[str, object]:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        try:
            text = self._text()
            document = tomlkit.parse(text)
            wanted = before = dict(document.unwrap())
            wanted = {name: value for name, value in {**before, **changes}.items() if value is not None}
            for name, value in changes.items():
                _set(document, name, value)
            written = tomlkit.dumps(document)
            if tomllib.loads(written) != wanted:
                raise ConfigError(Note(ConfigReason.PREFERENCES_UNSAFE, str(self._path)))
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomic(self._path, written)
        except OSError as error:
            raise ConfigError(
                Note(ConfigReason.PREFERENCES_NOT_WRITTEN, str(self._path), more=str(error.strerror))
            ) from error
        except (TOMLKitError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
            raise ConfigError(Note(ConfigReason.PREFERENCES_BROKEN, str(self._path), more=str(error))) from error
        return {name: before.get(name) for name in changes}


def _toml(name: str, value: object) -> object:
    """Return a value in the form of the file: a table of prices, a list of directories."""
    if name == "prices" and isinstance(value, tuple | list):
        own = own_prices([one for one in value if isinstance(one, Price)])
        return {price.model: _entry(price) for price in own} or None
    if isinstance(value, tuple):
        return list(value) or None
    return value


def _entry(price: Price) -> list[object]:
    """Return prompt and reply, the price of cached tokens if it differs, and the day if there is one."""
    cached = () if price.cached is None else (price.cached,)
    since = () if price.since is None else (price.since,)
    return [price.prompt, price.reply, *cached, *since]


def _set(document: TOMLDocument, name: str, value: object) -> None:
    """Change one value; a table is changed entry by entry, so that comments at other entries stay."""
    if value is None:
        document.pop(name, None)
    elif isinstance(value, dict) and isinstance(document.get(name), dict):
        table: Any = document[name]
        for entry in [one for one in table if one not in value]:
            del table[entry]
        for entry, pair in value.items():
            if table.get(entry) != pair:
                table[entry] = pair
    elif document.get(name) != value or type(document.get(name)) is bool:
        document[name] = value
