"""Conversation changed: exactly what makes a draft stale, and what is counted only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import TaskStatusChanged
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.tasks import LedgerState, Origin, TaskStatus
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.sending.claim import claim
from chimein_gui.engine.tasks.transitions import move_task
from chimein_gui.engine.triggers.triggers import REWRITTEN
from tests.support.ingest_room import ACCOUNT, GROUP, MARTA, PAUL, IngestRoom, ingest_room


def is_marked(before: Approval, now: Approval) -> bool:
    """Tell whether a card says that the conversation changed, as a new version of itself."""
    if now.version == before.version:
        assert now.changed_at == before.changed_at
        assert AskReason.CHANGED not in now.reasons
        return False
    assert now.version == before.version + 1
    assert now.is_stale
    assert AskReason.CHANGED in now.reasons
    return True


async def test_any_newer_message_of_a_dms_partner_does(room: IngestRoom) -> None:
    draft = await room.draft(await room.says("hello"))
    room.events.clear()
    await room.says("wait")
    assert any(isinstance(event, TaskStatusChanged) for event in room.events), "the window is told at once"
    once = await room.now(draft)
    assert is_marked(draft, once)
    await room.says("and another")
    twice = await room.now(draft)
    assert is_marked(once, twice)
    assert twice.changed_at > once.changed_at
    assert twice.newer == 0


async def test_a_service_message_does_not(room: IngestRoom) -> None:
    draft = await room.draft(await room.says("hello"))
    await room.says("", is_service=True)
    assert await room.now(draft) == draft


@pytest.mark.parametrize(
    ("fields", "marks"),
    [
        pytest.param({"by": PAUL, "text": "Nora?"}, True, id="a callout"),
        pytest.param({"by": MARTA, "text": "hm"}, True, id="a message of the trigger's author"),
        pytest.param({"by": PAUL, "text": "hm", "reply_to_id": MessageId(1)}, True, id="a reply to the agent"),
        pytest.param({"by": PAUL, "text": "hm", "reply_to_id": MessageId(2)}, True, id="a reply to the anchor"),
        pytest.param({"by": PAUL, "text": "hm", "reply_to_id": MessageId(3)}, False, id="a reply to somebody else"),
        pytest.param({"by": None, "text": "be nice"}, False, id="an anonymous admin"),
        pytest.param({"by": ACCOUNT, "text": "me again"}, True, id="our own from elsewhere"),
    ],
)
async def test_in_a_group(tmp_path: Path, fields: dict[str, Any], marks: bool) -> None:
    async with ingest_room(tmp_path) as room:
        await room.says("from my phone", peer=GROUP, by=ACCOUNT)  # 1
        anchor = await room.says("who wants cake?", peer=GROUP, by=PAUL)  # 2
        await room.says("not me", peer=GROUP, by=PAUL)  # 3
        trigger = await room.says("Nora?", peer=GROUP, reply_to_id=anchor.key.message_id)
        draft = await room.draft(trigger, peer=GROUP)
        await room.says(peer=GROUP, **fields)
        now = await room.now(draft)
        assert is_marked(draft, now) is marks
        assert now.newer == (0 if marks else 1)


@pytest.mark.parametrize("action", ["edit", "delete"])
@pytest.mark.parametrize(("number", "marks"), [(1, False), (2, True), (3, True), (4, True), (5, False)])
async def test_edits_and_deletes_of_what_the_prompt_held_do(
    room: IngestRoom, action: str, number: int, marks: bool
) -> None:
    written = [await room.says(f"number {one}", peer=GROUP, by=PAUL) for one in range(1, 5)]
    span = PromptSpan(MessageId(3), MessageId(4), extra=(MessageId(2),))
    draft = await room.draft(written[3], peer=GROUP, span=span)
    written.append(await room.says("number 5", peer=GROUP, by=None))
    draft = await room.now(draft)
    room.clock.advance(5)
    message = written[number - 1]
    await (room.edits(message, "something else") if action == "edit" else room.deletes(message))
    assert is_marked(draft, await room.now(draft)) is marks


async def test_a_countdown_goes_to_review_at_once(room: IngestRoom) -> None:
    await room.trust(TrustLevel.COUNTDOWN)
    await room.says("from my phone", by=ACCOUNT, is_automatic=True)
    draft = await room.draft(await room.says("hello"))
    assert draft.task_status is TaskStatus.APPROVED
    await room.says("wait")
    now = await room.now(draft)
    assert now.task_status is TaskStatus.AWAITING_DECISION
    assert is_marked(draft, now)
    assert await room.do(lambda tx: tx.ledger.of_approval(draft.approval_id)) == ()


async def test_what_is_on_its_way_knows_it_too(room: IngestRoom) -> None:
    approved = await room.approved(await room.draft(await room.says("hello")))
    room.clock.advance(10)
    result = await room.do(lambda tx: claim(tx, approved.approval_id, room.environment))
    assert result.claim is not None
    await room.says("wait")
    now = await room.now(approved)
    assert (now.task_status, now.is_stale, now.version) == (TaskStatus.SENDING, True, approved.version)
    rows = await room.do(lambda tx: tx.ledger.of_approval(approved.approval_id))
    assert [row.state for row in rows] == [LedgerState.SENDING]


async def test_what_the_operator_wrote_himself_is_never_stale(room: IngestRoom) -> None:
    draft = await room.draft(await room.says("hello"), standing=GraphStanding.BESIDE, origin=Origin.OPERATOR)
    await room.says("wait")
    await room.says("from my phone", by=ACCOUNT)
    now = await room.now(draft)
    assert (now.version, now.is_stale, now.newer) == (draft.version, False, 0)


async def test_what_he_takes_up_again_and_a_parked_variant_are_as_stale_as_any_draft(room: IngestRoom) -> None:
    message = await room.says("hello")
    first, again = await room.draft(message), await room.draft(message, standing=GraphStanding.BESIDE)
    variant = await room.draft(message, standing=GraphStanding.VARIANT, variant_of=first.graph_id)
    assert variant.task_status is TaskStatus.PARKED
    await room.says("wait")
    assert is_marked(variant, await room.now(variant))
    assert is_marked(again, await room.now(again))


async def test_a_plan_in_the_making_is_told_of_an_edit(room: IngestRoom) -> None:
    message = await room.says("at four")
    received = await room.due_plan()
    await room.do(lambda tx: move_task(tx, received, TaskStatus.READY, TaskStatus.RUNNING))
    room.clock.advance(5)
    await room.edits(message, "at five")
    told = await room.due_plan()
    assert told.reason == REWRITTEN
