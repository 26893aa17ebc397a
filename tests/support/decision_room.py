"""Decisions and claims on a real store, without accounts, model or scheduler: one chat, virtual time."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, TypeVar

from chimein_gui.adapters.store import SqliteStore
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.approvals import Approval, Approve, AskReason, Decision, Outcome, Verdict
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind, TrustLevel
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import AccountId, ChatId, GraphId, MessageId, PeerId, TaskId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait, PromptCoverage
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.core.environment import LivePreferences, TransactionEnvironment
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.operator.decisions import DecisionService
from chimein_gui.engine.ports import GraphStanding, NewGraph, Transaction
from chimein_gui.engine.sending.claim import ClaimResult, claim
from chimein_gui.engine.sending.confirmation import confirm_part, outcome_unknown
from chimein_gui.engine.tasks.transitions import back_to_review
from tests.fakes.clock import VirtualClock
from tests.support.virtual_time import OnVirtualTime

ACCOUNT, PARTNER = AccountId(2**40 + 7), PeerId(77)
QUICK = Preferences(undo_s=0, typing_base_s=0, typing_s_per_60=0, sticker_typing_s=0)
"""Preferences without delays: what is decided is due at once."""

T = TypeVar("T")

_presses = itertools.count()


@dataclass
class Levers:
    """The values of the environment that conditions read; a test sets them."""

    preferences: Preferences = QUICK
    zone: tzinfo = UTC
    online: bool = True
    memory_hold: str = ""
    edited: set[ChatId] = field(default_factory=set)


@dataclass
class DecisionRoom(OnVirtualTime):
    """The objects of a test of decisions and claims."""

    store: SqliteStore
    clock: VirtualClock
    levers: Levers
    chat_id: ChatId
    events: list[EngineEvent]
    woken: list[ChatId]
    bus: EventBus

    @property
    def environment(self) -> TransactionEnvironment:
        levers = self.levers
        return TransactionEnvironment(
            LivePreferences(levers.preferences),
            self.clock.now,
            lambda _agent: levers.zone,
            lambda _account: levers.online,
            lambda: Note(NoteKind.HELD, levers.memory_hold) if levers.memory_hold else None,
            lambda chat: chat in levers.edited,
        )

    @property
    def unit(self) -> UnitOfWork:
        return UnitOfWork(self.store, self.bus, self.clock, lambda chat, _at: self.woken.append(chat))

    @property
    def deciding(self) -> DecisionService:
        return DecisionService(self.unit, self.environment)

    async def chat(self) -> Chat:
        return await self.do(lambda tx: tx.chats.get(self.chat_id))

    async def settings(self, **changes: Any) -> None:
        """Change the operator's settings for the chat."""

        def work(tx: Transaction) -> None:
            tx.chats.set_settings(self.chat_id, replace(tx.chats.get(self.chat_id).settings, **changes))

        await self.do(work)

    async def trust(self, level: TrustLevel, until: datetime | None = None) -> None:
        await self.settings(trust=level, trust_until=until)

    async def written(self, message_id: int, *, out: bool, text: str = "hi", **changes: Any) -> None:
        """Store a message of the chat."""
        key = MessageKey(ACCOUNT, PARTNER, MessageId(message_id))
        sender = UserId(ACCOUNT if out else PARTNER)
        message = Message(key, sender, "Marta", out=out, sent_at=self.clock.now(), text=text)
        await self.do(lambda tx: tx.messages.put(self.chat_id, replace(message, **changes)))

    async def plan(
        self, *steps: str | PlannedStep | PlannedWait, triggers: tuple[int, ...] = (), **changes: Any
    ) -> list[Approval]:
        """Store a plan whose steps depend on each other in order; a text stands for a send."""

        def work(tx: Transaction) -> list[Approval]:
            seen = changes.pop("seen", PromptCoverage(tx.revision, MessageId(max(triggers, default=0))))
            ids = tuple(map(MessageId, triggers))
            graph_id = tx.graphs.add(NewGraph(self.chat_id, self.clock.now(), trigger_ids=ids, **changes))
            return self._store_steps(tx, graph_id, steps, seen)

        return await self.do(work)

    def _store_steps(
        self,
        tx: Transaction,
        graph_id: GraphId,
        steps: tuple[str | PlannedStep | PlannedWait, ...],
        seen: PromptCoverage,
    ) -> list[Approval]:
        chat = tx.chats.get(self.chat_id)
        before: tuple[TaskId, ...] = ()
        stored: list[Approval] = []
        for position, step in enumerate(steps, start=1):
            if isinstance(step, PlannedWait):
                before = (self._add_wait(tx, graph_id, before, position),)
                continue
            one = PlannedStep(TaskKind.SEND, step) if isinstance(step, str) else step
            place = StepPosition(chat, graph_id, before, position)
            stored.append(add_planned_send(tx, place, one, seen, self.environment))
            before = (stored[-1].task_id,)
        return stored

    def _add_wait(self, tx: Transaction, graph_id: GraphId, before: tuple[TaskId, ...], position: int) -> TaskId:
        return tx.tasks.add(
            self.chat_id,
            TaskKind.WAIT,
            TaskStatus.PENDING,
            graph_id=graph_id,
            depends_on=before,
            position=position,
            wait_s=60.0,
        )

    async def one(self, text: str = "hello", **changes: Any) -> Approval:
        """Store a plan of one send."""
        return (await self.plan(text, **changes))[0]

    async def beside(self, text: str, **changes: Any) -> Approval:
        """Store a send outside of the plan."""
        return await self.one(text, standing=GraphStanding.BESIDE, **changes)

    async def change(self, approval: Approval, **changes: Any) -> Approval:
        """Change a card directly in the store."""

        def work(tx: Transaction) -> Approval:
            tx.approvals.save(replace(tx.approvals.get(approval.approval_id), **changes))
            return tx.approvals.get(approval.approval_id)

        return await self.do(work)

    async def conversation_changes(self, approval: Approval) -> Approval:
        """Make the send stale by a change of the conversation."""

        def work(tx: Transaction) -> Approval:
            tx.approvals.save(replace(tx.approvals.get(approval.approval_id), changed_at=tx.revision))
            return tx.approvals.get(approval.approval_id)

        return await self.do(work)

    async def press(self, approval: Approval, decision: Decision | None = None, **changes: Any) -> Outcome:
        """Decide on a card in the version that is shown."""
        arguments: dict[str, Any] = {
            "expected_version": approval.version,
            "decision": decision if decision is not None else Approve(),
            "seen_up_to": approval.seen_up_to,
            "client_id": f"press {next(_presses)}",
        }
        return await self.deciding.decide(approval.approval_id, **(arguments | changes))

    async def approved(self, text: str = "hello", **changes: Any) -> Approval:
        """Store a plan of one send and approve it as the operator."""
        return (await self.press(await self.one(text, **changes))).approval

    async def automatic(self, text: str = "hello") -> Approval:
        """Store a plan of one send that a rule approves."""
        await self.trust(TrustLevel.AUTO)
        approval = await self.one(text)
        assert approval.by_rule
        return approval

    async def claim(self, approval: Approval) -> ClaimResult:
        return await self.do(lambda tx: claim(tx, approval.approval_id, self.environment))

    async def end_request(self, approval: Approval, state: LedgerState) -> None:
        """Set the outcome of the request in flight; the send ends with its last request."""

        def work(tx: Transaction) -> None:
            rows = tx.ledger.of_approval(approval.approval_id)
            row = next(row for row in rows if row.state in {LedgerState.SENDING, LedgerState.UNKNOWN})
            if state is LedgerState.UNKNOWN:
                outcome_unknown(tx, row.ledger_id)
            else:
                confirm_part(tx, row.ledger_id, None, self.environment)

        await self.do(work)

    async def sent(self, approval: Approval) -> Approval:
        """Claim an approved send of one request and confirm it."""
        result = await self.claim(approval)
        assert result.claim is not None, result.note
        await self.end_request(approval, LedgerState.SENT)
        return await self.now(approval)

    async def back(self, approval: Approval, reason: AskReason) -> Approval:
        """Return a send to review."""

        def work(tx: Transaction) -> Approval:
            return back_to_review(
                tx, tx.approvals.get(approval.approval_id), reason, Note(NoteKind.OTHER, "it came back")
            )

        return await self.do(work)

    async def perhaps_not_delivered(self, approval: Approval) -> Approval:
        """Claim a send, lose its answer, and return it to review."""
        assert (await self.claim(approval)).claim is not None
        await self.end_request(approval, LedgerState.UNKNOWN)
        return await self.back(approval, AskReason.NOT_DELIVERED)

    async def partly_sent(self, text: str) -> Approval:
        """Send the first part of a text and return the rest to review."""
        approval = await self.approved(text)
        assert (await self.claim(approval)).claim is not None
        await self.end_request(approval, LedgerState.SENT)
        return await self.back(approval, AskReason.PARTLY_SENT)

    async def hold(self, scope: HoldScope = HoldScope.ALL, target: int = 0) -> None:
        await self.do(lambda tx: tx.holds.put(Hold(scope, target, "lunch", self.clock.now())))


