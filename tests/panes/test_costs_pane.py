"""The Costs pane: a cap that is reached asks, caps are changed in place, and table and chart say the same."""

from __future__ import annotations

import csv
import time
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QContextMenuEvent, QDesktopServices, QFontMetricsF
from PySide6.QtWidgets import QAbstractItemView, QApplication

from chimein_gui.domain.costs import Price
from chimein_gui.domain.ids import AgentId, ChatId
from chimein_gui.domain.notes import Note, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.spending.caps import (
    EVERYTHING,
    STEP_USD,
    CapDay,
    Release,
    cap_of_agent,
    cap_of_chat,
    without_price,
)
from chimein_gui.domain.spending.sums import Grouping, PlanCosts
from chimein_gui.ui.panes.costs.chart import nice_axis
from chimein_gui.ui.panes.costs.table import figures_of
from chimein_gui.ui.requests import ClosePane, OpenFolder, ShowAgent, ShowChat, ShowCosts, ShowTrace
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.viewmodels.costs.pane import REST, Period
from chimein_gui.viewmodels.costs.words import cap_words, percent_words, price_words
from tests.fakes.engine_api import agent, chat
from tests.support.spent import TODAY, row

pytestmark = [pytest.mark.with_panes("costs"), pytest.mark.qt_log_ignore("propagateSizeHints")]


@pytest.fixture
def pane(costs):
    return costs


def names(pane):
    return [line.name for line in pane.table.model.lines]


def test_without_calls_it_says_so_and_offers_a_cap(desktop):
    desktop.window.show_pane("costs")
    desktop.settle()
    pane = desktop.window.panes["costs"]
    assert pane._stack.currentWidget() is pane._empty
    assert pane.focus_widget() is pane._empty
    assert not pane._keys.isVisible(), "no key does anything without rows"
    assert pane._keys.parentWidget().height() == pane._keys.height() > 30
    assert [choice.current() for choice in (pane.period, pane.grouping, pane.measure)] == [0, 0, 0]
    pane.edit_cap(EVERYTHING)
    assert pane.editor.isVisible()


def test_periods_and_groups(desktop, pane):
    assert [round(line.sums.usd, 2) for line in pane.table.model.lines] == [3.75]
    pane.period.chosen.emit(list(Period).index(Period.WEEK))
    pane.grouping.chosen.emit(list(Grouping).index(Grouping.PURPOSE))
    assert names(pane) == ["Descriptions", "Plans", "Embeddings"]
    pane.period.chosen.emit(list(Period).index(Period.TODAY))
    pane.grouping.chosen.emit(list(Grouping).index(Grouping.CHAT))
    assert names(pane)[1:] == ["No chat"]
    pane.grouping.chosen.emit(list(Grouping).index(Grouping.MODEL))
    assert names(pane) == ["gemini-2.5-flash", "gemini-e"]


def test_the_calendar_month_and_what_single_plans_cost(desktop, pane):
    desktop.api.costs.of_plans = PlanCosts(412, 30, 0.0042, 0.021)
    desktop.api.costs.rows.append(row(TODAY.day, usd=9.0))
    pane.period.chosen.emit(list(Period).index(Period.THIS_MONTH))
    desktop.settle()
    assert desktop.api.costs.asked_days[-1] == (TODAY.replace(day=1), TODAY)
    assert [round(line.sums.usd, 2) for line in pane.table.model.lines] == [3.75], (
        "the last day of the last month is out"
    )
    figures = {one.title: (one.value, one.more) for one in pane.figures.figures}
    assert figures["For one plan"] == ("$0.0042", "median; 95 % at most $0.02")
    assert figures["Calls"][1] == "30 plans said nothing"
    desktop.api.costs.of_plans = PlanCosts(3)
    pane.period.chosen.emit(list(Period).index(Period.TODAY))
    figures = {one.title: (one.value, one.more) for one in pane.figures.figures}
    assert figures["For one plan"] == ("…", "being read"), "nothing is known yet of the plans of other days"
    assert figures["Calls"][1] == ""
    desktop.settle()
    figures = {one.title: (one.value, one.more) for one in pane.figures.figures}
    assert figures["For one plan"] == ("–", "no plan with a price")
    assert figures["Calls"][1] == "3 plans"


