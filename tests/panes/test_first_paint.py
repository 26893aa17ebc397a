"""The first paint waits for nothing it does not show; right after it the window is whole, and the rest is warmed up."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from itertools import product

import pytest
from PySide6.QtCore import QByteArray, QObject
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chimein_gui import program
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import FileProblem
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.resource_files import resource_path
from chimein_gui.runtime.state_lock import CannotStartError
from chimein_gui.ui.requests import EditDraft, ShowActiveFaults
from chimein_gui.ui.shell import warm_up
from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
from chimein_gui.ui.shell.docking.starting_pane import StartingPane
from chimein_gui.ui.shell.warm_up import WarmUp
from chimein_gui.ui.shell.window import MainWindow
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Theme
from tests.panes.conftest import Desktop

pytestmark = pytest.mark.whole_window

VENDORS = ("telethon", "google", "numpy", "keyring", "asyncio", "ssl", "qasync", "PySide6.QtNetwork")

STANDARD = ("datetime", "importlib.resources", "json", "platformdirs", "socket")
"""Not needed yet; each takes 2 to 4 % of the time to the first paint."""

LATE_ENUMS = (
    "PySide6.QtCore.QEasingCurve",
    "PySide6.QtGui.QIcon",
    "PySide6.QtGui.QTextDocument",
    "PySide6.QtWidgets.QAbstractItemView",
    "PySide6.QtWidgets.QComboBox",
    "PySide6.QtWidgets.QStyle",
    "PySide6.QtWidgets.QStyleOptionSpinBox",
)
"""Classes that PySide makes when they are first named, with their enums, which are large."""

MOST_MODULES = 120
"""Modules of the program imported before the first paint; there were 114."""

LATE_FOLDERS = (
    "chimein_gui.adapters",
    "chimein_gui.engine.ports",
    "chimein_gui.sandbox",
    "chimein_gui.tour",
    "chimein_gui.ui.dialogs",
)

LATE_MODULES = (
    "chimein_gui.app",
    "chimein_gui.domain.agents",
    "chimein_gui.domain.chats",
    "chimein_gui.domain.events",
    "chimein_gui.domain.messages",
    "chimein_gui.domain.notes",
    "chimein_gui.engine.engine",
    "chimein_gui.engine.policy.server_waits",
    "chimein_gui.reporting.logs",
    "chimein_gui.runtime.qt_loop",
    "chimein_gui.runtime.signals",
    "chimein_gui.ui.panes.agents.pane",
    "chimein_gui.ui.panes.approvals.pane",
    "chimein_gui.ui.panes.conversations.chats.tree",
    "chimein_gui.ui.panes.conversations.composer.composer",
    "chimein_gui.ui.panes.conversations.composer.area",
    "chimein_gui.ui.panes.conversations.open_chat",
    "chimein_gui.ui.panes.conversations.transcript.sent_actions",
    "chimein_gui.ui.panes.conversations.composer.send_as_switch",
    "chimein_gui.ui.panes.rehearsal.pane",
    "chimein_gui.ui.shell.bars.fault_bar",
    "chimein_gui.ui.shell.bars.held_banner",
    "chimein_gui.ui.shell.bars.toast_card",
    "chimein_gui.ui.shell.commands.action_list",
    "chimein_gui.ui.shell.commands.help",
    "chimein_gui.ui.shell.docking.layout_menu",
    "chimein_gui.ui.shell.commands.menu",
    "chimein_gui.ui.shell.palette.opener",
    "chimein_gui.viewmodels.words.notes",
    "chimein_gui.ui.shell.sandbox.sandbox",
    "chimein_gui.ui.shell.sandbox.scenario_picker",
    "chimein_gui.ui.messages.bubble",
    "chimein_gui.ui.widgets.controls.form_fields",
    "chimein_gui.ui.widgets.controls.message_editor",
    "chimein_gui.ui.widgets.rows.arrivals",
    "chimein_gui.ui.widgets.text.word_diff",
    "chimein_gui.viewmodels.palette.palette",
    "chimein_gui.viewmodels.rehearsal.rehearsal",
    "chimein_gui.viewmodels.window",
)

START = """
import linecache, gc, sys
from chimein_gui.__main__ import main
main(["--smoke"])
print(*sys.modules)
print(*linecache.cache)
print(gc.isenabled())
print(*(f"{module}.{name}" for module in list(sys.modules) if module.startswith("PySide6.Qt")
    for name in list(vars(sys.modules[module]))))
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return what a start says: its own report, the modules, the sources in memory, whether garbage is collected."""
    folder = tmp_path_factory.mktemp("start")
    environment = {**os.environ, "CHIMEIN_STATE_DIR": str(folder), "CHIMEIN_CONFIG_PATH": str(folder)}
    command = [sys.executable, "-c", START]
    return subprocess.check_output(command, env=environment, text=True, timeout=60).splitlines()


def test_what_the_first_paint_does_not_show_is_imported_later(started):
    loaded = set(started[1].split())
    assert "chimein_gui.ui.shell.window" in loaded
    loaded.discard("chimein_gui.ui.dialogs")  # its folder is one of the shell's layers
    late = (*VENDORS, *STANDARD, *LATE_FOLDERS, *LATE_MODULES)
    assert {name for name in loaded if name in late or name.startswith(tuple(f"{module}." for module in late))} == set()
    assert len([name for name in loaded if name.startswith("chimein_gui")]) <= MOST_MODULES


def test_what_the_first_paint_does_not_use_of_qt_is_made_later(started):
    made = set(started[4].split())
    assert "PySide6.QtWidgets.QMainWindow" in made
    assert made.isdisjoint(LATE_ENUMS)
    for name in LATE_ENUMS:
        module, _, kind = name.rpartition(".")
        assert hasattr(import_module(module), kind), name


def test_what_is_late_exists():
    """A module that was renamed would be guarded no more."""
    assert [module for module in (*LATE_FOLDERS, *LATE_MODULES) if find_spec(module) is None] == []


def test_no_source_text_is_read_at_the_start(started):
    """PySide's hook reads that of every module that is imported after it, and keeps it in memory."""
    assert "chimein_gui" not in started[2]


