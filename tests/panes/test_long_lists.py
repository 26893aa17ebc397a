"""With 10,000 open drafts the window does no more for an event than with 1,000; and every card can be reached."""

import sys
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.ids import ApprovalId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.approvals.list.delegate import CardDelegate
from chimein_gui.ui.panes.conversations.chats import window as tree_window
from chimein_gui.ui.requests import SelectDraft
from chimein_gui.ui.widgets.rows import list_window
from chimein_gui.viewmodels import window as window_models
from chimein_gui.viewmodels.chats import branches as chat_branches
from chimein_gui.viewmodels.chats import chats as chat_rows
from chimein_gui.viewmodels.chats import moves as chat_moves
from chimein_gui.viewmodels.core import windowed_list
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat

Key = Qt.Key


@pytest.fixture(autouse=True)
def nothing_waits(monkeypatch):
    """Chats are read without waiting for the planned sends: jobs are run here without a loop."""
    monkeypatch.setattr(window_models, "PREPARED_AT_ONCE", 1_000_000)


def shown(desktop):
    """Do what is due: layouts, paints, and what waits for the next turn of the loop."""
    desktop.settle()
    for _ in range(3):
        desktop.window.repaint()
        QApplication.processEvents()
    desktop.window.grab()


def crowd(make_desktop, many):
    """Each draft in a chat of its own; the oldest draft is in the oldest chat."""
    desktop = make_desktop()
    desktop.api.agents[1] = agent()
    for number in range(1, many + 1):
        made = NOON - timedelta(seconds=many - number)
        desktop.api.chats[number] = chat(number, f"Partner {number}", pending=1, last_at=made)
        desktop.api.approvals[BIG + number] = approval(number, chat_id=number, created_at=made)
    desktop.attach()
    desktop.window.lazy.warm_up.stop()  # it begins after 200 ms, and would be counted as whatever happens then
    desktop.models.clock._timer.stop()  # and so would a second that ends meanwhile
    desktop.window.show_pane("approvals")
    desktop.approvals.list.setFocus()
    while len(desktop.models.chats.all_chats()) < many:  # they are taken in by slices
        shown(desktop)
    shown(desktop)
    return desktop


PAGE, STEP, MOST, MANY = 20, 10, 60, 100
"""Small pages keep these tests quick; a screen shows seven cards and a dozen chats."""


@pytest.fixture
def cards(make_desktop, monkeypatch):
    monkeypatch.setattr(windowed_list, "PAGE_ROWS", PAGE)
    monkeypatch.setattr(windowed_list, "STEP_ROWS", STEP)
    monkeypatch.setattr(list_window, "MOST_ROWS", MOST)
    for module in (chat_branches, chat_rows, tree_window):
        monkeypatch.setattr(module, "PAGE_CHATS", PAGE)
    for module in (chat_moves, chat_rows, tree_window):
        monkeypatch.setattr(module, "MOST_CHATS", MOST)
    return crowd(make_desktop, MANY)


def calls_of(work):
    """Count the Python calls, which is what every row that is asked for costs."""
    calls = 0

    def count(_frame, event, _what):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def calls_an_event(desktop, many):
    """Return the calls for a new draft, a decision on the oldest, a message in an old chat and a chat's first one."""
    api, later = desktop.api, NOON + timedelta(seconds=1)
    told = {
        "new draft": lambda: api.put_approval(approval(many + 1, chat_id=5, created_at=later)),
        "decision": lambda: api.put_approval(replace(api.approvals[BIG + 1], task_status=TaskStatus.CANCELLED)),
        "message": lambda: api.put_chat(replace(api.chats[2], unread=3, last_at=later)),
        "new chat": lambda: api.put_chat(chat(many + 1, "New", last_at=later)),
        "press": lambda: desktop.press(desktop.approvals.list, Key.Key_J, "j"),
        "second": desktop.models.clock.ticked.emit,
    }

    def work(tell):
        tell()
        desktop.settle()
        desktop.models.chats.moves.arrange()
        shown(desktop)

    return {name: calls_of(lambda tell=tell: work(tell)) for name, tell in told.items()}


def test_no_event_costs_more_with_ten_times_as_many_drafts(make_desktop):
    counts = 1_000, 10_000
    few, many = (calls_an_event(crowd(make_desktop, number), number) for number in counts)
    # What waits for a fraction of a second is counted or not; a call for every third row more is in any case too many.
    more = (counts[1] - counts[0]) / 3
    assert {name: calls for name, calls in many.items() if calls > few[name] + more} == {}


def test_a_new_draft_asks_only_the_cards_in_sight_for_their_heights(make_desktop, monkeypatch):
    asked: list[int] = []
    height_of = CardDelegate.height_of

    def ask(self, row, width):
        asked.append(row)
        return height_of(self, row, width)

    monkeypatch.setattr(CardDelegate, "height_of", ask)
    desktop = crowd(make_desktop, 10_000)
    assert set(asked) == set(range(windowed_list.PAGE_ROWS))
    asked.clear()
    desktop.api.put_approval(approval(10_001, created_at=NOON + timedelta(seconds=1)))
    shown(desktop)
    assert len(set(asked)) <= 12
    assert len(asked) <= 40
    assert desktop.window.top_bar.queue.accessibleName().startswith("10001 waiting oldest")


