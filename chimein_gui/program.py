"""The life of the program: window first, then everything heavy; an orderly end in stages.

1. The window is painted while nothing of the engine exists.
2. Store, engine, Telegram and model are composed (`app`), and the window is attached to them.
3. A close request, SIGINT or SIGTERM ends it: window, engine, jobs, store, sandbox, in this order.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile
from PySide6.QtWidgets import QApplication

from chimein_gui import app as composition
from chimein_gui.directories import Directories, live_directories, sandbox_directories
from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.preferences import Preferences
from chimein_gui.logs import start_logging, stop_logging
from chimein_gui.resource_files import resource_path
from chimein_gui.ui.shell.first_steps import LIVE_FIRST_STEP, SANDBOX_FIRST_STEP
from chimein_gui.ui.shell.start import build_window
from chimein_gui.ui.shell.window import MainWindow

_log = logging.getLogger(__name__)

EXIT_FAILED = 1
EXIT_IN_USE = 4
EXIT_OTHER_KIND = 5

EXECUTOR_THREADS = 4
"""qasync's own executor is ten QThreads (FACTS, qasync)."""

Compose = Callable[[Directories, AsyncExitStack], Awaitable[composition.Outside]]
Script = Callable[["Program"], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to run: live or sandbox; a state directory belongs to one of them for ever (SPEC §12)."""

    name: str
    compose: Compose
    is_sandbox: bool


@dataclass(slots=True)
class Program:
    """A running program, as the tour and the tests drive it."""

    window: MainWindow
    running: composition.Running
    directories: Directories


class CannotStartError(ChimeinError):
    """The program cannot run here; the words say why and what to do.

    Attributes:
        exit_code: What the process ends with.
    """

    def __init__(self, message: str, exit_code: int) -> None:
        """Keep the exit code beside the words."""
        super().__init__(message)
        self.exit_code = exit_code


async def _compose_live(directories: Directories, _stack: AsyncExitStack) -> composition.Outside:
    return composition.live_outside(directories, os.environ)


LIVE = Kind("live", _compose_live, is_sandbox=False)
SANDBOX = Kind("sandbox", composition.sandbox_outside, is_sandbox=True)


def run_live() -> int:
    """Run with real accounts until the window is closed."""
    return run(LIVE, live_directories(os.environ))


def run_sandbox() -> int:
    """Run the sandbox until the window is closed."""
    return run(SANDBOX, sandbox_directories(os.environ, resource_path("samples")))


def run_smoke() -> int:
    """Open the window, wait for its first paint, report as one JSON line and end: nothing is composed."""
    application()
    window = build_window(first_step=LIVE_FIRST_STEP, sandbox=False, layout_path=None)
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        runner.run(_show_once(window))
    return 0


def run(
    kind: Kind, directories: Directories, script: Script | None = None, preferences: Preferences | None = None
) -> int:
    """Run the program in `directories` until it is closed, or until `script` has returned its exit code."""
    try:
        with _owned(directories, kind), _logging(directories):
            application()
            with asyncio.Runner(loop_factory=_new_loop) as runner:
                return runner.run(_live(kind, directories, script, preferences))
    except CannotStartError as error:
        print(error, file=sys.stderr)
        return error.exit_code


def application() -> QApplication:
    """Return the one QApplication, made when first asked for."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    app = QApplication(sys.argv[:1])
    app.setApplicationName("chimein")
    app.setApplicationDisplayName("Chimein")
    app.setDesktopFileName("chimein")
    app.setQuitOnLastWindowClosed(False)
    return app


def _new_loop() -> asyncio.AbstractEventLoop:
    from qasync import QEventLoop

    loop: asyncio.AbstractEventLoop = QEventLoop(application())
    loop.set_default_executor(ThreadPoolExecutor(EXECUTOR_THREADS, thread_name_prefix="chimein"))
    return loop


async def _show_once(window: MainWindow) -> None:
    window.show()
    await _first_paint(window)
    print(json.dumps({"smoke": "ok", "painted": True}), flush=True)
    window.allow_close()
    window.close()


async def _first_paint(window: MainWindow) -> None:
    painted = asyncio.Event()
    window.first_painted.connect(painted.set)
    await painted.wait()


async def _live(kind: Kind, directories: Directories, script: Script | None, preferences: Preferences | None) -> int:
    step = SANDBOX_FIRST_STEP if kind.is_sandbox else LIVE_FIRST_STEP
    window = build_window(first_step=step, sandbox=kind.is_sandbox, layout_path=directories.layout)
    closing = asyncio.Event()
    window.close_requested.connect(closing.set)
    window.show()
    await _first_paint(window)
    asyncio.get_running_loop().set_exception_handler(_log_loop_trouble)
    code = 0
    async with _signals(closing), AsyncExitStack() as stack:
        try:
            outside = await kind.compose(directories, stack)
            running = await composition.start_engine(directories, outside, stack, preferences)
            stack.callback(window.detach)
            window.attach(running.engine, running.jobs.spawn, running.sandbox)
            await running.engine.start()
        except (ChimeinError, OSError) as error:
            _log.exception("The program could not start")
            window.show_fatal(str(error))
            code = EXIT_FAILED
            if script is not None:
                closing.set()
        else:
            if script is not None:
                code = await script(Program(window, running, directories))
                closing.set()
        await closing.wait()
        window.show_closing()
    window.allow_close()
    window.close()
    return code


def _log_loop_trouble(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    _log.error("%s", context.get("message", "trouble in the event loop"), exc_info=context.get("exception"))


@asynccontextmanager
async def _signals(closing: asyncio.Event) -> AsyncIterator[None]:
    """Let SIGINT and SIGTERM request the close: Qt's loop runs no Python while it waits, so a socket wakes it."""
    if sys.platform == "win32":
        yield
        return
    loop = asyncio.get_running_loop()
    reading, writing = socket.socketpair()
    reading.setblocking(False)
    writing.setblocking(False)
    before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    handlers = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}

    def woken() -> None:
        reading.recv(4096)
        closing.set()

    loop.add_reader(reading.fileno(), woken)
    try:
        yield
    finally:
        loop.remove_reader(reading.fileno())
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        reading.close()
        writing.close()


@contextmanager
def _owned(directories: Directories, kind: Kind) -> Iterator[None]:
    """Hold the state directory: one program at a time, and never live and sandbox in the same one."""
    state = directories.state
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        state.chmod(0o700)
    except OSError as error:
        words = f"The state directory {state} cannot be used: {error}. Name another one in CHIMEIN_STATE_DIR."
        raise CannotStartError(words, EXIT_FAILED) from error
    lock = QLockFile(str(state / "chimein.lock"))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        raise CannotStartError(f"Chimein is already running on {state}.", EXIT_IN_USE)
    try:
        _check_kind(state, kind)
        yield
    finally:
        lock.unlock()


def _check_kind(state: Path, kind: Kind) -> None:
    stamp = state / "chimein.kind"
    found = stamp.read_text(encoding="utf-8").strip() if stamp.exists() else ""
    if found and found != kind.name:
        words = f"{state} belongs to a {found} run, and sandbox and live never mix. Name another CHIMEIN_STATE_DIR."
        raise CannotStartError(words, EXIT_OTHER_KIND)
    if not found:
        stamp.write_text(kind.name + "\n", encoding="utf-8")


@contextmanager
def _logging(directories: Directories) -> Iterator[None]:
    start_logging(directories.logs)
    try:
        yield
    finally:
        stop_logging()
