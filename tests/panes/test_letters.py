"""In the fonts that machines differ in, and in both ends of the sizes, every word has the room it takes."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from chimein_gui.ui.dialogs.first_run.wizard import FirstRunDialog
from chimein_gui.ui.panes.rehearsal.pane import FAULTS, IN_FORCE, SCENARIOS, SPEAK
from chimein_gui.ui.requests import MaximizePane, SetUpPersona
from chimein_gui.viewmodels.accounts.first_run import Places
from chimein_gui.viewmodels.preferences.catalogue import Page
from tests.support.on_screen import cut_off

pytestmark = [pytest.mark.usefixtures("family"), pytest.mark.whole_window]

SIZES = ((1440, 900), (1280, 720))


@pytest.fixture(params=[100, 150])
def percent(request):
    return request.param


def settled(desktop):
    for _ in range(3):
        QApplication.sendPostedEvents()
        desktop.settle()


@pytest.fixture(params=SIZES, ids=str)
def room(request, percent, sandbox):
    sandbox.window.resize(*request.param)
    sandbox.window.appearance.choose_text_size(str(percent))
    sandbox.open_chat()
    settled(sandbox)
    return sandbox


def test_chats_and_approvals(room):
    assert cut_off(room.window) == []


def test_the_whole_card(room):
    room.window.requests.send(MaximizePane("approvals"))
    settled(room)
    assert cut_off(room.window) == []


def test_preferences(room):
    room.window.show_pane("preferences")
    for page in Page:
        room.window.panes["preferences"].show_page(page)
        settled(room)
        assert cut_off(room.window.panes["preferences"]) == [], page


def test_the_rehearsal(room):
    room.window.show_pane("rehearsal")
    for page in (SCENARIOS, FAULTS, IN_FORCE, SPEAK):
        room.rehearsal.turn_to(page)
        settled(room)
        assert cut_off(room.rehearsal) == [], page


def test_the_first_run(make_desktop, percent):
    desktop = make_desktop()
    desktop.models.first_run.places = Places(("/config",), "/state")
    desktop.attach()
    desktop.window.appearance.choose_text_size(str(percent))
    desktop.window.requests.send(SetUpPersona())
    desktop.settle()
    wizard = next(one for one in desktop.window.findChildren(FirstRunDialog) if one.isVisible())
    for place in range(len(wizard.steps)):
        wizard.show_step(place)
        settled(desktop)
        assert cut_off(wizard) == [], place