def test_garbage_is_collected_again_after_the_first_paint(started):
    assert gc.isenabled()
    assert started[3] == "True"


def filled_picture(desktop: Desktop, *, is_sandbox: bool, is_wide: bool) -> tuple[list[str], type | None, QImage]:
    """Return the order of the panes, what has the focus, and how the window with an open chat looks."""
    window = desktop.window
    window.resize(1440 if is_wide else 1280, 900 if is_wide else 720)
    with desktop_in_front(window):
        if any(isinstance(pane, StartingPane) for pane in window.panes.values()):
            window.fill()
        desktop.furnish()
        desktop.attach(sandbox=is_sandbox)
        desktop.open_chat()
        QApplication.sendPostedEvents()
        return list(window.panes), type(window.focusWidget()), window.grab().toImage()


@contextmanager
def desktop_in_front(window: MainWindow) -> Iterator[None]:
    """Let no other window be the active one, for that shows."""
    window.show()
    window.activateWindow()
    QApplication.processEvents()
    yield
    window.hide()


@pytest.mark.parametrize(("is_sandbox", "is_wide"), [*product((False, True), repeat=2)])
def test_a_window_that_was_filled_looks_as_if_made_whole(make_desktop, is_sandbox, is_wide):
    how = {"is_sandbox": is_sandbox, "is_wide": is_wide}
    whole = filled_picture(make_desktop(is_sandbox=is_sandbox), **how)
    starting = make_desktop(is_sandbox=is_sandbox, whole=False)
    assert all(isinstance(dock.pane, StartingPane) for dock in starting.window.docks.values())
    filled = filled_picture(starting, **how)
    made = [name for name, pane in starting.window.panes.items() if not isinstance(pane, StartingPane)]
    assert made == ["conversations", "approvals"], "what is in sight, and no more"
    assert filled == whole


