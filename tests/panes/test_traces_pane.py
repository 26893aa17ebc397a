"""The Traces pane: the list with its filters, the waterfall, the tabs, and the ways in and out."""

from dataclasses import replace
from datetime import timedelta
from types import coroutine

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.costs import CallEnd
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import ChatId, GraphId
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.domain.prompt.foreign import mask
from chimein_gui.domain.prompt.sent import CallId
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.traces.entries import AttemptEnded
from chimein_gui.domain.traces.steps import (
    ApprovalStep,
    AxisCut,
    CallStep,
    StepKind,
    StepState,
    Trace,
    TraceBlock,
    TraceStep,
    is_failure,
)
from chimein_gui.domain.traces.summaries import ExportFormat, TraceFilter, TraceId, TraceKind, TraceState
from chimein_gui.ui.panes.traces.looks import state_label
from chimein_gui.ui.panes.traces.rows import from_hit
from chimein_gui.ui.panes.traces.side import STRIP
from chimein_gui.ui.requests import (
    RunAction,
    ShowChat,
    ShowContext,
    ShowLog,
    ShowPlan,
    ShowPreferences,
    ShowPrompt,
    ShowTrace,
)
from chimein_gui.viewmodels.paging.window import KEPT_PAGES, PAGE_ROWS
from chimein_gui.viewmodels.preferences.catalogue import Page
from chimein_gui.viewmodels.problems.words import ProblemCommand
from chimein_gui.viewmodels.traces.fact_words import step_facts
from chimein_gui.viewmodels.traces.step_words import fault_words, rule_words, step_name, step_sentence
from chimein_gui.viewmodels.traces.steps import marks_of
from chimein_gui.viewmodels.traces.words import figures_of, mark_words, seconds_words
from tests.fakes.api_history import decided
from tests.fakes.api_traces import steps_of, traced
from tests.fakes.engine_api import approval, chat

# The dialog that asks where to save is a window of its own.
pytestmark = [
    pytest.mark.with_panes("traces", "prompt", "context", "preferences"),
    pytest.mark.qt_log_ignore("propagateSizeHints"),
]

SENTENCE = "No trains will run until 16:00."
WAITS = traced(2, state=TraceState.WAITING)
REFUSED = traced(3, state=TraceState.REFUSED, first_words="blocked")
WHAT_IF = traced(4, kind=TraceKind.DRY_RUN, state=TraceState.ANSWERED, graph_id=None)
EDITED = traced(1, is_edited=True, is_kept=True, chat_title="<b>Hill</b> \u202eWalkers")


def story(row):
    """Return a trace that looked something up, waited for the operator and was edited."""
    first, context, call, parse = steps_of(row)
    reply = "# «think»\n(think, 312 characters)\n# «send» 3\nAt nine then"
    assert isinstance(call.detail, CallStep)
    call = replace(call, detail=replace(call.detail, call_id=CallId(77), reply=reply))
    card = approval(1, "At ten then")
    decision = decided(1, DecisionKind.EDITED, draft="At nine then", text="At ten then")
    began = row.began_at

    def page(number, url, **what):
        state = StepState.REFUSED if "refusal" in what else StepState.DONE
        detail = PageFetched(url, url, began, 0.2, 1, **what)
        return TraceStep(number, StepKind.PAGE, began, 0.2, detail, parent_id=5, offset_s=3.9, shown_s=0.2, state=state)

    steps = (
        first,
        context,
        call,
        parse,
        TraceStep(5, StepKind.ROUND, began, 0.4, RetrievalRound(1, began, 0.4, 1, 1), offset_s=3.9, shown_s=0.4),
        page(6, "https://rail.example/works", status=200, size=9000, used_chars=31, text=SENTENCE),
        page(7, "http://192.168.1.1/status", refusal=RefusalRule.PRIVATE),
        TraceStep(
            8, StepKind.APPROVAL, began, 252.0, ApprovalStep(card, decision), offset_s=4.3, shown_s=3.0, is_cut=True
        ),
    )
    blocks = (
        TraceBlock(BlockKind.THINK, None, "(think, 312 characters)"),
        TraceBlock(BlockKind.SEND, 3, "At nine then", status=TaskStatus.DONE, approval=card),
    )
    return Trace(row, steps, (AxisCut(5.8, 249.0),), 12.0, reply, blocks, message_to_send_s=258.0, waited_s=252.0)


@pytest.fixture
def pane(desktop):
    traces = desktop.api.traces
    for row in (EDITED, WAITS, REFUSED, WHAT_IF):
        traces.rows[row.trace_id] = row
    traces.whole[EDITED.trace_id] = story(EDITED)
    return shown(desktop)


def shown(desktop):
    desktop.window.show_pane("traces")
    desktop.settle()
    return desktop.window.panes["traces"]


def asked(desktop):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    return sent


def ids(pane):
    return [row.trace_id for row in pane.traces.rows()]


def test_each_row_says_what_became_of_its_plan(pane):
    rows = hand.rows(pane.side.list)
    assert rows[0].startswith("Nora Vale to ")
    assert "\u202e" not in rows[0], "foreign names are made harmless"
    assert "Sent, edited, is the 10:01 still running, $0.0018, kept" in rows[0]
    assert "Waiting for you" in rows[1]
    assert "Refused by the model" in rows[2]
    assert "What-if" in rows[3]
    assert [button.text() for button in pane.side.kinds.buttons()] == [
        "All 4",
        "Needs you 1",
        "Problems 1",
        "What-if 1",
    ]


