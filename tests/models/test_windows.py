"""Windows over long lists: all is known and counted, little is shown, and what is shown agrees with what is known."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.chats.branches import MOST_CHATS, PAGE_CHATS
from chimein_gui.viewmodels.core.windowed_list import PAGE_ROWS, STEP_ROWS
from tests.fakes.engine_api import BIG, NOON, approval, chat

MANY = 600
ROOT = QModelIndex()


def draft(number, **changes):
    return approval(number, f"Draft {number}", created_at=NOON + timedelta(seconds=number), **changes)


@pytest.fixture
def crowd(room):
    for number in range(1, MANY + 1):
        room.api.approvals[BIG + number] = draft(number)
    room.attach()
    return room


def cancel(room, number):
    room.api.put_approval(replace(room.api.approvals[BIG + number], task_status=TaskStatus.CANCELLED))


def follow(model):
    """Keep the shown ids as a view would, from signals alone."""
    seen = [model.item_at(row).approval_id for row in range(model.rowCount())]

    def reset():
        seen[:] = [model.item_at(row).approval_id for row in range(model.rowCount())]

    def insert(_parent, first, last):
        seen[first:first] = [model.item_at(row).approval_id for row in range(first, last + 1)]

    def remove(_parent, first, last):
        del seen[first : last + 1]

    model.modelReset.connect(reset)
    model.rowsInserted.connect(insert)
    model.rowsRemoved.connect(remove)
    return seen


def numbers_shown(model):
    return [model.item_at(row).approval_id - BIG for row in range(model.rowCount())]


def test_what_happens_outside_the_window_costs_the_view_nothing(crowd):
    model, told = crowd.models.approvals, []
    for signal in (model.rowsInserted, model.rowsRemoved, model.dataChanged, model.layoutChanged, model.modelReset):
        signal.connect(lambda *_what: told.append("told"))
    crowd.api.put_approval(draft(MANY + 1))
    crowd.api.put_approval(replace(crowd.api.approvals[BIG + MANY], version=2, text="Other words"))
    cancel(crowd, MANY - 5)
    crowd.settle()
    assert told == []
    assert (model.total(), model.waiting_count) == (MANY, MANY)


def test_the_window_grows_as_qt_asks_and_as_rows_go(crowd):
    model = crowd.models.approvals
    seen = follow(model)
    assert model.canFetchMore(ROOT)
    model.fetchMore(ROOT)
    assert model.rowCount() == PAGE_ROWS + STEP_ROWS
    for number in range(1, MANY + 1):
        cancel(crowd, number)
        crowd.settle()
        left = MANY - number
        assert model.rowCount() >= min(left, PAGE_ROWS - STEP_ROWS)
        assert [BIG + shown for shown in numbers_shown(model)] == seen
        assert model.waiting_count == left
    assert not model.canFetchMore(ROOT)
    assert model.waiting_since is None


def test_windows_and_counts_hold_in_a_storm(crowd):
    """After each random step, what signals told is what is shown, in order, and what is counted is what is there."""
    model, dice = crowd.models.approvals, random.Random(5)
    seen = follow(model)
    for step in range(1500):
        number = dice.randrange(1, MANY + 100)
        match dice.randrange(8):
            case 0:
                model.reveal(BIG + number)
            case 1:
                model.fetchMore(ROOT)
            case 2:
                model.fetch_earlier()
            case 3:
                row = dice.randrange(max(1, model.rowCount()))
                model.narrow(row, row + 3)
            case 4 | 5:
                crowd.api.put_approval(draft(number, task_status=TaskStatus.CANCELLED))
            case _:
                status = dice.choice([TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED])
                crowd.api.put_approval(draft(number, version=step, task_status=status))
        crowd.settle()
        items = model.items()
        shown = [model.item_at(row) for row in range(model.rowCount())]
        assert [item.approval_id for item in shown] == seen
        start = items.index(shown[0]) if shown else 0
        assert list(items[start : start + len(shown)]) == shown
        assert bool(shown) == bool(items)
        assert [model.row_of(item.approval_id) for item in shown] == list(range(len(shown)))
        waiting = [item for item in items if waits_for_operator(item)]
        assert model.waiting_count == len(waiting)
        assert model.waiting_since == (waiting[0].created_at if waiting else None)


@pytest.fixture
def busy_agent(room):
    for number in range(1, MANY + 1):
        room.api.chats[number] = chat(number, unread=1, last_at=NOON - timedelta(seconds=number))
    room.attach()
    return room


def test_a_chat_without_a_row_gets_one_when_somebody_writes(busy_agent):
    tree, told = busy_agent.models.chats, []
    for signal in (tree.rowsInserted, tree.rowsRemoved, tree.rowsMoved, tree.layoutChanged):
        signal.connect(lambda *_what: told.append("told"))
    busy_agent.put_chat(replace(busy_agent.api.chats[MANY], unread=4))
    assert told == []
    assert tree.totals()[2] == MANY + 3
    busy_agent.put_chat(replace(busy_agent.api.chats[MANY], last_at=NOON))
    tree.moves.arrange()
    assert told == ["told"]
    assert tree.index_of_chat(MANY).row() == 0
    assert tree.rowCount(tree.index(0, 0)) == PAGE_CHATS + 1


def test_a_chat_that_falls_below_the_shown_ones_keeps_its_row(busy_agent):
    """Its newest message was deleted; a cursor on it must not go to another chat."""
    tree = busy_agent.models.chats
    cursor = QPersistentModelIndex(tree.index_of_chat(3))
    busy_agent.put_chat(replace(busy_agent.api.chats[3], last_at=NOON - timedelta(seconds=450.5)))
    tree.moves.arrange()
    assert cursor.isValid()
    assert tree.item(cursor).chat_id == 3
    assert cursor.row() == tree.index_of_chat(3).row() == 449


@pytest.fixture
def crowded_agent(room, qtbot):
    for number in range(1, 2 * MOST_CHATS + 1):
        room.api.chats[number] = chat(number, last_at=NOON - timedelta(seconds=number))
    room.attach()
    qtbot.waitUntil(lambda: len(room.models.chats.all_chats()) == 2 * MOST_CHATS)
    return room.models.chats


def go_to(tree, number):
    """Move the cursor as the tree does."""
    tree.moves.keep(number)
    tree.reveal_chat(number)
    return tree.index_of_chat(number)


def test_an_old_chat_is_opened_without_giving_a_row_to_all_before_it(crowded_agent, qtmodeltester):
    tree, far = crowded_agent, 2 * MOST_CHATS - 5
    qtmodeltester.check(tree)
    parent = tree.index(0, 0)
    cursor = QPersistentModelIndex(go_to(tree, far))
    assert cursor.row() == PAGE_CHATS
    assert tree.item(cursor).chat_id == far
    assert tree.rowCount(parent) == PAGE_CHATS + 1
    other = QPersistentModelIndex(go_to(tree, far + 1))
    tree.moves.arrange()
    assert not cursor.isValid(), "the cursor left: the chat is back where it belongs"
    assert (other.row(), tree.item(other).chat_id) == (PAGE_CHATS, far + 1)
    go_to(tree, 1)
    tree.moves.arrange()
    assert tree.rowCount(parent) == PAGE_CHATS
    for _ in range(2 * MOST_CHATS // PAGE_CHATS):
        tree.show_more(0)
    shown = [tree.item(tree.index(row, 0, parent)).chat_id for row in range(tree.rowCount(parent))]
    assert shown == list(range(1, 2 * MOST_CHATS + 1))


def test_a_lifted_chat_rises_with_a_message_and_stays_lifted_when_it_is_deleted(room, crowded_agent):
    tree, far = crowded_agent, 2 * MOST_CHATS - 5
    cursor = QPersistentModelIndex(go_to(tree, far))
    before = room.api.chats[far]
    for last_at, row in ((NOON, 0), (before.last_at, PAGE_CHATS)):
        room.put_chat(replace(before, last_at=last_at))
        tree.moves.arrange()
        assert cursor.isValid()
        assert (cursor.row(), tree.item(cursor).chat_id) == (row, far)
        assert tree.index_of_chat(far) == cursor
    assert tree.rowCount(tree.index(0, 0)) == PAGE_CHATS + 1


def test_a_chat_that_falls_far_below_loses_its_row(room, crowded_agent, qtmodeltester):
    qtmodeltester.check(crowded_agent)
    cursor = QPersistentModelIndex(crowded_agent.index_of_chat(3))
    room.put_chat(replace(room.api.chats[3], last_at=NOON - timedelta(days=1)))
    crowded_agent.moves.arrange()
    assert not cursor.isValid()
    assert crowded_agent.rowCount(crowded_agent.index(0, 0)) == PAGE_CHATS - 1
