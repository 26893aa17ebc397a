"""The Memory pane: notes and memories, a recall test, an edit in place, the history of a file, and a conflict."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.domain.memory.merging.three_way import Choice
from chimein_gui.tour.driver import PERSONA, chat_with, looks, still
from chimein_gui.ui.panes.memory.pane import MemoryPane
from chimein_gui.ui.requests import ClosePane
from chimein_gui.viewmodels.memory.people import PersonRow

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour
    from chimein_gui.ui.panes.memory.files.side import EntrySide

NOTES = ("Marta is vegetarian and allergic to hazelnuts.", "Call her Marta, never “Mrs Oliveira”.")
MEMORIES = ("Her brother Tiago visits in December.", "She does not drive at night.")
SOMEBODY_ELSE = "Tiago Freixo"
LEAK = "Tiago has lost the key of the boathouse and has told nobody."
"""What somebody else said, and all chats would read."""

FOUND, NOT_FOUND = "boathouse", "zeppelin"
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
        window.activateWindow()
        await _tell_elsewhere(program, pane)
        pane.remembered.list.setFocus()
        pane.remembered.list.step(1)
        recall = pane.files.inspector.recall
        recall.field.setText(SAID)
        await hand.until("what is recalled", lambda: any(MEMORIES[1] in row for row in hand.rows(recall.list)[:1]))
        window.models.toasts.detach()  # they cover the lowest rows
        for look in looks(tour, program, stays=True):
            await still(pane)
            tour.picture(window, f"memory-{look}")
    async with tour.step("an entry is written in its place, and one in place of two"):
        for look in looks(tour, program, stays=True):
            pane.remembered.begin_edit()
            await still(pane)
            tour.picture(window, f"memory-edit-{look}")
            pane.remembered.give_up()
            pane.remembered.begin_merge()
            await still(pane)
            tour.picture(window, f"memory-merge-{look}")
            pane.remembered.give_up()
    async with tour.step("what is searched, what does not fit, and a chat without memories"):
        await _show_search(tour, program, pane)
    async with tour.step("a memory file that can't be read is named, and the others are shown"):
        await _show_unreadable(tour, program, pane)
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


async def _tell_elsewhere(program: Program, pane: MemoryPane) -> None:
    """Let the agent remember for all chats what somebody else has said."""
    page = pane.remembered.list.rows.page
    chat = await chat_with(program, SOMEBODY_ELSE)
    assert page is not None
    assert chat.last_at is not None
    provenance = f"chat {int(chat.info.peer_id)} ({SOMEBODY_ELSE}), source: the agent's reply"
    block = entry_of(LEAK, at=chat.last_at, provenance=provenance, key="tour")
    await asyncio.to_thread((Path(page.path).parent.parent / "memory.md").write_text, block, encoding="utf-8")
    await hand.until("what somebody else said", lambda: hand.row_with(pane.remembered.list, LEAK))


async def _show_search(tour: Tour, program: Program, pane: MemoryPane) -> None:
    recall, people = pane.files.inspector.recall, pane.files.people
    before = pane.model.chosen
    recall.modes.choose(1)
    recall.modes.chosen.emit(1)
    for look in looks(tour, program, stays=True):
        recall.field.setText(FOUND)
        await hand.until("what is found", lambda: hand.rows(recall.list))
        await still(pane)
        tour.picture(program.window, f"memory-search-{look}")
        recall.field.setText(NOT_FOUND)
        people.box.setText(NOT_FOUND)
        await hand.until("nothing", lambda: not hand.rows(recall.list))
        await still(pane)
        tour.picture(program.window, f"memory-nothing-fits-{look}")
        people.box.clear()
    recall.field.clear()
    recall.modes.choose(0)
    recall.modes.chosen.emit(0)
    pane.model.choose(PersonRow(PERSONA, (await chat_with(program, SOMEBODY_ELSE)).info.peer_id, SOMEBODY_ELSE))
    await hand.until("a chat without notes", pane.curated.list.isHidden)
    for look in looks(tour, program, stays=True):
        await still(pane)
        tour.picture(program.window, f"memory-empty-{look}")
    pane.model.choose(before)
    await hand.until("the notes again", lambda: pane.curated.list.rows.page)


async def _show_unreadable(tour: Tour, program: Program, pane: MemoryPane) -> None:
    page = pane.remembered.list.rows.page
    assert page is not None
    path, aside = Path(page.path), Path(f"{page.path}.aside")
    await asyncio.to_thread(path.rename, aside)
    await asyncio.to_thread(path.mkdir)
    await hand.until("the problem", pane.files.message.isVisible)
    for look in looks(tour, program, stays=True):
        await still(pane)
        tour.picture(program.window, f"memory-unreadable-{look}")
    await asyncio.to_thread(path.rmdir)
    await asyncio.to_thread(aside.rename, path)
    await hand.until("the entries again", lambda: hand.row_with(pane.remembered.list, MEMORIES[0]))


async def _show_history(tour: Tour, program: Program, pane: MemoryPane) -> None:
    history = pane.files.inspector.history
    pane.files.show_history(pane.remembered)
    await hand.until("the versions", lambda: history.model().rowCount() >= len(MEMORIES))
    history.step(1)
    history.entered.emit(history.current)
    await hand.until("the comparison", pane.files.version.isVisible)
    for look in looks(tour, program, stays=True):
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
    for look in looks(tour, program, stays=True):
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
