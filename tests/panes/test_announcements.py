"""What is announced to screen readers, wherever the focus is; over a real bus: tests/e2e/test_heard_over_bus.py."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.dialogs.login.busy_line import BusyLine
from chimein_gui.ui.panes.conversations.chats.tree import ChatTree
from chimein_gui.ui.widgets.controls.spoken_role import announce, speak_as_place
from chimein_gui.ui.widgets.theme.theme import Theme
from tests.fakes.engine_api import approval

pytestmark = pytest.mark.whole_window


@pytest.fixture
def announced(monkeypatch):
    """What is announced, as (words, whether it interrupts)."""
    told = []

    def note(event):
        assert event.type() is not QAccessible.Event.Alert, "nobody is told of it on Linux"
        if type(event) is QAccessibleAnnouncementEvent:
            told.append((event.message(), event.politeness() is QAccessible.AnnouncementPoliteness.Assertive))

    monkeypatch.setattr(QAccessible, "updateAccessibility", staticmethod(note))
    QAccessible.setActive(True)
    yield told
    QAccessible.setActive(False)


def test_an_announcement_is_the_event_that_arrives_without_the_marks_around_names(qtbot, announced):
    widget = QWidget()
    qtbot.addWidget(widget)
    announce(widget, "Approved for \u2068Dédé\u2069", at_once=True)
    announce(widget)
    assert announced == [("Approved for Dédé", True)], "a widget without a name has nothing to say"


def test_a_role_after_the_name_would_come_too_late(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setAccessibleName("The card")
    with pytest.raises(AssertionError, match="before its name"):
        speak_as_place(widget)


def test_an_approval_is_announced_where_no_toast_tells_of_it(cards, announced):
    cards.approvals.list.press("A")
    cards.settle()
    assert cards.models.toasts.current is None
    assert announced == [("Approved for Marta Oliveira. Sends in 5 s. Undo", False)]


def test_a_draft_that_is_taken_back_is_announced_as_waiting_again(cards, announced):
    first = cards.approvals.list.current()
    cards.approvals.list.press("A")
    cards.settle()
    announced.clear()
    cards.put_approval(replace(first, task_status=TaskStatus.AWAITING_DECISION, decided_by=None, version=3))
    assert announced == [("Waits for you again: Marta Oliveira", False)]


def test_a_toast_says_once_what_can_be_done(desktop, announced):
    toasts = desktop.models.toasts
    number = toasts.show("Approved for Marta", "Undo", lambda: None, detail="Sends in 5 s")
    toasts.rewrite(number, "Sends in 4 s")
    assert announced == [("Approved for Marta. Sends in 5 s. Possible now: Undo", False)]
    toasts.detach()


def test_what_runs_in_a_log_in_is_announced_and_no_alert_besides(qtbot, announced):
    line = BusyLine(Theme())
    qtbot.addWidget(line)
    line.say("Connecting…")
    assert announced == [("Connecting…", False)]
    assert QAccessible.queryAccessibleInterface(line).role() is QAccessible.Role.StaticText


def test_a_hold_is_announced_at_once(desktop, announced):
    for _ in range(2):
        desktop.models.holds.hold("")
        desktop.settle()
        desktop.models.holds.release()
        desktop.settle()
    of_holds = [(words, at_once) for words, at_once in announced if "held" in words]
    assert [at_once for _, at_once in of_holds] == [True] * 4
    for held, released in (of_holds[:2], of_holds[2:]):
        assert held[0].startswith("You held everything at ")
        assert released[0] == "Nothing is held any more."


def test_a_draft_that_arrives_is_announced(desktop, qtbot, announced):
    desktop.put_approval(approval(77))
    qtbot.waitUntil(lambda: any("a message to Marta Oliveira waits" in words for words, _ in announced))


def test_a_chat_is_selected_by_its_place_in_the_tree_and_not_by_its_row_below_the_agent(desktop):
    tree = desktop.window.findChild(ChatTree)
    assert tree.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectItems
