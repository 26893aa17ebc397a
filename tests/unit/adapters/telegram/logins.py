"""Attempts at logging in: the real client against the sandbox's real server, over the wire that can fail."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.adapters.telegram.backend import TelegramBackend, sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.login.sign_in import TelethonSignIn
from chimein_gui.adapters.telegram.login.sign_ins import TelethonSignIns
from chimein_gui.adapters.telegram.transport.key_exchange import SandboxTrust
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.accounts.sign_in import SignInTrouble
from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.errors import SignInError
from chimein_gui.domain.ids import AgentId
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, SeedUser, WorldSeed
from tests.unit.adapters.telegram.support import NORA, PHONE, Stage, stage

KAI, KAI_PHONE = NORA + 50, "+9996621951"
PASSWORD, HINT = "canary plums in a bowl", "fruit"
GUARDED: WorldSeed = replace(
    DEFAULT_SEED,
    accounts=(
        *DEFAULT_SEED.accounts,
        SeedUser(KAI, "Kai", "Ost", KAI_PHONE, "kai_ost_box", password=PASSWORD, password_hint=HINT),
    ),
)
"""The default people; Kai has a second factor."""


@dataclass
class LoginSetup:
    """A stage, and where attempts come from."""

    it: Stage
    signs: TelethonSignIns
    state: Path
    agent: Agent
    backend: TelegramBackend
    ahead_s: float = 0.0

    @property
    def session(self) -> Path:
        """Where the agent's session is."""
        return self.state / "nora" / "telegram.session"

    def files(self) -> list[str]:
        """Return what is in the agent's directory."""
        return sorted(file.name for file in self.session.parent.glob("*"))

    def logged_in(self, user_id: int = NORA) -> int:
        """Return how many sessions the server regards as logged in by code, picture or password."""
        return sum(1 for one in self.it.world.keys.records_of(user_id) if one.logged_in_at)

    def code(self, phone: str = PHONE) -> str:
        """Return the code under way."""
        return self.it.server.last_code(phone)

    async def scan(self, url: str, phone: str = PHONE) -> None:
        """Scan a picture."""
        await self.it.server.console.scan_login(url, phone)

    def gateway(self) -> TelethonGateway:
        """Make a gateway over what was kept."""
        gateway = TelethonGateway(session_path=self.session, backend=self.backend)
        self.it.gateways.append(gateway)
        return gateway

    async def cut(self, trying: TelethonSignIn) -> None:
        """Break the connection and wait until the attempt has noticed."""
        client = trying._line._client
        assert client is not None
        self.it.wire.cut()
        await client.wait_lost()

    def is_clean(self) -> bool:
        """Tell whether nothing is left of attempts, here or at the server."""
        return self.files() == [] and self.logged_in() == self.logged_in(KAI) == 0


@asynccontextmanager
async def login_setup(
    directory: Path, proxy_of: Callable[[AgentId], Proxy | None] = lambda _agent_id: None, **options: Any
) -> AsyncIterator[LoginSetup]:
    """Open a sandbox and stand before it."""
    async with stage(directory, GUARDED, **options) as it:
        trust = SandboxTrust(it.server.telegram_public_key)
        backend = sandbox_backend(trust, (2, "127.0.0.1", it.wire.port))
        state = directory / "state"

        def session_of(name: str) -> Path:
            return state / name / "telegram.session"

        signs = TelethonSignIns(
            lambda: backend, state=state, session_of=session_of, proxy_of=proxy_of, now=SystemClock().now
        )
        yield LoginSetup(it, signs, state, agent_of("nora"), backend)


@asynccontextmanager
async def attempt(at: LoginSetup, *, is_open: bool = True) -> AsyncIterator[TelethonSignIn]:
    """Begin an attempt; it is closed in the end."""
    trying = at.signs.begin(at.agent)
    try:
        if is_open:
            await trying.connect()
        yield trying
    finally:
        await trying.close()


async def log_in_and_keep(at: LoginSetup) -> None:
    """Log in by code, and keep the session."""
    async with attempt(at) as trying:
        await trying.send_code(PHONE)
        await trying.enter_code(at.code())
        await trying.keep()


def agent_of(name: str) -> Agent:
    """Return an agent that has never been logged in."""
    return Agent(AgentId(1), AgentSpec(name, PHONE, "", (), ()), None, 0)


@asynccontextmanager
async def fails(trouble: SignInTrouble) -> AsyncIterator[None]:
    """Expect a trouble with words that repeat nothing, and that drags nothing along."""
    with pytest.raises(SignInError) as caught:
        yield
    error = caught.value
    assert error.trouble is trouble, str(error)
    assert error.note is not None
    assert error.__cause__ is None
    assert error.__context__ is None
    assert (error.retry_after_s > 0) == (trouble is SignInTrouble.WAIT)
