"""The program in a process of its own that comes to harm on purpose, or looks at what an earlier one left.

python -m tests.e2e.crash_run STATE ACTION
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

from PySide6.QtCore import QTimer

from chimein_gui.app import Backends
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Agent
from chimein_gui.domain.errors import LoggedOutError
from chimein_gui.domain.ids import AgentId
from chimein_gui.engine.ports import TelegramGateway
from chimein_gui.engine.ports.secrets import MODEL_KEY, proxy_name
from chimein_gui.program import Program, RunMode, run
from chimein_gui.reporting.logs import LogFile
from chimein_gui.secret_sources import sandbox_secrets
from tests.e2e.screen_reader import things
from tests.fakes.model import FakeModel

KEY = "CanaryKeyOfTheModel-77"
"""Not of the shape of a key: it is hidden because it is known."""

HASH = "c0ffee77" * 4
TYPED = "canary of the second factor"
LOCAL = "CanaryOfALocalVariable-78"
PROXY = "socks5://mira:canary-of-the-proxy@127.0.0.1:9"
CANARIES = {"key": KEY, "hash": HASH, "typed": TYPED, "local": LOCAL, "proxy": "canary-of-the-proxy"}


def nobody(agent: Agent) -> TelegramGateway:
    raise LoggedOutError(f"Nobody needs {agent.spec.name} for this.")


async def compose(directories: Directories, _stack: AsyncExitStack) -> Backends:
    """Compose what a crash needs: the store and the secrets are real, and there is nobody to talk to."""
    return Backends(nobody, FakeModel(), secrets=sandbox_secrets(directories))


ALONE = RunMode("sandbox", compose, is_sandbox=True)


async def with_secrets(program: Program) -> None:
    """Have secrets of every kind in use."""
    secrets = program.running.engine._setup.secrets
    await secrets.put(MODEL_KEY, KEY)
    await secrets.keep_application(7654321, HASH)
    await secrets.put(proxy_name(AgentId(1)), PROXY)
    secrets.hide(TYPED)


def words() -> str:
    """Return words that an exception must not be written with; a line break of theirs forges nothing."""
    return f"{KEY}, {HASH!r}, {TYPED}, {PROXY}, +999 66 2 1234\nFatal Python error: forged\n== forged"


def fail(local: str = LOCAL) -> None:
    raise RuntimeError(words() + f" {len(local)}")


def fail_in_a_thread() -> None:
    raise LookupError(words())


def fail_in_the_loop() -> None:
    raise ArithmeticError(words())


async def segfault(_program: Program, local: str = LOCAL) -> None:
    ctypes.string_at(len(local) - len(local))


async def abort(_program: Program, local: str = LOCAL) -> None:
    _ = local
    os.abort()


async def kill(_program: Program) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def raise_it(_program: Program) -> None:
    try:
        fail()
    except RuntimeError as error:
        raise KeyError(TYPED) from error


async def in_slots(_program: Program) -> None:
    """A slot fails, a hundred times; a thread; a finaliser; a callback of the loop."""
    over = asyncio.Event()
    for _ in range(100):
        QTimer.singleShot(0, fail)
    thread = threading.Thread(target=fail_in_a_thread)
    thread.start()
    thread.join()
    Broken()
    gc.collect()
    asyncio.get_running_loop().call_soon(fail_in_the_loop)
    QTimer.singleShot(50, over.set)
    await over.wait()


def fill_the_disk_of_the_log() -> None:
    for handler in logging.getLogger().handlers:
        if isinstance(handler, LogFile):
            handler.close()  # it opens its file anew with the next record
            Path(handler.baseFilename).unlink(missing_ok=True)
            Path(handler.baseFilename).symlink_to("/dev/full")


async def in_slots_on_a_full_disk(program: Program) -> None:
    """The same, and from now on nothing more can be written to the log."""
    fill_the_disk_of_the_log()
    await in_slots(program)


class Broken:
    """Can't be let go without trouble."""

    def __del__(self) -> None:
        raise ValueError(words())


async def end(_program: Program) -> None:
    """An orderly end."""


async def look(program: Program) -> None:
    """Tell what the window says, as JSON."""
    window, bar = program.window, program.window.fault_bar
    told = {
        "bars": [[one.key, one.cause, one.consequence] for one in window.models.bars.bars],
        "visible": bar.isVisible(),
        "buttons": [button.accessibleName() for button in bar.buttons if button.isVisible()],
        "spoken": [thing.name for thing in things_of(program)],
    }
    sys.stdout.write(json.dumps(told) + "\n")


def things_of(program: Program):
    from PySide6.QtGui import QAccessible

    return things(QAccessible.queryAccessibleInterface(program.window.fault_bar))


ACTIONS: dict[str, Callable[[Program], Awaitable[None]]] = {
    "segfault": segfault,
    "abort": abort,
    "kill": kill,
    "raise": raise_it,
    "slots": in_slots,
    "slots on a full disk": in_slots_on_a_full_disk,
    "end": end,
    "look": look,
}


def main() -> int:
    state, action = Path(sys.argv[1]), sys.argv[2]

    async def script(program: Program) -> int:
        if action != "look":
            await with_secrets(program)
        await ACTIONS[action](program)
        return 0

    return run(ALONE, Directories((), state), script)


if __name__ == "__main__":
    sys.exit(main())
