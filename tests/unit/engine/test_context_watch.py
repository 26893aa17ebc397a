"""Conversation changed, in groups: what the plan's context would take now."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.tasks import TaskStatus
from tests.support.group_room import PEOPLE, GroupRoom, group_room

HOUR = 3600.0
OURS = "Priya, the tent needs tent pole 11"
OTHERS = "Leo, goal in minute 90, what a match"


async def talk(here: GroupRoom) -> None:
    """Two subjects, interleaved; the agent is called into the first."""
    for n in range(10):
        one, other = ("Priya", "Tom") if n % 2 else ("Tom", "Priya")
        here.group.said((600.0 - 40 * n, one, f"{other}, the tent needs tent pole {n}"))
        one, other = ("Ben", "Leo") if n % 2 else ("Leo", "Ben")
        here.group.said((590.0 - 40 * n, one, f"{other}, goal in minute {n}, what a match"))
    await here.settled()
    here.group.says("Nora, does the tent stand with that, Tom?", PEOPLE["Priya"])
    await here.room.worked_off()
    await here.settled()


async def draft(here: GroupRoom) -> Approval:
    (found,) = (await here.room.engine.queries.approvals()).rows
    return found


@pytest.mark.parametrize(
    ("said", "marks", "newer"),
    [(("Tom",), True, 0), (("Ben",), False, 1), (("Ben", "Tom"), True, 1)],
    ids=["what the context would take", "what it would leave out", "both at once"],
)
async def test_what_the_context_would_take_marks_the_draft_and_the_rest_is_counted(
    here: GroupRoom, said: tuple[str, ...], marks: bool, newer: int
) -> None:
    await talk(here)
    before = await draft(here)
    assert AskReason.CHANGED not in before.reasons
    for name in said:
        here.group.says(OURS if name == "Tom" else OTHERS, PEOPLE[name])
    await here.settled()
    after = await draft(here)
    assert (AskReason.CHANGED in after.reasons, after.is_stale) == (marks, marks)
    assert (after.newer, after.version) == (newer, before.version + marks)


async def test_a_rule_lets_go_of_what_it_approved(tmp_path: Path) -> None:
    async with group_room(tmp_path, has_written=True) as here:
        here.group.said((HOUR, "Ben", "hello"))
        await here.settled()
        await here.room.engine.chat_settings.set_trust(await here.chat_id(), TrustLevel.COUNTDOWN)
        await talk(here)
        assert (await draft(here)).task_status is TaskStatus.APPROVED
        here.group.says(OURS, PEOPLE["Tom"])
        await here.settled()
        assert (await draft(here)).task_status is TaskStatus.AWAITING_DECISION


async def test_what_came_while_the_model_was_thinking_is_looked_at_too(here: GroupRoom) -> None:
    gate = here.room.model.gate = asyncio.Event()
    await talk(here)
    await here.room.model.asked(1)
    here.group.says(OURS, PEOPLE["Tom"])
    await here.room.worked_off()
    gate.set()
    await here.room.until(lambda: here.room.find(TaskStatus.AWAITING_DECISION))
    await here.settled()
    assert AskReason.CHANGED in (await draft(here)).reasons