@pytest.mark.parametrize(
    ("choose", "left"),
    [
        (lambda side: side.kinds.buttons()[1].click(), [WAITS]),
        (lambda side: side.kinds.buttons()[2].click(), [REFUSED]),
        (lambda side: side.kinds.buttons()[3].click(), [WHAT_IF]),
        (lambda side: side.marks.setCurrentIndex(side.marks.findData("edited")), [EDITED]),
        (lambda side: side.marks.setCurrentIndex(side.marks.findData("kept")), [EDITED]),
        (lambda side: side.marks.setCurrentIndex(side.marks.findData("slow")), []),
        (lambda side: side.agent.setCurrentIndex(side.agent.findData(1)), [EDITED, WAITS, REFUSED, WHAT_IF]),
        (lambda side: (side.words.setText("blocked"), side._choose()), [REFUSED]),
    ],
)
def test_the_filters_leave_what_they_say(desktop, pane, choose, left):
    choose(pane.side)
    desktop.settle()
    assert ids(pane) == [row.trace_id for row in left]
    if not left:
        assert desktop.sees("No such traces", pane)
        desktop.button("Show all traces", pane).click()
        desktop.settle()
        assert len(ids(pane)) == 4


@pytest.mark.parametrize(("place", "row"), [(1, WAITS), (2, REFUSED), (3, WHAT_IF)])
def test_what_a_filter_leaves_out_does_not_stay_open(desktop, pane, place, row):
    assert pane.model.trace_id == EDITED.trace_id
    pane.side.kinds.buttons()[place].click()
    desktop.settle()
    assert pane.side.list.current == row
    assert pane.model.trace.summary == row
    pane.side.kinds.buttons()[0].click()
    desktop.settle()
    assert pane.side.list.current == row, "what the filter takes stays open"
    assert pane.model.trace_id == row.trace_id


def test_what_is_opened_after_the_filter_was_chosen_stays_open(desktop, pane):
    gone = TraceId(9_999)
    pane.side.kinds.buttons()[1].click()
    pane.model.open(gone)
    desktop.settle()
    assert pane.model.trace_id == gone


def test_over_an_empty_list_no_trace_is_open(desktop, pane):
    pane.side.words.setText("no such word")
    pane.side._choose()
    desktop.settle()
    assert pane.model.trace_id is None
    assert not pane.page.isVisible()
    assert desktop.sees("No trace is open", pane)
    desktop.button("Show all traces", pane).click()
    desktop.settle()
    assert pane.model.trace.summary == EDITED == pane.side.list.current


@pytest.mark.parametrize(
    ("place", "title"), [(1, "Nothing waits for you"), (2, "No problems"), (3, "No what-if runs yet")]
)
def test_a_kind_of_which_there_is_none_says_so(desktop, place, title):
    desktop.api.traces.rows[EDITED.trace_id] = EDITED
    pane = shown(desktop)
    pane.side.kinds.buttons()[place].click()
    desktop.settle()
    assert desktop.sees(title, pane)
    assert not desktop.sees("No such traces", pane)
    pane.side.words.setText("mill")
    pane.side._choose()
    desktop.settle()
    assert desktop.sees("No such traces", pane), "other words may find something"


@pytest.mark.parametrize(
    ("kind", "is_red"),
    [
        (NoteKind.NEWER_CAME, False),
        (NoteKind.WAITS_FOR_CAP, False),
        (NoteKind.NO_KEY, False),
        (NoteKind.MODEL_FAILED, True),
    ],
)
def test_an_attempt_that_was_started_over_or_waits_is_no_failure(kind, is_red):
    began = EDITED.began_at
    ended = AttemptEnded(began, 1, Note(kind))
    assert is_failure(TraceStep(1, StepKind.ATTEMPT, began, 0.0, ended, state=StepState.FAILED)) is is_red


def test_an_attempt_that_does_not_count_is_none_and_no_failure():
    ended = AttemptEnded(EDITED.began_at, 1, Note(NoteKind.MODEL_FAILED), is_counted=False)
    step = TraceStep(1, StepKind.ATTEMPT, EDITED.began_at, 0.0, ended, state=StepState.FAILED)
    assert not is_failure(step)
    assert step_name(step) == "Asked to wait"
    assert step_name(replace(step, detail=replace(ended, is_counted=True))) == "Attempt 1"


def test_a_plan_at_a_cap_needs_the_operator_and_is_no_problem(desktop, pane):
    capped = replace(WAITS, state=TraceState.CAPPED, problem=Note(NoteKind.WAITS_FOR_CAP))
    desktop.api.traces.rows[WAITS.trace_id] = capped
    pane.side.kinds.buttons()[2].click()
    desktop.settle()
    assert ids(pane) == [REFUSED.trace_id]
    pane.side.kinds.buttons()[1].click()
    desktop.settle()
    assert ids(pane) == [WAITS.trace_id]


def test_the_waterfall_says_each_step_and_cuts_the_wait(desktop, pane):
    rows = hand.rows(pane.page.waterfall)
    assert rows[0] == "Debounce, 1 message, 1.50 s"
    assert any(row.startswith("LLM call 1, ") and "tokens 5,038 → 121" in row for row in rows)
    assert any("192.168.1.1/status, refused: private address" in row for row in rows)
    assert any(row.startswith("Approval, approved with an edit by you, 4 min 12 s") for row in rows)
    cut = [mark for mark in marks_of(pane.model.trace) if mark.elapsed_s is None]
    assert [mark.at for mark in cut] == [5.8]
    behind = [mark for mark in marks_of(pane.model.trace) if mark.elapsed_s is not None and mark.at > 5.8]
    assert all(mark.elapsed_s == mark.at + 249.0 for mark in behind)
    assert behind


