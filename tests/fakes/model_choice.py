"""A choice of models without real models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.settings.answering import Answering

if TYPE_CHECKING:
    from collections.abc import Callable


class FakeModelChoice:
    """Implements `engine.ports.ModelChoice`.

    Attributes:
        key: Whether there is one.
    """

    def __init__(self) -> None:
        self.answering = Answering.WRITTEN
        self.key = True
        self._listeners: list[Callable[[], None]] = []

    def has_key(self) -> bool:
        """Tell whether there is a key."""
        return self.key

    def choose(self, answering: Answering) -> None:
        """Let another model answer."""
        self.answering = answering
        for changed in self._listeners:
            changed()

    def listen(self, changed: Callable[[], None]) -> None:
        """Add a listener that is called after each change."""
        self._listeners.append(changed)
