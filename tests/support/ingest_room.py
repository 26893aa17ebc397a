"""Ingest of gateway reports on a real store, without accounts, model or scheduler; DMs and a group, virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from chimein_gui.adapters.store import SqliteStore
from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind, TrustLevel
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.plans.planned_steps import PlannedStep, PromptCoverage
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.approvals.approve import approve
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.core.environment import LivePreferences, TransactionEnvironment
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.ingest.ingest import AgentListener, Ingest
from chimein_gui.engine.ports import NewGraph, TaskRow, Transaction
from tests.fakes.clock import VirtualClock
from tests.support.virtual_time import OnVirtualTime

ACCOUNT, SISTER = AccountId(2**40 + 7), AccountId(2**40 + 8)
MARTA, PAUL, ROBO = UserId(2**40 + 77), UserId(2**40 + 78), UserId(2**40 + 79)
DM, GROUP, CHANNEL = PeerId(MARTA), PeerId(-4711), PeerId(-1_000_000_004_712)
NORA = AgentSpec("Nora Vale", "+9996621001", "Be kind.", (), (), aliases=("Nora", "Miss Vale"))
SISTER_SPEC = AgentSpec("Ida Vale", "+9996621002", "Be kind.", (), (), aliases=("Ida",))

T = TypeVar("T")


@dataclass
class IngestRoom(OnVirtualTime):
    """The objects of a test of the ingest."""

    store: SqliteStore
    clock: VirtualClock
    bus: EventBus
    ingest: Ingest
    environment: TransactionEnvironment
    agent: Agent
    sister: Agent
    listener: AgentListener
    preferences: Preferences
    events: list[EngineEvent] = field(default_factory=list)
    due: list[tuple[ChatId, datetime]] = field(default_factory=list)
    triggered: list[ChatId] = field(default_factory=list)
    newest: int = 0

    @property
    def unit(self) -> UnitOfWork:
        return UnitOfWork(self.store, self.bus, self.clock)

    async def says(self, text: str = "hello", *, peer: PeerId = DM, by: int | None = MARTA, **fields: Any) -> Message:
        """Report a message; `by` the account itself it is an outgoing one."""
        message = self.message(text, peer=peer, by=by, **fields)
        self.listener.message_arrived(info(peer), message)
        await self.ingest.flush()
        return message

    def message(self, text: str = "hello", *, peer: PeerId = DM, by: int | None = MARTA, **fields: Any) -> Message:
        self.newest = max(self.newest + 1, fields.pop("number", 0))
        return Message(
            key=MessageKey(ACCOUNT, peer, MessageId(self.newest)),
            sender_id=None if by is None else UserId(by),
            sender_name="somebody",
            out=by == ACCOUNT,
            sent_at=fields.pop("sent_at", self.clock.now()),
            text=text,
            **fields,
        )

    async def edits(self, message: Message, text: str) -> None:
        """Report an edit of a message."""
        changed = replace(message, text=text, edited_at=self.clock.now())
        self.listener.message_edited(info(message.key.peer_id), changed)
        await self.ingest.flush()

    async def deletes(self, message: Message) -> None:
        """Report a deleted message."""
        self.listener.messages_deleted(ACCOUNT, message.key.peer_id, (message.key.message_id,))
        await self.ingest.flush()

    async def types(self, peer: PeerId = DM) -> None:
        """Report that the partner is typing."""
        self.listener.partner_typing(ACCOUNT, peer)
        await self.ingest.flush()

    async def chat(self, peer: PeerId = DM) -> Chat:
        """Return the current state of a chat; it is created if missing."""
        return await self.do(lambda tx: tx.chats.ensure(self.agent.agent_id, info(peer), planned_up_to=MessageId(0))[0])

    async def settings(self, peer: PeerId = DM, **changes: Any) -> Chat:
        """Change the operator's settings for the chat."""
        chat = await self.chat(peer)

        def work(tx: Transaction) -> Chat:
            tx.chats.set_settings(chat.chat_id, replace(chat.settings, **changes))
            return tx.chats.get(chat.chat_id)

        return await self.do(work)

    async def trust(self, level: TrustLevel, peer: PeerId = DM) -> Chat:
        return await self.settings(peer, trust=level)

    async def received(self, peer: PeerId = DM) -> TaskRow | None:
        """Return the open `received` task of a chat, or None."""
        chat = await self.chat(peer)
        return await self.do(lambda tx: tx.tasks.open_received(chat.chat_id))

    async def due_plan(self, peer: PeerId = DM) -> TaskRow:
        """Return the open `received` task of a chat, which must exist."""
        received = await self.received(peer)
        assert received is not None
        return received

    async def asked(self, peer: PeerId = DM) -> tuple[int, ...]:
        """Return the messages that a plan is to answer."""
        received = await self.received(peer)
        return () if received is None else tuple(map(int, received.trigger_ids))

    async def draft(self, *triggers: Message, peer: PeerId = DM, text: str = "hi", **changes: Any) -> Approval:
        """Store a plan of one send for some messages; its prompt had everything up to now."""
        chat = await self.chat(peer)
        high = MessageId(self.newest)

        def work(tx: Transaction) -> Approval:
            new = NewGraph(
                chat.chat_id,
                self.clock.now(),
                trigger_ids=tuple(message.key.message_id for message in triggers),
                span=changes.pop("span", PromptSpan(MessageId(1), high)),
                **changes,
            )
            place = StepPosition(tx.chats.get(chat.chat_id), tx.graphs.add(new), (), 1)
            return add_planned_send(
                tx, place, PlannedStep(TaskKind.SEND, text), PromptCoverage(tx.revision, high), self.environment
            )

        return await self.do(work)

    async def approved(self, approval: Approval) -> Approval:
        """The operator approves a draft."""
        return await self.do(lambda tx: approve(tx, tx.approvals.get(approval.approval_id), self.environment))


