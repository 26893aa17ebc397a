"""The Memory pane: notes and memories, a recall test, an edit in place, the history of a file, and a conflict."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.memory.merging.three_way import Choice
from chimein_gui.tour.driver import looks, still
from chimein_gui.ui.panes.memory.pane import MemoryPane
from chimein_gui.ui.requests import ClosePane

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour
    from chimein_gui.ui.panes.memory.files.side import EntrySide

NOTES = ("Marta is vegetarian and allergic to hazelnuts.", "Call her Marta, never “Mrs Oliveira”.")
MEMORIES = ("Her brother Tiago visits in December.", "She does not drive at night.")
SAID = "shall we drive or take the night train"


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
        pane.files.inspector.recall.field.setText(SAID)
        await hand.until("what is recalled", lambda: pane.model.recall_test.rows)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"memory-{look}")
        pane.remembered.begin_edit()
        await still(pane)
        tour.picture(window, "memory-edit")
        pane.remembered.give_up()
    async with tour.step("every version of a memory file is kept"):
        await _show_history(tour, program, pane)
    async with tour.step("an entry that another program has changed, too, is asked about"):
        await _show_conflict(tour, program, pane)
    async with tour.step("a memory becomes a note"):
        count = pane.curated.list.rows.rowCount()
        pane.remembered.list.step(-9)
        pane.remembered.give()
        await hand.until("the note", lambda: pane.curated.list.rows.rowCount() == count + 1)
        window.requests.send(ClosePane("memory"))


async def _show_history(tour: Tour, program: Program, pane: MemoryPane) -> None:
    history = pane.files.inspector.history
    pane.files.show_history(pane.remembered)
    await hand.until("the versions", lambda: history.model().rowCount() >= len(MEMORIES))
    history.step(1)
    history.entered.emit(history.current)
    await hand.until("the comparison", pane.files.version.isVisible)
    for look in looks(tour, program):
        await still(pane)
        tour.picture(program.window, f"memory-history-{look}")
    pane.files.leave_version()


async def _show_conflict(tour: Tour, program: Program, pane: MemoryPane) -> None:
    side, conflicts = pane.remembered, pane.model.changes.conflicts
    page = side.list.rows.page
    assert page is not None
    hers = next(row for row, card in enumerate(side.list.rows.cards) if "visits in December" in card.text)
    side.list.setCurrentIndex(side.list.rows.index(hers, 0))
    side.begin_edit()
    side.field.set_text("Her brother Tiago visits in December, by train.")
    changed = page.content.replace("visits in December", "visits before Christmas")
    await asyncio.to_thread(Path(page.path).write_text, changed, encoding="utf-8")
    side.save.click()
    await hand.until("the conflict", lambda: conflicts.all and pane.conflicts.isVisible())
    for look in looks(tour, program):
        await still(pane)
        tour.picture(program.window, f"memory-conflict-{look}")
    conflicts.choose_all(conflicts.all[0], Choice.BOTH)
    pane.conflicts.write_result()
    await hand.until("the result", lambda: not conflicts.all)
    pane.tabs.show_page(pane.tabs.place_of(pane.files))


async def _add(side: EntrySide, text: str) -> None:
    count = side.list.rows.rowCount()
    side.begin_new()
    side.field.set_text(text)
    side.save.click()
    await hand.until("the entry", lambda: side.list.rows.rowCount() == count + 1)