def test_the_chart_says_by_what_its_bars_are_divided(pane):
    assert pane.chart.accessibleName() == "Costs: By day and agent"
    pane.grouping.chosen.emit(list(Grouping).index(Grouping.MODEL))
    assert pane.chart.accessibleName() == "Costs: By day and model"
    assert not pane.chart.grab().isNull()


def test_the_day_costs_as_much_as_its_rows_also_while_the_next_call_is_booked(desktop, pane):
    pane.costs.today.today = replace(pane.costs.today.today, usd=99.0)  # the ledger is ahead of the rows
    pane.costs.today.changed.emit()
    figures = {one.title: one.value for one in pane.figures.figures}
    assert figures["Today"] == "$0.75"


def test_a_day_says_which_chat_cost_the_most(desktop, pane):
    pane.costs.choose(grouping=Grouping.CHAT)
    kinds = {line.chat_id: line for line in pane.table.model.lines}
    said = pane.table.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert kinds[ChatId(1)].is_group is False
    assert ", DM, " in said
    desktop.api.costs.rows.append(row(0, chat_id=2, usd=0.7, calls=61))
    pane.costs.read()
    desktop.settle()
    tip = pane.chart.words_at(pane.chart.bar_of(TODAY).center().x())
    assert tip.startswith(f"{TODAY.day} ")
    assert "$1.45" in tip
    assert tip.endswith(", 61 calls")
    assert pane.chart.words_at(0) == ""
    colours = {line.key: line.identity for line in pane.table.model.lines}
    pane.costs.choose_day(TODAY)
    assert [line.key for line in pane.table.model.lines] == [2, 1, 0]
    assert {line.key: line.identity for line in pane.table.model.lines} == colours
    assert {key: identity for key, _, identity in pane.costs.stacks()[0]} == colours
    assert "61 calls" in pane.chart.accessibleDescription()
    assert not pane.chart.grab().isNull()


def test_a_row_says_all_that_it_shows(desktop, pane):
    desktop.api.costs.put_cap(CapDay(cap_of_agent(AgentId(1)), 1.0, spent_usd=0.85))
    desktop.settle()
    said = pane.table.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Calls 8" in said
    assert "Cached 25 %" in said
    assert "Thinking 40 %" in said
    assert "Cost $3.75" in said
    assert said.endswith("today $0.85 of $1.00, cap nearly reached")


def test_the_arrow_keys_of_the_chart_choose_a_day_of_the_table(desktop, pane):
    chart = pane.chart
    chart.setFocus()
    desktop.press(chart, Qt.Key.Key_Left)
    assert pane.costs.day == TODAY
    desktop.press(chart, Qt.Key.Key_Left)
    assert [line.sums.usd for line in pane.table.model.lines] == [1.0]
    assert "$1.00" in chart.accessibleDescription()
    desktop.press(chart, Qt.Key.Key_Escape)
    assert pane.costs.day is None
    assert "most on" in chart.accessibleDescription()


def test_a_click_on_a_bar_chooses_its_day_and_a_second_one_all(desktop, pane, qtbot):
    chart = pane.chart
    at = chart.bar_of(TODAY).center().toPoint()
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at)
    assert pane.costs.day == TODAY
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at)
    assert pane.costs.day is None


def test_a_day_that_begins_at_one_leads_to_the_traces_from_one(pane, monkeypatch):
    monkeypatch.setenv("TZ", "America/Santiago")
    time.tzset()
    try:
        pane.costs.day = date(2026, 9, 6)
        wanted = pane.costs.traces_of(pane.table.model.lines[0])
    finally:
        monkeypatch.undo()
        time.tzset()
    assert wanted is not None
    assert (wanted.since, wanted.until) == (
        datetime(2026, 9, 6, 4, tzinfo=UTC),
        datetime(2026, 9, 7, 3, tzinfo=UTC),
    )


def test_many_groups_are_told_apart_in_the_table_and_one_rest_in_the_chart(desktop, pane):
    desktop.api.costs.rows.extend(row(0, 1, 0, "plan", 0.01, model=f"model-{number}") for number in range(12))
    pane.costs.read()
    desktop.settle()
    pane.grouping.chosen.emit(list(Grouping).index(Grouping.MODEL))
    legend, values = pane.costs.stacks()
    assert len(pane.table.model.lines) == 14
    assert legend[-1][0] == REST
    assert sum(values[TODAY].values()) == pytest.approx(0.5 + 0.25 + 0.12)


