"""The box of the Traces pane that says why a plan failed, was refused or waits, and what its buttons do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.domain.agents import Health, MethodWait
from chimein_gui.domain.approvals import AskReason, Undo
from chimein_gui.domain.ids import AgentId, ChatId
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.sent import CallId
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule
from chimein_gui.domain.spending.caps import EVERYTHING, Release
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.traces.steps import (
    ApprovalStep,
    CallStep,
    StepKind,
    StepState,
    Trace,
    TraceBlock,
    TraceStep,
)
from chimein_gui.domain.traces.summaries import TraceKind, TraceState
from chimein_gui.engine.planning import lifecycle
from chimein_gui.ui.requests import (
    EditDraft,
    OpenLogin,
    ShowAgent,
    ShowChat,
    ShowContext,
    ShowCosts,
    ShowDraft,
    ShowPreferences,
    ShowPrompt,
    ShowTrace,
)
from chimein_gui.viewmodels.core.clock import ClockFace
from chimein_gui.viewmodels.preferences.catalogue import Page
from chimein_gui.viewmodels.problems.words import Severity
from chimein_gui.viewmodels.traces import reasons
from chimein_gui.viewmodels.traces.asks import asks_words
from chimein_gui.viewmodels.traces.fact_words import step_facts
from chimein_gui.viewmodels.traces.standing import Standing, WaitsFor, standing_of
from chimein_gui.viewmodels.traces.step_words import step_note
from chimein_gui.viewmodels.traces.words import figures_of
from tests.fakes.api_traces import steps_of, traced
from tests.fakes.engine_api import NOON, agent, approval, chat

pytestmark = [
    pytest.mark.with_panes("traces", "preferences", "costs", "context", "approvals", "prompt"),
    pytest.mark.qt_log_ignore("propagateSizeHints"),
]

BLOCKED = Note(NoteKind.MODEL_FAILED, cause=Note(ModelFault.PROMPT_BLOCKED, "PROHIBITED_CONTENT"))
SILENT = Note(ModelFault.TIMED_OUT)
TRIED = Note(NoteKind.MODEL_FAILED, number=10, cause=SILENT)
KEY = Note(NoteKind.NO_KEY, cause=Note(ModelFault.KEY_NOT_ACCEPTED, number=403))
CAP = Note(ModelFault.CAP_REACHED, EVERYTHING.scope.value, 3_000_000)
CAPPED = Note(NoteKind.WAITS_FOR_CAP, cause=CAP)
UNPRICED = Note(NoteKind.WAITS_FOR_CAP, cause=Note(ModelFault.NO_PRICE, "gemini-9"))
GIVEN_UP = PlanningProblem(PlanningKind.FAILED, attempt=10, fault=SILENT)
FAILED_SEND = approval(5, task_status=TaskStatus.FAILED, note=Note(NoteKind.REFUSED, "CHAT_WRITE_FORBIDDEN"))
FLOODED = approval(6, task_status=TaskStatus.APPROVED, note=Note(NoteKind.SERVER_WAIT, number=420), due_at=NOON)
ALONE = approval(7, task_status=TaskStatus.APPROVED, note=Note(NoteKind.STAYS_LOGGED_OUT))
LOST = approval(8, task_status=TaskStatus.UNKNOWN, note=Note(NoteKind.UNANSWERED))
ASKS = approval(9, reasons=(AskReason.FIRST_MESSAGE, AskReason.REVIEW))
LATER = replace(ASKS, postponed_until=NOON + timedelta(hours=1))


def whole(row, *cards, pages=()):
    steps = steps_of(row)
    found = tuple(
        TraceStep(10 + number, StepKind.PAGE, page.began_at, page.took_s, page) for number, page in enumerate(pages)
    )
    blocks = tuple(
        TraceBlock(BlockKind.SEND, None, card.text, status=card.task_status, approval=card) for card in cards
    )
    return Trace(row, (*steps, *found), axis_s=4.0, blocks=blocks)


@pytest.fixture
def shown(desktop):
    def show(row, *cards, problem=None, pages=()):
        api = desktop.api
        for card in cards:
            api.approvals[card.approval_id] = card
            desktop.put_approval(card)
        api.traces.rows[row.trace_id] = row
        api.traces.whole[row.trace_id] = whole(row, *cards, pages=pages)
        desktop.put_chat(chat(planning_problem=problem))
        desktop.window.show_pane("traces")
        desktop.settle()
        return desktop.window.panes["traces"].page.reason

    return show


def words_of(box):
    return [button.text() for button in box.buttons if not button.isHidden()]


def refused(rule):
    return PageFetched("http://192.168.1.1/status", "", NOON, 0.0, 1, refusal=rule)


CASES = [
    (
        "blocked",
        (traced(1, state=TraceState.REFUSED, problem=BLOCKED),),
        {"problem": PlanningProblem(PlanningKind.FAILED, fault=BLOCKED.cause)},
        Severity.BROKEN,
        "safety filter blocked the prompt",
        "considers the content prohibited. The messages are saved",
        ["Plan now", "Plan without a message…", "Open the chat", "Open the prompt"],
    ),
    (
        "failed",
        (traced(1, state=TraceState.FAILED, problem=TRIED),),
        {"problem": GIVEN_UP},
        Severity.BROKEN,
        "No plan after 10 attempt",
        "did not answer in time. The messages are saved",
        ["Plan now", "Open the chat"],
    ),
    (
        "failed, and planned since",
        (traced(1, state=TraceState.FAILED, problem=TRIED),),
        {},
        Severity.BROKEN,
        "No plan after 10 attempt",
        "Gemini did not answer in time.",
        ["Open the chat"],
    ),
    (
        "tried again",
        (traced(1, state=TraceState.RETRYING, problem=Note(NoteKind.MODEL_FAILED, cause=SILENT)),),
        {"problem": PlanningProblem(PlanningKind.RETRYING, attempt=2, of=10, fault=SILENT)},
        Severity.WAITS,
        "Attempt 2 of 10 brought no plan",
        "The next attempt follows automatically",
        ["Plan now", "Open the chat"],
    ),
    (
        "the model asks to wait",
        (traced(1, state=TraceState.RETRYING, problem=Note(NoteKind.MODEL_FAILED, cause=SILENT)),),
        {"problem": PlanningProblem(PlanningKind.ASKED_TO_WAIT, wait_s=40, fault=SILENT)},
        Severity.WAITS,
        "asks for a wait of 40 s",
        "does not count as an attempt",
        ["Plan now", "Open the chat"],
    ),
    (
        "key",
        (traced(1, state=TraceState.NO_KEY, problem=KEY),),
        {},
        Severity.DECIDE,
        "Waits for a key that works",
        "does not accept the API key (HTTP 403). Planning continues",
        ["Open the keys", "Open the chat"],
    ),
    (
        "cap",
        (traced(1, state=TraceState.CAPPED, problem=CAPPED),),
        {},
        Severity.DECIDE,
        "Paused by a cap on costs",
        "Today's cap of $3.00 for everything is reached. Nothing is lost",
        ["Add $2.00 for today", "More choices"],
    ),
    (
        "no price",
        (traced(1, state=TraceState.CAPPED, problem=UNPRICED),),
        {},
        Severity.DECIDE,
        "Paused by a cap on costs",
        "has no price",
        ["Continue until midnight", "More choices"],
    ),
    (
        "not sent",
        (traced(1, state=TraceState.FAILED), FAILED_SEND),
        {},
        Severity.BROKEN,
        "Not sent, and not tried again",
        "",
        ["Ask again", "Edit first", "Open the chat"],
    ),
    (
        "flood wait",
        (traced(1, state=TraceState.APPROVED), FLOODED),
        {},
        Severity.WAITS,
        "Telegram asks this account to wait",
        "no attempt is used",
        ["Turn into a draft", "Open the card"],
    ),
    (
        "unknown",
        (traced(1, state=TraceState.UNKNOWN), LOST),
        {},
        Severity.DECIDE,
        "not known whether the message arrived",
        "No answer from Telegram. Chimein looks for it",
        ["Open the card"],
    ),
    (
        "unknown after the repetition",
        (traced(1, state=TraceState.UNKNOWN), replace(LOST, note=Note(NoteKind.SENT_AGAIN))),
        {},
        Severity.DECIDE,
        "not known whether the message arrived",
        "So it was sent again with the same number, of which Telegram takes only one. Chimein looks for it once more.",
        ["Open the card"],
    ),
    (
        "asks",
        (traced(1, state=TraceState.WAITING), ASKS),
        {},
        Severity.DECIDE,
        "Waits for your decision",
        "First message to Marta Oliveira.",
        ["Open the card"],
    ),
    (
        "asks without a page",
        (traced(1, state=TraceState.WAITING), approval(9)),
        {"pages": (refused(RefusalRule.PRIVATE),)},
        Severity.DECIDE,
        "Send the reply although no page could be looked up?",
        "192.168.1.1/status, refused: private address",
        ["Open the card", "Continue without retrieval"],
    ),
    (
        "pages",
        (traced(1, state=TraceState.SENT),),
        {"pages": (replace(refused(None), error=FetchFault.NO_SUCH_HOST),)},
        Severity.WAITS,
        "No page could be looked up",
        "no such host",
        [],
    ),
    (
        "begun anew",
        (traced(1, state=TraceState.BEGUN_ANEW, problem=Note(NoteKind.NEWER_CAME)),),
        {},
        Severity.WAITS,
        "Started over",
        "A newer message came. The plan is made once more; what comes of it will stand in this trace, too.",
        ["Open the chat"],
    ),
    (
        "what-if",
        (traced(1, kind=TraceKind.DRY_RUN, state=TraceState.FAILED, graph_id=None, problem=TRIED),),
        {},
        Severity.BROKEN,
        "The what-if brought no reply",
        "did not answer in time. It is not retried automatically: ask once more.",
        ["Open What-if", "Open the chat"],
    ),
    (
        "blocked what-if",
        (traced(1, kind=TraceKind.DRY_RUN, state=TraceState.FAILED, graph_id=None, problem=BLOCKED.cause),),
        {},
        Severity.BROKEN,
        "safety filter blocked the prompt",
        "considers the content prohibited. Change what is objected to, and ask once more.",
        ["Open What-if", "Open the chat"],
    ),
    (
        "two decisions",
        (traced(1, state=TraceState.WAITING), ASKS, approval(10)),
        {},
        Severity.DECIDE,
        "2 decisions wait for you",
        "First message to Marta Oliveira.",
        ["Open the first card"],
    ),
    (
        "one of two is postponed",
        (traced(1, state=TraceState.WAITING), LATER, approval(10)),
        {},
        Severity.DECIDE,
        "Waits for your decision",
        "Nothing is sent before you approve it.",
        ["Open the card"],
    ),
    (
        "postponed",
        (traced(1, state=TraceState.WAITING), LATER),
        {},
        Severity.WAITS,
        "Postponed by you, asks again at",
        "First message to Marta Oliveira.",
        ["Open the card"],
    ),
    (
        "another version",
        (traced(1, kind=TraceKind.VARIANT, state=TraceState.FAILED, problem=TRIED),),
        {},
        Severity.BROKEN,
        "No other version could be made",
        "did not answer in time. It is not retried automatically: ask once more.",
        ["Open the chat", "Open the prompt"],
    ),
]


@pytest.mark.parametrize(
    ("shows", "how", "severity", "title", "words", "buttons"),
    [case[1:] for case in CASES],
    ids=[one[0] for one in CASES],
)
def test_each_reason_says_what_happened_and_what_can_be_done(shown, shows, how, severity, title, words, buttons):
    box = shown(*shows, **how)
    assert box.isVisible()
    assert box.shown.severity is severity
    assert title in box.shown.cause
    assert words in box.shown.consequence
    assert words_of(box) == buttons
    assert box.message.accessibleName().startswith(box.shown.cause[:20])


@pytest.mark.parametrize("note", [NoteKind.UNANSWERED, NoteKind.SENT_AGAIN])
def test_a_message_that_may_be_sent_again_is_not_said_to_be_sent_once(shown, note):
    box = shown(traced(1, state=TraceState.UNKNOWN), replace(LOST, note=Note(note)))
    assert "sent again" in box.shown.consequence
    assert "Nothing is sent twice" not in box.shown.consequence


def test_the_box_says_when_the_next_attempt_begins(shown):
    row = traced(1, state=TraceState.RETRYING, ended_at=NOON, problem=Note(NoteKind.MODEL_FAILED, cause=SILENT))
    asked = PlanningProblem(PlanningKind.ASKED_TO_WAIT, wait_s=40, fault=SILENT)
    box = shown(row, problem=asked)
    local = (NOON + timedelta(seconds=40)).astimezone()
    assert f"continues automatically at {local:%H:%M:%S}." in box.shown.consequence


def test_the_pause_that_the_box_adds_is_that_of_the_engine():
    assert reasons.RETRY_S == lifecycle.RETRY_S


def test_what_the_service_said_stands_in_the_details_and_not_in_the_box(shown):
    raw = "Method doesn't allow unregistered callers"
    fault = Note(ModelFault.KEY_NOT_ACCEPTED, raw, 403)
    box = shown(traced(1, state=TraceState.NO_KEY, problem=Note(NoteKind.NO_KEY, cause=fault)))
    assert raw not in box.shown.consequence
    row = traced(1)
    call = steps_of(row)[2]
    assert isinstance(call.detail, CallStep)
    call = replace(call, detail=replace(call.detail, call=replace(call.detail.call, fault=fault)))
    facts = dict(step_facts(Trace(row), call, ClockFace(lambda: NOON))[1])
    assert facts["What the service said"] == raw
    assert raw not in facts["Why"]


@pytest.mark.parametrize("state", [TraceState.SENT, TraceState.REJECTED, TraceState.NO_ANSWER, TraceState.OBSERVED])
def test_what_went_as_it_should_has_no_box(shown, state):
    box = shown(traced(1, state=state), pages=(refused(RefusalRule.PRIVATE), replace(refused(None), status=200)))
    assert not box.isVisible()
    assert box.shown is None


def test_the_box_follows_a_card_that_is_postponed(desktop, qtbot, shown):
    row = traced(1, state=TraceState.WAITING)
    box = shown(row, ASKS)
    desktop.api.traces.whole[row.trace_id] = whole(row, LATER)
    desktop.put_approval(approval(77))
    desktop.settle()
    assert box.shown.cause == "Waits for your decision", "a card of another plan is no reason to read again"
    desktop.put_approval(LATER)
    desktop.settle()
    qtbot.waitUntil(lambda: box.shown.cause.startswith("Postponed by you, asks again at"))


def test_a_plan_that_is_postponed_says_so_in_chip_row_step_and_figure(desktop, shown):
    row = traced(1, state=TraceState.WAITING, graph_id=LATER.graph_id)
    shown(row, ASKS)
    pane, clock = desktop.window.panes["traces"], desktop.models.clock
    chip, rows = pane.page.head.chip, pane.side.list
    assert chip.accessibleName() == "Waiting for you"
    wait = TraceStep(9, StepKind.APPROVAL, NOON, 60.0, ApprovalStep(LATER), state=StepState.OPEN)
    trace = replace(whole(row, LATER), steps=(*steps_of(row), wait), waited_s=60.0)
    desktop.api.traces.whole[row.trace_id] = trace
    desktop.put_approval(LATER)
    desktop.settle()
    pane.model.read()
    desktop.settle()
    assert chip.accessibleName() == "Postponed"
    assert "Postponed, is the" in hand.rows(rows)[0]
    assert step_note(wait) == "postponed by you"
    assert ("1 min 0 s", "waiting, postponed by you") in figures_of(trace)
    clock.now = lambda: NOON + timedelta(hours=2)
    clock.ticked.emit()
    assert chip.accessibleName() == "Waiting for you", "the time is over"
    assert step_note(replace(wait, took_s=7_200.0)) == "waiting for you"


def test_a_plan_of_which_one_card_is_postponed_still_waits(desktop):
    row = traced(1, state=TraceState.WAITING)
    assert standing_of(row, None, None, NOON, cards=(LATER, ASKS)) is None
    assert standing_of(row, None, None, NOON, cards=(LATER,)) == Standing(WaitsFor.OPERATOR, LATER.postponed_until)


@pytest.mark.parametrize("reason", [one for one in AskReason if one is not AskReason.REVIEW])
def test_each_reason_to_ask_is_a_sentence(reason):
    words = asks_words(approval(9, reasons=(reason, AskReason.REVIEW)))
    if not words:  # a reason that is not shown beside what the card says anyway
        assert reason not in approval(9, reasons=(reason,)).shown_reasons
        return
    assert words.endswith(".")
    assert len(words.split()) > 3, "more than a label"


def test_a_changed_conversation_says_what_it_means(shown):
    box = shown(traced(1, state=TraceState.WAITING), replace(ASKS, reasons=(AskReason.CHANGED,)))
    assert "check that it still fits, or reject it." in box.shown.consequence


def test_a_wait_of_telegram_has_its_end_and_the_send_can_be_withdrawn(desktop, shown):
    until = NOON + timedelta(minutes=7)
    desktop.put_agent(agent(waits=(MethodWait("send_text", until),)))
    box = shown(traced(1, state=TraceState.APPROVED), FLOODED)
    assert box.shown.cause.endswith(desktop.models.clock.clock(until))
    box.buttons[0].click()
    desktop.settle()
    assert [type(decision) for _, decision in desktop.decisions()] == [Undo]


def test_an_approved_plan_that_waits_says_so_in_chip_and_row(desktop, shown):
    desktop.put_agent(agent(waits=(MethodWait("send_text", NOON + timedelta(seconds=252)),)))
    shown(traced(1, state=TraceState.APPROVED), FLOODED)
    pane, clock = desktop.window.panes["traces"], desktop.models.clock
    chip, rows = pane.page.head.chip, pane.side.list
    clock.now = lambda: NOON
    clock.ticked.emit()
    assert chip.accessibleName() == "Waiting 4:12"
    assert "Waiting 4:12, is the" in hand.rows(rows)[0]
    clock.now = lambda: NOON + timedelta(seconds=205)
    clock.ticked.emit()
    assert chip.accessibleName() == "Waiting 0:47"
    clock.now = lambda: NOON + timedelta(seconds=252)
    clock.ticked.emit()
    assert chip.accessibleName() == "Approved", "the wait is over"
    desktop.put_agent(agent(health=Health.LOGGED_OUT))
    desktop.settle()
    assert chip.accessibleName() == "Waits for the account"
    assert "Waits for the account" in hand.rows(rows)[0]


def test_a_plan_that_the_model_lets_wait_counts_down_and_is_not_tried_again_yet(desktop, shown):
    row = traced(1, state=TraceState.RETRYING, problem=SILENT)
    desktop.models.clock.now = lambda: row.ended_at + timedelta(seconds=2)
    shown(row, problem=PlanningProblem(PlanningKind.ASKED_TO_WAIT, wait_s=40, fault=SILENT))
    pane = desktop.window.panes["traces"]
    assert pane.page.head.chip.accessibleName() == "Waiting 0:38"
    assert "Waiting 0:38" in hand.rows(pane.side.list)[0]
    desktop.put_chat(chat(planning_problem=PlanningProblem(PlanningKind.RETRYING, attempt=1, of=10, fault=SILENT)))
    desktop.settle()
    assert pane.page.head.chip.accessibleName() == "Will be tried again"


def test_a_plan_that_was_replaced_leads_to_the_one_that_took_its_place(desktop, shown):
    old, new = traced(2, state=TraceState.REPLACED), traced(1, state=TraceState.SENT)
    box = shown(old)
    assert not box.isVisible(), "nothing is known that took its place"
    traces = desktop.api.traces
    traces.whole[old.trace_id] = replace(whole(old), successor=new.trace_id)
    traces.rows[new.trace_id] = new
    pane = desktop.window.panes["traces"]
    pane.model.read()
    desktop.settle()
    assert (box.shown.cause, box.shown.consequence) == ("Replaced", "A newer plan took its place.")
    desktop.button("Open the new plan's trace", box).click()
    desktop.settle()
    assert pane.model.trace.summary == new
    assert not box.isVisible()


def test_a_dry_run_that_failed_leads_to_where_another_one_is_made(desktop, shown):
    shown(traced(1, kind=TraceKind.DRY_RUN, state=TraceState.FAILED, graph_id=None, problem=TRIED))
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    desktop.button("Open What-if", desktop.window.panes["traces"].page.reason).click()
    assert ShowPrompt(ChatId(1), None, None, what_if=True) in sent


def counted(pane):
    return [button.text() for button in pane.side.kinds.buttons()[1:3]]


def test_filters_count_what_the_rows_say_while_it_is_postponed_and_after(desktop, qtbot, shown):
    row = traced(1, state=TraceState.WAITING, graph_id=ASKS.graph_id)
    shown(row, ASKS)
    pane, clock = desktop.window.panes["traces"], desktop.models.clock
    qtbot.waitUntil(lambda: counted(pane) == ["Needs you 1", "Problems"])
    desktop.put_approval(LATER)
    desktop.settle()
    qtbot.waitUntil(lambda: counted(pane) == ["Needs you", "Problems"])
    clock.now = lambda: NOON + timedelta(hours=2)
    clock.ticked.emit()
    desktop.settle()
    qtbot.waitUntil(lambda: counted(pane) == ["Needs you 1", "Problems"])


def test_filters_count_what_telegram_or_a_log_in_holds_back(desktop, qtbot, shown):
    shown(traced(1, state=TraceState.APPROVED), FLOODED)
    pane, clock = desktop.window.panes["traces"], desktop.models.clock
    clock.now = lambda: NOON
    qtbot.waitUntil(lambda: counted(pane) == ["Needs you", "Problems"])
    desktop.put_agent(agent(waits=(MethodWait("send_text", NOON + timedelta(minutes=7)),)))
    desktop.settle()
    qtbot.waitUntil(lambda: counted(pane) == ["Needs you", "Problems 1"])
    desktop.put_agent(agent(health=Health.LOGGED_OUT))
    desktop.settle()
    qtbot.waitUntil(lambda: counted(pane) == ["Needs you 1", "Problems 1"])
    pane.side.kinds.buttons()[1].click()
    desktop.settle()
    assert len(hand.rows(pane.side.list)) == 1
    desktop.put_agent(agent())
    desktop.settle()
    qtbot.waitUntil(lambda: counted(pane) == ["Needs you", "Problems"])
    qtbot.waitUntil(lambda: not hand.rows(pane.side.list))


def test_a_wait_for_the_key_needs_the_operator(desktop, shown):
    shown(traced(1, state=TraceState.NO_KEY, problem=KEY))
    assert counted(desktop.window.panes["traces"]) == ["Needs you 1", "Problems 1"]


@pytest.mark.parametrize("kind", [TraceKind.DRY_RUN, TraceKind.PLAN])
def test_the_box_offers_the_prompt_where_the_head_does(desktop, shown, kind):
    row = traced(1, kind=kind, state=TraceState.REFUSED, graph_id=None, problem=BLOCKED)
    box = shown(row)
    pane = desktop.window.panes["traces"]
    assert not pane.page.head.prompt.isEnabled()
    assert "Open the prompt" not in words_of(box)
    assert "Read the prompt" not in box.shown.consequence
    trace = whole(row)
    call = trace.steps[2]
    assert isinstance(call.detail, CallStep)
    call = replace(call, detail=replace(call.detail, call_id=CallId(77)))
    desktop.api.traces.whole[row.trace_id] = replace(trace, steps=(call,))
    pane.model.read()
    desktop.settle()
    assert pane.page.head.prompt.isEnabled()
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    desktop.button("Open the prompt", box).click()
    assert ShowPrompt(row.chat_id, None, CallId(77)) in sent


def test_a_failed_what_if_says_that_it_is_one_and_why(desktop, shown):
    shown(traced(1, kind=TraceKind.DRY_RUN, state=TraceState.FAILED, first_words="", graph_id=None, problem=TRIED))
    pane = desktop.window.panes["traces"]
    assert pane.page.head.chip.accessibleName() == "What-if failed"
    assert "What-if failed" in hand.rows(pane.side.list)[0]
    assert "did not answer in time" in hand.rows(pane.side.list)[0]


def test_times_of_another_day_have_their_day(desktop, shown):
    until = NOON + timedelta(days=1)
    day = desktop.models.clock.stamp_ahead(until)
    box = shown(traced(1, state=TraceState.WAITING), replace(ASKS, postponed_until=until))
    assert box.shown.cause.endswith(f"{day} {desktop.models.clock.clock(until)}")
    desktop.put_agent(agent(waits=(MethodWait("send_text", until),)))
    box = shown(traced(2, state=TraceState.APPROVED), FLOODED)
    desktop.window.requests.send(ShowTrace(trace_id=traced(2).trace_id))
    desktop.settle()
    assert box.shown.cause.endswith(f"{day} {desktop.models.clock.clock(until)}")


def test_a_logged_out_account_is_logged_in_from_here(desktop, shown):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    box = shown(traced(1, state=TraceState.APPROVED), ALONE)
    assert words_of(box) == ["Open the account", "Turn into a draft"]
    box.buttons[0].click()
    desktop.put_agent(agent(health=Health.LOGGED_OUT))
    assert words_of(box)[0].startswith("Log in"), "the box follows the account"
    box.buttons[0].click()
    assert [one for one in sent if isinstance(one, ShowAgent | OpenLogin)] == [
        ShowAgent(AgentId(1)),
        OpenLogin(AgentId(1)),
    ]


def test_a_send_that_no_account_can_try_says_so_before_it_is_tried(desktop, shown):
    desktop.put_agent(agent(health=Health.LOGGED_OUT))
    box = shown(traced(1, state=TraceState.APPROVED), replace(ALONE, note=None))
    assert box.shown.cause == "Waits until the account is online"
    assert box.shown.severity is Severity.DECIDE, "only the operator ends it; chip and row say so, too"
    assert words_of(box)[0].startswith("Log in")
    desktop.put_agent(agent(health=Health.ONLINE))
    assert not box.isVisible()


def test_the_buttons_lead_to_the_place(desktop, shown):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    shown(traced(1, state=TraceState.NO_KEY, problem=KEY)).buttons[0].click()
    desktop.settle()
    assert ShowPreferences(Page.KEYS) in sent
    assert desktop.window.panes["preferences"].isVisible()
    box = shown(traced(2, state=TraceState.WAITING), ASKS)
    desktop.window.panes["traces"].model.open(traced(2).trace_id)
    desktop.settle()
    box.buttons[0].click()
    assert ShowDraft(ASKS.approval_id) in sent
    desktop.window.panes["traces"].model.open(traced(1).trace_id)
    desktop.settle()
    box.buttons[1].click()
    assert ShowChat(ChatId(1)) in sent


def test_a_cap_is_raised_and_a_plan_made_again_from_the_box(desktop, shown):
    box = shown(traced(1, state=TraceState.CAPPED, problem=CAPPED))
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    box.buttons[0].click()
    desktop.settle()
    assert [answer[:2] for answer in desktop.api.costs.answers] == [(EVERYTHING, Release.ADD)]
    box.buttons[1].click()
    assert ShowCosts() in sent
    box = shown(traced(0, state=TraceState.FAILED, problem=TRIED), problem=GIVEN_UP)
    desktop.window.panes["traces"].model.open(traced(0).trace_id)
    desktop.settle()
    box.buttons[0].click()
    desktop.settle()
    assert ("retry", 1) in desktop.api.plans.calls
    assert words_of(box) == ["Open the chat"], "once it is planned there is nothing to plan"


def test_a_send_that_failed_is_edited_first(desktop, shown):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    shown(traced(1, state=TraceState.FAILED), FAILED_SEND)
    pane = desktop.window.pane("traces")
    desktop.press(pane.side.list, Qt.Key.Key_E, "e")
    desktop.settle()
    assert ("send anyway", FAILED_SEND.approval_id) in desktop.api.plans.calls
    (edited,) = [one for one in sent if isinstance(one, EditDraft)]
    assert edited.approval_id != FAILED_SEND.approval_id, "the new card"


def test_a_plan_without_a_message_begins_at_the_messages_it_took(desktop, shown):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    row = traced(1, state=TraceState.REFUSED, problem=BLOCKED)
    box = shown(row, problem=PlanningProblem(PlanningKind.FAILED, fault=BLOCKED.cause))
    desktop.button("Plan without a message…", box).click()
    assert ShowContext(row.chat_id, row.graph_id) in sent
    pane = desktop.window.pane("traces")
    desktop.press(pane.side.list, Qt.Key.Key_G, "g")
    desktop.settle()
    assert ("retry", 1) in desktop.api.plans.calls


def test_a_send_that_failed_is_offered_again_as_a_new_card(desktop, shown):
    box = shown(traced(1, state=TraceState.FAILED), FAILED_SEND)
    box.buttons[0].click()
    desktop.settle()
    assert ("send anyway", FAILED_SEND.approval_id) in desktop.api.plans.calls
