"""Where the note of a step stands in the waterfall, and what it says of a card that nobody decided."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from chimein_gui.domain.approvals import RejectionCause
from chimein_gui.domain.costs import CallEnd
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule
from chimein_gui.domain.tasks import ApprovalState, CancelReason, LedgerState, TaskStatus
from chimein_gui.domain.traces.entries import AttemptEnded
from chimein_gui.domain.traces.steps import (
    ApprovalStep,
    CallStep,
    SendStep,
    SentPart,
    StepKind,
    StepState,
    Trace,
    TraceBlock,
    TraceStep,
)
from chimein_gui.domain.traces.summaries import TraceKind, TraceSizes, TraceState
from chimein_gui.ui.panes.traces.looks import bar_color
from chimein_gui.ui.panes.traces.waterfall import APART, INSET, Edges, NotePlace, ink_on, lanes_of, place_of
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.theme import Face, Scheme, Theme, contrast
from chimein_gui.viewmodels.core.clock import ClockFace
from chimein_gui.viewmodels.traces.block_words import block_state, reply_words
from chimein_gui.viewmodels.traces.fact_words import request_facts, step_facts
from chimein_gui.viewmodels.traces.page_words import page_facts, page_status, size_cell
from chimein_gui.viewmodels.traces.step_words import cost_words, step_note, step_sentence, tokens_words
from chimein_gui.viewmodels.traces.words import (
    cost_digits,
    dollars_exact,
    figures_of,
    first_words,
    limit_words,
    size_words,
    usage_sum,
)
from tests.fakes.api_history import decided
from tests.fakes.api_traces import steps_of, traced
from tests.fakes.engine_api import NOON, approval

EDGES = Edges(name=160, first=300, last=810)


@pytest.mark.parametrize(
    ("left", "right", "place"),
    [
        (300, 320, NotePlace.BEHIND),
        (700, 800, NotePlace.BEFORE),
        (400, 500, NotePlace.BEHIND),
        (480, 700, NotePlace.BEFORE),
    ],
)
def test_a_note_stands_where_it_has_room(left, right, place):
    assert place_of(160, left, right, EDGES) is place


@pytest.mark.parametrize(("left", "right"), [(340, 780), (300, 800), (380, 760)])
def test_a_note_without_room_beside_its_bar_stands_in_it(left, right):
    assert place_of(160, left, right, EDGES) is NotePlace.INSIDE


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_a_note_in_a_filled_bar_can_be_read(qtbot, scheme):
    theme = Theme(scheme)
    for kind in StepKind:
        for state in (StepState.DONE, StepState.FAILED):
            ground = bar_color(theme, TraceStep(1, kind, NOON, 1.0, SendStep(approval(1)), state=state))
            assert contrast(ink_on(ground).name(), ground.name()) >= 4.5, (kind, state)


@pytest.mark.with_panes("traces")
def test_the_note_of_the_only_call_stands_whole_in_its_bar(desktop):
    """A call over the whole axis: no room behind it and none before."""
    row = traced(1, kind=TraceKind.DRY_RUN, state=TraceState.FAILED, graph_id=None)
    call = replace(steps_of(row)[2], offset_s=0.0, shown_s=1.0, state=StepState.FAILED)
    assert isinstance(call.detail, CallStep)
    fault = replace(call.detail.call, end=CallEnd.FAILED, fault=Note(ModelFault.PROMPT_BLOCKED))
    call = replace(call, detail=replace(call.detail, call=fault))
    desktop.api.traces.rows[row.trace_id] = row
    desktop.api.traces.whole[row.trace_id] = Trace(row, (call,), axis_s=1.0)
    desktop.window.show_pane("traces")
    desktop.settle()
    view = desktop.window.panes["traces"].page.waterfall
    lanes, theme = view.lanes, desktop.window.theme
    width = theme.metrics(Face.SMALL).horizontalAdvance(step_note(call))
    edges = Edges(lanes.first, lanes.first, lanes.last)
    assert place_of(width, lanes.first, lanes.last, edges) is NotePlace.INSIDE
    picture, row_of_call = view.viewport().grab().toImage(), view.visualRect(view.model().index(0, 0))
    ground = bar_color(theme, call).name()
    inked = [
        x
        for x in range(round(lanes.first), round(lanes.last))
        if any(contrast(picture.pixelColor(x, row_of_call.center().y() + up).name(), ground) > 3 for up in range(-4, 5))
    ]
    assert inked[0] == pytest.approx(lanes.first + INSET, abs=3)
    assert inked[-1] == pytest.approx(lanes.first + INSET + width, abs=3), "the whole note"


@pytest.mark.with_panes("traces")
@pytest.mark.parametrize("is_chosen", [True, False])
def test_a_wait_stays_hatched_around_the_note_inside_its_bar(desktop, is_chosen):
    row = traced(1, state=TraceState.WAITING)
    wait = TraceStep(8, StepKind.APPROVAL, NOON, 12.0, ApprovalStep(approval(1)), shown_s=12.0, state=StepState.OPEN)
    desktop.api.traces.rows[row.trace_id] = row
    desktop.api.traces.whole[row.trace_id] = Trace(row, (steps_of(row)[0], wait), axis_s=12.0)
    desktop.window.show_pane("traces")
    desktop.settle()
    view, theme = desktop.window.panes["traces"].page.waterfall, desktop.window.theme
    view.choose(8 if is_chosen else 1)
    lanes, metrics, note = view.lanes, theme.metrics(Face.SMALL), step_note(wait)
    width = metrics.horizontalAdvance(note)
    edges = Edges(lanes.first, lanes.first, lanes.last)
    assert place_of(width, lanes.first, lanes.last, edges) is NotePlace.INSIDE
    picture, where = view.viewport().grab().toImage(), view.visualRect(view.model().index(1, 0))
    left, middle = round(lanes.first + INSET), where.center().y()
    above = round(middle - metrics.height() / 2 + 2)
    plain = {picture.pixelColor(x, above).name() for x in range(left - 2, round(left + width + 2))}
    ground = picture.pixelColor(round(lanes.name) - 30, where.top() + 3).name()
    assert plain == {ground}, "neither hatch nor grid runs through the note"
    behind = [picture.pixelColor(x, middle).name() for x in range(round(left + width + 10), round(lanes.last - 4))]
    usual = max(set(behind), key=behind.count)
    assert sum(one != usual for one in behind) > len(behind) * 0.1, "hatched"


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_bars_stand_out_from_the_chosen_row(qtbot, scheme):
    theme = Theme(scheme)
    ground = theme.color("accent_soft").name()
    for kind in (StepKind.MODEL_CALL, StepKind.ROUND, StepKind.TOOL):
        step = TraceStep(1, kind, NOON, 1.0, SendStep(approval(1)))
        assert contrast(bar_color(theme, step).name(), ground) >= 3


@pytest.mark.parametrize(
    ("left", "right", "place"),
    [(310, 330, NotePlace.BEHIND), (760, 790, NotePlace.BEFORE), (340, 780, NotePlace.INSIDE)],
)
def test_a_note_without_room_anywhere_stands_where_it_has_most(left, right, place):
    assert place_of(1000, left, right, EDGES) is place


@pytest.mark.parametrize(("width", "place"), [(232, NotePlace.BEFORE), (234, NotePlace.INSIDE)])
def test_a_note_without_room_on_the_axis_may_begin_behind_its_name(width, place):
    assert place_of(width, 400, 640, EDGES) is place


@pytest.mark.with_panes("traces")
def test_a_note_is_whole_as_long_as_there_is_room_before_the_time(desktop):
    """The room for the longest time is not needed by a shorter one."""
    row = traced(1)
    step = replace(steps_of(row)[0], took_s=0.004, offset_s=0.0, shown_s=4.0)
    desktop.api.traces.rows[row.trace_id] = row
    desktop.api.traces.whole[row.trace_id] = Trace(row, (step, *steps_of(row)[1:]), axis_s=4.0)
    desktop.window.show_pane("traces")
    desktop.settle()
    view = desktop.window.panes["traces"].page.waterfall
    lanes, metrics = view.lanes, desktop.window.theme.metrics(Face.SMALL)
    edges = view.itemDelegate()._edges_of(step, lanes)
    assert edges.last == pytest.approx(lanes.time - metrics.horizontalAdvance("4 ms") - APART)
    assert edges.last > lanes.last + 20
    assert lanes.name < edges.name < lanes.first
    right = lanes.last - 100
    assert place_of(edges.last - right - 7, lanes.first, right, edges) is NotePlace.BEHIND


@pytest.mark.parametrize("status", [TaskStatus.CANCELLED, TaskStatus.SKIPPED])
def test_what_the_operator_rejected_has_one_word_in_all_places(status):
    card = approval(
        1, state=ApprovalState.REJECTED, task_status=status, note=Note(NoteKind.REJECTED, "too long for him")
    )
    step = TraceStep(1, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(card), state=StepState.REFUSED)
    facts = dict(step_facts(Trace(traced(1), (step,)), step, ClockFace(lambda: NOON))[1])
    assert facts["What happened"] == "rejected by you"
    assert "Ended" not in facts
    assert facts["Words"] == "too long for him"
    assert step_sentence(step) == "Approval, rejected by you, 1.00 s"
    block = TraceBlock(BlockKind.SEND, None, "Yes", status=status, approval=card)
    assert block_state(block, edited=False) == "rejected"


@pytest.mark.parametrize(
    ("status", "note", "words"),
    [
        (TaskStatus.AWAITING_DECISION, None, "waiting for you"),
        (TaskStatus.CANCELLED, Note(CancelReason.PLAN_REJECTED), "The plan was rejected"),
        (TaskStatus.SKIPPED, None, "rejected with its plan"),
        (TaskStatus.CANCELLED, None, "cancelled with its plan"),
    ],
)
def test_a_card_without_a_decision_says_how_it_ended(status, note, words):
    card = replace(approval(1), task_status=status, note=note)
    assert step_note(TraceStep(1, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(card))) == words


@pytest.mark.with_panes("traces")
@pytest.mark.parametrize("status", [TaskStatus.CANCELLED, TaskStatus.AWAITING_DECISION])
def test_a_card_is_offered_while_it_waits_and_not_once_its_plan_was_rejected(desktop, status):
    waits = status is TaskStatus.AWAITING_DECISION
    row = traced(1, state=TraceState.WAITING if waits else TraceState.REJECTED)
    card = approval(1, task_status=status, note=None if waits else Note(CancelReason.PLAN_REJECTED))
    state = StepState.OPEN if waits else StepState.DISCARDED
    step = TraceStep(8, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(card), state=state)
    desktop.api.traces.rows[row.trace_id] = row
    desktop.api.traces.whole[row.trace_id] = Trace(row, (*steps_of(row), step), axis_s=5.0)
    desktop.window.show_pane("traces")
    desktop.settle()
    page = desktop.window.panes["traces"].page
    page.waterfall.choose(8)
    assert page.step.isVisible()
    assert page.step.draft.isVisible() is waits


@pytest.mark.with_panes("traces")
@pytest.mark.parametrize(
    ("reply", "status", "heading", "words"),
    [
        ("# «send»\nYes", TaskStatus.DONE, "Became these tasks", ""),
        ("# «send»\nYes", None, "Parts of the reply", ""),
        ("Yes", "no block", "Tasks", "The reply brought no tasks."),
        ("", "no block", "Tasks", "Without a reply there are no tasks."),
    ],
)
def test_the_reply_says_what_became_of_it(desktop, reply, status, heading, words):
    desktop.window.show_pane("traces")
    tab = desktop.window.panes["traces"].page.reply
    row = traced(1)
    call = steps_of(row)[2]
    assert isinstance(call.detail, CallStep)
    call = replace(call, detail=replace(call.detail, reply=reply))
    blocks = () if status == "no block" else (TraceBlock(BlockKind.SEND, None, "Yes", status=status),)
    tab.show_trace(Trace(row, (call,), reply=reply, blocks=blocks), call)
    assert tab._heading.text() == heading
    assert ("" if tab._none.isHidden() else tab._none.text()) == words


@pytest.mark.parametrize(("kind", "ended"), [(NoteKind.NEWER_CAME, None), (NoteKind.MODEL_FAILED, "failed")])
def test_an_attempt_ended_failed_only_if_something_did(kind, ended):
    row = traced(1)
    end = TraceStep(9, StepKind.ATTEMPT, NOON, 0.0, AttemptEnded(NOON, 1, Note(kind)), state=StepState.FAILED)
    facts = dict(step_facts(Trace(row, (end,)), end, ClockFace(lambda: NOON))[1])
    assert facts.get("Ended") == ended
    assert ("failed" in step_sentence(end)) is (ended is not None)


PART = SentPart(0, LedgerState.UNKNOWN, 70_419_120)


@pytest.mark.parametrize(
    ("card", "part", "note", "fact"),
    [
        (
            approval(1, task_status=TaskStatus.UNKNOWN, note=Note(NoteKind.UNANSWERED)),
            PART,
            "not known whether it arrived",
            "random_id 70419120 · not known whether it arrived",
        ),
        (
            approval(1, task_status=TaskStatus.FAILED, note=Note(NoteKind.REFUSED, "CHAT_WRITE_FORBIDDEN")),
            replace(PART, state=LedgerState.FAILED),
            "not sent: ",
            "random_id 70419120 · not taken by Telegram",
        ),
        (
            approval(1, task_status=TaskStatus.APPROVED),
            replace(PART, state=LedgerState.PREPARED),
            "not sent yet",
            "random_id 70419120 · not handed over yet",
        ),
    ],
    ids=["unknown", "failed", "approved"],
)
def test_a_send_tells_what_the_box_tells(qtbot, card, part, note, fact):
    step = TraceStep(1, StepKind.SEND, NOON, 1.0, SendStep(card, (part,)), state=StepState.OPEN)
    facts = dict(step_facts(Trace(traced(1), (step,)), step, ClockFace(lambda: NOON))[1])
    assert step_note(step).startswith(note)
    assert len(step_note(step)) > len("not sent: ")
    assert facts["What happened"] == step_note(step)
    assert facts["Part 1"] == fact


def test_a_send_whose_outcome_is_unknown_has_the_colour_of_waits(qtbot):
    theme = Theme()
    card = approval(1, task_status=TaskStatus.UNKNOWN)
    step = TraceStep(1, StepKind.SEND, NOON, 1.0, SendStep(card, (PART,)), state=StepState.OPEN)
    assert bar_color(theme, step) == theme.color("attention")


def test_a_postponed_decision_has_the_colour_of_what_goes_on_by_itself(qtbot):
    theme = Theme()
    wait = TraceStep(1, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(approval(1)), state=StepState.OPEN)
    later = approval(1, postponed_until=NOON + timedelta(hours=1))
    assert bar_color(theme, wait) == theme.color("attention")
    assert bar_color(theme, replace(wait, detail=ApprovalStep(later))) == theme.color("info")


@pytest.mark.parametrize(
    ("card", "decision", "told"),
    [
        (
            approval(1, "See you", state=ApprovalState.REJECTED, task_status=TaskStatus.CANCELLED),
            None,
            ("Plan rejected", None, None, "See you"),
        ),
        (
            approval(1, "See you", state=ApprovalState.REJECTED, task_status=TaskStatus.SKIPPED),
            decided(1, DecisionKind.REJECTED, text="See you", words="no jokes", cause=RejectionCause.WRONG_TONE),
            ("Rejected", "Wrong tone", "no jokes", "See you"),
        ),
        (approval(1, "See you"), None, (None, None, None, "See you")),
    ],
    ids=["with its plan", "alone", "open"],
)
def test_a_card_says_what_was_decided_on_which_text(card, decision, told):
    step = TraceStep(1, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(card, decision))
    facts = dict(step_facts(Trace(traced(1), (step,)), step, ClockFace(lambda: NOON))[1])
    assert tuple(facts.get(name) for name in ("Decision", "Reason", "Words", "Text")) == told


def test_an_attempt_says_shortly_why_beside_its_bar_and_the_rest_in_its_details():
    raw = "You exceeded your current quota, please check your plan and billing details"
    reason = Note(NoteKind.MODEL_FAILED, cause=Note(ModelFault.ANSWERED_LATER, raw, 429))
    end = TraceStep(9, StepKind.ATTEMPT, NOON, 0.0, AttemptEnded(NOON, 1, reason), state=StepState.FAILED)
    facts = dict(step_facts(Trace(traced(1), (end,)), end, ClockFace(lambda: NOON))[1])
    assert facts["What happened"] == step_note(end) == "too many requests"
    assert raw in facts["Why"]


def test_rows_of_dry_runs_say_what_was_answered_without_the_marks_of_its_parts():
    reply = "# «think» (think, 312 characters) # «send» 3 At nine then # «send» Bye"
    assert first_words(traced(1, kind=TraceKind.DRY_RUN, first_words=reply)) == "At nine then Bye"
    assert first_words(traced(1, first_words="# «send»")) == "# «send»", "what a partner wrote stays"


def test_all_traces_are_stored_and_some_are_kept():
    sizes = TraceSizes(traces=7, kept=1, days=30)
    assert size_words(sizes).startswith("7 traces stored")
    assert limit_words(sizes) == "Stored for 30 days, 1 kept for good"


def test_a_send_of_which_nothing_was_handed_over_counts_no_parts():
    assert step_note(TraceStep(1, StepKind.SEND, NOON, 0.0, SendStep(approval(1)))) == "not sent"


def test_the_counts_of_a_round_add_up():
    def page(number, **what):
        return TraceStep(number, StepKind.PAGE, NOON, 0.1, PageFetched("http://a", "http://a", NOON, 0.1, 1, **what))

    parts = (
        page(2, status=200),
        page(3, refusal=RefusalRule.PRIVATE),
        page(4, error=FetchFault.TIMED_OUT),
        page(5, error=FetchFault.NOT_HTML),
    )
    step = TraceStep(1, StepKind.ROUND, NOON, 1.0, RetrievalRound(1, NOON, 1.0, 1, 1))
    assert step_note(step, parts) == "1 page in, 1 refused, 1 timed out, 1 not read"
    row = traced(1, pages=1, refused_pages=1)
    assert ("1 page", "retrieved, 1 refused, 1 timed out, 1 not read") in figures_of(Trace(row, (step, *parts)))


@pytest.mark.parametrize(
    ("amounts", "digits"), [((0.00014, 0.00024), 5), ((0.0006, 0.0002), 4), ((0.0, None), 4), ((), 4)]
)
def test_amounts_have_the_decimals_with_which_they_add_up(amounts, digits):
    steps = tuple(replace(steps_of(traced(1))[2], step_id=place, usd=usd) for place, usd in enumerate(amounts, start=1))
    row = traced(1, usd=sum(usd for usd in amounts if usd))
    assert cost_digits(Trace(row, steps)) == digits


def test_nothing_is_a_dash():
    row = traced(1, usd=0.0, tokens_in=0, tokens_out=0)
    assert dollars_exact(0.0) == "–"
    assert ("–", "tokens in / out") in figures_of(Trace(row))
    assert not tokens_words(steps_of(row)[2])


@pytest.mark.parametrize("percent", [100, 150])
def test_the_longest_figures_of_a_call_stand_apart(qtbot, percent):
    theme = Theme()
    theme.set_percent(percent)
    lanes, metrics = lanes_of(theme, 1400.0), theme.metrics(Face.SMALL)
    assert lanes.cost - metrics.horizontalAdvance("≈ 0.000806") - lanes.tokens >= 12
    assert lanes.tokens - metrics.horizontalAdvance("129,884 → 2,129") - lanes.time >= 6


@pytest.mark.with_panes("traces")
@pytest.mark.parametrize("percent", [100, 150])
def test_the_longest_estimates_are_whole_in_the_usage_tab(desktop, percent):
    desktop.window.show_pane("traces")
    theme = desktop.window.theme
    theme.set_percent(percent)
    widths = {
        column.title: column.width * percent / 100 for column in desktop.window.panes["traces"].page.usage.table.columns
    }
    for title, words in (("Prompt", "≈ 129,884"), ("Cost", "≈ $0.008061"), ("Cached", "29,985 (77 %)")):
        assert theme.metrics(Face.SMALL).horizontalAdvance(words) <= widths[title], title


def test_what_is_cached_is_said_of_the_prompt_and_with_its_unit():
    row = traced(1, tokens_in=3_794, tokens_out=92, tokens_cached=2_985)
    assert "3,794 tokens in (of which 2,985 cached), 92 out" in usage_sum(Trace(row))
    assert "cached" not in usage_sum(Trace(traced(1, tokens_cached=0)))
    call = steps_of(row)[2]
    assert isinstance(call.detail, CallStep)
    usage = replace(call.detail.call.usage, cached_tokens=1_393)
    call = replace(call, detail=replace(call.detail, call=replace(call.detail.call, usage=usage)))
    facts = dict(request_facts(Trace(row), call, ClockFace(lambda: NOON), "")[1])
    assert facts["Cached of these"] == "1,393 tokens"


def test_a_page_that_never_answered_has_no_answer():
    silent = PageFetched("http://a", "http://a", NOON, 10.0, 1, error=FetchFault.TIMED_OUT)
    assert page_status(silent) == "no answer"


def test_a_word_that_replaces_another_does_not_run_into_it(qtbot):
    diff = WordDiff(Theme())
    qtbot.addWidget(diff)
    diff.compare("Have you got a map?", "Have you got a 2 November")
    assert "map? 2 November" in "".join(piece.text for piece in diff.pieces)


def test_a_send_that_telegram_makes_wait_says_for_how_long_in_the_colour_of_waits(qtbot):
    theme = Theme()
    card = approval(1, task_status=TaskStatus.APPROVED, note=Note(NoteKind.SERVER_WAIT, number=420))
    step = TraceStep(1, StepKind.SEND, NOON, 1.0, SendStep(card), state=StepState.OPEN)
    assert step_note(step) == "Telegram asks to wait 7 min 0 s"
    assert bar_color(theme, step) == theme.color("attention")
    sent = replace(step, detail=SendStep(approval(1, task_status=TaskStatus.DONE)), state=StepState.DONE)
    assert bar_color(theme, sent) == theme.color("ok")


def test_what_has_not_ended_says_since_when_and_for_how_long_so_far():
    row = traced(1)
    wait = TraceStep(9, StepKind.APPROVAL, NOON, 94.0, ApprovalStep(approval(1)), state=StepState.OPEN)
    facts = dict(step_facts(Trace(row, (wait,)), wait, ClockFace(lambda: NOON))[1])
    assert facts["So far"] == "1 min 34 s"
    assert facts["Since"].endswith(f"{NOON.astimezone():%H:%M:%S}")
    assert not {"Ended", "Took", "Began"} & set(facts)


def test_a_moment_has_no_duration():
    row = traced(1)
    end = TraceStep(
        9, StepKind.ATTEMPT, NOON, 0.0, AttemptEnded(NOON, 1, Note(NoteKind.MODEL_FAILED)), state=StepState.FAILED
    )
    facts = dict(step_facts(Trace(row, (end,)), end, ClockFace(lambda: NOON))[1])
    assert "At" in facts
    assert not {"Took", "Began"} & set(facts)
    assert "0 ms" not in step_sentence(end)


def test_work_is_a_part_only_of_a_whole():
    row = traced(1)
    assert "working" in [name for _, name in figures_of(Trace(row))]
    assert [name for _, name in figures_of(Trace(row, message_to_send_s=9.0))][1] == "of it working"


def test_what_the_service_did_not_report_is_marked_or_a_dash():
    row = traced(1)
    step = steps_of(row)[2]
    assert isinstance(step.detail, CallStep)
    call = replace(step.detail.call, estimated=True, usage=Usage(2_687))
    guess = replace(step, tokens_in=2_687, tokens_out=0, detail=replace(step.detail, call=call))
    trace = Trace(row, (guess,))
    assert tokens_words(guess) == "≈ 2,687 → 0"
    assert (cost_words(guess, 4), cost_words(step, 4)) == ("≈ 0.0018", "0.0018")
    assert tokens_words(step) == "5,038 → 121"
    figures = [figure for figure, _ in figures_of(trace)]
    assert "≈ 5,038 / 121" in figures
    assert "≈ $0.0018" in figures
    assert not any("≈" in figure for figure, _ in figures_of(Trace(row, (step,))))
    facts = dict(step_facts(trace, guess, ClockFace(lambda: NOON))[1])
    assert (facts["Tokens"], facts["Cost"]) == ("≈ 2,687 → 0", "≈ $0.0018")
    assert "≈ 5,038 tokens in, 121 out · ≈ $0.0018" in usage_sum(trace)
    assert "≈" not in usage_sum(Trace(row, (step,)))
    free = replace(step.detail, call=replace(call, usage=Usage(), estimated=False), finish_reason="")
    assert reply_words(free) == "– tokens"
    facts = dict(request_facts(trace, replace(step, detail=free), ClockFace(lambda: NOON), "")[1])
    assert facts["Prompt"] == "–"


def test_a_page_of_which_only_the_beginning_was_read_says_so():
    page = PageFetched("http://a", "http://a", NOON, 0.1, 1, status=200, size=5_000_000, is_cut=True)
    whole = TraceStep(1, StepKind.PAGE, NOON, 0.1, page)
    part = replace(whole, detail=replace(page, is_part=True))
    assert "over" not in step_note(whole)
    assert (size_cell(page), size_cell(replace(page, is_part=True))) == ("5.0 MB", "> 5.0 MB")
    assert step_note(part).startswith("200 · over 5.0 MB")
    assert dict(page_facts(Trace(traced(1)), whole, page))["Read"] == "5.0 MB"
    read = dict(page_facts(Trace(traced(1)), part, replace(page, is_part=True)))["Read"]
    assert read == "the first 5.0 MB; the page is larger, and reading stops there"


def test_a_loop_of_redirects_is_one_line_with_its_count():
    loop = ((302, "http://trap.example/loop"),) * 5
    page = PageFetched("http://a", "http://a", NOON, 0.1, 1, redirects=((301, "http://b"), *loop))
    facts = page_facts(Trace(traced(1)), TraceStep(1, StepKind.PAGE, NOON, 0.1, page), page)
    assert [value for name, value in facts if name.startswith("Redirect")] == [
        "http://b",
        "5 × http://trap.example/loop",
    ]
    assert page_status(replace(page, status=302)) == "302 ← 302 × 5 ← 301"