def test_a_cap_is_changed_in_place_and_taken_back(desktop, pane):
    pane.table.list.setFocus()
    desktop.press(pane.table.list, Qt.Key.Key_C)
    assert pane.editor.isVisible()
    assert pane.editor.amount.accessibleName().startswith("Daily cap for ")
    pane.editor.amount.setValue(0.25)
    desktop.press(pane.editor.amount, Qt.Key.Key_Return)
    desktop.settle()
    key = cap_of_agent(AgentId(1))
    assert desktop.api.costs.caps[key].usd == 0.25
    assert pane.table.list.hasFocus()
    desktop.click(pane.news.undo_it)
    desktop.settle()
    assert key not in desktop.api.costs.caps


def test_a_change_of_a_cap_is_told_with_its_amounts_once_the_caps_are_read(desktop, pane):
    told: list[tuple[str, float | None]] = []

    def note(_edit: object) -> None:
        cap = pane.costs.today.cap(EVERYTHING)
        told.append((pane.news.accessibleName(), None if cap is None else cap.usd))

    pane.costs.caps.done.connect(note)
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 0.0028, spent_usd=0.0014))
    desktop.settle()
    for usd in (2.5, 2.5, None):
        pane.costs.caps.set_cap(EVERYTHING, usd)
        desktop.settle()
    desktop.click(pane.news.undo_it)
    desktop.settle()
    pane.costs.caps.set_cap(cap_of_agent(AgentId(1)), 1.0)
    desktop.settle()
    assert told == [
        ("Daily cap: $2.50 instead of $0.0028", 2.5),
        ("Daily cap: $2.50, as before", 2.5),
        ("Daily cap: none any more instead of $2.50", None),
        ("Taken back. Daily cap: $2.50; there was none before", 2.5),
        ("Daily cap for Nora Vale: $1.00; there was none before", 2.5),
    ]


def test_a_cap_raised_for_today_is_drawn_over_today_alone(desktop, pane):
    chart = pane.chart
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 1.0, spent_usd=0.5))
    desktop.settle()
    ((left, right, _y),) = chart.cap_lines()
    assert right - left > 0.9 * (chart.width() - 80), "over all days"
    assert chart.accessibleDescription().endswith(", daily cap $1.00: pauses and asks")
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 1.0, 2.0, spent_usd=0.5))
    desktop.settle()
    (daily, today) = chart.cap_lines()
    slot = chart.bar_of(TODAY)
    assert (daily[1], today[0]) == (today[0], daily[1])
    assert today[0] < slot.left() < slot.right() < today[1]
    assert today[1] - today[0] < 2 * slot.width()
    assert today[2] < daily[2], "the raised part is higher"
    assert chart.accessibleDescription().endswith(", daily cap $1.00, today $3.00: pauses and asks")
    assert pane.figures.figures[0].more == "17 % of $3.00, today only"
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 1.0, spent_usd=0.5, is_lifted=True))
    desktop.settle()
    assert [line[1] for line in chart.cap_lines()] == [daily[1]]
    assert chart.accessibleDescription().endswith(", daily cap $1.00, none today")


@pytest.mark.parametrize("usd", [1.0, 2.0, 3.0, 5.0, 10.0])
def test_the_words_of_a_cap_stay_in_the_plot(desktop, pane, usd):
    desktop.api.costs.put_cap(CapDay(EVERYTHING, usd))
    desktop.settle()
    chart = pane.chart
    label = chart.cap.label(chart._plot(), chart.cap_lines())
    assert label.top() >= chart._plot().top()
    assert label.bottom() < chart.cap_lines()[0][2]


def test_the_foot_names_the_keys_that_do_something_where_the_focus_is(desktop, pane):
    def keys() -> str:
        return pane._keys.accessibleName().removeprefix("Keys: ") if pane._keys.isVisible() else ""

    pane.chart.setFocus()
    desktop.settle()
    assert keys() == "←/→ day, ↵ table"
    desktop.press(pane.chart, Qt.Key.Key_Return)
    desktop.settle()
    assert keys() == "↵ open, T traces, C change a cap"
    pane.grouping.chosen.emit(list(Grouping).index(Grouping.PURPOSE))
    desktop.settle()
    assert keys() == "T traces"
    desktop.models.single_keys.set_enabled(False)
    assert keys() == ""
    pane.export.setFocus()
    desktop.settle()
    assert keys() == ""


