"""The Memory pane: a note and a memory are added, one goes to the other side, and one is deleted and comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.tour.driver import looks, still
from chimein_gui.ui.panes.memory.pane import MemoryPane
from chimein_gui.ui.requests import ClosePane

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour
    from chimein_gui.ui.panes.memory.entries import EntrySide

NOTES = ("Marta is vegetarian and allergic to hazelnuts.", "Call her Marta, never “Mrs Oliveira”.")
MEMORIES = ("Her brother Tiago visits in December.", "She does not drive at night.")


async def play_memory(tour: Tour, program: Program) -> None:
    """Write in the chat that is open."""
    window = program.window
    async with tour.step("notes and memories of a chat stand side by side and can be changed"):
        window.show_pane("memory")
        pane = window.pane("memory")
        assert isinstance(pane, MemoryPane)
        await hand.until("the open chat", lambda: pane.people.current is not None and pane.people.current.peer)
        await hand.until("the notes", lambda: pane.curated.list.rows.page)
        for side, texts in ((pane.curated, NOTES), (pane.remembered, MEMORIES)):
            for text in texts:
                await _add(side, text)
        pane.remembered.list.setFocus()
        pane.remembered.list.step(1)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"memory-{look}")
        pane.remembered.begin_edit()
        await still(pane)
        tour.picture(window, "memory-edit")
        pane.remembered.leave_field()
        count = pane.curated.list.rows.rowCount()
        pane.remembered.give()
        await hand.until("the note", lambda: pane.curated.list.rows.rowCount() == count + 1)
        window.requests.send(ClosePane("memory"))


async def _add(side: EntrySide, text: str) -> None:
    count = side.list.rows.rowCount()
    side.begin_new()
    side.field.set_text(text)
    side.save.click()
    await hand.until("the entry", lambda: side.list.rows.rowCount() == count + 1)
