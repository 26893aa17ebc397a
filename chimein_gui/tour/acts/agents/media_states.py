"""The Media pane where nobody has described anything: what that costs, how far it is, and what fails."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from chimein_gui import ui_driver as hand
from chimein_gui.domain.media.records import DescriptionStatus
from chimein_gui.domain.media.requests import DescribingProgress
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.driver import PARTNER, PERSONA, looks, panes_of, still
from chimein_gui.ui.dialogs.description.dialog import DescriptionDialog
from chimein_gui.ui.panes.media.pane import MediaPane
from chimein_gui.ui.requests import ClosePane
from chimein_gui.viewmodels.media.still_pictures import PictureState
from chimein_gui.viewmodels.media_library.changes import SaveState, Saving
from chimein_gui.viewmodels.media_library.groups import Group
from chimein_gui.viewmodels.media_library.pictures import MediaPictures

if TYPE_CHECKING:
    from chimein_gui.domain.media.records import MediaRecord
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour
    from chimein_gui.ui.pane import Pane

STILL_SET, MOVING_SET, NEW_SET = "harbour_otter", "little_lantern", "paper_boats"
SIZE = 4
"""So many stickers have the first two."""

WORDS = "An otter holds a warm cup with both paws: calm thanks, not a joke."
DESCRIBES = "generateContent"
SLOW_S = 3
"""So long takes a description: it can be seen how far many of them are."""


def copy_agents(directory: Path) -> None:
    """Write the agents of the samples without what is described there."""
    for name in ("agents", "prompts"):
        shutil.copytree(resource_path("samples") / name, directory / name)


async def play_media_states(tour: Tour, program: Program) -> None:
    """Let the model describe, fail and be stopped; nothing is put right again, the run ends."""
    window = program.window
    pane = await _open(program)
    still_ones, moving_ones = await _import(program, pane, STILL_SET), await _import(program, pane, MOVING_SET)
    async with tour.step("what describing a whole set costs is said before anything is asked"):
        pane.grid.select(still_ones[0])
        asks = pane.ask_to_describe()
        assert asks is not None
        for look in looks(tour, program, stays=True):
            await with_pictures(program, pane)
            tour.picture(window, f"media-waiting-{look}")
            tour.picture(asks, f"media-estimate-{look}")
        asks.reject()
    await _describe(tour, program, pane, still_ones)
    await _fail(tour, program, pane, moving_ones)
    await _save(tour, program, pane, still_ones[0])
    async with tour.step("a set that nobody has met is imported"):
        importing = pane.ask_for_set()
        importing.field.setText(f"t.me/addstickers/{NEW_SET}")
        importing.ask.click()
        await hand.until("the set", lambda: _set(pane, NEW_SET))
        pane.grid.select(_set(pane, NEW_SET)[0])
        for look in looks(tour, program, stays=True):
            await with_pictures(program, pane)
            tour.picture(window, f"media-imported-{look}")
    window.requests.send(ClosePane("media"))
    await _from_a_bubble(tour, program)


async def play_no_media(tour: Tour, program: Program) -> None:
    """Look at the pane of somebody whose agents have met nothing."""
    window = program.window
    async with tour.step("an agent that has met nothing has no media"):
        window.show_pane("media")
        pane = window.pane("media")
        await hand.until("what is said instead", lambda: _says(pane, "No media yet"))
        for look in looks(tour, program, stays=True):
            await still(pane)
            tour.picture(window, f"media-empty-{look}")
        window.requests.send(ClosePane("media"))


async def with_pictures(program: Program, pane: MediaPane) -> None:
    """Wait until what is in sight of the grid has its pictures, and the pane stands still."""
    pictures, of, grid = program.window.models.pictures, MediaPictures(program.window.models.agents), pane.grid

    def complete() -> bool:
        grid.viewport().repaint()
        for row in range(grid.rows.rowCount()):
            item = grid.rows.item(row)
            is_in_sight = grid.visualRect(grid.rows.index(row, 0)).intersects(grid.viewport().rect())
            message = None if item is None or isinstance(item, Group) or not is_in_sight else of.message_of(item)
            waits = message is not None and pictures.state(message) is PictureState.WAITING
            if waits and message is not None and pictures.still(message, grid.side()) is None:
                return False
        return True

    await hand.until("the pictures", complete)
    await still(pane.facets)


async def _open(program: Program) -> MediaPane:
    window, agents = program.window, panes_of(program).agents
    await hand.until("the account", lambda: hand.row_with(agents.list, f"{PERSONA}, Online"))
    window.show_pane("media")
    window.activateWindow()
    pane = window.pane("media")
    assert isinstance(pane, MediaPane)
    return pane


async def _import(program: Program, pane: MediaPane, name: str) -> tuple[str, ...]:
    """List the stickers of a set; return their ids."""
    pane.model.requests.import_set(name)
    await hand.until("the set", lambda: len(_set(pane, name)) == SIZE)
    program.window.models.toasts.detach()  # they cover the lowest facets
    return _set(pane, name)


async def _describe(tour: Tour, program: Program, pane: MediaPane, ids: tuple[str, ...]) -> None:
    window, requests, sandbox = program.window, pane.model.requests, program.running.sandbox
    assert sandbox is not None
    async with tour.step("many files are described one after the other, and that can be cancelled"):
        fault = await sandbox.inject(FaultRule(FaultKind.MODEL_SLOW, DESCRIBES, seconds=SLOW_S, times=0))
        requests.describe_all([pane.model.entries[one] for one in ids])
        await hand.until("the first one", lambda: _progress(pane).done)
        for look in looks(tour, program, stays=True):
            await still(pane.facets)
            tour.picture(window, f"media-describing-{look}")
        requests.cancel()
        await hand.until("the end", lambda: _progress(pane).is_over)
        await sandbox.remove_fault(fault)
        for look in looks(tour, program, stays=True):
            await still(pane.facets)
            tour.picture(window, f"media-cancelled-{look}")
    async with tour.step("what is left is described, too"):
        requests.describe_all([pane.model.entries[one] for one in ids])
        await hand.until("the texts", lambda: all(_status(pane, one) is DescriptionStatus.GENERATED for one in ids))
        await hand.until("the end", lambda: _progress(pane).is_over)
        for look in looks(tour, program, stays=True):
            await with_pictures(program, pane)
            tour.picture(window, f"media-described-{look}")


async def _fail(tour: Tour, program: Program, pane: MediaPane, ids: tuple[str, ...]) -> None:
    window, sandbox = program.window, program.running.sandbox
    assert sandbox is not None
    async with tour.step("the model fails: it is tried again later, and the pane says why"):
        fault = await sandbox.inject(FaultRule(FaultKind.MODEL_ERROR, DESCRIBES, code=500, times=0))
        pane.grid.select(ids[0])
        pane.model.requests.describe_all([pane.model.entries[one] for one in ids])
        later = DescriptionStatus.TEMPORARY_FAILURE
        await hand.until("the failure", lambda: any(_status(pane, one) is later for one in ids))
        await hand.until("the end", lambda: _progress(pane).is_over)
        for look in looks(tour, program, stays=True):
            await with_pictures(program, pane)
            tour.picture(window, f"media-retry-later-{look}")
        await sandbox.remove_fault(fault)
    async with tour.step("a file of another kind can't be described"):
        other = ids[-1]
        await asyncio.to_thread(_become_unsupported, pane.model.entries[other].generated)
        await hand.until("the mark", lambda: _status(pane, other) is DescriptionStatus.UNSUPPORTED)
        pane.grid.select(other)
        for look in looks(tour, program, stays=True):
            await with_pictures(program, pane)
            tour.picture(window, f"media-unsupported-{look}")


async def _save(tour: Tour, program: Program, pane: MediaPane, unique_id: str) -> None:
    """Write where no directory can be made, and try again when it can."""
    window, changes, texts = program.window, pane.model.changes, pane.detail.texts
    place = pane.model.places[-1]
    folder = Path(place.folder)
    async with tour.step("a text that can't be saved stays, and is saved when it can be"):
        await asyncio.to_thread(folder.parent.mkdir, parents=True, exist_ok=True)
        await asyncio.to_thread(folder.write_text, "in the way", encoding="utf-8")
        changes.place = place
        pane.grid.select(unique_id)
        pane.detail.begin_edit()
        texts.field.set_text(WORDS)
        pane.detail.edit.save_now()
        await hand.until("the failure", lambda: _saving(pane, unique_id) is Saving.FAILED)
        for look in looks(tour, program, stays=True):
            await with_pictures(program, pane)
            tour.picture(window, f"media-not-saved-{look}")
        failed = changes.states[unique_id]
        changes.states[unique_id] = SaveState(Saving.SAVING, WORDS, place)  # it lasts a few milliseconds
        changes.state_changed.emit(unique_id)
        for look in looks(tour, program, stays=True):
            tour.picture(window, f"media-saving-{look}")
        changes.states[unique_id] = failed
        changes.state_changed.emit(unique_id)
        await asyncio.to_thread(folder.unlink)
        texts.retry.click()
        await hand.until("the saved text", lambda: _saving(pane, unique_id) is Saving.SAVED)
        await hand.until("the mark", lambda: _status(pane, unique_id) is DescriptionStatus.CURATED)
        for look in looks(tour, program, stays=True):
            await with_pictures(program, pane)
            tour.picture(window, f"media-saved-{look}")


async def _from_a_bubble(tour: Tour, program: Program) -> None:
    """Open the description of a medium from the menu of its message."""
    window, panes = program.window, panes_of(program)
    async with tour.step("what the persona reads instead of a medium is shown and changed from its bubble"):
        panes.chats.tree.setCurrentIndex(await hand.until("the chat", lambda: hand.row_with(panes.chats.tree, PARTNER)))
        rows, view = window.models.transcript.rows, panes.chats.transcript
        await hand.until("its messages", rows.rowCount)
        number = next(row for row in range(rows.rowCount()) if _has_file(rows.row_at(row)))
        view.setCurrentIndex(rows.index(number, 0))
        QApplication.sendEvent(view, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint()))
        menu = await hand.until("the menu", lambda: view.findChild(QMenu))
        next(one for one in menu.findChildren(QAction) if hand.begins(one.text(), "Description")).trigger()
        menu.close()
        dialog = await hand.until("the dialog", lambda: view.findChild(DescriptionDialog))
        await hand.until("the text", dialog.texts.isEnabled)
        for look in looks(tour, program, stays=True):
            await still(dialog)
            tour.picture(dialog, f"media-description-{look}")
        dialog.reject()


def _has_file(row: object) -> bool:
    message = getattr(row, "message", None)
    return message is not None and message.media is not None and bool(message.media.file_id)


def _says(pane: Pane, words: str) -> bool:
    return any(hand.says(one, words) for one in hand.words_in_sight(pane))


def _set(pane: MediaPane, name: str) -> tuple[str, ...]:
    """Return the files of a set, in the order of the grid."""
    entries = pane.model.entries
    return tuple(one for one in pane.model.rows.order() if entries[one].set_name == name)


def _become_unsupported(record: MediaRecord | None) -> None:
    """Write into a record what a file of a kind that no model takes gets."""
    assert record is not None
    path = Path(record.path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content |= {"status": DescriptionStatus.UNSUPPORTED.value, "description": None}
    path.write_text(json.dumps(content), encoding="utf-8")


def _progress(pane: MediaPane) -> DescribingProgress:
    return pane.model.requests.progress or DescribingProgress(0, 0, 0)


def _status(pane: MediaPane, unique_id: str) -> DescriptionStatus:
    return pane.model.entries[unique_id].status


def _saving(pane: MediaPane, unique_id: str) -> Saving | None:
    state = pane.model.changes.states.get(unique_id)
    return state.saving if state is not None else None
