"""The facade: the engine as the window, the command line and the tests see it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.events import ChatChanged, FaultReported, FileProblemsChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.engine.accounts import Accounts
from chimein_gui.engine.approvals import Approvals
from chimein_gui.engine.chat_work import ChatWork, WorkKind, next_work
from chimein_gui.engine.event_bus import EventBus
from chimein_gui.engine.ingest import Ingest
from chimein_gui.engine.outbox import Outbox
from chimein_gui.engine.planner import Planner
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.queries import Queries
from chimein_gui.engine.recovery import recover
from chimein_gui.engine.scheduler import Scheduler

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.agents import Agent, AgentSpec, FileProblem
    from chimein_gui.domain.approvals import Approval, Decision, Outcome
    from chimein_gui.domain.chats import Chat, TrustLevel
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.jobs import JobRunner
    from chimein_gui.engine.ports import Clock, GatewayFactory, LanguageModel, Store, Transaction

_log = logging.getLogger(__name__)

ANSWERS_S = 3.0
"""How long an orderly end waits for the answers of sends in flight."""

STORE_RETRY_S = 5.0
"""Pause before a step that the store could not commit is tried again."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What an engine is made of.

    Attributes:
        store: The database.
        gateways: Makes a gateway for an agent.
        model: The language model.
        clock: Time.
        jobs: Owner of all jobs; the caller closes it after the engine.
        preferences: Adjustable behaviour.
        agents: The agent files that could be read.
        file_problems: Those that could not.
        model_prompt: Model-specific prompt, or empty.
    """

    store: Store
    gateways: GatewayFactory
    model: LanguageModel
    clock: Clock
    jobs: JobRunner
    preferences: Preferences
    agents: tuple[AgentSpec, ...] = ()
    file_problems: tuple[FileProblem, ...] = ()
    model_prompt: str = ""


class Engine:
    """Runs all agents; implements `viewmodels.console.Console`."""

    def __init__(self, setup: Setup) -> None:
        """Wire the services; nothing runs before `start`."""
        self._setup = setup
        self.bus = EventBus()
        spawn, store, clock, preferences = setup.jobs.spawn, setup.store, setup.clock, setup.preferences
        self._scheduler = Scheduler(clock, spawn, self._step)
        self._ingest = Ingest(store, self.bus, clock, spawn, preferences, self._scheduler.wake)
        self._accounts = Accounts(store, self.bus, clock, spawn, setup.gateways, self._ingest, self._wake_account)
        self._approvals = Approvals(store, self.bus, clock, preferences, self._scheduler.wake)
        self._outbox = Outbox(store, self.bus, clock, spawn, preferences, self._accounts.gateway_of)
        self._planner = Planner(
            store,
            self.bus,
            clock,
            preferences,
            setup.model,
            self._accounts.spec_of,
            self._outbox.claim_due,
            setup.model_prompt,
        )
        self._queries = Queries(store, clock)
        self._scheduler_job: asyncio.Task[None] | None = None
        self._faulty: set[ChatId] = set()

    async def start(self) -> None:
        """Recover what the last run left open, then connect all accounts.

        Raises:
            StoreError: The database does not take writes.
        """
        setup = self._setup
        await self._accounts.load(setup.agents)
        self.bus.publish(FileProblemsChanged(setup.file_problems, Revision(1)))
        chats = await setup.store.transact(recover, durability=Durability.FULL)
        mine = {agent.agent_id for agent in self._accounts.agents()}
        for chat in chats:
            self.bus.publish(ChatChanged(chat, Revision(0)))
            if chat.agent_id in mine:
                self._scheduler.wake(chat.chat_id, setup.clock.now())
        self._scheduler_job = setup.jobs.spawn(self._scheduler.run(), name="scheduler")
        self._accounts.start_all()

    async def aclose(self) -> None:
        """Stop in order: no new steps, then the accounts, then everything else; nothing half done is called failed."""
        if self._scheduler_job is not None:
            self._scheduler_job.cancel()
            await asyncio.gather(self._scheduler_job, return_exceptions=True)
        await self._outbox.settle(ANSWERS_S)
        await self._accounts.stop_all()
        try:
            async with self._setup.clock.timeout(ANSWERS_S):
                await self._ingest.flush()
        except TimeoutError:
            _log.warning("What was reported last could not be stored; Telegram hands it out again at the next start")

    def subscribe(self, subscriber: Callable[[EngineEvent], None]) -> Callable[[], None]:
        """Receive every event from now on; returns what ends it."""
        return self.bus.subscribe(subscriber)

    async def load_agents(self) -> Loaded[Agent]:
        """Return all agents with their health."""
        return Loaded(self._accounts.agents(), self._accounts.revision)

    async def load_file_problems(self) -> Loaded[FileProblem]:
        """Return the config files that could not be used."""
        return Loaded(self._setup.file_problems, Revision(1))

    async def load_chats(self) -> Loaded[Chat]:
        """Return all chats, newest message first."""
        return await self._queries.chats()

    async def load_transcript(self, chat_id: ChatId, *, before_id: MessageId | None, limit: int) -> Loaded[Message]:
        """Return up to `limit` newest messages below `before_id`, oldest first."""
        return await self._queries.transcript(chat_id, before_id=before_id, limit=limit)

    async def load_approvals(self) -> Loaded[Approval]:
        """Return all planned sends that are not final, oldest first."""
        return await self._queries.approvals()

    async def load_recent_decisions(self, *, limit: int) -> Loaded[Approval]:
        """Return what was decided in the last hour, newest first."""
        return await self._queries.recent_decisions(limit=limit)

    async def decide(
        self,
        approval_id: ApprovalId,
        *,
        expected_version: int,
        decision: Decision,
        seen_up_to: MessageId,
        client_id: str,
    ) -> Outcome:
        """Decide on a planned send, compare-and-set (SPEC §6).

        Raises:
            LookupError: There is no such approval.
            StoreError: Nothing was decided.
        """
        return await self._approvals.decide(
            approval_id,
            expected_version=expected_version,
            decision=decision,
            seen_up_to=seen_up_to,
            client_id=client_id,
        )

    async def set_trust(self, chat_id: ChatId, trust: TrustLevel) -> None:
        """Change how much of a chat leaves without the operator; open drafts keep asking."""

        def work(tx: Transaction) -> ChatChanged:
            tx.chats.set_trust(chat_id, trust)
            return ChatChanged(tx.chats.get(chat_id), tx.revision)

        self.bus.publish(await self._setup.store.transact(work, durability=Durability.FULL))

    async def start_agent(self, agent_id: AgentId) -> None:
        """Connect an agent's account, and keep it connected."""
        self._accounts.start(agent_id)

    async def stop_agent(self, agent_id: AgentId) -> None:
        """Disconnect an agent's account."""
        await self._accounts.stop(agent_id)

    def report_fault(self, key: str, cause: str, remedy: str) -> None:
        """Show something in the bar; an empty cause clears what the key showed."""
        self.bus.publish(FaultReported(key, cause, remedy, Revision(0)))

    async def _step(self, chat_id: ChatId) -> datetime | None:
        """Run the next step of a chat if it is due, and return when the chat wants to be looked at again."""
        try:
            again = await self._run_due(chat_id)
        except Exception as error:  # noqa: BLE001 - one chat's trouble must not end the others
            # A step that cannot be committed changes nothing; the chat waits and the operator is told.
            _log.exception("A step of chat %s failed", chat_id)
            self._faulty.add(chat_id)
            self.report_fault(f"chat {chat_id}", f"A step could not be finished: {error}", "It is tried again in 5 s.")
            return self._setup.clock.now() + timedelta(seconds=STORE_RETRY_S)
        if chat_id in self._faulty:
            self._faulty.discard(chat_id)
            self.report_fault(f"chat {chat_id}", "", "")
        return again

    async def _run_due(self, chat_id: ChatId) -> datetime | None:
        preferences, now = self._setup.preferences, self._setup.clock.now
        work = await self._setup.store.read(lambda tx: next_work(tx, chat_id, preferences))
        while work is not None and work.at <= now():
            work = await self._do(chat_id, work)
        return work.at if work is not None else None

    async def _do(self, chat_id: ChatId, work: ChatWork) -> ChatWork | None:
        if work.kind is WorkKind.PLAN:
            return await self._planner.plan(chat_id)
        if work.kind is WorkKind.SEND:
            return await self._outbox.send(work)
        if work.kind is WorkKind.HAND_OVER:
            return await self._outbox.hand_over(work)
        return await self._outbox.resolve(work)

    def _wake_account(self, account_id: AccountId) -> None:
        """The account can send again: look at its chats that have something open."""

        async def wake() -> None:
            def open_chats(tx: Transaction) -> tuple[ChatId, ...]:
                mine = {task.chat_id for task in tx.tasks.open_everywhere()}
                return tuple(chat_id for chat_id in mine if tx.chats.get(chat_id).info.account_id == account_id)

            for chat_id in await self._setup.store.read(open_chats):
                self._scheduler.wake(chat_id, self._setup.clock.now())

        self._setup.jobs.spawn(wake(), name=f"wake account {account_id}")
