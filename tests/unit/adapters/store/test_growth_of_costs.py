"""What a question costs grows with its answer, not with all that is stored; counted in SQLite's own steps."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import Any

from chimein_gui.adapters.store.migrations.m0012_decision_counts import TWELFTH
from chimein_gui.domain.approvals import Verdict
from chimein_gui.domain.cards import DecisionCounts
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.engine.ports import DecisionRecord
from tests.unit.adapters.store.builders import ACCOUNT, NOW, approval_in, chat_in, connection_of, later, message, opened
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


def decided_in(tx, chat_id, number, decision="Approve", state=ApprovalState.APPROVED, **changes):
    """A card and the operator's decision on it, as the engine writes them."""
    approval = approval_in(tx, chat_id, status=TaskStatus.DONE)
    tx.approvals.save(replace(approval, state=state, **changes))
    tx.decisions.add(decision_on(approval, number, decision))
    return tx.approvals.get(approval.approval_id)


def decision_on(approval, number, decision, seconds=0, **changes):
    values: dict[str, Any] = {"text": "", "verdict": Verdict.ACCEPTED, "at": later(seconds)} | changes
    return DecisionRecord(f"press {number}", approval.approval_id, 1, decision, **values)


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
        tx.decisions.add(decision_on(card, 2, "Reject", 10))
        seen.append(counts())
        tx.approvals.save(replace(card, state=ApprovalState.REJECTED))
        seen.extend((counts(), counts(10), counts(11)))
        tx.decisions.add(decision_on(card, 3, "Approve", 20, by="auto trust"))
        tx.decisions.add(decision_on(card, 4, "Approve", 20, verdict=Verdict.OUTDATED))
        tx.decisions.add(decision_on(card, 5, "Postpone", 20))
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
            tx.decisions.add(decision_on(twice, 5, "Reject", 10))
            decided_in(tx, chat_id, 6, state=ApprovalState.OPEN)
            return chat_id

        chat_id = await store.transact(work)
    with closing(sqlite3.connect(tmp_path / "chimein.db")) as file:
        file.executescript(f"DROP TABLE decided_cards; {TWELFTH}")
    async with opened(tmp_path) as store:
        assert await store.read(lambda tx: tx.cards.decisions_since(chat_id, NOW)) == DecisionCounts(1, 1, 2)
        assert await store.read(lambda tx: tx.cards.decisions_since(chat_id, later(5))) == DecisionCounts(0, 0, 1)
