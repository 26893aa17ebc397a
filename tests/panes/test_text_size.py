"""Text of every size: nothing is cut off, live and after a restart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.ids import Revision
from chimein_gui.ui.dialogs.first_run.wizard import FirstRunDialog
from chimein_gui.ui.panes.approvals.actions.action_bar import ActionBar
from chimein_gui.ui.panes.rehearsal.pane import FAULTS, IN_FORCE, SCENARIOS, SPEAK
from chimein_gui.ui.requests import MaximizePane, SetUpPersona
from chimein_gui.ui.widgets.surfaces.pane_title import PaneTitle
from chimein_gui.viewmodels.accounts.first_run import Places
from chimein_gui.viewmodels.approvals.available_actions import Action
from chimein_gui.viewmodels.preferences.catalogue import Page
from tests.fakes.engine_api import BIG, agent
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


def test_nothing_is_cut_off(room):
    assert cut_off(room.window) == []
    room.window.requests.send(MaximizePane("approvals"))
    settled(room)
    assert cut_off(room.window) == [], "the whole card"
    room.window.requests.send(MaximizePane("approvals"))
    room.window.show_pane("preferences")
    for page in Page:
        room.window.panes["preferences"].show_page(page)
        settled(room)
        assert cut_off(room.window.panes["preferences"]) == [], page
    room.window.show_pane("rehearsal")
    for part in (SCENARIOS, FAULTS, IN_FORCE, SPEAK):
        room.rehearsal.turn_to(part)
        settled(room)
        assert cut_off(room.rehearsal) == [], part


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


def settle(desktop):
    QApplication.sendPostedEvents()
    desktop.settle()


def grow(desktop, percent):
    desktop.window.action(f"text_{percent}").trigger()
    settle(desktop)


@pytest.fixture
def small(bare):
    bare.api.agents[2] = agent(2, "Otto Brandt")
    bare.attach()
    bare.window.resize(1280, 720)
    bare.open_chat()
    bare.window.show_pane("approvals")
    settle(bare)
    return bare


def heights(desktop):
    window, conversations, approvals = desktop.window, desktop.conversations, desktop.approvals
    return {
        "cards": [approvals.list.visualRect(approvals.list.model().index(row, 0)).height() for row in range(2)],
        "chats": conversations.tree.visualRect(conversations.tree.currentIndex()).height(),
        "agents": desktop.agents.list.sizeHintForRow(0),
        "titles": [title.height() for title in window.findChildren(PaneTitle)],
        "composer": conversations.writer.agent.editor.height(),
        "legend": approvals._legend.height(),
        "rail": window.rail.buttons["approvals"].height(),
        "top bar": window.top_bar.hold.height(),
    }


def test_live_and_after_a_restart_all_is_as_high(make_desktop, small, tmp_path):
    usual = heights(small)
    grow(small, 150)
    live = heights(small)
    for name, value in live.items():
        assert value > usual[name], name
    path = tmp_path / "window.ini"
    first = make_desktop(settings_path=path)
    first.window.action("text_150").trigger()
    first.window.close()
    again = make_desktop(settings_path=path)
    again.furnish()
    again.api.agents[2] = agent(2, "Otto Brandt")
    again.attach()
    again.window.resize(1280, 720)
    again.open_chat()
    again.window.show_pane("approvals")
    settle(again)
    assert heights(again) == live
    grow(small, 100)
    assert heights(small) == usual


@pytest.mark.parametrize("percent", [90, 100, 125, 150])
def test_the_action_to_press_on_a_stale_card_is_whole(small, percent):
    """Of four actions that have no room together, Approve gives way while it can't be pressed."""
    changed = replace(small.api.approvals[BIG + 1], changed_at=Revision(5))
    small.api.put_approval(changed)
    grow(small, percent)
    bar: ActionBar = small.approvals.list.buttons.bar
    again, approve = bar.buttons[Action.REGENERATE], bar.buttons[Action.APPROVE]
    assert again.isVisible()
    assert again.width() >= again.sizeHint().width()
    assert bar.buttons[Action.REJECT].isVisible() >= approve.isVisible(), "what can be pressed goes first"
    small.approvals.list.buttons.tick.click()
    settle(small)
    assert approve.isVisible()
    assert approve.width() >= approve.sizeHint().width()
    assert approve.isEnabled()
