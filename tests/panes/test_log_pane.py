"""The Log pane: it follows, filters, leads to places, says what helps, and is exported without numbers."""

import json
import logging
import re

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton

from chimein_gui import ui_driver as hand
from chimein_gui.domain.ids import AgentId, ChatId, GraphId, TaskId
from chimein_gui.reporting.log_lines import FROM_OUTSIDE, LogLine, about
from chimein_gui.reporting.redaction import HIDDEN
from chimein_gui.ui.panes.log import ahead
from chimein_gui.ui.panes.log.detail import LONGEST_CAUSE
from chimein_gui.ui.panes.log.rows import level_label
from chimein_gui.ui.panes.log.strip import SIDE
from chimein_gui.ui.requests import (
    OpenAgentSource,
    OpenLogin,
    ShowAgent,
    ShowChat,
    ShowCosts,
    ShowLog,
    ShowMedia,
    ShowMemory,
    ShowPlan,
    ShowPreferences,
    ShowTrace,
)
from chimein_gui.ui.widgets.rows import paint_budget
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.log.export import as_text
from chimein_gui.viewmodels.log.model import MOST
from chimein_gui.viewmodels.log.new_lines import AT_ONCE
from chimein_gui.viewmodels.log.words import counts_words, time_words
from chimein_gui.viewmodels.preferences.catalogue import Page
from tests.fakes.engine_api import agent, approval, chat
from tests.support.logged_lines import NAME, more, say

pytestmark = [pytest.mark.with_panes("log", "plans", "agents"), pytest.mark.qt_log_ignore("propagateSizeHints")]


@pytest.fixture
def pane(log_pane):
    return log_pane


def asked(desktop):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    return sent


def test_lines_of_this_run_follow_those_of_an_earlier_one(desktop, pane):
    say("with canary-77", agent_id=1, chat_id=1, graph_id=5)
    more(desktop, pane)
    texts = [line.text for line in pane.model.lines()]
    assert texts[:2] == ["from before", "first of this run"]
    assert texts.count("first of this run") == 1, "the file has it, too, with a time in whole milliseconds"
    assert f"with {HIDDEN}" in texts, "secrets are out before anything is shown"
    row = hand.rows(pane.list)[texts.index(f"with {HIDDEN}")]
    assert "info, planning, Nora Vale, with" in row
    assert row.endswith("plan 5")


def test_a_line_stays_chosen_when_those_of_an_earlier_run_come_and_the_strip_is_there_at_once(logged, desktop):
    say("first of this run")
    desktop.window.show_pane("log")
    pane = desktop.window.panes["log"]
    assert "from before" not in [line.text for line in pane.model.lines()]
    assert pane.strip.accessibleName(), "counted before the first pause"
    row = [line.text for line in pane.model.lines()].index("first of this run")
    pane.list.choose(row)
    desktop.settle()
    assert next(line.text for line in pane.model.lines()) == "from before"
    assert pane.list.current.text == "first of this run"


def test_no_row_is_cut_at_the_end_or_where_a_line_is_chosen(desktop, pane):
    for number in range(200):
        say(f"number {number}")
    more(desktop, pane)
    row, bar = pane.list._rows.row_height(), pane.list.verticalScrollBar()
    for height in range(700, 700 + row, 5):
        desktop.window.resize(1280, height)
        pane.list.follow(on=True)
        desktop.settle()
        assert pane.list.viewport().height() >= 5 * row
        assert pane.list.viewport().height() % row == 0
        assert bar.value() == bar.maximum() > 0
        assert bar.value() % row == 0
        for chosen in (20, 60, 100):
            pane.list.choose(chosen)
            desktop.settle()
            assert bar.value() % row == 0


