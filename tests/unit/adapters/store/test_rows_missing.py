"""Rows that are not there: whoever asks for one, or changes one, is told which."""

from dataclasses import replace

import pytest

from chimein_gui.domain.chats import ChatSettings
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import (
    AccountId,
    AgentId,
    ApprovalId,
    ChatId,
    GraphId,
    LedgerId,
    MessageId,
    SavedEditId,
    TaskId,
)
from chimein_gui.engine.ports import MemoryState
from tests.unit.adapters.store.builders import ACCOUNT, PEER, approval_in, chat_in, ledger_in

CHAT = ChatId(99)


def test_what_is_not_there_is_not_found(tx):
    assert tx.chats.find(ACCOUNT, PEER) is None
    approval = approval_in(tx, chat_in(tx).chat_id)
    row = ledger_in(tx, approval, 1)
    task, graph = tx.tasks.get(approval.task_id), tx.graphs.get(approval.graph_id)
    for words, look in (
        ("no agent 99", lambda: tx.agents.bind_account(AgentId(99), AccountId(1))),
        ("no agent 99", lambda: tx.agents.confirm_trust(AgentId(99), confirmed=True)),
        ("99", lambda: tx.approvals.get(ApprovalId(99))),
        ("99", lambda: tx.approvals.of_task(TaskId(99))),
        ("99", lambda: tx.approvals.save(replace(approval, approval_id=ApprovalId(99)))),
        ("no chat 99", lambda: tx.chats.get(CHAT)),
        ("no chat 99", lambda: tx.chats.set_settings(CHAT, ChatSettings())),
        ("no chat 99", lambda: tx.chats.set_takeover(CHAT, None)),
        ("no chat 99", lambda: tx.chats.set_agent_turns(CHAT, 1)),
        ("no chat 99", lambda: tx.chats.set_may_write(CHAT, may_write=False)),
        ("no chat 99", lambda: tx.chats.set_answered_up_to(CHAT, MessageId(1))),
        ("no chat 99", lambda: tx.chats.set_planned_up_to(CHAT, MessageId(1))),
        ("no chat 99", lambda: tx.chats.set_read_up_to(CHAT, MessageId(1))),
        ("no chat 99", lambda: tx.chats.set_partner_read_up_to(CHAT, MessageId(1))),
        ("no chat 99", lambda: tx.chats.set_planning_problem(CHAT, None)),
        ("no memory 2", lambda: tx.effects.set_memory(graph.graph_id, 2, MemoryState.WRITTEN)),
        ("no plan 99", lambda: tx.graphs.get(GraphId(99))),
        ("no plan 99", lambda: tx.graphs.save(replace(graph, graph_id=GraphId(99)))),
        ("no ledger row 99", lambda: tx.ledger.get(LedgerId(99))),
        ("no ledger row 99", lambda: tx.ledger.save(replace(row, ledger_id=LedgerId(99)))),
        ("no task 99", lambda: tx.tasks.get(TaskId(99))),
        ("no task 99", lambda: tx.tasks.save(replace(task, task_id=TaskId(99)))),
        ("no saved edit 99", lambda: tx.saved_edits.get(SavedEditId(99))),
        ("no saved edit 99", lambda: tx.saved_edits.pair(SavedEditId(99), None)),
        ("no saved edit 99", lambda: tx.saved_edits.remove(SavedEditId(99))),
    ):
        with pytest.raises(NotFoundError, match=words):
            look()
