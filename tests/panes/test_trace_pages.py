"""The pages of a trace: text and facts, the way on without retrieval, and a site that is denied."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.foreign import mask
from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.ui.panes.traces.detail.page_text import AT_ONCE
from chimein_gui.ui.requests import ClosePane, RunAction, ShowDraft
from chimein_gui.ui.widgets.text.mono_text import AT_ONCE as SHOWN_AT_ONCE
from chimein_gui.ui.widgets.text.mono_text import LONGEST_LINE, MonoText, Run
from chimein_gui.viewmodels.problems.words import ProblemCommand
from tests.support.shown_trace import CARD, FILE, PRIVATE, RAIL, READ, TEXT, TRIED, page

pytestmark = [pytest.mark.with_panes("traces"), pytest.mark.qt_log_ignore("propagateSizeHints")]


def facts_of(pane):
    labels = pane.page.pages.facts._facts
    return {name.text(): value.text() for name, value in labels if not name.isHidden()}


def test_the_facts_say_who_asked_how_much_is_used_and_what_was_escaped(desktop, shown):
    pane = shown(READ, PRIVATE)
    facts = facts_of(pane)
    assert facts["Requested by"] == "LLM call 1, block 2 of 2"
    assert facts["In the prompt"] == "cut after 40,000 characters"
    assert facts["Escaped"] == "2 markers of the page"
    assert facts["Form"] == "readable text"
    assert desktop.sees("2 markers escaped", pane)
    assert desktop.sees(f"user · Retrieved from {RAIL}:", pane)
    assert "〔from: The operator〕" in pane.page.pages.text.toPlainText()  # noqa: RUF001 - what the prompt holds


def test_the_facts_say_where_a_page_came_from_and_how_many_tokens_it_adds(shown):
    facts = facts_of(shown(replace(READ, address="203.0.113.18", text="ü" * 200), PRIVATE))
    assert facts["Resolved to"] == "203.0.113.18, public"
    assert facts["Tokens added"] == "about 100, in each later call"


def test_what_was_refused_or_is_older_says_no_address(shown):
    pane = shown(READ, replace(PRIVATE, address="203.0.113.18"))
    assert "Resolved to" not in facts_of(pane)
    pane.page.waterfall.choose(7)
    assert "Resolved to" not in facts_of(pane)


def test_the_source_of_a_page_is_named_as_such(shown):
    pane = shown(READ, reply=f"# «retrieve»\nraw\n{RAIL}")
    assert facts_of(pane)["Form"] == "source of the page"
    assert facts_of(pane)["Requested by"] == "LLM call 1, block 1 of 1"


def test_the_source_is_read_when_it_is_wanted_and_a_long_one_shown_step_by_step(desktop, shown, qtbot):
    pane = shown(READ, replace(READ, requested="https://rail.example/map"))
    reading, trace_id = pane.page.pages.reading, pane.model.trace_id
    source = "<p>" + "b" * AT_ONCE
    desktop.api.traces.sources[trace_id, 6] = source
    reading.forms.buttons()[1].click()
    desktop.settle()
    assert reading.text.whole_text() == source[:AT_ONCE]
    assert reading.text.accessibleName() == "Source of the page"
    reading.copy.click()
    assert QGuiApplication.clipboard().text() == source, "also what is not shown yet"
    desktop.button("Show 3 more characters", reading).click()
    qtbot.waitUntil(lambda: len(reading.text.toPlainText()) == len(source))
    assert reading.text.whole_text() == source
    assert reading.rest.isHidden()
    reading.forms.buttons()[0].click()
    assert reading.text.whole_text() == mask(TEXT)
    reading.forms.buttons()[1].click()
    pane.page.waterfall.choose(7)
    assert reading.forms.current() == 0, "another page begins with its text"
    reading.forms.buttons()[1].click()
    desktop.settle()
    assert "not kept" in reading.text.toPlainText()
    assert not reading.copy.isEnabled()


@pytest.mark.parametrize("bad", [PRIVATE, replace(READ, error=FetchFault.NOT_HTML, text="<html>Not fetched")])
def test_a_page_that_was_not_read_offers_no_source(desktop, shown, bad):
    pane = shown(READ, bad)
    assert pane.page.pages.reading.forms.isVisible()
    pane.page.waterfall.choose(7)
    assert pane.page.pages.reading.forms.isHidden()
    pane.page.waterfall.choose(6)
    assert pane.page.pages.reading.forms.isVisible()


def whole_rows_of(facts):
    """Return how many facts are whole in sight, and how many are there."""
    values = [value for _name, value in facts._facts if not value.isHidden()]
    box = facts._scrolls._box
    ends = [value.mapTo(box, value.rect().bottomLeft()).y() for value in values]
    assert box.verticalScrollBar().value() == 0
    cut = [value for value, end in zip(values, ends, strict=True) if end >= box.height() > end - value.height() + 1]
    assert not cut, "half a fact"
    return sum(end < box.height() for end in ends), len(values)


@pytest.mark.parametrize("size", [(1280, 720), (1280, 760), (1283, 733), (1440, 900)])
def test_facts_and_text_of_a_page_end_in_whole_lines(desktop, shown, size):
    """What is hidden is reached by scrolling; nothing is cut in half."""
    full = replace(READ, text="One more line of the page.\n" * 80, address="203.0.113.18", redirects=((301, RAIL),) * 4)
    desktop.window.resize(*size)
    pages = shown(full, PRIVATE).page.pages
    desktop.settle()
    whole, there = whole_rows_of(pages.facts)
    assert whole >= 4
    assert whole < there or size == (1440, 900), "else there is nothing to look at"
    text = pages.reading.text
    for value in (0, 3):
        text.verticalScrollBar().setValue(value)
        lines = [text.cursorRect(text.cursorForPosition(QPoint(9, y))) for y in range(text.viewport().height())]
        assert lines[-1].bottom() < text.viewport().height(), "half a line"


def test_the_ways_on_stand_beside_what_they_are_about(desktop, shown):
    pane = shown(READ, PRIVATE)
    facts, about = pane.page.pages.facts, pane.page._about
    assert facts.without.isVisible()
    assert facts.without.x() - about.geometry().right() >= 8
    pane.page.show_tab(0)
    assert facts.without.isHidden(), "it is offered beside the pages"
    pane.page.show_tab(1)
    assert facts.without.isVisible()
    head = facts.layout().itemAt(0).layout().itemAt(0).widget()
    assert head.width() >= head.sizeHint().width(), "the head of the facts is not elided"
    reading = pane.page.pages.reading
    assert reading._escaped.isVisible()
    assert reading._head.width() >= reading._head.sizeHint().width(), "nor is that of the text"


def test_where_no_page_is_in_sight_no_way_on_without_pages_is_offered_nor_asked_for(desktop, shown):
    """The button stands beside the tabs, so it would be there in each trace until a page is shown."""
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    pane = shown(chosen=None)
    without = pane.page.pages.facts.without
    for tab in range(5):
        pane.page.show_tab(tab)
        assert without.isHidden(), tab
    without.click()
    assert not [one for one in sent if isinstance(one, RunAction)]
    pane = shown(READ, PRIVATE)
    pane.model.read()
    desktop.settle()
    pane.page.waterfall.choose(6)
    assert without.isVisible()


def test_the_way_on_without_pages_is_offered_once(shown):
    pane = shown(PRIVATE)
    assert ProblemCommand.WITHOUT_PAGES in [one.command for one in pane.page.reason.shown.actions]
    assert pane.page.pages.facts.without.isHidden()


@pytest.mark.parametrize(("is_cut", "words"), [(False, "1 character"), (True, "cut after 1 character")])
def test_one_more_character_is_one(desktop, shown, is_cut, words):
    pane = shown(replace(READ, used_chars=1, is_cut=is_cut))
    reading = pane.page.pages.reading
    assert facts_of(pane)["In the prompt"] == words
    desktop.api.traces.sources[pane.model.trace_id, 6] = "b" * (AT_ONCE + 1)
    reading.forms.buttons()[1].click()
    desktop.settle()
    assert reading.rest.text() == "Show 1 more character"


def test_a_source_that_cannot_be_read_says_so_and_is_asked_for_again(desktop, shown, monkeypatch):
    pane = shown(READ)
    reading, traces = pane.page.pages.reading, desktop.api.traces
    traces.sources[pane.model.trace_id, 6] = "<p>source"

    async def refused(*_which):
        raise StoreError("busy")

    with monkeypatch.context() as patch:
        patch.setattr(traces, "page_source", refused)
        reading.forms.buttons()[1].click()
        desktop.settle()
    assert reading.text.toPlainText().startswith("The source can't be read: ")
    assert not reading.copy.isEnabled()
    reading.forms.buttons()[0].click()
    reading.forms.buttons()[1].click()
    desktop.settle()
    assert reading.text.whole_text() == "<p>source"


def test_the_open_trace_is_not_read_while_the_pane_is_hidden(desktop, shown, qtbot):
    pane, traces = shown(READ), desktop.api.traces
    row = pane.model.trace.summary
    desktop.window.requests.send(ClosePane("traces"))
    desktop.settle()
    assert not pane.isVisible()
    traces.put(replace(row, state=TraceState.REJECTED))
    desktop.settle()
    assert not pane.model._soon.isActive()
    desktop.window.show_pane("traces")
    qtbot.waitUntil(lambda: (desktop.settle(), pane.model.trace.summary.state is TraceState.REJECTED)[1])


@pytest.mark.parametrize("line", ["b" * 9_500, "word and " * 1_000, "\U0001f600a" * 2_000, "d" * 999 + " e\n\nf" * 3])
def test_long_lines_are_laid_out_in_short_blocks_and_copied_as_they_are(desktop, qtbot, line):
    own = MonoText(desktop.window.theme, "text")
    qtbot.addWidget(own)
    own.show_runs((Run(line[:700]), Run(line[700:], "danger"), Run(f"{line}\nthe end")))
    text = f"{line}{line}\nthe end"
    qtbot.waitUntil(lambda: len(own.toPlainText()) == len(text))
    block, longest = own.document().firstBlock(), 0
    while block.isValid():
        longest = max(longest, len(block.text()))
        block = block.next()
    assert longest <= LONGEST_LINE
    own.selectAll()
    assert own.createMimeDataFromSelection().text() == own.toPlainText() == text
    cursor = own.textCursor()
    cursor.setPosition(990)
    cursor.setPosition(1_400, cursor.MoveMode.KeepAnchor)
    own.setTextCursor(cursor)
    assert own.createMimeDataFromSelection().text() in text


@pytest.mark.parametrize("letters", ["word and word\n", "word and word "])
def test_a_text_of_the_longest_page_is_shown_in_steps(desktop, qtbot, monkeypatch, letters):
    """What blocks the loop is a step: its size is bounded, whatever the text."""
    steps: list[list[int]] = []
    go_on, insert = MonoText._go_on, MonoText._insert

    def counted(text):
        steps.append([])
        go_on(text)

    def sized(text, cursor, run):
        steps[-1].append(len(run.text))
        insert(text, cursor, run)

    monkeypatch.setattr(MonoText, "_go_on", counted)
    monkeypatch.setattr(MonoText, "_insert", sized)
    whole = (letters * 40_000)[:40_000]
    own = MonoText(desktop.window.theme, "text")
    qtbot.addWidget(own)
    runs = [Run(whole[:100]), Run("«mark»", "danger", "danger_soft"), Run(whole[100:])]
    steps.clear()
    own.show_runs(runs)
    assert len(steps) == 1
    assert own.textCursor().position() == 0
    assert own.whole_text() == "".join(run.text for run in runs)
    own.add_run(Run("the end"))
    text = f"{''.join(run.text for run in runs)}the end"
    qtbot.waitUntil(lambda: len(own.toPlainText()) == len(text))
    assert own.toPlainText() == own.whole_text() == text
    assert max(map(sum, steps)) <= SHOWN_AT_ONCE
    assert len(steps) == 6
    own.show_runs((Run(whole),))
    own.show_runs((Run("short"),))
    desktop.settle()
    assert own.toPlainText() == "short", "of the text before nothing follows"


def test_a_plan_that_waits_is_made_again_without_pages_beside_its_draft(desktop, shown):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    pane = shown(READ, PRIVATE)
    pane.page.pages.facts.without.click()
    desktop.settle()
    assert desktop.api.plans.asked[-1] == (CARD.graph_id, "without pages")
    assert ShowDraft(CARD.approval_id) in sent


def test_a_plan_that_failed_after_a_look_up_is_made_again_without_pages(desktop, shown):
    given_up = PlanningProblem(PlanningKind.FAILED, attempt=10, fault=TRIED.cause)
    pane = shown(READ, state=TraceState.FAILED, cards=(), problem=given_up)
    assert [one.text() for one in pane.page.reason.buttons if not one.isHidden()] == [
        "Plan now",
        "Continue without retrieval",
        "Open the chat",
    ]
    desktop.button("Continue without retrieval", pane.page.reason).click()
    desktop.settle()
    assert ("retry without pages", 1) in desktop.api.plans.calls
    assert pane.page.pages.facts.without.isHidden(), "once it is planned there is nothing to go on with"


def test_what_is_sent_offers_no_way_without_pages(shown):
    pane = shown(READ, state=TraceState.SENT, cards=())
    assert pane.page.pages.facts.without.isHidden()
    assert pane.page.reason.isHidden()


def test_a_site_is_denied_in_the_agents_file_and_that_is_taken_back(desktop, shown):
    pane = shown(READ)
    desktop.button("Deny this site", pane).click()
    desktop.settle()
    assert desktop.path.read_text(encoding="utf-8") == FILE.replace("bad.example", "bad.example\nrail.example")
    assert desktop.sees("rail.example is denied in the file of Nora Vale", pane)
    desktop.button("Undo", pane.news).click()
    desktop.settle()
    assert desktop.path.read_text(encoding="utf-8") == FILE
    assert desktop.sees("rail.example is not denied any more", pane)


def test_a_second_press_on_deny_keeps_the_way_back(desktop, shown):
    pane = shown(READ)
    for _ in range(2):
        desktop.button("Deny this site", pane).click()
        desktop.settle()
    assert desktop.sees("rail.example is denied in the file of Nora Vale", pane)
    desktop.button("Undo", pane.news).click()
    desktop.settle()
    assert desktop.path.read_text(encoding="utf-8") == FILE, "what is said is so"
    assert desktop.sees("rail.example is not denied any more", pane)


def test_a_site_that_another_program_denied_is_not_offered_to_be_allowed(desktop, shown):
    pane = shown(READ)
    desktop.path.write_text(FILE.replace("bad.example", "bad.example\nrail.example"), encoding="utf-8")
    desktop.button("Deny this site", pane).click()
    desktop.settle()
    assert desktop.sees("rail.example is denied in the file of Nora Vale already", pane)
    assert pane.news.button.isHidden()


def test_a_file_that_cannot_be_written_says_so(desktop, shown):
    pane = shown(READ)
    desktop.path.unlink()
    desktop.button("Deny this site", pane).click()
    desktop.settle()
    assert pane.news.message.words()


def test_a_site_that_is_denied_already_is_not_denied_twice(desktop, shown):
    pane = shown(page("https://www.bad.example/", refusal=RefusalRule.DENIED))
    assert not pane.page.pages.facts.deny.isEnabled()
    assert pane.page.pages.facts.link.isHidden(), "what was refused is not opened from here"
    pane = shown(replace(READ, requested="not an address", final="not an address", error=FetchFault.BROKEN))
    pane.model.read()
    desktop.settle()
    pane.page.refresh()
    assert pane.page.pages.facts.deny.isHidden()


COPIES = """
from PySide6.QtWidgets import QApplication
from chimein_gui.ui.widgets.text.mono_text import MonoText, Run
from chimein_gui.ui.widgets.theme.theme import Theme
app = QApplication([])
text = MonoText(Theme(), "text")
text.show_runs((Run("copied"),))
text.selectAll()
text.copy()
assert QApplication.clipboard().text() == "copied"
"""


def test_a_program_that_copied_a_page_ends_in_order():
    """The clipboard outlives Python: of a data object made in Python it calls what is gone."""
    subprocess.run([sys.executable, "-c", COPIES], check=True)
