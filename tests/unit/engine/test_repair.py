"""The repair round."""

from __future__ import annotations

from chimein_gui.domain.errors import ModelRefusedError, ModelTransientError
from chimein_gui.domain.notes import Note, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.marks import NOT_FROM_CHAT
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.prompts import Role
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.words.notes import problem_words
from tests.support.planning_room import PlanningRoom

BROKEN = "# «think»\nhm, what now\n# «send»\nfirst try\n# «dance»\nhop"


async def test_a_reply_with_problems_is_shown_to_the_model_once_and_only_the_second_one_counts(
    room: PlanningRoom,
) -> None:
    room.model.script += [BROKEN, "# «send»\nsecond try"]
    await room.plan()
    assert [draft.text for draft in await room.drafts()] == ["second try"]
    assert (await room.graph()).problems == ()
    first, second = room.model.prompts
    assert second.contents[:-2] == first.contents
    shown, complaint = second.contents[-2:]
    assert (shown.role, complaint.role) == (Role.MODEL, Role.USER)
    assert shown.parts == ("# «think»\n(think, 12 characters)\n# «send»\nfirst try\n# «dance»\nhop",)
    mark, words = complaint.parts
    assert mark == NOT_FROM_CHAT
    assert "line 5: «dance» is not a type of block" in words
    assert [call.purpose for call in await room.booked()] == ["plan", "repair"]


async def test_of_a_second_reply_with_problems_the_good_blocks_go_on_and_the_bad_ones_are_reported(
    room: PlanningRoom,
) -> None:
    room.model.script += [BROKEN, "# «wait»\nsoon\n# «send»\nsecond try\n# «sticker»\nCats"]
    await room.plan()
    assert [draft.text for draft in await room.drafts()] == ["second try"]
    assert len((await room.graph()).problems) == 2
    assert len(room.model.prompts) == 2
    assert "left out or changed" in problem_words((await room.chat()).planning_problem)


async def test_a_good_reply_is_not_asked_for_twice(room: PlanningRoom) -> None:
    room.model.script.append("# «retrieve»\nhttps://example.org/\n# «send»\nhello")
    await room.plan()
    assert len(room.model.prompts) == 1


PAGES = "# «think»\nlook it up\n# «retrieve»\nhttps://example.org/"


async def test_a_reply_that_only_asks_for_pages_is_asked_to_answer_without_them(room: PlanningRoom) -> None:
    room.model.script += [PAGES, "# «send»\nIt opens at nine, I think."]
    await room.plan()
    assert [draft.text for draft in await room.drafts()] == ["It opens at nine, I think."]
    assert "line 3: web pages cannot be looked up here" in room.model.prompts[1].contents[-1].parts[1]


async def test_who_asks_for_pages_twice_has_not_decided_to_be_silent(room: PlanningRoom) -> None:
    room.model.script += [PAGES, PAGES]
    await room.plan()
    assert await room.drafts() == []
    chat = await room.chat()
    assert "asked for web pages" in problem_words(chat.planning_problem)
    assert chat.planned_up_to < chat.newest_in_id


async def test_a_second_call_that_fails_repeats_the_whole_job(room: PlanningRoom) -> None:
    room.model.script += [BROKEN, ModelTransientError("overloaded"), "# «send»\nthird time lucky"]
    await room.plan()
    received = await room.due_plan()
    assert (received.status, received.attempts) == (TaskStatus.WAITING, 1)
    assert len(await room.booked()) == 2
    await room.later(10)
    assert [draft.text for draft in await room.drafts()] == ["third time lucky"]


async def test_a_second_call_that_is_refused_leaves_the_good_blocks_of_the_first(room: PlanningRoom) -> None:
    room.model.script += [BROKEN, ModelRefusedError("blocked")]
    await room.plan()
    assert [draft.text for draft in await room.drafts()] == ["first try"]
    assert (await room.graph()).problems[0] == ReplyProblem(ReplyFault.UNKNOWN_TYPE, 5, said=("dance",))


async def test_a_plan_never_costs_more_than_13_model_calls(room: PlanningRoom) -> None:
    room.model.script += [BROKEN, ModelTransientError("overloaded")] * 20
    await room.plan()
    while await room.received() is not None:
        await room.later(10)
    assert len(room.model.prompts) == 13
    # The last attempt had no call left for a repair: what was good of it goes on.
    assert [draft.text for draft in await room.drafts()] == ["first try"]


async def test_a_plan_whose_13_calls_are_used_up_is_given_up_before_its_tenth_attempt(room: PlanningRoom) -> None:
    room.model.script += [BROKEN, ModelTransientError("overloaded")] * 5
    room.model.script += [ModelTransientError("overloaded")] * 10
    await room.plan()
    for _ in range(8):
        await room.later(10)
    assert len(room.model.prompts) == 13
    assert await room.received() is None
    assert (await room.chat()).planning_problem == PlanningProblem(
        PlanningKind.FAILED, fault=Note(ModelFault.CALLS_USED_UP, number=13)
    )
