"""What a second, or news of one account, must not do: paint or lay out what says the same as before."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.agents import Health
from tests.fakes.console import agent


class Told(QObject):
    """Keeps what a widget is told of, and how much of it is painted."""

    def __init__(self, widget):
        super().__init__(widget)
        self.kinds, self.painted = [], []
        widget.installEventFilter(self)

    def eventFilter(self, _watched, event):
        self.kinds.append(event.type())
        if event.type() == QEvent.Type.Paint:
            self.painted.append(event.region().boundingRect())
        return False


@pytest.fixture
def several(desktop, qtbot):
    """The Agents pane in sight, with three agents, at rest."""
    for number in (2, 3):
        desktop.console.put_agent(agent(number, f"Agent {number}"))
    desktop.window.show_pane("agents")
    desktop.settle()
    qtbot.waitUntil(lambda: not desktop.agents._repaint.isActive())
    QApplication.processEvents()
    return desktop


def test_an_agent_that_takes_no_more_room_is_painted_alone(several, qtbot):
    view = several.agents.list
    told = Told(view.viewport())
    several.put_agent(replace(several.console.agents[2], health=Health.CONNECTING))
    qtbot.waitUntil(lambda: bool(told.painted))
    assert all(view.visualRect(view.model().index(1, 0)).contains(painted) for painted in told.painted)


def test_an_agent_that_takes_more_room_moves_those_below(several, qtbot):
    view = several.agents.list
    before = view.visualRect(view.model().index(2, 0)).top()
    several.put_agent(replace(several.console.agents[2], limited="PEER_FLOOD"))
    qtbot.waitUntil(lambda: view.visualRect(view.model().index(2, 0)).top() > before)


def test_what_happens_to_another_agent_leaves_the_verbs_alone(several, monkeypatch):
    verbs = several.agents.verbs
    monkeypatch.setattr(verbs.hold, "setAccessibleName", lambda _name: pytest.fail("named again"))
    several.put_agent(replace(several.console.agents[2], health=Health.CONNECTING))
    monkeypatch.undo()
    several.put_agent(replace(several.console.agents[1], health=Health.STOPPED))
    assert (verbs.start.isVisible(), verbs.stop.isVisible()) == (True, False)


@pytest.mark.parametrize("width", [0, 300])
def test_a_second_that_changes_nothing_leaves_a_draft_alone(desktop, qtbot, width):
    """Also where there is no room for all words of its verbs."""
    desktop.open_chat()
    desktop.window.late.warm_up.stop()  # it begins after 200 ms, and makes panes of its own
    desktop.settle()
    bubble = desktop.conversations.drafts.bubbles()[0]
    if width:
        bubble.buttons.setFixedWidth(width)
        qtbot.waitUntil(lambda: bubble.buttons.width() == width)
    qtbot.waitUntil(lambda: not desktop.conversations._pace.is_resting)
    shown = [button for button in bubble.buttons.in_order() if button.isVisible()]
    told = [Told(widget) for widget in (bubble, bubble.buttons, *shown)]
    forbidden = {QEvent.Type.ToolTipChange, QEvent.Type.Paint, QEvent.Type.LayoutRequest}

    def stirred():
        QApplication.processEvents()
        stirrings = [kind for one in told for kind in one.kinds if kind in forbidden]
        for one in told:
            one.kinds.clear()
        return stirrings

    qtbot.waitUntil(lambda: not stirred() and not stirred())  # a layout may bring about the next
    desktop.models.clock.ticked.emit()
    assert shown
    assert not stirred()
