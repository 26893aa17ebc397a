"""The details of a card in one snapshot: the conversation, the plan, why it asks, its cost.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.cards import CardDetails, CardStep, Knowledge, TrustSource, Variant, Why
from chimein_gui.domain.costs import DRY_RUN
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.tasks import PLANNED_KINDS, TaskKind, TaskStatus
from chimein_gui.engine.approvals.approve import always_asks
from chimein_gui.engine.planning.variants import REGENERATE
from chimein_gui.engine.policy.timing import typing_s
from chimein_gui.engine.policy.trust import WINDOW, trust_now
from chimein_gui.engine.ports import GraphStanding

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, Store, TaskRow, Transaction

LAST_MESSAGES = 6
"""Number of messages of the conversation that a card shows."""

LOOKED_AT = 60
"""Number of newest messages that are checked for news and edits."""

DECISIONS = timedelta(days=30)
"""How far back the operator's decisions are counted."""

_MOST_REMEMBERED = 20


class Cards:
    """Reads the details of cards."""

    def __init__(self, store: Store, environment: TransactionEnvironment) -> None:
        self._store = store
        self._environment = environment

    async def load(self, approval_id: ApprovalId) -> CardDetails:
        """Return the details that a card shows beside its own snapshot.

        Raises:
            NotFoundError: There is no such card.
        """
        return await self._store.read(lambda tx: read_card(tx, approval_id, self._environment))


def read_card(tx: Transaction, approval_id: ApprovalId, environment: TransactionEnvironment) -> CardDetails:
    """Read a card in one transaction; raises NotFoundError."""
    approval = tx.approvals.get(approval_id)
    chat, graph = tx.chats.get(approval.chat_id), tx.graphs.get(approval.graph_id)
    steps = tx.tasks.of_graph(graph.graph_id)
    calls = _calls(tx, graph, steps)
    account, peer = chat.info.account_id, chat.info.peer_id
    newest = tx.messages.before(account, peer, before_id=None, limit=LOOKED_AT)
    target = _message(tx, approval, approval.reply_to_id)
    prompt_at = calls[-1].began_at if calls else graph.created_at
    return CardDetails(
        approval=approval,
        chat=chat,
        messages=tuple(message for message in newest if not message.is_service)[-LAST_MESSAGES:],
        target=target,
        came_since=_came_since(tx, graph, newest),
        edited_since=_edited_since(graph, newest, prompt_at),
        planned_at=graph.created_at,
        origin=graph.origin,
        steps=tuple(_step(tx, step, environment) for step in steps if step.kind is not TaskKind.RECEIVED),
        remembers=_remembers(tx, graph),
        why=_why(tx, approval, chat, graph, environment),
        knew=_knowledge(tx, chat, graph),
        calls=calls,
        decisions=tx.cards.decisions_since(chat.chat_id, environment.now() - DECISIONS),
        variants=_variants(tx, graph),
    )


def _message(tx: Transaction, approval: Approval, message_id: int | None) -> Message | None:
    if message_id is None or approval.reply_to_id is None:
        return None
    return tx.messages.get(MessageKey(approval.account_id, approval.peer_id, approval.reply_to_id))


