"""The facade of the engine for the window, the command line and the tests.

The facade itself has what can be asked and done at any time. The operator's actions on one kind of object are in parts,
each a small class: `decisions`, `holds`, `plans`, `chat_settings`, `agent_settings`, `composer`, `sent`, `saved_edits`.

Functions that take a transaction run on the writer thread.

"""

from __future__ import annotations

import asyncio
import logging
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.events import AgentChanged, ChatChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.accounts.drain import AccountDrain
from chimein_gui.engine.accounts.proxies import Proxies
from chimein_gui.engine.agents.character_cards import CharacterCards
from chimein_gui.engine.agents.fixed_part import SharedByAll
from chimein_gui.engine.agents.source_editor import SourceEditor
from chimein_gui.engine.context.considered import ContextReader
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.library.search_indexer import SearchIndexer
from chimein_gui.engine.library.transcripts import Transcripts
from chimein_gui.engine.llm.costs import Costs
from chimein_gui.engine.login.service import Logins
from chimein_gui.engine.login.steps import end_orphans
from chimein_gui.engine.media.library import MediaLibraryService
from chimein_gui.engine.media.requests import MediaRequests
from chimein_gui.engine.operator.cards import Cards
from chimein_gui.engine.operator.chat_settings import AgentSettings, ChatSettingsService
from chimein_gui.engine.operator.composer import AgentStickers, Composer
from chimein_gui.engine.operator.decision_log import DecisionLog
from chimein_gui.engine.operator.plan_actions import Plans
from chimein_gui.engine.operator.plan_edits import PlanEdits
from chimein_gui.engine.operator.plan_history import PlanHistory
from chimein_gui.engine.operator.resend import SendAnyway
from chimein_gui.engine.operator.saved_edits import SavedEditsService
from chimein_gui.engine.operator.sent_messages import SentMessages
from chimein_gui.engine.operator.trust_rules import TrustRules
from chimein_gui.engine.operator.upcoming import Upcoming
from chimein_gui.engine.people.forgetting import Forgetting, Surroundings
from chimein_gui.engine.people.holdings import holdings_of
from chimein_gui.engine.people.person import People
from chimein_gui.engine.ports.model import MAIN_PROVIDER
from chimein_gui.engine.ports.secrets import MODEL_KEY
from chimein_gui.engine.sending.recovery import recover
from chimein_gui.engine.settings.diagnostics import Diagnostics
from chimein_gui.engine.settings.keys import KeyChanges, KeyCheck
from chimein_gui.engine.settings.preferences import PreferencesService
from chimein_gui.engine.settings.setup import Setup
from chimein_gui.engine.spending.caps import Caps
from chimein_gui.engine.spending.day_watch import DayWatch
from chimein_gui.engine.traces.reading import Traces
from chimein_gui.engine.wiring import Services

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.accounts.directory import AccountDirectory
    from chimein_gui.engine.ports import TelegramGateway, Transaction

_log = logging.getLogger(__name__)

ANSWERS_S = 3.0
"""How long an orderly end waits for the answers of sends in flight."""


