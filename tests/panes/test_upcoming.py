"""The Next pane: what happens next in all chats, as a list in groups and as a time line."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from chimein_gui.domain.approvals import AskReason, Rule
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import PartnerTyping
from chimein_gui.domain.ids import AgentId, ChatId, Revision, TaskId
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.notes.upcoming import UpcomingReason
from chimein_gui.domain.plans.upcoming import Course, UpcomingEntry
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.requests import ShowDraft, ShowPlan
from chimein_gui.viewmodels.core.roles import ItemRole, KeyRole
from chimein_gui.viewmodels.core.windowed_list import PAGE_ROWS
from chimein_gui.viewmodels.plans import upcoming
from chimein_gui.viewmodels.plans.upcoming import AGAIN_MS
from tests.fakes.engine_api import NOON, approval, chat

pytestmark = [pytest.mark.with_panes("upcoming", "plans"), pytest.mark.qt_log_ignore("propagateSizeHints")]

K, C = TaskKind, Course


def entry(number, course, kind=K.SEND, title="Marta", text="", since=None, until=None, **more):
    def at(seconds):
        return NOON + timedelta(seconds=seconds) if seconds is not None else None

    card = None
    if kind is K.SEND:
        status = more.pop("status", TaskStatus.AWAITING_DECISION)
        reasons = more.pop("reasons", (AskReason.REVIEW,))
        card = replace(approval(number, text), task_status=status, reasons=reasons)
    task_id = TaskId(number) if kind is not None else None
    return UpcomingEntry(
        ChatId(more.pop("chat", number)),
        AgentId(more.pop("agent", 1)),
        more.pop("name", "Nora Vale"),
        title,
        more.pop("trust", TrustLevel.REVIEW),
        course,
        kind=kind,
        task_id=task_id,
        approval=card,
        since=at(since),
        until=at(until),
        **more,
    )


ENTRIES = (
    entry(1, C.BY_ITSELF, text="on my way", title="Kenji", since=-3, until=4, status=TaskStatus.APPROVED),
    entry(2, C.BY_ITSELF, K.WAIT, title="Marta", since=-30, until=60, chat=2),
    entry(3, C.IF_DECIDED, text="bring cash", title="Marta", since=60, until=65, asks=True, chat=2),
    entry(
        4, C.TELEGRAM, text="old ships", title="Charts", since=0, until=161, agent=2, reason=Note(NoteKind.SERVER_WAIT)
    ),
    entry(5, C.BY_ITSELF, K.RECEIVED, title="Tiago", until=1200, reason=Note(UpcomingReason.TAKEN_OVER)),
    entry(6, C.STOPPED, None, title="Sasha", reason=Note(UpcomingReason.TRUST_OFF), trust=TrustLevel.OFF),
    entry(7, C.STOPPED, K.RECEIVED, title="Elif", problem=PlanningProblem(PlanningKind.CRASHED)),
    entry(8, C.IF_DECIDED, text="first", title="Dex", since=0, until=5, asks=True, reasons=(AskReason.CAP,), agent=2),
    entry(9, C.BY_ITSELF, text="tomorrow", title="Zoe", until=72000, reason=Note(NoteKind.QUIET_HOURS)),
    entry(10, C.STOPPED, text="approved", title="Lin", status=TaskStatus.APPROVED, reason=Note(NoteKind.HELD)),
    entry(11, C.IF_DECIDED, text="late", title="Ola", asks=True, reason=Note(NoteKind.OVERDUE, number=10)),
    entry(12, C.IF_DECIDED, text="was held", title="Pia", asks=True, reason=Note(NoteKind.APPROVED_UNDER_HOLD)),
    entry(13, C.IF_DECIDED, K.WAIT, title="Pia", asks=True, chat=12),
)


@pytest.fixture
def pane(desktop):
    desktop.api.upcoming.upcoming = ENTRIES
    desktop.window.show_pane("upcoming")
    desktop.settle()
    return desktop.window.panes["upcoming"]


def rows(view):
    model = view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def read_again(desktop, qtbot):
    reads = desktop.api.upcoming.reads
    qtbot.waitUntil(lambda: desktop.api.upcoming.reads > reads, timeout=AGAIN_MS * 20)
    desktop.settle()


def test_the_list_has_groups_and_says_why(pane):
    assert rows(pane.list) == [
        "Needs you, 5",
        "Marta, Nora Vale, message, bring cash, Asks you, waiting 1 min",
        "Dex, Nora Vale, message, first, Too many automatic sends, waiting 1 min",
        "Ola, Nora Vale, message, late, It is more than 10 minutes overdue, waiting 1 min",
        "Pia, Nora Vale, message, was held, You approved it while it was held, waiting 1 min",
        "Pia, Nora Vale, wait, Asks you",
        "Now, 1",
        "Kenji, Nora Vale, message, on my way, Sends automatically, in 4 s",
        "Next minutes, 2",
        "Marta, Nora Vale, wait, Running, in 1:00",
        "Charts, Nora Vale, message, old ships, Telegram rate limit, in 2:41",
        "Later, 2",
        f"Tiago, Nora Vale, plan, You took over; the agent waits until {clock(pane, 1200)}., in 20:00",
        f"Zoe, Nora Vale, message, tomorrow, Quiet hours until {clock(pane, 72000)}, Sat {clock(pane, 72000)}",
        "Held by you, 1",
        "Lin, Nora Vale, message, approved, You held it",
        "Stopped, 2",
        "Sasha, Nora Vale, Trust is off in this chat.",
        "Elif, Nora Vale, plan, No plan: Chimein closed three times while planning this.",
    ]
    spoken = QAccessible.queryAccessibleInterface(pane.list)
    assert spoken.child(1).text(QAccessible.Text.Name) == rows(pane.list)[1]


def clock(pane, seconds):
    return pane.list._clock.clock(NOON + timedelta(seconds=seconds))


@pytest.mark.parametrize("form", [0, 1])
def test_every_entry_opens_its_step_and_a_leads_to_its_card(pane, desktop, qtbot, form):
    """Whatever it is: a draft, a wait, quiet hours, a wait of Telegram's, a full cap, a misfire, a backlog, a fault."""
    sent: list[object] = []
    desktop.window.requests.on(ShowPlan, sent.append)
    desktop.window.requests.on(ShowDraft, sent.append)
    pane.list.choose((ChatId(2), TaskId(2)))
    qtbot.mouseClick(pane.forms._group.button(form), Qt.MouseButton.LeftButton)
    view = pane.focus_widget()
    assert view.current.key == (ChatId(2), TaskId(2)), "the other form has the same entry chosen"
    for one in ENTRIES:
        step = ShowPlan(one.chat_id, one.task_id, one.approval.graph_id if one.approval else None)
        card = ShowDraft(one.approval.approval_id) if one.approval else step if one.asks else None
        view.choose((one.chat_id, one.task_id))
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_A):
            qtbot.keyClick(view, key)
        assert sent == [step, step, *([card] if card else [])]
        sent.clear()


