"""The whole window on a small engine; real widgets, real keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt, QTranslator, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QFont, QFontInfo, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPlainTextEdit, QWidget

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Decision
from chimein_gui.ui.pane import EmptyStateText, Pane
from chimein_gui.ui.panes.agents.pane import AgentsPane
from chimein_gui.ui.panes.approvals.pane import ApprovalsPane
from chimein_gui.ui.panes.conversations.pane import ConversationsPane
from chimein_gui.ui.panes.rehearsal.pane import RehearsalPane
from chimein_gui.ui.shell import registry
from chimein_gui.ui.shell.start import build_window
from chimein_gui.ui.shell.window import MainWindow
from chimein_gui.ui.widgets.rows import in_view
from chimein_gui.ui.widgets.rows.paint_budget import FRAME
from chimein_gui.ui.widgets.theme.theme import Scheme
from chimein_gui.viewmodels.core.throttle import Turn
from chimein_gui.viewmodels.window import WindowModels
from tests.fakes.engine_api import BIG, NOON, FakeEngineApi, agent, approval, chat, message, run_now
from tests.fakes.sandbox_console import Errands, FakeSandboxConsole
from tests.support.api_room import ApiRoom
from tests.support.bridge import drain
from tests.support.logged_lines import log_pane, logged  # noqa: F401 - fixtures
from tests.support.shown_trace import shown  # noqa: F401 - a fixture
from tests.support.spent import costs  # noqa: F401 - a fixture

FAMILIES = ("DejaVu Sans", "Open Sans")
"""What desktops draw with where nobody chose a font is the first, or Noto Sans.

Open Sans stands for that: its lines are as high, a sixth higher than those of DejaVu, and its letters as wide but for
one in a hundred. It is small, and no system draws with it because it is there.
"""


MORE = 0.4
"""How much longer a translation may be (the notes to the design)."""

PADDING = "åéîøü"


class Longer(QTranslator):
    """Turns "Hold everything" into "Hold everything åéîøüå": as long as German, as strange as Icelandic."""

    def translate(self, _context, source, _disambiguation=None, _n=-1):
        wanted = max(1, round(len(source) * MORE))
        return f"{source} {(PADDING * wanted)[: max(1, wanted - 1)]}" if source.strip() else source


@pytest.fixture(autouse=True)
def frames_at_once(monkeypatch):
    """Paint in the next round of events; else a frame waits 2 ms after a delivery, and tests seldom wait for it."""
    taken = Turn.is_taken
    monkeypatch.setattr(Turn, "is_taken", lambda turn, work: work != FRAME and taken(turn, work))


@pytest.fixture
def longer(qapp):
    translator = Longer()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    """Draw everything in each of the families that are usual; ask for it before the window is made."""
    before, font = QFont(qapp.font()), QFont(request.param, qapp.font().pointSize())
    assert QFontInfo(font).family() == request.param, "not here: `bash .ci/setup` installs it"
    qapp.setFont(font)
    yield request.param
    qapp.setFont(before)


class Desktop(ApiRoom):
    """A window with one agent, one chat, three messages and two drafts of it."""

    def __init__(self, **window: Any) -> None:
        self.time = NOON
        self.api = FakeEngineApi(lambda: self.time)
        self.sandbox = FakeSandboxConsole()
        self.errands = Errands()
        self.models = WindowModels(lambda: self.time)
        window.setdefault("empty_state", EmptyStateText("No agents yet", ("Write a file.",)))
        window.setdefault("scheme", Scheme.LIGHT)
        self.window: MainWindow = build_window(models=lambda: self.models, **window)
        if "settings_path" not in window:
            self.window.resize(1440, 900)

    def furnish(self) -> None:
        self.api.agents[1] = agent()
        self.api.chats[1] = chat(pending=2)
        self.api.messages[1] = {
            1: message(1, "you up at five?", out=True, minutes_ago=60),
            2: message(2, "haha yes", reply_to_id=1, minutes_ago=30),
            3: message(3, "is the bridge open?", minutes_ago=2),
        }
        self.api.approvals[BIG + 1] = approval(1, "First draft", reply_to_id=3)
        self.api.approvals[BIG + 2] = approval(2, "Second draft", created_at=NOON - timedelta(seconds=20))

    def attach(self, *, sandbox: bool = False) -> None:
        if sandbox:
            self.window.attach(self.api, self.errands, self.sandbox)
        else:
            self.window.attach(self.api, run_now)
        self.settle()

    def settle(self) -> None:
        for _ in range(3):  # an answer may bring about the next question
            self.errands.go_on()
            drain(self.models.bridge)
            QApplication.sendPostedEvents()

    def close(self, window: MainWindow) -> None:
        window.detach()
        self.errands.close()

    @property
    def rehearsal(self) -> RehearsalPane:
        pane = self.window.panes["rehearsal"]
        assert isinstance(pane, RehearsalPane)
        return pane

    @property
    def approvals(self) -> ApprovalsPane:
        pane = self.window.panes["approvals"]
        assert isinstance(pane, ApprovalsPane)
        return pane

    @property
    def conversations(self) -> ConversationsPane:
        pane = self.window.panes["conversations"]
        assert isinstance(pane, ConversationsPane)
        return pane

    @property
    def agents(self) -> AgentsPane:
        pane = self.window.panes["agents"]
        assert isinstance(pane, AgentsPane)
        return pane

    def open_chat(self, number: int = 1) -> None:
        self.conversations.open_chat(number)
        self.settle()

    @property
    def field(self) -> QPlainTextEdit:
        """The field below the cards: of the text of a draft, a reason, an instruction."""
        found = hand.field(self.approvals.editor, "")
        assert found is not None
        return found

    def button(self, words: str, root: QWidget | None = None) -> QAbstractButton:
        """The button that begins with these words, in the approvals or another part; it can be seen and pressed."""
        found = hand.button(root or self.approvals, words)
        assert found is not None, words
        return found

    def sees(self, words: str, root: QWidget | None = None) -> bool:
        """Tell whether words stand somewhere in the window, or in a part of it."""
        return any(words in line for line in hand.words_in_sight(root or self.window))

    def decisions(self) -> list[tuple[int, Decision]]:
        """Return what the engine was asked to decide."""
        return [(call.approval_id, call.decision) for call in self.api.calls]

    def press(self, widget: QWidget, key: Qt.Key | int, text: str = "", **how: Any) -> None:
        """Press a key as the keyboard would, with scan code and repetition where given."""
        event = QKeyEvent(
            QKeyEvent.Type.KeyPress,
            int(key),
            how.get("modifiers", Qt.KeyboardModifier.NoModifier),
            how.get("scan_code", 0),
            0,
            0,
            text,
            how.get("repeated", False),
        )
        QApplication.sendEvent(widget, event)
        self.settle()


@pytest.fixture(autouse=True)
def quick_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys decide at once on what is in view; tests of the guard itself set their own time."""
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 0)


