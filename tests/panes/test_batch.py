"""Several cards decided at once: selected by keys and mouse, approved as far as each was read, undone by one Z."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QDeadlineTimer, QPoint, Qt
from PySide6.QtTest import QTest

from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.ids import ApprovalId
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.widgets.rows import in_view
from tests.fakes.engine_api import BIG, NOON, approval

Key, S = Qt.Key, TaskStatus
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Hand:
    """Presses keys on the list of a window with five cards."""

    def __init__(self, cards):
        self.cards, self.pane = cards, cards.approvals
        self.view, self.bar, self.batch = self.pane.list, self.pane.batch_bar, cards.of_approvals.batch
        for number in (3, 4, 5):
            cards.put_approval(approval(number, f"Draft {number}", created_at=NOON - timedelta(seconds=20 - number)))
        cards.settle()

    def press(self, *keys):
        for key in keys:
            self.cards.press(self.view, getattr(Key, f"Key_{key}"), key.lower())
        self.cards.settle()

    def extend(self, *keys):
        for key in keys:
            QTest.keyClick(self.view, key, SHIFT)
        self.cards.settle()

    def states(self):
        return [self.cards.api.approvals[ApprovalId(BIG + n)].task_status for n in range(1, 6)]


@pytest.fixture
def hand(cards):
    return Hand(cards)


def test_three_cards_are_approved_by_one_press_and_taken_back_by_one_z(hand):
    hand.press("X")
    hand.extend(Key.Key_Down, Key.Key_Down, Key.Key_Down, Key.Key_Up)
    assert (hand.bar.isVisible(), hand.bar.count.text()) == (True, "3 selected")
    assert (hand.bar.approve.text(), hand.bar.reject.text(), hand.bar.hint.text()) == ("Approve 3", "Reject 3", "")
    assert hand.cards.of_approvals.queue.sentence_of(hand.view.current()).startswith("Selected, ")
    hand.press("A")
    assert hand.states() == [S.APPROVED] * 3 + [S.AWAITING_DECISION] * 2
    assert hand.bar.count.text() == "3 approved"
    assert hand.view.current().approval_id == BIG + 4, "the next that waits"
    hand.press("Z")
    assert hand.states() == [S.AWAITING_DECISION] * 5
    assert hand.bar.count.text() == "3 undone"
    hand.bar._end()
    assert not hand.bar.isVisible()


def test_what_is_not_read_changed_or_decided_alone_stays_selected_and_opens(hand, monkeypatch):
    hand.press("J", "J", "J", "K", "K", "K")  # the first four were in view
    now = hand.cards.api.approvals[ApprovalId(BIG + 2)]
    hand.cards.put_approval(replace(now, text="Other words", version=now.version + 1))
    hand.cards.put_approval(approval(3, "", kind=TaskKind.BLOCK))
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    for number in range(1, 6):
        hand.batch.toggle(hand.cards.models.approvals.find(BIG + number))
    assert hand.bar.hint.text() == "1 not read: opens first · 1 changed: opens first · 1 to decide one by one"
    assert hand.bar.approve.text() == "Approve 2"
    hand.press("A")
    waits, gone = S.AWAITING_DECISION, S.APPROVED
    assert hand.states() == [gone, waits, waits, gone, waits]
    assert hand.batch.count == 3
    assert hand.batch.is_selected(hand.view.current().approval_id), "the first that was left opens"
    hand.press("A")
    assert hand.states() == [gone, waits, waits, gone, waits], "nor does a second press send what nobody has read"
    assert (hand.bar.reject.text(), hand.bar.reject.isEnabled()) == ("Reject 0", False)
    hand.batch.note_read(ApprovalId(BIG + 3), hand.cards.models.approvals.find(BIG + 3).version)
    assert hand.bar.reject.text() == "Reject 1"
    hand.press("R")
    assert hand.states() == [gone, waits, S.SKIPPED, gone, waits], "nor is rejected what nobody has read"
    hand.cards.press(hand.view, Key.Key_Escape, "")
    assert (hand.batch.count, hand.bar.clear.isVisible()) == (0, False)


def test_a_card_in_view_counts_as_read_however_early_the_timer_comes(hand, monkeypatch, qtbot):
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 200)
    with qtbot.wait_signal(hand.view.in_view.was_read):
        hand.view.select(BIG + 3)
        qtbot.waitUntil(hand.view.in_view._since.isValid)
        hand.view.in_view._timer.start(1)


@pytest.mark.parametrize("how", ["the window tells", "the timer looks", "a key looks"])
def test_time_behind_another_tab_does_not_count(hand, monkeypatch, qtbot, how):
    guard = hand.view.in_view
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    hand.view.select(BIG + 3)
    qtbot.waitUntil(guard._since.isValid)
    monkeypatch.setattr(guard, "_is_in_view", lambda: False)
    if how == "the window tells":
        hand.cards.window.docks["approvals"].visibilityChanged.emit(False)
    elif how == "the timer looks":
        with qtbot.wait_signal(guard._timer.timeout):
            guard._timer.start(1)
    else:
        monkeypatch.setattr(in_view, "IN_VIEW_MS", 0)
        hand.press("X")
        assert [one.approval_id for one in hand.batch.sort().unread] == [BIG + 3]
    assert not guard._since.isValid()


def test_a_window_that_hangs_takes_no_key_for_a_card_that_was_not_painted(hand, monkeypatch):
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 20)
    hand.view.select(BIG + 3)
    deadline = QDeadlineTimer(40)
    while not deadline.hasExpired():
        pass  # the loop does not run, so nothing is painted
    hand.press("A")
    assert hand.states() == [S.AWAITING_DECISION] * 5


@pytest.mark.parametrize("how", ["reject", "later"])
def test_rejecting_and_later_are_for_all_and_undone_too(hand, how):
    hand.press("X", "J", "X")
    assert hand.batch.count == 2
    plan = hand.cards.api.approvals[ApprovalId(BIG + 5)].graph_id  # no newer plan has taken their place
    for number in (1, 2):
        hand.cards.put_approval(replace(hand.cards.api.approvals[ApprovalId(BIG + number)], graph_id=plan))
    if how == "reject":
        hand.press("R")
        assert hand.states()[:2] == [S.SKIPPED, S.SKIPPED]
    else:
        hand.batch.postpone(NOON + timedelta(hours=1))
        hand.cards.settle()
    waiting = hand.cards.models.approvals
    asks = [one for one in waiting.items() if one.task_status is S.AWAITING_DECISION and one.postponed_until is None]
    assert len(asks) == 3
    hand.press("Z")
    asks = [one for one in waiting.items() if one.task_status is S.AWAITING_DECISION and one.postponed_until is None]
    assert len(asks) == 5
    assert hand.bar.count.text() == "2 undone"
    rows = [one.text for one in hand.cards.of_approvals.queue.items()]
    assert rows[:2] == ["First draft", "Second draft"], "where they were"
    assert hand.view.current().text == "First draft"


def test_what_has_left_is_not_taken_back_and_the_words_say_so(hand):
    hand.press("X", "J", "X", "A")
    sent = hand.cards.api.approvals[ApprovalId(BIG + 1)]
    hand.cards.put_approval(replace(sent, task_status=S.SENDING))
    hand.press("Z")
    assert hand.states()[:2] == [S.SENDING, S.AWAITING_DECISION]
    assert hand.bar.count.text() == "1 undone, 1 can't be undone any more"


def test_a_decision_on_one_card_is_what_z_takes_back_afterwards(hand):
    hand.press("X", "J", "X", "A")
    hand.view._slipped.invalidate()
    hand.press("A")
    assert hand.states()[:3] == [S.APPROVED] * 3
    hand.view._slipped.invalidate()
    hand.press("Z")
    assert hand.states()[:3] == [S.APPROVED, S.APPROVED, S.AWAITING_DECISION]


def test_z_means_the_batch_when_a_countdown_has_the_cursor_by_itself_and_then_the_countdown(hand, qtbot):
    due = NOON + timedelta(seconds=47)
    hand.cards.put_approval(approval(3, task_status=S.APPROVED, decided_by=Rule.COUNTDOWN_TRUST, due_at=due))
    hand.cards.of_approvals.queue.bring_arrivals()
    hand.view.select(BIG + 1)
    hand.press("X", "J", "X", "J", "X", "J", "X", "A")
    qtbot.wait_until(lambda: hand.view._meant() is not None)
    assert hand.view.current().approval_id == BIG + 3
    hand.press("Z")
    assert hand.states() == [S.AWAITING_DECISION] * 2 + [S.APPROVED] + [S.AWAITING_DECISION] * 2
    assert hand.view.current().approval_id == BIG + 1
    hand.view.give_way_to(BIG + 3)
    qtbot.wait_until(lambda: hand.view._meant() is not None)
    hand.press("Z")
    assert hand.states() == [S.AWAITING_DECISION] * 5


@pytest.mark.parametrize("wide", [False, True])
def test_a_click_on_the_square_selects(hand, wide):
    hand.view.set_wide(wide)
    hand.cards.settle()
    place = hand.view.visualRect(hand.cards.of_approvals.queue.index_of(BIG + 2)).topLeft() + QPoint(30, 22)
    QTest.mouseClick(hand.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [one.approval_id for one in hand.batch.selected()] == [BIG + 2]
    assert hand.view.current().approval_id == BIG + 1, "the cursor stays"
    assert "2" not in hand.bar.count.text()
    QTest.mouseClick(hand.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert hand.batch.count == 0


def test_a_block_waits_alone_and_a_card_that_has_gone_is_not_selected(hand):
    hand.cards.put_approval(approval(5, "", kind=TaskKind.BLOCK))
    hand.press("X")
    hand.batch.add(hand.cards.models.approvals.items())
    assert [one.approval_id for one in hand.batch.sort().alone] == [BIG + 5]
    hand.cards.put_approval(approval(5, "", kind=TaskKind.BLOCK, task_status=S.SKIPPED))
    assert hand.batch.count == 4


def test_a_card_that_is_there_no_longer_costs_no_other_its_decision(hand):
    hand.cards.models.approvals.upsert(approval(9, "Gone", created_at=NOON - timedelta(hours=1)))
    hand.press("X", "J", "X")
    hand.batch.add((hand.cards.models.approvals.find(BIG + 9),))
    hand.batch.note_read(ApprovalId(BIG + 9), 1)
    assert hand.bar.approve.text() == "Approve 3"
    hand.press("A")
    assert hand.states()[:2] == [S.APPROVED] * 2
    assert hand.bar.count.text() == "1 selected"


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu is a window of its own
def test_a_card_is_selected_from_its_menu(hand):
    for words, count in (("Select", 1), ("Deselect", 0)):
        menu = hand.pane.card_actions.pop_menu("more", hand.view.current(), QPoint())
        next(action for action in menu.actions() if action.text() == words).trigger()
        menu.close()
        assert hand.batch.count == count
