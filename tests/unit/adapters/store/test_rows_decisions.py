"""The decision log: each client id once, and the last reason of a rejection."""

from dataclasses import replace

import pytest

from chimein_gui.domain.approvals import Verdict
from chimein_gui.domain.errors import StoreError
from chimein_gui.engine.ports import DecisionRecord
from tests.unit.adapters.store.builders import NOW, approval_in, chat_in, later


async def test_the_decision_log_keeps_each_client_id_once(store):
    approval = await store.transact(lambda tx: approval_in(tx, chat_in(tx).chat_id))
    record = DecisionRecord("client-1", approval.approval_id, 1, "Approve", "text", Verdict.ACCEPTED, later(3))
    automatic = replace(record, client_id="client-3", by="auto trust")
    await store.transact(lambda tx: tx.approvals.log_decision(record))
    await store.transact(lambda tx: tx.approvals.log_decision(automatic))
    assert await store.read(lambda tx: tx.approvals.decision_of("client-1")) == record
    assert await store.read(lambda tx: tx.approvals.decision_of("client-3")) == automatic
    assert await store.read(lambda tx: tx.approvals.decision_of("client-2")) is None
    with pytest.raises(StoreError, match="UNIQUE"):
        await store.transact(lambda tx: tx.approvals.log_decision(replace(record, text="other")))
    assert await store.read(lambda tx: tx.approvals.decision_of("client-1")) == record


def test_the_last_decision_on_a_card_is_the_newest_accepted_one(tx):
    chat_id = chat_in(tx).chat_id
    mine, other = approval_in(tx, chat_id), approval_in(tx, chat_id)
    made = [
        DecisionRecord(str(number), approval_id, 1, decision, "", verdict, later(seconds))
        for number, (approval_id, decision, verdict, seconds) in enumerate(
            (
                (mine.approval_id, "Edit", Verdict.ACCEPTED, 10),
                (mine.approval_id, "Approve", Verdict.ACCEPTED, 20),
                (mine.approval_id, "Reject", Verdict.OUTDATED, 30),
                (mine.approval_id, "Postpone", Verdict.ACCEPTED, 30),
                (other.approval_id, "Reject", Verdict.ACCEPTED, 40),
            )
        )
    ]
    assert tx.approvals.last_decision(mine) is None
    for record in made:
        tx.approvals.log_decision(record)
    expected = made[1]
    found = tx.approvals.last_decision(mine)
    assert found == expected


def test_the_last_rejection_of_a_chat_is_the_newest_accepted_one(tx):
    here, there = chat_in(tx).chat_id, chat_in(tx, peer=5).chat_id
    mine, other = approval_in(tx, here).approval_id, approval_in(tx, there).approval_id
    for number, (approval_id, decision, text, verdict, seconds) in enumerate(
        (
            (mine, "Reject", "too long", Verdict.ACCEPTED, 10),
            (mine, "RejectPlan", "not at all", Verdict.ACCEPTED, 20),
            (mine, "Reject", "refused", Verdict.OUTDATED, 30),
            (mine, "Approve", "hello", Verdict.ACCEPTED, 40),
            (other, "Reject", "elsewhere", Verdict.ACCEPTED, 50),
        )
    ):
        record = DecisionRecord(str(number), approval_id, 1, decision, text, verdict, later(seconds))
        tx.approvals.log_decision(record)
    seen = [tx.approvals.last_rejection(here, later(since)) for since in (0, 20, 21)]
    tx.approvals.log_decision(DecisionRecord("9", mine, 1, "Reject", "", Verdict.ACCEPTED, later(60)))
    assert [*seen, tx.approvals.last_rejection(here, NOW), tx.approvals.last_rejection(there, NOW)] == [
        "not at all",
        "not at all",
        "",
        "",
        "elsewhere",
    ]
