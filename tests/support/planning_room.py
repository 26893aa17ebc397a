"""Plans on a real store with a scripted model: one chat, virtual time, no accounts, no scheduler."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.ids import AgentId, ChatId, GraphId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.core.fair_semaphore import FairSemaphore
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.llm.calls import ModelCalls, ModelRouter
from chimein_gui.engine.planning.model_loop import PlanningServices
from chimein_gui.engine.planning.planner import Planner
from chimein_gui.engine.planning.variants import Variants
from chimein_gui.engine.ports import GraphRow, ModelProvider, PageFetcher, TaskRow, Transaction
from chimein_gui.engine.prompt.inputs import Enricher, PromptSource
from chimein_gui.engine.sending.confirmation import confirm_part
from chimein_gui.engine.tasks.next_action import Work
from chimein_gui.engine.triggers.staleness import message_came
from chimein_gui.engine.triggers.triggers import open_window, unanswered
from tests.fakes.model import FakeModel
from tests.support.booked_calls import booked_calls
from tests.support.decision_room import ACCOUNT, PARTNER, DecisionRoom, decision_room

NORA = AgentSpec("Nora", "+9996621001", "Be kind.", (), ())
GROUP = PeerId(-500)


@dataclass
class PlanningRoom:
    """The objects of a test of plans."""

    room: DecisionRoom
    model: FakeModel
    jobs: JobRunner
    services: PlanningServices
    planner: Planner
    variants: Variants
    stickers: dict[tuple[str, str], StickerRef | Exception] = field(default_factory=dict)
    looked_up: list[tuple[str, str]] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    read: list[MessageId] = field(default_factory=list)
    spec: AgentSpec = NORA
    next_id: int = 10

    async def find_sticker(self, set_name: str, name: str) -> StickerRef | None:
        self.looked_up.append((set_name, name))
        found = self.stickers.get((set_name, name))
        if isinstance(found, Exception):
            raise found
        return found

    async def write(self, text: str, *, out: bool = False, chat_id: ChatId | None = None, **changes: Any) -> Message:
        """Store a message like the ingest, with the staleness of drafts, but without opening a window."""
        chat_id = chat_id or self.room.chat_id
        self.next_id += 1

        def work(tx: Transaction) -> tuple[Message, list[EngineEvent]]:
            chat = tx.chats.get(chat_id)
            sender = int(ACCOUNT) if out else int(PARTNER)
            key = MessageKey(chat.info.account_id, chat.info.peer_id, MessageId(self.next_id))
            message = Message(key, UserId(sender), "Marta", out=out, sent_at=self.room.clock.now(), text=text)
            message = replace(message, **changes)
            tx.messages.put(chat_id, message)
            return message, [] if out else message_came(tx, tx.chats.get(chat_id), message)

        message, events = await self.room.store.transact(work)
        self.room.bus.publish(*events)
        return message

    async def trigger(self, text: str = "hello", chat_id: ChatId | None = None, **changes: Any) -> Message:
        """Let the partner write: the message is stored, the window opens or is extended, a running call is notified."""
        message = await self.write(text, chat_id=chat_id, **changes)
        chat_id = chat_id or self.room.chat_id

        def work(tx: Transaction) -> None:
            chat = tx.chats.get(chat_id)
            open_window(tx, chat, unanswered(tx, chat), self.room.environment)

        await self.room.do(work)
        self.variants.partner_wrote(chat_id)
        self.planner.newer_trigger(chat_id)
        return message

    async def due(self, text: str = "hello", chat_id: ChatId | None = None, **changes: Any) -> Message:
        """Let the partner write and the window pass, so that a plan is due."""
        message = await self.trigger(text, chat_id, **changes)
        self.room.clock.advance(2)
        return message

    async def run(self) -> None:
        """Make the due plan in a separate job."""
        await self.planner.plan(self.room.chat_id)

    async def later(self, seconds: float) -> None:
        """Let time pass, and make the plan that is then due."""
        self.room.clock.advance(seconds)
        await self.run()

    def start(self) -> asyncio.Task[None]:
        """Begin the due plan, and return its job."""
        return self.jobs.spawn(self.run(), name="plan")

    async def asking(self, calls: int = 1) -> asyncio.Task[None]:
        """Begin the due plan, and return its job once the model has been asked so often."""
        job = self.start()
        await self.model.asked(calls)
        return job

    async def jobs_end(self) -> None:
        """Wait until no job is running any more."""
        while self.jobs.names():
            await self.room.do(lambda tx: tx.revision)

    def close_gate(self) -> asyncio.Event:
        """Delay the answers of the model until the returned gate is opened."""
        self.model.gate = asyncio.Event()
        return self.model.gate

    async def plan(self, text: str = "hello") -> Work | None:
        """Let the partner write and the window pass, and make the plan."""
        await self.due(text)
        return await self.planner.plan(self.room.chat_id)

    async def planned(self, *statuses: TaskStatus) -> list[Approval]:
        """Make a plan, and return its drafts."""
        await self.plan()
        return await self.drafts(*statuses)

    async def drafts(self, *statuses: TaskStatus) -> list[Approval]:
        """Return the planned sends of the current plan in order, or only those in some states."""

        def work(tx: Transaction) -> list[Approval]:
            graph = tx.graphs.current_of(self.room.chat_id)
            found = tx.approvals.of_graph(graph.graph_id) if graph is not None else ()
            return [approval for approval in found if not statuses or approval.task_status in statuses]

        return await self.room.do(work)

    async def graph(self) -> GraphRow:
        graph = await self.room.do(lambda tx: tx.graphs.current_of(self.room.chat_id))
        assert graph is not None
        return graph

    async def steps(self, graph_id: GraphId | None = None) -> tuple[TaskRow, ...]:
        """Return the steps of a plan, by default of the current one."""
        wanted = graph_id or (await self.graph()).graph_id
        return await self.room.do(lambda tx: tx.tasks.of_graph(wanted))

    async def received(self) -> TaskRow | None:
        return await self.room.do(lambda tx: tx.tasks.open_received(self.room.chat_id))

    async def due_plan(self) -> TaskRow:
        """Return the open `received` task, which must exist."""
        received = await self.received()
        assert received is not None
        return received

    async def chat(self) -> Chat:
        return await self.room.chat()

    async def booked(self) -> list[ModelCall]:
        return [call for _, call in await self.room.do(booked_calls)]

    async def deliver(self, approval: Approval) -> Approval:
        """Confirm an approved send, as a message of our own with its id in the ledger."""
        result = await self.room.claim(approval)
        assert result.claim is not None, result.note
        row = result.claim.row
        await self.confirm(approval, row.ledger_id)
        return await self.room.now(approval)

    async def confirm(self, approval: Approval, ledger_id: Any) -> None:
        self.next_id += 1
        number = MessageId(self.next_id)

        def work(tx: Transaction) -> list[EngineEvent]:
            row = tx.ledger.get(ledger_id)
            key = MessageKey(approval.account_id, approval.peer_id, number)
            sent = Message(key, UserId(ACCOUNT), "Nora", out=True, sent_at=self.room.clock.now(), text=row.text)
            return confirm_part(tx, ledger_id, sent, self.room.environment)

        self.room.bus.publish(*await self.room.do(work))

    async def another_chat(self, peer: int, kind: ChatKind = ChatKind.DM) -> ChatId:
        def work(tx: Transaction) -> ChatId:
            agent_id = tx.agents.all()[0].agent_id
            info = ChatInfo(ACCOUNT, PeerId(peer), kind, f"Chat {peer}")
            return tx.chats.ensure(agent_id, info, planned_up_to=MessageId(0))[0].chat_id

        return await self.room.do(work)


@asynccontextmanager
async def planning_room(
    folder: Path,
    *,
    parallel: int = 8,
    enrichers: tuple[Enricher, ...] = (),
    providers: tuple[ModelProvider, ...] = (),
    pages: PageFetcher | None = None,
    **levers: Any,
) -> AsyncIterator[PlanningRoom]:
    """Open a store and a planner with one chat."""
    async with decision_room(folder, **levers) as base:
        model, jobs = FakeModel(), JobRunner()
        room: PlanningRoom

        def spec_of(_agent_id: AgentId) -> AgentSpec:
            return room.spec

        services = PlanningServices(
            store=base.store,
            bus=base.bus,
            clock=base.clock,
            environment=base.environment,
            unit=base.unit,
            calls=ModelCalls(ModelRouter(model, providers), base.clock),
            slots=FairSemaphore(parallel),
            source=PromptSource(spec_of, lambda: ("Be Gemini.", "prompts/Gemini.md"), offers_pages=pages is not None),
            find_sticker=lambda _account: room.find_sticker,
            on_due=lambda chat_id, _at: base.woken.append(chat_id),
            on_stored=lambda: room.stored.append("stored"),
            mark_read=lambda _account_id, _peer_id, up_to: room.read.append(up_to),
            enrichers=enrichers,
            pages=pages,
        )
        planner = Planner(services)
        variants = Variants(services)
        room = PlanningRoom(base, model, jobs, services, planner, variants)
        try:
            yield room
        finally:
            await jobs.aclose()