def test_the_strip_shows_the_lines_in_sight_and_the_span_of_the_filter(desktop, pane):
    began = pane.model.lines()[-1].at - 4000
    pane.model._put_before([LogLine(began + 13.0 * place, logging.INFO, NAME, f"old {place}") for place in range(300)])
    desktop.settle()
    pane.list.choose(61)
    desktop.settle()
    strip = pane.strip
    whole, width = strip._begin, (strip.width() - 2 * SIDE) / len(strip._bars)
    first, last = pane.list.times_in_sight()
    assert pane.model.line_at(pane.list.verticalScrollBar().value() // pane.list._rows.row_height()).at == first
    brush = strip.brush()
    for at, edge in ((first, brush.left()), (last + strip._step, brush.right())):
        assert edge == pytest.approx(SIDE + (at - whole) // strip._step * width), "it is around whole bars"
    pane.head.words.setText("29")
    pane.head._choose()
    assert strip._begin > whole
    pane.show_all()
    assert strip._begin == whole, "at once"


def test_the_details_count_the_lines_of_the_agent_alone(desktop, pane):
    for agent_id in (1, 1, None, None, None):
        say("again", agent_id=agent_id)
    more(desktop, pane)
    rows = [row for row, line in enumerate(pane.model.lines()) if line.text == "again"]
    said = []
    for row in rows:
        pane.list.choose(row)
        said.append(pane.detail.same.text())
    kept = "in the lines that are kept"
    assert said[:2] == [f"not before for this agent, {kept}", f"1 time before for this agent, {kept}"]
    assert said[2:] == [f"not before, {kept}", f"1 time before, {kept}", f"2 times before, {kept}"]


def test_the_foot_counts_in_thousands_and_follow_stands_at_the_edge(desktop, pane):
    assert counts_words(1143, 1143) == "1,143 of 1,143 lines"
    edge = pane.head.mapTo(pane, pane.head.rect().topRight()).x()
    ends = [one.mapTo(pane, one.rect().topRight()).x() for one in (pane.head.follow, pane.head.diagnostics)]
    assert ends[0] == ends[1] < edge


def test_each_line_leads_to_its_plan_chat_or_account(desktop, pane):
    sent = asked(desktop)
    for of in ({"agent_id": 1}, {"chat_id": 1}, {"chat_id": 1, "graph_id": 5}, {}):
        say("leads", **of)
    more(desktop, pane)
    rows = [row for row, line in enumerate(pane.model.lines()) if line.text == "leads"]
    for row in rows:
        pane.list.choose(row)
        desktop.press(pane.list, Qt.Key.Key_Return)
    assert [one for one in sent if isinstance(one, ShowAgent | ShowChat | ShowPlan)] == [
        ShowAgent(AgentId(1)),
        ShowChat(ChatId(1)),
        ShowPlan(ChatId(1), graph_id=GraphId(5)),
    ]
    assert pane.model.agent_name(pane.model.line_at(rows[1])) == "Nora Vale", "by its chat"


@pytest.mark.parametrize(
    ("line", "link", "request_"),
    [
        (("engine.media.sources", logging.INFO, {"agent_id": 1}), "media", ShowMedia()),
        (("engine.memory.writer", logging.INFO, {}), "memory", ShowMemory()),
        (("engine.llm.spend_gate", logging.INFO, {"chat_id": 1}), "costs", ShowCosts()),
        (("engine.llm.caps", logging.INFO, {"chat_id": 1}), "costs", ShowCosts()),
        (("engine.agents.reconcile", logging.INFO, {}), "files", OpenAgentSource()),
        (("adapters.telegram.client", logging.ERROR, {"agent_id": 1}), "log in", OpenLogin(AgentId(1))),
        (
            ("engine.media.enricher", logging.INFO, {"chat_id": 1, "graph_id": 5}),
            "plan 5",
            ShowPlan(ChatId(1), graph_id=GraphId(5)),
        ),
    ],
)
@pytest.mark.with_panes("log", "plans", "media", "memory", "costs", "sources")
def test_a_line_leads_to_what_it_speaks_of(desktop, pane, expected_logs, line, link, request_):
    source, level, of = line
    if level > logging.INFO:
        expected_logs("AuthKeyUnregistered")
    text = "AuthKeyUnregistered: session was revoked"
    sent = asked(desktop)
    say(text, level, f"chimein_gui.{source}", **of)
    more(desktop, pane)
    row = next(row for row, line in enumerate(pane.model.lines()) if line.text == text)
    assert hand.rows(pane.list)[row].endswith(f", {link}")
    pane.list.choose(row)
    shown = pane.detail.remedy if link == "log in" else pane.detail.open
    assert (shown.isVisible(), shown.text()) == (True, "Log in again…" if link == "log in" else f"Open {link}")
    assert pane.detail.open.isVisible() is not pane.detail.remedy.isVisible()
    desktop.press(pane.list, Qt.Key.Key_Return)
    assert request_ in sent


def test_the_details_name_the_chat(desktop, pane):
    say("about a chat", chat_id=1)
    say("about none")
    more(desktop, pane)
    for text, name in (("about a chat", "Marta Oliveira"), ("about none", "")):
        pane.list.choose(next(row for row, line in enumerate(pane.model.lines()) if line.text == text))
        assert pane.detail.chat.isHidden() is not bool(name)
        assert not name or name in pane.detail.chat.accessibleName()


def test_it_follows_until_the_operator_scrolls_up(desktop, pane):
    for number in range(200):
        say(f"number {number}")
    more(desktop, pane)
    bar = pane.list.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    wheel(pane.list, up=True)
    assert not pane.list.follows
    assert not pane.head.follow.isChecked()
    place = bar.value()
    say("one more")
    more(desktop, pane)
    assert bar.value() == place < bar.maximum()
    desktop.press(pane.list, Qt.Key.Key_F, "f")
    assert pane.head.follow.isChecked()
    assert bar.value() == bar.maximum()
    pane.head.follow.click()
    assert not pane.list.follows


class _Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget):
        super().__init__()
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched, event):
        self.count += event.type() == QEvent.Type.Paint
        return False