class Engine:
    """Runs all agents, and is all that the window sees of the engine.

    Attributes:
        bus: Every event, in order.
        queries: The rows that panes fetch when they open.
        decisions: Decides on cards, one or many.
        editors: Counts open editors, which hold the automatic sends of their chats.
        directory: All agents with their health.
        accounts: Connects and disconnects accounts; clears the mark of a limited account.
        holds: Holds everything, an account or a chat, and releases it.
        backlog: Confirms held sends after a release.
        plans: Rejects, retries and regenerates plans; skips and allows waits.
        plan_edits: Changes the steps of a plan and their order; undoes that.
        plan_history: The current plan of a chat, and its earlier ones page by page.
        contexts: Which messages a plan saw, or would see now.
        upcoming: What happens next in all chats, and why nothing does where messages are unanswered.
        variants: Stops the making of a variant, chooses or discards one.
        resend: Offers superseded, observed or refused sends again: "send anyway".
        chat_settings: The settings of one chat.
        takeovers: Pauses the agent in a chat, and lets it continue.
        agent_settings: The operator's confirmations for one agent.
        trust_rules: Revokes the rules that send without the operator.
        agent_files: Watches the agents' files, knows their problems and links, and writes files of new agents.
        character_cards: Makes agents of character cards, and cards of agents.
        sources: Reads and edits the files of agents and prompts.
        composer: The operator's own messages.
        prompts: The prompts that were sent, and what would be sent now.
        dry_runs: Asks models with other prompts; nothing of the answers is done.
        traces: How plans came about, what they cost and what became of them.
        stickers: The stickers that the agents may send.
        sent: Edits and deletes sent messages.
        saved_edits: The kept edits, which have outlived their drafts.
        decision_log: The decisions, page by page.
        cards: The details of planned sends.
        transcripts: The messages of one chat, and the invisible steps of plans between them.
        media_files: The files of messages, fetched and kept for a while.
        media_requests: Lets models describe media that the operator chooses, and lists whole sticker sets.
        media_library: Lists all media that were met, and changes their descriptions.
        preferences_service: Reads and changes the preferences.
        keys: The program's keys and the places where they are kept.
        key_check: Tries a key of the model.
        proxies: The accounts' proxies.
        frames: Draws animated stickers.
        costs: The cost of today's model calls.
        caps: Caps on costs, and the answers to those that are reached.
        logins: Logs accounts in and out.
        diagnostics: Saves the diagnostics file.
        memories: Undoes memories that replies have written; None without memory files.
        memory_editor: Lists memory files, and changes them entry by entry.
        memory_recall: Tells what would be chosen of the memories for a message; None without an index.
        memory_review: Decides on proposed memories, and takes decisions back.
        review_list: Lists proposed memories with their evidence.
        extraction: Reads conversations for memories; None without memory files.
        people: Shows, gives out and forgets all that is held about a person.
        memory_index: Tells how far the index of memories is, and rebuilds it; None without an index.
    """

    def __init__(self, setup: Setup) -> None:
        """Nothing runs before `start`."""
        self._setup = setup
        self.frames = setup.frames
        self._services = services = Services(setup)
        self.bus = services.bus
        self.queries, self.decisions, self.editors = services.queries, services.decisions, services.editors
        self.directory, self.accounts = services.directory, services.accounts
        self.holds = services.holds
        self.backlog = services.backlog
        self._wire_parts(services)
        self._scheduler_job: asyncio.Task[None] | None = None
        self._retention_job: asyncio.Task[None] | None = None
        self._archive_job: asyncio.Task[None] | None = None
        self._vector_job: asyncio.Task[None] | None = None
        self._extraction_job: asyncio.Task[None] | None = None
        setup.jobs.tell_of_failures(self._job_failed)

    def _source_editor(self, services: Services) -> SourceEditor:
        directory, environment = services.directory, services.environment

        def shared() -> SharedByAll:
            preferences = environment.preferences
            return SharedByAll(directory.model_prompt()[0], preferences.model, preferences.prices)

        return SourceEditor(
            self._setup.source_files, services.agent_file_watcher, partial(_specs_of, directory), shared
        )

    def _people(self, services: Services) -> People:
        """Return the service for everything about a person."""
        setup, store, writing = self._setup, services.store, services.memory_writer

        async def drop_copy(name: str) -> None:
            if setup.outgoing_files is not None:
                await setup.outgoing_files.drop(name)

        holdings = holdings_of(store, setup.person_files, drop_copy)
        around = Surroundings(
            services.prompt_archive.flush,
            services.stop_planning,
            services.forget_caches,
            services.compact_memory_index,
            writing.paused if writing is not None else nullcontext,
        )
        self._forgetting = Forgetting(store, services.unit, services.bus, services.holds, holdings, around, setup.clock)
        return People(store, setup.person_files, holdings, self._forgetting, services.prompt_archive.flush)

    def _wire_parts(self, services: Services) -> None:
        setup, store, bus = self._setup, services.store, services.bus
        environment, unit = services.environment, services.unit
        self.plans = Plans(unit, environment, services.variants, services.planner.skip_pages)
        self.plan_history = PlanHistory(store)
        self.prompts, self.dry_runs = services.prompts, services.dry_runs
        self.traces = Traces(unit, environment, services.prompt_archive.flush)
        self.contexts = ContextReader(
            store, environment, services.directory.spec_of, services.contexts, setup.link_model
        )
        self.upcoming = Upcoming(store, bus, environment, services.mutes.last_known)
        self.variants = services.variants
        self.resend = SendAnyway(unit, environment)
        self.chat_settings = ChatSettingsService(unit, environment)
        self.takeovers = services.takeovers
        self.agent_settings = AgentSettings(unit, services.accounts)
        self.trust_rules = TrustRules(unit, environment, self.agent_settings)
        self.agent_files = services.agent_file_watcher
        self.character_cards = CharacterCards(store, setup.card_files, self.agent_files, services.directory.spec_of)
        self.sources = self._source_editor(services)
        self.composer = Composer(unit, environment, setup.reach, setup.outgoing_files)
        self.plan_edits = PlanEdits(unit, environment, self.composer.copies, setup.reach)
        self.stickers = AgentStickers(services.directory)
        self.sent = SentMessages(
            store,
            setup.clock,
            setup.jobs.spawn,
            environment,
            unit,
            services.outbox.in_flight,
            services.directory.gateway_of,
        )
        self.saved_edits = SavedEditsService(unit, services.decisions, self.composer)
        self.decision_log = DecisionLog(store)
        self.cards = Cards(store, environment)
        self._wire_memories(services)
        self.people = self._people(services)
        self.costs = Costs(store, setup.clock)
        self.caps = Caps(unit, bus, setup.clock, setup.jobs.spawn, services.gate, services.scheduler.wake)
        services.scheduler.on_round.add(DayWatch(setup.clock, setup.jobs.spawn, services.gate, self.caps).look)
        sends = AccountDrain(unit, services.accounts, services.outbox.in_flight)
        self.logins = Logins(setup, bus, services.accounts, services.queries, sends)
        self.preferences_service = PreferencesService(services.preferences, bus, setup.preference_file)
        key_works = services.planner.model_key_changed
        self.keys = setup.secrets
        self.key_check = KeyCheck(setup.secrets, setup.key_checker, key_works, lambda: services.preferences.now.model)
        self.proxies = Proxies(setup.secrets, services.accounts, setup.jobs.spawn, self.logins.proxy_changed)
        bus.subscribe(self.proxies.hear, AgentChanged)
        self._key_changes = KeyChanges(
            setup.secrets,
            bus,
            setup.jobs.spawn,
            services.planner.model_key_changed,
            self.proxies.load,
            {MODEL_KEY: MAIN_PROVIDER, **{provider.key: provider.name for provider in setup.providers}},
        )
        self.transcripts = Transcripts(store)
        self.diagnostics = Diagnostics(setup.diagnostics_file, services.directory.agents, lambda: self.preferences)
        self._indexer = SearchIndexer(store, setup.clock, setup.jobs.spawn)
        self._wire_media(services)

    def _wire_media(self, services: Services) -> None:
        setup, store, bus = self._setup, services.store, services.bus
        clock, spawn, directory = setup.clock, setup.jobs.spawn, services.directory
        self.media_files = services.media_files
        self.media_requests = MediaRequests(
            services.media,
            services.media_budget,
            partial(_connected, directory),
            lambda: self.preferences,
            lambda: self.media_library.usage,
        )
        self.media_library = MediaLibraryService(
            store,
            bus,
            clock,
            spawn,
            setup.media_records,
            lambda: {one.agent_id: one.spec for one in directory.agents()},
        )

    def _wire_memories(self, services: Services) -> None:
        self.memories, self.memory_editor = services.memory_writer, services.memory_editor
        self.memory_recall, self.memory_index = services.recall, services.memory_index
        self.extraction = services.extraction
        self.memory_review, self.review_list = services.memory_review, services.review_list

    async def start(self) -> None:
        """Recover what the last run left open, then connect all accounts.

        Raises:
            StoreError: The database does not take writes.
        """
        setup, services = self._setup, self._services
        services.awake.start()
        self.logins.sweep()
        await services.holds.probe()
        await services.holds.load()
        await services.gate.load()
        await self.agent_files.reload()
        await services.accounts.recall_waits()
        await services.ingest.recall_gaps()
        if setup.link_model_is_broken:
            FaultLine(self.bus, "context", FaultReason.TIME_GAPS).show(Note(FaultReason.WEIGHTS_UNUSABLE))
        with_work = await services.unit.run(_recovered, wakes=False)
        mine = {agent.agent_id for agent in services.directory.agents()}
        now = setup.clock.now()
        for chat_id, agent_id, due_at in with_work:
            if agent_id in mine:
                services.scheduler.wake(chat_id, due_at or now)
        setup.jobs.spawn(self.composer.sweep(), name="remove copies of files that were sent")
        await self._key_changes.begin()
        self._begin_jobs()
        setup.jobs.spawn(self._forgetting.resume(), name="forget people")
        await services.planner.model_key_changed()
        services.write_memories()
        self._extract_memories(services)
        self._indexer.begin()
        setup.jobs.spawn(services.index_memories(), name="index memories")
        services.accounts.start_all()
        if setup.sign_ins is not None:
            setup.jobs.spawn(end_orphans(setup.sign_ins, services.directory.agents()), name="cut-off log-ins")
        self.agent_files.follow()

    def _begin_jobs(self) -> None:
        """Start what runs until the end, and again after a failure."""
        setup, services = self._setup, self._services
        services.follow_secrets()
        keeping = services.keeper.keep(
            partial(services.scheduler.run, services.steps.step, services.steps.queue),
            key="scheduler",
            what=Note(FaultReason.SCHEDULER_STOPPED),
            meanwhile=FaultReason.NOTHING_PLANNED,
            before_again=services.wake_all,
        )
        self._scheduler_job = setup.jobs.spawn(keeping, name="scheduler")
        cleaning = services.keeper.keep(
            services.retention.run,
            key="retention",
            what=Note(FaultReason.CLEANING_STOPPED),
            meanwhile=FaultReason.DATABASE_GROWS,
        )
        self._retention_job = setup.jobs.spawn(cleaning, name="retention")
        archiving = services.keeper.keep(
            services.prompt_archive.run,
            key="prompts",
            what=Note(FaultReason.PROMPTS_STOPPED),
            meanwhile=FaultReason.PROMPTS_WAIT,
        )
        self._archive_job = setup.jobs.spawn(archiving, name="prompts")
        if services.vector_job is not None:
            embedding = services.keeper.keep(
                services.vector_job.run,
                key="vectors",
                what=Note(FaultReason.EMBEDDING_STOPPED),
                meanwhile=FaultReason.FOUND_BY_WORDS,
            )
            self._vector_job = setup.jobs.spawn(embedding, name="embed memories")

    def _extract_memories(self, services: Services) -> None:
        """Finish what was decided about proposed memories, and look for more."""
        services.memory_review.resume()
        if services.extraction is not None:
            extracting = services.keeper.keep(
                services.extraction.run,
                key="extraction",
                what=Note(FaultReason.EXTRACTION_STOPPED),
                meanwhile=FaultReason.NOTHING_PROPOSED,
            )
            self._extraction_job = self._setup.jobs.spawn(extracting, name="extraction of memories")

    async def aclose(self) -> None:
        """Stop in order: no new steps, then the accounts, then the rest. Unfinished work is not marked as failed."""
        services = self._services
        await self.logins.aclose()
        self._key_changes.end()
        await self.agent_files.aclose()
        jobs = (
            *(self._scheduler_job, self._retention_job, self._archive_job),
            *(self._vector_job, self._extraction_job),
        )
        running = [job for job in jobs if job is not None]
        for job in running:
            job.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await services.outbox.drain(ANSWERS_S)
        await services.accounts.stop_all()
        try:
            async with self._setup.clock.timeout(ANSWERS_S):
                await services.ingest.flush()
        except TimeoutError:
            _log.warning("What was reported last could not be stored; Telegram hands it out again at the next start")
        with suppress(StoreError):  # a full disk was reported before
            await services.prompt_archive.flush()

    @property
    def preferences(self) -> Preferences:
        """The current preferences."""
        return self._services.preferences.now

    def subscribe(self, subscriber: Callable[[EngineEvent], None]) -> Callable[[], None]:
        """Receive every event from now on; returns a function that unsubscribes."""
        return self.bus.subscribe(subscriber)

    def _job_failed(self, name: str, error: BaseException) -> None:
        """Tell the operator that a job has failed which nothing restarts."""
        cause = Note(FaultReason.JOB_FAILED, name, more=type(error).__name__)
        FaultLine(self.bus, "job", FaultReason.REST_GOES_ON).show(cause)


def _recovered(
    tx: Transaction,
) -> tuple[list[EngineEvent], tuple[tuple[ChatId, AgentId, datetime | None], ...]]:
    """Recover; return every chat that has work without the operator, with its owner."""
    events: list[EngineEvent] = [ChatChanged(tx.chats.get(chat_id), Revision(0)) for chat_id in recover(tx)]
    work = tx.tasks.chats_with_work()
    return events, tuple((chat_id, tx.chats.get(chat_id).agent_id, due_at) for chat_id, due_at in work)


def _connected(directory: AccountDirectory) -> list[tuple[AgentSpec, AccountId, TelegramGateway]]:
    """Return the agents whose accounts are connected."""
    return [
        (entry.agent.spec, entry.agent.account_id, entry.gateway)
        for entry in directory.entries.values()
        if entry.gateway is not None and entry.agent.account_id is not None and entry.gateway.is_up()
    ]


def _specs_of(directory: AccountDirectory) -> Iterator[AgentSpec]:
    return (one.spec for one in directory.agents())
