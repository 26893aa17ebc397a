"""One line of the operator's bar: shown while something is wrong, taken back when it works again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import Revision

if TYPE_CHECKING:
    from chimein_gui.engine.core.event_bus import EventBus


class FaultLine:
    """Reports one kind of trouble."""

    def __init__(self, bus: EventBus, key: str, remedy: str) -> None:
        """Take note of what it means for messages and what to do."""
        self._bus = bus
        self._key = key
        self._remedy = remedy
        self._shown = False

    def show(self, cause: str) -> None:
        """Say what happened, one sentence."""
        self._shown = True
        self._bus.publish(FaultReported(self._key, cause, self._remedy, Revision(0)))

    def clear(self) -> None:
        """Take it back, if it is shown."""
        if self._shown:
            self._shown = False
            self._bus.publish(FaultReported(self._key, "", "", Revision(0)))