def test_the_row_of_the_table_has_a_ring_while_the_keyboard_is_there(desktop, pane):
    view = pane.table.list
    view.setFocus()
    desktop.settle()
    with_focus = view.viewport().grab().toImage()
    pane.export.setFocus()
    desktop.settle()
    assert view.viewport().grab().toImage() != with_focus


def test_escape_closes_the_editor_without_a_change(desktop, pane):
    pane.edit_cap(EVERYTHING)
    desktop.press(pane.editor.amount, Qt.Key.Key_Escape)
    assert not pane.editor.isVisible()
    assert desktop.api.costs.caps == {}
    assert pane.isVisible()


def test_a_cap_that_is_reached_asks_and_each_answer_reaches_the_engine(desktop, pane):
    cap = CapDay(EVERYTHING, 3.0, spent_usd=3.0, waiting=3)
    desktop.api.costs.put_cap(cap)
    desktop.settle()
    question = pane.question
    assert question.isVisible()
    assert (
        "today's cap of $3.00 for everything is reached. 3 chats wait unanswered." in question.message.accessibleName()
    )
    for answer, button in question.buttons.items():
        assert QAccessible.queryAccessibleInterface(button).text(QAccessible.Text.Name).startswith(button.text())
        desktop.api.costs.put_cap(cap)
        desktop.settle()
        desktop.click(button)
        desktop.settle()
        assert desktop.api.costs.answers[-1][:2] == (EVERYTHING, answer)
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 3.0, spent_usd=3.0, is_quiet=True))
    desktop.settle()
    assert not question.isVisible()


@pytest.mark.with_panes("costs", "log")
def test_the_window_does_not_ask_again_what_the_pane_in_sight_asks(desktop, pane):
    fault = Note(ModelFault.CAP_REACHED, "all", 3_000_000)
    desktop.put_chat(chat(1, planning_problem=PlanningProblem(PlanningKind.CAP, fault=fault)))
    desktop.models.bars.gather()
    desktop.settle()
    bar = desktop.window.fault_bar
    assert bar.isVisible(), "no cap asks in the pane"
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 3.0, spent_usd=3.0, waiting=1))
    desktop.settle()
    assert pane.question.isVisible()
    assert not bar.isVisible()
    desktop.window.show_pane("log")
    desktop.window.requests.send(ClosePane("costs"))
    desktop.settle()
    assert not pane.question.isVisible()
    assert bar.isVisible()


def test_a_model_without_a_price_is_given_one_from_the_question(desktop, pane):
    desktop.api.costs.put_cap(CapDay(without_price("acme-1"), 0.0, waiting=1))
    desktop.settle()
    question = pane.question
    said = question.message.accessibleName()
    assert "“\u2068acme-1\u2069” has no price, so no cap can limit its cost. 1 chat waits unanswered." in said
    assert [button.text() for button in question.buttons.values() if button.isVisible()] == [
        "Continue once",
        "Continue until midnight",
        "Keep paused",
    ]
    desktop.click(question.price)
    at = pane.page.list.currentIndex()
    assert pane.page.list.hasFocus()
    assert pane.page.model.data(at.siblingAtColumn(0)) == "acme-1"
    assert not any(price.model == "acme-1" for price in desktop.api.live.now.prices), "nothing is stored yet"
    pane.page.model.setData(at, "1.5")
    desktop.settle()
    assert [(one.model, one.prompt) for one in desktop.api.live.now.prices[:1]] == [("acme-1", 1.5)]
    assert [price.model for price in pane.page.model.rows].count("acme-1") == 1


def test_the_figures_name_the_cap(desktop, pane):
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 1.0, spent_usd=0.9))
    desktop.settle()
    today = pane.figures.figures[0]
    assert (today.more, today.is_marked) == ("90 % of the $1.00 cap", True)
    assert "Today: " in pane.figures.accessibleName()