@pytest.mark.parametrize(
    ("length_s", "words"),
    [
        (0.05, ["0 s", "0.01 s", "0.02 s", "0.03 s", "0.04 s", "0.05 s"]),
        (0.0123, ["0 s", "0.005 s", "0.01 s"]),
        (0.25, ["0 s", "0.05 s", "0.1 s", "0.15 s", "0.2 s", "0.25 s"]),
        (0.5, ["0 s", "0.1 s", "0.2 s", "0.3 s", "0.4 s", "0.5 s"]),
        (2.2, ["0 s", "0.5 s", "1 s", "1.5 s", "2 s"]),
        (0.0004, ["0 s"]),
    ],
)
def test_the_marks_of_a_short_axis_stand_within_it_where_they_say(length_s, words):
    marks = marks_of(replace(story(EDITED), cuts=(), axis_s=length_s))
    assert [mark_words(mark.elapsed_s or 0) for mark in marks] == words
    assert all(mark.at == mark.elapsed_s <= length_s for mark in marks)


def test_the_reply_stands_beside_its_tasks_with_the_edit(pane):
    assert "(think, 312 characters)" in pane.page.reply.raw.toPlainText()
    think, send = pane.page.reply.cards
    assert "never sent, never stored" in think.accessibleName()
    assert "sent · edited" in send.accessibleName()
    assert [(piece.change.value, piece.text.strip()) for piece in send.diff.pieces][1:3] == [
        ("removed", "nine"),
        ("added", "ten"),
    ]


@pytest.mark.parametrize(("chosen", "call"), [(8, 2), (3, 1), (9, 2), (2, 1), (4, 1), (7, 2), (6, 2)])
def test_tabs_of_a_call_name_the_call_that_they_show(desktop, pane, chosen, call):
    """Another step may be chosen: a page, or a prompt, or the reading of a reply."""
    first, context, one, parse = steps_of(EDITED)
    assert isinstance(one.detail, CallStep)
    page = next(step for step in story(EDITED).steps if step.step_id == 6)
    steps = (
        replace(context, step_id=2, kind=StepKind.PROMPT),
        replace(one, detail=replace(one.detail, number=1, reply="# «retrieve»")),
        replace(parse, step_id=4),
        page,
        replace(context, step_id=7, kind=StepKind.PROMPT),
        replace(one, step_id=8, detail=replace(one.detail, number=2, reply="# «send»")),
        replace(parse, step_id=9),
    )
    desktop.api.traces.whole[EDITED.trace_id] = Trace(EDITED, (first, *steps), axis_s=4.0, reply="# «send»")
    pane.model.read()
    desktop.settle()
    page_of, about = pane.page, pane.page._about
    page_of.waterfall.choose(chosen)
    got = ", which got this page" if chosen == 6 else ""
    for tab in (0, 2, 3):
        page_of.show_tab(tab)
        assert about.text().startswith(f"LLM call {call}{got} · gemini-2.5-flash")
    assert page_of.reply.raw.whole_text() == ("# «retrieve»" if call == 1 else "# «send»")
    assert page_of.request._title.text() == f"LLM call {call}"
    assert page_of.usage.table.current_key == (3 if call == 1 else 8)
    page_of.show_tab(1)
    assert about.text().startswith("rail.example/works"), "the only page"


def test_a_page_is_shown_exactly_and_a_refused_one_with_its_rule(desktop, pane):
    pane.page.waterfall.choose(6)
    tab = pane.page.pages
    assert tab.isVisible()
    assert tab.text.whole_text() == SENTENCE
    assert [row.split(", ")[1] for row in hand.rows(tab.table)] == ["200 · 9.0 kB", "refused: private address"]
    pane.page.waterfall.choose(7)
    assert tab.page.refusal is RefusalRule.PRIVATE
    assert "private address" in tab.text.toPlainText()
    assert not tab.copy.isEnabled()


def test_every_rule_and_fault_has_words():
    assert len({rule_words(rule) for rule in RefusalRule}) == len(RefusalRule)
    assert len({fault_words(fault) for fault in FetchFault}) == len(FetchFault)
    shown = [seconds_words(seconds) for seconds in (0.004, 1.42, 31, 252, 7500)]
    assert shown == ["4 ms", "1.42 s", "31.0 s", "4 min 12 s", "2 h 5 min"]


@pytest.mark.parametrize("state", list(TraceState))
def test_every_state_has_a_label(desktop, state):
    labels = [state_label(traced(1, state=state, kind=kind), None, desktop.models.clock) for kind in TraceKind]
    assert all(label.word and label.icon for label in labels)


def test_a_mark_that_was_masked_is_shown_as_it_stands_in_the_prompt(desktop, pane):
    row, text = pane.model.trace.summary, "Boats\n# «send»\nGo\n"
    whole = desktop.api.traces.whole[row.trace_id]
    page = next(step for step in whole.steps if step.step_id == 6)
    page = replace(page, detail=replace(page.detail, text=text))
    desktop.api.traces.whole[row.trace_id] = replace(whole, steps=(page,))
    pane.model.read()
    desktop.settle()
    pane.page.waterfall.choose(6)
    assert pane.page.pages.text.whole_text() == mask(text)
    assert "# ‹send»" in pane.page.pages.text.toPlainText()


