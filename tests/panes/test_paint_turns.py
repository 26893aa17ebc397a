"""Lists that take turns at painting: one a frame where each takes long, none is left out, and none shows old pixels."""

import pytest
from PySide6.QtCore import QRect, QStringListModel, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QListView, QMainWindow, QWidget

from chimein_gui.ui.widgets.rows import paint_budget
from chimein_gui.ui.widgets.rows.opaque_ground import fill
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.core import throttle
from chimein_gui.viewmodels.core.throttle import TURN

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

THEME = Theme()
LISTS = 4


class _List(QListView):
    """Notes in which frame which part of it was painted."""

    def __init__(self) -> None:
        super().__init__()
        self.words = QStringListModel([f"row {number}" for number in range(200)])
        self.setModel(self.words)
        self.painted: list[tuple[int, QRect]] = []
        paint_budget.take_turns(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, THEME, "pane")
        super().paintEvent(event)
        self.painted.append((paint_budget.BUDGET.frame, event.region().boundingRect()))

    def change(self, row: int = 0) -> None:
        self.words.setData(self.words.index(row), f"other words {row}")


class _Window(QMainWindow):
    def __init__(self) -> None:
        super().__init__()
        paint_budget.FramePacer(self)
        self.lists = [_List() for _ in range(LISTS)]


@pytest.fixture
def frames_at_once():
    """Frames wait for their turn here, as they do in the program."""


@pytest.fixture
def window(qtbot, monkeypatch):
    monkeypatch.setattr(paint_budget, "FRAME_S", 0.0)  # one list is all that a frame has time for
    window = _Window()
    qtbot.addWidget(window)
    window.setCentralWidget(QWidget())
    for view in window.lists:
        dock = QDockWidget(window)
        dock.setWidget(view)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    window.resize(900, 800)
    window.show()
    qtbot.waitUntil(lambda: all(view.painted for view in window.lists))
    for view in window.lists:
        view.clearFocus()
    settle(qtbot)
    for view in window.lists:
        view.painted.clear()
    return window


def settle(qtbot):
    """Wait until nothing is to be painted any more."""

    def is_calm():
        before = paint_budget.BUDGET.frame
        for _ in range(5):
            QApplication.processEvents()
        return paint_budget.BUDGET.frame == before and not paint_budget.TURNS.waiting and not TURN.is_taken("none")

    qtbot.waitUntil(is_calm)


def on_screen(window):
    """What the backing store holds, which is what the operator sees."""
    return window.screen().grabWindow(window.winId()).toImage()


def test_one_list_is_painted_in_a_frame_and_at_last_all_are(window, qtbot):
    before = on_screen(window)
    for view in window.lists:
        view.change()
    qtbot.waitUntil(lambda: all(view.painted for view in window.lists))
    settle(qtbot)
    frames = [frame for view in window.lists for frame, _ in view.painted]
    assert len(frames) == len(set(frames)) >= LISTS
    assert on_screen(window) != before
    assert on_screen(window) == window.grab().toImage()


def test_who_waits_is_not_passed_by_who_changes_all_the_time(window, qtbot):
    first, *others = window.lists
    seen = []
    for row in range(LISTS + 1):
        for view in window.lists if row == 0 else [first]:
            view.change(row)
        frame = paint_budget.BUDGET.frame
        qtbot.waitUntil(lambda now=frame: paint_budget.BUDGET.frame > now)
        seen.append(sum(bool(view.painted) for view in others))
    assert seen[-1] == len(others)


def test_the_list_with_the_keys_never_waits(window, qtbot):
    *_, last = window.lists
    window.activateWindow()
    last.setFocus()
    qtbot.waitUntil(last.hasFocus)
    settle(qtbot)
    for view in window.lists:
        view.painted.clear()
        view.change()
    qtbot.waitUntil(lambda: any(view.painted for view in window.lists))
    assert last.painted


def test_a_list_that_was_scrolled_while_it_waited_is_painted_whole(window, qtbot):
    for view in window.lists:
        view.change()
    for _ in range(1000):
        QApplication.processEvents()
        if paint_budget.TURNS.waiting:
            break
    waiting = [turn.view for turn in paint_budget.TURNS.waiting]
    for view in waiting:
        view.verticalScrollBar().setValue(7)
    for _ in range(3):
        QApplication.processEvents()
    for view in window.lists:
        view.change(1)
    settle(qtbot)
    assert waiting
    assert on_screen(window) == window.grab().toImage()


def test_a_list_that_is_shown_again_does_not_wait_with_the_pixels_of_another(window, qtbot):
    for view in window.lists:
        view.parentWidget().hide()
    settle(qtbot)
    for view in window.lists:
        view.parentWidget().show()
        view.change()
    settle(qtbot)
    assert on_screen(window) == window.grab().toImage()


def test_another_look_is_shown_by_all_lists_at_once(window, qtbot):
    frame = paint_budget.BUDGET.frame
    for view in window.lists:
        palette = view.viewport().palette()
        palette.setColor(palette.ColorRole.Text, Qt.GlobalColor.red)
        view.viewport().setPalette(palette)
    qtbot.waitUntil(lambda: paint_budget.BUDGET.frame > frame)
    assert all(view.painted for view in window.lists)


def test_timers_come_between_a_delivery_and_the_frame_that_shows_it(window, qtbot, monkeypatch):
    monkeypatch.setattr(throttle, "TURN_MS", 500)  # a slow machine needs more than 2 ms to come to the frame
    frames = []
    window.lists[0].change()
    TURN.end("delivery")  # as after a delivery
    before = paint_budget.BUDGET.frame
    timer = QTimer(window, singleShot=True, interval=1, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: frames.append(paint_budget.BUDGET.frame))
    timer.start()
    qtbot.waitUntil(lambda: paint_budget.BUDGET.frame > before)
    assert frames == [before]
    settle(qtbot)
    assert on_screen(window) == window.grab().toImage()


def test_frames_come_even_if_one_delivery_follows_the_other_without_a_gap(window, qtbot):
    deliveries, view = QTimer(window), window.lists[0]
    told = []

    def deliver():
        told.append(paint_budget.BUDGET.frame)
        view.change(len(told))
        TURN.end("delivery")

    deliveries.timeout.connect(deliver)
    deliveries.start(0)
    before = paint_budget.BUDGET.frame
    qtbot.waitUntil(lambda: paint_budget.BUDGET.frame >= before + 5)
    deliveries.stop()
    assert len(told) > 5
