"""The Media pane: what was met, a description edited, facets, the list, an import, and triage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.media.records import DescriptionStatus
from chimein_gui.tour.acts.agents.media_states import with_pictures
from chimein_gui.tour.driver import looks, still
from chimein_gui.ui.panes.media.pane import MediaPane
from chimein_gui.ui.requests import ClosePane
from chimein_gui.viewmodels.media_library.changes import Saving
from chimein_gui.viewmodels.media_library.facets import NEEDS_LOOK, Section
from chimein_gui.viewmodels.media_library.groups import moves

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

WORDS = "An otter holds a warm cup with both paws: calm thanks, not a joke."


async def play_media(tour: Tour, program: Program) -> None:
    """Curate what the acts before have brought."""
    window = program.window
    async with tour.step("what was met stands in groups of sets and chats"):
        window.show_pane("media")
        window.activateWindow()
        pane = window.pane("media")
        assert isinstance(pane, MediaPane)
        await hand.until("the files", pane.model.rows.rowCount)
        pane.grid.select(_still_one(pane))
        for look in looks(tour, program, stays=True):
            await with_pictures(program, pane)
            tour.picture(window, f"media-{look}")
    async with tour.step("a description is written, and the next file comes"):
        await _describe(pane)
    async with tour.step("facets and the search leave out what does not fit"):
        for look in looks(tour, program, stays=True):
            await _filter(tour, program, pane, look)
    async with tour.step("a sticker set is imported by its link"):
        asks = pane.ask_for_set()
        asks.field.setText("t.me/addstickers/NoSuchSetHere")
        asks.ask.click()
        await hand.until("the refusal", lambda: hand.words_in_sight(asks) and asks.ask.isEnabled())
        for look in looks(tour, program, stays=True):
            tour.picture(asks, f"media-import-{look}")
        asks.reject()
    async with tour.step("files are curated one after the other, in full size"):
        window.activateWindow()  # the dialog before has had the focus
        pane.begin_triage()
        pane.triage.triage.save_phrase("A small lantern sways as if it danced.")
        for look in looks(tour, program, stays=True):
            await still(pane.triage.accept)
            tour.picture(window, f"media-triage-{look}")
            pane.triage.begin_edit()
            await still(pane.triage)
            tour.picture(window, f"media-triage-edit-{look}")
            pane.triage.field.cancelled.emit()
        while pane.triage.triage.entry is not None:
            pane.triage.triage.skip()
        for look in looks(tour, program, stays=True):
            await still(pane.triage)
            tour.picture(window, f"media-triage-done-{look}")
        pane.end_triage()
        window.requests.send(ClosePane("media"))


async def _filter(tour: Tour, program: Program, pane: MediaPane, look: str) -> None:
    """Show what needs a look, then what fits nothing, then all as a list."""
    window = program.window
    pane.model.filter.choose(Section.STATUS, NEEDS_LOOK)
    await with_pictures(program, pane)
    tour.picture(window, f"media-needs-a-look-{look}")
    pane.head.box.setText("no such thing")
    await hand.until("nothing", lambda: not pane.model.rows.rowCount())
    await still(pane.facets)
    tour.picture(window, f"media-nothing-fits-{look}")
    pane.head.box.clear()
    pane.model.filter.show_all()
    await hand.until("all again", pane.model.rows.rowCount)
    pane.head.segments.choose(1)
    pane.head.segments.chosen.emit(1)
    await with_pictures(program, pane)
    tour.picture(window, f"media-list-{look}")
    pane.head.segments.choose(0)
    pane.head.segments.chosen.emit(0)


def _still_one(pane: MediaPane) -> str:
    """Return a sticker that does not move, so that a picture can be compared."""
    entries = pane.model.entries
    order = pane.model.rows.order()
    found = (one for one in order if entries[one].kind == "sticker" and not moves(entries[one]))
    return next(found, order[0])


async def _describe(pane: MediaPane) -> None:
    selected = pane.model.selected
    assert selected is not None
    pane.detail.begin_edit()
    pane.detail.texts.field.set_text(WORDS)
    pane.detail.edit.save_now()
    states = pane.model.changes.states
    await hand.until("the saved text", lambda: states[selected.unique_id].saving is Saving.SAVED)
    entries = pane.model.entries
    await hand.until("the mark", lambda: entries[selected.unique_id].status is DescriptionStatus.CURATED)
    pane.go_to_next()
    await hand.until("the next one", lambda: pane.model.selected is not selected)
