"""Toasts: one after the other, a clock that stands while somebody points at it."""

import pytest

from chimein_gui.viewmodels.problems.toasts import MOST_WAITING, Toasts


@pytest.fixture
def toasts(qapp):
    made = Toasts(shown_ms=40)
    yield made
    made.detach()
    made.deleteLater()


def test_a_toast_goes_by_itself_and_the_next_one_comes(toasts, qtbot):
    toasts.show("first")
    toasts.show("second")
    assert toasts.current.text == "first"
    with qtbot.waitSignal(toasts.changed, timeout=20_000):
        pass
    assert toasts.current.text == "second"
    with qtbot.waitSignal(toasts.changed, timeout=20_000):
        pass
    assert toasts.current is None


def test_a_paused_toast_stays(toasts, qtbot):
    toasts.show("look at me")
    toasts.pause()
    assert toasts.is_paused()
    with qtbot.assertNotEmitted(toasts.changed, wait=120):
        pass
    assert toasts.current.text == "look at me"
    toasts.go_on()
    assert not toasts.is_paused()
    with qtbot.waitSignal(toasts.changed, timeout=20_000):
        pass
    assert toasts.current is None


def test_its_action_is_done_once_and_puts_it_away(toasts):
    done = []
    toasts.show("Sent to Marta", "Undo", lambda: done.append(1))
    toasts.show("next")
    toasts.act()
    assert done == [1]
    assert toasts.current.text == "next"
    toasts.act()
    assert done == [1]
    assert toasts.current is None


def test_what_waits_can_be_put_away_before_its_turn(toasts):
    toasts.show("first")
    number = toasts.show("too late to undo", "Undo", lambda: None)
    toasts.put_away(number)
    toasts.put_away(toasts.current.number)
    assert toasts.current is None


def test_nobody_reads_a_hundred_toasts(toasts):
    for place in range(100):
        toasts.show(str(place))
    texts = []
    while toasts.current is not None:
        texts.append(toasts.current.text)
        toasts.put_away(toasts.current.number)
    assert texts == ["0", *map(str, range(100 - MOST_WAITING, 100))]
