"""Top bar, banner, bars and status bar, and the toast at the bottom left."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QAccessible, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from chimein_gui.domain.agents import FileProblem, Health, MethodWait
from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.spending.caps import EVERYTHING, CapDay
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.reporting.crash_reports import CrashReport
from chimein_gui.ui.requests import ShowDraft
from chimein_gui.ui.shell.bars.fault_bar import LEAST_CAUSE
from chimein_gui.viewmodels.costs import dollars, make_costs
from tests.fakes.engine_api import BIG, NOON, agent, approval
from tests.support.on_screen import entries


def hold(desktop, *, stored=True, reason=""):
    desktop.api.holds.put(Hold(HoldScope.ALL, 0, reason, NOON, stored=stored))
    desktop.settle()


def test_the_switch_changes_only_when_the_engine_has(desktop, qtbot):
    switch = desktop.window.top_bar.hold
    desktop.api.holds.hold = _never
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert not switch.isChecked()
    desktop.turn(switch)
    assert not switch.isChecked()
    hold(desktop)
    assert switch.isChecked()


def test_a_screen_reader_turns_the_switch_without_a_click(desktop):
    switch = desktop.window.top_bar.hold
    desktop.turn(switch)
    assert [one.scope for one in desktop.api.holds.holds] == [HoldScope.ALL]
    assert switch.isChecked()


async def _never(*_args):
    """A hold that nobody hears of."""


def test_the_banner_says_who_since_when_and_why(desktop):
    banner = desktop.window.held_banner
    assert not banner.isVisible()
    hold(desktop, reason="lunch & tea")
    assert banner.isVisible()
    assert banner.strip.height() >= 40
    said = banner.strip.accessibleName()
    assert said.startswith("You held everything at")
    assert "“lunch & tea”" in said
    assert "2 planned messages wait for you." in said
    hold(desktop, stored=False, reason="database or disk is full")
    said = banner.strip.accessibleName()
    assert said.startswith("Chimein held everything at")
    assert "database or disk is full." in said
    assert not banner.reason.isVisible()


def test_what_is_approved_and_held_is_counted_in_amber(desktop):
    hold(desktop)
    desktop.put_approval(approval(1, task_status=TaskStatus.APPROVED))
    said = desktop.window.held_banner.strip.accessibleName()
    assert "1 approved message is held. 1 planned message waits for you." in said
    desktop.put_approval(approval(2, task_status=TaskStatus.SKIPPED))
    assert desktop.window.top_bar.queue.accessibleName() == "1 approved, held"
    desktop.api.holds.put()
    desktop.settle()
    assert desktop.window.top_bar.queue.accessibleName() == "Nothing to approve"
    assert desktop.window.top_bar.queue._label.icon == "approvals", "it waits for its time"


def nothing_to_approve(desktop):
    """Return the icon of the top bar where no card asks."""
    queue = desktop.window.top_bar.queue
    assert queue.accessibleName() == "Nothing to approve"
    return queue._label.icon


def test_a_tick_stands_only_where_nothing_waits_and_nothing_failed(desktop):
    costs, chat, calm = desktop.api.costs, desktop.api.chats[1], desktop.api.agents[1]
    for number in (1, 2):
        desktop.put_approval(approval(number, task_status=TaskStatus.SKIPPED))
    assert nothing_to_approve(desktop) == "ok-circle"
    costs.put_cap(CapDay(EVERYTHING, 3.0, spent_usd=3.0))
    desktop.settle()
    assert nothing_to_approve(desktop) == "approvals", "the cap asks"
    costs.put_cap(CapDay(EVERYTHING, 3.0, spent_usd=1.0))
    desktop.settle()
    assert nothing_to_approve(desktop) == "ok-circle"
    for kind in (PlanningKind.FAILED, PlanningKind.RETRYING):
        problem = PlanningProblem(kind, "overloaded", attempt=1)
        desktop.put_chat(replace(chat, planning_problem=problem, newest_in_id=MessageId(3)))
        desktop.settle()
        desktop.models.bars.gather()
        assert nothing_to_approve(desktop) == "approvals", "a chat has no plan"
    desktop.put_chat(chat)
    desktop.settle()
    desktop.models.bars.gather()
    assert nothing_to_approve(desktop) == "ok-circle"
    desktop.put_agent(replace(calm, waits=(MethodWait("send_text", NOON + timedelta(seconds=415)),)))
    assert nothing_to_approve(desktop) == "approvals", "Telegram makes an account wait"
    desktop.put_agent(calm)
    assert nothing_to_approve(desktop) == "ok-circle"


@pytest.mark.parametrize(
    "open_one",
    [
        {"task_status": TaskStatus.UNKNOWN},
        {"task_status": TaskStatus.FAILED},
        {"task_status": TaskStatus.SENDING, "decided_by": "operator"},
        {"task_status": TaskStatus.APPROVED, "decided_by": Rule.AUTO_TRUST},
        {"postponed_until": NOON + timedelta(hours=1)},
    ],
)
def test_no_tick_stands_beside_a_send_that_is_not_over(desktop, open_one):
    desktop.put_approval(approval(2, task_status=TaskStatus.CANCELLED))
    desktop.put_approval(approval(1, **open_one))
    assert nothing_to_approve(desktop) == "approvals"
    desktop.put_approval(approval(1, task_status=TaskStatus.DONE))
    desktop.models.clock.ticked.emit()
    assert nothing_to_approve(desktop) == "ok-circle"


def test_the_rail_and_the_top_bar_tell_one_number_at_once(desktop):
    rail, queue = desktop.window.rail.buttons["approvals"], desktop.window.top_bar.queue
    for number in range(3, 9):
        desktop.put_approval(approval(number))
        assert queue.accessibleName().startswith(f"{number} waiting")
        assert f"{number} waiting" in rail.accessibleName()


def test_a_reason_may_be_given_afterwards(desktop, qtbot):
    hold(desktop)
    banner = desktop.window.held_banner
    qtbot.mouseClick(banner.reason, Qt.MouseButton.LeftButton)
    assert banner.field.hasFocus()
    qtbot.keyClicks(banner.field, "the auditors are here")
    desktop.press(banner.field, Qt.Key.Key_Return)
    assert desktop.api.holds.holds[-1].reason == "the auditors are here"
    assert not banner.field.isVisible()


def test_the_banner_releases(desktop):
    hold(desktop)
    desktop.click(desktop.window.held_banner.release)
    assert desktop.api.holds.holds == ()
    assert not desktop.window.held_banner.isVisible()


def test_the_cost_is_shown_and_its_bar_only_with_a_limit(desktop):
    cost = desktop.window.top_bar.cost
    desktop.api.costs.book(1.844)
    desktop.settle()
    assert cost.isVisible()
    assert cost.accessibleName() == "Cost: $1.84 today"
    assert cost._share is None
    desktop.api.costs.limit_usd = 6.0
    desktop.models.own(make_costs)._fetch()
    desktop.settle()
    assert cost.accessibleName() == "Cost: $1.84 of $6.00 today"
    assert cost._share == pytest.approx(1.844 / 6)


def test_a_cost_below_a_cent_is_told_with_the_digits_of_its_limit(desktop):
    desktop.api.costs.book(0.0014)
    desktop.api.costs.limit_usd = 0.0028
    desktop.models.own(make_costs)._fetch()
    desktop.settle()
    assert desktop.window.top_bar.cost.accessibleName() == "Cost: $0.0014 of $0.0028 today"


@pytest.mark.parametrize(("usd", "words"), [(0, "$0.00"), (0.001, "< $0.01"), (0.006, "$0.01"), (1234.5, "$1,234.50")])
def test_amounts(usd, words):
    assert dollars(usd) == words


@pytest.mark.with_panes("costs")
def test_a_narrow_window_leaves_cost_and_connections_to_the_menu_of_more(desktop, popped, qtbot):
    desktop.api.costs.book(1.0)
    desktop.settle()
    bar = desktop.window.top_bar
    assert bar.cost.isVisible()
    assert bar.connections.isVisible()
    assert not bar.more.isVisible()
    bar.cost.setFocus()
    desktop.window.resize(1280, 720)
    assert not bar.cost.isVisible()
    assert not bar.connections.isVisible()
    assert bar.queue.isVisible()
    assert bar.hold.isVisible()
    assert bar.more.hasFocus()
    QTest.keyClick(bar.more, Qt.Key.Key_Space)
    assert list(entries(popped[0])) == ["1 of 1 connected", "Cost: $1.00 today"]
    with qtbot.waitSignal(bar.costs_pressed):
        popped[0].actions()[1].trigger()


def test_one_bar_of_many_with_a_way_to_the_others(desktop, qtbot):
    desktop.api.put_problems(FileProblem("/etc/agents/Bram.md", 14, Note(NoteKind.OTHER, "Unknown heading.")))
    desktop.put_fault("store", "The disk is full.", "Make room.")
    bar = desktop.window.fault_bar
    assert desktop.sees("1 of 2", bar)
    assert desktop.sees("The disk is full.", bar)
    desktop.click(desktop.button("Next problem", bar))
    assert desktop.sees("Bram.md was not loaded.", bar)
    desktop.click(desktop.button("Previous problem", bar))
    assert desktop.sees("The disk is full.", bar)


def test_the_bar_of_a_file_opens_its_folder(desktop, qtbot, browser, tmp_path):
    desktop.put_problems(FileProblem(str(tmp_path / "Bram.md"), 14, Note(NoteKind.OTHER, "Unknown heading.")))
    qtbot.mouseClick(desktop.window.fault_bar.buttons[0], Qt.MouseButton.LeftButton)
    assert browser.opened == [f"file://{tmp_path}"]


def test_the_bar_of_an_account_logs_it_in_and_shows_it(desktop, qtbot):
    desktop.put_agent(agent(health=Health.LOGGED_OUT))
    desktop.models.bars.gather()
    bar = desktop.window.fault_bar
    qtbot.mouseClick(bar.buttons[1], Qt.MouseButton.LeftButton)
    assert desktop.agents.isVisible()
    desktop.click(bar.buttons[0])
    assert desktop.api.logins.calls == [("begin",)]


def test_where_nobody_can_log_in_the_bar_starts_the_account(desktop):
    desktop.api.logins.available = False
    desktop.put_agent(agent(health=Health.LOGGED_OUT))
    desktop.models.bars.gather()
    desktop.click(desktop.window.fault_bar.buttons[0])
    assert desktop.api.started == [1]


def test_the_bar_of_a_chat_plans_again_and_opens_it(desktop):
    chat = desktop.api.chats[1]
    desktop.put_chat(replace(chat, planning_problem=PlanningProblem(PlanningKind.NO_KEY, "the key is bad.")))
    desktop.models.bars.gather()
    bar = desktop.window.fault_bar
    desktop.click(bar.buttons[0])
    assert desktop.api.plans.calls == [("retry", 1)]
    desktop.models.bars.gather()
    assert not bar.isVisible()


@pytest.mark.parametrize("title", ["Marta Oliveira", "Bartholomew of the Very Long Name " * 3])
@pytest.mark.parametrize("width", [1280, 1440])
def test_where_there_is_little_room_the_words_of_the_service_are_cut(desktop, width, title):
    raw = "An internal error has occurred. Please retry or report in the troubleshooting guide. " * 2
    problem = PlanningProblem(PlanningKind.FAILED, attempt=10, fault=Note(ModelFault.ANSWERED_LATER, raw, 500))
    chat = desktop.api.chats[1]
    desktop.put_fault("chat 1", "Something else.", "Look at it.")
    desktop.put_chat(replace(chat, info=replace(chat.info, title=title), planning_problem=problem))
    desktop.window.resize(width, 800)
    desktop.models.bars.gather()
    bar = desktop.window.fault_bar
    desktop.models.bars.step(1)
    desktop.settle()
    assert bar._number.isVisible()
    assert bar._remedy.text() == "Messages are saved and wait for an answer. Gemini can't answer now (HTTP 500)."
    assert bar._remedy.width() >= bar._remedy.sizeHint().width()
    assert bar._raw.width() < bar._raw.sizeHint().width()
    assert bar._cause.width() >= min(LEAST_CAUSE, bar._cause.sizeHint().width())
    assert bar._raw.text()[:8] in bar.strip.accessibleName(), "a screen reader hears it all"


def test_a_short_cause_is_whole_where_there_is_little_room(desktop):
    desktop.put_fault("chat 1", "Something else.", "Look at it.")
    desktop.put_fault("store", "Bartholomew of the Hill is logged out.", "What was approved waits until then. " * 9)
    desktop.window.resize(1280, 800)
    bar = desktop.window.fault_bar
    while bar._cause.text() != "Bartholomew of the Hill is logged out.":
        desktop.models.bars.step(1)
        desktop.settle()
    assert bar._remedy.width() < bar._remedy.sizeHint().width()
    assert bar._cause.width() >= bar._cause.sizeHint().width()


def test_the_status_bar_tells_facts(desktop, qtbot):
    facts = desktop.window.facts
    desktop.api.costs.book(0.1, 0.02)
    desktop.settle()
    facts.refresh()
    assert not facts.model.words()
    desktop.api.costs.book(0.1, 2.1)
    desktop.settle()
    facts.refresh()
    assert facts.model.words() == "Model: 1.1 s median"
    desktop.api.costs.book(0.1, 2.1)
    waits = replace(desktop.api.agents[1], health=Health.WAITING, next_try_at=NOON + timedelta(seconds=161))
    desktop.put_agent(waits)
    facts.refresh()
    assert facts.counts.words() == "1 agent · 1 chat · 0 unread messages"
    assert facts.model.words() == "Model: 2.1 s median"
    assert facts.waits.words() == "\u2068Nora Vale\u2069 connects again in 2:41"
    told = (MethodWait("send_text", NOON + timedelta(seconds=415)), MethodWait("history", NOON + timedelta(seconds=9)))
    desktop.put_agent(agent(2, "Otto Brandt", waits=told))
    facts.refresh()
    both = "\u2068Nora Vale\u2069 connects again in 2:41 · \u2068Otto Brandt\u2069 waits for Telegram: 6:55"
    assert facts.waits.words() == both
    desktop.put_agent(replace(waits, waits=told[1:]))
    facts.refresh()
    assert facts.waits.words().endswith(" · 2 accounts wait for Telegram, at most 6:55")
    assert facts.stored.words() == "Messages saved"
    qtbot.mouseClick(facts.waits, Qt.MouseButton.LeftButton)
    assert desktop.agents.isVisible()
    desktop.put_fault("store", "The disk is full.", "Make room.")
    facts.refresh()
    assert facts.stored.words() == "Not everything is saved"
    hold(desktop)
    facts.refresh()
    assert facts.held.words() == "Sending stopped on all accounts"


def test_the_next_thing_that_needs_the_operator(desktop):
    asked: list[object] = []
    desktop.window.requests.on(ShowDraft, lambda request: asked.append(request.approval_id))
    key = desktop.window.action("next_need")
    assert key.shortcut().toString() == "Ctrl+Shift+J"
    for _ in range(3):
        key.trigger()
        desktop.settle()
    assert asked == [BIG + 1, BIG + 2, BIG + 1]
    assert desktop.window.dock_manager.focus.last == "approvals"


def test_where_nothing_needs_him_it_says_so(make_desktop):
    desktop = make_desktop()
    desktop.attach()
    desktop.window.action("next_need").trigger()
    toasts = desktop.models.toasts
    assert toasts.current is not None
    assert toasts.current.text == "Nothing to approve"
    toasts.detach()


def test_a_crash_is_told_in_the_bar_and_its_report_shown(desktop, qtbot, browser, tmp_path):
    QAccessible.setActive(True)
    path = tmp_path / "crash-20261123T021320Z.txt"
    path.write_text("report", encoding="utf-8")
    report = CrashReport(path, NOON, ended=True, text="Current thread <b>0x1</b> & more")
    desktop.models.bars.tell_of_crash(report)
    bar = desktop.window.fault_bar
    assert bar.isVisible()
    assert QAccessible.queryAccessibleInterface(bar.strip).role() is QAccessible.Role.Notification
    QAccessible.setActive(False)
    assert bar.strip.accessibleName().startswith("Problem: Chimein ended unexpectedly. Today at ")
    bar.enter()
    show, folder = (button for button in bar.buttons if button.isVisible())
    assert show.hasFocus()
    qtbot.keyClick(show, Qt.Key.Key_Space)
    (dialog,) = [one for one in desktop.window.findChildren(QObject) if type(one).__name__ == "FactsDialog"]
    shown = [label.text() for label in dialog.findChildren(QLabel)]
    assert any(str(path) in words and "<b>0x1</b> & more" in words for words in shown)
    dialog.accept()
    qtbot.mouseClick(folder, Qt.MouseButton.LeftButton)
    assert browser.opened == [f"file://{tmp_path}"]
    assert desktop.window.isEnabled()
    desktop.click(desktop.button("Dismiss this problem", bar))
    assert not bar.isVisible()


@pytest.fixture
def toasting(desktop):
    yield desktop
    desktop.models.toasts.detach()


def enter(card):
    QApplication.sendEvent(card, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))


def test_it_says_what_happened_and_offers_one_thing(toasting, qtbot):
    done = []
    toasting.models.toasts.show("Sent to Marta", "Undo", lambda: done.append(1), detail="as Nora Vale")
    card = toasting.window.toast
    assert card.isVisible()
    assert card.accessibleName() == "Sent to Marta. as Nora Vale"
    assert card.height() >= 52
    assert card.button.text() == "Undo"
    facts = toasting.window.facts
    assert card.geometry().bottom() < facts.geometry().top()
    assert card.geometry().left() >= toasting.window.rail.geometry().right()
    qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert done == [1]
    assert not card.isVisible()


def test_its_clock_stands_under_the_pointer_and_the_focus(toasting):
    toasts, card = toasting.models.toasts, toasting.window.toast
    toasts.show("Sent to Marta", "Undo", lambda: None)
    enter(card)
    assert toasts.is_paused()
    QApplication.sendEvent(card, QEvent(QEvent.Type.Leave))
    assert not toasts.is_paused()
    card.button.setFocus()
    assert toasts.is_paused()
    toasting.window.panes["conversations"].focus_widget().setFocus()
    assert not toasts.is_paused()


def test_escape_closes_it(toasting):
    toasts, card = toasting.models.toasts, toasting.window.toast
    toasts.show("Sent to Marta", "Undo", lambda: None)
    card.button.setFocus()
    toasting.press(card.button, Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert toasts.current is None


def test_a_screen_reader_hears_an_alert(toasting):
    QAccessible.setActive(True)
    toasting.models.toasts.show("Sent to Marta")
    role = QAccessible.queryAccessibleInterface(toasting.window.toast).role()
    QAccessible.setActive(False)
    assert role is QAccessible.Role.Notification