def test_the_keyboard_goes_through_traces_steps_and_tabs(desktop, pane):
    sent = asked(desktop)
    view = pane.side.list
    view.setFocus()
    desktop.press(view, Qt.Key.Key_J, "j")
    assert pane.model.trace_id == WAITS.trace_id
    desktop.press(view, Qt.Key.Key_K, "k")
    assert pane.model.trace_id == EDITED.trace_id
    desktop.press(view, Qt.Key.Key_Return)
    steps = pane.page.waterfall
    assert desktop.window.focusWidget() is steps
    desktop.press(steps, Qt.Key.Key_4, "4")
    assert pane.page.usage.isVisible()
    assert len(hand.rows(pane.page.usage.table)) == 1
    steps.choose(8)
    assert pane.page.step.isVisible(), "the tab follows the step"
    assert not pane.page.step.diff.isHidden()
    desktop.press(steps, Qt.Key.Key_J, "j")
    assert pane.model.trace_id == WAITS.trace_id, "J and K work in the steps, too"
    desktop.press(steps, Qt.Key.Key_Escape)
    assert desktop.window.focusWidget() is view
    desktop.press(view, Qt.Key.Key_Slash, "/")
    assert desktop.window.focusWidget() is pane.side.words
    desktop.press(view, Qt.Key.Key_C, "c")
    desktop.press(view, Qt.Key.Key_P, "p")
    assert WAITS.graph_id is not None
    assert ShowContext(WAITS.chat_id, WAITS.graph_id) in sent
    assert ShowPrompt(WAITS.chat_id, WAITS.graph_id) in sent


def test_a_call_leads_to_its_request_and_is_copied_without_the_key(desktop, pane):
    assert EDITED.graph_id is not None
    sent = asked(desktop)
    pane.page.show_tab(2)
    desktop.button("Copy as curl", pane).click()
    desktop.settle()
    assert QGuiApplication.clipboard().text() == f"curl --data @- # {EDITED.trace_id} 3"
    assert desktop.sees("Copied as curl", pane)
    desktop.button("Open the exact request", pane).click()
    assert ShowPrompt(EDITED.chat_id, EDITED.graph_id, CallId(77)) in sent


def test_an_attempt_without_a_plan_leads_to_its_request_too(desktop, pane):
    sent = asked(desktop)
    pane.model.trace = Trace(replace(EDITED, graph_id=None), pane.model.trace.steps)
    pane.page.head.show_trace(pane.model.trace)
    pane.page.head.prompt.click()
    assert ShowPrompt(EDITED.chat_id, None, CallId(77)) in sent
    assert not pane.page.head.context.isEnabled()


def test_a_call_whose_prompt_is_not_stored_says_why(desktop, pane):
    call = steps_of(EDITED)[2]
    for row, words in ((EDITED, "not kept any more"), (WHAT_IF, "Prompts of dry runs are not stored")):
        pane.page.request.show_trace(Trace(row, (call,)), call)
        assert not pane.page.request.prompt.isEnabled()
        assert words in pane.page.request.prompt.toolTip()
        facts = [value.text() for _name, value in pane.page.request._facts._rows]
        assert any(words in fact for fact in facts), "not only in a tool tip"


def test_the_menu_keeps_exports_and_leads_on(desktop, pane, popped, tmp_path):
    sent, traces = asked(desktop), desktop.api.traces
    pane.show_menu()
    actions = {action.text(): action for action in popped[-1].actions()}
    assert actions["Keep this trace"].isChecked()
    actions["Keep this trace"].trigger()
    desktop.settle()
    assert not traces.rows[EDITED.trace_id].is_kept
    actions["Export as OpenTelemetry, without texts…"].trigger()
    pane.trace_actions.chooser.fileSelected.emit(str(tmp_path / "one.json"))
    pane.trace_actions.chooser.close()
    desktop.settle()
    assert (tmp_path / "one.json").read_bytes().startswith(b"otlp")
    ((exported, options),) = traces.exports
    assert (exported, options.form, options.with_content) == ((EDITED.trace_id,), ExportFormat.OTLP, False)
    assert desktop.sees("Trace exported to", pane)
    for name in ("Open chat", "Open task graph", "Show lines of the log"):
        assert actions[name].isEnabled()
    pane.trace_actions.menu(EDITED)
    assert not [one for one in sent if isinstance(one, ShowChat | ShowPlan | ShowLog)]


def test_a_file_that_is_not_written_is_named_and_another_folder_can_be_chosen(desktop, pane, tmp_path):
    path = tmp_path / "gone" / "chimein-trace-1.json"
    pane.trace_actions.ask(EDITED.trace_id, ExportFormat.JSON, with_content=False)
    pane.trace_actions.chooser.fileSelected.emit(str(path))
    pane.trace_actions.chooser.close()
    desktop.settle()
    said = pane.news.message.accessibleName()
    assert "chimein-trace-1.json" in said
    assert str(path.parent) in said
    assert "Choose another folder." in said
    pane.news.button.click()
    path.parent.mkdir()
    pane.trace_actions.chooser.fileSelected.emit(str(path))
    pane.trace_actions.chooser.close()
    desktop.settle()
    assert path.exists()
    options = [one for _ids, one in desktop.api.traces.exports]
    assert options[0] == options[1], "the same is written"


def test_without_a_reply_and_tasks_there_is_nothing_to_copy_or_to_open(desktop, pane):
    first, _context, call, _parse = steps_of(REFUSED)
    assert isinstance(call.detail, CallStep)
    call = replace(call, detail=replace(call.detail, reply=""))
    pane.page.reply.show_trace(Trace(REFUSED, (first, call)), call)
    assert not pane.page.reply.copy.isEnabled()
    assert not pane.page.reply.graph.isEnabled()
    pane.page.reply.show_trace(story(EDITED), None)
    assert pane.page.reply.copy.isEnabled()
    assert pane.page.reply.graph.isEnabled()


def test_a_box_stands_right_below_the_only_step(desktop):
    row = traced(1, kind=TraceKind.DRY_RUN, state=TraceState.FAILED, graph_id=None, problem=Note(NoteKind.MODEL_FAILED))
    desktop.api.traces.rows[row.trace_id] = row
    desktop.api.traces.whole[row.trace_id] = Trace(row, (steps_of(row)[2],), axis_s=4.0)
    page = shown(desktop).page
    assert page.reason.isVisible()
    assert page.waterfall.height() == page.waterfall.row_height
    assert page.reason.y() == page.waterfall.y() + page.waterfall.height()


