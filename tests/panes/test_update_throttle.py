"""What a storm, a second, or news of one account must not do: lay out anew, shape twice, paint what says the same."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import SavedEdit
from chimein_gui.domain.ids import ApprovalId, ChatId, SavedEditId
from chimein_gui.ui.messages import rich_text
from chimein_gui.ui.messages.picture_sweep import REST_MS
from chimein_gui.ui.widgets.text import text_block
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.chats.show import Show
from chimein_gui.viewmodels.core.throttle import Throttle
from chimein_gui.viewmodels.costs import make_costs
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat, message
from tests.support.bridge import drain

pytestmark = pytest.mark.with_panes("plans")


class Layouts(QObject):
    """Counts how often a widget is asked to lay itself out."""

    def __init__(self, widget):
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched, event):
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def busy(desktop):
    """A desktop with a dozen cards and an open chat, which has come to rest."""
    for number in range(3, 15):
        desktop.api.put_approval(approval(number, f"Draft {number}"))
    desktop.api.put_chat(chat(pending=14, unread=14))
    desktop.open_chat()
    desktop.settle()
    desktop.approvals._throttle.pause.setInterval(0)
    desktop.window.facts.refresh()  # it counts 200 ms later, which is sometimes in the midst of a test
    QApplication.processEvents()
    desktop.settle()
    return desktop


def test_counts_of_the_same_width_lay_nothing_out(busy, qtbot):
    busy.put_chat(chat(2))
    qtbot.waitUntil(lambda: not busy.conversations._throttle.is_pausing)
    busy.settle()  # a timer that went off beside the pace may have posted a layout of its own
    layouts = Layouts(busy.window)
    busy.api.put_chat(chat(2, pending=1))
    busy.put_chat(chat(pending=13, unread=13))
    assert busy.conversations.filter.buttons[Show.NEEDS_YOU].accessibleName().endswith(" 2")
    assert layouts.count == 0


def test_a_storm_of_unread_chats_lays_the_window_out_a_few_times_a_second(desktop, qtbot):
    desktop.settle()
    pane = desktop.conversations
    qtbot.waitUntil(lambda: not pane._throttle.is_pausing)
    layouts = Layouts(desktop.window)
    for number in range(2, 32):
        desktop.api.put_chat(chat(number, unread=1))
        drain(desktop.models.bridge)
    assert desktop.sees("One chat", pane)
    qtbot.waitUntil(lambda: desktop.sees("30 chats", pane))
    assert layouts.count < 10


def test_a_countdown_out_of_sight_leaves_the_bar_alone(desktop, monkeypatch):
    desktop.api.put_agent(agent(health=Health.BANNED))
    desktop.put_agent(agent(2, health=Health.WAITING, next_try_at=NOON + timedelta(seconds=9)))
    desktop.models.bars.gather()
    bar, told = desktop.window.fault_bar, []
    assert bar._number.text() == "1 of 2"
    desktop.models.bars.changed.connect(lambda: told.append(1))
    monkeypatch.setattr(bar.strip, "look", lambda *_look: pytest.fail("dressed again"))
    desktop.time += timedelta(seconds=1)
    desktop.models.bars.gather()
    assert told


def test_a_call_that_costs_next_to_nothing_lays_nothing_out(busy):
    busy.api.costs.book(0.00001)
    busy.settle()
    layouts, calls = Layouts(busy.window), busy.models.own(make_costs).today.calls
    busy.api.costs.book(0.00001)
    busy.settle()
    assert busy.models.own(make_costs).today.calls == calls + 1
    assert busy.window.top_bar.cost.accessibleDescription().startswith(f"{calls + 1} ")
    assert layouts.count == 0


def test_the_card_under_the_cursor_is_dressed_once_for_each_move(desktop, monkeypatch):
    dressed, bar = [], desktop.approvals.list.buttons
    monkeypatch.setattr(bar, "show_approval", lambda card, *_rest, **_how: dressed.append(card.approval_id))
    desktop.approvals.list.move_by(1)
    assert dressed == [BIG + 2]


def test_the_first_change_is_told_at_once_and_a_storm_once_more(qapp, qtbot):
    owner, told = QObject(), []
    throttle = Throttle(20, lambda: told.append(1), owner)
    for _ in range(50):
        throttle.ask()
    assert told == [1]
    qtbot.waitUntil(lambda: len(told) == 2)
    qtbot.waitUntil(lambda: not throttle.is_pausing)
    assert told == [1, 1]


def test_a_cut_text_is_shaped_once_and_ends_in_an_ellipsis(qapp):
    font, words = QFont(), "one two three four five six seven eight " * 20
    block = text_block.lay_out(words, font, 160, 3)
    assert block.layout.text() == words
    assert block.layout.lineCount() == 3
    assert block.tail is not None
    assert block.tail.text().endswith("…")
    assert block.tail.lineCount() == 1
    assert block.width <= 160
    assert text_block.lay_out("short", font, 160, 3).tail is None


def ink_of(block, width, height):
    """Return the columns and rows in which a block paints, counted from its corner."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    text_block.draw(painter, block, QPointF(0, 0), QColor("black"))
    painter.end()
    inked = [(x, y) for x in range(width) for y in range(height) if image.pixelColor(x, y).lightness() < 128]
    return {x for x, _ in inked}, {y for _, y in inked}


