"""The cards sorted and filtered; frozen while the operator works in them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from chimein_gui.viewmodels.approvals.queue import CardSort
from tests.fakes.engine_api import BIG, NOON, agent, approval


def minutes(number):
    return NOON - timedelta(minutes=number)


@pytest.fixture
def queue(room, qtmodeltester):
    for number, age in ((1, 30), (2, 20), (3, 10)):
        room.api.approvals[BIG + number] = approval(number, created_at=minutes(age))
    room.attach()
    yield room.of_approvals.queue
    qtmodeltester.check(room.of_approvals.queue)


def ids(queue):
    return [item.approval_id - BIG for item in queue.items()]


def approved(room, number, seconds):
    card = room.api.approvals[BIG + number]
    due_at = NOON + timedelta(seconds=seconds)
    status = {"state": ApprovalState.APPROVED, "task_status": TaskStatus.APPROVED, "decided_by": "operator"}
    room.put_approval(replace(card, due_at=due_at, **status))


def test_the_order_is_the_operators_choice(room, queue):
    assert ids(queue) == [1, 2, 3]
    queue.arrange(sort_by=CardSort.NEWEST)
    assert ids(queue) == [3, 2, 1]
    approved(room, 2, 40)
    approved(room, 1, 90)
    queue.arrange(sort_by=CardSort.LEAVES_NEXT)
    assert ids(queue) == [2, 1, 3]
    approved(room, 1, 10)
    assert ids(queue) == [1, 2, 3]


def test_what_cannot_be_stopped_or_taken_back_comes_first(room, queue):
    room.put_approval(approval(4, kind=TaskKind.BLOCK, created_at=minutes(1)))
    room.put_approval(approval(5, kind=TaskKind.BLOCK, created_at=minutes(2)))
    approved(room, 3, 40)
    late = room.models.approvals.find(BIG + 3)
    for number, seconds in ((3, 40), (2, 20)):
        card = replace(late, approval_id=BIG + number, task_id=BIG + number, decided_by=Rule.COUNTDOWN_TRUST)
        room.put_approval(replace(card, due_at=NOON + timedelta(seconds=seconds)))
    assert ids(queue) == [2, 3, 5, 4, 1]
    assert room.models.approvals.waiting_count == 5
    queue.arrange()
    assert ids(queue) == [2, 3, 5, 4, 1]


def test_the_cards_of_one_agent(room, queue):
    room.api.put_agent(agent(2, "Jonas"))
    room.put_approval(approval(9, agent_id=2, created_at=minutes(5)))
    queue.arrange(agent_id=2)
    assert ids(queue) == [9]
    room.put_approval(approval(10, created_at=minutes(1)))
    assert ids(queue) == [9]
    assert queue.is_hidden(BIG + 1)
    queue.show(BIG + 1)
    assert ids(queue) == [1, 2, 3, 9, 10]
    assert queue.agent_id is None


def test_while_frozen_what_belongs_between_waits_and_what_comes_last_does_not(room, queue):
    told: list[int] = []
    queue.arrivals_changed.connect(told.append)
    queue.freeze()
    room.api.put_approval(approval(4, created_at=minutes(25)))
    room.put_approval(approval(5, created_at=minutes(1)))
    assert ids(queue) == [1, 2, 3, 5]
    assert (queue.arrivals, told) == (1, [1])
    queue.bring_arrivals()
    assert ids(queue) == [1, 4, 2, 3, 5]
    assert told == [1, 0]


def test_while_frozen_nothing_changes_its_place(room, queue):
    approved(room, 1, 90)
    approved(room, 2, 40)
    queue.arrange(sort_by=CardSort.LEAVES_NEXT)
    queue.freeze()
    approved(room, 1, 5)
    assert ids(queue) == [2, 1, 3]
    assert queue.find(BIG + 1).due_at == NOON + timedelta(seconds=5)
    queue.thaw()
    assert ids(queue) == [1, 2, 3]


def test_an_arrival_that_goes_again_is_not_counted_and_an_empty_list_waits_for_nobody(room, queue):
    queue.arrange(sort_by=CardSort.NEWEST)
    queue.freeze()
    for number in (6, 7):
        room.api.put_approval(approval(number, created_at=NOON))
    room.settle()
    assert queue.arrivals == 2
    gone = {"state": ApprovalState.SUPERSEDED, "task_status": TaskStatus.CANCELLED}
    room.put_approval(replace(room.api.approvals[BIG + 6], **gone))
    assert queue.arrivals == 1
    for number in (1, 2, 3):
        room.api.put_approval(replace(room.api.approvals[BIG + number], **gone))
    room.settle()
    assert ids(queue) == [7]
    assert queue.arrivals == 0
