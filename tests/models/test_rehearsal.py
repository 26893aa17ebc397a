"""The rehearsal as the window sees it: follows by long poll, says what is busy and what was refused or has gone."""

from dataclasses import replace

import pytest

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.faults.injector import read_offers
from chimein_gui.sandbox.scenes.library import SceneLibrary
from chimein_gui.sandbox_api import (
    Cast,
    DuplicateMode,
    FaultKind,
    FaultRule,
    Incident,
    Refused,
    RehearsalState,
    SandboxRefusedError,
    Scenario,
    ScenarioProgress,
    SceneFault,
    SceneProblem,
)
from chimein_gui.viewmodels.rehearsal.commands import RehearsalCommand
from chimein_gui.viewmodels.rehearsal.fault_words import (
    duplicate_words,
    group_of,
    hits_words,
    methods_of,
    often_words,
    what_words,
    where_words,
)
from chimein_gui.viewmodels.rehearsal.incident_words import incident_words
from chimein_gui.viewmodels.rehearsal.refusals import scene_problem_words
from chimein_gui.viewmodels.rehearsal.scenarios import ScenarioListModel
from chimein_gui.viewmodels.rehearsal.words import cast_in_words, sandbox_words
from tests.fakes.sandbox_console import MARTA, NORA


@pytest.fixture
def scene(room):
    room.attach(sandbox=True)
    return room


def test_one_question_is_under_way_and_no_more_until_it_is_answered(scene):
    asked = scene.sandbox.asked
    scene.settle()
    scene.settle()
    assert scene.sandbox.asked == asked
    for seed in range(20):
        scene.sandbox.put(seed=seed)
    scene.settle()
    assert scene.sandbox.asked == asked + 1
    assert scene.models.rehearsal.state.seed == 19


def test_what_the_sandbox_offers_is_told_in_german(in_german):
    faults = read_offers()
    scenes = SceneLibrary(resource_path("sandbox", "scenarios"), {fault.name: fault.rule for fault in faults})
    cast = Cast(faults=faults, scenarios=scenes.scenarios())
    assert cast_in_words(cast) == cast
    german = in_german(lambda: cast_in_words(cast))
    for kind in ("faults", "scenarios"):
        for before, after in zip(getattr(cast, kind), getattr(german, kind), strict=True):
            assert (after.title != before.title, after.summary != before.summary) == (True, True), before.name
    struck = [Incident(fault.rule, account="Nora") for fault in faults]
    assert not set(map(incident_words, struck)) & set(in_german(lambda: list(map(incident_words, struck))))
    refused = [SandboxRefusedError(why, *"1234") for why in Refused if why is not Refused.SCENE]
    english = [sandbox_words(one, "") for one in refused]
    assert len(set(english)) == len(refused)
    assert not set(english) & set(in_german(lambda: [sandbox_words(one, "") for one in refused]))


def test_every_mistake_in_a_file_of_the_sandbox_has_words_in_german(in_german):
    details = {SceneFault.RULE: (Refused.SPEED, "1", "2", "3")}
    wrong = [SceneProblem(one, "x.yaml", 4, details.get(one, tuple("abcd"))) for one in SceneFault]
    english = [scene_problem_words(one) for one in wrong]
    german = in_german(lambda: [scene_problem_words(one) for one in wrong])
    assert len(set(english)) == len(wrong)
    assert not {one.partition(": ")[2] for one in english} & {one.partition(": ")[2] for one in german}
    refused = SandboxRefusedError(Refused.SCENE, SceneFault.GONE, "x.yaml", 4, "it")
    assert sandbox_words(refused, "") == "x.yaml, line 4: The message “it” was deleted."
    bad = Cast(scenarios=(Scenario("x", "x", "", problem=wrong[0]),))
    assert cast_in_words(bad).scenarios[0].summary == english[0]


def test_after_detaching_nothing_is_asked_and_no_answer_arrives(scene):
    rehearsal, told = scene.models.rehearsal, list[bool]()
    rehearsal.changed.connect(lambda: told.append(True))
    scene.models.detach()
    asked = scene.sandbox.asked
    scene.sandbox.put(seed=99)
    scene.settle()
    assert (scene.sandbox.asked, told, rehearsal.state.seed) == (asked, [], 7)
    rehearsal.commands.play("busy-friday")
    assert scene.sandbox.state.scenario is None


def test_what_the_operator_asks_arrives(scene):
    rehearsal = scene.models.rehearsal
    rehearsal.commands.play("flood-wait")
    rehearsal.commands.set_speed(5)
    rehearsal.commands.set_seed(11)
    rehearsal.commands.set_duplicate_mode(DuplicateMode.FORGOTTEN)
    scene.settle()
    assert rehearsal.scenario == ScenarioProgress("flood-wait")
    assert rehearsal.plays()
    assert (rehearsal.state.speed, rehearsal.state.seed) == (5, 11)
    assert rehearsal.state.duplicate_mode is DuplicateMode.FORGOTTEN
    rehearsal.commands.pause(paused=True)
    scene.settle()
    assert rehearsal.scenario.paused
    rehearsal.commands.stop()
    scene.settle()
    assert not rehearsal.plays()


