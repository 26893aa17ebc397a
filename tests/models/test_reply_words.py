"""What of a reply was left out: every fault has words, and what the model wrote stands in them as it came."""

import pytest

from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.replies.replies import parse_reply
from chimein_gui.viewmodels.words.notes import problem_words
from chimein_gui.viewmodels.words.replies import reply_problem_words, reply_problems_words

SAID = ("Foxes {0}", "{number} of", "no")


@pytest.mark.parametrize("fault", ReplyFault)
def test_every_fault_has_words_and_names_its_line(qapp, fault):
    words = reply_problem_words(ReplyProblem(fault, 3, 20, SAID))
    assert words.startswith("line 3: ")
    left = words.replace("Foxes {0}", "").replace("{number} of", "")
    assert "{" not in left
    assert reply_problem_words(ReplyProblem(fault, 0, 20, SAID)) == words.removeprefix("line 3: ")


def test_a_fault_says_what_belongs_to_it(qapp):
    asked = {
        ReplyProblem(ReplyFault.TOO_LONG, 2, 40_961): "line 2: a message of 40,961 characters was cut",
        ReplyProblem(ReplyFault.NO_MESSAGE, 1, 987654321): (
            "line 1: there is no message 987654321 in this chat; sent without a reply"
        ),
        ReplyProblem(ReplyFault.STICKER_NOT_FOUND_OUT, 1, said=("🦊", "Foxes", "the line is cut")): (
            "line 1: the sticker 🦊 of Foxes could not be looked up (the line is cut); it goes as text"
        ),
        ReplyProblem(ReplyFault.STICKER_NOT_FOUND_OUT, 1, said=("🦊", "Foxes", "")): (
            "line 1: the sticker 🦊 of Foxes could not be looked up (Telegram did not answer); it goes as text"
        ),
        ReplyProblem(ReplyFault.OTHER, said=("told long ago",)): "told long ago",
    }
    assert {problem: reply_problem_words(problem) for problem in asked} == asked
    assert reply_problems_words(list(asked)[:2]) == "\n".join(list(asked.values())[:2])


def test_a_plan_says_what_was_wrong_with_its_reply(qapp):
    (cause,) = parse_reply("# «dance»\nwildly").problems
    said = "line 1: «dance» is not a type of block"
    assert problem_words(PlanningProblem(PlanningKind.PARTLY_USED, cause=cause)).endswith(f"changed: {said}")
    assert problem_words(PlanningProblem(PlanningKind.NOTHING_USABLE, cause=cause)).endswith(f"used ({said}).")
    assert problem_words(PlanningProblem(PlanningKind.NOTHING_USABLE)).endswith("used.")