def test_a_pane_is_made_when_it_is_first_shown_and_what_waits_in_it_is_told_before(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    memory = LayoutMemory(path)
    memory.remember("inside/rehearsal", QByteArray(b"1"))
    memory.write()
    desktop = make_desktop(is_sandbox=True, settings_path=path, whole=False)
    window = desktop.window
    window.show()
    window.fill()
    desktop.attach(sandbox=True)
    desktop.put_problems(FileProblem("/etc/agents/Bram.md", 16, Note(NoteKind.OTHER, "Unknown heading.")))
    assert window.rail.buttons["agents"].accessibleName() == "Agents, 1 waiting"
    assert isinstance(window.panes["agents"], StartingPane)
    window.layouts.remember()
    assert memory.bytes_of("inside/rehearsal") == b"1", "a pane that was not made keeps what is remembered of it"
    window.requests.send(ShowActiveFaults())
    assert desktop.rehearsal.save_layout() == b"2"
    window.docks["agents"].raise_()
    desktop.settle()
    QTest.qWait(0)
    assert desktop.agents.isVisible()


def test_filling_puts_back_what_was_remembered(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    first = make_desktop(settings_path=path).window
    first.show()
    first.show_pane("approvals")
    first.dock_manager.maximise()
    first.layouts.remember()
    second = make_desktop(settings_path=path, whole=False).window
    second.show()
    second.fill()
    assert second.dock_manager.maximizer.pane_id == "approvals"
    assert not second.panes["conversations"].isVisible()
    assert second.panes["approvals"].isVisible()
    focus = second.focusWidget()
    assert focus is not None
    assert second.panes["approvals"].isAncestorOf(focus)


def test_a_request_reaches_its_pane_in_a_window_that_was_filled(make_desktop):
    desktop = make_desktop(whole=False)
    desktop.window.show()
    desktop.window.fill()
    desktop.furnish()
    desktop.attach()
    desktop.window.show_pane("agents")
    draft = desktop.approvals.list.current()
    assert draft is not None
    desktop.window.requests.send(EditDraft(draft.approval_id))
    desktop.settle()
    assert desktop.window.dock_manager.focus.in_sight("approvals")
    assert desktop.approvals.editor.target is not None


@pytest.mark.parametrize("has_script", [False, True])
def test_a_program_without_a_script_opens_within_its_screen(qapp, tmp_path, monkeypatch, has_script):
    opened: list[MainWindow] = []

    def stop(window: MainWindow) -> None:
        opened.append(window)
        raise CannotStartError("far enough", 9)

    async def script(_program: program.Program) -> int:
        return 0

    monkeypatch.setattr(program, "show_painted", stop)
    directories = Directories((tmp_path / "config",), tmp_path / "state")
    assert program.run(program.SANDBOX, directories, script if has_script else None) == 9
    (window,) = opened
    room = window.screen().availableGeometry()
    assert (window.height() <= room.height()) is not has_script
    window.close_guard.force_close()
    window.deleteLater()


@pytest.fixture
def anew(monkeypatch):
    monkeypatch.setattr(WarmUp, "_left", None)
    monkeypatch.setattr(warm_up, "BEGINS_MS", 0)
    monkeypatch.setattr(warm_up, "BETWEEN_MS", 0)


def test_every_face_meets_every_sample_in_a_step_of_its_own(anew, qtbot, monkeypatch):
    met = []
    monkeypatch.setattr(warm_up, "_measure", lambda _theme, face, sample: met.append((face, sample)))
    owner = QObject()
    WarmUp(Theme(), owner).start()
    qtbot.waitUntil(lambda: WarmUp._left == [])
    assert len(met) == len(set(met)) == len(warm_up._FACES) * len(warm_up.SAMPLES)


def test_no_paint_waits_for_the_disk_to_read_an_icon(anew, qtbot, monkeypatch):
    icons._source.cache_clear()
    icons._pixmap.cache_clear()
    owner = QObject()
    WarmUp(Theme(), owner).start()
    names = sorted(path.stem for path in resource_path("icons").glob("*.svg"))
    qtbot.waitUntil(lambda: icons._source.cache_info().currsize == len(names))
    monkeypatch.setattr(icons, "resource_path", None)  # whoever asks for a file now fails
    for name in names:
        assert not icons.icon(name, QColor("black"), QColor("grey")).pixmap(16).isNull()