def test_a_folded_text_shows_its_first_lines_without_being_laid_out_again(qapp):
    made = text_block.kept.made
    whole = rich_text.lay_out(Theme(), message(1, "one two three " * 500), 100, out=False)
    assert whole.folded
    assert text_block.kept.made == made + 1
    block = whole.placed[0].block
    _columns, inked = ink_of(block, 140, 1400)
    last = block.layout.lineAt(rich_text.FOLD_TO - 1)
    assert last.position().y() < max(inked) <= whole.height == block.height


def test_a_long_draft_is_laid_out_for_no_width_that_nobody_sees(desktop, qtbot):
    desktop.open_chat()
    desktop.put_approval(approval(1, "a long text " * 300))
    bubble = desktop.conversations.drafts.bubbles()[0]
    qtbot.waitUntil(lambda: bubble.words.height() > 200)
    widths, lay_out = set[int](), bubble.words._parts

    def parts(width):
        widths.add(width)
        return lay_out(width)

    bubble.words._parts = parts
    before = bubble.words.height()
    desktop.put_approval(approval(1, "a shorter text " * 150))
    qtbot.waitUntil(lambda: bubble.words.height() != before)
    assert widths == {bubble.words.width()}


def test_pictures_that_were_scrolled_past_are_dropped(desktop, qtbot, monkeypatch):
    desktop.open_chat()
    pictures, swept = desktop.models.pictures, []
    monkeypatch.setattr(type(pictures), "has_waiting", property(lambda _self: True))
    monkeypatch.setattr(pictures, "forget_hidden", lambda: swept.append(1))
    desktop.conversations.transcript.verticalScrollBar().valueChanged.emit(0)
    qtbot.waitUntil(lambda: swept == [1, 1], timeout=REST_MS * 20)


def test_a_card_and_a_row_are_painted_anew_when_a_text_is_kept_beside_them(desktop):
    cards = desktop.approvals.list
    before = cards.viewport().grab().toImage()
    desktop.api.saved_edits.put(
        SavedEdit(SavedEditId(1), ChatId(1), "Yes.", "Yes, at noon.", 0, ApprovalId(BIG + 1), NOON)
    )
    desktop.settle()
    assert cards.viewport().grab().toImage() != before


class Told(QObject):
    """Keeps what a widget is told of, and how much of it is painted."""

    def __init__(self, widget):
        super().__init__(widget)
        self.kinds, self.painted = [], []
        widget.installEventFilter(self)

    def eventFilter(self, _watched, event):
        self.kinds.append(event.type())
        if event.type() == QEvent.Type.Paint:
            self.painted.append(event.region().boundingRect())
        return False


@pytest.fixture
def several(desktop, qtbot):
    """The Agents pane in sight, with three agents, at rest."""
    for number in (2, 3):
        desktop.api.put_agent(agent(number, f"Agent {number}"))
    desktop.window.show_pane("agents")
    desktop.settle()
    qtbot.waitUntil(lambda: not desktop.agents._repaint.isActive())
    QApplication.processEvents()
    return desktop


def test_an_agent_that_takes_no_more_room_is_painted_alone(several, qtbot):
    view = several.agents.list
    told = Told(view.viewport())
    several.put_agent(replace(several.api.agents[2], health=Health.CONNECTING))
    qtbot.waitUntil(lambda: bool(told.painted))
    assert all(view.visualRect(view.model().index(1, 0)).contains(painted) for painted in told.painted)


def test_an_agent_that_takes_more_room_moves_those_below(several, qtbot):
    view = several.agents.list
    before = view.visualRect(view.model().index(2, 0)).top()
    several.put_agent(replace(several.api.agents[2], limited="PEER_FLOOD"))
    qtbot.waitUntil(lambda: view.visualRect(view.model().index(2, 0)).top() > before)


def test_what_happens_to_another_agent_leaves_the_actions_alone(several, monkeypatch):
    actions = several.agents.agent_actions
    monkeypatch.setattr(actions.hold, "setAccessibleName", lambda _name: pytest.fail("named again"))
    several.put_agent(replace(several.api.agents[2], health=Health.CONNECTING))
    monkeypatch.undo()
    several.put_agent(replace(several.api.agents[1], health=Health.STOPPED))
    assert (actions.start.isVisible(), actions.stop.isVisible()) == (True, False)


@pytest.mark.parametrize("width", [0, 300])
def test_a_second_that_changes_nothing_leaves_a_draft_alone(desktop, qtbot, width):
    """Also where there is no room for all words of its actions."""
    desktop.open_chat()
    desktop.window.lazy.warm_up.stop()  # it begins after 200 ms, and makes panes of its own
    desktop.settle()
    bubble = desktop.conversations.drafts.bubbles()[0]
    if width:
        bubble.buttons.setFixedWidth(width)
        qtbot.waitUntil(lambda: bubble.buttons.width() == width)
    qtbot.waitUntil(lambda: not desktop.conversations._throttle.is_pausing)
    shown = [button for button in bubble.buttons.in_order() if button.isVisible()]
    told = [Told(widget) for widget in (bubble, bubble.buttons, *shown)]
    forbidden = {QEvent.Type.ToolTipChange, QEvent.Type.Paint, QEvent.Type.LayoutRequest}

    def stirred():
        QApplication.processEvents()
        stirrings = [kind for one in told for kind in one.kinds if kind in forbidden]
        for one in told:
            one.kinds.clear()
        return stirrings

    qtbot.waitUntil(lambda: not stirred() and not stirred())  # a layout may bring about the next
    desktop.models.clock.ticked.emit()
    assert shown
    assert not stirred()
