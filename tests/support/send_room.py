"""Sending alone: decisions, claims, hand-overs, look-ups, holds, on a real store, with virtual time.

There is no planner and no ingest: a test itself sets plans, messages of the partner, and the connection.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar, cast

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.approvals import Approval, Approve, AskReason, Decision, Outcome, Verdict, with_reason
from chimein_gui.domain.chats import ChatInfo, ChatKind, ChatSettings, TrustLevel
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.failpoints import Reach, pass_by
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId, Revision, TaskId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.plans.planned_steps import PlannedStep, PromptCoverage
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.core.commits import UnitOfWork, WatchedStore
from chimein_gui.engine.core.environment import LivePreferences, TransactionEnvironment
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.fair_semaphore import FairSemaphore
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.operator.backlog import BacklogReview
from chimein_gui.engine.operator.decisions import DecisionService
from chimein_gui.engine.operator.holds import Holds
from chimein_gui.engine.planning.planner import Planner
from chimein_gui.engine.policy.hold_check import InMemoryHold
from chimein_gui.engine.ports import NewGraph, Transaction
from chimein_gui.engine.scheduling.chat_runner import ChatRunner
from chimein_gui.engine.scheduling.scheduler import Scheduler
from chimein_gui.engine.sending.outbox import Outbox
from chimein_gui.engine.sending.reconciliation import claim_of_update
from chimein_gui.engine.sending.recovery import recover
from chimein_gui.engine.sending.uploads import Uploads
from chimein_gui.engine.tasks.next_action import Work
from tests.fakes.clock import VirtualClock
from tests.fakes.telegram import ACCOUNT, LOSE, MARTA, FakeGateway, FakeTelegram
from tests.support.virtual_time import OnVirtualTime

T = TypeVar("T")

NORA = AgentSpec("Nora Vale", "+9996621001", "Be kind.", ("Person",), ("You chat.",))
QUICK = Preferences(debounce_s=0, undo_s=0, typing_base_s=0, typing_s_per_60=0, sticker_typing_s=0)
_presses = itertools.count()


class _Deaf:
    """A listener that ignores reports; the test stores messages itself."""

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_args, **_more: None


class _NoPlanner:
    """A planner that makes no plans."""

    async def fetch_missing(self, _chat_id: ChatId, _group_account: AccountId | None = None) -> None:
        pass

    async def plan(self, _chat_id: ChatId, **_due: object) -> Work | None:
        return None


@dataclass
class SendRoom(OnVirtualTime):
    """The objects of a test of sending."""

    store: SqliteStore
    clock: VirtualClock
    telegram: FakeTelegram
    jobs: JobRunner
    bus: EventBus
    environment: TransactionEnvironment
    outbox: Outbox
    scheduler: Scheduler
    deciding: DecisionService
    holds: Holds
    backlog: BacklogReview
    in_memory: InMemoryHold
    online: set[int]
    stopped: list[AgentId]
    events: list[EngineEvent] = field(default_factory=list)
    editing: set[ChatId] = field(default_factory=set)

    # --- the account

    async def connect(self) -> None:
        """Set the account online and caught up."""
        gateway = self.telegram.factory(None)  # type: ignore[arg-type]
        await gateway.connect(_Deaf())
        self.online.add(ACCOUNT)
        await self.wake_all()

    async def lose_connection(self) -> None:
        self.online.discard(ACCOUNT)
        if self.telegram.gateway is not None:
            await self.telegram.gateway.disconnect()

    async def back_online(self) -> None:
        """Connect, and process everything that waited for it."""
        await self.connect()
        await self.worked_off()

    async def cut_off(self, chat_id: ChatId, answer: str = LOSE, text: str = "hi") -> Approval:
        """Approve a send that gets no answer: its outcome is unknown, and the connection is lost."""
        (draft,) = await self.plan(chat_id, text)
        self.telegram.script.append(answer)
        await self.approve(draft)
        await self.worked_off()
        await self.lose_connection()
        await self.worked_off()
        assert await self.status(draft) == [TaskStatus.UNKNOWN]
        return draft

    # --- what happens in the chat

    async def chat(self, peer: PeerId = MARTA, *, trust: TrustLevel | None = None, known: bool = True) -> ChatId:
        """Create a chat in which both the partner and the agent have written."""

        def work(tx: Transaction) -> ChatId:
            agent_id = tx.agents.upsert(NORA).agent_id
            tx.agents.bind_account(agent_id, ACCOUNT)
            info = ChatInfo(ACCOUNT, peer, ChatKind.DM, f"Partner {peer}")
            chat, _ = tx.chats.ensure(agent_id, info, planned_up_to=MessageId(0))
            if trust is not None:
                tx.chats.set_settings(chat.chat_id, ChatSettings(trust=trust))
            return chat.chat_id

        chat_id = await self.store.transact(work)
        if known:
            await self.keep(chat_id, self.telegram.store("long ago", out=True, peer=peer))
        await self.keep(chat_id, self.telegram.store("hello", out=False, peer=peer))
        return chat_id

    async def keep(self, chat_id: ChatId, message: Message) -> None:
        """Store a message unchanged."""
        await self.store.transact(lambda tx: tx.messages.put(chat_id, message))

    async def partner_writes(self, chat_id: ChatId, text: str) -> Message:
        """Store a newer message: in a DM all open sends become *conversation changed*."""
        peer = await self.store.read(lambda tx: tx.chats.get(chat_id).info.peer_id)
        message = self.telegram.store(text, out=False, peer=peer)

        def work(tx: Transaction) -> None:
            tx.messages.put(chat_id, message)
            for approval in tx.approvals.of_chat(chat_id):
                reasons = with_reason(approval.reasons, AskReason.CHANGED)
                changed = replace(approval, reasons=reasons, changed_at=tx.revision)
                tx.approvals.save(replace(changed, version=approval.version + 1))

        await self.store.transact(work)
        return message

    async def hear(self, chat_id: ChatId, message: Message) -> bool:
        """Report an outgoing message; return whether it is one of our requests."""

        def work(tx: Transaction) -> list[EngineEvent] | None:
            events = claim_of_update(tx, tx.chats.get(chat_id), message, self.environment)
            tx.messages.put(chat_id, message)
            return events

        events = await self.store.transact(work)
        self.bus.publish(*(events or ()))
        self.wake(chat_id, self.clock.now())
        return events is not None

    # --- plans and decisions

    async def plan(self, chat_id: ChatId, *steps: PlannedStep | str, **changes: Any) -> tuple[Approval, ...]:
        """Store a plan of these steps; texts are sends."""

        def work(tx: Transaction) -> tuple[Approval, ...]:
            chat = tx.chats.get(chat_id)
            values: dict[str, Any] = {"trigger_ids": (chat.newest_in_id,), **changes}
            graph_id = tx.graphs.add(NewGraph(chat_id, self.clock.now(), **values))
            seen = PromptCoverage(revision=tx.revision, covers_up_to=chat.newest_in_id)
            before: tuple[TaskId, ...] = ()
            made: list[Approval] = []
            for position, step in enumerate(steps, start=1):
                planned = PlannedStep(TaskKind.SEND, step) if isinstance(step, str) else step
                place = StepPosition(tx.chats.get(chat_id), graph_id, before, position)
                made.append(add_planned_send(tx, place, planned, seen, self.environment))
                before = (made[-1].task_id,)
            return tuple(made)

        made = await self.store.transact(work)
        self.wake(chat_id, self.clock.now())
        return made

    async def decide(self, approval: Approval, decision: Decision, **changes: Any) -> Outcome:
        now = await self.get(approval)
        values: dict[str, Any] = {
            "expected_version": now.version,
            "seen_up_to": Revision(max(now.seen_up_to, now.changed_at)),
            "client_id": f"press {next(_presses)}",
            **changes,
        }
        return await self.deciding.decide(approval.approval_id, decision=decision, **values)

    async def approve(self, *approvals: Approval) -> None:
        for approval in approvals:
            outcome = await self.decide(approval, Approve())
            assert outcome.verdict is Verdict.ACCEPTED, outcome

    async def execute(self, *approvals: Approval) -> None:
        """Approve, and process everything that is then due.

        A step that still looks at the new plan might find the approval, and the wake after it would begin another.
        """
        await self.worked_off()
        await self.approve(*approvals)
        await self.worked_off()

    # --- looking

    async def get(self, approval: Approval) -> Approval:
        return await self.store.read(lambda tx: tx.approvals.get(approval.approval_id))

    async def status(self, *approvals: Approval) -> list[TaskStatus]:
        return [(await self.get(approval)).task_status for approval in approvals]

    def of(self, kind: type[T]) -> list[T]:
        return [event for event in self.events if isinstance(event, kind)]

    def texts(self) -> list[str]:
        """Return the delivered texts of our requests, oldest first."""
        ours = set(self.telegram.random_ids.values())
        return [one.text for one in self.telegram.messages if one.out and one.key.message_id in ours]

    # --- time

    def wake(self, chat_id: ChatId, at: datetime) -> None:
        self.scheduler.wake(chat_id, at)

    async def wake_all(self) -> None:
        for chat_id, at in await self.store.read(lambda tx: tx.tasks.chats_with_work()):
            self.wake(chat_id, at or self.clock.now())


@asynccontextmanager
async def send_room(
    folder: Path,
    *,
    telegram: FakeTelegram | None = None,
    preferences: Preferences = QUICK,
    online: bool = True,
    reach: Reach = pass_by,
) -> AsyncIterator[SendRoom]:
    """Start the services on a folder; starting them again on the same folder is a restart."""
    telegram = telegram or FakeTelegram()
    clock = telegram.clock
    store = await SqliteStore.open(folder / "chimein.db", now=clock.now)
    room = _wired(store, clock, telegram, preferences, reach)
    room.bus.subscribe(room.events.append)
    await room.holds.probe()
    await room.store.transact(recover)
    await room.holds.load()
    if online:
        await room.connect()
    try:
        yield room
    finally:
        await room.jobs.aclose()
        await store.aclose()


def _wired(
    store: SqliteStore, clock: VirtualClock, telegram: FakeTelegram, preferences: Preferences, reach: Reach
) -> SendRoom:
    jobs, bus, online, stopped = JobRunner(), EventBus(), set[int](), list[AgentId]()
    in_memory, editing = InMemoryHold(clock.now), set[ChatId]()

    def gateway_of(account_id: int) -> FakeGateway | None:
        return telegram.gateway if account_id in online else None

    def can_send(account_id: int) -> bool:
        gateway = gateway_of(account_id)
        return gateway is not None and gateway.is_up()

    async def stop_agent(agent_id: AgentId) -> None:
        stopped.append(agent_id)

    environment = TransactionEnvironment(
        LivePreferences(preferences),
        clock.now,
        lambda _agent: UTC,
        can_send,
        in_memory.note,
        editing.__contains__,
        lambda _account: telegram.clock_ahead_s,
    )
    watched = WatchedStore(store, in_memory.begin)
    scheduler, planner = Scheduler(clock, jobs.spawn), cast("Planner", _NoPlanner())
    unit = UnitOfWork(watched, bus, clock, scheduler.wake)
    uploads = Uploads(unit, bus, clock, jobs.spawn, None, gateway_of, scheduler.wake, awake_since=clock.now)
    outbox = Outbox(unit, clock, jobs.spawn, environment, gateway_of, uploads, stop_agent=stop_agent, reach=reach)
    steps = ChatRunner(
        bus,
        environment,
        unit,
        FairSemaphore(1),
        planner,
        outbox,
        is_known=lambda _agent: True,
        wake=lambda chat_id: scheduler.wake(chat_id, clock.now()),
    )
    deciding = DecisionService(unit, environment)
    holding = UnitOfWork(store, bus, clock, scheduler.wake)
    holds = Holds(holding, bus, environment, outbox.in_flight, in_memory, scheduler.wake)
    jobs.spawn(scheduler.run(steps.step, steps.queue), name="scheduler")
    return SendRoom(
        store=store,
        clock=clock,
        telegram=telegram,
        jobs=jobs,
        bus=bus,
        environment=environment,
        outbox=outbox,
        scheduler=scheduler,
        deciding=deciding,
        holds=holds,
        backlog=BacklogReview(deciding),
        in_memory=in_memory,
        online=online,
        stopped=stopped,
        editing=editing,
    )
