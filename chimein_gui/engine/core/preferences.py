"""What the operator has adjusted, as it is at this moment: who keeps it longer than a step keeps this."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.settings.preferences import Preferences


class LivePreferences:
    """Holds the preferences; safe to read from any thread, because they are replaced as a whole."""

    def __init__(self, now: Preferences) -> None:
        """Begin with what the file says."""
        self._now = now
        self._listeners: list[Callable[[Preferences], None]] = []

    @property
    def now(self) -> Preferences:
        """Return them as they are."""
        return self._now

    def change(self, preferences: Preferences) -> None:
        """Replace them; who listens hears of it."""
        self._now = preferences
        for listener in self._listeners:
            listener(preferences)

    def listen(self, listener: Callable[[Preferences], None]) -> None:
        """Call somebody who can't read them each time, now and after every change."""
        self._listeners.append(listener)
        listener(self._now)