def test_a_cost_above_zero_has_a_share_and_a_bar(desktop, pane):
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 2000.0, spent_usd=0.75))
    desktop.settle()
    assert pane.figures.figures[0].more == "< 1 % of the $2,000.00 cap"
    assert percent_words(0.0) == "0 %"
    assert pane.chart.bar_of(TODAY).height() == 2
    assert pane.chart.bar_of(TODAY - timedelta(days=5)).height() == 0
    assert not pane.chart.grab().isNull()


@pytest.mark.parametrize(
    ("spent", "limit", "words"),
    [
        (0.0014, 0.0028, "$0.0014 of $0.0028"),
        (0.00523, 0.047, "$0.005 of $0.047"),
        (0.00001, 0.0028, "< $0.0001 of $0.0028"),
        (0.0003, 0.047, "$0.0003 of $0.047"),
        (0.21, 0.25, "$0.21 of $0.25"),
        (0.0014, 2.0014, "$0.0014 of $2.00"),
        (1.0, 3.0, "$1.00 of $3.00"),
    ],
)
def test_amounts_beside_each_other_have_the_same_digits(spent, limit, words):
    assert cap_words(CapDay(EVERYTHING, limit, spent_usd=spent)) == words


def test_rows_lead_to_their_agent_or_chat(desktop, pane):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    desktop.press(pane.table.list, Qt.Key.Key_Return)
    assert ShowAgent(AgentId(1)) in sent
    pane.grouping.chosen.emit(list(Grouping).index(Grouping.CHAT))
    desktop.press(pane.table.list, Qt.Key.Key_Return)
    assert ShowChat(ChatId(1)) in sent