def test_keys_walk_over_the_entries_and_past_the_heads(pane, desktop, qtbot):
    titles = []
    qtbot.keyClick(pane.list, Qt.Key.Key_Home)
    for _ in range(len(ENTRIES)):
        titles.append(pane.list.current.entry.chat_title)
        qtbot.keyClick(pane.list, Qt.Key.Key_J)
    assert sorted(titles) == sorted(one.chat_title for one in ENTRIES)
    qtbot.keyClick(pane.list, Qt.Key.Key_End)
    assert pane.list.current.entry.chat_title == "Elif"
    qtbot.keyClick(pane.list, Qt.Key.Key_K)
    qtbot.keyClick(pane.list, Qt.Key.Key_Up)
    assert pane.list.current.entry.chat_title == "Lin"
    qtbot.mouseClick(pane.forms._group.button(1), Qt.MouseButton.LeftButton)
    lanes = pane.time_line.lanes
    lanes.choose((ChatId(2), TaskId(2)))
    qtbot.keyClick(lanes, Qt.Key.Key_Right)
    assert lanes.current.key == (ChatId(2), TaskId(3))
    assert lanes.accessibleDescription().startswith("Marta, Nora Vale, message, bring cash")
    desktop.api.upcoming.upcoming = (ENTRIES[0], *ENTRIES[2:])
    desktop.api.put_chat(chat(unread=9))
    desktop.settle()
    read_again(desktop, qtbot)
    assert lanes.current.key == (ChatId(2), TaskId(3)), "the same step, though the one before it is over"


