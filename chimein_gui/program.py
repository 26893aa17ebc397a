"""The life of the program: window first, then the rest, and a shutdown in stages.

- The window is painted before the engine exists, and before asyncio's event loop is imported.
- Store, engine, Telegram and model are composed (`app`), and the window is attached to them.
- A close request, SIGINT or SIGTERM ends it: window, engine, jobs, store, sandbox, in this order.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager, AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QEventLoop, QLoggingCategory, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from chimein_gui.directories import Directories, live_directories, sandbox_directories
from chimein_gui.domain.errors import ChimeinError
from chimein_gui.empty_state import LIVE_EMPTY_STATE, SANDBOX_EMPTY_STATE, places_of
from chimein_gui.resource_files import resource_path
from chimein_gui.runtime import interpreter
from chimein_gui.runtime.state_lock import EXIT_FAILED, CannotStartError, owned_state
from chimein_gui.ui.shell.appearance.theme import IN_FUSION
from chimein_gui.ui.shell.start import build_window
from chimein_gui.ui.shell.window import MainWindow

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

    from chimein_gui import app as composition
    from chimein_gui.domain.settings.answering import Answering
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.reporting.crash_file import CrashFile
    from chimein_gui.ui.shell.notifications.presence import Presence
    from chimein_gui.viewmodels.window import WindowModels

_log = logging.getLogger(__name__)

READY_VARIABLE = "CHIMEIN_READY"
"""If this variable is set, the program prints "ready" on stdout when it is up."""

LONGEST_PAINT_S = 3.0
"""Seconds that the start waits for the first paint."""

THINKING_S = (1.5, 3.0)
"""Shortest and longest thinking time of the sandbox's model in seconds, so that planning and typing are visible."""

EXECUTOR_THREADS = 4
"""Size of the executor; qasync's own has ten QThreads."""