class LeftOut(Pane):
    """Stands for a pane that this test does without."""

    def showEvent(self, _event: QShowEvent) -> None:
        raise AssertionError("This pane was left out: mark the test with whole_window, or with_panes(its id).")


@pytest.fixture(autouse=True)
def light_window(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out panes that are out of sight until they are asked for: two fifths of what a window costs to make."""
    if request.node.get_closest_marker("whole_window") is None:
        wanted = {pane_id for mark in request.node.iter_markers("with_panes") for pane_id in mark.args}
        specs = (
            spec._replace(factory=lambda _context: LeftOut()) if spec.on_demand and spec.pane_id not in wanted else spec
            for spec in registry.PANES
        )
        monkeypatch.setattr(registry, "PANES", tuple(specs))


@pytest.fixture
def make_desktop(qtbot: Any) -> Callable[..., Desktop]:
    def make(*, show: bool = True, **window: Any) -> Desktop:
        made = Desktop(**window)
        qtbot.addWidget(made.window, before_close_func=made.close)
        if show:
            made.window.show()
            qtbot.waitExposed(made.window)
        return made

    return make


@pytest.fixture
def sandbox(make_desktop: Callable[..., Desktop]) -> Desktop:
    """A furnished desktop in the sandbox."""
    made = make_desktop(is_sandbox=True)
    made.furnish()
    made.attach(sandbox=True)
    return made


@pytest.fixture
def stage(sandbox: Desktop) -> Desktop:
    """A desktop in the sandbox, with the Rehearsal pane in front."""
    sandbox.window.show_pane("rehearsal")
    sandbox.settle()
    return sandbox


@pytest.fixture
def desktop(make_desktop: Callable[..., Desktop]) -> Desktop:
    made = make_desktop()
    made.furnish()
    made.attach()
    return made


@pytest.fixture
def cards(desktop: Desktop) -> Desktop:
    """A desktop with the keyboard on the first card."""
    desktop.approvals.list.setFocus()
    return desktop


@pytest.fixture
def popped(monkeypatch: pytest.MonkeyPatch) -> list[QMenu]:
    """Menus that were filled and not shown: the offscreen platform knows no pop-ups."""
    menus: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _place: menus.append(menu))
    return menus


class Browser(QObject):
    """What the system would open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.fixture
def browser(qapp: object) -> Iterator[Browser]:
    made = Browser()
    schemes = ("http", "https", "tg", "file", "javascript", "ftp")
    for scheme in schemes:
        QDesktopServices.setUrlHandler(scheme, made, "open")  # type: ignore[arg-type]
    yield made
    for scheme in schemes:
        QDesktopServices.unsetUrlHandler(scheme)


@pytest.fixture
def bare(make_desktop: Callable[..., Desktop]) -> Desktop:
    """A furnished desktop that is not attached yet."""
    desktop = make_desktop()
    desktop.furnish()
    return desktop
