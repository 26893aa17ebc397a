"""Replies that the model did not finish: never a silence of its own, never sent without a look."""

from __future__ import annotations

import pytest

from chimein_gui.domain.approvals import Approve, ApproveEdited, AskReason, DecisionRequest, Edit, Undo, Verdict
from chimein_gui.domain.chats import AUTOMATIC, TrustLevel
from chimein_gui.domain.prompt.prompts import ModelReply, Usage
from chimein_gui.domain.replies.problems import ReplyFault
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import Transaction
from chimein_gui.viewmodels.words.notes import problem_words
from tests.support.planning_room import PlanningRoom


def cut(text: str) -> ModelReply:
    """A reply that ran into its token limit."""
    return ModelReply(text, Usage(10, 5), "MAX_TOKENS", is_cut_off=True)


async def known_chat(room: PlanningRoom, trust: TrustLevel) -> None:
    """Let the chat be one in which a rule would decide."""
    await room.write("I wrote here before", out=True)
    await room.room.trust(trust)


@pytest.mark.parametrize("trust", sorted(AUTOMATIC))
async def test_a_reply_that_was_cut_off_asks_at_every_level(room: PlanningRoom, trust: TrustLevel) -> None:
    await known_chat(room, trust)
    room.model.script.append(cut("# «send»\nfirst\n# «send»\nthat you must nev"))
    drafts = await room.planned()
    assert [draft.task_status for draft in drafts] == [TaskStatus.AWAITING_DECISION] * 2
    assert all(AskReason.CUT_OFF in draft.reasons and draft.is_cut_off for draft in drafts)
    room.model.script.append("# «send»\nwhole")
    await room.plan("and now?")
    assert [draft.task_status for draft in await room.drafts()] == [TaskStatus.APPROVED]


@pytest.mark.parametrize("text", ["# «think»\nshe wants", "# «remember»\nshe li", "# «think»\n"])
async def test_a_reply_cut_off_before_its_first_message_is_no_decision_to_be_silent(
    room: PlanningRoom, text: str
) -> None:
    room.model.script.append(cut(text))
    await room.plan()
    chat = await room.chat()
    assert chat.planned_up_to == 0
    assert "broke off" in problem_words(chat.planning_problem)
    assert await room.drafts() == []


async def test_half_a_memory_is_not_remembered(room: PlanningRoom) -> None:
    room.model.script.append(cut("# «remember»\nshe likes tea\n# «send»\nhi\n# «remember»\nshe never ea"))
    await room.plan()
    graph = await room.graph()

    def memories(tx: Transaction) -> list[str]:
        found = (tx.effects.memory(graph.graph_id, index) for index in range(3))
        return [effect.text for effect in found if effect is not None]

    assert await room.room.do(memories) == ["she likes tea"]
    assert [problem.fault for problem in graph.problems] == [ReplyFault.MEMORY_CUT_OFF]


async def test_a_second_reply_that_is_whole_takes_the_mark_away_and_one_that_is_cut_brings_it(
    room: PlanningRoom,
) -> None:
    room.model.script += [cut("# «dance»\nhop\n# «send»\nfi"), "# «send»\nwhole"]
    await room.plan()
    assert [(draft.text, draft.is_cut_off) for draft in await room.drafts()] == [("whole", False)]
    room.model.script += ["# «dance»\nhop\n# «send»\nfirst", cut("# «send»\nseco")]
    await room.plan("again")
    assert [(draft.text, draft.is_cut_off) for draft in await room.drafts()] == [("seco", True)]


async def test_an_edit_removes_the_need_and_taking_it_back_brings_it_again(room: PlanningRoom) -> None:
    await known_chat(room, TrustLevel.REVIEW)
    room.model.script.append(cut("that you must nev"))
    (draft,) = await room.planned()
    assert draft.shown_reasons == (AskReason.CUT_OFF, AskReason.REVIEW)
    decided = await room.room.press(draft, Edit("that you must never forget"))
    assert decided.approval.shown_reasons == (AskReason.REVIEW,)
    decided = await room.room.press(decided.approval, Edit("that you must nev"))
    assert decided.approval.is_cut_off
    decided = await room.room.press(decided.approval, ApproveEdited("that you must know."))
    assert decided.verdict is Verdict.ACCEPTED
    undone = await room.room.press(decided.approval, Undo())
    assert undone.approval.shown_reasons == (AskReason.REVIEW,)


async def test_it_is_decided_one_by_one_unless_it_was_edited(room: PlanningRoom) -> None:
    await known_chat(room, TrustLevel.REVIEW)
    room.model.script.append(cut("# «send»\nfirst\n# «send»\nthat you must nev"))
    first, second = await room.planned()
    edited = (await room.room.press(first, Edit("first."))).approval
    outcomes = await room.room.deciding.decide_many(
        [
            DecisionRequest(card.approval_id, card.version, Approve(), card.seen_up_to, f"press {card.approval_id}")
            for card in (second, edited)
        ]
    )
    assert [outcome.verdict for outcome in outcomes] == [Verdict.CLOSED, Verdict.ACCEPTED]
    alone = await room.room.press((await room.drafts())[1], Approve())
    assert alone.verdict is Verdict.ACCEPTED


async def test_another_version_that_was_cut_off_says_so_once_it_is_chosen(room: PlanningRoom) -> None:
    await known_chat(room, TrustLevel.AUTO)
    await room.room.trust(TrustLevel.REVIEW)
    await room.plan()
    room.model.script.append(cut("# «send»\nwarmer, but not all of"))
    made = await room.variants.regenerate((await room.graph()).graph_id, "warmer")
    assert made.graph_id is not None
    await room.room.trust(TrustLevel.AUTO)
    assert await room.variants.choose(made.graph_id) is None
    (draft,) = await room.drafts()
    assert (draft.task_status, draft.is_cut_off) == (TaskStatus.AWAITING_DECISION, True)


async def test_a_reply_that_only_asks_for_tools_it_does_not_have_is_a_failure(room: PlanningRoom) -> None:
    room.model.script.append(ModelReply("", Usage(10, 5), "MALFORMED_FUNCTION_CALL", is_garbled=True))
    await room.plan()
    chat, received = await room.chat(), await room.received()
    assert chat.planned_up_to == 0
    assert "look" in problem_words(chat.planning_problem)
    assert received is not None
    assert received.status is TaskStatus.WAITING