@pytest.fixture
def full(desktop, pane, monkeypatch):
    """The pane with as many lines as it keeps; it fetches and shows further ones only when the test says so."""
    monkeypatch.setattr("chimein_gui.viewmodels.log.model.MOST", AT_ONCE)
    for number in range(AT_ONCE + 20):
        say(f"number {number}", agent_id=1)
    more(desktop, pane)
    assert pane.model.total == AT_ONCE
    pane.model.new.stop()
    pane.model.counting.stop()
    desktop.settle()
    return pane


def test_while_it_follows_new_lines_and_dropped_ones_cost_one_paint_and_the_counts_another(
    desktop, full, monkeypatch, expected_logs
):
    expected_logs(f"WARNING {NAME}: later")
    monkeypatch.setattr(paint_budget, "BUDGET_S", 60.0)  # else a slow machine paints some rows in the next frame
    others = (full.head, full.head.level, full.strip, full.list.viewport())
    paints = [_Paints(one) for one in others]
    dropped: list[int] = []
    full.model.dropping.connect(dropped.append)
    for number in range(30):
        say(f"later {number}", logging.WARNING)
    full.model.take_new()
    desktop.settle()
    assert dropped == [30]
    assert [one.count for one in paints] == [0, 0, 0, 1], "counts and strip are painted in a turn of their own"
    bar = full.list.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    full.model.counted.emit()
    desktop.settle()
    assert paints[2].count >= 1
    assert desktop.sees("Warnings + 30", full.head)


def test_rows_of_lines_that_come_are_painted_some_in_each_turn_before_they_are_shown(desktop, full, monkeypatch):
    monkeypatch.setattr(ahead, "SLICE_S", 0.0)  # one row a turn, however fast the machine is
    for number in range(100):
        say(f"later {number}", agent_id=1)
    full.model.new.look()
    full.model.new.stop()
    rows_ahead, pictures = full.list._ahead, full.list._rows.pictures
    in_sight = len(rows_ahead._lines)
    assert 5 < in_sight < 60
    for number in range(1, in_sight + 1):
        before = pictures.painted
        rows_ahead._paint_some()
        assert (pictures.painted, len(rows_ahead._lines)) == (before + 1, in_sight - number)
    painted, paints = pictures.painted, _Paints(full.list.viewport())
    full.model.new.show()
    desktop.settle()
    assert full.model.line_at(full.model.rowCount() - 1).text == "later 99"
    assert (paints.count, pictures.painted) == (1, painted), "their pictures were there"


