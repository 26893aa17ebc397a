"""Calls every method of every row set once, so that tests can look at the statements."""

from collections.abc import Callable
from dataclasses import replace
from datetime import time
from typing import Any

from chimein_gui.adapters.store.conditions import ENOUGH_TO_INDEX
from chimein_gui.domain.approvals import AskReason, Verdict
from chimein_gui.domain.chats import ChatInfo, ChatKind, ChatSettings, QuietHours, TrustLevel, Unsent
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.group_moves import GroupMove
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import MessageId, PeerId, RandomId
from chimein_gui.domain.messages import Reaction
from chimein_gui.domain.prompts import Usage
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.ports import (
    DecisionRecord,
    GraphStanding,
    MemoryEffect,
    MemoryState,
    MessageQuery,
    NewRequest,
    ServerWait,
    Transaction,
)
from tests.unit.adapters.store.builders import ACCOUNT, NOW, PEER, approval_in, chat_in, graph_in, message, spec, sql_of

ROW_SETS = (
    "accounts",
    "agents",
    "approvals",
    "cards",
    "retention",
    "chats",
    "effects",
    "holds",
    "ledger",
    "messages",
    "search",
    "shelf",
    "tasks",
    "transcripts",
    "waits",
)


class Recorder:
    """One row set that notes which of its methods were called."""

    def __init__(self, rows: object, name: str, called: set[str]) -> None:
        self._rows, self._name, self._called = rows, name, called

    def __getattr__(self, method: str) -> Any:
        self._called.add(f"{self._name}.{method}")
        return getattr(self._rows, method)


class Recording:
    """A transaction whose row sets note what was called."""

    def __init__(self, tx: Transaction) -> None:
        self.called: set[str] = set()
        self.revision = tx.revision
        for name in ROW_SETS:
            setattr(self, name, Recorder(getattr(tx, name), name, self.called))


def public_methods(tx: Transaction) -> set[str]:
    """All methods of all row sets, as ``set.method``."""
    return {f"{name}.{method}" for name in ROW_SETS for method in dir(getattr(tx, name)) if not method.startswith("_")}


def call_every_method(tx: Any) -> None:
    """Call all of them but `ChatRows.all`, which lists every chat by its nature."""
    chat = chat_in(tx)
    for part in (_conversation, _settings, _plans, _approvals, _ledger, _policy, _effects, _transcripts, _retention):
        work: Callable[..., None] = part
        work(tx, chat.chat_id, chat.agent_id)


def _conversation(tx: Any, chat_id: Any, agent_id: Any) -> None:
    tx.agents.upsert(spec())
    tx.agents.all()
    tx.agents.confirm_trust(agent_id, confirmed=True)
    tx.agents.owner_of(ACCOUNT)
    tx.agents.rename(agent_id, spec())
    for number in (1, 2):
        tx.messages.put(chat_id, message(number, out=number == 1))
    tx.messages.edit(message(2, "edited"))
    tx.messages.set_reactions(message(2).key, (Reaction("👍", 1),))
    tx.messages.mark_deleted(ACCOUNT, PEER, (MessageId(1),))
    tx.messages.mark_deleted(ACCOUNT, None, (MessageId(2),))
    tx.messages.get(message(1).key)
    tx.messages.before(ACCOUNT, PEER, before_id=None, limit=5)
    tx.messages.incoming_above(ACCOUNT, PEER, above_id=MessageId(0), limit=5)
    tx.messages.newest_id(ACCOUNT, PEER)
    tx.messages.newest_ids(ACCOUNT, PEER, limit=5)
    tx.messages.has_outgoing(ACCOUNT, PEER)
    tx.messages.count_in(ACCOUNT, PEER, above_id=MessageId(0))