def _came_since(tx: Transaction, graph: GraphRow, newest: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return newer messages than the prompt: those of others and of the operator elsewhere, but not our own sends."""
    if not graph.span.high:
        return ()
    later = (message for message in newest if message.key.message_id > graph.span.high and not message.is_service)
    return tuple(
        message
        for message in later
        if not message.deleted
        and (
            not message.out
            or tx.ledger.owner_of(message.key.account_id, message.key.peer_id, message.key.message_id) is None
        )
    )


def _edited_since(graph: GraphRow, newest: tuple[Message, ...], prompt_at: datetime) -> tuple[Message, ...]:
    # Telegram's edit dates have a precision of one second.
    moment = prompt_at.replace(microsecond=0)
    return tuple(
        message
        for message in newest
        if graph.span.holds(message.key.message_id) and message.edited_at is not None and message.edited_at >= moment
    )


def _step(tx: Transaction, step: TaskRow, environment: TransactionEnvironment) -> CardStep:
    if step.kind not in PLANNED_KINDS:
        return CardStep(step.task_id, step.kind, step.status, wait_s=step.wait_s, due_at=step.due_at)
    approval = tx.approvals.of_task(step.task_id)
    return CardStep(
        step.task_id,
        step.kind,
        step.status,
        approval.approval_id,
        approval.text,
        approval.sticker,
        typing_s=typing_s(approval, environment.preferences),
        due_at=approval.due_at,
    )


def _remembers(tx: Transaction, graph: GraphRow) -> tuple[str, ...]:
    found = []
    for index in range(_MOST_REMEMBERED):
        effect = tx.effects.memory(graph.graph_id, index)
        if effect is None:
            break
        found.append(effect.text)
    return tuple(found)


def _why(tx: Transaction, approval: Approval, chat: Chat, graph: GraphRow, environment: TransactionEnvironment) -> Why:
    now, preferences = environment.now(), environment.preferences
    account = chat.info.account_id
    return Why(
        trust=trust_now(chat, now),
        trust_source=_trust_source(tx, chat),
        trust_until=chat.settings.trust_until,
        sent_in_chat=tx.ledger.automatic_since(now - WINDOW, account_id=account, chat_id=chat.chat_id),
        sent_of_account=tx.ledger.automatic_since(now - WINDOW, account_id=account),
        chat_cap=preferences.chat_cap,
        account_cap=preferences.account_cap,
        limited=tx.accounts.limited(account),
        always_asks=always_asks(tx, approval),
        lost_rule=graph.lost_rule,
        quiet_hours=chat.settings.quiet_hours,
        undo_s=preferences.undo_s,
        countdown_s=preferences.countdown_s,
    )


def _trust_source(tx: Transaction, chat: Chat) -> TrustSource:
    if chat.settings.trust is not None:
        return TrustSource.CHAT
    owner = tx.agents.owner_of(chat.info.account_id)
    named = owner is not None and owner.spec.trust is not None
    return TrustSource.AGENT if named else TrustSource.DEFAULT


def _knowledge(tx: Transaction, chat: Chat, graph: GraphRow) -> Knowledge:
    span = graph.span
    if not span.high:
        return Knowledge(note=graph.instruction, problems=graph.problems)
    count, since = tx.cards.messages_between(chat.info.account_id, chat.info.peer_id, span.low, span.high)
    return Knowledge(count + len(span.extra), since, graph.instruction, graph.problems)


def _calls(tx: Transaction, graph: GraphRow, steps: tuple[TaskRow, ...]) -> tuple[ModelCall, ...]:
    """Return the calls that made a plan: since its first trigger or, for a regenerate, since the version before it."""
    if graph.standing is GraphStanding.BESIDE:
        return ()
    if graph.variant_of is not None:
        base = tx.graphs.get(graph.variant_of)
        earlier = [one.created_at for one in tx.graphs.variants_of(base.graph_id) if one.created_at < graph.created_at]
        since = max([base.created_at, *earlier])
    else:
        received = next((step for step in steps if step.kind is TaskKind.RECEIVED), None)
        if received is None or received.window_began_at is None:
            return ()
        since = received.window_began_at
    made = tx.cards.calls_between(graph.chat_id, since, graph.created_at)
    made = tuple(call for call in made if call.purpose != DRY_RUN)
    return tuple(call for call in made if (call.purpose == REGENERATE) is (graph.variant_of is not None))


def _variants(tx: Transaction, graph: GraphRow) -> tuple[Variant, ...]:
    found = [one for one in tx.graphs.variants_of(graph.graph_id) if one.standing is GraphStanding.VARIANT]
    return tuple(Variant(one.graph_id, one.instruction, one.created_at, _parked(tx, one)) for one in found)


def _parked(tx: Transaction, graph: GraphRow) -> tuple[Approval, ...]:
    cards = tx.approvals.of_graph(graph.graph_id)
    return tuple(card for card in cards if card.task_status is TaskStatus.PARKED)
