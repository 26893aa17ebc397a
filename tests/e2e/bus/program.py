"""The program in the sandbox, on whatever screen there is, with a door through which a test asks what is true within.

python -m tests.e2e.bus.program STATE DOOR [apart]: DOOR is the path of a socket; a line of JSON is asked, one is
answered. With `apart` the sandbox's server is in a process of its own.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.program import SANDBOX, Program, run
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox_api import SandboxConsole
from tests.e2e.ten_drafts import TALKS
from tests.support.sandbox_apart import SANDBOX_APART
from tests.support.stalls import Stalls

UNDO_S = 8.0
"""Long enough for a hand that presses by the bus; what is approved waits for it."""

SETTINGS = Preferences(debounce_s=0.05, undo_s=UNDO_S, typing_base_s=0, typing_s_per_60=0)


class Door:
    """Answers what is asked; each method that has no underscore is a question."""

    def __init__(self, program: Program) -> None:
        assert program.running.sandbox is not None
        self._program = program
        self._sandbox: SandboxConsole = program.running.sandbox
        self.ended = asyncio.Event()
        self._stalls = Stalls()
        self._stalls.start()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one who asks."""
        while line := await reader.readline():
            asked = json.loads(line)
            question: Callable[..., Awaitable[Any]] = getattr(self, asked.pop("ask"))
            writer.write(json.dumps(await question(**asked)).encode() + b"\n")
            await writer.drain()
        writer.close()

    async def mailbox(self, partner: str) -> list[str]:
        """Everything that a partner has received, oldest first."""
        return [one.text for one in await self._sandbox.mailbox(TALKS[partner][1])]

    async def code(self, phone: str) -> str:
        """The newest code that was sent to a number."""
        return next((one.code for one in await self._sandbox.login_codes() if one.phone == phone), "")

    async def preference(self, name: str) -> Any:
        return asdict(self._program.running.engine.preferences)[name]

    async def trust(self, partner: str) -> str:
        """The trust of an agent's chat with a partner."""
        _name, peer_id, account_id = TALKS[partner]
        chats = (await self._program.running.engine.queries.chats()).rows
        [chat] = [one for one in chats if (one.info.peer_id, one.info.account_id) == (peer_id, account_id)]
        return chat.trust.value

    async def storm(self, scenario: str, speed: float) -> int:
        """Play a scenario unless one plays. Returns how many were begun."""
        now = (await self._sandbox.rehearsal()).scenario
        if now is not None and not (now.finished or now.stopped or now.problem):
            return 0
        await self._sandbox.set_speed(speed)
        await self._sandbox.start_scenario(scenario)
        return 1

    async def stalls(self) -> dict[str, float]:
        """The longest that the loop was held up since this was asked last, by the clock and by its own work, ms."""
        told = {"wall_ms": self._stalls.wall_ms, "own_ms": self._stalls.own_ms, "cpu_s": time.process_time()}
        self._stalls.reset()
        return told

    async def end(self) -> bool:
        self.ended.set()
        return True


def main() -> int:
    state, path = Path(sys.argv[1]), sys.argv[2]

    log = os.open(f"{path}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, sys.stderr.fileno())  # nobody reads a pipe: what Qt warns of would fill it
    faulthandler.register(signal.SIGUSR1)

    async def script(program: Program) -> int:
        program.window.activateWindow()
        agents = program.window.pane("agents").list  # type: ignore[attr-defined]
        for name, _, _ in TALKS.values():
            await hand.until(f"{name} online", lambda name=name: hand.row_with(agents, f"{name}, Online"))  # type: ignore[misc]
        door = Door(program)
        async with await asyncio.start_unix_server(door.answer, path):
            sys.stdout.write("open\n")
            sys.stdout.flush()
            await door.ended.wait()
        return 0

    kind = SANDBOX_APART if "apart" in sys.argv[3:] else SANDBOX
    return run(kind, Directories((resource_path("samples"),), state), script, SETTINGS)


if __name__ == "__main__":
    sys.exit(main())
