"""The decision log: each client id once, and the last reason of a rejection."""

from dataclasses import replace

import pytest

from chimein_gui.domain.approvals import RejectionCause, Verdict
from chimein_gui.domain.cards import TrustSource
from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionKind, DecisionTotals, RuleInForce, with_agents
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.engine.ports import DecisionRecord
from tests.support.steps import counted
from tests.unit.adapters.store.builders import NOW, approval_in, chat_in, later


async def test_the_decision_log_keeps_each_client_id_once(store):
    approval = await store.transact(lambda tx: approval_in(tx, chat_in(tx).chat_id))
    record = DecisionRecord("client-1", approval.approval_id, 1, "Approve", "text", Verdict.ACCEPTED, later(3))
    automatic = replace(record, client_id="client-3", by="auto trust")
    await store.transact(lambda tx: tx.decisions.add(record))
    await store.transact(lambda tx: tx.decisions.add(automatic))
    assert await store.read(lambda tx: tx.decisions.of_client("client-1")) == record
    assert await store.read(lambda tx: tx.decisions.of_client("client-3")) == automatic
    assert await store.read(lambda tx: tx.decisions.of_client("client-2")) is None
    with pytest.raises(StoreError, match="UNIQUE"):
        await store.transact(lambda tx: tx.decisions.add(replace(record, text="other")))
    assert await store.read(lambda tx: tx.decisions.of_client("client-1")) == record


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
                (mine.approval_id, "SendAnyway", Verdict.ACCEPTED, 30),
                (other.approval_id, "Reject", Verdict.ACCEPTED, 40),
            )
        )
    ]
    assert tx.decisions.last_of(mine) is None
    for record in made:
        tx.decisions.add(record)
    expected = made[1]
    found = tx.decisions.last_of(mine)
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
        tx.decisions.add(record)
    seen = [tx.decisions.last_rejection(here, later(since)) for since in (0, 20, 21)]
    tx.decisions.add(DecisionRecord("9", mine, 1, "Reject", "", Verdict.ACCEPTED, later(60)))
    assert [*seen, tx.decisions.last_rejection(here, NOW), tx.decisions.last_rejection(there, NOW)] == [
        "not at all",
        "not at all",
        "",
        "",
        "elsewhere",
    ]


def logged(tx, approval_id, number, decision="Approve", text="Draft", **other):
    record = DecisionRecord(str(number), approval_id, 1, decision, text, Verdict.ACCEPTED, later(number), **other)
    tx.decisions.add(record)


def test_the_log_is_read_by_agent_chat_kind_time_and_words_newest_first(tx):
    chat, there = chat_in(tx), chat_in(tx, peer=5)
    mine, other = approval_in(tx, chat.chat_id), approval_in(tx, there.chat_id, kind=TaskKind.BLOCK)
    logged(tx, mine.approval_id, 1, text=mine.draft_text)
    logged(tx, mine.approval_id, 2, "ApproveEdited", "<b>Grüße</b> '; DROP TABLE")
    logged(tx, mine.approval_id, 3, "Edit", "half")
    logged(tx, other.approval_id, 4, "Reject", "too stiff", cause=RejectionCause.WRONG_TONE)
    logged(tx, other.approval_id, 5, text=other.draft_text, by="auto trust")

    def keys(limit=10, **wanted):
        return [one.client_id for one in tx.decisions.page(DecisionFilter(**wanted), None, limit).rows]

    assert keys() == ["5", "4", "2", "1"]
    assert keys(chat_id=chat.chat_id) == ["2", "1"]
    assert keys(agent_id=chat.agent_id, chat_id=there.chat_id) == ["5", "4"]
    assert keys(kind=DecisionKind.EDITED) == keys(text="GRÜSSE") == ["2"]
    assert keys(chat_id=chat.chat_id, kind=DecisionKind.REJECTED) == []
    assert keys(since=later(2), until=later(5)) == ["4", "2"]
    first = tx.decisions.page(DecisionFilter(), None, 2)
    rest = tx.decisions.page(DecisionFilter(), first.rest, 2)
    assert [one.client_id for one in first.rows + rest.rows] == ["5", "4", "2", "1"]
    rejected = first.rows[1]
    assert (rejected.words, rejected.cause, rejected.text) == ("too stiff", RejectionCause.WRONG_TONE, other.text)
    assert [one.what for one in first.rows + rest.rows] == [*[TaskKind.BLOCK] * 2, *[TaskKind.SEND] * 2]
    assert tx.decisions.totals(DecisionFilter()) == DecisionTotals(1, 1, 1, 1)
    assert tx.decisions.totals(DecisionFilter(chat_id=chat.chat_id)).edit_rate == 0.5
    assert tx.decisions.last_rejection(there.chat_id, NOW) == "wrong tone: too stiff"