def test_lines_that_are_not_shown_yet_are_when_the_pane_is_hidden(desktop, full):
    say("the last one")
    full.model.new.look()
    assert full.model.line_at(full.model.rowCount() - 1).text != "the last one"
    full.model.watch(watched=False)
    assert full.model.line_at(full.model.rowCount() - 1).text == "the last one"


def test_when_the_current_line_is_dropped_none_is_current(desktop, full):
    full.list.setFocus()
    full.list.choose(3)
    full.list.follow(on=True)
    for number in range(10):
        say(f"later {number}")
    full.model.take_new()
    assert (full.list.current, full.detail.isVisible()) == (None, False)
    desktop.press(full.list, Qt.Key.Key_J, "j")
    assert full.list.current.text == "later 9"


def test_the_oldest_lines_are_dropped_and_those_in_sight_stay(desktop, pane, qtbot):
    for number in range(MOST - 10):
        say(f"number {number}")
        if number % AT_ONCE == AT_ONCE - 1:
            pane.model.take_new()
    more(desktop, pane)
    pane.list.choose(pane.model.rowCount() - 100)
    seen = pane.model.line_at(pane.list.indexAt(QPoint(5, 5)).row())
    for number in range(50):
        say(f"then {number}")
    more(desktop, pane)
    qtbot.waitUntil(lambda: pane.model.total <= MOST)
    assert pane.model.total == MOST
    assert pane.model.line_at(pane.list.indexAt(QPoint(5, 5)).row()) is seen
    assert sum(bar.lines for bar in pane.model.density.bars(100)[2]) == pane.model.rowCount()


def test_a_chat_is_found_by_its_whole_name_and_a_name_stands_for_all_that_begin_so(desktop, pane):
    for number, title in ((2, "Mara Lind"), (3, "Mara Sand"), (4, "3 friends")):
        desktop.put_chat(chat(number, title))
        say(f"of {title}", chat_id=number)
    more(desktop, pane)

    def seen(typed):
        pane.head.words.setText(typed)
        pane.head._choose()
        desktop.settle()
        return [line.text for line in pane.model.lines()]

    assert seen("chat:mara") == ["of Mara Lind", "of Mara Sand"]
    assert seen('chat:"Mara Sand"') == seen('chat:"mara s" of') == ["of Mara Sand"]
    assert seen('chat:"Mara Sand') == ["of Mara Sand"], "while it is typed"
    assert seen("chat:3") == ["of Mara Sand"], "a number is that of a chat"
    assert seen('chat:"3"') == ["of 3 friends"]
    assert seen('chat:"nobody at all"') == []
    desktop.window.requests.send(ShowLog(chat_id=ChatId(3)))
    desktop.settle()
    assert [line.text for line in pane.model.lines()] == ["of Mara Sand"]


def test_a_whole_name_of_an_agent_stands_for_it_alone_and_its_beginning_for_all(desktop, pane):
    for number, name in ((2, "Norah"), (3, "Nor")):
        desktop.put_agent(agent(number, name))
    for number, name in ((1, "Nora Vale"), (2, "Norah"), (3, "Nor")):
        say(f"of {name}", agent_id=number)
    more(desktop, pane)

    def seen(typed):
        pane.head.words.setText(f"{typed} of")
        pane.head._choose()
        desktop.settle()
        return [line.text for line in pane.model.lines()]

    assert seen("agent:nora") == ["of Nora Vale", "of Norah"]
    assert seen("agent:nor") == ["of Nor"], "there is one of that name"
    assert seen('agent:"Nora Vale"') == ["of Nora Vale"]
    pane.head.agent.choose(2)
    assert seen("agent:nora") == ["of Norah"], "both have to fit"