def test_the_file_has_a_line_for_each_row_and_no_formula(desktop, pane, tmp_path: Path):
    desktop.put_chat(chat(1, "=cmd|' /C calc'!A0"))
    pane.costs.save(tmp_path / "costs.csv")
    desktop.settle()
    with (tmp_path / "costs.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 4
    assert {line["purpose"] for line in lines} == {"plan", "descriptions", "embed"}
    assert not any(line["chat"].startswith(("=", "+", "-", "@")) for line in lines)
    assert lines[0]["usd"] == "0.500000"


def test_the_bar_of_a_paused_chat_adds_2_dollars_or_opens_the_pane(desktop):
    fault = Note(ModelFault.CAP_REACHED, "chat", 250_000, more="1")
    desktop.put_chat(chat(1, planning_problem=PlanningProblem(PlanningKind.CAP, fault=fault)))
    desktop.models.bars.gather()
    bar = desktop.window.fault_bar
    assert bar.buttons[0].text() == "Add $2.00 for today"
    desktop.click(bar.buttons[0])
    desktop.settle()
    assert desktop.api.costs.answers == [(cap_of_chat(ChatId(1)), Release.ADD, STEP_USD)]
    desktop.click(bar.buttons[1])
    desktop.settle()
    assert desktop.window.panes["costs"].isVisible()


def test_a_request_edits_a_cap(desktop, pane):
    desktop.window.requests.send(ShowCosts(cap_of_chat(ChatId(1))))
    assert pane.editor.isVisible()


@pytest.mark.parametrize(
    ("most", "top"), [(0, 1), (0.9, 1), (1.2, 1.2), (1.9, 2), (2.9, 3), (3.3, 4), (5.5, 6), (70, 80), (0.0042, 0.005)]
)
def test_the_axis_ends_at_a_round_number(most, top):
    assert nice_axis(most)[0] == pytest.approx(top)


@pytest.mark.parametrize("most", [0.00003, 0.0014, 0.0126, 0.02, 0.6, 2.0, 3.5, 480.0])
def test_the_marks_of_an_axis_tell_it_apart(pane, most):
    chart = pane.chart
    top, parts = nice_axis(most)
    words = [chart.mark_of(top, parts, step) for step in range(parts + 1)]
    assert len(set(words)) == parts + 1
    assert {len(word.partition(".")[2]) for word in words} == {max(2, len(words[1].partition(".")[2]))}


@pytest.mark.parametrize(
    ("most", "words"),
    [
        (7_000, ["0", "2,000", "4,000", "6,000", "8,000"]),
        (480_000, ["0", "100 k", "200 k", "300 k", "400 k", "500 k"]),
        (900_000, ["0", "0.2 M", "0.4 M", "0.6 M", "0.8 M", "1 M"]),
    ],
)
def test_the_marks_of_an_axis_of_tokens_have_one_unit(pane, most, words):
    pane.measure.chosen.emit(1)
    top, parts = nice_axis(most)
    assert [pane.chart.mark_of(top, parts, step) for step in range(parts + 1)] == words


def test_tokens_in_the_table_are_told_in_full(desktop, pane):
    desktop.api.costs.rows += [
        row(0, agent_id=2, prompt_tokens=11_994),
        row(0, agent_id=3, prompt_tokens=2_000_000),
    ]
    pane.costs.read()
    desktop.settle()
    told = {figures_of(line)[1] for line in pane.table.model.lines}
    assert told >= {"11,994", "2,000,000"}


def cell(pane, row, column):
    return pane.page.model.index(row, column)


def test_the_foot_says_of_when_the_prices_are(desktop, pane):
    assert desktop.sees("Built-in prices; caps are checked before each call", pane)
    prices = (
        Price("gemini-own", 1.0, 2.0, since=date(2026, 11, 3)),
        Price("gemini-x", 1.0, 2.0, since=date(2026, 1, 2)),
    )
    assert price_words(prices) == "Your prices of 3 November 2026, others built in; caps are checked before each call"


def test_a_price_is_edited_in_place_and_gets_todays_date(desktop, pane):
    desktop.click(pane.prices)
    page = pane.page
    assert page.list.hasFocus()
    place = [price.model for price in page.model.rows].index("gemini-2.5-flash")
    assert page.model.data(cell(pane, place, 4)) == "built in"
    assert [page.model.data(cell(pane, place, column)) for column in (1, 2, 3)] == ["0.30", "0.03", "2.50"]
    assert not pane.period.isVisible(), "days and groups are those of the costs"
    assert page.model.setData(cell(pane, place, 1), "0.5")
    desktop.settle()
    own = desktop.api.live.now.prices[0]
    assert (own.model, own.prompt, own.cached, own.reply, own.since) == ("gemini-2.5-flash", 0.5, 0.03, 2.5, TODAY)
    assert page.model.rows[place] == own
    page.list.setCurrentIndex(cell(pane, place, 1))
    assert page.remove.isEnabled()
    desktop.click(page.remove)
    desktop.settle()
    assert not any(price.since for price in desktop.api.live.now.prices)
    desktop.press(page.list, Qt.Key.Key_Escape)
    assert pane.table.list.hasFocus()
    assert pane.period.isVisible()


def test_the_prices_of_a_model_are_typed_one_after_the_other(desktop, pane):
    desktop.click(pane.prices)
    page = pane.page
    place = [price.model for price in page.model.rows].index("gemini-2.5-flash")
    page.list.setCurrentIndex(cell(pane, place, 1))
    lefts = [page.list.columnViewportPosition(column) for column in range(5)]
    for column, typed in ((1, "0.5"), (2, "0.05"), (3, "2.75")):
        at = page.list.currentIndex()
        assert (at.row(), page.model.rows[at.row()].model) == (place, "gemini-2.5-flash")
        page.model.setData(at.siblingAtColumn(column), typed)
        desktop.settle()
        assert page.remove.isEnabled(), "it is the row with the own price"
    assert [page.list.columnViewportPosition(column) for column in range(5)] == lefts, "no column moves"
    own = desktop.api.live.now.prices[0]
    assert (own.prompt, own.cached, own.reply) == (0.5, 0.05, 2.75)
    last = len(page.model.rows) - 1
    page.list.setCurrentIndex(cell(pane, last, 0))
    page.model.setData(page.list.currentIndex(), "acme-1")
    desktop.settle()
    at = page.list.currentIndex()
    assert (at.row(), at.column(), at.data()) == (last, 0, "acme-1"), "a new model stays where it was typed"


def test_a_model_is_added_and_what_is_no_price_is_not_taken(desktop, pane):
    pane.show_prices()
    model, last = pane.page.model, len(pane.page.model.rows) - 1
    assert not model.setData(model.index(last, 1), "much")
    assert not model.setData(model.index(last, 1), "-1")
    model.setData(model.index(last, 0), "models/acme-1")
    desktop.settle()
    assert desktop.api.live.now.prices[0].model == "acme-1"
    assert model.data(model.index(last, 0), Qt.ItemDataRole.AccessibleTextRole) == "Model: acme-1"
    assert not model.flags(model.index(last, 0)) & Qt.ItemFlag.ItemIsEditable
    model.setData(model.index(last, 3), "4")
    desktop.settle()
    assert desktop.api.live.now.prices[0].reply == 4.0


@pytest.mark.with_panes("costs", "conversations")
def test_the_chat_is_marked_at_80_percent_and_asks_when_the_cap_is_reached(desktop):
    desktop.open_chat()
    bar = desktop.window.panes["conversations"].cap
    key = cap_of_chat(ChatId(1))
    desktop.api.costs.put_cap(CapDay(key, 0.25, spent_usd=0.1))
    desktop.settle()
    assert not bar.isVisible()
    desktop.api.costs.put_cap(CapDay(key, 0.25, spent_usd=0.21))
    desktop.settle()
    assert bar.accessibleName() == "Pauses at the cap. $0.21 of $0.25 for this chat today"
    desktop.click(bar.button)
    assert desktop.window.panes["costs"].editor.isVisible()
    desktop.api.costs.put_cap(CapDay(key, 0.25, spent_usd=0.25))
    desktop.window.show_pane("conversations")
    desktop.settle()
    desktop.click(bar.button)
    desktop.settle()
    assert desktop.api.costs.answers == [(key, Release.ADD, STEP_USD)]


@pytest.mark.with_panes("costs", "conversations")
def test_the_bar_of_a_chat_begins_with_what_it_means(desktop):
    desktop.open_chat()
    bar = desktop.window.panes["conversations"].cap
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 0.0052, spent_usd=0.0052))
    desktop.settle()
    assert bar.accessibleName() == "Paused. $0.0052 of $0.0052 for everything today"