Compose = Callable[[Directories, AsyncExitStack], Awaitable["composition.Backends"]]
Script = Callable[["Program"], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class RunMode:
    """A way to run: live or sandbox; a state directory always belongs to one of them."""

    name: str
    compose: Compose
    is_sandbox: bool


@dataclass(slots=True)
class Program:
    """A running program, as the tour and the tests drive it."""

    window: MainWindow
    running: composition.Running
    directories: Directories


async def _compose_live(directories: Directories, _stack: AsyncExitStack) -> composition.Backends:
    from chimein_gui.app import live_backends

    return await live_backends(directories, os.environ)


async def _compose_sandbox(
    directories: Directories,
    stack: AsyncExitStack,
    answering: Answering | None = None,
    thinking_s: tuple[float, float] = (0.0, 0.0),
) -> composition.Backends:
    from chimein_gui.app import sandbox_backends

    return await sandbox_backends(
        directories, stack, answering=answering, environment=os.environ, thinking_s=thinking_s
    )


LIVE = RunMode("live", _compose_live, is_sandbox=False)
SANDBOX = RunMode("sandbox", _compose_sandbox, is_sandbox=True)


def run_live(*, hidden: bool = False) -> int:
    """Run with real accounts until the window is closed; hidden, it starts in the tray."""
    return run(LIVE, live_directories(os.environ), hidden=hidden)


def run_sandbox(own: Path | None = None, model: str = "written", *, hidden: bool = False) -> int:
    """Run the sandbox until the window is closed.

    Args:
        own: A config directory of the operator's, with personas to rehearse.
        model: The answering model, a value of `Answering`.
        hidden: Start in the tray.
    """
    from chimein_gui.domain.settings.answering import Answering

    compose = partial(_compose_sandbox, answering=Answering(model), thinking_s=THINKING_S)
    kind = replace(SANDBOX, compose=compose)
    return run(kind, sandbox_directories(os.environ, resource_path("samples"), own), hidden=hidden)


def run_smoke() -> int:
    """Open the window, wait for its first paint, report as one JSON line and end; no engine is composed."""
    application()
    window = build_window(models=_make_models, empty_state=LIVE_EMPTY_STATE, whole=False)
    show_painted(window)
    print('{"smoke": "ok", "painted": true}', flush=True)
    window.close_guard.force_close()
    window.deleteLater()
    return 0


def run(
    kind: RunMode,
    directories: Directories,
    script: Script | None = None,
    preferences: Preferences | None = None,
    *,
    hidden: bool = False,
) -> int:
    """Run the program in `directories` until it is closed, or until `script` has returned its exit code.

    Args:
        kind: Live or sandbox.
        directories: The run's directories.
        script: Drives the program instead of a person; then nothing is shown outside the window.
        preferences: Used instead of the file's, if given.
        hidden: Start in the tray, or minimised where there is none.
    """
    try:
        with owned_state(directories.state, kind.name), _written_down(directories) as crashes:
            application()
            window = _window_of(kind, directories)
            if script is not None:  # a script has sizes of its own
                show_painted(window)
            elif not hidden:
                _show_to_operator(window)
            window.fill()
            presence = _present(window, hidden=hidden) if script is None else None
            window.models.bars.tell_of_crash(crashes.before)
            return _run_loop(live(kind, directories, script, preferences, window, crashes, presence))
    except CannotStartError as error:
        print(_words_of(error, directories), file=sys.stderr)
        return error.exit_code
    return EXIT_FAILED  # by a fault of its own, which is written down


def _words_of(error: CannotStartError, directories: Directories) -> str:
    """Return why the program cannot start, in the language of the window."""
    from chimein_gui.ui.shell.appearance.language import remembered_language, speak
    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
    from chimein_gui.viewmodels.words.errors import error_words

    is_there = os.path.isfile(directories.layout)  # noqa: PTH113 - raises nothing, whatever is wrong with the state
    memory = LayoutMemory(directories.layout if is_there else None)
    speak(application(), remembered_language(memory))
    return error_words(error)


def application() -> QApplication:
    """Return the QApplication, created by the first call."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    app = QApplication([*sys.argv[:1], "-style", "Fusion"])
    app.setProperty(IN_FUSION, "yes")
    app.setApplicationName("chimein")
    app.setApplicationDisplayName("Chimein")
    app.setDesktopFileName("chimein")
    app.setQuitOnLastWindowClosed(False)
    # Warnings about missing fonts are of no use in the operator's terminal.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    return app


def _make_models() -> WindowModels:
    """Make the view models; imported here, after the first paint."""
    from chimein_gui.viewmodels.window import WindowModels

    return WindowModels()


def _window_of(kind: RunMode, directories: Directories) -> MainWindow:
    def make_models() -> WindowModels:
        models = _make_models()
        models.first_run.places = places_of(directories, is_sandbox=kind.is_sandbox)
        return models

    return build_window(
        models=make_models,
        empty_state=SANDBOX_EMPTY_STATE if kind.is_sandbox else LIVE_EMPTY_STATE,
        is_sandbox=kind.is_sandbox,
        settings_path=directories.layout,
        logs=directories.logs,
        whole=False,
    )


def _show_to_operator(window: MainWindow) -> None:
    window.layouts.fit_screen()
    show_painted(window)
    window.layouts.fit_screen()  # once more, now with the frame that the system has drawn


def _present(window: MainWindow, *, hidden: bool) -> Presence:
    """Create the tray and its notifications; a hidden window is put into the tray or minimised."""
    from chimein_gui.ui.shell.notifications.presence import Presence

    presence = Presence(window)
    presence.tray.show()
    if hidden:
        window.layouts.fit_screen()
        presence.start_hidden()
        interpreter.enable_gc()
    return presence


def _run_loop(life: Coroutine[Any, Any, int]) -> int:
    """Import the event loop, now that the window is painted, and run in it."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from chimein_gui.runtime.qt_loop import QtLoop

    made: list[QtLoop] = []

    def new_loop() -> asyncio.AbstractEventLoop:
        loop = QtLoop(application())
        made.append(loop)
        loop.set_default_executor(ThreadPoolExecutor(EXECUTOR_THREADS, thread_name_prefix="chimein"))
        return loop

    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(life)
    except RuntimeError:
        if made and made[0].display_is_lost:
            logging.shutdown()
            os._exit(EXIT_FAILED)  # threads that nobody can end any more would keep the process and its state
        raise


class _PaintWatch(QObject):
    """Reports the first paint of a widget."""

    painted = Signal()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Watch every event and block none."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self.painted.emit()
        return False


def show_painted(widget: QWidget) -> None:
    """Show a window and return once it is painted; until then it accepts no input."""
    loop, watch = QEventLoop(), _PaintWatch()
    watch.painted.connect(loop.quit)
    widget.installEventFilter(watch)
    widget.show()
    # A window that opens minimised or covered is never painted; the program runs all the same.
    QTimer.singleShot(round(LONGEST_PAINT_S * 1000), loop, loop.quit)
    loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    interpreter.enable_gc()


async def first_paint(widget: QWidget) -> None:
    """Show a window in a running loop, and return once it is painted."""
    import asyncio

    painted = asyncio.Event()
    watch = _PaintWatch()
    watch.painted.connect(painted.set)
    widget.installEventFilter(watch)
    widget.show()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LONGEST_PAINT_S):
            await painted.wait()