def test_the_lanes_of_an_agent_can_be_folded(pane, desktop, qtbot):
    qtbot.mouseClick(pane.forms._group.button(1), Qt.MouseButton.LeftButton)
    lanes = pane.time_line.lanes
    every = rows(lanes)
    qtbot.keyClick(lanes, Qt.Key.Key_Home)
    qtbot.keyClick(lanes, Qt.Key.Key_Space)
    assert rows(lanes) == ["Nora Vale, folded, chats: 9", *every[10:]]
    assert lanes.currentIndex().row() == 0
    read = desktop.api.upcoming
    read.upcoming = tuple(replace(one, until=None) for one in ENTRIES)
    desktop.api.put_chat(chat(unread=9))
    desktop.settle()
    read_again(desktop, qtbot)
    assert len(rows(lanes)) == 1 + len(every[10:]), "it stays folded"
    for key, many in ((Qt.Key.Key_Right, 13), (Qt.Key.Key_Left, 4), (Qt.Key.Key_Return, 13)):
        qtbot.keyClick(lanes, key)
        assert len(rows(lanes)) == many
    caret = lanes.visualRect(lanes.model().index(0, 0)).center()
    caret.setX(18)
    qtbot.mouseClick(lanes.viewport(), Qt.MouseButton.LeftButton, pos=caret)
    assert len(rows(lanes)) == 4


@pytest.mark.parametrize("form", [0, 1])
def test_a_change_among_two_thousand_entries_costs_what_it_costs_among_few(pane, desktop, qtbot, monkeypatch, form):
    many = [
        entry(n, C.IF_DECIDED, text=f"t{n}", agent=1 + n % 7, asks=True, since=0, until=3 + n) for n in range(1, 2001)
    ]
    desktop.api.upcoming.upcoming = tuple(many)
    qtbot.mouseClick(pane.forms._group.button(form), Qt.MouseButton.LeftButton)

    def read():
        desktop.api.put_chat(chat(unread=len(measured) + desktop.api.upcoming.reads))
        desktop.settle()
        read_again(desktop, qtbot)
        qtbot.waitUntil(lambda: len(pane._models.upcoming.views) == len(desktop.api.upcoming.upcoming))
        view.executeDelayedItemsLayout()

    measured, resets, view = [], [], pane.focus_widget()
    read()
    assert view._rows.total() == 2000 + (7 if form else 1)
    measured = counting(monkeypatch, type(view.itemDelegate()), "sizeHint")
    worded = counting(monkeypatch, upcoming, "upcoming_view")
    view.choose((ChatId(3), TaskId(3)))
    view._rows.modelReset.connect(lambda: resets.append(1))
    desktop.api.upcoming.upcoming = (*many[1:1500], replace(many[1500], reason=Note(NoteKind.HELD)), *many[1501:])
    read()
    assert (len(worded), resets) == (1, [])
    assert len(measured) <= 2 * PAGE_ROWS
    assert view.current.key == (ChatId(3), TaskId(3))
    desktop.api.upcoming.upcoming = tuple(replace(one, course=C.STOPPED, asks=False) for one in many)
    measured.clear()
    read()
    assert len(measured) <= 2 * PAGE_ROWS, "not even if all of them move"
    assert view.current.key == (ChatId(3), TaskId(3))
    grouped = counting(monkeypatch, UpcomingEntry, "group")
    desktop.models.clock.ticked.emit()
    assert grouped == [], "no second can change a group here"


def counting(monkeypatch, owner, name):
    calls, plain = [], getattr(owner, name)

    def count(*arguments):
        calls.append(arguments)
        return plain(*arguments)

    monkeypatch.setattr(owner, name, count)
    return calls


def test_it_is_read_again_after_events_but_not_at_every_one_and_only_while_it_is_shown(pane, desktop, qtbot):
    pane.list.choose((ChatId(4), TaskId(4)))
    before = desktop.api.upcoming.reads
    desktop.api.publish(PartnerTyping(ChatId(1), NOON, Revision(2000)))
    for number in range(20):
        desktop.api.upcoming.upcoming = ENTRIES[1:]
        desktop.api.put_chat(chat(unread=number))
        desktop.settle()
    read_again(desktop, qtbot)
    assert desktop.api.upcoming.reads - before <= 3
    assert "Now, 1" not in rows(pane.list)
    assert pane.list.current.key == (ChatId(4), TaskId(4))
    desktop.time = NOON + timedelta(seconds=50)
    desktop.models.clock.ticked.emit()
    assert "Now, 1" in rows(pane.list), "the wait ends soon"
    desktop.window.show_pane("approvals")
    pane.hide()
    before = desktop.api.upcoming.reads
    desktop.api.put_chat(chat(unread=0))
    desktop.settle()
    qtbot.wait(AGAIN_MS + 50)
    assert desktop.api.upcoming.reads == before


