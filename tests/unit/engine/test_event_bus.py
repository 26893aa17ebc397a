"""Every event reaches everybody who is there at that moment, in order."""

from __future__ import annotations

import gc

from chimein_gui.domain.events import AgentRemoved, EngineEvent, FaultReported
from chimein_gui.domain.ids import AgentId, Revision
from chimein_gui.engine.core.event_bus import EventBus


def event(number: int) -> FaultReported:
    return FaultReported("test", None, None, Revision(number))


def numbers(heard: list[EngineEvent]) -> list[int]:
    return [int(one.revision) for one in heard]


class Pane:
    """Hears with a method, which is held weakly."""

    def __init__(self, heard: list[EngineEvent]) -> None:
        self.heard = heard

    def hear(self, one: EngineEvent) -> None:
        self.heard.append(one)


def test_who_leaves_or_comes_at_an_event_misses_or_hears_the_next_one() -> None:
    bus, early, late = EventBus(), list[EngineEvent](), list[EngineEvent]()
    leave = bus.subscribe(early.append)

    def change(one: EngineEvent) -> None:
        if int(one.revision) == 1:
            leave()
            leave()  # twice is harmless
            bus.subscribe(late.append)

    bus.subscribe(change)
    bus.publish(event(1), event(2), event(3))
    assert (numbers(early), numbers(late)) == ([1], [2, 3])


def test_a_method_is_forgotten_with_its_object() -> None:
    bus, heard = EventBus(), list[EngineEvent]()
    pane = Pane(heard)
    bus.subscribe(pane.hear)
    bus.publish(event(1))
    del pane
    gc.collect()
    bus.publish(event(2), event(3))
    assert numbers(heard) == [1]


def test_who_fails_is_logged_and_stays(expected_logs: object) -> None:
    expected_logs("ERROR chimein_gui.engine.core.event_bus: A subscriber failed on FaultReported")  # type: ignore[operator]
    bus, heard = EventBus(), list[EngineEvent]()

    def fail(_one: EngineEvent) -> None:
        raise ZeroDivisionError

    bus.subscribe(fail)
    bus.subscribe(heard.append)
    bus.publish(event(1), event(2))
    assert numbers(heard) == [1, 2]


def test_who_names_kinds_of_events_is_called_for_no_other() -> None:
    bus, some, everything = EventBus(), list[EngineEvent](), list[EngineEvent]()
    bus.subscribe(some.append, AgentRemoved)
    bus.subscribe(everything.append)
    bus.publish(event(1), AgentRemoved(AgentId(1), Revision(2)), event(3))
    assert (numbers(some), numbers(everything)) == ([2], [1, 2, 3])


def test_a_condition_tells_for_which_events_of_its_kinds_it_is_called() -> None:
    bus, heard = EventBus(), list[EngineEvent]()
    bus.subscribe(heard.append, FaultReported, only=lambda one: int(one.revision) > 1)
    bus.publish(event(1), event(2), AgentRemoved(AgentId(1), Revision(3)))
    assert numbers(heard) == [2]
