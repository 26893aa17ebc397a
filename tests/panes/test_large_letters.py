"""Letters of another size, live: nothing keeps the heights and widths of the size before."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.ids import Revision
from chimein_gui.ui.panes.approvals.actions.verb_bar import VerbBar
from chimein_gui.ui.widgets.surfaces.pane_title import PaneTitle
from chimein_gui.viewmodels.approvals.available_actions import Action
from tests.fakes.console import BIG, agent

pytestmark = pytest.mark.whole_window


def settle(desktop):
    QApplication.sendPostedEvents()
    desktop.settle()


def grow(desktop, percent):
    desktop.window.action(f"text_{percent}").trigger()
    settle(desktop)


@pytest.fixture
def small(bare):
    bare.console.agents[2] = agent(2, "Otto Brandt")
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
    again.console.agents[2] = agent(2, "Otto Brandt")
    again.attach()
    again.window.resize(1280, 720)
    again.open_chat()
    again.window.show_pane("approvals")
    settle(again)
    assert heights(again) == live
    grow(small, 100)
    assert heights(small) == usual


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize("percent", [90, 100, 125, 150])
def test_the_verb_to_press_on_a_stale_card_is_whole(small, percent):
    """Of four verbs that have no room together, Approve gives way while it can't be pressed."""
    changed = replace(small.console.approvals[BIG + 1], changed_at=Revision(5))
    small.console.put_approval(changed)
    grow(small, percent)
    bar: VerbBar = small.approvals.list.buttons.bar
    again, approve = bar.buttons[Action.REGENERATE], bar.buttons[Action.APPROVE]
    assert again.isVisible()
    assert again.width() >= again.sizeHint().width()
    assert bar.buttons[Action.REJECT].isVisible() >= approve.isVisible(), "what can be pressed goes first"
    small.approvals.list.buttons.tick.click()
    settle(small)
    assert approve.isVisible()
    assert approve.width() >= approve.sizeHint().width()
    assert approve.isEnabled()
