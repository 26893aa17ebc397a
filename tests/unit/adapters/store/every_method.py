"""Calls every method of every row set, so that tests can look at the statements."""

import inspect
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time
from itertools import product
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from chimein_gui.adapters.store.columns.conditions import ENOUGH_TO_INDEX
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.transaction import SqliteTransaction
from chimein_gui.domain import ids
from chimein_gui.domain.accounts.group_moves import GroupMove
from chimein_gui.domain.approvals import Approval, AskReason, Verdict
from chimein_gui.domain.chats import ChatInfo, ChatKind, ChatSettings, QuietHours, TrustLevel, Unsent
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.memory.embedding import EmbeddingState
from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.domain.memory.orders.given import GivenOrder, OrderState
from chimein_gui.domain.memory.orders.recognition import OrderForm
from chimein_gui.domain.memory.proposals import Effect, Evidence, FoundMemory, NewProposal, Proposal, ProposalId
from chimein_gui.domain.messages import Reaction
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.people.holdings import HoldingKind
from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionKind, LogPosition
from chimein_gui.domain.plans.step_edits import PlanEdit, StepAction
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.prompt.sent import CallId, PromptOutline, SectionSource
from chimein_gui.domain.spending.caps import EVERYTHING, CapKey, Payer, Reservation, cap_of_agent, cap_of_chat
from chimein_gui.domain.tasks import ApprovalState, LedgerState, TaskKind, TaskStatus
from chimein_gui.domain.traces.records import TraceRecord
from chimein_gui.domain.traces.summaries import TraceId, TraceKind, TraceState
from chimein_gui.engine.ports import (
    DecisionRecord,
    ForgetRequest,
    GraphStanding,
    IndexUse,
    MemoryEffect,
    MemoryState,
    MessageQuery,
    NewApproval,
    NewGraph,
    NewRequest,
    ServerWait,
    Transaction,
)
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    NOW,
    PEER,
    approval_in,
    chat_in,
    connection_of,
    ledger_in,
    message,
    planned_in,
    spec,
    sql_of,
)

ROW_SETS = sorted({*SqliteTransaction.__slots__} - {"revision"})


def call_every_method(tx: Transaction) -> None:
    """Call each on the same rows; not those that by their nature look at everything.

    These are `ChatRows.all`, and `PeopleRows.forget_chat`, which has indexes of its own while it runs; and what lists,
    counts and measures traces, for which `trace_100k` of the benchmarks says how long it takes.
    """
    values = _world(tx)
    connection = connection_of(tx)
    methods = [(rows, name) for rows in ROW_SETS for name in dir(getattr(tx, rows)) if not name.startswith("_")]
    of_traces = (("traces", name) for name in ("page", "count", "sizes", "place", "plan_costs", "oldest"))
    for whole in (("chats", "all"), ("people", "forget_chat"), ("people", "all_chats"), *of_traces):
        methods.remove(whole)
    for rows, name in methods:
        for arguments in _arguments(getattr(getattr(tx, rows), name), values):
            connection.execute("SAVEPOINT one")
            sql = Sql(connection)
            with suppress(ChimeinError):
                getattr(getattr(SqliteTransaction(sql, lambda: NOW), rows), name)(**arguments)
            connection.execute("ROLLBACK TO one")


def _arguments(method: Any, values: dict[object, list[object]]) -> Iterator[dict[str, object]]:
    """Give the arguments of each call: every kind of value that a parameter may have."""
    hints = get_type_hints(method)
    names = list(inspect.signature(method).parameters)
    for given in product(*(_of_kind(hints[name], values) for name in names)):
        yield dict(zip(names, given, strict=True))


def _of_kind(kind: Any, values: dict[object, list[object]]) -> list[object]:
    if get_origin(kind) in {Union, UnionType}:
        return [one for part in get_args(kind) for one in _of_kind(part, values)]
    if get_origin(kind) in {tuple, Sequence, frozenset}:
        made = frozenset if get_origin(kind) is frozenset else tuple
        return [made([one]) for one in _of_kind(get_args(kind)[0], values)]
    return values[kind]


