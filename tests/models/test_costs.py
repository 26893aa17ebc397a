"""Cost of today: the day's sum once, then each call, and a new day at midnight."""

from datetime import timedelta

import pytest

from chimein_gui.engine.llm.costs import day_around
from tests.fakes.console import NOON


def test_the_sum_and_every_call_after_it_count_once(room):
    room.console.costs.book(1.5)
    room.attach()
    costs = room.models.costs
    assert costs.today.usd == pytest.approx(1.5)
    room.console.costs.book(0.25)
    room.settle()
    assert costs.today.usd == pytest.approx(1.75)
    assert costs.today.calls == 2


def test_a_call_that_is_in_the_sum_already_is_not_added_again(room):
    room.attach()
    costs = room.models.costs
    room.console.costs.book(0.5)  # booked, and told of ...
    costs._fetch()  # ... while the sum is read that holds it
    room.settle()
    assert costs.today.usd == pytest.approx(0.5)
    assert costs.today.calls == 1


def test_at_midnight_a_new_day_begins(room):
    room.console.costs.book(1.5)
    room.attach()
    costs = room.models.costs
    room.time = day_around(NOON)[1] + timedelta(seconds=1)
    room.models.clock.ticked.emit()
    room.settle()
    assert costs.today.usd == 0
    room.console.costs.book(0.1)
    room.settle()
    assert costs.today.usd == pytest.approx(0.1)