@pytest.mark.with_panes("costs", "conversations")
def test_the_figures_of_a_cap_stay_whole_where_the_name_is_cut_off(desktop):
    desktop.open_chat()
    bar = desktop.window.panes["conversations"].cap
    spec = replace(agent().spec, name="Nora Wilhelmina Vale-Hohenstein the Third of Somewhere")
    desktop.api.put_agent(agent(spec=spec))
    desktop.api.costs.put_cap(CapDay(cap_of_agent(AgentId(1)), 0.0016, spent_usd=0.0014))
    desktop.settle()
    desktop.window.resize(1280, 720)
    desktop.settle()
    words = bar._words
    shown = elided(QFontMetricsF(words.font()), words.text(), words.width())
    assert shown == "Pauses at the cap. $0.0014 of $0.0016 today"
    assert "Nora Wilhelmina" in bar.accessibleName(), "the whole is heard"
    assert "Nora Wilhelmina" in words.toolTip()
    desktop.api.costs.put_cap(CapDay(cap_of_chat(ChatId(1)), 0.0016, spent_usd=0.00159))
    desktop.settle()
    assert "…" not in elided(QFontMetricsF(words.font()), words.text(), words.width())
    desktop.window.resize(1920, 720)
    desktop.settle()
    assert words.text() == "Pauses at the cap. $0.0016 of $0.0016 for this chat today"


@pytest.mark.with_panes("costs", "traces")
def test_the_letters_of_the_table_follow_their_switch_and_the_place_of_the_key(desktop, pane):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    view = pane.table.list
    view.setFocus()
    desktop.press(view, 0x0435, "\u0435", scan_code=28)
    assert [type(one) for one in sent] == [ShowTrace]
    desktop.models.single_keys.set_enabled(False)
    sent.clear()
    for key, text in ((Qt.Key.Key_T, "t"), (Qt.Key.Key_C, "c")):
        desktop.press(view, key, text)
    assert sent == []
    assert not pane.editor.isVisible()


def test_the_menu_is_that_of_the_row_under_the_pointer(desktop, pane, popped):
    desktop.put_chat(chat(2, "Ida Moen"))
    desktop.api.costs.rows.append(row(chat_id=2, usd=0.1))
    pane.costs.choose(grouping=Grouping.CHAT)
    pane.costs.read()
    desktop.settle()
    view = pane.table.list

    def ask(at, reason=QContextMenuEvent.Reason.Mouse):
        popped.clear()
        place = view.viewport().mapToGlobal(at)
        QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, at, place))
        return [menu.accessibleName() for menu in popped]

    view.setCurrentIndex(pane.table.model.index(0))
    second = view.visualRect(pane.table.model.index(1)).center()
    assert ask(second) == [names(pane)[1]]
    assert view.currentIndex().row() == 1
    below = QPoint(second.x(), view.viewport().height() - 1)
    assert not view.indexAt(below).isValid()
    assert ask(below) == []
    assert ask(below, QContextMenuEvent.Reason.Keyboard) == [names(pane)[1]]


