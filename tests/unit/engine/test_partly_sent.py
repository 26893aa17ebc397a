"""A send of several parts, of which some have left: caps, and deleting for everyone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.approvals import Approve, AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import RateLimitedError
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.between_parts import DELETED_NOTE
from chimein_gui.engine.sends import confirm_part
from tests.support.decision_room import QUICK, decision_room
from tests.support.engine_room import Room

S = TaskStatus
LONG = "\n\n".join(["word " * 500] * 3)


async def test_the_rest_of_a_split_text_is_not_stopped_by_a_cap_that_its_own_first_part_reached(tmp_path: Path) -> None:
    async with decision_room(tmp_path, preferences=replace(QUICK, chat_cap=1)) as room:
        await room.trust(TrustLevel.AUTO)
        card = await room.one(LONG)
        claimed = (await room.claim(card)).claim
        assert claimed is not None
        await room.end_request(card, LedgerState.UNKNOWN)
        row_id, conditions = claimed.row.ledger_id, room.conditions
        await room.do(lambda tx: confirm_part(tx, row_id, None, conditions))
        assert (await room.now(card)).task_status is S.APPROVED
        result = await room.claim(card)
        assert result.claim is not None, result.note
        assert result.claim.row.part == 1
        other = await room.one("another")
        assert AskReason.CAP in other.reasons


async def test_with_a_part_deleted_for_everyone_the_rest_does_not_follow_by_itself(room: Room) -> None:
    room.model.script.append(f"# «send»\n{LONG}")
    room.telegram.partner_writes("hello")
    room.telegram.script.extend(["", RateLimitedError("FLOOD_WAIT", 30, "send_text")])
    await room.decide(await room.approval(S.AWAITING_DECISION), Approve())
    await room.worked_off()
    card = await room.approval(S.APPROVED)
    first = card.parts[0]
    assert (first.state, card.parts[1].state) == (LedgerState.SENT, LedgerState.PREPARED)
    assert first.message_id is not None
    assert await room.engine.sent.delete(card.chat_id, first.message_id) == ""
    await room.pass_time(60)
    assert [one.text for one in room.telegram.messages if one.out and not one.deleted] == []
    card = room.newest(card)
    assert (card.task_status, card.note) == (S.AWAITING_DECISION, DELETED_NOTE)
    assert AskReason.PARTLY_SENT in card.reasons
