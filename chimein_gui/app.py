"""The composition root: the only module that imports adapters and the sandbox.

Large modules are imported inside functions, after the first paint, because their import blocks the window. No other
code knows whether it runs in the sandbox: only the objects composed here differ.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import LoggedOutError
from chimein_gui.domain.failpoints import Reach, pass_by
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.engine.accounts.proxies import proxy_of
from chimein_gui.engine.ports.secrets import MODEL_KEY, POSTGRES
from chimein_gui.engine.settings.secrets import SecretCache, SessionSecrets
from chimein_gui.reporting.diagnostics import diagnostics_file
from chimein_gui.resource_files import resource_path
from chimein_gui.secret_sources import VARIABLES, live_secrets, sandbox_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
    from chimein_gui.adapters.gemini.model import GeminiModel
    from chimein_gui.adapters.gemini.model_switch import ModelSwitch
    from chimein_gui.adapters.telegram.backend import TelegramBackend
    from chimein_gui.directories import Directories
    from chimein_gui.domain.accounts.proxies import Proxy
    from chimein_gui.domain.agents import Agent, FileProblem
    from chimein_gui.domain.context import LinkModel
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.settings.answering import Answering
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.core.jobs import JobRunner
    from chimein_gui.engine.engine import Engine
    from chimein_gui.engine.ports import (
        AgentFiles,
        DesktopNotifications,
        Embedder,
        GatewayFactory,
        KeyChecker,
        LanguageModel,
        ModelChoice,
        ModelProvider,
        PageFetcher,
        PersonFiles,
        SignIns,
        SourceFiles,
        TelegramGateway,
    )
    from chimein_gui.engine.settings.setup import Setup
    from chimein_gui.sandbox.web.server import SandboxWeb
    from chimein_gui.sandbox_api import SandboxConsole

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backends:
    """The parts that differ between live and sandbox.

    Attributes:
        gateways: Makes a gateway for an agent.
        model: The language model, of the main provider.
        sandbox: Drives the rehearsal; None live.
        reach: The failpoints of the send path.
        pages: Fetches web pages.
        embedder: Turns texts into vectors.
        memory_embedder: The same for memories and what they are searched by.
        secrets: Keys and proxies; read when the engine starts.
        key_checker: Tests keys of the model.
        providers: Further providers of language models; their keys are read with the others.
        sign_ins: Logs accounts in and out.
        model_choice: Selects the answering model; None live.
    """

    gateways: GatewayFactory
    model: LanguageModel
    sandbox: SandboxConsole | None = None
    reach: Reach = pass_by
    pages: PageFetcher | None = None
    embedder: Embedder | None = None
    secrets: SecretCache = field(default_factory=lambda: SecretCache(SessionSecrets()))
    key_checker: KeyChecker | None = None
    sign_ins: SignIns | None = None
    model_choice: ModelChoice | None = None
    providers: tuple[ModelProvider, ...] = ()
    memory_embedder: Embedder | None = None

    def given(self, setup: Setup) -> Setup:
        """Return a setup with these parts."""
        return replace(
            setup,
            reach=self.reach,
            pages=self.pages,
            embedder=self.embedder,
            memory_embedder=self.memory_embedder,
            secrets=self.secrets,
            key_checker=self.key_checker,
            providers=self.providers,
            sign_ins=self.sign_ins,
            keep_application=self.secrets.keep_application,
        )

    def to_close(self) -> tuple[LanguageModel | PageFetcher, ...]:
        """Return what holds connections that are closed at the end."""
        models = (self.model, *(provider.model for provider in self.providers))
        return models if self.pages is None else (*models, self.pages)

    def missing(self) -> tuple[str, ...]:
        """Return the names of required secrets that are missing, once they are read."""
        return self.secrets.missing()


@dataclass(slots=True)
class Running:
    """A running engine and its dependencies; the stack they were made on closes them in reverse order."""

    engine: Engine
    jobs: JobRunner
    sandbox: SandboxConsole | None
    model_choice: ModelChoice | None = None


_EXTRACTION = resource_path("memory", "extraction.md")


async def start_engine(
    directories: Directories,
    outside: Backends,
    stack: AsyncExitStack,
    preferences: Preferences | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Running:
    """Open the store, read the config directories and create the engine.

    Args:
        directories: The run's directories.
        outside: Telegram and the model, real or sandbox.
        stack: Closes everything that is opened here.
        preferences: Used instead of the file's, if given.
        environment: May set the budget of descriptions.

    Raises:
        StoreError: The database can't be used; the text says what to do.
    """
    from chimein_gui.adapters.files.preference_file import PreferenceFiles
    from chimein_gui.adapters.files.preferences import load_preferences
    from chimein_gui.adapters.frames.renderer import ProcessFrameRenderer
    from chimein_gui.adapters.store.store import SqliteStore
    from chimein_gui.engine.core.clock import SystemClock
    from chimein_gui.engine.core.jobs import JobRunner
    from chimein_gui.engine.engine import Engine
    from chimein_gui.engine.settings.setup import Setup

    clock = SystemClock()
    stack.push_async_callback((store := await SqliteStore.open(directories.database, now=clock.now)).aclose)
    for one in outside.to_close():
        stack.push_async_callback(one.aclose)
    stack.push_async_callback((frames := ProcessFrameRenderer()).aclose)
    stack.push_async_callback((jobs := JobRunner()).aclose)
    stored, preference_problems = load_preferences(directories.preferences)
    link_model, link_model_is_broken = await asyncio.to_thread(load_link_model)
    agent_files, source_files, memory = _agent_files(directories)
    setup = outside.given(
        Setup(
            store=store,
            gateways=outside.gateways,
            model=outside.model,
            clock=clock,
            jobs=jobs,
            preferences=preferences or stored,
            file_problems=preference_problems,
            agent_files=agent_files,
            memory=memory,
            frames=frames,
            source_files=source_files,
            person_files=_person_files(directories, memory),
            link_model=link_model,
            link_model_is_broken=link_model_is_broken,
            preference_file=PreferenceFiles(directories.preferences),
            diagnostics_file=diagnostics_file(directories, outside.secrets),
        )
    )
    engine = Engine(_with_vectors(directories, stack, _with_media(directories, setup, environment)))
    stack.push_async_callback(engine.aclose)
    return Running(engine, jobs, outside.sandbox, outside.model_choice)


def _with_vectors(directories: Directories, stack: AsyncExitStack, setup: Setup) -> Setup:
    """Return a setup with the index of memories, what makes vectors of them here, and the task of finding them."""
    from chimein_gui.adapters.memory_index.index import SqliteMemoryIndex
    from chimein_gui.adapters.onnx.embedder import OnnxModels
    from chimein_gui.adapters.postgres_index.index import PostgresMemoryIndex
    from chimein_gui.engine.memory.vectors.chosen_index import ChosenIndex

    secrets, owner = setup.secrets, sha256(str(directories.state.resolve()).encode()).hexdigest()
    secrets.also_needs((POSTGRES,))
    index = ChosenIndex(
        SqliteMemoryIndex(directories.state / "memory_index.db"),
        lambda address: PostgresMemoryIndex(address, owner),
        lambda: secrets.value(POSTGRES),
    )
    stack.push_async_callback(index.close)
    task = _EXTRACTION.read_text("utf-8")
    return replace(setup, memory_index=index, local_models=OnnxModels(), extraction_prompt=task)


def _agent_files(directories: Directories) -> tuple[AgentFiles, SourceFiles, MarkdownMemoryFiles]:
    """Return the adapters of the agents' files: what they mean, their texts, and memories."""
    from chimein_gui.adapters.files.agents.folder import ConfigAgentFiles
    from chimein_gui.adapters.files.agents.sources import ConfigSourceFiles
    from chimein_gui.adapters.files.memory import MarkdownMemoryFiles

    samples, state = resource_path("samples"), directories.state
    agents = ConfigAgentFiles(directories.config, state, samples=samples)
    return (
        agents,
        ConfigSourceFiles(directories.config, state, samples),
        MarkdownMemoryFiles(state, directories.config, samples),
    )


