"""What is told of: bars by how severe they are, and toasts one after the other."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.agents import FileProblem, Health
from chimein_gui.domain.holds import Backlog, BacklogItem
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.spending.caps import EVERYTHING, without_price
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.reporting.crash_reports import CrashReport
from chimein_gui.viewmodels.problems.sources import reason_of
from chimein_gui.viewmodels.problems.toasts import MOST_WAITING, Toasts
from chimein_gui.viewmodels.problems.words import ProblemCommand, Severity
from tests.fakes.engine_api import NOON, agent, approval, chat

FAULTS = {
    PlanningKind.RETRYING,
    PlanningKind.ASKED_TO_WAIT,
    PlanningKind.NO_KEY,
    PlanningKind.CAP,
    PlanningKind.FAILED,
    PlanningKind.CRASHED,
}
"""What a bar tells of; the rest are remarks."""

LOG_IN = Note(NoteKind.OTHER, "Log in again.")


def bars_of(room):
    room.settle()
    room.models.bars.gather()
    return room.models.bars.bars


def test_the_most_severe_stands_first(room):
    room.api.agents[2] = agent(2, "Otto Brandt", health=Health.WAITING, next_try_at=NOON + timedelta(seconds=8))
    room.attach()
    room.api.put_problems(FileProblem("/etc/agents/Bram.md", 14, Note(NoteKind.OTHER, "Unknown heading.")))
    room.api.put_agent(replace(room.api.agents[1], health=Health.LOGGED_OUT, health_note=LOG_IN))
    found = bars_of(room)
    assert [bar.severity for bar in found] == [Severity.BROKEN, Severity.DECIDE, Severity.WAITS]
    assert [bar.cause for bar in found] == [
        "\u2068Nora Vale\u2069 is logged out.",
        "Bram.md was not loaded.",
        "\u2068Otto Brandt\u2069 waits, next try in 8 s.",
    ]
    assert found[1].consequence == "Line 14: Unknown heading."
    assert found[1].actions[0].command is ProblemCommand.OPEN_FOLDER
    assert found[1].actions[0].target == "/etc/agents/Bram.md"


def test_a_bar_goes_when_its_cause_is_over_and_not_before(room):
    room.attach()
    room.api.put_agent(replace(room.api.agents[1], health=Health.LOGGED_OUT))
    assert len(bars_of(room)) == 1
    for _ in range(20):
        room.models.clock.ticked.emit()
    assert len(bars_of(room)) == 1
    room.api.put_agent(replace(room.api.agents[1], health=Health.ONLINE))
    assert bars_of(room) == ()


def test_what_was_put_away_stays_away_until_the_cause_is_another(room):
    room.attach()
    room.api.put_problems(FileProblem("/etc/agents/Bram.md", 14, Note(NoteKind.OTHER, "Unknown heading.")))
    room.models.bars.dismiss(bars_of(room)[0])
    assert bars_of(room) == ()
    room.models.clock.ticked.emit()
    assert bars_of(room) == ()
    room.api.put_problems(FileProblem("/etc/agents/Bram.md", 14, Note(NoteKind.OTHER, "Another heading.")))
    assert len(bars_of(room)) == 1
    room.models.bars.dismiss(bars_of(room)[0])
    room.api.put_problems()
    assert bars_of(room) == ()
    room.api.put_problems(FileProblem("/etc/agents/Bram.md", 14, Note(NoteKind.OTHER, "Another heading.")))
    assert len(bars_of(room)) == 1, "it was over, and came back"


def test_the_countdown_in_a_bar_runs(room):
    room.api.agents[1] = agent(health=Health.WAITING, next_try_at=NOON + timedelta(seconds=100))
    room.attach()
    assert "1:40" in bars_of(room)[0].cause
    room.time = NOON + timedelta(seconds=10)
    room.models.clock.ticked.emit()
    assert "1:30" in room.models.bars.bars[0].cause
    room.models.bars.dismiss(room.models.bars.bars[0])
    room.time = NOON + timedelta(seconds=20)
    room.models.clock.ticked.emit()
    assert bars_of(room) == (), "that is no news"


def test_of_several_that_wait_the_soonest_try_is_told(room):
    for number, seconds in ((2, 290), (3, 7), (4, 120)):
        at = NOON + timedelta(seconds=seconds)
        room.api.agents[number] = agent(number, f"Agent {number}", health=Health.WAITING, next_try_at=at)
    room.attach()
    [bar] = bars_of(room)
    assert bar.cause == "3 accounts wait, next try in 7 s."
    assert bar.actions[0].target == 3


def test_a_key_that_is_refused_is_one_bar_for_all_chats(room):
    why = PlanningProblem(PlanningKind.NO_KEY, "Gemini does not accept the API key (HTTP 400).")
    for number in (1, 2, 3):
        room.api.chats[number] = chat(number, f"Chat {number}", planning_problem=why)
    room.attach()
    (bar,) = bars_of(room)
    assert bar.severity is Severity.BROKEN
    assert bar.icon == "key"
    assert bar.cause == "Couldn't plan replies in 3 chats."
    assert bar.actions[0].command is ProblemCommand.PLAN_NOW
    assert set(bar.actions[0].target) == {1, 2, 3}
    for number in (1, 2, 3):
        room.api.put_chat(chat(number, f"Chat {number}"))
    assert bars_of(room) == ()


def test_an_answer_the_model_chose_not_to_give_is_no_fault():
    for kind in set(PlanningKind) - FAULTS:
        assert reason_of(PlanningProblem(kind, "words", 3, 4)) is None
    assert reason_of(None) is None


def test_chats_that_wait_for_the_same_share_a_bar_whatever_the_attempt(room):
    problems = (
        PlanningProblem(PlanningKind.RETRYING, "overloaded", attempt=1),
        PlanningProblem(PlanningKind.RETRYING, "overloaded", attempt=7),
        PlanningProblem(PlanningKind.ASKED_TO_WAIT, "overloaded", wait_s=30),
    )
    for number, problem in enumerate(problems, start=1):
        room.api.chats[number] = chat(number, f"Chat {number}", planning_problem=problem)
    room.attach()
    (bar,) = bars_of(room)
    assert (bar.severity, bar.icon, bar.cause) == (Severity.WAITS, "hourglass", "Couldn't plan replies in 3 chats.")
    assert bar.consequence == "Retrying automatically. Messages are saved. overloaded."


@pytest.mark.parametrize(
    ("kind", "cause", "stays"),
    [
        (
            PlanningKind.RETRYING,
            "Couldn't plan a reply to \u2068Inês\u2069.",
            "Retrying automatically. Messages are saved.",
        ),
        (
            PlanningKind.FAILED,
            "Couldn't plan a reply to \u2068Inês\u2069 in 10 attempts.",
            "Messages are saved and wait for an answer.",
        ),
    ],
)
def test_the_words_of_the_service_stand_apart_behind_what_it_means(room, kind, cause, stays):
    fault = Note(ModelFault.ANSWERED_LATER, "An internal error has occurred", 500)
    problem = PlanningProblem(kind, attempt=10, of=10, fault=fault)
    room.api.chats[1] = chat(1, "Inês", planning_problem=problem)
    room.attach()
    (bar,) = bars_of(room)
    assert (bar.cause, bar.consequence) == (cause, f"{stays} Gemini can't answer now (HTTP 500).")
    assert bar.raw == "An internal error has occurred."


@pytest.mark.parametrize(
    ("kind", "icon"), [(PlanningKind.FAILED, "alert"), (PlanningKind.CRASHED, "alert"), (PlanningKind.NO_KEY, "key")]
)
def test_the_icon_is_of_the_kind_and_not_of_a_word(room, kind, icon):
    room.api.chats[1] = chat(1, planning_problem=PlanningProblem(kind, "the monkey has no keyword by itself."))
    room.attach()
    (bar,) = bars_of(room)
    assert (bar.severity, bar.icon) == (Severity.BROKEN, icon)


def test_what_is_new_and_as_severe_is_shown_and_what_is_less_is_not(room):
    room.attach()
    bars = room.models.bars
    room.put_fault("one", "First.", "Do this.")
    room.put_fault("two", "Second.", "Do that.")
    assert bars.current().cause == "Second."
    bars.step(1)
    assert bars.current().cause == "First."
    room.put_problems(FileProblem("/etc/x.md", 0, Note(NoteKind.OTHER, "No.")))
    assert bars.current().cause == "First."
    bars.step(1)
    assert bars.current().cause == "x.md was not loaded."
    bars.step(1)
    assert bars.current().cause == "Second."


def test_a_review_that_an_earlier_run_left_open_is_offered_again_until_all_is_decided(room):
    first, second = approval(1), approval(2)
    room.api.holds.backlog = Backlog((), (BacklogItem(first, ticked=True), BacklogItem(second, ticked=False)))
    opened: list[Backlog] = []
    room.models.holds.backlog_opened.connect(opened.append)
    room.attach()
    (bar,) = bars_of(room)
    assert (bar.cause, bar.severity) == ("2 planned messages were held and need review.", Severity.DECIDE)
    assert [action.command for action in bar.actions] == [ProblemCommand.REVIEW]
    assert opened == [], "nothing opens by itself"
    room.models.holds.review()
    room.settle()
    assert opened == [room.api.holds.backlog]
    room.api.put_approval(replace(first, task_status=TaskStatus.APPROVED))
    assert [one.cause for one in bars_of(room)] == ["1 planned message was held and needs review."]
    room.models.holds.hold("lunch")
    assert bars_of(room) == (), "its release opens the review anew"
    room.models.holds.release()
    room.api.put_approval(replace(second, task_status=TaskStatus.SKIPPED))
    assert bars_of(room) == ()


def test_a_crash_of_the_run_before_is_said_until_it_is_put_away(room):
    room.attach()
    assert bars_of(room) == ()
    path = Path("/state/logs/crash-20261123T021320Z.txt")
    room.models.bars.tell_of_crash(CrashReport(path, NOON - timedelta(days=1), ended=True, text="where it was"))
    [bar] = bars_of(room)
    assert (bar.severity, bar.cause) == (Severity.WAITS, "Chimein ended unexpectedly.")
    assert bar.consequence.startswith("Yesterday at ")
    assert "Nothing is lost" in bar.consequence
    assert str(path) in bar.consequence
    assert [(action.command, action.target) for action in bar.actions] == [
        (ProblemCommand.DETAILS, f"{path}\n\nwhere it was"),
        (ProblemCommand.OPEN_FOLDER, str(path)),
    ]
    room.models.bars.dismiss(bar)
    assert bars_of(room) == ()
    room.time += timedelta(days=1)
    assert bars_of(room) == (), "the day in its words is another, and it is no news"


def test_a_fault_that_the_run_before_survived_is_no_unexpected_end(room):
    room.attach()
    room.models.bars.tell_of_crash(CrashReport(Path("/state/logs/crash-2.txt"), NOON, ended=False, text=""))
    [bar] = bars_of(room)
    assert bar.cause == "Chimein recovered from an internal error."
    assert "looked up" not in bar.consequence
    room.models.bars.tell_of_crash(None)
    assert bars_of(room) == ()


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
    toasts.dismiss(number)
    toasts.dismiss(toasts.current.number)
    assert toasts.current is None


def test_nobody_reads_a_hundred_toasts(toasts):
    for place in range(100):
        toasts.show(str(place))
    texts = []
    while toasts.current is not None:
        texts.append(toasts.current.text)
        toasts.dismiss(toasts.current.number)
    assert texts == ["0", *map(str, range(100 - MOST_WAITING, 100))]


def test_a_cap_that_is_reached_asks_for_all_its_chats_at_once(room):
    fault = Note(ModelFault.CAP_REACHED, "all", 3_000_000)
    for number in (1, 2, 3):
        problem = PlanningProblem(PlanningKind.CAP, fault=fault)
        room.api.chats[number] = chat(number, f"Chat {number}", planning_problem=problem)
    room.attach()
    (bar,) = bars_of(room)
    assert (bar.severity, bar.cause) == (Severity.DECIDE, "Planning is paused, 3 chats wait.")
    assert bar.consequence == "Today's cap of $3.00 for everything is reached. Messages are saved."
    assert (bar.actions[0].command, bar.actions[0].target) == (ProblemCommand.ADD_TO_CAP, EVERYTHING)
    assert bar.actions[0].word == "Add $2.00 for today"


def test_a_model_without_a_price_asks_whether_it_may_be_called_today(room):
    fault = Note(ModelFault.NO_PRICE, "acme-1")
    room.api.chats[1] = chat(1, "Inês", planning_problem=PlanningProblem(PlanningKind.CAP, fault=fault))
    room.attach()
    (bar,) = bars_of(room)
    assert (bar.actions[0].command, bar.actions[0].target) == (ProblemCommand.LIFT_CAP, without_price("acme-1"))
    assert bar.actions[0].word == "Continue until midnight", "as in the Costs pane"
    assert "acme-1" in bar.consequence
