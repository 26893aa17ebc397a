"""Approving what was perhaps delivered, or in part: numbers belong to exact bytes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approve, ApproveEdited, AskReason, Decision, Edit, Verdict
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.sending.confirmation import confirm_part
from tests.support.decision_room import QUICK, DecisionRoom, decision_room, said

S, L, R, V = TaskStatus, LedgerState, AskReason, Verdict
LONG = "one " * 2_000
"""Two messages."""


@pytest.mark.parametrize("decision", [Approve(), ApproveEdited("hello")], ids=["approve", "same text"])
async def test_the_same_bytes_keep_their_number_and_their_first_claim(room: DecisionRoom, decision: Decision) -> None:
    approval = await room.approved()
    (before,) = await room.rows(approval)
    claimed_at = room.clock.now()
    card = await room.perhaps_not_delivered(approval)
    assert [part.state for part in card.parts] == [L.UNKNOWN]
    room.clock.advance(60)
    approved = (await room.press(card, decision)).approval
    (row,) = await room.rows(approved)
    assert (row.ledger_id, row.random_id, row.state) == (before.ledger_id, before.random_id, L.UNKNOWN)
    result = await room.claim(approved)
    assert result.claim is not None
    assert (result.claim.row.random_id, result.claim.row.claimed_at) == (before.random_id, claimed_at)


@pytest.mark.parametrize("way", ["approve edited", "edit, then approve"])
async def test_other_bytes_get_another_number(room: DecisionRoom, way: str) -> None:
    approval = await room.approved()
    (before,) = await room.rows(approval)
    card = await room.perhaps_not_delivered(approval)
    if way == "approve edited":
        approved = (await room.press(card, ApproveEdited("mine"))).approval
    else:
        approved = (await room.press((await room.press(card, Edit("mine"))).approval)).approval
    (row,) = await room.rows(approved)
    assert (row.text, row.state) == ("mine", L.PREPARED)
    assert row.random_id != before.random_id
    assert (await room.do(lambda tx: tx.ledger.get(before.ledger_id))).state is L.VOID


async def test_an_edit_taken_back_keeps_the_number(room: DecisionRoom) -> None:
    approval = await room.approved()
    (before,) = await room.rows(approval)
    card = await room.perhaps_not_delivered(approval)
    card = (await room.press(card, Edit("mine"))).approval
    card = (await room.press(card, Edit("hello"))).approval
    approved = (await room.press(card)).approval
    assert [row.random_id for row in await room.rows(approved)] == [before.random_id]


async def test_of_a_partly_sent_text_only_the_open_parts_follow(room: DecisionRoom) -> None:
    card = await room.partly_sent(LONG)
    assert [part.state for part in card.parts] == [L.SENT, L.PREPARED]
    sent, rest = await room.rows(card)
    approved = (await room.press(card)).approval
    after = await room.rows(approved)
    assert [(row.part, row.state) for row in after] == [(0, L.SENT), (1, L.PREPARED)]
    assert after[0] == sent
    assert after[1].text == rest.text
    result = await room.claim(approved)
    assert result.claim is not None
    assert result.claim.row.part == 1


@pytest.mark.parametrize("decision", [ApproveEdited("mine"), Edit("mine")])
async def test_the_text_of_a_partly_sent_one_is_fixed(room: DecisionRoom, decision: Decision) -> None:
    card = await room.partly_sent(LONG)
    assert said(await room.press(card, decision)) == (V.INVALID, True)
    assert await room.now(card) == card


async def test_the_rest_of_a_split_text_is_not_stopped_by_a_cap_that_its_own_first_part_reached(tmp_path: Path) -> None:
    async with decision_room(tmp_path, preferences=replace(QUICK, chat_cap=1)) as room:
        await room.trust(TrustLevel.AUTO)
        card = await room.one(LONG)
        claimed = (await room.claim(card)).claim
        assert claimed is not None
        await room.end_request(card, LedgerState.UNKNOWN)
        row_id, environment = claimed.row.ledger_id, room.environment
        await room.do(lambda tx: confirm_part(tx, row_id, None, environment))
        assert (await room.now(card)).task_status is S.APPROVED
        result = await room.claim(card)
        assert result.claim is not None, result.note
        assert result.claim.row.part == 1
        other = await room.one("another")
        assert AskReason.CAP in other.reasons
