"""The age of the oldest waiting item of a pane, for `PaneSpec.oldest`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.viewmodels.core.throttle import TELL_MS, Throttle

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from PySide6.QtCore import QObject, SignalInstance

    from chimein_gui.viewmodels.core.clock import ClockFace

FROM_S = 60
"""Age in seconds from which on the age of the oldest item is shown."""


def follow_age(
    clock: ClockFace,
    since: Callable[[], datetime | None],
    changed: SignalInstance,
    show: Callable[[str, bool], None],
    parent: QObject,
) -> None:
    """Show the age of the oldest item now, when the items change and as time passes.

    Args:
        clock: The time.
        since: Returns since when the oldest item waits, aware UTC; None if nothing waits.
        changed: The items have changed.
        show: Gets the age in words, empty for none, and whether it is a warning.
        parent: Ends with it.
    """

    def tell() -> None:
        oldest = since()
        is_shown = oldest is not None and (clock.now() - oldest).total_seconds() >= FROM_S
        show(clock.age(oldest) if oldest is not None and is_shown else "", oldest is not None and clock.is_old(oldest))

    throttle = Throttle(TELL_MS, tell, parent)
    changed.connect(throttle.ask)
    clock.ticked.connect(tell)