def _person_files(directories: Directories, memory: MarkdownMemoryFiles) -> PersonFiles:
    """Return the adapter for the files with something about a person."""
    from chimein_gui.adapters.files.people.files import PersonFolders
    from chimein_gui.reporting.logs import logs_closed

    return PersonFolders(
        directories.state,
        directories.config,
        directories.shown_files,
        directories.logs,
        memory.lock,
        samples=resource_path("samples"),
        logs_closed=logs_closed,
    )


def _with_media(directories: Directories, setup: Setup, environment: Mapping[str, str]) -> Setup:
    """Return a setup with what is kept of media: files for display and to send, character cards, descriptions."""
    from chimein_gui.adapters.files.character_cards import CharacterCardCopies
    from chimein_gui.adapters.files.media.records import MediaRecordFiles
    from chimein_gui.adapters.files.media_cache import MediaCacheFiles
    from chimein_gui.adapters.files.outgoing import OutgoingCopies
    from chimein_gui.engine.media.budget import per_tick_of

    return replace(
        setup,
        shown_files=MediaCacheFiles(directories.shown_files),
        outgoing_files=OutgoingCopies(directories.outgoing_files),
        card_files=CharacterCardCopies(directories.character_cards),
        media_records=MediaRecordFiles(directories.state, directories.config, resource_path("samples")),
        descriptions_per_tick=per_tick_of(environment),
    )


