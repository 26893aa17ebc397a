"""A bar of what did not work goes when it has worked after all, and not because something else has."""

import pytest

from chimein_gui.domain.errors import StoreWriteError
from tests.fakes.console import BIG


async def refuse(*_args, **_more):
    raise StoreWriteError("Disk full")


def causes(desktop):
    desktop.settle()
    return [bar.cause for bar in desktop.models.bars.bars]


VERBS = {
    "stop an agent": (lambda it: (it.console.accounts, "stop"), lambda it: it.models.agents.stop(1)),
    "hold": (lambda it: (it.console.holds, "release"), lambda it: it.models.holds.release()),
    "take over": (lambda it: (it.console.chat_settings, "take_over"), lambda it: it.models.chat_commands.take_over(1)),
    "plan now": (lambda it: (it.console.plans, "retry"), lambda it: it.models.waits.plan_now(1)),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_that_works_after_all_takes_its_bar_back(desktop, monkeypatch, verb):
    where, press = VERBS[verb]
    monkeypatch.setattr(*where(desktop), refuse)
    press(desktop)
    assert causes(desktop) == ["Disk full"]
    press(desktop)
    assert causes(desktop) == ["Disk full"]
    monkeypatch.undo()
    press(desktop)
    assert causes(desktop) == []
    assert not desktop.window.fault_bar.isVisible()


def test_a_decision_that_works_after_all_takes_its_bar_back(desktop):
    first, second = (desktop.models.approvals.find(BIG + number) for number in (1, 2))
    desktop.console.fail = StoreWriteError("Disk full")
    desktop.models.actions.approve(first)
    assert causes(desktop) == ["Disk full"]
    desktop.console.fail = None
    desktop.models.actions.approve(second)
    assert causes(desktop) == ["Disk full"]
    desktop.models.actions.approve(desktop.models.approvals.find(BIG + 1))
    assert causes(desktop) == []


def test_a_bar_stays_when_another_verb_of_its_kind_works(desktop, monkeypatch):
    monkeypatch.setattr(desktop.console.accounts, "stop", refuse)
    desktop.models.agents.stop(1)
    monkeypatch.undo()
    desktop.models.agents.start(1)
    assert causes(desktop) == ["Disk full"]
