"""The clock of a scene: order, speed, pause."""

from itertools import pairwise
from random import Random

import pytest

from chimein_gui.sandbox.scenes.timeline import Timeline
from tests.sandbox.stage_time import VirtualLoop


class Record:
    """A timeline that notes what is played when."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        self.turns = 0
        self.timeline = Timeline(self.loop, self._turn)
        self.played: list[tuple[str, float, float]] = []
        self._began = self.loop.time()

    def _turn(self) -> None:
        self.turns += 1

    def at(self, moment: float, name: str) -> None:
        self.timeline.at(moment, lambda due: self.played.append((name, due, round(self.loop.time() - self._began, 6))))


def test_speed_takes_effect_at_once_in_the_middle_of_a_wait():
    record = Record()
    record.at(100.0, "late")
    record.loop.advance(10)
    record.timeline.set_speed(30.0)
    record.loop.advance(2.9)
    assert not record.played
    record.loop.advance(0.2)
    assert record.played == [("late", 100.0, 13.0)]
    record.at(130.0, "slow")
    record.timeline.set_speed(0.1)
    record.loop.advance(200)
    assert [name for name, _, _ in record.played] == ["late"]
    record.loop.advance(70)
    assert [name for name, _, _ in record.played] == ["late", "slow"]


def test_a_pause_stands_still_and_goes_on_where_it_stood():
    record = Record()
    record.at(10.0, "a")
    record.loop.advance(4)
    record.timeline.pause(paused=True)
    record.timeline.pause(paused=True)
    assert not record.loop.waits()
    record.loop.advance(1000)
    assert not record.played
    assert record.timeline.now() == pytest.approx(4)
    record.timeline.set_speed(2.0)
    record.timeline.pause(paused=False)
    record.loop.advance(2.9)
    assert not record.played
    record.loop.advance(0.2)
    assert record.played == [("a", 10.0, 1007.0)]


@pytest.mark.parametrize("speed", [0, 0.09, 1000.5, -1, float("nan"), float("inf")])
def test_a_speed_that_makes_no_sense_is_refused(speed):
    record = Record()
    with pytest.raises(ValueError, match="a speed between"):
        record.timeline.set_speed(speed)
    assert record.timeline.speed == 1.0


def test_what_is_late_is_still_played_in_its_order():
    """A loop that was busy for a while calls everything at once; the order is that of the moments."""
    record = Record()

    def spread(due: float) -> None:
        for step in range(5):
            record.at(due + step * 0.5, f"child {step}")

    record.timeline.at(1.0, spread)
    record.at(2.25, "between")
    record.loop._now += 60  # nobody called back meanwhile
    record.loop.advance(0)
    assert [name for name, _, _ in record.played] == ["child 0", "child 1", "child 2", "between", "child 3", "child 4"]
    assert [due for _, due, _ in record.played] == sorted(due for _, due, _ in record.played)


def test_speed_and_pauses_never_change_the_order():
    draw = Random(7)
    moments = [(draw.uniform(0, 50), str(number)) for number in range(300)]
    orders = set()
    for seed in range(8):
        chance, record = Random(seed), Record()
        for moment, name in moments:
            record.at(moment, name)
        while not record.timeline.is_empty:
            record.timeline.set_speed(chance.choice([0.1, 1, 7, 1000]))
            record.timeline.pause(paused=chance.random() < 0.3)
            record.loop.advance(chance.uniform(0, 5))
            record.timeline.pause(paused=False)
        orders.add(tuple(name for name, _, _ in record.played))
        assert all(one <= other for one, other in pairwise(due for _, due, _ in record.played))
    assert len(orders) == 1
