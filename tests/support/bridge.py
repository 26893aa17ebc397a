"""The crossing point into Qt, driven by hand."""

from __future__ import annotations

from chimein_gui.viewmodels.core.bridge import EngineBridge


def drain(bridge: EngineBridge) -> None:
    """Hand over all that waits, as the timer of 16 ms would."""
    bridge._timer.stop()
    bridge._drain()
    while bridge._queue:  # a slow machine hands out the rest in later frames
        bridge._drain()
    bridge._timer.stop()