@pytest.mark.with_panes("log", "preferences")
def test_a_rejected_key_offers_the_preferences(desktop, pane):
    sent = asked(desktop)
    with about(agent_id=1, chat_id=1):
        logging.getLogger("chimein_gui.engine.llm.calls").error(
            "The API key for gemini-2.5-flash does not work; plans wait: 403", extra=FROM_OUTSIDE
        )
    more(desktop, pane)
    pane.list.setFocus()
    pane.list.choose(0)
    desktop.press(pane.list, Qt.Key.Key_E, "e")
    assert desktop.sees("Check the keys in Preferences.", pane)
    desktop.button("Open preferences", pane).click()
    assert ShowPreferences(Page.KEYS) in sent


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("TWO", ["two words"]),
        ("level:error", ["bad"]),
        ("part:telegram", ["two words"]),
        ("agent:nora", ["bad"]),
        ("agent:nobody", []),
        ("chat:1 words", ["two words"]),
        ("chat:marta", ["two words"]),
        ("chat:nobody", []),
        ("plan:7", []),
    ],
)
def test_words_and_keys_filter(desktop, pane, expected_logs, typed, seen):
    expected_logs(f"ERROR {NAME}: bad")
    say("bad", logging.ERROR, agent_id=1)
    say("two words", name="chimein_gui.adapters.telegram.client", chat_id=1)
    more(desktop, pane)
    pane.head.words.setText(typed)
    pane.head._choose()
    shown = [line.text for line in pane.model.lines()]
    assert [text for text in shown if text in ("bad", "two words")] == (
        seen if typed != "agent:nora" else ["bad", "two words"]
    ), "the agent of a chat counts, too"
    if not seen:
        assert desktop.sees("No lines match", pane)
        assert not pane._keys.isVisible(), "no key does anything without lines"
        foot = pane._keys.parentWidget()
        assert foot.height() == pane._keys.height() > 30, "as high as with keys"
        assert foot.geometry().bottom() == pane.rect().bottom()
        desktop.button("Show all lines", pane).click()
        assert pane.model.wanted.is_open
        assert pane.model.rowCount() > 2


def test_the_levels_count_what_the_rest_of_the_filter_takes(desktop, pane, expected_logs):
    expected_logs(f"ERROR {NAME}: bad")
    expected_logs(f"WARNING {NAME}: odd")
    say("bad", logging.ERROR)
    say("odd", logging.WARNING)
    say("quiet", name="chimein_gui.adapters.telegram.client")
    more(desktop, pane)

    def words() -> list[str]:
        pane.head._choose()
        pane.refresh()
        return [button.text() for button in pane.head.level.buttons()[2:]]

    assert words() == ["Warnings + 3", "Errors 1"], "one of them was written before"
    pane.head.words.setText("bad")
    assert words() == ["Warnings + 1", "Errors 1"]
    say("bad again", logging.INFO)
    more(desktop, pane)
    assert words() == ["Warnings + 1", "Errors 1"]
    pane.head.words.setText("quiet")
    assert words() == ["Warnings +", "Errors"]
    pane.head.words.setText("")
    pane.head.level.buttons()[3].click()
    assert words() == ["Warnings + 3", "Errors 1"], "the levels themselves do not count"


def test_a_filter_leaves_the_strip_its_axis(desktop, pane, expected_logs):
    expected_logs(f"ERROR {NAME}: bad")
    say("bad", logging.ERROR)
    more(desktop, pane)
    pane.strip.refresh()
    axis = pane.strip._begin, pane.strip._step, len(pane.strip._bars)
    pane.head.words.setText("bad")
    pane.head._choose()
    pane.strip.refresh()
    assert (pane.strip._begin, pane.strip._step, len(pane.strip._bars)) == axis
    assert sum(bar.lines for bar in pane.strip._bars) == 1


def test_a_chat_is_named_and_not_numbered(desktop, pane):
    say("Replied: 3 tasks", chat_id=1)
    more(desktop, pane)
    pane.list.choose(pane.model.rowCount() - 1)
    assert hand.rows(pane.list)[-1].endswith("Replied: 3 tasks, Marta Oliveira")
    assert pane.detail.open.text() == "Open chat"
    assert "chat 1" not in " ".join(hand.rows(pane.list))


def test_a_cause_of_ours_is_whole_in_a_narrow_window(desktop, pane, expected_logs):
    text = "FloodWait 420 s on send_text, until 04:59:07"
    expected_logs(re.escape(f"WARNING {NAME}: {text}"))
    say(text, logging.WARNING, agent_id=1)
    more(desktop, pane)
    desktop.window.resize(1280, 720)
    pane.list.choose([line.text for line in pane.model.lines()].index(text))
    for _ in range(3):
        QApplication.processEvents()
        desktop.settle()
    cause = pane.detail.cause
    assert cause.fontMetrics().horizontalAdvance(cause.text()) > cause.width(), "it has no room on one line"
    assert cause.height() >= cause.heightForWidth(cause.width())


