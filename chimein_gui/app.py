"""The composition root: the only module that sees adapters and the sandbox.

Everything heavy is imported inside functions, after the first paint (FACTS, Telethon: imports freeze the window).
No code path of the product knows whether it is in the sandbox: only what is composed here differs.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import LoggedOutError, ModelKeyError
from chimein_gui.domain.failpoints import Reach, pass_by
from chimein_gui.resource_files import resource_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from chimein_gui.adapters.gemini.model import GeminiModel
    from chimein_gui.adapters.telegram.backend import TelegramBackend
    from chimein_gui.directories import Directories
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.context import LinkModel
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.engine import Engine
    from chimein_gui.engine.jobs import JobRunner
    from chimein_gui.engine.ports import Embedder, GatewayFactory, LanguageModel, TelegramGateway
    from chimein_gui.engine.sandbox_port import SandboxConsole

_log = logging.getLogger(__name__)

API_ID_VARIABLE = "CHIMEIN_TELEGRAM_API_ID"
API_HASH_VARIABLE = "CHIMEIN_TELEGRAM_API_HASH"
MODEL_KEY_VARIABLE = "GEMINI_API_KEY"

SANDBOX_KEY = "sandbox"
"""The sandbox's model takes any key; the real one would refuse this."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What differs between live and sandbox: addresses, keys, and whether partners can be spoken for.

    Attributes:
        gateways: Makes a gateway for an agent.
        model: The language model.
        sandbox: Speaks for partners; absent live.
        reach: The failpoints of the send path.
        embedder: Tells what texts mean.
    """

    gateways: GatewayFactory
    model: LanguageModel
    sandbox: SandboxConsole | None = None
    reach: Reach = pass_by
    embedder: Embedder | None = None


@dataclass(slots=True)
class Running:
    """A running engine and what it stands on; closed in reverse order by the stack it was made on."""

    engine: Engine
    jobs: JobRunner
    sandbox: SandboxConsole | None


async def start_engine(
    directories: Directories, outside: Outside, stack: AsyncExitStack, preferences: Preferences | None = None
) -> Running:
    """Open the store, read the config directories and start the engine.

    Args:
        directories: Where things are.
        outside: Telegram and the model, real or sandbox.
        stack: Takes everything that must be closed.
        preferences: Used instead of the file's, where given.

    Raises:
        StoreError: The database cannot be used; its words say what to do.
    """
    from chimein_gui.adapters.files.agent_folder import ConfigAgentFiles
    from chimein_gui.adapters.files.media_cache import MediaCacheFiles
    from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
    from chimein_gui.adapters.files.preferences import load_preferences
    from chimein_gui.adapters.frames.renderer import ProcessFrameRenderer
    from chimein_gui.adapters.store.store import SqliteStore
    from chimein_gui.engine.clock import SystemClock
    from chimein_gui.engine.engine import Engine, Setup
    from chimein_gui.engine.jobs import JobRunner

    clock = SystemClock()
    store = await SqliteStore.open(directories.database, now=clock.now)
    stack.push_async_callback(store.aclose)
    stack.push_async_callback(outside.model.aclose)
    frames = ProcessFrameRenderer()
    stack.push_async_callback(frames.aclose)
    jobs = JobRunner()
    stack.push_async_callback(jobs.aclose)
    stored, preference_problems = load_preferences(directories.preferences)
    link_model, link_model_fault = await asyncio.to_thread(load_link_model)
    engine = Engine(
        Setup(
            store=store,
            gateways=outside.gateways,
            model=outside.model,
            clock=clock,
            jobs=jobs,
            preferences=preferences or stored,
            file_problems=preference_problems,
            agent_files=ConfigAgentFiles(directories.config, directories.state, samples=resource_path("samples")),
            memory=MarkdownMemoryFiles(directories.state),
            reach=outside.reach,
            frames=frames,
            shown_files=MediaCacheFiles(directories.shown_files),
            embedder=outside.embedder,
            link_model=link_model,
            link_model_fault=link_model_fault,
        )
    )
    stack.push_async_callback(engine.aclose)
    return Running(engine, jobs, outside.sandbox)


def draw_frames(kind: str) -> int:
    """Be the process that draws stickers: how the bundled program, which has no Python beside it, starts it."""
    from chimein_gui.adapters.frames.worker import main

    return main([kind])


def load_link_model() -> tuple[LinkModel | None, str]:
    """Read the weights of the choice of context, in a thread: with them comes numpy.

    Returns:
        The weights, and no fault; or none, and what is wrong.
    """
    from chimein_gui.domain.context import LinkModel

    try:
        return LinkModel.from_bytes(resource_path("resources", "context", "link_model.npz").read_bytes()), ""
    except (OSError, ValueError) as error:
        _log.warning("The weights of the choice of context cannot be used: %s", error)
        return None, "The file of weights for the choice of context is missing or damaged."


async def live_outside(directories: Directories, environment: Mapping[str, str]) -> Outside:
    """Compose the real Telegram and the real Gemini."""
    await _imported("chimein_gui.adapters.telegram.gateway", "chimein_gui.adapters.gemini.model")
    from chimein_gui.adapters.gemini.embedder import GeminiEmbedder
    from chimein_gui.adapters.gemini.model import GeminiModel
    from chimein_gui.adapters.telegram.backend import live_backend

    api_id, api_hash = environment.get(API_ID_VARIABLE, ""), environment.get(API_HASH_VARIABLE, "")
    backend = live_backend(int(api_id), api_hash) if api_id.isdecimal() and api_hash else None
    model = GeminiModel(environment.get(MODEL_KEY_VARIABLE, ""))
    await _warm_up(model)
    return Outside(_gateways(directories, backend), model, embedder=GeminiEmbedder(model))


async def sandbox_outside(directories: Directories, stack: AsyncExitStack, reach: Reach = pass_by) -> Outside:
    """Start the sandbox in this loop and compose its Telegram and its Gemini.

    Args:
        directories: Where things are.
        stack: Takes everything that must be closed.
        reach: The failpoints of the send path.

    Raises:
        OSError: The sandbox cannot listen or write its state.
    """
    await _imported("chimein_gui.sandbox.server", "chimein_gui.adapters.telegram.gateway")
    from chimein_gui.adapters.gemini.embedder import GeminiEmbedder
    from chimein_gui.adapters.gemini.model import GeminiModel
    from chimein_gui.adapters.telegram.backend import sandbox_backend
    from chimein_gui.adapters.telegram.key_exchange import SandboxTrust
    from chimein_gui.adapters.telegram.session import seed_session
    from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
    from chimein_gui.sandbox.server import SandboxServer

    server = await SandboxServer.start(state_dir=directories.state / "world", seed=REHEARSAL_SEED)
    stack.push_async_callback(server.aclose)
    trust = SandboxTrust(server.telegram_public_key)
    stack.callback(trust.withdraw)
    at = server.addresses
    keys = {user.phone.lstrip("+"): server.auth_key_for(user.user_id) for user in server.accounts()}

    def seed(agent: Agent, session: Path) -> None:
        key = keys.get(agent.spec.phone.lstrip("+"))
        if key is None:
            raise LoggedOutError(f"The sandbox has no account with the number {agent.spec.phone}.")
        seed_session(session, dc_id=at.dc_id, host=at.host, port=at.telegram_port, auth_key=key)

    gateways = _gateways(directories, sandbox_backend(trust), seed, reach)
    model = GeminiModel(SANDBOX_KEY, base_url=at.model_base_url)
    await _warm_up(model)
    return Outside(gateways, model, server.console, reach, GeminiEmbedder(model))


async def _imported(*names: str) -> None:
    """Import in a thread what takes long, so that the window, which is painted by now, stays alive meanwhile."""
    for name in names:
        await asyncio.to_thread(import_module, name)


async def _warm_up(model: GeminiModel) -> None:
    """Import google-genai now, in a thread: with the first call it would freeze a window that is in use for a second.

    Without a key there is nothing to prepare; the first plan says so.
    """
    with suppress(ModelKeyError):
        await asyncio.to_thread(model.prepare)


def _gateways(
    directories: Directories,
    backend: TelegramBackend | None,
    seed: Callable[[Agent, Path], None] | None = None,
    reach: Reach = pass_by,
) -> GatewayFactory:
    from chimein_gui.adapters.telegram.gateway import TelethonGateway

    def make(agent: Agent) -> TelegramGateway:
        session = directories.session(agent.spec.name)
        if seed is not None:
            seed(agent, session)
        if backend is None:
            raise LoggedOutError(
                f"Set {API_ID_VARIABLE} and {API_HASH_VARIABLE} (from my.telegram.org) and start Chimein again."
            )
        if not session.exists():
            raise LoggedOutError(
                "This account has no session yet. Logging in from the window comes with a later version."
            )
        return TelethonGateway(session_path=session, backend=backend, reach=reach)

    return make