async def look_into(directories: Sequence[Path]) -> tuple[tuple[str, ...], tuple[FileProblem, ...]]:
    """Read config directories without using them; returns the names of usable agents and the problems of the others."""
    from chimein_gui.adapters.files.agents.agents import load_agents

    agents, problems = await asyncio.to_thread(load_agents, directories)
    return tuple(agent.name for agent in agents), problems


def desktop_notifications(environment: Mapping[str, str]) -> DesktopNotifications | None:
    """Return the adapter for the desktop's notification service, running or not; None on systems without that kind."""
    if sys.platform != "linux":
        return None
    from chimein_gui.adapters.desktop.notifications import FreedesktopNotifications, bus_address

    return FreedesktopNotifications(bus_address(environment))


def draw_frames(kind: str) -> int:
    """Run the sticker rendering process; the bundled program, which has no separate Python, starts it this way."""
    from chimein_gui.adapters.frames.worker import main

    return main([kind])


def read_pages() -> int:
    """Run the process that reads web pages; the bundled program starts it this way."""
    from chimein_gui.adapters.web.worker import main

    return main()


async def live_backends(directories: Directories, environment: Mapping[str, str]) -> Backends:
    """Compose the real Telegram and the real Gemini."""
    await _imported("chimein_gui.adapters.telegram.login.sign_ins", "chimein_gui.adapters.gemini.model")
    from chimein_gui.adapters.gemini.key_check import GeminiKeyChecker
    from chimein_gui.adapters.gemini.model import GeminiModel
    from chimein_gui.adapters.telegram.backend import live_backends

    secrets = live_secrets(directories, environment)
    model = GeminiModel(lambda: secrets.value(MODEL_KEY))
    await asyncio.to_thread(model.prepare)
    telegram, way_of = live_backends(secrets.application), partial(proxy_of, secrets)
    backends = Backends(
        _gateways(directories, telegram, proxy_of=way_of),
        model,
        secrets=secrets,
        key_checker=GeminiKeyChecker(),
        sign_ins=_sign_ins(directories, telegram, way_of),
    )
    return await _with_pages(_with_embedders(backends, model))


async def sandbox_backends(
    directories: Directories,
    stack: AsyncExitStack,
    reach: Reach = pass_by,
    answering: Answering | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
    gemini_at: str | None = None,
    thinking_s: tuple[float, float] = (0.0, 0.0),
) -> Backends:
    """Start the sandbox in this loop and compose its Telegram and its Gemini.

    Args:
        directories: The run's directories.
        stack: Closes everything that is opened here.
        reach: The failpoints of the send path.
        answering: The model that answers at first; None for the written one.
        environment: May contain the key for the real Gemini, which nothing else gets.
        gemini_at: Address of the real Gemini; None for Google.
        thinking_s: Shortest and longest time of an unscripted answer of the written model, in seconds.

    Raises:
        OSError: The sandbox can't listen or write its state.
    """
    await _imported("chimein_gui.sandbox.server", "chimein_gui.adapters.telegram.login.sign_ins")
    from chimein_gui.adapters.telegram.backend import sandbox_backend
    from chimein_gui.adapters.telegram.seeding import SeededSessions
    from chimein_gui.adapters.telegram.transport.key_exchange import SandboxTrust
    from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED, SPARE_NUMBERS
    from chimein_gui.sandbox.server import SandboxServer

    server = await SandboxServer.start(
        state_dir=directories.state / "world", seed=REHEARSAL_SEED, thinking_s=thinking_s
    )
    stack.push_async_callback(server.aclose)
    trust = SandboxTrust(server.telegram_public_key)
    stack.callback(trust.withdraw)
    at = server.addresses
    home = (at.dc_id, at.host, at.telegram_port)

    def key_of(agent: Agent) -> bytes | None:
        user = server.account_for(agent.spec.phone, agent.spec.name, agent.spec.instructions)
        return None if agent.spec.phone in SPARE_NUMBERS else server.auth_key_for(user.user_id)

    seed = SeededSessions(key_of, home)
    backend, secrets = sandbox_backend(trust, home), sandbox_secrets(directories)
    way_of = partial(proxy_of, secrets)
    model = _sandbox_models((at.model_base_url, gemini_at), secrets, answering, environment)
    await asyncio.to_thread(model.prepare)
    backends = Backends(
        _gateways(directories, lambda: backend, seed, reach, way_of),
        model,
        server.console,
        reach,
        secrets=secrets,
        key_checker=model,
        sign_ins=_sign_ins(directories, lambda: backend, way_of),
        model_choice=model,
    )
    return await _with_pages(_with_embedders(backends, model), server.web)