def info(peer: PeerId = DM, account: AccountId = ACCOUNT) -> ChatInfo:
    kinds = {GROUP: ChatKind.GROUP, CHANNEL: ChatKind.CHANNEL}
    return ChatInfo(account, peer, kinds.get(peer, ChatKind.DM), f"peer {peer}")


@asynccontextmanager
async def ingest_room(folder: Path, preferences: Preferences | None = None) -> AsyncIterator[IngestRoom]:
    """Open a store; both agents are logged in, and Nora's user names are ``nora_vale`` and ``vale``."""
    preferences = preferences or Preferences()
    clock, bus, jobs = VirtualClock(), EventBus(), JobRunner()
    store = await SqliteStore.open(folder / "chimein.db", now=clock.now)

    def prepare(tx: Transaction) -> tuple[Agent, Agent]:
        agent, sister = tx.agents.upsert(NORA), tx.agents.upsert(SISTER_SPEC)
        tx.accounts.set_usernames(ACCOUNT, ("nora_vale", "vale"))
        return tx.agents.bind_account(agent.agent_id, ACCOUNT), tx.agents.bind_account(sister.agent_id, SISTER)

    agent, sister = await store.transact(prepare)
    environment = TransactionEnvironment(
        LivePreferences(preferences),
        clock.now,
        lambda _agent: UTC,
        lambda _account: True,
        lambda: None,
        lambda _chat: False,
    )
    due: list[tuple[ChatId, datetime]] = []
    triggered: list[ChatId] = []
    ingest = Ingest(
        UnitOfWork(store, bus, clock),
        bus,
        clock,
        jobs.spawn,
        environment,
        lambda chat, at, _plan: due.append((chat, at)),
    )
    ingest.listeners.triggers.append(triggered.append)
    room = IngestRoom(
        store,
        clock,
        bus,
        ingest,
        environment,
        agent,
        sister,
        ingest.listener(agent.agent_id),
        preferences,
        due=due,
        triggered=triggered,
    )
    bus.subscribe(room.events.append)
    try:
        yield room
    finally:
        await jobs.aclose()
        await store.aclose()