def _settings(tx: Any, chat_id: Any, agent_id: Any) -> None:
    tx.chats.ensure(agent_id, ChatInfo(ACCOUNT, PEER, ChatKind.DM, "Renamed"), planned_up_to=MessageId(0))
    tx.chats.get(chat_id)
    tx.chats.find(ACCOUNT, PEER)
    tx.chats.settings_of(chat_id)
    tx.chats.of_account(ACCOUNT)
    tx.chats.known_up_to(ACCOUNT)
    tx.chats.with_news(agent_id)
    tx.chats.set_settings(chat_id, ChatSettings(TrustLevel.AUTO, NOW, quiet_hours=QuietHours(time(22), time(7))))
    tx.chats.set_takeover(chat_id, NOW)
    tx.chats.set_agent_turns(chat_id, 1)
    tx.chats.set_may_write(chat_id, may_write=False)
    tx.chats.keep_unsent(Unsent(chat_id, "half a thou"))
    tx.chats.unsent()
    tx.chats.keep_unsent(Unsent(chat_id, ""))
    tx.chats.set_planned_up_to(chat_id, MessageId(1))
    tx.chats.set_read_up_to(chat_id, MessageId(1))
    tx.chats.set_answered_up_to(chat_id, MessageId(1))
    tx.chats.set_partner_read_up_to(chat_id, MessageId(1))
    tx.chats.set_planning_problem(chat_id, None)


def _plans(tx: Any, chat_id: Any, _agent_id: Any) -> None:
    received = tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY)
    tx.tasks.save(replace(tx.tasks.get(received), status=TaskStatus.RUNNING))
    tx.tasks.open_received(chat_id)
    tx.tasks.to_recover()
    tx.tasks.chats_with_work()
    tx.tasks.chats_with_work(ACCOUNT)
    tx.tasks.current_of_chat(chat_id)
    graph_id = graph_in(tx, chat_id)
    graph_in(tx, chat_id, standing=GraphStanding.VARIANT, variant_of=graph_id)
    tx.tasks.save_graph(tx.tasks.graph(graph_id))
    tx.tasks.current_graph(chat_id)
    tx.tasks.variants_of(graph_id)
    tx.tasks.of_graph(graph_id)


def _approvals(tx: Any, chat_id: Any, _agent_id: Any) -> None:
    approval = approval_in(tx, chat_id)
    tx.approvals.save(approval)
    tx.approvals.get(approval.approval_id)
    tx.approvals.of_task(approval.task_id)
    tx.approvals.waiting()
    tx.approvals.waiting_for(AskReason.HELD)
    tx.approvals.of_chat(chat_id)
    tx.approvals.of_graph(approval.graph_id)
    tx.approvals.resolved_since(NOW, limit=5)
    tx.approvals.log_decision(DecisionRecord("c", approval.approval_id, 1, "Reject", "", Verdict.ACCEPTED, NOW))
    tx.approvals.decision_of("c")
    tx.approvals.last_decision(approval)
    tx.approvals.last_rejection(chat_id, NOW)
    tx.cards.decisions_since(chat_id, NOW)
    tx.cards.calls_between(chat_id, NOW, NOW)
    tx.cards.messages_between(ACCOUNT, PEER, MessageId(1), MessageId(9))


def _ledger(tx: Any, chat_id: Any, _agent_id: Any) -> None:
    approval = approval_in(tx, chat_id)
    row = tx.ledger.prepare(approval, NewRequest(0, RandomId(5), "x"))
    tx.ledger.save(replace(row, message_id=MessageId(1)))
    tx.ledger.get(row.ledger_id)
    tx.ledger.of_approval(approval.approval_id)
    tx.ledger.current(approval.approval_id)
    tx.ledger.in_doubt(chat_id)
    tx.ledger.nameless(chat_id, NOW)
    tx.ledger.given_up(chat_id, NOW)
    tx.ledger.owner_of(ACCOUNT, PEER, MessageId(1))
    tx.ledger.automatic_since(NOW, account_id=ACCOUNT)
    tx.ledger.automatic_since(NOW, account_id=ACCOUNT, chat_id=chat_id)


def _retention(tx: Any, chat_id: Any, _agent_id: Any) -> None:
    tx.retention.forget_choices(tx.retention.plans_before(NOW, limit=5) or (graph_in(tx, chat_id),))
    tx.retention.forget_raw(tx.retention.raw_before(NOW, limit=5) or (message(1).key,))


