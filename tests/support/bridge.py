"""Drives the bridge into Qt without its timer."""

from __future__ import annotations

from chimein_gui.viewmodels.core.bridge import EngineBridge


def drain(bridge: EngineBridge) -> None:
    """Deliver all waiting events, as the 16 ms timer would."""
    bridge._timer.stop()
    bridge._drain()
    while bridge._queue:  # on a slow machine the rest comes in later frames
        bridge._drain()
    bridge._timer.stop()