def said(outcome: Outcome) -> tuple[Verdict, bool]:
    """Return a verdict, and whether it has an explanation."""
    return outcome.verdict, bool(outcome.explanation)


@asynccontextmanager
async def decision_room(
    folder: Path, *, known: bool = True, kind: ChatKind = ChatKind.DM, **levers: Any
) -> AsyncIterator[DecisionRoom]:
    """Open a store with one chat; `known`: this account has written there before."""
    clock = VirtualClock()
    store = await SqliteStore.open(folder / "chimein.db", now=clock.now)
    bus = EventBus()
    events: list[EngineEvent] = []
    bus.subscribe(events.append)

    def work(tx: Transaction) -> ChatId:
        agent_id = tx.agents.upsert(AgentSpec("Nora", "+9996621001", "Be kind.", (), ())).agent_id
        tx.agents.bind_account(agent_id, ACCOUNT)
        info = ChatInfo(ACCOUNT, PARTNER, kind, "Marta")
        return tx.chats.ensure(agent_id, info, planned_up_to=MessageId(0))[0].chat_id

    try:
        chat_id = await store.transact(work)
        room = DecisionRoom(store, clock, Levers(**levers), chat_id, events, [], bus)
        if known:
            await room.written(1, out=True)
        yield room
    finally:
        await store.aclose()
