"""Replies that the model did not finish, played by the sandbox: told, repeated, and never sent unseen.

The chat has no media, whose description would be the first call that meets the fault.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import Chat
from chimein_gui.sandbox.seeds import people
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.viewmodels.words.notes import problem_words
from tests.e2e.whole_house import PATIENCE_S, House, house

GENERATE = "generateContent"


async def chat_with_problem(here: House) -> Chat:
    """Wait for a chat that says why it has no plan."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            here.changed.clear()  # before the look, so that nothing that comes during it is missed
            found = [chat for chat in (await here.engine.queries.chats()).rows if chat.planning_problem]
            if found:
                return found[0]
            await here.changed.wait()


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (FaultRule(FaultKind.MODEL_ODD_END, GENERATE, message="OTHER"), "OTHER"),
        (FaultRule(FaultKind.MODEL_ODD_END, GENERATE, message="NOT_KNOWN_YET"), "NOT_KNOWN_YET"),
        (FaultRule(FaultKind.MODEL_NO_CANDIDATES, GENERATE), "no reply"),
        (FaultRule(FaultKind.MODEL_THOUGHTS, GENERATE), "thoughts"),
    ],
)
async def test_an_answer_without_a_reply_is_told_and_the_message_stays_unanswered(
    tmp_path: Path, rule: FaultRule, words: str
) -> None:
    async with house(tmp_path) as here:
        await here.console.inject(rule)
        await here.console.speak(people.JULE, people.OTTO, "are you there?")
        chat = await chat_with_problem(here)
        assert words in problem_words(chat.planning_problem)
        assert "attempt 1 of 10" in problem_words(chat.planning_problem)
        assert chat.planned_up_to < chat.newest_in_id


async def test_a_reply_that_is_cut_off_waits_and_says_so(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        await here.console.inject(FaultRule(FaultKind.MODEL_CUT_OFF, GENERATE))
        await here.console.speak(people.JULE, people.OTTO, "are you there?")
        (draft,) = await here.drafts(lambda rows: rows)
        assert draft.is_cut_off
        assert AskReason.CUT_OFF in draft.shown_reasons
