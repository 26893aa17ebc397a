"""What a screen reader reads of lists and trees is what they show, however their rows come and go."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QTreeView, QWidget

from chimein_gui.domain.ids import MessageId
from chimein_gui.viewmodels.chats.show import Show
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat, message

Role = QAccessible.Role


@pytest.fixture
def crowd(make_desktop):
    QAccessible.setActive(True)
    desktop = make_desktop()
    desktop.api.agents[1], desktop.api.agents[2] = agent(), agent(2, "Jonas Weidt")
    for number in range(1, 6):
        made = NOON - timedelta(minutes=number)
        desktop.api.chats[number] = chat(number, f"Partner {number}", 1 if number < 5 else 2, last_at=made)
        desktop.api.approvals[BIG + number] = approval(number, f"Draft {number}", chat_id=number, created_at=made)
    desktop.api.messages[1] = {number: message(number, f"word {number}") for number in range(1, 300)}
    desktop.attach()
    yield desktop
    QAccessible.setActive(False)


def interface_of(widget):
    return QAccessible.queryAccessibleInterface(widget)


def shown(view):
    """The rows as they are painted, from the top."""
    index, rows = view.model().index(0, 0), []
    if isinstance(view, QTreeView):
        while index.isValid():
            if not view.isRowHidden(index.row(), index.parent()):
                rows.append(index.data(11))
            index = view.indexBelow(index)
        return rows
    return [view.model().index(row, 0).data(11) for row in range(view.model().rowCount())]


def heard(view):
    """The rows as a screen reader is told; each stands where it says that it stands."""
    one = interface_of(view)
    before = 1 if isinstance(view, QTreeView) else 0
    children = [one.child(number) for number in range(one.childCount())]
    assert None not in children
    assert [one.indexOfChild(child) for child in children] == list(range(len(children)))
    return [child.text(QAccessible.Text.Name) for child in children[before:]]


def ids(view):
    one = interface_of(view)
    return {QAccessible.uniqueId(one.child(number)) for number in range(one.childCount())}


class Reading:
    """A screen reader that has read every row before each change, and reads them all again after it."""

    def __init__(self, desktop, view):
        self.desktop, self.view, self.told = desktop, view, set()
        self.agrees()

    def after(self, change, *words):
        change(*words)
        self.desktop.settle()
        for _ in range(3):
            QApplication.processEvents()
        return self.agrees()

    def agrees(self):
        rows = heard(self.view)
        assert rows == shown(self.view)
        now = ids(self.view)
        gone = [one for one in self.told - now if QAccessible.accessibleInterface(one) is not None]
        assert gone == [], "rows that are told no more are kept for ever"
        self.told |= now
        return [row.split(",")[0] for row in rows]


def test_the_tree_of_chats(crowd):
    tree, chats, api = crowd.conversations.tree, crowd.models.chats, crowd.api
    reading = Reading(crowd, tree)
    nora = tree.model().index(0, 0)
    listed = ["Nora Vale", "Partner 1", "Partner 2", "Partner 3", "Partner 4", "Jonas Weidt", "Partner 5"]
    assert reading.agrees() == listed
    assert reading.after(tree.collapse, nora) == ["Nora Vale", "Jonas Weidt", "Partner 5"]
    assert reading.after(tree.expand, nora) == listed
    new = chat(9, "Somebody new", last_at=NOON + timedelta(minutes=1))
    assert reading.after(api.put_chat, new) == ["Nora Vale", "Somebody new", *listed[1:]]
    moved = replace(api.chats[4], last_at=NOON + timedelta(minutes=2))
    assert reading.after(api.put_chat, moved)[1:4] == ["Partner 4", "Somebody new", "Partner 1"]
    assert reading.after(api.put_agent, agent(3, "Otto Brandt"))[-1] == "Otto Brandt"
    assert reading.after(chats.ask, chats.asked.show, "Partner 3") == ["Nora Vale", "Partner 3"]
    assert reading.after(chats.ask, chats.asked.show, "nobody") == []
    assert len(reading.after(chats.ask, chats.asked.show, "")) == 9


def test_the_tree_when_chats_leave_a_filter_and_while_it_is_out_of_sight(crowd):
    tree, chats, api = crowd.conversations.tree, crowd.models.chats, crowd.api
    for number in (2, 3, 5):
        api.put_chat(replace(api.chats[number], unread=1))
    crowd.settle()
    reading = Reading(crowd, tree)
    crowd.conversations.filter.buttons[Show.UNREAD].click()
    reading.after(crowd.settle)
    assert reading.agrees() == ["Nora Vale", "Partner 2", "Partner 3", "Jonas Weidt", "Partner 5"]
    assert "Partner 3" not in reading.after(api.put_chat, replace(api.chats[3], unread=0))
    reading.after(api.put_chat, replace(api.chats[2], unread=0))
    crowd.window.hide()
    reading.after(chats.ask, Show.ALL, "")
    moved = replace(api.chats[4], last_at=NOON + timedelta(minutes=2))
    assert len(reading.after(api.put_chat, moved)) == 7


def test_the_list_of_cards(crowd):
    crowd.window.show_pane("approvals")
    cards, api = crowd.approvals.list, crowd.api
    reading = Reading(crowd, cards)
    assert len(reading.agrees()) == 5
    assert len(reading.after(api.put_approval, approval(6, "Draft 6", chat_id=1))) == 6
    queue = crowd.of_approvals.queue
    for order in type(queue.sort_by):
        assert len(reading.after(lambda order=order: queue.arrange(sort_by=order))) == 6
    assert len(reading.after(lambda: queue.arrange(agent_id=1))) == 6
    later = replace(api.approvals[BIG + 1], created_at=NOON + timedelta(minutes=9))
    reading.after(api.put_approval, later)
    reading.after(queue.narrow, 0, 0)


def test_the_messages_of_a_chat(crowd):
    crowd.open_chat()
    view, api = crowd.conversations.transcript, crowd.api
    reading = Reading(crowd, view)
    assert reading.after(api.put_message, 1, message(300, "newest"))[-1].endswith("newest")
    reading.after(crowd.models.transcript.jump_to, MessageId(20))
    reading.after(crowd.models.transcript.load_older)
    reading.after(view.go_to_foot)
    reading.after(crowd.open_chat, 2)
    reading.after(crowd.open_chat, 1)


def test_what_the_palette_found(crowd):
    crowd.window.action("palette").trigger()
    dialog = crowd.window.lazy.palette.dialog
    reading = Reading(crowd, dialog.list)
    for words in ("part", "partner 3", "nothing is called so", "", ">", "@jonas"):
        reading.after(dialog.field.setText, words)
    dialog.reject()
    crowd.models.toasts.detach()


def test_the_list_of_agents(crowd):
    crowd.window.show_pane("agents")
    reading = Reading(crowd, crowd.agents.list)
    assert reading.agrees() == ["Nora Vale", "Jonas Weidt"]
    assert len(reading.after(crowd.api.put_agent, agent(3, "Adam Abel"))) == 3


def test_a_view_has_rows_and_nothing_else_that_says_it_belongs_there(crowd):
    crowd.open_chat()
    for pane in ("agents", "approvals"):
        crowd.window.show_pane(pane)
    crowd.settle()
    for widget in crowd.window.findChildren(QWidget):
        parent = interface_of(widget).parent()
        assert parent.role() not in (Role.List, Role.Tree, Role.Table), widget
        if not widget.isHidden() and parent.indexOfChild(interface_of(widget)) < 0:
            assert widget.focusPolicy() == widget.focusPolicy().NoFocus, f"{widget} cannot be found"
