"""Composition of the engine's services. Nothing runs before `Engine.start`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.events import (
    AgentChanged,
    MessageStored,
    Remembered,
    SecretsChanged,
    is_change,
    is_of_group,
    is_reply,
)
from chimein_gui.domain.memory.embedding import choice_of
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.prompt.memories import forget_read
from chimein_gui.engine.accounts.accounts import Accounts
from chimein_gui.engine.accounts.directory import AccountDirectory
from chimein_gui.engine.agents.agent_files import AgentFileWatcher
from chimein_gui.engine.agents.reconcile import AgentReconciler
from chimein_gui.engine.context.prepared_rows import PreparedRows
from chimein_gui.engine.context.selection import ContextChooser
from chimein_gui.engine.core.commits import UnitOfWork, WatchedStore
from chimein_gui.engine.core.environment import AwakeTime, Editors, LivePreferences, TransactionEnvironment
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.fair_semaphore import FairSemaphore
from chimein_gui.engine.core.jobs import JobKeeper
from chimein_gui.engine.ingest.blocks import Blocks
from chimein_gui.engine.ingest.ingest import Ingest
from chimein_gui.engine.ingest.mutes import Mutes
from chimein_gui.engine.ingest.staleness_watch import StalenessWatch
from chimein_gui.engine.library.media_files import MediaFiles
from chimein_gui.engine.library.queries import Queries
from chimein_gui.engine.library.retention import Retention
from chimein_gui.engine.llm.calls import EmbeddingCalls, ModelCalls, ModelRouter
from chimein_gui.engine.llm.spend_gate import SpendGate
from chimein_gui.engine.media.budget import DescriptionBudget, descriptions_per_tick
from chimein_gui.engine.media.contents import MediaContents
from chimein_gui.engine.media.describer import MediaServices
from chimein_gui.engine.media.enricher import describing
from chimein_gui.engine.media.sets import StickerSets
from chimein_gui.engine.memory.duplicates import by_words_alone
from chimein_gui.engine.memory.editor import MemoryEditor
from chimein_gui.engine.memory.extraction import ExtractionServices, MemoryExtraction
from chimein_gui.engine.memory.orders import OrderReader
from chimein_gui.engine.memory.outside import OutsideChanges
from chimein_gui.engine.memory.recall import LastSenders, MemoryRecall
from chimein_gui.engine.memory.review import MemoryReview
from chimein_gui.engine.memory.review_list import ReviewList
from chimein_gui.engine.memory.tombstones import Tombstones
from chimein_gui.engine.memory.vectors.embedders import MemoryEmbedders
from chimein_gui.engine.memory.vectors.job import VectorJob
from chimein_gui.engine.memory.vectors.queries import Likeness, QueryVectors
from chimein_gui.engine.memory.vectors.service import MemoryIndexService
from chimein_gui.engine.memory.writer import MemoryWriter
from chimein_gui.engine.operator.backlog import BacklogReview
from chimein_gui.engine.operator.decisions import DecisionService
from chimein_gui.engine.operator.holds import Holds
from chimein_gui.engine.planning.backfill import Backfill
from chimein_gui.engine.planning.model_loop import PlanningServices
from chimein_gui.engine.planning.planner import Planner
from chimein_gui.engine.planning.recording import book_dry_run
from chimein_gui.engine.planning.rerank import Rerank
from chimein_gui.engine.planning.variants import Variants
from chimein_gui.engine.policy.hold_check import InMemoryHold
from chimein_gui.engine.ports.secrets import POSTGRES
from chimein_gui.engine.prompt.inputs import MemoryReader, PromptSource
from chimein_gui.engine.scheduling.chat_runner import ChatRunner
from chimein_gui.engine.scheduling.scheduler import Scheduler
from chimein_gui.engine.sending.outbox import Outbox
from chimein_gui.engine.sending.uploads import Uploads
from chimein_gui.engine.traces.prompt_archive import PromptArchive
from chimein_gui.engine.traces.prompts import Prompts
from chimein_gui.engine.triggers.takeover import Takeovers
from chimein_gui.engine.what_if.dry_runs import DryRuns

if TYPE_CHECKING:
    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId, PeerId
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.settings.setup import Setup


class Services:
    """All services of an engine.

    Any failed commit starts a hold of everything in memory, because all services but the holds write through a
    watched store.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.bus = EventBus()
        self.in_memory_hold = InMemoryHold(setup.clock.now)
        self.keeper = JobKeeper(self.bus, setup.clock, setup.jobs.spawn)
        self.store = WatchedStore(setup.store, self.in_memory_hold.begin)
        self.directory = AccountDirectory(self.bus, setup.clock, setup.jobs.spawn)
        self.preferences = live = LivePreferences(setup.preferences)
        self.awake = AwakeTime(setup.clock.now, setup.start_grace_s)
        self.scheduler = Scheduler(setup.clock, setup.jobs.spawn, tick_s=live.tick_s, on_round=self.awake.expect_round)
        self.editors = Editors(self.wake)
        self.slots = FairSemaphore(setup.preferences.parallel_plans)
        self.unit = UnitOfWork(self.store, self.bus, setup.clock, self.scheduler.wake)
        self.uploads = Uploads(
            self.unit,
            self.bus,
            setup.clock,
            setup.jobs.spawn,
            setup.outgoing_files,
            self.directory.gateway_of,
            self.scheduler.wake,
            awake_since=self.awake.since,
        )
        self.mutes = Mutes(self.unit, setup.clock, setup.jobs.spawn, self.scheduler.wake)
        self.environment = TransactionEnvironment(
            live=live,
            now=setup.clock.now,
            zone_of=self.directory.zone_of,
            can_send=self.directory.may_send,
            can_look=self.directory.may_look,
            memory_hold=self.in_memory_hold.note,
            is_editing=self.editors.is_open,
            clock_ahead_s=self.directory.clock_ahead_s,
            awaits_slot=self.slots.awaits,
            awake_since=self.awake.since,
            automatic_from=self.awake.automatic_from,
            mute_of=self.mutes.state_of,
            is_uploaded=self.uploads.is_there,
            is_uploading=self.uploads.is_running,
            upload_again_at=self.uploads.again_at,
        )
        self.queries = Queries(self.store, setup.clock)
        self._wire_listening()
        self._wire_sending()
        self._wire_planning()
        self._wire_agents()
        self._connect_ingest()
        live.listen(self._adjust)
        self._wire_memories()
        self.retention = Retention(self.store, setup.clock, lambda: self.scheduler.is_idle, self.preferences, self.bus)
        self.steps = ChatRunner(
            self.bus,
            self.environment,
            self.unit,
            self.slots,
            self.planner,
            self.outbox,
            is_known=self.directory.is_known,
            wake=self.wake,
        )

    def wake(self, chat_id: ChatId) -> None:
        """Let the scheduler check a chat now, because something in it may continue."""
        self.scheduler.wake(chat_id, self.setup.clock.now())

    def wake_account(self, account_id: AccountId) -> None:
        """Wake the chats of an account that have something to do, because it can send again."""
        self.backfill.connected(account_id)
        self.blocks.connected(account_id)

        async def wake() -> None:
            for chat_id, _ in await self.store.read(lambda tx: tx.tasks.chats_with_work(account_id)):
                self.wake(chat_id)

        keeping = self.keeper.keep(
            wake,
            key=f"wake account {account_id}",
            what=Note(FaultReason.WAKING_STOPPED),
            meanwhile=FaultReason.APPROVED_WAITS,
        )
        self.setup.jobs.spawn(keeping, name=f"wake account {account_id}")

    async def wake_all(self) -> None:
        """Wake every chat that has something to do when it is due; the scheduler's own list may be incomplete.

        Raises:
            StoreError: The database could not be read.
        """
        now = self.setup.clock.now()
        for chat_id, due_at in await self.store.read(lambda tx: tx.tasks.chats_with_work()):
            self.scheduler.wake(chat_id, due_at or now)

    def _wire_listening(self) -> None:
        setup, gateway_of = self.setup, self.directory.gateway_of
        self.ingest = Ingest(
            self.unit,
            self.bus,
            setup.clock,
            setup.jobs.spawn,
            self.environment,
            self.scheduler.wake,
        )
        self.backfill = Backfill(self.unit, setup.clock, setup.jobs.spawn, gateway_of, self.ingest)
        self.mutes.act_in(self.environment)
        self.blocks = Blocks(self.store, setup.clock, setup.jobs.spawn, gateway_of, self.ingest.look_again)
        self.accounts = Accounts(
            self.directory,
            self.unit,
            self.bus,
            setup.jobs.spawn,
            setup.gateways,
            self.ingest,
            self.wake_account,
            mutes=self.mutes,
        )
        self.takeovers = Takeovers(self.unit, self.environment)

    def _wire_sending(self) -> None:
        setup, wake_at = self.setup, self.scheduler.wake
        self.decisions = DecisionService(self.unit, self.environment, setup.reach)
        self.outbox = Outbox(
            self.unit,
            setup.clock,
            setup.jobs.spawn,
            self.environment,
            self.directory.gateway_of,
            self.uploads,
            stop_agent=self.accounts.stop,
            reach=setup.reach,
        )
        holding = UnitOfWork(setup.store, self.bus, setup.clock, wake_at)  # not the watched store
        self.holds = Holds(holding, self.bus, self.environment, self.outbox.in_flight, self.in_memory_hold, wake_at)
        self.backlog = BacklogReview(self.decisions)

    def _wire_planning(self) -> None:
        setup = self.setup
        models = ModelRouter(setup.model, setup.providers)
        self.gate = SpendGate(self.unit, self.bus, setup.clock)
        self.calls = ModelCalls(models, setup.clock, gate=self.gate)
        self.prepared = PreparedRows(self.store, setup.clock, setup.jobs.spawn, setup.link_model)
        self.contexts = ContextChooser(setup.link_model, self.prepared)
        self.bus.subscribe(self.prepared.agent_changed, AgentChanged)
        self.bus.subscribe(self.prepared.message_stored, MessageStored, only=is_of_group)
        self.staleness_watch = StalenessWatch(self.unit, self.bus, setup.clock, setup.jobs.spawn, setup.link_model)
        self._wire_vectors()
        self.recall = self._memory_recall()
        self.tombstones = Tombstones(self.unit, setup.clock, self._agent_named)
        self.memory_writer = _memory_writer(self)
        self.memories = MemoryReader(setup.memory, self.bus, self.recall)
        per_tick = partial(descriptions_per_tick, setup.descriptions_per_tick, self.preferences)
        self.media_budget = DescriptionBudget(setup.clock.now, per_tick, self.scheduler.on_round)
        self.media_files = MediaFiles(
            self.store, self.bus, setup.clock, setup.jobs.spawn, setup.shown_files, self.directory.gateway_of
        )
        self.media, self.media_reader = describing(setup.media_records, _media_services(self))
        embedder = setup.embedder
        embedding = None if embedder is None else EmbeddingCalls(embedder, setup.clock, gate=self.gate)
        self.rerank = rerank = None if embedding is None else Rerank(embedding)
        offers_pages = setup.pages is not None
        source = PromptSource(self.directory.spec_of, self.directory.model_prompt, self.contexts, offers_pages)
        self.prompt_archive = PromptArchive(self.store, setup.clock, models)
        enrichers = (self.memories, self.rerank, self.media_reader)
        readers = (self.memories, self.media_reader)
        self.prompts = Prompts(self.store, self.prompt_archive, models, source, self.environment, *readers)
        self.dry_runs = DryRuns(self.calls, models, partial(book_dry_run, self.unit, setup.clock))
        planning = PlanningServices(
            store=self.store,
            bus=self.bus,
            clock=setup.clock,
            environment=self.environment,
            unit=self.unit,
            calls=self.calls,
            slots=self.slots,
            source=source,
            find_sticker=self.directory.sticker_finder,
            on_due=self.scheduler.wake,
            on_stored=self.write_memories,
            mark_read=self.outbox.read_marks.mark,
            fetch_missing=self.backfill.fetch_missing,
            complete_chats=self.backfill.complete,
            knows_blocked=self.blocks.is_known,
            orders=None if self.memory_writer is None else OrderReader(self.store, self.memory_writer.write_now),
            enrichers=tuple(one for one in enrichers if one is not None),
            forget_meanings=(lambda: None) if rerank is None else rerank.forget,
            on_chosen=self.staleness_watch.planned,
            on_made=self.prompt_archive.take,
            find_memories=self.recall.find if self.recall is not None else None,
            pages=setup.pages,
        )
        self.planner = Planner(planning, self.outbox.claim_due)
        self.variants = Variants(planning, self.ingest.listeners.triggers)

    def _memory_recall(self) -> MemoryRecall | None:
        setup = self.setup
        if setup.memory is None or setup.memory_index is None:
            return None
        recall = MemoryRecall(
            setup.memory_index,
            setup.memory,
            setup.clock,
            setup.jobs.spawn,
            self.bus,
            self.query_vectors,
            self.vector_job.wake if self.vector_job is not None else lambda: None,
        )
        recall.sender_of = LastSenders(self.store, self.directory.agents)
        return recall

    def _memory_changed(self, file: MemoryFile) -> None:
        if self.recall is not None:
            self.recall.changed(file)

    def _wire_vectors(self) -> None:
        """Make what embeds memories; without an index nothing is embedded."""
        setup, live = self.setup, self.preferences
        self.vector_job: VectorJob | None = None
        self.query_vectors: QueryVectors | None = None
        self.likeness: Likeness | None = None
        self.memory_index: MemoryIndexService | None = None
        if setup.memory_index is None:
            return
        embedders = MemoryEmbedders(
            self.unit,
            setup.clock,
            setup.memory_embedder,
            setup.local_models,
            self._agent_named,
            lambda: live.now.prices,
        )
        embedders.gate = self.gate
        self.vector_job = job = VectorJob(
            setup.memory_index,
            embedders,
            self.unit,
            self.bus,
            setup.clock,
            lambda: choice_of(live.now.memory_embedding, live.now.memory_model_dir),
        )
        self.query_vectors = QueryVectors(job, embedders, setup.clock)
        self.likeness = Likeness(setup.memory_index, self.query_vectors)
        self.memory_index = MemoryIndexService(job, self.rebuild_index)
        self.bus.subscribe(job.hear, SecretsChanged, Remembered)

    def follow_secrets(self) -> None:
        """Index all memories in another place when the connection string of PostgreSQL is changed from now on."""
        self.bus.subscribe(self._secrets_changed, SecretsChanged)

    def _secrets_changed(self, event: EngineEvent) -> None:
        if isinstance(event, SecretsChanged) and POSTGRES in dict(event.places) and self.memory_index is not None:
            self.setup.jobs.spawn(self.memory_index.move(), name="index memories elsewhere")

    def _agent_named(self, name: str) -> AgentId | None:
        agent = self.directory.named(name)
        return None if agent is None else agent.agent_id

    def _wire_agents(self) -> None:
        self.agent_reconciler = AgentReconciler(self.unit, self.accounts, self.memory_writer, self.prepared.forget)
        self.agent_file_watcher = AgentFileWatcher(self.setup, self.bus, self.accounts, self.agent_reconciler)

    def _wire_memories(self) -> None:
        setup, directory, unit = self.setup, self.directory, self.unit

        def specs() -> tuple[AgentSpec, ...]:
            return tuple(agent.spec for agent in directory.agents())

        def name_of(agent_id: AgentId) -> str:
            return directory.spec_of(agent_id).name

        self.memory_editor = MemoryEditor(setup.memory, setup.clock, specs, self.tombstones, self._memory_changed)
        self.memory_review = MemoryReview(unit, self.bus, setup.clock, setup.jobs.spawn, self.memory_editor, name_of)
        unpaid = by_words_alone if self.likeness is None else self.likeness.unpaid
        self.review_list = ReviewList(unit, setup.clock, setup.memory, name_of, unpaid)
        self.bus.subscribe(self.memory_review.message_changed, MessageStored, only=is_change)
        self.extraction: MemoryExtraction | None = None
        if setup.memory is not None and setup.extraction_prompt:
            services = ExtractionServices(
                unit,
                setup.clock,
                self.calls,
                self.slots,
                self.preferences,
                directory.spec_of,
                lambda account_id: directory.entry_of(account_id) is not None,
                setup.memory,
                setup.extraction_prompt,
                self.likeness or by_words_alone,
                self.tombstones,
                self.media_reader,
            )
            self.extraction = MemoryExtraction(services)
            self.bus.subscribe(self.extraction.message_stored, MessageStored)

    def _connect_ingest(self) -> None:
        """Connect ingest to the services that are made with it or after it."""
        self.bus.subscribe(self.backfill.reply_came, MessageStored, only=is_reply)
        listeners = self.ingest.listeners
        self.ingest.takes_orders = self.memory_writer is not None
        listeners.orders.append(self.write_memories)
        listeners.triggers.append(self.planner.newer_trigger)
        listeners.dm_triggers.append(self.mutes.look_up)
        listeners.group_triggers.append(self.blocks.look_up)
        listeners.newer.append(self.staleness_watch.newer_came)
        listeners.orphans.append(self.backfill.orphaned)
        listeners.mutes.append(self.mutes.changed)
        listeners.blocks.append(self.blocks.changed)
        listeners.ignored.append(self.blocks.ignored)

    def _adjust(self, preferences: Preferences) -> None:
        """Pass new preferences to the services that do not read them each time."""
        self.slots.resize(preferences.parallel_plans)
        self.calls.prices = self.gate.prices = preferences.prices
        if self.vector_job is not None:
            self.vector_job.again()
        self.scheduler.look_again()

    def write_memories(self) -> None:
        """Write the memories of accepted replies to the agents' files."""
        if self.memory_writer is not None:
            self.memory_writer.write_soon()

    async def index_memories(self) -> None:
        """Bring the index of memories in step with their files."""
        if self.recall is not None:
            problems = await self.agent_file_watcher.load_problems()
            names = dict.fromkeys(one.spec.name for one in self.directory.agents())
            await self.recall.index_all(tuple(names), are_all=not problems.rows)

    async def compact_memory_index(self, person: PeerId) -> None:
        """Remove from the index what is gone from the memory files about a person, without a trace in its file."""
        index = self.setup.memory_index
        if index is None:
            return
        for agent in self.directory.agents():
            for kind in (MemoryKind.CURATED, MemoryKind.ABOUT_PARTNER):
                await index.sync(MemoryFile(kind, agent.spec.name, person), ())
        await self.index_memories()
        await index.compact()

    def stop_planning(self, chat_id: ChatId) -> None:
        """End the making of a reply and of another version in a chat, whose work has ended."""
        self.calls.interrupt(chat_id)
        self.variants.stop(chat_id)

    def forget_caches(self) -> None:
        """Drop what is kept in memory of messages: it is read again when it is needed."""
        self.prepared.forget()
        if self.rerank is not None:
            self.rerank.forget()
        if self.query_vectors is not None:
            self.query_vectors.forget()
        forget_read()

    async def rebuild_index(self) -> None:
        """Index all memories anew.

        Raises:
            StoreError: The index can't be written.
        """
        if self.recall is not None:
            await self.recall.begin_anew()
            await self.index_memories()


def _memory_writer(services: Services) -> MemoryWriter | None:
    """Return what writes memories; None without memory files."""
    setup = services.setup
    if setup.memory is None:
        return None
    writer = MemoryWriter(
        services.unit,
        services.bus,
        setup.jobs.spawn,
        setup.memory,
        services.directory.spec_of,
        services._memory_changed,  # noqa: SLF001
        setup.reach,
    )
    writer.outside = OutsideChanges(setup.memory, services.tombstones)
    if services.likeness is not None:
        writer.alike = services.likeness
    return writer


def _media_services(services: Services) -> MediaServices:
    return MediaServices(
        unit=services.unit,
        calls=services.calls,
        contents=MediaContents(services.media_files.file, services.setup.frames, services.media_files.kept),
        sets=StickerSets(services.directory.gateway_of, services.setup.clock),
        budget=services.media_budget,
        bus=services.bus,
        clock=services.setup.clock,
        spawn=services.setup.jobs.spawn,
        agent_named=services.directory.named,
        default_model=lambda: services.preferences.now.model,
    )
