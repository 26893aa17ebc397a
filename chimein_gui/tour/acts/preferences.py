"""Preferences: a value is changed, refused and taken back; every page in both schemes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.tour.driver import looks, press, still
from chimein_gui.ui.panes.preferences.pane import PreferencesPane
from chimein_gui.ui.requests import ClosePane
from chimein_gui.viewmodels.preferences.catalogue import SETTINGS, Page

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

UNDO = next(setting for setting in SETTINGS if setting.name == "undo_s")
SHOWN_S = 7.0


async def play_preferences(tour: Tour, program: Program) -> None:
    """Do it step by step; everything is as it was afterwards."""
    window = program.window
    pane = window.pane("preferences")
    assert isinstance(pane, PreferencesPane)
    model = window.models.preferences_model
    before = model.current
    async with tour.step("the preferences open with all the room, and a change holds at once"):
        window.show_pane("preferences")
        model.change(UNDO, SHOWN_S)
        await hand.until("the change", lambda: program.running.engine.preferences.undo_s == SHOWN_S)
        assert pane.isVisible()
        pane.show_page(UNDO.page)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"preferences-{look}")
            pane.show_page(Page.MODELS)
            await still(pane)
            tour.picture(window, f"preferences-models-{look}")
            bar = pane.contents.verticalScrollBar()
            if bar.maximum():
                bar.setValue(bar.maximum())
                await still(pane)
                tour.picture(window, f"preferences-models-end-{look}")
            pane.show_page(Page.LIMITS)
            bar.setValue(bar.maximum())
            await still(pane)
            tour.picture(window, f"preferences-limits-{look}")
            pane.show_page(UNDO.page)
    async with tour.step("a search leaves what matches"):
        pane.search.setText("typing")
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"preferences-search-{look}")
        pane.search.setText("")
    async with tour.step("the change is taken back, and the pane gives its room back"):
        await press(pane, "Undo")
        await hand.until("what was", lambda: model.current == before)
        window.requests.send(ClosePane("preferences"))
        assert not pane.isVisible()
