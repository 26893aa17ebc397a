"""Small facts of the day: costs, times in words, the newest fault, messages as a partner."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chimein_gui.domain.spending.days import day_around
from chimein_gui.sandbox_api import Refused, SandboxRefusedError
from chimein_gui.viewmodels.costs import make_costs
from tests.fakes.engine_api import NOON
from tests.fakes.sandbox_console import GROUPS, MARTA, NORA, TRAIL, YUKI


def test_the_sum_and_every_call_after_it_count_once(room):
    room.api.costs.book(1.5)
    room.attach()
    costs = room.models.own(make_costs)
    assert costs.today.usd == pytest.approx(1.5)
    room.api.costs.book(0.25)
    room.settle()
    assert costs.today.usd == pytest.approx(1.75)
    assert costs.today.calls == 2


def test_a_call_that_is_in_the_sum_already_is_not_added_again(room):
    room.attach()
    costs = room.models.own(make_costs)
    room.api.costs.book(0.5)  # booked, and told of ...
    costs._fetch()  # ... while the sum is read that holds it
    room.settle()
    assert costs.today.usd == pytest.approx(0.5)
    assert costs.today.calls == 1


def test_at_midnight_a_new_day_begins(room):
    room.api.costs.book(1.5)
    room.attach()
    costs = room.models.own(make_costs)
    room.time = day_around(NOON)[1] + timedelta(seconds=1)
    room.models.clock.ticked.emit()
    room.settle()
    assert costs.today.usd == 0
    room.api.costs.book(0.1)
    room.settle()
    assert costs.today.usd == pytest.approx(0.1)


def test_the_newest_fault_stands_first_and_an_empty_cause_clears_it(room):
    room.attach()
    room.api.put_fault("key", "The key does not work.", "Check it.")
    room.put_fault("disk", "Disk full.", "Make room.")
    faults = room.models.faults
    assert [fault.key for fault in faults.faults] == ["disk", "key"]
    room.put_fault("disk", "")
    faults.dismiss("key")
    assert faults.faults == ()


def test_times_in_words(room):
    clock = room.models.clock
    assert clock.clock(NOON) == "14:30"
    assert clock.stamp(NOON - timedelta(days=1)) == "Thu"
    assert clock.stamp(NOON - timedelta(days=39)) == "12 Oct"
    assert clock.day(NOON) == "Today"
    assert clock.day(NOON - timedelta(days=3)) == "Tuesday, 17 November"
    assert clock.day(NOON - timedelta(days=365)).endswith("2025")
    assert [clock.age(NOON - timedelta(seconds=s)) for s in (40, 61, 7300, 90000)] == ["40 s", "1 min", "2 h", "1 d"]
    assert [clock.left(NOON + timedelta(seconds=s)) for s in (-4, 2.2, 47, 161, 3700)] == [
        "0 s",
        "3 s",
        "0:47",
        "2:41",
        "1 h 1 min",
    ]


def test_messages_are_sent_as_a_partner(room):
    room.attach(sandbox=True)
    partners, spoken, failed = room.models.send_as_partner, list[str](), list[str]()
    partners.spoken.connect(spoken.append)
    partners.failed.connect(failed.append)
    assert partners.partner(MARTA).name == "Marta Oliveira"
    assert [one.name for one in partners.members(TRAIL)] == ["Marta Oliveira", "Rui Cardoso"]
    moved = replace(GROUPS[0], peer_id=-1_000_000_000_042, was_peer_id=TRAIL)
    room.sandbox.everybody = replace(room.sandbox.everybody, groups=(moved,))
    partners.look_again()
    room.settle()
    assert partners.group(TRAIL) == partners.group(-1_000_000_000_042) == moved
    assert [one.name for one in partners.members(TRAIL)] == ["Marta Oliveira", "Rui Cardoso"]
    partners.send(MARTA, NORA, "hi")
    room.settle()
    room.sandbox.refuse = SandboxRefusedError(Refused.NOT_IN_GROUP, "Trail")
    partners.send(YUKI, TRAIL, "hi")
    room.settle()
    assert (room.sandbox.said, spoken, failed) == (
        [(MARTA, NORA, "hi")],
        ["hi"],
        ["This person is not in the group “Trail”."],
    )
