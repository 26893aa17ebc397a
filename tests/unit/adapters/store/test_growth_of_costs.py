"""What a question costs grows with its answer, not with all that is stored; counted in SQLite's own steps."""

import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC
from typing import Any

import pytest

from chimein_gui.adapters.store.migrations.m0012_decision_counts import TWELFTH
from chimein_gui.domain.approvals import AskReason, Verdict
from chimein_gui.domain.cards import DecisionCounts
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from chimein_gui.engine.core.environment import LivePreferences, TransactionEnvironment
from chimein_gui.engine.operator.backlog import standing_backlog
from chimein_gui.engine.ports import DecisionRecord, GraphStanding, PromptSpan
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    NOW,
    approval_in,
    chat_in,
    connection_of,
    graph_in,
    later,
    message,
    opened,
    planned_in,
)
from tests.unit.adapters.store.sql_work import SqlWork, counted

OTHERS = AccountId(ACCOUNT + 1)


def fill(tx, *, account, agent, first, chats):
    """Chats with three messages each, the last of them answered in every second one."""
    for number in range(first, first + chats):
        peer = 1_000 + number
        chat = chat_in(tx, peer=peer, account=account, agent=agent)
        for message_id in (1, 2, 3):
            tx.messages.put(chat.chat_id, message(message_id, peer=peer, account=account))
        if number % 2:
            tx.chats.set_planned_up_to(chat.chat_id, MessageId(5))


async def work_of(store, question) -> SqlWork:
    """What a question costs the reader, asked for the first time."""

    def work(tx):
        with counted(connection_of(tx)) as cost:
            question(tx)
        return cost

    return await store.read(work)


async def test_what_an_account_must_catch_up_with_and_its_news_cost_nothing_of_the_others(store):
    await store.transact(lambda tx: fill(tx, account=ACCOUNT, agent="Ada", first=0, chats=4))
    owner = await store.read(lambda tx: tx.agents.owner_of(ACCOUNT))
    assert owner is not None
    questions = (lambda tx: tx.chats.known_up_to(ACCOUNT), lambda tx: tx.chats.with_news(owner.agent_id))
    known, news = [await store.read(question) for question in questions]
    peers = [(await store.read(lambda tx, one=one: tx.chats.get(one))).info.peer_id for one in news]
    alone = [await work_of(store, question) for question in questions]
    await store.transact(lambda tx: fill(tx, account=OTHERS, agent="Bea", first=0, chats=300))
    beside = [await work_of(store, question) for question in questions]
    assert known == {PeerId(1_000): 3, PeerId(1_001): 5, PeerId(1_002): 3, PeerId(1_003): 5}
    assert peers == [1_000, 1_002]
    assert await store.read(lambda tx: tx.chats.known_up_to(AccountId(3))) == {}
    assert [cost.statements for cost in beside] == [1, 1]
    assert all(now.steps <= before.steps + 2 for now, before in zip(beside, alone, strict=True))


def test_chats_of_an_account_that_another_agent_runs_now_begin_anew(tx):
    """As the window shows them: a chat counts for an agent once it is told of to its account."""
    fill(tx, account=ACCOUNT, agent="Ada", first=0, chats=2)
    ada = tx.agents.owner_of(ACCOUNT)
    tx.agents.bind_account(ada.agent_id, OTHERS)
    assert (tx.chats.known_up_to(ACCOUNT), tx.chats.with_news(ada.agent_id)) == ({}, ())


@pytest.mark.parametrize(("read_before", "read_up_to", "unread"), [(0, 10, 7_990), (7_000, 7_995, 5), (0, 8_000, 0)])
async def test_a_read_mark_counts_the_shorter_side_alone(store, read_before, read_up_to, unread):

    def work(tx):
        chat_id = chat_in(tx).chat_id
        for number in range(1, 8_001):
            tx.messages.put(chat_id, message(number))
        tx.chats.set_read_up_to(chat_id, MessageId(read_before))
        with counted(connection_of(tx)) as cost:
            tx.chats.set_read_up_to(chat_id, MessageId(read_up_to))
        return cost, tx.chats.get(chat_id), chat_id

    cost, chat, chat_id = await store.transact(work)
    stored = await store.read(lambda tx: tx.chats.get(chat_id))
    assert chat == stored
    assert (chat.read_up_to, chat.unread) == (read_up_to, unread)
    assert cost.steps < 2 * 8_000  # all of them are nine steps each


def test_hidden_steps_of_a_window_far_back_cost_nothing_of_the_plans_after_it(tx):
    chat_id = chat_in(tx).chat_id
    for number in range(1, 1_001):
        span = PromptSpan(MessageId(number), MessageId(number))
        graph_id = graph_in(tx, chat_id, span=span, standing=GraphStanding.PAST)
        planned_in(tx, chat_id, graph_id=graph_id, kind=TaskKind.RECEIVED, status=TaskStatus.DONE)
        planned_in(tx, chat_id, graph_id=graph_id, status=TaskStatus.DONE, position=1)
    failed = graph_in(tx, chat_id, span=PromptSpan(MessageId(40), MessageId(40)))
    planned_in(tx, chat_id, graph_id=failed, kind=TaskKind.BLOCK, status=TaskStatus.DONE, position=1)
    far = {"since_id": MessageId(30), "until_id": MessageId(60), "limit": 500}
    with counted(connection_of(tx)) as cost:
        found = tx.transcripts.hidden_steps(chat_id, **far)
    beside = tx.transcripts.hidden_steps(chat_id, since_id=MessageId(41), until_id=MessageId(60), limit=5)
    with counted(connection_of(tx)) as whole:
        open_end = tx.transcripts.hidden_steps(chat_id, since_id=MessageId(30), limit=500)
    assert [step.after_message_id for step in found] == [40]
    assert beside == ()
    assert open_end == found
    assert 10 * cost.steps < whole.steps


