"""An agent of its own config directory, whose account in the sandbox waits for a log-in; the composed program below."""

from __future__ import annotations

import asyncio
import itertools
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chimein_gui import app
from chimein_gui.adapters.files.agents.folder import ConfigAgentFiles
from chimein_gui.adapters.telegram.login import session_file as login_file
from chimein_gui.adapters.telegram.transport import key_exchange
from chimein_gui.directories import Directories
from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep
from chimein_gui.domain.agents import Agent, Health
from chimein_gui.domain.events import EngineEvent, LoginChanged
from chimein_gui.domain.ids import AgentId
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.login.service import Logins
from chimein_gui.sandbox_api import SandboxConsole

PLAIN, GUARDED = "+9996622001", "+9996622002"
PASSWORD, HINT = "three herons", "birds, and how many"
NAME = "Inês Faro"
ONE = AgentId(1)
PATIENCE_S = 90.0


@dataclass
class LoginEngine:
    """A running engine with one agent that is not logged in."""

    engine: Engine
    sandbox: SandboxConsole
    home: Path
    states: list[LoginState] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def on_event(self, event: EngineEvent) -> None:
        if isinstance(event, LoginChanged):
            self.states.append(event.state)
        self.changed.set()

    @property
    def logins(self) -> Logins:
        return self.engine.logins

    @property
    def state(self) -> LoginState:
        return self.states[-1]

    async def agent(self) -> Agent:
        [agent] = (await self.engine.directory.load()).rows
        return agent

    async def until(self, condition: Callable[[LoginState], object]) -> LoginState:
        """Wait for a state; it is looked at after every event."""
        async with asyncio.timeout(PATIENCE_S):
            while not (self.states and condition(self.state)):
                self.changed.clear()
                await self.changed.wait()
        return self.state

    async def at(self, step: LoginStep) -> LoginState:
        return await self.until(lambda state: state.step is step and not state.busy)

    async def health(self, health: Health) -> Agent:
        async with asyncio.timeout(PATIENCE_S):
            while (agent := await self.agent()).health is not health:
                self.changed.clear()
                await self.changed.wait()
        return agent

    def left_over(self) -> list[str]:
        """Return what log-ins have left in the agent's directory."""
        return sorted(file.name for file in self.home.glob("login-*"))

    async def newest_code(self, phone: str) -> str:
        return next(code.code for code in await self.sandbox.login_codes() if code.phone == phone)

    async def picture(self) -> str:
        state = await self.until(lambda state: state.qr is not None or state.trouble is not None)
        assert state.qr is not None, state
        return state.qr.url

    async def to_phone(self) -> None:
        await self.logins.begin(ONE)
        await self.picture()
        await self.logins.use_phone(ONE)

    async def to_code(self, phone: str) -> str:
        """Let a code be sent; returns it."""
        await self.to_phone()
        await self.logins.send_code(ONE, phone)
        assert self.state.step is LoginStep.CODE, self.state
        return await self.newest_code(phone)

    async def to_password(self) -> None:
        await self.logins.enter_code(ONE, await self.to_code(GUARDED))
        assert self.state.step is LoginStep.PASSWORD, self.state


def write_agent(config: Path, name: str, phone: str) -> None:
    """Write an agent file, and the role prompt that it names."""
    for folder in ("agents", "prompts"):
        (config / folder).mkdir(parents=True, exist_ok=True)
    (config / "prompts" / "Person.md").write_text("You are {{char}}.\n", encoding="utf-8")
    fields = {
        "Agent Name": name,
        "Agent Phone": phone,
        "Role Prompt": "Person",
        "Agent Instructions": "You mend clocks.",
    }
    text = "\n\n".join(f"# {heading}\n{value}" for heading, value in fields.items()) + "\n"
    (config / "agents" / f"{name}.md").write_text(text, encoding="utf-8")


@asynccontextmanager
async def editor(folder: Path, phone: str = PLAIN) -> AsyncIterator[LoginEngine]:
    """Run it; opening it again in the same folder is a restart."""
    write_agent(folder / "config", NAME, phone)
    directories = Directories((folder / "config",), folder / "state")
    async with AsyncExitStack() as stack:
        outside = await app.sandbox_backends(directories, stack)
        engine = (await app.start_engine(directories, outside, stack)).engine
        assert outside.sandbox is not None
        made = LoginEngine(engine, outside.sandbox, directories.session(NAME).parent)
        stack.callback(engine.subscribe(made.on_event))
        await engine.start()
        yield made


STANDSTILLS: Mapping[str, tuple[object, str, int]] = {
    "key exchange": (key_exchange, "_step", 2),
    "logged in": (login_file.LoginFile, "keep", 1),
    "half kept": (login_file, "_fold", 1),
    "kept": (ConfigAgentFiles, "_set_phone", 1),
}
"""What runs in a thread in the middle of a log-in, and at which call of it that stands still."""


def stand_still(folder: Path, step: str) -> None:
    """Let a thread say that it is here, and go no further."""
    holder, name, at = STANDSTILLS[step]
    real, calls = getattr(holder, name), itertools.count(1)

    def standing(*args: Any) -> Any:
        if next(calls) == at:
            print("here", sorted(file.name for file in folder.glob("state/*/login-*")), flush=True)  # noqa: T201 - as below
            threading.Event().wait()
        return real(*args)

    setattr(holder, name, standing)


async def stop_at(folder: Path, step: str) -> None:
    """Go to a step, say so and stay there: what is killed in the middle of it."""
    if step in STANDSTILLS:
        stand_still(folder, step)
    async with editor(folder, PLAIN if step == "kept" else GUARDED) as here:
        await here.health(Health.LOGGED_OUT)
        if step in STANDSTILLS:
            await here.to_password()
            await here.logins.enter_password(ONE, PASSWORD)
        elif step == "qr":
            await here.logins.begin(ONE)
            await here.picture()
        elif step == "code":
            await here.to_code(GUARDED)
        elif step == "password":
            await here.to_password()
        print("here", here.left_over(), flush=True)  # noqa: T201 - who kills it waits for this
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    asyncio.run(stop_at(Path(sys.argv[1]), sys.argv[2]))