def number_of(desktop):
    return desktop.approvals.list.current().approval_id - BIG


def test_the_cursor_walks_past_the_end_of_the_window_and_back(cards):
    view, model = cards.approvals.list, cards.of_approvals.queue
    last = model.total()
    for number in range(2, last + 1):
        view.move_by(1)
        assert number_of(cards) == number
        if number % 5 == 0:
            shown(cards)
            assert model.rowCount() <= MOST + PAGE
            assert view.visualRect(view.currentIndex()).bottom() < view.viewport().height()
    view.move_by(1)
    assert number_of(cards) == last
    for number in range(last - 1, 0, -1):
        view.move_by(-1)
        assert number_of(cards) == number
        if number % 5 == 0:
            shown(cards)
            assert model.rowCount() <= MOST + PAGE
            assert view.visualRect(view.currentIndex()).top() >= 0
    view.move_by(-1)
    assert number_of(cards) == 1


def test_keys_lead_to_both_ends(cards):
    view = cards.approvals.list
    cards.press(view, Key.Key_End)
    assert number_of(cards) == cards.models.approvals.total()
    cards.press(view, Key.Key_Up)
    assert number_of(cards) == cards.models.approvals.total() - 1
    cards.press(view, Key.Key_Home)
    assert number_of(cards) == 1


def test_scrolling_to_an_end_shows_more_and_moves_nothing_in_sight(cards):
    view, model, bar = (cards.approvals.list, cards.of_approvals.queue, cards.approvals.list.verticalScrollBar())
    bar.setValue(bar.maximum())
    shown(cards)
    assert model.rowCount() == PAGE + STEP
    view.select(BIG + 80)
    shown(cards)
    assert view.visualRect(view.currentIndex()).isValid()
    first = model.item_at(0).approval_id
    rows = model.rowCount()
    bar.setValue(0)
    top = view.visualRect(model.index_of(first)).top()
    shown(cards)
    assert model.rowCount() > rows
    assert model.item_at(0).approval_id < first
    assert view.visualRect(model.index_of(first)).top() == top


def test_a_card_far_away_is_selected_and_decided_on(cards):
    view = cards.approvals.list
    cards.approvals._requests.send(SelectDraft(ApprovalId(BIG + 90)))
    shown(cards)
    assert number_of(cards) == 90
    card = view.visualRect(view.currentIndex())
    assert card.top() >= 0
    assert card.bottom() < view.viewport().height()
    cards.press(view, Key.Key_A, "a")
    assert [(call.approval_id, call.decision) for call in cards.api.calls] == [(BIG + 90, Approve())]


def test_scrolling_the_tree_shows_more_chats_and_a_far_one_opens(cards):
    tree, model = cards.conversations.tree, cards.models.chats
    parent, bar = model.index(0, 0), cards.conversations.tree.verticalScrollBar()
    assert model.rowCount(parent) == PAGE
    bar.setValue(bar.maximum())
    shown(cards)
    assert model.rowCount(parent) == 2 * PAGE
    cards.open_chat(1)
    assert cards.models.transcript.chat.chat_id == 1
    assert model.item(tree.currentIndex()).chat_id == 1
    assert model.rowCount(parent) <= MOST + 1
    cards.open_chat(MANY)
    assert tree.currentIndex().row() == 0
    cards.api.put_chat(chat(10**6, "New", last_at=NOON + timedelta(seconds=1)))
    shown(cards)
    assert model.rowCount(parent) <= MOST
    assert cards.models.transcript.chat.chat_id == MANY


def test_an_old_chat_under_the_cursor_makes_no_message_dear(make_desktop):
    """The window stood still for seconds: each chat that moved laid out all ten thousand rows."""
    desktop = crowd(make_desktop, 10_000)
    tree, model = desktop.conversations.tree, desktop.models.chats
    costs = []
    for opened in (9_850, 150):
        desktop.open_chat(opened)
        tree.setFocus()
        shown(desktop)
        assert tree.hasFocus()
        assert tree.verticalScrollBar().value() > 0
        assert tree.currentIndex() == model.index_of_chat(opened)
        for number in range(20):
            moved = desktop.api.chats[opened - 30 - number]
            desktop.api.put_chat(replace(moved, last_at=NOON + timedelta(seconds=number + opened)))
        height = tree.visualRect(tree.currentIndex()).top()

        def move():
            desktop.settle()
            model.moves.arrange()
            shown(desktop)

        costs.append(calls_of(move))
        assert tree.visualRect(tree.currentIndex()).top() == height
    assert costs[1] <= 1.5 * costs[0]
