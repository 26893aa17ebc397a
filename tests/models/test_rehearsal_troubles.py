"""A sandbox that raises anything, answers late, or answers after the window has let go."""

import pytest

from chimein_gui.sandbox_api import FaultKind, FaultRule, RehearsalState, ScenarioProgress
from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalCommand
from tests.fakes.sandbox_console import MARTA, NORA

FLOOD = FaultRule(FaultKind.FLOOD_WAIT, seconds=3)


@pytest.fixture
def scene(room):
    room.attach(sandbox=True)
    return room


BUGS = [RuntimeError("it broke"), RuntimeError(), TypeError("odd"), KeyError("it broke"), ValueError("it broke")]
OUR_BUG = "An internal error occurred. Details are in the log."


@pytest.mark.parametrize("error", BUGS)
def test_whatever_the_sandbox_raises_the_verb_is_free_again_and_a_bug_is_told_as_one(scene, expected_logs, error):
    expected_logs("The sandbox failed: inject")
    rehearsal = scene.models.rehearsal
    scene.sandbox.refuse = error
    rehearsal.inject(FLOOD)
    scene.settle()
    assert not rehearsal.busy(RehearsalCommand.INJECT)
    assert rehearsal.refusal(RehearsalCommand.INJECT) == OUR_BUG
    assert not rehearsal.gone
    rehearsal.inject(FLOOD)
    scene.settle()
    assert scene.sandbox.injected == [FLOOD]
    assert rehearsal.refusal(RehearsalCommand.INJECT) == ""


def test_a_state_that_cannot_be_read_is_a_sandbox_that_has_gone(room, expected_logs):
    expected_logs("The sandbox cannot be followed any more")

    async def broken(*, after=-1):
        raise RuntimeError("no such state")

    room.sandbox.rehearsal = broken
    room.attach(sandbox=True)
    assert room.models.rehearsal.gone


def test_a_sandbox_that_has_gone_plays_and_breaks_nothing(scene):
    rehearsal = scene.models.rehearsal
    scene.sandbox.put(scenario=ScenarioProgress("busy-friday"))
    scene.settle()
    rehearsal.inject(FLOOD)
    scene.settle()
    assert rehearsal.plays()
    scene.sandbox.gone = True
    scene.settle()
    assert (rehearsal.gone, rehearsal.plays(), rehearsal.state) == (True, False, RehearsalState())
    rehearsal.play("busy-friday")
    assert not rehearsal.busy(RehearsalCommand.SCENARIO)


def test_a_window_that_comes_back_is_not_busy_with_what_it_has_let_go(scene):
    rehearsal, scene.sandbox.slow = scene.models.rehearsal, True
    rehearsal.play("busy-friday")
    assert rehearsal.busy(RehearsalCommand.SCENARIO)
    rehearsal.detach()
    scene.settle()
    rehearsal.attach(scene.sandbox, scene.errands)
    assert not rehearsal.busy(RehearsalCommand.SCENARIO)


# --- voices ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", BUGS)
def test_whatever_the_sandbox_raises_is_told_and_the_voice_is_free_again(scene, expected_logs, error):
    expected_logs("The sandbox failed")
    told = list[str]()
    scene.models.voice.failed.connect(told.append)
    scene.sandbox.refuse = error
    scene.models.voice.speak(MARTA, NORA, "hello")
    scene.settle()
    assert told == [OUR_BUG]
    assert not scene.models.voice.busy(MARTA, NORA)