def test_the_time_line_has_a_lane_for_each_chat_and_blocks_at_their_times(pane, desktop, qtbot):
    qtbot.mouseClick(pane.forms._group.button(1), Qt.MouseButton.LeftButton)
    lanes = pane.time_line.lanes
    assert rows(lanes)[0] == "Nora Vale"
    assert len(rows(lanes)) == 2 + 11, "two agents, eleven chats"
    model, scale = lanes.model(), lanes.scale()
    wait, asks = lanes.blocks(model.index(2, 0).data(Qt.ItemDataRole.UserRole + 1))
    assert (wait.waits, wait.types) == ((scale.now_x, pytest.approx(scale.x_of(60))), None)
    assert asks.left > wait.left + wait.width, "labels never cover each other"
    assert (asks.look.line, asks.words) == ("attention_line", "Asks you: \u2068bring cash\u2069"), "its own direction"
    pane.legend.resize(680, 20)
    assert [word for _left, _number, word in pane.legend.fitting()] == [
        *("sends automatically", "asks you", "only if you decide", "wait", "typing", "Telegram's wait")
    ]
    pane.legend.resize(150, 20)
    assert [word for _left, _number, word in pane.legend.fitting()] == ["sends automatically"]
    (telegram,) = lanes.blocks(model.index(11, 0).data(Qt.ItemDataRole.UserRole + 1))
    assert telegram.hatched == (scale.now_x, pytest.approx(scale.x_of(161)))
    qtbot.mouseClick(pane.orders._group.button(1), Qt.MouseButton.LeftButton)
    assert model.index(0, 0).data(KeyRole) == ("chat", ChatId(1)), "what happens first is at the top"
    qtbot.mouseClick(pane.ranges._group.button(1), Qt.MouseButton.LeftButton)
    assert lanes.scale().x_of(7200) == pytest.approx(scale.right)
    qtbot.mouseClick(pane.orders._group.button(0), Qt.MouseButton.LeftButton)
    pane.time_line.resize(420, 400)
    lanes.resize(420, 400)
    narrow = [block for row in range(1, 10) for block in lanes.blocks(model.index(row, 0).data(ItemRole))]
    assert any(block.left + block.width == lanes.scale().right - 4 for block in narrow), "elided, not cut off"


def test_what_a_decision_would_start_moves_on_with_the_clock(pane, desktop, qtbot):
    qtbot.mouseClick(pane.forms._group.button(1), Qt.MouseButton.LeftButton)
    lanes = pane.time_line.lanes
    dex = next(row for row in range(lanes.model().rowCount()) if rows(lanes)[row].startswith("Dex"))
    desktop.time = NOON + timedelta(seconds=40)
    desktop.models.clock.ticked.emit()
    (asks,) = lanes.blocks(lanes.model().index(dex, 0).data(ItemRole))
    scale = lanes.scale()
    assert asks.types == (scale.now_x, pytest.approx(scale.x_of(5)))


def test_what_counts_down_is_counted_beside_what_asks_as_both_wait_in_the_top_bar(pane, desktop, qtbot):
    assert pane._summary.text().startswith("Ask you: 5 · Continue automatically: 5 · ")
    running = entry(21, C.BY_ITSELF, text="soon", until=20, status=TaskStatus.APPROVED)
    running = replace(running, approval=replace(running.approval, decided_by=Rule.COUNTDOWN_TRUST))
    desktop.api.upcoming.upcoming = (*ENTRIES[1:3], running)
    desktop.api.put_chat(chat(unread=5))
    desktop.settle()
    read_again(desktop, qtbot)
    assert pane._summary.text() == "Ask you: 1 · Send unless you stop them: 1 · Continue automatically: 1"
    assert rows(pane.list)[:3] == [
        "Needs you, 2",
        "Marta, Nora Vale, message, soon, Sends unless you stop it, in 0:20",
        "Marta, Nora Vale, message, bring cash, Asks you, waiting 1 min",
    ]
    (head, leaves, asks) = (pane.list.model().index(row, 0).data(ItemRole) for row in range(3))
    assert head.count == 2
    assert (leaves.state_icon, asks.state_icon) == (("timer", "attention"), ("hand", "attention"))
    postponed = replace(ENTRIES[2].approval, postponed_until=NOON + timedelta(hours=2))
    desktop.api.upcoming.upcoming = (replace(ENTRIES[2], approval=postponed), running)
    desktop.api.put_chat(chat(unread=6))
    desktop.settle()
    read_again(desktop, qtbot)
    assert pane._summary.text() == "Send unless you stop them: 1 · Ask you later: 1"
    assert rows(pane.list)[0] == "Needs you, 1", "as in Approvals, which does not count what is postponed"


def test_nothing_to_come_says_so(pane, desktop, qtbot):
    desktop.api.upcoming.upcoming = ()
    desktop.api.put_chat(chat(unread=5))
    desktop.settle()
    read_again(desktop, qtbot)
    assert pane.focus_widget() is pane._empty
    assert "Nothing is planned" in pane._empty.accessibleName()
