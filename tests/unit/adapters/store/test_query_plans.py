"""No statement of the rows walks through a table: what it costs does not depend on what is stored."""

import re
from dataclasses import replace

from chimein_gui.domain.approvals import Verdict
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import MessageId, RandomId
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus
from chimein_gui.engine.ports import DecisionRecord
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    NOW,
    PEER,
    approval_in,
    chat_in,
    message,
    opened,
    sql_of,
)

# One row each, a handful of agents, the partial indexes that hold just what is asked for, and a LIMITed subquery.
ALLOWED_SCANS = re.compile(
    r"SCAN (meta|agents|agents USING COVERING INDEX sqlite_autoindex_agents_2"
    r"|\(subquery-\d+\)|CONSTANT ROW|t USING INDEX tasks_open"
    r"|tasks USING INDEX tasks_received|tasks USING INDEX tasks_leaving)$"
)
# `chats.all` returns every chat.
ALL_CHATS = re.compile(r"SCAN [cg]$")


def every_method(tx):
    chat = chat_in(tx)
    chat_in(tx)
    for number in (1, 2):
        tx.messages.put(chat.chat_id, message(number, out=number == 1))
    tx.messages.edit(message(2, "edited"))
    tx.messages.mark_deleted(ACCOUNT, PEER, (MessageId(1),))
    tx.messages.mark_deleted(ACCOUNT, None, (MessageId(2),))
    tx.messages.get(message(1).key)
    tx.messages.before(ACCOUNT, PEER, before_id=None, limit=5)
    tx.messages.newest_id(ACCOUNT, PEER)
    tx.messages.has_outgoing(ACCOUNT, PEER)
    tx.chats.get(chat.chat_id)
    tx.chats.set_trust(chat.chat_id, TrustLevel.AUTO)
    tx.chats.set_planned_up_to(chat.chat_id, MessageId(1))
    tx.chats.set_read_up_to(chat.chat_id, MessageId(1))
    tx.chats.set_partner_read_up_to(chat.chat_id, MessageId(1))
    tx.chats.set_planning_problem(chat.chat_id, "")
    received = tx.tasks.add(chat.chat_id, TaskKind.RECEIVED, TaskStatus.READY)
    tx.tasks.save(replace(tx.tasks.get(received), status=TaskStatus.RUNNING))
    tx.tasks.open_received(chat.chat_id)
    tx.tasks.open_everywhere()
    tx.tasks.current_of_chat(chat.chat_id)
    approval = approval_in(tx, chat.chat_id)
    tx.approvals.save(approval)
    tx.approvals.of_task(approval.task_id)
    tx.approvals.waiting()
    tx.approvals.resolved_since(NOW, limit=5)
    tx.approvals.log_decision(DecisionRecord("c", approval.approval_id, 1, "approve", "", Verdict.ACCEPTED, NOW))
    tx.approvals.decision_of("c")
    row = tx.ledger.prepare(approval, part=0, random_id=RandomId(5), origin=Origin.PLAN, text="x")
    tx.ledger.save(replace(row, message_id=MessageId(1)))
    tx.ledger.current(approval.approval_id)
    tx.ledger.owner_of(ACCOUNT, PEER, MessageId(1))
    return chat.chat_id


def steps_of(tx, statement):
    return [row[3] for row in sql_of(tx).all(f"EXPLAIN QUERY PLAN {statement}")]


def traced(tx, work):
    statements: list[str] = []
    connection = sql_of(tx)._connection
    connection.set_trace_callback(statements.append)
    work(tx)
    connection.set_trace_callback(None)
    return [statement for statement in statements if not statement.startswith("--")]


async def test_no_statement_walks_through_a_table(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            statements = traced(tx, every_method)
            plans = {statement: steps_of(tx, statement) for statement in statements}
            listing = {statement: steps_of(tx, statement) for statement in traced(tx, lambda tx: tx.chats.all())}
            return plans, listing

        plans, listing = await store.transact(work)
    assert len(plans) > 40
    walks = {
        statement: step
        for statement, steps in plans.items()
        for step in steps
        if "SCAN" in step and not ALLOWED_SCANS.search(step)
    }
    assert not walks
    (steps,) = listing.values()
    scans = [step for step in steps if "SCAN" in step and not ALLOWED_SCANS.search(step)]
    assert [bool(ALL_CHATS.search(step)) for step in scans] == [True]


async def test_history_needs_no_sorting(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            chat_in(tx)
            (statement,) = traced(tx, lambda tx: tx.messages.before(ACCOUNT, PEER, before_id=MessageId(9), limit=300))
            return steps_of(tx, statement)

        (step,) = await store.transact(work)
    assert "USING PRIMARY KEY" in step