def test_an_automatic_decision_keeps_who_set_its_rule_and_until_when(tx):
    chat = chat_in(tx)
    card = approval_in(tx, chat.chat_id)
    tx.chats.set_settings(chat.chat_id, ChatSettings(TrustLevel.AUTO, later(90), trust_since=later(1)))
    logged(tx, card.approval_id, 2, by="auto trust")
    tx.chats.set_settings(chat.chat_id, ChatSettings())
    (one,) = tx.decisions.page(DecisionFilter(), None, 5).rows
    assert one.rule == RuleInForce("auto trust", TrustSource.CHAT, later(1), later(90))


@pytest.mark.parametrize("wanted", [DecisionFilter(), DecisionFilter(text="nowhere"), DecisionFilter(AgentId(1))])
def test_a_page_costs_the_same_however_long_the_log_is(tx, wanted):
    card = approval_in(tx, chat_in(tx).chat_id)
    costs = []
    for number in range(2400):
        logged(tx, card.approval_id, number)
        if number in (800, 2399):
            with counted() as count:
                tx.decisions.page(wanted, None, 50)
            costs.append(count.steps)
    assert costs[1] <= costs[0] * 1.05


def test_decisions_are_counted_for_each_chat_and_summed_for_its_agent(tx):
    chat, there = chat_in(tx), chat_in(tx, peer=5)
    mine, other = approval_in(tx, chat.chat_id), approval_in(tx, there.chat_id)
    logged(tx, mine.approval_id, 1, text=mine.draft_text)
    logged(tx, mine.approval_id, 2, "ApproveEdited", "mine")
    logged(tx, mine.approval_id, 3, "Postpone")
    logged(tx, other.approval_id, 4, text=other.draft_text, by="auto trust")
    logged(tx, other.approval_id, 5, "ApproveEdited", "other")
    agent, first, second = with_agents(tx.decisions.shares(DecisionFilter(since=later(1))), 5)
    assert (agent.chat_id, agent.totals) == (None, DecisionTotals(1, 2, 0, 1))
    assert {first.chat_id, second.chat_id} == {chat.chat_id, there.chat_id}
    (alone,) = tx.decisions.shares(DecisionFilter(chat_id=there.chat_id, since=later(5)))
    assert alone.totals == DecisionTotals(edited=1)
    assert alone.totals.edit_rate == 1


def test_decisions_of_an_agent_stay_its_own_when_another_takes_its_chat_over(tx):
    card = approval_in(tx, chat_in(tx).chat_id)
    logged(tx, card.approval_id, 1, text=card.draft_text)
    chat = chat_in(tx, agent="Bob")
    logged(tx, card.approval_id, 2, "ApproveEdited", "other")
    alone = DecisionFilter(chat.agent_id, chat.chat_id)
    assert [one.agent_name for one in tx.decisions.page(alone, None, 5).rows] == ["Bob"]
    assert tx.decisions.totals(alone) == DecisionTotals(edited=1)
    assert [one.totals for one in tx.decisions.shares(alone)] == [DecisionTotals(edited=1)]
    shown = with_agents(tx.decisions.shares(DecisionFilter()), 5)
    assert {(one.agent_name, one.chat_id is None): one.totals for one in shown} == {
        ("Ada", True): DecisionTotals(1),
        ("Ada", False): DecisionTotals(1),
        ("Bob", True): DecisionTotals(edited=1),
        ("Bob", False): DecisionTotals(edited=1),
    }