@pytest.mark.parametrize("first_to_know", ["the poll", "a command"])
def test_a_sandbox_that_has_gone_is_noticed(scene, first_to_know):
    rehearsal = scene.models.rehearsal
    scene.sandbox.gone = True
    if first_to_know == "a command":
        rehearsal.commands.set_speed(2)
    scene.settle()
    assert rehearsal.gone
    assert not rehearsal.busy(RehearsalCommand.SPEED)


def test_people_are_looked_for_again_when_a_scenario_begins_or_ends(scene):
    assert len(scene.models.send_as_partner.groups) == 1
    scene.sandbox.everybody = replace(scene.sandbox.everybody, groups=())
    scene.sandbox.put(scenario=ScenarioProgress("busy-friday", 3))
    scene.settle()
    assert scene.models.send_as_partner.groups == ()


def test_scenario_rows_tell_how_far_they_are(scene):
    rows = ScenarioListModel(scene.models.rehearsal)
    assert [rows.state_of(row) for row in rows.items()] == ["40 steps", "6 steps", "9 steps"]
    for progress, words in (
        (ScenarioProgress("flood-wait", 2), "Playing, 2 of 6"),
        (ScenarioProgress("flood-wait", 2, paused=True), "Paused, 2 of 6"),
        (ScenarioProgress("flood-wait", 6, finished=True), "Finished"),
        (ScenarioProgress("flood-wait", 3, stopped=True), "Stopped"),
        (
            ScenarioProgress("flood-wait", 3, problem=SceneProblem(SceneFault.GONE, "x.yaml")),
            "Stopped early",
        ),
    ):
        scene.sandbox.put(scenario=progress)
        scene.settle()
        assert rows.index(1, 0).data() == f"Flood wait, {words}, {scene.sandbox.everybody.scenarios[1].summary}"
    assert rows.state_of(rows.items()[0]) == "40 steps"


@pytest.mark.parametrize("kind", list(FaultKind))
def test_every_kind_has_a_group_and_words(qapp, kind):
    rule = FaultRule(kind, account_id=NORA, seconds=30, code=503, message="OVERLOADED")
    assert group_of(kind)
    assert what_words(rule)
    assert isinstance(methods_of(kind), tuple)
    assert "{" not in what_words(rule) + where_words(rule, "Nora Vale") + often_words(rule)


def test_a_rule_reads_as_a_sentence(qapp):
    flood = FaultRule(FaultKind.FLOOD_WAIT, "messages.sendMessage", seconds=30, times=3)
    assert what_words(flood) == "Flood wait of 30 s"
    assert where_words(flood, "") == "messages.sendMessage, all accounts"
    assert [often_words(flood, hits) for hits in (0, 2)] == ["next 3 calls", "next call"]
    lost = FaultRule(FaultKind.LOSE_UPDATES, account_id=NORA, times=0, probability=0.25)
    assert where_words(lost, "Nora Vale") == "any update, Nora Vale"
    assert often_words(lost) == "25 % of calls"
    assert often_words(FaultRule(FaultKind.SLOW, times=0)) == "until removed"
    assert where_words(FaultRule(FaultKind.MODEL_EMPTY), "") == "any call"
    assert [hits_words(hits) for hits in (0, 1, 2)] == ["not triggered yet", "triggered once", "triggered 2 times"]


@pytest.mark.parametrize("mode", list(DuplicateMode))
def test_every_way_with_a_repeated_message_is_explained(qapp, mode):
    name, explanation = duplicate_words(mode)
    assert name
    assert explanation.endswith(".")


FLOOD = FaultRule(FaultKind.FLOOD_WAIT, seconds=3)


BUGS = [RuntimeError("it broke"), RuntimeError(), TypeError("odd"), KeyError("it broke"), ValueError("it broke")]
OUR_BUG = "An internal error occurred. Details are in the log."


@pytest.mark.parametrize("error", BUGS)
def test_whatever_the_sandbox_raises_the_command_is_free_again_and_a_bug_is_told_as_one(scene, expected_logs, error):
    expected_logs("The sandbox failed: inject")
    rehearsal = scene.models.rehearsal
    scene.sandbox.refuse = error
    rehearsal.commands.inject(FLOOD)
    scene.settle()
    assert not rehearsal.busy(RehearsalCommand.INJECT)
    assert rehearsal.refusal(RehearsalCommand.INJECT) == OUR_BUG
    assert not rehearsal.gone
    rehearsal.commands.inject(FLOOD)
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
    rehearsal.commands.inject(FLOOD)
    scene.settle()
    assert rehearsal.plays()
    scene.sandbox.gone = True
    scene.settle()
    assert (rehearsal.gone, rehearsal.plays(), rehearsal.state) == (True, False, RehearsalState())
    rehearsal.commands.play("busy-friday")
    assert not rehearsal.busy(RehearsalCommand.SCENARIO)


def test_a_window_that_comes_back_is_not_busy_with_what_it_has_let_go(scene):
    rehearsal, scene.sandbox.slow = scene.models.rehearsal, True
    rehearsal.commands.play("busy-friday")
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
    scene.models.send_as_partner.failed.connect(told.append)
    scene.sandbox.refuse = error
    scene.models.send_as_partner.send(MARTA, NORA, "hello")
    scene.settle()
    assert told == [OUR_BUG]
    assert not scene.models.send_as_partner.busy(MARTA, NORA)
