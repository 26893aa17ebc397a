"""Saves and restores what no layout contains: the open chat, the scroll position, and the pane over the transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.ui.shell.docking.dock_manager import DockManager
    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory


def remember_places(dock_manager: DockManager, memory: LayoutMemory) -> None:
    """Save what is open."""
    for pane_id, pane in dock_manager.panes.items():
        place = pane.save_place()
        if place:  # a pane that was not filled yet returns nothing
            memory.remember(f"place/{pane_id}", place)
    memory.remember("overlay", dock_manager.overlay.pane_id)


def restore_places(dock_manager: DockManager, memory: LayoutMemory) -> None:
    """Restore what was open at the last exit.

    The focus does not move: keys that were typed for something else must not decide an approval.
    """
    for pane_id, pane in dock_manager.panes.items():
        place = memory.text_of(f"place/{pane_id}")
        if place:
            pane.restore_place(place)
    aside = memory.text_of("overlay")
    if dock_manager.overlay.takes(aside):
        dock_manager.pane(aside)
        dock_manager.overlay.open_pane(aside)
