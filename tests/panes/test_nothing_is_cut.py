"""Traces, log and costs: what is chosen stays in sight, words have room, and cards keep their corners."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QAbstractItemView, QWidget

from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.retrieval.refusals import FetchFault
from chimein_gui.domain.spending.caps import EVERYTHING, CapDay
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.traces.steps import (
    ApprovalStep,
    SendStep,
    StepKind,
    StepState,
    Trace,
    TraceBlock,
    TraceStep,
    is_failure,
)
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.ui.panes.traces.detail.pages import _row as row_of
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.form_fields import DollarsField
from chimein_gui.ui.widgets.surfaces.inline_message import ROW, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Scheme, Theme
from chimein_gui.viewmodels.core.numbers import bytes_words
from chimein_gui.viewmodels.log.words import file_words
from chimein_gui.viewmodels.traces.step_words import ended_words
from tests.fakes.api_traces import steps_of, traced
from tests.fakes.engine_api import NOON, approval
from tests.support import shown_trace
from tests.support.logged_lines import more, say
from tests.support.shown_trace import PRIVATE, READ

pytestmark = [
    pytest.mark.with_panes("traces", "log", "costs", "plans", "agents"),
    pytest.mark.qt_log_ignore("propagateSizeHints"),
]

SMALL, LARGE = (1280, 720), (1440, 900)
CARD_RADIUS = 8


def is_whole(view: QAbstractItemView) -> bool:
    """Return whether the whole current row is in sight."""
    place = view.visualRect(view.currentIndex())
    return place.top() >= 0 and place.bottom() <= view.viewport().height()  # Qt scrolls one pixel too few


def test_the_chosen_step_and_the_chosen_page_stay_in_sight_in_a_smaller_window(desktop, shown, qtbot):
    pages = [replace(READ, requested=f"{READ.requested}/{number}") for number in range(12)]
    pane = shown(*pages)
    steps, table = pane.page.waterfall, pane.page.pages.table
    desktop.window.resize(*LARGE)
    desktop.settle()
    steps.choose(6 + len(pages) - 1)
    desktop.settle()
    qtbot.waitUntil(lambda: is_whole(steps) and is_whole(table))
    desktop.window.resize(*SMALL)
    desktop.settle()
    qtbot.waitUntil(lambda: is_whole(steps) and is_whole(table))
    steps.verticalScrollBar().setValue(0)
    assert not is_whole(steps), "else there is nothing to look at"
    desktop.window.resize(1280, 700)
    desktop.settle()
    qtbot.wait(1)
    assert steps.verticalScrollBar().value() == 0, "who has scrolled away is not brought back"


def test_all_steps_are_in_sight_where_there_is_room(desktop, shown):
    desktop.window.resize(*LARGE)
    steps = shown(READ).page.waterfall
    desktop.settle()
    assert steps.height() == 6 * steps.row_height
    assert not steps.verticalScrollBar().isVisible()


def test_many_steps_are_whole_rows_and_leave_the_details_theirs(desktop, shown):
    pages = [replace(READ, requested=f"{READ.requested}/{number}") for number in range(30)]
    page = shown(*pages).page
    steps = page.waterfall
    for size in (LARGE, SMALL):
        desktop.window.resize(*size)
        desktop.settle()
        assert steps.height() % steps.row_height == 0
        assert 0 <= page.split.sizes()[1] - page.split.detail_height < 2 * steps.row_height
        steps.verticalScrollBar().setValue(2)
        assert steps.visualRect(steps.indexAt(steps.rect().topLeft())).top() == 0


def test_a_handle_that_was_moved_leaves_the_rows_of_each_trace_in_sight(desktop, shown):
    desktop.window.resize(*LARGE)
    pane = shown(READ)
    page, trace_id = pane.page, pane.model.trace_id
    page.split.restore_layout(page.split.saveState())
    assert not page.split.is_moved, "earlier versions stored every place"
    page.split.setSizes([450, 200])
    page.split.splitterMoved.emit(450, 1)
    desktop.settle()
    assert page.waterfall.height() == 6 * page.waterfall.row_height
    pane.model.open(None)
    shown(*(replace(READ, requested=f"{READ.requested}/{number}") for number in range(4)))
    pane.model.open(trace_id)
    desktop.settle()
    assert page.waterfall.height() == 9 * page.waterfall.row_height
    kept, page.split.is_moved = page.split.save_layout(), False
    page.split.restore_layout(kept)
    assert page.split.is_moved


@pytest.mark.parametrize("size", [LARGE, SMALL])
def test_the_step_that_the_box_is_about_is_chosen_and_in_sight(desktop, shown, monkeypatch, size):
    desktop.window.resize(*size)
    made = shown_trace.story

    def with_card(row, *pages, **what):
        whole = made(row, *pages, **what)
        wait = TraceStep(40, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(shown_trace.CARD), state=StepState.OPEN)
        return replace(whole, steps=(*whole.steps, wait))

    monkeypatch.setattr(shown_trace, "story", with_card)
    pages = [replace(READ, requested=f"{READ.requested}/{number}") for number in range(12)]
    pane = shown(*pages, chosen=None)
    assert pane.page.reason.isVisible()
    assert pane.page.chosen.kind is StepKind.APPROVAL
    assert is_whole(pane.page.waterfall)


def test_a_line_of_the_log_stays_in_sight_when_its_details_open(desktop, log_pane, qtbot):
    for number in range(80):
        say(f"line {number}")
    more(desktop, log_pane)
    log_pane.list.choose(log_pane.model.rowCount() - 2)
    desktop.settle()
    assert log_pane.detail.isVisible()
    qtbot.waitUntil(lambda: is_whole(log_pane.list))


def test_the_pages_of_a_plan_are_shown_in_whole_rows_and_their_facts_have_room(desktop, shown):
    pane = shown(READ, PRIVATE, replace(READ, requested="https://rail.example/map"))
    pages = pane.page.pages
    for size, rows in ((LARGE, 3), (SMALL, 3)):
        desktop.window.resize(*size)
        desktop.settle()
        assert pages.table.height() == pages.table.height_of(rows)
    assert pages.facts.without.isVisible()
    assert pages.facts._scrolls.height() > 60


def test_the_sum_of_the_calls_follows_the_last_row(desktop, shown):
    pane = shown(READ)
    pane.page.show_tab(3)
    desktop.settle()
    usage = pane.page.usage
    assert usage.sum.y() - usage.table.height_of(1) < 20


@pytest.mark.parametrize("state", [TraceState.WAITING, None])
def test_a_small_pane_without_rows_says_why_in_full_width(desktop, state, qtbot):
    if state is not None:
        one = traced(1, state=TraceState.SENT)
        desktop.api.traces.rows[one.trace_id] = one
    desktop.window.resize(*SMALL)
    desktop.window.show_pane("traces")
    desktop.settle()
    pane = desktop.window.panes["traces"]
    side = pane.side
    if state is not None:
        assert side.is_narrow
        side.kinds.buttons()[1].click()
        desktop.settle()
    assert not side.is_narrow
    assert side.empty.isVisible()
    assert side.empty.width() >= 300
    if state is None:
        return
    chip = pane.page.head.chip
    assert chip.width() >= chip.sizeHint().width(), "key caps give way to it"
    side.words.setFocus()
    side.kinds.buttons()[0].click()
    desktop.settle()
    assert side.list.isVisible()
    assert not side.is_narrow, "the filters are being used"
    side.focus_list()
    assert side.is_narrow


def test_behind_the_list_of_a_strip_that_became_wide_there_is_nothing_to_find(desktop):
    one = traced(1, state=TraceState.SENT)
    desktop.api.traces.rows[one.trace_id] = one
    desktop.window.resize(*SMALL)
    desktop.window.show_pane("traces")
    desktop.settle()
    side = desktop.window.panes["traces"].side
    assert side.is_narrow
    side.focus_search()
    desktop.settle()
    assert side.list.isVisible()
    assert not side.empty.isVisible(), "it would be read to the blind, and be in the order of Tab"


def test_an_approval_that_ended_without_one_is_no_failure():
    rejected = TraceStep(1, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(approval(1, "At ten")), state=StepState.REFUSED)
    assert not is_failure(rejected)
    assert not ended_words(rejected), "its note says how it ended"
    assert is_failure(replace(rejected, kind=StepKind.PAGE))


def ink_of(label: ElidedLabel) -> tuple[int, int]:
    """Return the first and the last row of pixels with ink."""
    image = QImage(label.size(), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    label.render(image, renderFlags=QWidget.RenderFlag.DrawChildren)
    rows = [y for y in range(image.height()) if any(image.pixel(x, y) != 0xFFFFFFFF for x in range(image.width()))]
    return rows[0], rows[-1]


def test_letters_have_their_feet_beside_invisible_marks(qtbot):
    theme = Theme(Scheme.LIGHT)
    places = []
    for words in ("/logs/my_query.log", foreign_text.isolate("/logs/my_query.log")):
        label = ElidedLabel(theme, words)
        qtbot.addWidget(label)
        label.resize(300, label.minimumSizeHint().height())
        places.append(ink_of(label))
    assert places[0] == places[1]


def test_the_icon_of_a_message_stands_beside_its_line_however_high_its_button_is(qtbot):
    theme = Theme(Scheme.LIGHT)
    message = InlineMessage(theme, ROW)
    qtbot.addWidget(message)
    message.add(ActionButton(theme, "Undo"))
    message.say(IconLabel("check", "The cap was changed.", "ok"))
    message.resize(600, message.sizeHint().height())
    message.show()
    image = message.grab().toImage()
    ground = image.pixel(4, image.height() // 2)
    icon = range(ROW.side, ROW.side + ROW.icon)
    rows = [y for y in range(3, image.height() - 3) if any(image.pixel(x, y) != ground for x in icon)]
    assert abs((rows[0] + rows[-1]) / 2 - image.height() / 2) <= 2


def covers_corner(card: QWidget, inside: QWidget) -> bool:
    """Return whether the lower left corner of a widget lies over the round corner of its card."""
    place = inside.mapTo(card, inside.rect().bottomLeft())
    above = card.height() - 1 - place.y()
    return (CARD_RADIUS - place.x()) ** 2 + max(0, CARD_RADIUS - above) ** 2 > CARD_RADIUS**2


def test_the_tables_of_costs_leave_the_round_corners_of_their_cards(desktop, costs):
    assert not covers_corner(costs.table, costs.table.list)
    costs.show_prices()
    desktop.settle()
    table = costs.page.list
    assert not covers_corner(table.parentWidget(), table)
    empty = table.viewport().grab().toImage().pixelColor(20, table.viewport().height() - 20)
    assert empty == desktop.window.theme.color("card"), "below the last row, too"


def test_a_column_of_caps_has_a_head_only_where_there_is_a_cap(desktop, costs):
    head = costs.table._head
    assert "cap" not in head.accessibleName()
    cap = CapDay(EVERYTHING, usd=2.0, spent_usd=1.0)
    costs.table.show_lines("Agent", tuple(replace(one, cap=cap) for one in costs.costs.lines()))
    assert "Today against its cap" in head.accessibleName()


def test_names_of_the_chart_are_elided_only_for_want_of_room(desktop, costs):
    long = "Nora Vale \N{RIGHTWARDS ARROW} Marta Oliveira, who walks"
    costs.chart._legend = ((1, long, 0), (2, "Otto", 1))
    assert [words for words, _ in costs.chart.legend_words(1000)] == [long, "Otto"]
    assert costs.chart.legend_words(200)[0][0].endswith("…")
    assert len(costs.chart.legend_words(200)) == 2, "no group is without its name"


@pytest.mark.parametrize(("usd", "words"), [(3.0, "3.00"), (0.0032, "0.0032"), (0.125, "0.125")])
def test_a_cap_keeps_its_parts_of_a_cent(qtbot, usd, words):
    field = DollarsField(Theme(Scheme.LIGHT), most=100, step=0.25)
    qtbot.addWidget(field)
    field.show_amount(usd)
    assert field.cleanText() == words
    assert field.value() == usd


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (1_234, "1.2 kB"), (345_678, "346 kB"), (5_000_000, "5.0 MB")],
)
def test_sizes_have_the_unit_that_tells_something(size, words):
    assert bytes_words(size) == words


def test_a_small_log_file_is_not_zero():
    assert file_words(12_345, 2_000_000, 5) == "12.3 kB of 2 MB, up to 5 files kept"
    assert file_words(1_200_000, 2_000_000, 5) == "1.2 of 2 MB, up to 5 files kept"


def test_the_heads_of_the_costs_stand_above_their_figures_beside_a_scroll_bar_too(desktop, costs):
    def end_of_heads() -> int:
        """Return where the last head ends."""
        image = costs.table._head.grab().toImage()
        ground, middle = image.pixel(2, 4), range(8, image.height() - 8)
        return max(x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in middle))

    one = costs.costs.lines()[0]
    costs.table.show_lines("Agent", (one,))
    desktop.settle()
    before, room = end_of_heads(), costs.table.list.viewport().width()
    costs.table.show_lines("Agent", tuple(replace(one, key=number) for number in range(40)))
    desktop.settle()
    assert costs.table.list.viewport().width() < room, "there is a scroll bar"
    assert before - end_of_heads() == room - costs.table.list.viewport().width()


def test_a_page_that_failed_says_why_in_its_row_as_a_refused_one_does():
    for page, why in (
        (replace(READ, error=FetchFault.TIMED_OUT), "no answer in time"),
        (PRIVATE, "private address"),
    ):
        address, _status, reason, *_rest = row_of(1, page).cells
        assert (reason.text, reason.token, reason.span) == (why, "danger", 4)
        assert address.token == "danger"


def test_the_steps_leave_room_for_the_tab_in_sight_alone(desktop, shown):
    """The text of a page needs more than the facts of a step."""
    page = shown(*(replace(READ, requested=f"{READ.requested}/{number}") for number in range(12))).page
    steps = page.waterfall
    desktop.window.resize(*SMALL)
    desktop.settle()
    heights = []
    for tab in (1, 4, 1):
        page.show_tab(tab)
        desktop.settle()
        heights.append(steps.height())
        assert 0 <= page.split.sizes()[1] - page.split.detail_height < 2 * steps.row_height
        assert page.split.detail_height >= page.split.widget(1).minimumSizeHint().height()
    assert heights[0] == heights[2] <= heights[1] - steps.row_height


def sent_or_asked(row, status):
    """Return a trace whose only card waits, or whose send failed."""
    card = approval(9, task_status=status)
    asks = TraceStep(8, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(card), state=StepState.OPEN)
    steps = (*steps_of(row), asks)
    if status is TaskStatus.FAILED:
        send = TraceStep(9, StepKind.SEND, NOON, 1.0, SendStep(card), state=StepState.FAILED)
        steps = (*steps_of(row), replace(asks, state=StepState.DONE), send)
    return Trace(row, steps, axis_s=4.0, blocks=(TraceBlock(BlockKind.SEND, None, "Yes", status, approval=card),))


@pytest.mark.parametrize(
    ("chooses", "chosen", "tab"),
    [
        (lambda _page: None, 9, 4),
        (lambda page: page.waterfall.choose(3), 3, 0),
        (lambda page: page.show_tab(3), 8, 3),
    ],
)
def test_the_box_leads_to_its_step_until_the_operator_chooses_one(desktop, chooses, chosen, tab):
    traces, row = desktop.api.traces, traced(1, state=TraceState.WAITING)
    traces.rows[row.trace_id], traces.whole[row.trace_id] = row, sent_or_asked(row, TaskStatus.AWAITING_DECISION)
    desktop.window.show_pane("traces")
    desktop.settle()
    pane = desktop.window.panes["traces"]
    page = pane.page
    assert page.chosen.step_id == 8
    chooses(page)
    row = replace(row, state=TraceState.FAILED)
    traces.rows[row.trace_id], traces.whole[row.trace_id] = row, sent_or_asked(row, TaskStatus.FAILED)
    pane.model.read()
    desktop.settle()
    assert page.reason.shown.key == "not sent"
    assert page.chosen.step_id == page.waterfall.current.step_id == chosen
    assert page._stack.currentIndex() == tab