async def live(
    kind: RunMode,
    directories: Directories,
    script: Script | None = None,
    preferences: Preferences | None = None,
    window: MainWindow | None = None,
    crashes: CrashFile | None = None,
    presence: Presence | None = None,
) -> int:
    """Run the program once in the running loop, from the first paint to the closed window.

    Args:
        kind: Live or sandbox.
        directories: The run's directories.
        script: Drives the program instead of a person; its exit code ends the run.
        preferences: Used instead of the file's, if given.
        window: Already painted, if given.
        crashes: Records uncaught exceptions; gets the secrets that it must not write.
        presence: Tray and notifications, if given.
    """
    import asyncio

    from chimein_gui.app import start_engine
    from chimein_gui.runtime.signals import signals_set

    if window is None:
        window = _window_of(kind, directories)
        window.fill()
        await first_paint(window)
    closing = asyncio.Event()
    window.close_guard.requested.connect(closing.set)
    lost = _end_without_display(closing)
    asyncio.get_running_loop().set_exception_handler(partial(_loop_trouble, crashes))
    code = 0
    async with signals_set(closing), AsyncExitStack() as stack:
        try:
            outside = await kind.compose(directories, stack)
            await _inform(crashes, outside)
            running = await start_engine(directories, outside, stack, preferences, os.environ)
            stack.callback(window.detach)
            window.attach(running.engine, running.jobs.spawn, running.sandbox, running.model_choice)
            _begin_to_tell(presence, running)
            await running.engine.start()
            _say_ready()
        except (ChimeinError, OSError) as error:
            _log.exception("The program could not start")
            _say_not_started(window, error)
            code = EXIT_FAILED
            if script is not None:
                closing.set()
        else:
            if script is not None:
                code = await script(Program(window, running, directories))
                closing.set()
        await closing.wait()
        window.setEnabled(False)
    interpreter.unfreeze_heap()
    window.close_guard.force_close()
    window.deleteLater()
    return EXIT_FAILED if lost.is_set() else code


def _end_without_display(closing: asyncio.Event) -> asyncio.Event:
    """Let the program end in order if its display is lost; returns what is set then."""
    import asyncio

    from chimein_gui.runtime.qt_loop import QtLoop

    lost, loop = asyncio.Event(), asyncio.get_running_loop()

    def end() -> None:
        lost.set()
        closing.set()

    if isinstance(loop, QtLoop):
        loop.display_lost = end
    return lost


async def _inform(crashes: CrashFile | None, outside: composition.Backends) -> None:
    """Give crash reports the secrets to leave out and the libraries to list."""
    import asyncio

    if crashes is not None:
        outside.secrets.hide_with(crashes.redaction.hide)
        await asyncio.to_thread(crashes.name_libraries)


def _begin_to_tell(presence: Presence | None, running: composition.Running) -> None:
    from chimein_gui.app import desktop_notifications

    if presence is not None:
        presence.attach(desktop_notifications(os.environ), running.jobs.spawn)


def _say_not_started(window: MainWindow, error: Exception) -> None:
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.notes.faults import FaultReason
    from chimein_gui.viewmodels.problems.faults import Fault
    from chimein_gui.viewmodels.words.errors import error_words
    from chimein_gui.viewmodels.words.notes import note_sentence

    remedy = note_sentence(Note(FaultReason.NOT_STARTED))
    window.models.faults.report(Fault("start", error_words(error), remedy))


def _say_ready() -> None:
    interpreter.freeze_heap()
    if READY_VARIABLE in os.environ:
        print("ready", flush=True)


def _loop_trouble(crashes: CrashFile | None, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if crashes is not None and "handle" in context and isinstance(error, Exception):
        crashes.note(error)  # a callback has failed; all else here is the end of some connection
        return
    _log.error("%s", context.get("message", "trouble in the event loop"), exc_info=error)


def _written_down(directories: Directories) -> AbstractContextManager[CrashFile]:
    from chimein_gui.reporting.crash_file import written_down

    return written_down(directories.logs, os.environ)