def test_both_empty_places_stand_at_one_height(desktop):
    pane = shown(desktop)
    desktop.settle()
    tops = [empty.layout().itemAt(1).widget().mapTo(pane, QPoint(0, 0)).y() for empty in (pane.side.empty, pane._empty)]
    assert abs(tops[0] - tops[1]) <= 8, "their texts may have more or fewer lines"


def test_where_nothing_is_open_no_keys_are_named(desktop):
    pane = shown(desktop)
    assert not pane._legend.isVisible()
    desktop.api.traces.put(EDITED)
    pane.traces.read()
    desktop.settle()
    assert pane._legend.isVisible()


def keys_of(pane):
    """Return which keys the foot names."""
    assert pane._legend.isVisible()
    return [" ".join(keys) for keys, _word in pane._legend._entries]


def test_the_foot_names_the_keys_that_do_something(desktop, pane):
    sent = asked(desktop)
    assert keys_of(pane) == ["J K", "↵", "1–5", "P", "C", "/"]
    pane.model.open(WHAT_IF.trace_id)
    desktop.settle()
    assert keys_of(pane) == ["J K", "↵", "1–5", "/"], "it has neither a stored prompt nor a context"
    desktop.put_chat(chat(planning_problem=PlanningProblem(PlanningKind.FAILED)))
    pane.model.open(REFUSED.trace_id)
    desktop.settle()
    assert keys_of(pane) == ["J K", "↵", "1–5", "P", "C", "G", "/"]
    assert "G plan again" in pane._legend.accessibleName()
    pane.model.open(TraceId(9_999))
    desktop.settle()
    assert keys_of(pane) == ["J K", "/"]
    desktop.press(pane.side.list, Qt.Key.Key_G, "g")
    assert not [one for one in sent if isinstance(one, RunAction)], "the box is not in sight"
    pane.model.open(REFUSED.trace_id)
    desktop.settle()
    assert "G" in keys_of(pane)
    desktop.put_chat(chat())
    desktop.settle()
    assert "G" not in keys_of(pane), "the plan was made since"


def test_a_send_that_failed_names_the_key_for_its_edit(desktop):
    card = approval(5, task_status=TaskStatus.FAILED)
    row = traced(1, state=TraceState.FAILED)
    block = TraceBlock(BlockKind.SEND, None, card.text, status=card.task_status, approval=card)
    desktop.api.traces.rows[row.trace_id] = row
    desktop.api.traces.whole[row.trace_id] = Trace(row, steps_of(row), axis_s=4.0, blocks=(block,))
    pane = shown(desktop)
    offered = {one.command for one in pane.page.reason.shown.actions}
    assert {ProblemCommand.ASK_AGAIN, ProblemCommand.EDIT_FIRST} <= offered
    assert keys_of(pane) == ["J K", "↵", "1–5", "P", "C", "G", "E", "/"]


def test_a_trace_that_is_gone_says_how_one_is_kept_and_leads_to_the_limits(desktop, pane):
    sent = asked(desktop)
    pane.model.open(TraceId(9_999))
    desktop.settle()
    assert desktop.sees("for its age, because traces took up too much room, or with its chat", pane)
    desktop.button("Open preferences", pane).click()
    assert ShowPreferences(Page.LIMITS) in sent


def test_in_a_small_pane_the_list_is_a_strip_until_its_filters_are_wanted(desktop, pane, qtbot):
    desktop.window.activateWindow()
    desktop.window.resize(1280, 720)
    desktop.settle()
    side, steps = pane.side, pane.page.waterfall
    assert side.is_narrow
    assert side.width() == STRIP
    assert not side.words.isVisible()
    assert "Sent, edited" in hand.rows(side.list)[0], "a screen reader hears the whole row"
    assert steps.shows_notes, "beside a strip the axis is wide"
    figures = [figure for figure in pane.page.head._figures if figure.isVisible()]
    assert len(figures) == len(figures_of(pane.model.trace))
    assert len({figure.y() for figure in figures}) == 1, "they have room"
    steps.setFocus()
    desktop.press(steps, Qt.Key.Key_Slash, "/")
    assert not side.is_narrow
    assert desktop.window.focusWidget() is side.words
    assert side.width() >= 200
    steps.choose(7)
    assert "refused: private address" not in pane.page._about.text(), "it stands beside the bar"
    wide = steps.size()
    steps.resize(460, wide.height())
    assert not steps.shows_notes, "its axis is short"
    assert "refused: private address" in pane.page._about.text()
    steps.resize(wide)
    desktop.press(side.words, Qt.Key.Key_Escape)
    assert side.is_narrow
    assert desktop.window.focusWidget() is side.list
    desktop.button("Search and filter", side).click()
    desktop.press(side.words, Qt.Key.Key_Return)
    assert side.is_narrow
    side.more.click()
    steps.setFocus()
    qtbot.waitUntil(lambda: side.is_narrow)  # the filters are left
    assert steps.shows_notes
    desktop.window.resize(1440, 900)
    desktop.settle()
    assert side.words.isVisible()
    assert steps.shows_notes
    head = pane.page.head
    head.resize(360, head.height())
    head.fit()
    head.layout().activate()
    assert len({figure.y() for figure in figures}) == 2, "no room for all in one row"


