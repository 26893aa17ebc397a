"""Another account is logged in under an agent: nothing of the old one leaves any more."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from chimein_gui.domain.ids import ApprovalId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.tasks import ApprovalState, CancelReason, LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.accounts.account_switch import UNCHECKABLE, bind_account, end_account
from chimein_gui.engine.ports import GraphStanding, LedgerRow, Transaction
from chimein_gui.engine.sending.claim import claim
from chimein_gui.engine.sending.confirmation import outcome_unknown
from tests.support.ingest_room import ACCOUNT, GROUP, IngestRoom


def _rows(tx: Transaction, *, approval_id: ApprovalId) -> tuple[LedgerRow, ...]:
    return tx.ledger.of_approval(approval_id)


async def on_its_way(room: IngestRoom, *, unknown: bool) -> ApprovalId:
    """Claim a send; returns its approval."""
    approved = await room.approved(await room.draft(await room.says("Nora?", peer=GROUP), peer=GROUP))
    room.clock.advance(10)
    claimed = (await room.do(lambda tx: claim(tx, approved.approval_id, room.environment))).claim
    assert claimed is not None
    if unknown:
        await room.do(lambda tx: outcome_unknown(tx, claimed.row.ledger_id))
    return approved.approval_id


async def test_open_and_approved_drafts_are_cancelled_with_the_reason(room: IngestRoom) -> None:
    trigger = await room.says("hello")
    drafts = [
        await room.draft(trigger),
        await room.approved(await room.draft(trigger, standing=GraphStanding.BESIDE)),
        await room.draft(trigger, standing=GraphStanding.VARIANT),
    ]
    assert (await room.now(drafts[1])).task_status is TaskStatus.APPROVED
    change = await room.do(lambda tx: end_account(tx, ACCOUNT))
    assert (change.cancelled, change.uncheckable) == (3, 0)
    for draft in drafts:
        now = await room.now(draft)
        assert (now.task_status, now.state) == (TaskStatus.CANCELLED, ApprovalState.SUPERSEDED)
        assert now.note == Note(CancelReason.ACCOUNT_CHANGED)
        rows = await room.do(partial(_rows, approval_id=draft.approval_id))
        assert rows == ()
    assert await room.received() is None


@pytest.mark.parametrize("unknown", [True, False], ids=["unknown", "on its way"])
async def test_what_nobody_can_look_up_any_more_is_archived_as_uncheckable(room: IngestRoom, unknown: bool) -> None:
    approval_id = await on_its_way(room, unknown=unknown)
    change = await room.do(lambda tx: end_account(tx, ACCOUNT))
    assert (change.cancelled, change.uncheckable) == (0, 1)
    assert change.note() == Note(FaultReason.ARRIVAL_UNCHECKABLE, number=1)
    now = await room.do(lambda tx: tx.approvals.get(approval_id))
    assert (now.task_status, now.note) == (TaskStatus.FAILED, UNCHECKABLE)
    rows = await room.do(lambda tx: tx.ledger.of_approval(approval_id))
    assert [row.state for row in rows] == [LedgerState.UNKNOWN], "the ledger does not say what nobody knows"


async def test_plans_waits_and_pauses_end_too(room: IngestRoom) -> None:
    draft = await room.draft(await room.says("hello"))
    chat = await room.chat()

    def prepare(tx):
        tx.chats.set_takeover(chat.chat_id, room.clock.now() + timedelta(hours=1))
        return tx.tasks.add(chat.chat_id, TaskKind.WAIT, TaskStatus.WAITING, graph_id=draft.graph_id, wait_s=60.0)

    wait = await room.do(prepare)
    await room.do(lambda tx: end_account(tx, ACCOUNT))
    assert (await room.do(lambda tx: tx.tasks.get(wait))).status is TaskStatus.CANCELLED
    assert (await room.chat()).takeover_until is None
    assert await room.do(lambda tx: tx.tasks.current_of_chat(chat.chat_id)) == ()
    assert await room.do(lambda tx: tx.tasks.chats_with_work(ACCOUNT)) == ()


async def test_drafts_of_one_persona_do_not_leave_under_another(room: IngestRoom) -> None:
    draft = await room.draft(await room.says("hello"))
    change = await room.do(lambda tx: bind_account(tx, room.sister.agent_id, ACCOUNT))
    assert change.cancelled == 1
    assert (await room.now(draft)).task_status is TaskStatus.CANCELLED
    again = await room.do(lambda tx: bind_account(tx, room.sister.agent_id, ACCOUNT))
    assert again.cancelled == 0
