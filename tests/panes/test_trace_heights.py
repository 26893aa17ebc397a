"""How the height of an open trace is divided: steps that are out of sight, and tabs that have something to show."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor

from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.traces.entries import ToolUse
from chimein_gui.domain.traces.steps import ApprovalStep, CallStep, StepKind, Trace, TraceBlock, TraceStep
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.ui.panes.traces.page import PAGES, REPLY, REQUEST, STEP, USAGE
from chimein_gui.ui.widgets.text.mono_text import MonoText, Run
from tests.fakes.api_history import decided
from tests.fakes.api_traces import steps_of, traced
from tests.fakes.engine_api import NOON, approval
from tests.support.shown_trace import PRIVATE, READ

pytestmark = [pytest.mark.with_panes("traces"), pytest.mark.qt_log_ignore("propagateSizeHints")]

SMALL, LARGE = (1280, 720), (1440, 900)
SHORT, LONG = 90, 91
"""Steps with three facts, and with the words of a decision over many lines."""


def tools(count):
    return tuple(
        TraceStep(10 + place, StepKind.TOOL, NOON, 0.1, ToolUse("search", 1, began_at=NOON)) for place in range(count)
    )


@pytest.fixture
def opened(desktop):
    """Open a trace of as many rows, in a window of a size."""

    def show(size, rows, *, cards=(), reply="# «send»\nYes", state=TraceState.SENT):
        desktop.window.resize(*size)
        row = traced(1, state=state)
        first, context, call, parse = steps_of(row)
        assert isinstance(call.detail, CallStep)
        call = replace(call, detail=replace(call.detail, reply=reply))
        blocks = tuple(TraceBlock(BlockKind.SEND, None, one.text, one.task_status, approval=one) for one in cards)
        steps = (first, context, call, parse, *tools(rows - 4))
        desktop.api.traces.rows[row.trace_id] = row
        desktop.api.traces.whole[row.trace_id] = Trace(row, steps, axis_s=4.0, reply=reply, blocks=blocks)
        desktop.window.show_pane("traces")
        desktop.settle()
        return desktop.window.panes["traces"].page

    return show


def hidden(page):
    """Return how many steps are out of sight."""
    steps = page.waterfall
    return steps.row_count - steps.height() // steps.row_height


def bottom_in(page, widget):
    """Return how far the lower edge of a widget is from that of the details, px; negative if it is cut."""
    details = page.split.widget(1)
    return details.height() - widget.mapTo(details, QPoint(0, widget.height())).y()


@pytest.mark.parametrize(("size", "rows"), [(SMALL, 12), (LARGE, 20)])
@pytest.mark.parametrize("tab", [STEP, PAGES, USAGE])
def test_no_step_is_out_of_sight_above_a_tab_of_a_few_lines(desktop, opened, size, rows, tab):
    page = opened(size, rows)
    page.waterfall.choose(2)
    page.show_tab(tab)
    desktop.settle()
    assert hidden(page) == 0
    page.show_tab(REPLY)
    desktop.settle()
    assert hidden(page) <= 2


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_where_steps_are_out_of_sight_the_tab_has_no_more_than_it_wants(desktop, opened, size):
    page = opened(size, 60)
    for tab in (STEP, USAGE, REQUEST, REPLY):
        page.show_tab(tab)
        desktop.settle()
        details = page.split.sizes()[1]
        assert page.split.detail_height <= details < page.split.detail_height + page.waterfall.row_height


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_buttons_of_a_request_and_the_cards_of_a_reply_are_whole(desktop, opened, size):
    texts = ("Forelle, then Hecht. The geese came third and were disqualified.", "More than you think.")
    cards = tuple(approval(number, text) for number, text in enumerate(texts, 1))
    page = opened(size, 60, cards=cards, reply="\n".join(f"# «send»\n{text}" for text in texts))
    page.show_tab(REQUEST)
    desktop.settle()
    assert bottom_in(page, page.request.prompt) >= 4
    assert not page.request._box.verticalScrollBar().isVisible()
    page.show_tab(REPLY)
    desktop.settle()
    assert bottom_in(page, page.reply.cards[-1]) >= 4
    assert not page.reply._box.verticalScrollBar().isVisible()


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_long_reply_leaves_the_steps_half_of_the_height(desktop, opened, size):
    text = "One more line of the reply.\n" * 60
    page = opened(size, 60, cards=(approval(1, text),), reply=f"# «send»\n{text}")
    page.show_tab(REPLY)
    desktop.settle()
    steps, details = page.split.sizes()
    assert details < page._wanted_height()
    assert steps >= 0.4 * (steps + details)
    assert page.reply._box.verticalScrollBar().isVisible()


def with_decisions(page):
    """Give the trace a decision over many lines, behind a step of three facts."""
    words = "Too long for him, and nobody there speaks so. " * 12
    long = ApprovalStep(approval(1), replace(decided(1, DecisionKind.APPROVED), words=words))
    trace = page._model.trace
    short = replace(trace.steps[1], step_id=SHORT)
    return replace(trace, steps=(*trace.steps, short, TraceStep(LONG, StepKind.APPROVAL, NOON, 1.0, long)))


def test_the_handle_rests_while_the_operator_goes_through_short_steps(desktop, opened):
    page = opened(SMALL, 40)
    trace = with_decisions(page)
    desktop.api.traces.whole[trace.summary.trace_id] = trace
    page._model.read()
    desktop.settle()
    page.waterfall.choose(1)
    desktop.settle()
    before = page.split.sizes()
    for step in (2, 10, SHORT, 11):
        page.waterfall.choose(step)
        desktop.settle()
        assert page.split.sizes() == before
    page.waterfall.choose(LONG)
    desktop.settle()
    assert page.split.sizes()[1] > before[1] + 2 * page.waterfall.row_height
    page.waterfall.choose(SHORT)
    desktop.settle()
    assert page.split.sizes()[0] == before[0], "several rows come back"


def test_what_the_operator_divided_stays(desktop, opened):
    page = opened(LARGE, 40)
    page.split.setSizes([250, 400])
    page.split.splitterMoved.emit(250, 1)
    before = page.split.sizes()
    for tab in (STEP, REPLY, PAGES, USAGE):
        page.show_tab(tab)
        desktop.settle()
        assert page.split.sizes() == before


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_three_addresses_and_what_a_page_adds_are_in_sight(desktop, shown, size):
    desktop.window.resize(*size)
    many = (replace(READ, requested=f"{READ.requested}/{number}", address="203.0.113.18") for number in range(2))
    pages = shown(*many, PRIVATE, chosen=6).page.pages
    desktop.settle()
    assert pages.table.height() == pages.table.height_of(3)
    values = {name.text(): value for name, value in pages.facts._facts if not name.isHidden()}
    box = pages.facts._scrolls._box
    for name in ("Tokens added", *(["Escaped"] if size == LARGE else [])):
        value = values[name]
        assert value.mapTo(box, QPoint(0, value.height())).y() <= box.height(), name
        assert value.height() < 1.5 * value.fontMetrics().height(), "one line"
    assert pages.text.height() >= 3 * pages.text.fontMetrics().height()


@pytest.mark.parametrize("height", range(60, 110, 7))
def test_no_line_is_cut_through_however_high_the_letters_are(desktop, qtbot, height):
    """A font that steps in for the usual one makes its lines higher or lower."""
    text = MonoText(desktop.window.theme, "text", whole_lines=True)
    qtbot.addWidget(text)
    text.resize(300, height)
    text.show()
    text.show_runs((Run("\n".join(f"line {number}" for number in range(20))),))
    look = QTextCharFormat()
    look.setFont(QFont(text.font().family(), round(text.font().pointSizeF() * 1.4)))
    cursor = QTextCursor(text.document())
    for number in range(0, 20, 3):
        cursor.setPosition(text.document().findBlockByNumber(number).position())
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.mergeCharFormat(look)
    heights = {round(text.blockBoundingRect(text.document().findBlockByNumber(place)).height()) for place in range(9)}
    assert len(heights) > 1, "else there is nothing to look at"
    for value in (0, 1, 5):
        text.verticalScrollBar().setValue(value)
        desktop.settle()
        room = text.viewport().height()
        seen = [text.cursorRect(text.cursorForPosition(QPoint(9, y))) for y in range(room)]
        assert seen[-1].bottom() <= room, "half a line"
        assert text.height() - room < 1.5 * max(heights), "no more is left free"