def test_a_row_shows_the_words_that_are_searched_for(desktop, pane):
    said = "Plums or pears for the picnic on Sunday?"
    for sought, shown in (
        ("picnic", "…pears for the picnic on Sunday?"),
        ("PIC", "…or pears for the picnic on Sunday?"),
        ("plums picnic", said),
        ("ears", said),
        ("sunday", "…the picnic on Sunday?"),
        ("(?", said),
        ("", said),
    ):
        assert from_hit(said, sought, lambda part: len(part) <= 24) == shown, sought
    assert from_hit(said, "picnic", lambda part: len(part) <= 4) == "…picnic on Sunday?"
    assert from_hit(said, "picnic", lambda part: len(part) <= 200) == said
    desktop.api.traces.put(traced(0, first_words=said))
    pane.side.words.setText("picnic")
    pane.side._choose()
    desktop.settle()
    view = pane.side.list
    assert len(ids(pane)) == 1
    found = view.grab().toImage()
    view.seek("")
    assert view.grab().toImage() != found


def test_the_search_field_shows_that_it_has_the_focus(desktop, pane, qtbot):
    desktop.window.activateWindow()
    for size in ((1280, 720), (1440, 900)):
        desktop.window.resize(*size)
        desktop.settle()
        words, accent = pane.side.words, desktop.window.theme.color("accent").name()
        pane.side.list.setFocus()
        desktop.press(pane.side.list, Qt.Key.Key_Slash, "/")
        qtbot.waitUntil(words.hasFocus)
        assert words.isVisible()
        picture = words.grab().toImage()
        assert picture.pixelColor(picture.width() // 2, 1).name() == accent, "its ring"
        pane.side.focus_list()


def test_the_strip_says_what_is_filtered(desktop, pane):
    desktop.window.resize(1280, 720)
    desktop.settle()
    side = pane.side
    assert side.is_narrow
    assert side.more.accessibleName() == "Search and filter"
    assert not side._only.isVisible()
    side.kinds.buttons()[2].click()
    desktop.settle()
    assert side.more.accessibleName() == "Search and filter. Only: Problems"
    assert "Only: Problems" in side.more.toolTip()
    assert side._only.isVisible()
    assert side._only.text() == "Problems"
    side.kinds.buttons()[1].click()
    desktop.settle()
    assert side.more.accessibleName() == "Search and filter. Only: Needs you"
    assert side._only.text() == "Needs you"
    assert QFontMetricsF(side._only.font()).horizontalAdvance("Needs you") <= side._only.width(), "it is whole"
    side.kinds.buttons()[2].click()
    desktop.settle()
    assert side.more.mapTo(side, QPoint(0, 0)).y() >= 4
    assert side._only.mapTo(side, side._only.rect().bottomLeft()).y() + 4 <= side.list.mapTo(side, QPoint(0, 0)).y()
    side.show_filter(TraceFilter(chat_id=ChatId(1)))
    side.words.setText("<b>still")
    desktop.press(side.words, Qt.Key.Key_Return)
    side._choose()
    desktop.settle()
    assert "Marta Oliveira" in side.more.accessibleName()
    assert "<b>still" in side.more.accessibleName()
    assert "<b>" not in side.more.toolTip(), "Qt would take it for markup"
    assert side._only.text() == "Filtered"
    side.show_filter(TraceFilter(since=EDITED.began_at - timedelta(days=3), until=EDITED.began_at + timedelta(days=1)))
    desktop.settle()
    assert " to " in side.more.accessibleName()
    assert side._only.text() == "Filtered", "half a span would be another one"
    assert side._only.sizeHint().width() - 2 <= side._only.width()
    side.show_all()
    desktop.settle()
    assert side.more.accessibleName() == "Search and filter"
    assert not side._only.isVisible()
    side.marks.setCurrentIndex(side.marks.findData("kept"))
    desktop.settle()
    assert side.more.accessibleName() == "Search and filter. Only: Kept"


@pytest.mark.qt_log_ignore("plugin does not support")  # a popup is a window of its own
def test_the_filters_of_a_small_pane_stay_while_they_are_used(desktop, pane, qtbot):
    desktop.window.activateWindow()
    desktop.window.resize(1280, 720)
    desktop.settle()
    side = pane.side
    side.more.click()
    for width in (1270, 1280):
        desktop.window.resize(width, 720)
        desktop.settle()
        assert not side.is_narrow, "the size of the pane may change while words are typed"
        assert desktop.window.focusWidget() is side.words
    qtbot.mouseClick(side.agent, Qt.MouseButton.LeftButton)
    desktop.settle()
    try:
        assert side.agent.view().isVisible(), "the list of a combo box is a window of its own"
        assert not side.is_narrow
    finally:
        side.agent.hidePopup()
    side.agent.setFocus()
    pane.page.waterfall.setFocus()
    qtbot.waitUntil(lambda: side.is_narrow)


def test_a_filter_that_has_the_focus_stays_when_the_pane_becomes_small(desktop, pane):
    desktop.window.resize(1440, 900)
    desktop.settle()
    pane.side.words.setFocus()
    desktop.window.resize(1280, 720)
    desktop.settle()
    assert not pane.side.is_narrow
    assert desktop.window.focusWidget() is pane.side.words
    desktop.press(pane.side.words, Qt.Key.Key_Escape)
    assert pane.side.is_narrow


def test_it_opens_the_trace_of_a_plan_or_says_that_there_is_none(desktop, pane):
    desktop.window.requests.send(ShowTrace(REFUSED.graph_id))
    desktop.settle()
    assert pane.model.trace.summary == REFUSED
    assert pane.side.list.current == REFUSED
    desktop.window.requests.send(ShowTrace(GraphId(999_999)))
    desktop.settle()
    assert desktop.sees("This plan has no trace", pane)
    assert pane.model.trace_id is None, "the trace of another plan is not left open, with buttons that act on it"
    assert not pane.page.isVisible()
    assert pane.side.list.current is None
    pane.traces.outdate()
    desktop.settle()
    pane.refresh()
    assert pane.model.trace_id is None, "no other trace opens by itself"
    desktop.window.requests.send(ShowTrace(REFUSED.graph_id))
    desktop.settle()
    assert pane.model.trace.summary == REFUSED
    assert not desktop.sees("This plan has no trace", pane)
    desktop.window.requests.send(ShowTrace(chat_id=ChatId(1)))
    desktop.settle()
    assert pane.traces.wanted.chat_id == 1


def test_a_changed_trace_is_shown_as_it_is_now(desktop, pane, qtbot):
    traces = desktop.api.traces
    traces.put(replace(EDITED, state=TraceState.UNKNOWN, is_edited=False), traced(0))
    qtbot.waitUntil(lambda: (desktop.settle(), len(ids(pane)) == 5)[1])
    qtbot.waitUntil(lambda: (desktop.settle(), pane.model.trace.summary.state is TraceState.UNKNOWN)[1])
    assert "Outcome unknown" in hand.rows(pane.side.list)[1]
    assert pane.side.list.current.trace_id == EDITED.trace_id, "the chosen one stays chosen"
    traces.remove(EDITED.trace_id)
    qtbot.waitUntil(lambda: (desktop.settle(), EDITED.trace_id not in ids(pane))[1])


@pytest.mark.parametrize("way", ["another filter", "shown again"])
def test_head_and_row_of_the_open_trace_say_the_same(desktop, pane, way):
    """A row may be read long before the changes of the open trace are looked at; it says no other state meanwhile."""
    desktop.window.requests.send(ShowTrace(trace_id=WAITS.trace_id))
    desktop.settle()
    assert pane.page.head.chip.accessibleName() == "Waiting for you"
    desktop.window.show_pane("traces" if way == "another filter" else "context")
    desktop.api.traces.put(replace(WAITS, state=TraceState.REJECTED, first_words="picnic"))
    desktop.settle()
    if way == "another filter":
        pane.traces.choose(replace(pane.traces.wanted, words="picnic"))
    else:
        desktop.window.show_pane("traces")
    desktop.settle()
    assert any("Rejected, picnic" in row for row in hand.rows(pane.side.list))
    assert pane.page.head.chip.accessibleName() == "Rejected"


def test_an_older_reading_of_a_trace_does_not_replace_a_newer_one(desktop, pane, monkeypatch):
    traces, model = desktop.api.traces, pane.model
    held, read = [True], traces.trace

    @coroutine
    def let_go():
        while held:
            yield

    async def slowly(trace_id):
        trace = await read(trace_id)
        if model._reads == 1:
            await let_go()
        return trace

    model._reads = model._taken = 0
    model._jobs.spawn = desktop.errands
    monkeypatch.setattr(traces, "trace", slowly)
    model.read()
    traces.put(replace(EDITED, state=TraceState.REJECTED))
    model.read()
    desktop.settle()
    assert model.trace.summary.state is TraceState.REJECTED
    held.clear()
    desktop.settle()
    assert model.trace.summary.state is TraceState.REJECTED


def test_what_waits_for_the_operator_counts_on_with_the_clock_while_it_is_shown(desktop, pane):
    began, clock = WAITS.began_at, desktop.models.clock
    wait = TraceStep(5, StepKind.APPROVAL, began, 0.532, ApprovalStep(approval(1, "Yes")), state=StepState.OPEN)
    desktop.api.traces.whole[WAITS.trace_id] = Trace(WAITS, (*steps_of(WAITS), wait), waited_s=0.532)
    clock.now = lambda: began + timedelta(seconds=37)
    desktop.window.requests.send(ShowTrace(trace_id=WAITS.trace_id))
    desktop.settle()
    figure = pane.page.head._figures[1]
    assert figure.accessibleName() == "532 ms waiting for you"
    pane.page.waterfall.choose(5)
    clock.ticked.emit()
    assert figure.accessibleName() == "37.0 s waiting for you"
    assert "37.0 s" in hand.rows(pane.page.waterfall)[4]
    assert "37.0 s" in pane.page._about.text()
    assert pane.model.trace.cuts[0].left_out_s == pytest.approx(31.0 - 3.907, abs=4)
    pane.page.waterfall.choose(3)
    pane.page.reply.raw.selectAll()
    chosen = pane.page.reply.raw.textCursor().selectedText()
    clock.now = lambda: began + timedelta(minutes=4, seconds=12)
    clock.ticked.emit()
    assert figure.accessibleName() == "4 min 12 s waiting for you"
    assert chosen
    assert pane.page.reply.raw.textCursor().selectedText() == chosen, "what is read is left alone"
    pane.hide()
    clock.now = lambda: began + timedelta(hours=1)
    clock.ticked.emit()
    assert pane.model.trace.waited_s == pytest.approx(252)


def test_the_list_has_all_rows_and_reads_those_that_are_shown(desktop):
    traces = desktop.api.traces
    count = 50 * PAGE_ROWS
    for number in range(count):
        row = traced(number)
        traces.rows[row.trace_id] = row
    newest = sorted(traces.rows, reverse=True)
    pane = shown(desktop)
    assert pane.traces.rowCount() == count
    assert len(ids(pane)) == PAGE_ROWS
    bar = pane.side.list.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    pane.side.list.grab()
    desktop.settle()
    middle = pane.side.list.indexAt(pane.side.list.viewport().rect().center()).row()
    assert abs(middle - count // 2) < 20
    assert pane.traces.item_at(middle).trace_id == newest[middle]
    assert len(ids(pane)) <= 4 * PAGE_ROWS, "nothing between was read"
    for place in range(0, count, PAGE_ROWS):
        pane.traces.item_at(place)
        desktop.settle()
        assert pane.traces.item_at(place).trace_id == newest[place]
    assert len(ids(pane)) == (KEPT_PAGES + 1) * PAGE_ROWS, "pages far from sight are dropped"
    pane.side.list.setCurrentIndex(pane.side.list.model().index(middle, 0))
    desktop.settle()
    assert pane.model.trace_id == newest[middle], "it is opened once it has been read"


def test_a_trace_far_down_is_opened_and_the_list_goes_there(desktop, monkeypatch):
    traces = desktop.api.traces
    for number in range(50 * PAGE_ROWS):
        row = traced(number)
        traces.rows[row.trace_id] = row
    pane = shown(desktop)
    view, far, farther = pane.side.list, traced(30 * PAGE_ROWS), traced(44 * PAGE_ROWS)

    def go(row):
        desktop.window.requests.send(ShowTrace(row.graph_id))
        desktop.settle()
        view.grab()
        desktop.settle()

    go(far)
    assert pane.model.trace.summary == view.current == far
    assert view.visualRect(view.currentIndex()).intersects(view.viewport().rect())
    place = traces.place

    async def late(wanted, trace_id, standings):
        found = await place(wanted, trace_id, standings)
        return None if found is None else found + 3

    monkeypatch.setattr(traces, "place", late)
    go(farther)
    assert pane.model.trace.summary == view.current == farther, "rows that went since do not open another trace"
    pane.side.kinds.buttons()[2].click()
    desktop.settle()
    go(far)
    assert pane.model.trace.summary == far
    assert view.current is None, "the filter does not take it"


def test_without_traces_no_plan_is_to_be_chosen(desktop):
    pane = shown(desktop)
    assert desktop.sees("No traces yet", pane)
    assert desktop.sees("Here you see how a plan came about", pane)
    assert not desktop.sees("Choose a plan", pane)


def test_a_failed_call_says_so_once(desktop, pane):
    first, context, call, parse = steps_of(REFUSED)
    assert isinstance(call.detail, CallStep)
    failed = replace(call.detail, call=replace(call.detail.call, end=CallEnd.FAILED))
    steps = (first, context, replace(call, detail=failed, state=StepState.FAILED), parse)
    _, facts = step_facts(Trace(REFUSED, steps, axis_s=5.0), steps[2], desktop.models.clock)
    assert [value for _, value in facts].count("failed") == 1
    assert step_sentence(steps[2]).count("failed") == 1


def test_what_retention_deletes_does_not_move_the_list(desktop, qtbot):
    traces = desktop.api.traces
    count = 10 * PAGE_ROWS
    for number in range(count):
        row = traced(number)
        traces.rows[row.trace_id] = row
    pane = shown(desktop)
    view = pane.side.list
    view.setCurrentIndex(view.model().index(5 * PAGE_ROWS, 0))
    view.grab()
    desktop.settle()
    chosen, place = view.current, view.verticalScrollBar().value()
    traces.remove(*sorted(traces.rows)[:30])
    qtbot.waitUntil(lambda: (desktop.settle(), pane.traces.rowCount() == count - 30)[1])
    view.grab()
    desktop.settle()
    assert (view.current, view.verticalScrollBar().value()) == (chosen, place)


@pytest.mark.parametrize("gone", [[150], range(150, 400)])
def test_the_list_marks_the_trace_that_is_open_or_none(desktop, gone):
    """Rows above it leave the list, because they no longer wait."""
    traces = desktop.api.traces
    for number in range(6 * PAGE_ROWS):
        row = traced(number, state=TraceState.WAITING)
        traces.rows[row.trace_id] = row
    pane = shown(desktop)
    pane.side.kinds.buttons()[1].click()
    desktop.settle()
    view = pane.side.list
    view.setCurrentIndex(view.model().index(450, 0))
    view.grab()
    desktop.settle()
    opened = pane.model.trace_id
    assert view.current.trace_id == opened
    newest = sorted(traces.rows, reverse=True)
    for place in gone:
        traces.put(replace(traces.rows[newest[place]], state=TraceState.REJECTED))
    for _ in range(2):
        desktop.settle()
        pane.traces._read_again()
        desktop.settle()
        view.grab()
    desktop.settle()
    assert pane.model.trace_id == opened
    assert view.current is None or view.current.trace_id == opened


def test_what_cannot_be_read_says_so_and_is_tried_again(desktop):
    desktop.api.traces.fail = StoreError("the disk is gone")
    pane = shown(desktop)
    assert desktop.sees("Traces can't be loaded", pane)
    desktop.api.traces.fail = None
    desktop.button("Try again", pane.side).click()
    desktop.settle()
    assert desktop.sees("No traces yet", pane)


def test_the_list_is_painted_again_for_chats_of_waiting_rows_alone(desktop, monkeypatch):
    sent = traced(5, state=TraceState.SENT, chat_id=ChatId(55))
    waits = traced(6, state=TraceState.WAITING, chat_id=ChatId(66))
    desktop.api.traces.rows |= {row.trace_id: row for row in (sent, waits)}
    desktop.window.show_pane("traces")
    desktop.settle()
    view = desktop.window.panes["traces"].side.list
    view.grab()
    painted: list[object] = []
    monkeypatch.setattr(view, "paintEvent", painted.append)
    changed = desktop.models.chats.feed.chats_changed
    changed.emit(frozenset({ChatId(55)}))
    desktop.settle()
    assert painted == []
    changed.emit(frozenset({ChatId(55), ChatId(66)}))
    desktop.settle()
    assert painted
