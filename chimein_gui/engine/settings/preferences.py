"""Changes preferences while the program runs: checks, writes, applies and undoes them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.events import PreferencesChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.settings.rules import DEFAULTS, fitting, preference_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.core.environment import LivePreferences
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import PreferenceFile

_MOST_UNDONE = 50


class PreferencesService:
    """Changes preferences. The file and the values in force are changed together, or not at all."""

    def __init__(self, live: LivePreferences, bus: EventBus, file: PreferenceFile | None = None) -> None:
        """Without a file a change holds until the program ends."""
        self._live = live
        self._bus = bus
        self._file = file
        self._revision = 0
        self._undo: list[tuple[Mapping[str, object], Mapping[str, object]]] = []
        self._one_at_a_time = asyncio.Lock()

    @property
    def can_undo(self) -> bool:
        """Tell whether there is a change of this run to take back."""
        return bool(self._undo)

    def current(self) -> Preferences:
        """Return the preferences in force."""
        return self._live.now

    async def change(self, **values: object) -> Preferences:
        """Change some preferences, all or none. They take effect at once, config directories at the next start.

        Returns:
            The preferences in force.

        Raises:
            ConfigError: Nothing has changed; the note says which value is wrong first, and why.
        """
        problems = [problem for name, value in values.items() if (problem := preference_problem(name, value))]
        if problems:
            raise ConfigError(problems[0])
        wanted = {name: fitting(name, value) for name, value in values.items()}
        return await self._apply(wanted, wanted)

    async def reset(self, name: str) -> Preferences:
        """Reset a preference to its default and remove it from the file.

        Raises:
            ConfigError: There is no such preference, or the file can't be changed.
        """
        default = getattr(DEFAULTS, name, None)
        problem = preference_problem(name, default)
        if problem is not None:
            raise ConfigError(problem)
        return await self._apply({name: default}, {name: None})

    async def undo(self) -> Preferences:
        """Undo the last change, in the file as well; do nothing if there is none.

        Raises:
            ConfigError: The file can't be changed; the change stays in force.
        """
        async with self._one_at_a_time:
            if self._undo:
                held, stood = self._undo[-1]
                await self._write(stood)
                self._undo.pop()
                self._hold(held)
            return self._live.now

    async def _apply(self, wanted: Mapping[str, object], written: Mapping[str, object]) -> Preferences:
        async with self._one_at_a_time:
            held = {name: getattr(self._live.now, name) for name in wanted}
            stood = await self._write(written)
            self._undo = [*self._undo[1 - _MOST_UNDONE :], (held, stood)]
            self._hold(wanted)
            return self._live.now

    async def _write(self, values: Mapping[str, object]) -> Mapping[str, object]:
        return await self._file.write(values) if self._file is not None else dict.fromkeys(values)

    def _hold(self, values: Mapping[str, Any]) -> None:
        self._live.change(replace(self._live.now, **values))
        self._revision += 1
        self._bus.publish(PreferencesChanged(self._live.now, Revision(self._revision)))