def test_without_words_in_the_filter_no_other_words_are_proposed(desktop, pane):
    pane.head.level.buttons()[3].click()
    desktop.settle()
    assert desktop.sees("Try another level, part or agent.", pane)
    pane.head.words.setText("nobody logged this")
    pane.head._choose()
    pane.refresh()
    assert desktop.sees("Try other words, another level, part or agent.", pane)


def test_the_details_say_first_what_helps(desktop, pane, expected_logs):
    expected_logs("ERROR chimein_gui.adapters.telegram: AuthKeyUnregistered: no phone")
    sent = asked(desktop)
    try:
        raise RuntimeError("the session was revoked")
    except RuntimeError:
        with about(agent_id=1):
            logging.getLogger("chimein_gui.adapters.telegram").exception(
                "AuthKeyUnregistered: no %s", "phone=+99966 123 4567"
            )
    more(desktop, pane)
    pane.list.setFocus()
    pane.list.choose(0)
    desktop.press(pane.list, Qt.Key.Key_E, "e")
    assert pane.list.current.level == logging.ERROR
    assert desktop.sees("Log in again. Until then this account sends nothing", pane)
    assert pane.detail.cause.text() == "RuntimeError: the session was revoked"
    assert "Traceback" in pane.detail.text.toPlainText()
    desktop.button("Log in again…", pane).click()
    assert OpenLogin(AgentId(1)) in sent
    desktop.button("Copy", pane).click()
    copied = QGuiApplication.clipboard().text()
    assert "AuthKeyUnregistered" in copied
    assert "123 4567" not in copied


FAILED = "The model call failed for good: Gemini can't answer now (HTTP 500): An internal error has occurred."


@pytest.mark.parametrize(
    ("level", "text", "cause"),
    [
        (logging.ERROR, FAILED, "Gemini can't answer now (HTTP 500): An internal error has occurred."),
        (
            logging.ERROR,
            "The session was revoked: session ended",
            "It was ended from another device, or by Telegram.",
        ),
        (
            logging.ERROR,
            "The API key for gemini does not work; plans wait: Gemini does not accept the API key (HTTP 403)",
            "Gemini does not accept the API key (HTTP 403)",
        ),
        (
            logging.WARNING,
            "FloodWait 420 s on send_text, until 04:59:07",
            "Telegram limits how much an account asks for and sends in a while.",
        ),
        (logging.WARNING, "A cap is reached", ""),
        (logging.INFO, "Replied: 3 tasks", ""),
    ],
)
def test_the_details_name_the_cause_that_is_told_and_have_no_row_for_none(
    desktop, pane, expected_logs, level, text, cause
):
    if level >= logging.WARNING:
        expected_logs(re.escape(f"{logging.getLevelName(level)} {NAME}: {text}"))
    say(text, level, agent_id=1)
    more(desktop, pane)
    pane.list.choose([line.text for line in pane.model.lines()].index(text))
    desktop.settle()
    assert pane.detail.cause.text() == cause
    assert pane.detail.cause.isVisible() is bool(cause)
    assert desktop.sees("Cause", pane.detail) is bool(cause)


def test_no_cross_stands_in_a_field_that_was_cleared(desktop, pane, qtbot):
    (cross,) = pane.head.words.findChildren(QToolButton)
    pane.head.words.setText("nobody logged this")
    qtbot.waitUntil(cross.isVisible)
    pane.show_all()
    assert not pane.head.words.text()
    qtbot.waitUntil(lambda: not cross.isVisible())


def test_a_plan_that_failed_says_who_plans_again(desktop, pane, expected_logs):
    expected_logs(re.escape(f"ERROR {NAME}: {FAILED}"))
    say(FAILED, logging.ERROR, chat_id=1, graph_id=5)
    more(desktop, pane)
    pane.list.choose([line.text for line in pane.model.lines()].index(FAILED))
    assert pane.detail.now.text().endswith("The trace of the plan says why; there you can plan again.")