@pytest.mark.parametrize("grouping", [Grouping.PURPOSE, Grouping.MODEL])
def test_a_row_without_a_cap_does_not_edit_the_cap_for_everything(desktop, pane, popped, grouping):
    pane.costs.choose(grouping=grouping)
    desktop.settle()
    desktop.press(pane.table.list, Qt.Key.Key_C, "c")
    assert not pane.editor.isVisible()
    assert desktop.sees("Only an agent, a chat or everything can have a cap.", pane)
    pane._open_menu(pane.table.current(), QPoint())
    assert [action.text() for action in popped[-1].actions()] == ["Show traces"]


def test_when_the_costs_are_read_the_table_has_the_focus(desktop):
    desktop.api.costs.rows.append(row(0))
    desktop.window.show_pane("costs")
    pane = desktop.window.panes["costs"]
    pane.focus_widget().setFocus()
    assert pane._stack.currentWidget() is pane._empty
    assert pane._empty.hasFocus()
    desktop.settle()
    assert pane._stack.currentWidget() is not pane._empty
    assert pane.table.list.hasFocus()


def test_the_chosen_row_keeps_the_ground_of_a_cap_that_is_reached(desktop, pane):
    view = pane.table.list

    def ground() -> QColor:
        rect = view.visualRect(view.currentIndex())
        return view.viewport().grab().toImage().pixelColor(rect.left() + 21, rect.center().y())

    pane.export.setFocus()
    desktop.settle()
    plain = ground()
    desktop.api.costs.put_cap(CapDay(cap_of_agent(AgentId(1)), 0.1, spent_usd=0.2))
    desktop.settle()
    assert pane.table.current().cap.is_reached
    assert ground() == desktop.window.theme.color("attention_soft") != plain
    view.setFocus()
    desktop.settle()
    assert ground() == desktop.window.theme.color("attention_soft")


def test_the_foot_names_the_keys_of_the_editors(desktop, pane):
    def keys() -> str:
        return pane._keys.accessibleName().removeprefix("Keys: ") if pane._keys.isVisible() else ""

    pane.edit_cap(EVERYTHING)
    desktop.settle()
    assert keys() == "↵ set, Esc close"
    desktop.press(pane.editor.amount, Qt.Key.Key_Escape)
    desktop.settle()
    assert keys() == "↵ open, T traces, C change a cap"
    desktop.click(pane.prices)
    page = pane.page
    page.list.setCurrentIndex(page.model.index(0, 1))
    desktop.settle()
    assert keys() == "↵ change, Esc back"
    page.list.setCurrentIndex(page.model.index(0, 0))
    desktop.settle()
    assert keys() == "Esc back", "the name of a model that is built in can't be changed"
    page.list.setCurrentIndex(page.model.index(0, 1))
    desktop.press(page.list, Qt.Key.Key_Return)
    assert page.list.state() is QAbstractItemView.State.EditingState
    page.list.closePersistentEditor(page.list.currentIndex())


def test_the_cap_can_be_taken_back_after_an_export_too(desktop, pane, tmp_path: Path, monkeypatch):
    asked: list[object] = []
    desktop.window.requests.sent.connect(asked.append)
    key = cap_of_agent(AgentId(1))
    pane.costs.caps.set_cap(key, 2.0)
    desktop.settle()
    assert (pane.news.undo_it.text(), pane.news.folder.isVisible()) == ("Undo", False)
    pane.costs.save(tmp_path / "costs.csv")
    desktop.settle()
    assert (pane.news.undo_it.text(), pane.news.folder.isVisible()) == ("Undo the cap", True)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    desktop.click(pane.news.folder)
    assert asked == [OpenFolder(str(tmp_path / "costs.csv"))]
    desktop.click(pane.news.undo_it)
    desktop.settle()
    assert key not in desktop.api.costs.caps
    assert not pane.news.folder.isVisible()