async def _with_pages(backends: Backends, made_up: SandboxWeb | None = None) -> Backends:
    """Return backends with what fetches web pages: from the internet, or from a made-up web alone."""
    await _imported("chimein_gui.adapters.web.fetcher")
    from chimein_gui.adapters.web.fetcher import HttpPageFetcher
    from chimein_gui.adapters.web.outside import internet, made_up_web
    from chimein_gui.engine.core.clock import SystemClock

    outside = internet()
    if made_up is not None:
        outside = made_up_web(made_up.resolve, lambda: made_up.address_map, made_up.authority_pem)
    return replace(backends, pages=HttpPageFetcher(outside, SystemClock().now))


def _with_embedders(backends: Backends, model: GeminiModel | ModelSwitch) -> Backends:
    """Return backends with Gemini's embedders, which use the connections and the key of its language model."""
    from chimein_gui.adapters.gemini.embedder import MEMORY_DIMENSIONS, GeminiEmbedder

    of_memories = GeminiEmbedder(model, dimensions=MEMORY_DIMENSIONS)
    return replace(backends, embedder=GeminiEmbedder(model), memory_embedder=of_memories)


def _sandbox_models(
    addresses: tuple[str, str | None],
    secrets: SecretCache,
    answering: Answering | None,
    environment: Mapping[str, str],
) -> ModelSwitch:
    """Compose the written model and the real Gemini; the operator's key is sent only to Google."""
    from chimein_gui.adapters.gemini.key_check import GeminiKeyChecker
    from chimein_gui.adapters.gemini.model import GeminiModel
    from chimein_gui.adapters.gemini.model_switch import ModelAt, ModelSwitch
    from chimein_gui.domain.settings.answering import Answering

    written_at, gemini_at = addresses

    # Read once, because google-genai's variables are hidden while its client is made.
    given = environment.get(VARIABLES[MODEL_KEY], "")
    secrets.hide_always(given)

    def real_key() -> str:
        stored = secrets.stored(MODEL_KEY)
        return stored.value if stored is not None else given

    switch = ModelSwitch(
        {
            Answering.WRITTEN: ModelAt(
                GeminiModel(lambda: secrets.value(MODEL_KEY), written_at), GeminiKeyChecker(written_at)
            ),
            Answering.GEMINI: ModelAt(GeminiModel(real_key, gemini_at), GeminiKeyChecker(gemini_at)),
        },
        answering or Answering.WRITTEN,
        lambda: bool(real_key()),
    )
    switch.listen(lambda: secrets.is_used_otherwise(MODEL_KEY))
    return switch


async def _imported(*names: str) -> None:
    """Import slow modules in a thread, so that the window, which is already painted, does not block."""
    for name in names:
        await asyncio.to_thread(import_module, name)


def _gateways(
    directories: Directories,
    backend_now: Callable[[], TelegramBackend | None],
    seed: Callable[[Agent, Path], None] | None = None,
    reach: Reach = pass_by,
    proxy_of: Callable[[AgentId], Proxy | None] = lambda _agent_id: None,
) -> GatewayFactory:
    from chimein_gui.adapters.telegram.gateway import TelethonGateway

    def make(agent: Agent) -> TelegramGateway:
        session = directories.session(agent.spec.name)
        if seed is not None:
            seed(agent, session)
        backend = backend_now()
        if backend is None:
            raise LoggedOutError(Note(ConnectionReason.NO_APPLICATION))
        if not session.exists():
            raise LoggedOutError(Note(ConnectionReason.NO_SESSION))
        return TelethonGateway(session_path=session, backend=backend, reach=reach, proxy=proxy_of(agent.agent_id))

    return make


def _sign_ins(
    directories: Directories,
    backend_now: Callable[[], TelegramBackend | None],
    proxy_of: Callable[[AgentId], Proxy | None],
) -> SignIns:
    from chimein_gui.adapters.telegram.login.sign_ins import TelethonSignIns
    from chimein_gui.engine.core.clock import SystemClock

    return TelethonSignIns(
        backend_now, state=directories.state, session_of=directories.session, proxy_of=proxy_of, now=SystemClock().now
    )


def load_link_model() -> tuple[LinkModel | None, bool]:
    """Read the weights of the context selection; call it in a thread, because it imports numpy.

    Returns:
        The weights and False; None and True if their file is missing or damaged.
    """
    from chimein_gui.domain.context import LinkModel

    try:
        return LinkModel.from_bytes(resource_path("context", "link_model.npz").read_bytes()), False
    except (OSError, ValueError) as error:
        _log.warning("The weights of the choice of context cannot be used: %s", error)
        return None, True