def _world(tx: Transaction) -> dict[object, list[object]]:
    """Store a row of each kind, and return what may stand for each kind of parameter."""
    chat = chat_in(tx)
    chat_id, said = chat.chat_id, message(1)
    for number in (1, 2, 3):
        tx.messages.put(chat_id, message(number))
    tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY)
    approval = approval_in(tx, chat_id)
    decided = approval_in(tx, chat_id, state=ApprovalState.APPROVED)
    row = ledger_in(tx, approval, 5, state=LedgerState.SENT, message_id=ids.MessageId(1))
    press = DecisionRecord("c", approval.approval_id, 1, "Reject", "", Verdict.ACCEPTED, NOW)
    tx.decisions.add(press)
    memory = MemoryEffect(approval.graph_id, 0, chat.agent_id, chat_id, "", MemoryState.PREPARED, NOW)
    tx.effects.add_memory(memory)
    order = GivenOrder(chat_id, ids.MessageId(1), chat.agent_id, PEER, OrderForm.PLAIN, "x", OrderState.PREPARED, NOW)
    tx.memory_orders.add(order)
    saved = tx.saved_edits.add(chat_id, base="", mine="", position=0, paired_with=None, created_at=NOW)
    # The chat has come into the search index up to its second message, and there are more to come.
    sql_of(tx).run("INSERT INTO search_marks (chat_id, up_to) VALUES (?, 2)", chat_id)
    sql_of(tx).run("UPDATE chats SET unindexed = ? WHERE chat_id = ?", ENOUGH_TO_INDEX, chat_id)
    memory_found = FoundMemory("likes tea", (Evidence(ids.MessageId(1), ""),))
    proposed = NewProposal(memory_found, chat.agent_id, chat_id, PEER, "Marta", NOW, "gemini", None)
    proposal = replace(tx.proposals.add(proposed), effect=Effect.WRITE)
    info = ChatInfo(ACCOUNT, PEER, ChatKind.DM, "Renamed")
    payer = Payer(chat.agent_id, chat_id)
    caps = (EVERYTHING, cap_of_agent(chat.agent_id), cap_of_chat(chat_id))
    for key in caps:
        tx.spending.set_cap(key, 1.0)
    called = ModelCall("gemini", "plan", NOW, 1.5, CallEnd.ANSWERED, Usage())
    traced = TraceRecord(TraceKind.PLAN, chat_id, chat.agent_id, TraceState.WAITING, NOW, NOW, (called,))
    traced = replace(traced, graph_id=approval.graph_id, task_id=approval.task_id)
    trace_id = tx.traces.record(traced)
    standings = (GraphStanding.CURRENT, GraphStanding.VARIANT)
    return {
        type(None): [None],
        bool: [False, True],
        IndexUse: list(IndexUse),
        int: [5],
        float: [2.5],
        str: ["x", "words"],
        bytes: [b"x"],
        CallId: [CallId(1)],
        PromptOutline: [PromptOutline((SectionSource("Role", "a.md", 1, 2),))],
        datetime: [NOW],
        date: [NOW.date()],
        CapKey: list(caps),
        Payer: [payer],
        Reservation: [Reservation(5, payer, "gemini", "plan", NOW, 10, 0.1, 0.1)],
        ids.AccountId: [ACCOUNT],
        ids.AgentId: [chat.agent_id],
        ids.ApprovalId: [approval.approval_id],
        ids.ChatId: [chat_id],
        ids.GraphId: [approval.graph_id],
        ids.LedgerId: [row.ledger_id],
        ids.MessageId: [ids.MessageId(1)],
        ids.PeerId: [PEER],
        ids.SavedEditId: [saved.saved_edit_id],
        ids.TaskId: [approval.task_id],
        type(said): [said, message(8), message(9, out=True)],
        type(said.key): [said.key],
        type(row): [row],
        type(tx.tasks.get(approval.task_id)): [tx.tasks.get(approval.task_id)],
        type(tx.graphs.get(approval.graph_id)): [tx.graphs.get(approval.graph_id)],
        type(spec()): [spec(), spec("Eve")],
        Approval: [approval, decided],
        AskReason: [AskReason.HELD],
        ChatInfo: [info, ChatInfo(ACCOUNT, ids.PeerId(5), ChatKind.DM, "New")],
        ChatSettings: [ChatSettings(TrustLevel.AUTO, NOW, quiet_hours=QuietHours(time(22), time(7)))],
        DecisionRecord: [press],
        GroupMove: [GroupMove(ACCOUNT, ids.PeerId(-77), ids.PeerId(-1_000_000_000_042))],
        HoldingKind: list(HoldingKind),
        ForgetRequest: [ForgetRequest(PEER, (chat_id,), ("Bob",))],
        Hold: [Hold(HoldScope.CHAT, chat_id, "", NOW)],
        HoldScope: [HoldScope.CHAT],
        MemoryEffect: [memory],
        MemoryState: [MemoryState.WRITTEN],
        EmbeddingState: [EmbeddingState()],
        MemoryKind: [MemoryKind.CURATED],
        NewProposal: [proposed],
        Proposal: [proposal],
        ProposalId: [proposal.proposal_id],
        GivenOrder: [order],
        OrderState: [OrderState.KNOWN],
        DecisionFilter: [
            DecisionFilter(text="x"),
            DecisionFilter(agent_id=ids.AgentId(1)),
            DecisionFilter(chat_id=chat_id),
            DecisionFilter(kind=DecisionKind.EDITED),
        ],
        LogPosition: [LogPosition(NOW)],
        MessageQuery: [MessageQuery(("x", "words"), "7", NOW, NOW), MessageQuery((), "Marta")],
        ModelCall: [called],
        NewApproval: [NewApproval(planned_in(tx, chat_id), ApprovalState.OPEN, "x", None, (), tx.revision, NOW)],
        PlanEdit: [
            PlanEdit(approval.graph_id, action, approval.task_id, f"edit {action}", NOW)
            for action in (StepAction.INSERT, StepAction.UNDO)
        ],
        NewGraph: [NewGraph(chat_id, NOW, standing=one) for one in standings],
        NewRequest: [NewRequest(0, ids.RandomId(6), "x")],
        Note: [Note(NoteKind.HELD)],
        PlanningProblem: [PlanningProblem(PlanningKind.SILENT)],
        Reaction: [Reaction("👍", 1)],
        ServerWait: [ServerWait(ACCOUNT, chat_id, "send_text", NOW)],
        TaskKind: [TaskKind.SEND],
        TraceId: [trace_id],
        TraceRecord: [traced, replace(traced, task_id=None)],
        TraceState: [TraceState.SENT],
        TaskStatus: [TaskStatus.READY],
        Unsent: [Unsent(chat_id, "half a thou"), Unsent(chat_id, "")],
    }