def decided_in(tx, chat_id, number, decision="Approve", state=ApprovalState.APPROVED, **changes):
    """A card and the operator's decision on it, as the engine writes them."""
    approval = approval_in(tx, chat_id, status=TaskStatus.DONE)
    tx.approvals.save(replace(approval, state=state, **changes))
    tx.approvals.log_decision(decision_on(approval, number, decision))
    return tx.approvals.get(approval.approval_id)


def decision_on(approval, number, decision, seconds=0, **changes):
    values: dict[str, Any] = {"text": "", "verdict": Verdict.ACCEPTED, "at": later(seconds)} | changes
    return DecisionRecord(f"press {number}", approval.approval_id, 1, decision, **values)


async def test_decisions_in_a_chat_are_counted_without_their_cards(tmp_path):
    many = 500
    async with opened(tmp_path) as store:

        def work(tx):
            chat_id = chat_in(tx).chat_id
            for number in range(many):
                decided_in(tx, chat_id, number)
            return chat_id

        chat_id = await store.transact(work)
        found = await store.read(lambda tx: tx.cards.decisions_since(chat_id, NOW))
        cost = await work_of(store, lambda tx: tx.cards.decisions_since(chat_id, NOW))
        none = await work_of(store, lambda tx: tx.cards.decisions_since(chat_id, later(1)))
    assert found == DecisionCounts(unchanged=many)
    assert cost.statements == 1
    assert cost.steps <= 6 * many
    assert none.steps <= 100


async def test_the_counts_of_decisions_follow_the_cards(store):

    def work(tx):
        chat_id = chat_in(tx).chat_id

        def counts(since=0):
            return tx.cards.decisions_since(chat_id, later(since))

        seen = [counts()]
        card = decided_in(tx, chat_id, 1)
        seen.append(counts())
        tx.approvals.save(replace(card, text="other words"))
        seen.append(counts())
        tx.approvals.save(replace(card, state=ApprovalState.OPEN))
        seen.append(counts())
        tx.approvals.log_decision(decision_on(card, 2, "Reject", 10))
        seen.append(counts())
        tx.approvals.save(replace(card, state=ApprovalState.REJECTED))
        seen.extend((counts(), counts(10), counts(11)))
        tx.approvals.log_decision(decision_on(card, 3, "Approve", 20, by="auto trust"))
        tx.approvals.log_decision(decision_on(card, 4, "Approve", 20, verdict=Verdict.OUTDATED))
        tx.approvals.log_decision(decision_on(card, 5, "Postpone", 20))
        seen.append(counts(11))
        return chat_id, seen

    chat_id, seen = await store.transact(work)
    stored = await store.read(lambda tx: tx.cards.decisions_since(chat_id, NOW))
    none, edited = DecisionCounts(), DecisionCounts(edited=1)
    unchanged, rejected = DecisionCounts(unchanged=1), DecisionCounts(rejected=1)
    assert seen == [none, unchanged, edited, none, none, rejected, rejected, none, none]
    assert stored == rejected


async def test_a_file_from_before_counts_the_decisions_it_holds(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            chat_id = chat_in(tx).chat_id
            decided_in(tx, chat_id, 1)
            decided_in(tx, chat_id, 2, "ApproveEdited", text="other words")
            decided_in(tx, chat_id, 3, "RejectPlan", ApprovalState.REJECTED)
            twice = decided_in(tx, chat_id, 4, "Reject", ApprovalState.REJECTED)
            tx.approvals.log_decision(decision_on(twice, 5, "Reject", 10))
            decided_in(tx, chat_id, 6, state=ApprovalState.OPEN)
            return chat_id

        chat_id = await store.transact(work)
    with closing(sqlite3.connect(tmp_path / "chimein.db")) as file:
        file.executescript(f"DROP TABLE decided_cards; {TWELFTH}")
    async with opened(tmp_path) as store:
        assert await store.read(lambda tx: tx.cards.decisions_since(chat_id, NOW)) == DecisionCounts(1, 1, 2)
        assert await store.read(lambda tx: tx.cards.decisions_since(chat_id, later(5))) == DecisionCounts(0, 0, 1)


async def calls_for(store, look):
    """Return what a look at the store finds, and how many calls of functions it takes."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    def counted_look(tx):
        sys.setprofile(count)
        try:
            return look(tx)
        finally:
            sys.setprofile(None)

    return await store.read(counted_look), calls


async def test_what_stands_at_a_start_costs_as_much_as_it_holds(store):
    many = 200
    preferences = LivePreferences(Preferences())
    outside = TransactionEnvironment(
        preferences, lambda: NOW, lambda _: UTC, lambda _: True, lambda: "", lambda _: False
    )

    def work(tx):
        for number in range(many):
            chat_id = chat_in(tx, peer=1_000 + number).chat_id
            approval_in(tx, chat_id, reasons=(AskReason.HELD,) if number == 7 else (AskReason.REVIEW,))

    await store.transact(work)
    backlog, calls = await calls_for(store, lambda tx: standing_backlog(tx, outside))
    assert [item.approval.reasons for item in backlog.items] == [(AskReason.HELD,)]
    assert calls < many
    (approvals, chats), calls = await calls_for(store, lambda tx: (tx.approvals.waiting(), tx.chats.all()))
    assert len(approvals) == len(chats) == many
    assert calls <= 13 * many
