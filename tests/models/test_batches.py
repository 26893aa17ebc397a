"""What keeps a storm of events cheap: portions, one signal a batch, look-ups by key, places that change seldom."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from chimein_gui.domain import events as ev
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.approvals.store import LINGER_ROWS, is_routine
from chimein_gui.viewmodels.core import bridge as bridge_module
from chimein_gui.viewmodels.core.bridge import MANY, PORTION, REST, EngineBridge
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat, message

RULE = "auto trust"


def drain(bridge):
    bridge._timer.stop()
    bridge._drain()


def push_agents(bridge, first, last):
    for number in range(first, last):
        bridge.push(ev.AgentChanged(agent(number), Revision(number)))


def test_a_batch_is_cut_into_portions(qapp, monkeypatch):
    monkeypatch.setattr(bridge_module, "perf_counter", lambda: 0.0)  # no portion takes too long
    bridge, sizes = EngineBridge(), list[int]()
    bridge.batch_ready.connect(lambda batch: sizes.append(len(batch)))
    push_agents(bridge, 0, 40)
    drain(bridge)
    assert sizes == [PORTION] * (40 // PORTION) + [40 % PORTION]


def test_what_takes_too_long_goes_on_in_the_next_frame_in_order(qapp, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(bridge_module, "perf_counter", lambda: now[0])
    bridge, seen = EngineBridge(), list[int]()

    def slow(batch):
        seen.extend(event.revision for event in batch)
        now[0] += 0.02

    bridge.batch_ready.connect(slow)
    push_agents(bridge, 0, 20)
    bridge.deliver(lambda: seen.append(-1))
    drain(bridge)
    assert seen == list(range(PORTION))
    assert bridge._timer.isActive()
    push_agents(bridge, 20, 22)
    for _ in range(20 // PORTION + 2):
        drain(bridge)
    assert seen == [*range(20), -1, 20, 21]
    assert not bridge._timer.isActive()


@pytest.mark.parametrize(("left", "pause_ms"), [(MANY, 4 * REST), (MANY + 1, 4)])
def test_the_pause_is_short_while_many_events_wait(qapp, monkeypatch, left, pause_ms):
    now = [0.0]
    monkeypatch.setattr(bridge_module, "perf_counter", lambda: now[0])
    bridge = EngineBridge()

    def slow(_batch):
        now[0] += 0.004

    bridge.batch_ready.connect(slow)
    push_agents(bridge, 0, PORTION + left)
    drain(bridge)
    assert bridge._timer.interval() == pause_ms


def test_costly_events_come_in_smaller_batches(qapp, monkeypatch):
    spent, sizes, cost = [0.0], list[int](), 0.002
    monkeypatch.setattr(bridge_module, "thread_time", lambda: spent[0])
    monkeypatch.setattr(bridge_module, "perf_counter", lambda: 0.0)
    bridge = EngineBridge()

    def work(batch):
        sizes.append(len(batch))
        spent[0] += cost * len(batch)

    bridge.batch_ready.connect(work)
    push_agents(bridge, 0, 40)
    drain(bridge)
    assert sizes[0] == PORTION
    assert sizes[-2] == 2
    assert sum(sizes) == 40
    sizes.clear()
    cost = 0.0001
    push_agents(bridge, 40, 140)
    drain(bridge)
    assert sizes[-2] == PORTION, "and larger ones when they are cheap again"
    assert sum(sizes) == 100


def test_a_slot_that_lets_go_of_the_engine_gets_no_more(qapp):
    bridge, seen = EngineBridge(), list[int]()

    def leave(batch):
        seen.extend(event.revision for event in batch)
        bridge.detach()

    bridge.batch_ready.connect(leave)
    push_agents(bridge, 0, 40)
    drain(bridge)
    assert seen == list(range(PORTION))
    assert not bridge._timer.isActive()


def test_sums_are_told_once_a_batch(room):
    room.attach()
    told = list[object]()
    room.models.approvals.waiting_changed.connect(lambda: told.append("waiting"))
    room.models.approvals.chats_changed.connect(told.append)
    room.models.chats.feed.chats_changed.connect(told.append)
    for number in range(1, 5):
        room.api.put_approval(approval(number, chat_id=number % 2 + 1))
        room.api.put_chat(chat(number % 2 + 1, pending=number))
    room.settle()
    assert told == [{1, 2}, {1, 2}, "waiting"]


def test_what_did_not_change_is_not_told(room):
    room.attach()
    told = list[object]()
    room.models.chats.dataChanged.connect(lambda *_: told.append(1))
    room.models.chats.feed.chats_changed.connect(told.append)
    room.put_chat(room.api.chats[1])
    assert told == []


@pytest.mark.parametrize("status", [TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.DONE])
def test_what_a_rule_lets_pass_is_not_listed(room, status):
    room.api.approvals[BIG + 1] = approval(1, task_status=status, decided_by=RULE)
    room.attach()
    room.put_approval(approval(2, task_status=status, decided_by=RULE))
    assert room.models.approvals.rowCount() == 0


@pytest.mark.parametrize("status", [TaskStatus.AWAITING_DECISION, TaskStatus.UNKNOWN, TaskStatus.FAILED])
def test_what_a_rule_let_pass_is_listed_when_it_needs_somebody(room, status):
    room.attach()
    room.put_approval(approval(task_status=status, decided_by=RULE))
    assert room.models.approvals.rowCount() == 1
    room.put_approval(approval(task_status=TaskStatus.SENDING, decided_by=RULE))
    assert room.models.approvals.rowCount() == 0
    assert not is_routine(approval(task_status=TaskStatus.APPROVED, decided_by="operator"))


def test_only_the_last_sent_ones_linger(room):
    room.attach()
    for number in range(1, 40):
        room.api.put_approval(approval(number, task_status=TaskStatus.SENDING, decided_by="operator"))
        room.api.put_approval(approval(number + 100))
    room.settle()
    for number in range(1, 40):
        room.api.put_approval(approval(number, task_status=TaskStatus.DONE, decided_by="operator"))
    room.settle()
    done = [item for item in room.models.approvals.items() if item.task_status is TaskStatus.DONE]
    assert len(done) == LINGER_ROWS
    assert done[-1].approval_id == BIG + 39


def test_look_ups_and_order_hold_in_a_storm(room):
    """A planned send's place is fixed, a chat's is not; after each step all look-ups agree with the rows."""
    room.attach()
    dice, approvals, tree = random.Random(3), room.models.approvals, room.models.chats
    for step in range(300):
        number = dice.randrange(1, 30)
        if dice.random() < 0.5:
            gone = dice.random() < 0.3
            status = TaskStatus.CANCELLED if gone else TaskStatus.AWAITING_DECISION
            made = NOON - timedelta(minutes=number * 7 % 11)
            room.api.put_approval(approval(number, f"{step}", chat_id=number % 5, task_status=status, created_at=made))
        else:
            room.api.put_chat(chat(number, last_at=NOON + timedelta(seconds=dice.randrange(1000)), pending=step % 3))
        room.settle()
        if step % 7 == 0:
            tree.moves.arrange()
        rows = approvals.items()
        assert [approvals.row_of(item.approval_id) for item in rows] == list(range(len(rows)))
        assert list(rows) == sorted(rows, key=approvals.order_of)
        assert all(item in approvals.of_chat(item.chat_id) for item in rows)
        chats = tree.all_chats()
        assert [tree.index_of_chat(item.chat_id).row() for item in chats] == list(range(len(chats)))
        assert tree.pending_of(1) == sum(item.pending for item in chats)
    tree.moves.arrange()
    times = [item.last_at for item in tree.all_chats()]
    assert times == sorted(times, reverse=True)
    assert not tree.moves.arrange()


def test_a_row_stays_the_same_object_until_what_it_shows_changes(room):
    room.api.messages[1] = {number: message(number, f"m{number}") for number in range(1, 5)}
    room.api.messages[1][4] = message(4, "answer", reply_to_id=2)
    room.attach()
    model = room.models.transcript
    model.open(room.api.chats[1], "Nora Vale")
    room.settle()
    before = [model.rows.row_at(row) for row in range(4)]
    changed = set[int]()
    model.rows.dataChanged.connect(lambda first, last: changed.update(range(first.row(), last.row() + 1)))
    room.put_message(1, replace(message(2, "better"), edited_at=NOON))
    assert changed == {1, 3}
    after = [model.rows.row_at(row) for row in range(4)]
    assert [one is other for one, other in zip(before, after, strict=True)] == [True, False, True, False]
    assert after[3].reply_to.text == "better"


def test_at_midnight_today_becomes_yesterday(room):
    room.api.messages[1] = {1: message(1, "a")}
    room.attach()
    model = room.models.transcript
    model.open(room.api.chats[1], "Nora Vale")
    room.settle()
    assert model.rows.row_at(0).day == "Today"
    room.time += timedelta(days=1)
    room.models.clock.ticked.emit()
    assert model.rows.row_at(0).day == "Yesterday"