def _transcripts(tx: Any, chat_id: Any, _agent_id: Any) -> None:
    tx.transcripts.place_of(chat_id)
    tx.transcripts.above(ACCOUNT, PEER, above_id=MessageId(0), limit=5)
    tx.transcripts.of_ids(ACCOUNT, PEER, [MessageId(1)])
    _in_the_index(tx, chat_id)
    tx.messages.edit(message(2, "edited again"))
    for word in ("x", "words"):
        tx.transcripts.matching(ACCOUNT, PEER, words=[word], below_id=None, among=10)
    for query in (MessageQuery(("x", "y"), "7", NOW, NOW), MessageQuery((), "Marta")):
        tx.transcripts.resembling(ACCOUNT, PEER, query, below_id=None, among=10, limit=5)
    tx.transcripts.hidden_steps(chat_id, since_id=MessageId(0), limit=5)


def _in_the_index(tx: Any, chat_id: Any) -> None:
    """The chat has come into the search index up to its second message, and there are more to come."""
    sql_of(tx).run("INSERT INTO search_marks (chat_id, up_to) VALUES (?, 2) ON CONFLICT DO NOTHING", chat_id)
    sql_of(tx).run("UPDATE chats SET unindexed = ? WHERE chat_id = ?", ENOUGH_TO_INDEX, chat_id)
    tx.search.has_work()
    tx.search.index_some(1)


def _policy(tx: Any, chat_id: Any, _agent_id: Any) -> None:
    tx.holds.put(Hold(HoldScope.CHAT, chat_id, "", NOW))
    tx.holds.all()
    tx.holds.over(ACCOUNT, chat_id)
    tx.holds.lift(HoldScope.CHAT, chat_id)
    tx.waits.put(ServerWait(ACCOUNT, None, "send_text", NOW))
    tx.waits.over(ACCOUNT, chat_id, "send_text", NOW)
    tx.waits.of_accounts(NOW)
    tx.accounts.set_limited(ACCOUNT, "PEER_FLOOD")
    tx.accounts.limited(ACCOUNT)
    tx.accounts.set_usernames(ACCOUNT, ("ada", "lovelace"))
    tx.accounts.usernames(ACCOUNT)
    tx.accounts.set_blocked(ACCOUNT, frozenset({PEER}))
    tx.accounts.note_block(ACCOUNT, PEER, is_blocked=False)
    tx.accounts.blocked(ACCOUNT)
    tx.accounts.has_blocked(ACCOUNT, PEER)
    tx.accounts.note_move(GroupMove(ACCOUNT, PeerId(-77), PeerId(-1_000_000_000_042)))
    tx.accounts.set_to_compare(_agent_id, wanted=True)
    tx.accounts.to_compare()
    tx.accounts.set_to_compare(_agent_id, wanted=False)
    tx.accounts.groups()
    shelved = tx.shelf.add(chat_id, base="", mine="", position=0, paired_with=None, created_at=NOW)
    tx.shelf.get(shelved.shelf_id)
    tx.shelf.of_chat(chat_id)
    tx.shelf.pair(shelved.shelf_id, None)
    tx.shelf.remove(shelved.shelf_id)


def _effects(tx: Any, chat_id: Any, agent_id: Any) -> None:
    graph_id = graph_in(tx, chat_id)
    tx.effects.add_memory(MemoryEffect(graph_id, 0, agent_id, chat_id, "", MemoryState.PREPARED, NOW))
    tx.effects.memory(graph_id, 0)
    tx.effects.memories_to_write()
    tx.effects.set_memory(graph_id, 0, MemoryState.WRITTEN)
    tx.effects.book(chat_id, ModelCall("gemini", "plan", NOW, 1.5, CallEnd.ANSWERED, Usage()))
    tx.effects.booked_since(NOW)
    tx.effects.cost_between(NOW, NOW, latencies=5)
