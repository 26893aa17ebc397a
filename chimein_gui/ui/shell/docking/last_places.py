"""Saves and restores what no layout contains: the open chat, the scroll position, and the pane over the transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.ui.shell.context import ShellContext


def remember_places(window: ShellContext) -> None:
    """Save what is open."""
    for pane_id, pane in window.panes.items():
        place = pane.save_place()
        if place:  # a pane that was not filled yet returns nothing
            window.memory.remember(f"place/{pane_id}", place)
    window.memory.remember("overlay", window.overlay.pane_id)


def restore_places(window: ShellContext) -> None:
    """Restore what was open at the last exit.

    The focus does not move: keys that were typed for something else must not decide an approval.
    """
    for pane_id, pane in window.panes.items():
        place = window.memory.text_of(f"place/{pane_id}")
        if place:
            pane.restore_place(place)
    aside = window.memory.text_of("overlay")
    if window.overlay.takes(aside):
        window.pane(aside)
        window.overlay.open_pane(aside)