@pytest.mark.parametrize("width", [1440, 1000])
def test_no_fact_of_the_details_is_cut(desktop, pane, expected_logs, width, longer):
    expected_logs(re.escape(f"ERROR {NAME}: {FAILED}"))
    say(FAILED, logging.ERROR, agent_id=1, graph_id=5)
    more(desktop, pane)
    desktop.window.resize(width, 720)
    pane.list.choose([line.text for line in pane.model.lines()].index(FAILED))
    for _ in range(3):
        QApplication.processEvents()
        desktop.settle()
    detail = pane.detail
    for label in (detail.now, detail.same):
        assert label.height() >= label.heightForWidth(label.width())
    assert detail.cause.height() >= detail.cause.fontMetrics().height()
    assert detail.same.geometry().bottom() < detail._facts.height()
    assert detail.geometry().bottom() <= pane._split.rect().bottom()


def test_times_stand_in_letters_of_one_width(desktop, pane):
    metrics = desktop.window.theme.metrics(Face.MONO)
    assert {metrics.horizontalAdvance(words) for words in ("11:11:11.111", "08:00:48.888")} == {
        metrics.horizontalAdvance("00:00:00.000")
    }
    picture, line = QPixmap(900, 30), pane.model.lines()[0]
    painter = QPainter(picture)
    drawn = pane.list._rows._words_of(painter, QRectF(picture.rect()), line, level_label(line.level), is_strong=False)
    painter.end()
    assert [face for face, *_place, words in drawn if words == time_words(line.at)] == [Face.MONO]


def test_the_shown_lines_are_exported_without_numbers(desktop, pane, tmp_path):
    say("call +99966 123 4567 back", agent_id=1)
    say("not this one")
    more(desktop, pane)
    pane.head.words.setText("back")
    pane.head._choose()
    pane.ask_export()
    pane.chooser.fileSelected.emit(str(tmp_path / "log.jsonl"))
    pane.chooser.close()
    desktop.settle()
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["text"], line["agent"]) for line in lines] == [("call [number] back", 1)]
    assert desktop.sees("1 line(s) exported to", pane) or desktop.sees("1 line exported to", pane)


def test_another_pane_asks_for_the_lines_of_an_agent_or_a_plan(desktop, pane):
    say("of the plan", chat_id=1, graph_id=5)
    say("of no plan", chat_id=1)
    more(desktop, pane)
    desktop.window.requests.send(ShowLog(chat_id=ChatId(1), graph_id=GraphId(5)))
    assert [line.text for line in pane.model.lines()] == ["of the plan"]
    assert QApplication.focusWidget() is pane.list
    desktop.window.requests.send(ShowLog(agent_id=AgentId(1)))
    assert [line.text for line in pane.model.lines()] == ["of the plan", "of no plan"]


def test_a_run_without_a_log_says_so(desktop):
    desktop.window.show_pane("log")
    desktop.settle()
    assert desktop.sees("This run keeps no log", desktop.window.panes["log"])


def wheel(view, *, up):
    point = QPointF(20, 20)
    event = QWheelEvent(
        point,
        view.viewport().mapToGlobal(point),
        QPoint(0, 0),
        QPoint(0, 240 if up else -240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


@pytest.mark.with_panes("log", "plans", "traces")
def test_what_was_written_while_a_plan_was_made_leads_to_it_once_it_has_a_number(desktop, pane):
    sent = asked(desktop)

    def links() -> list[str]:
        return [row.rpartition(", ")[2] for row in hand.rows(pane.list)[-3:]]

    say("asked", agent_id=1, chat_id=1, task_id=41)
    say("asked for another", agent_id=1, chat_id=1, task_id=42)
    more(desktop, pane)
    pane.list.choose(pane.model.rowCount() - 2)
    assert pane.detail.trace.isVisible()
    desktop.press(pane.list, Qt.Key.Key_T, "t")
    assert sent[-1] == ShowTrace(task_id=TaskId(41)), "of the attempts, while there is no plan"
    assert links()[1:] == ["Marta Oliveira"] * 2
    say("A plan was made and saved", agent_id=1, chat_id=1, graph_id=5, task_id=41)
    more(desktop, pane)
    assert links() == ["plan 5", "Marta Oliveira", "plan 5"]
    assert pane.list.current.text == "asked"
    assert pane.detail.open.text() == "Open plan 5"
    desktop.press(pane.list, Qt.Key.Key_T, "t")
    assert sent[-1] == ShowTrace(GraphId(5))
    desktop.press(pane.list, Qt.Key.Key_Return)
    assert sent[-1] == ShowPlan(ChatId(1), graph_id=GraphId(5))
    assert [json.loads(one).get("plan") for one in as_text(pane.model.lines()).splitlines()[-3:]] == [5, None, 5]
    assert pane.model.same_before(pane.list.current) == 0


def test_the_lines_of_a_plan_come_with_its_number_into_a_filter(desktop, pane):
    pane.head.words.setText("plan:5")
    pane.head._choose()
    for task_id in (41, 42):
        say("asked", agent_id=1, chat_id=1, task_id=task_id)
    more(desktop, pane)
    assert pane.model.rowCount() == 0
    say("A plan was made and saved", agent_id=1, chat_id=1, graph_id=5, task_id=41)
    more(desktop, pane)
    assert [line.text for line in pane.model.lines()] == ["asked", "A plan was made and saved"]
    assert [line.about.task_id for line in pane.model.lines()] == [41, 41]


def test_after_a_change_of_size_the_list_stands_on_a_row_where_it_is_not_followed(desktop, pane):
    for number in range(200):
        say(f"number {number}")
    more(desktop, pane)
    row, bar = pane.list._rows.row_height(), pane.list.verticalScrollBar()
    for height in range(720, 720 + row, 3):
        desktop.window.resize(1280, 720)
        pane.list.choose(pane.model.rowCount() - 2)  # near the end: there the height limits the place
        desktop.settle()
        desktop.window.resize(1440, height + 180)
        desktop.settle()
        assert not pane.list.follows
        assert bar.value() % row == 0, height


def test_a_session_that_was_ended_says_how_and_what_is_held(desktop, pane, expected_logs):
    text = "The session was revoked: session ended"
    expected_logs(re.escape(f"ERROR {NAME}: {text}"))
    say(text, logging.ERROR, agent_id=1)
    more(desktop, pane)
    pane.list.choose(pane.model.rowCount() - 1)
    assert pane.detail.cause.text() == "It was ended from another device, or by Telegram."
    held = sum(one.agent_id == 1 for one in desktop.models.approvals.items())
    assert held > 1
    words = "Log in again. Until then this account sends nothing"
    assert pane.detail.now.text() == f"{words}; {held} drafts are held."
    desktop.models.approvals.upsert(approval(9, agent_id=AgentId(1)))
    pane.refresh()
    assert pane.detail.now.text() == f"{words}; {held + 1} drafts are held."
    for one in desktop.models.approvals.items():
        desktop.models.approvals.remove(one.approval_id)
    pane.refresh()
    assert pane.detail.now.text() == f"{words}; drafts are kept."


def test_a_long_cause_is_cut_between_words(desktop, pane, expected_logs):
    cause = "The service says that " + "some words of other forms " * 20
    expected_logs(re.escape(f"ERROR {NAME}: The model call failed for good: {cause.strip()}"))
    say(f"The model call failed for good: {cause.strip()}", logging.ERROR, agent_id=1)
    more(desktop, pane)
    pane.list.choose(pane.model.rowCount() - 1)
    shown = pane.detail.cause.text()
    assert shown.endswith("…")
    assert len(shown) <= LONGEST_CAUSE + 1
    assert shown.removesuffix("…").split(" ") == cause.split(" ")[: len(shown.split(" "))], "each word is whole"


def test_the_model_is_one_part_whoever_writes_of_it(desktop, pane):
    say("asked", name="chimein_gui.adapters.gemini.exchange")
    say("booked", name="chimein_gui.engine.llm.calls")
    more(desktop, pane)
    for words in ("part:llm", "part:gemini"):
        pane.head.words.setText(words)
        pane.head._choose()
        assert [line.text for line in pane.model.lines()] == ["asked", "booked"]
