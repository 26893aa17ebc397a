"""The ways between a plan, wherever it is seen, and its trace: one word, one key."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.ids import AgentId, ChatId, GraphId, MessageId
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.prompt.sent import CallId
from chimein_gui.domain.spending.sums import CostRow, Grouping
from chimein_gui.domain.tasks import Origin
from chimein_gui.domain.traces.steps import ApprovalStep, CallStep, SendStep, StepKind, Trace, TraceStep
from chimein_gui.domain.traces.summaries import TraceFilter, TraceKind, TraceState
from chimein_gui.reporting.log_lines import about
from chimein_gui.reporting.logs import start_logging, stop_logging
from chimein_gui.reporting.redaction import Redaction
from chimein_gui.ui.requests import ShowDraft, ShowMessage, ShowPlan, ShowTrace
from chimein_gui.viewmodels.costs.pane import Period
from chimein_gui.viewmodels.traces.words import trace_action
from tests.fakes.api_history import decided
from tests.fakes.api_traces import steps_of, traced
from tests.fakes.engine_api import BIG, NOON, approval, message
from tests.support.shown_plan import CHAT, plan

pytestmark = [pytest.mark.whole_window, pytest.mark.qt_log_ignore("propagateSizeHints")]

PLAN = GraphId(1)


@pytest.fixture
def sent(desktop):
    found: list[object] = []
    desktop.window.requests.sent.connect(found.append)
    return found


def traces_of(sent):
    return [one for one in sent if isinstance(one, ShowTrace)]


def entry(menu, words):
    return next((action for action in menu.actions() if action.text() == words), None)


def shown(desktop, pane_id):
    desktop.window.show_pane(pane_id)
    desktop.settle()
    return desktop.window.panes[pane_id]


def test_a_card_leads_to_its_trace_by_key_and_menu_and_what_the_operator_wrote_does_not(desktop, sent, popped):
    pane = shown(desktop, "approvals")
    desktop.press(pane.list, Qt.Key.Key_T, "t")
    card = desktop.models.approvals.find(BIG + 1)
    menu = pane.card_actions.pop_menu("more", card, QPoint())
    entry(menu, trace_action()).trigger()
    assert traces_of(sent) == [ShowTrace(PLAN)] * 2
    assert desktop.api.calls == []
    desktop.put_approval(approval(1, "First draft", origin=Origin.OPERATOR))
    desktop.settle()
    by_hand = desktop.models.approvals.find(BIG + 1)
    assert entry(pane.card_actions.pop_menu("more", by_hand, QPoint()), trace_action()) is None
    pane.card_actions.do("T", by_hand)
    assert len(traces_of(sent)) == 2


def test_a_draft_in_the_conversation_leads_to_its_trace(desktop, sent):
    desktop.open_chat()
    bubble = desktop.conversations.drafts.bubbles()[0]
    button = next(one for one in bubble.buttons.in_order() if one.isVisible())
    desktop.press(button, Qt.Key.Key_T, "t")
    assert traces_of(sent) == [ShowTrace(PLAN)]
    assert desktop.api.calls == []


def test_a_sent_message_leads_to_the_trace_of_its_plan_unless_the_operator_wrote_it(desktop, sent, popped):
    row = traced(5)
    desktop.api.traces.rows[row.trace_id] = row
    desktop.api.traces.sent[ChatId(1), MessageId(1)] = row.trace_id
    desktop.api.decided = [decided(1, DecisionKind.WRITTEN, message_id=MessageId(4))]
    desktop.put_message(1, message(4, "mine", out=True, minutes_ago=1))
    desktop.open_chat()
    view = desktop.conversations.transcript

    def menu_of(number):
        view.setCurrentIndex(view.model().index(number, 0))
        QApplication.sendEvent(view, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
        desktop.settle()
        return popped[-1]

    numbers = range(view.model().rowCount())
    ours = [number for number in numbers if desktop.models.transcript.rows.row_at(number).message.out]
    theirs = next(number for number in numbers if number not in ours)
    assert entry(menu_of(theirs), trace_action()) is None
    menu_of(ours[-1])
    assert not entry(menu_of(ours[-1]), trace_action()).isEnabled()
    entry(menu_of(ours[0]), trace_action()).trigger()
    desktop.settle()
    assert traces_of(sent) == [ShowTrace(chat_id=ChatId(1), message_id=MessageId(1))]
    pane = desktop.window.panes["traces"]
    assert pane.model.trace.summary == row


def test_t_leads_from_a_plan_to_its_trace_and_does_nothing_to_its_steps(desktop, sent):
    desktop.api.plan_history.plans[CHAT] = plan()
    desktop.window.requests.send(ShowPlan(CHAT))
    desktop.settle()
    pane = desktop.window.panes["plans"]
    for part in (pane.outline, pane.graph):
        sent.clear()
        part.setFocus()
        desktop.press(part, Qt.Key.Key_T, "t")
        desktop.press(part, 0x0415, "\u0435", scan_code=28)  # the same place on another layout
        assert traces_of(sent) == [ShowTrace(pane.plan.current.graph_id)] * 2
    desktop.models.single_keys.set_enabled(False)
    sent.clear()
    desktop.press(pane.outline, Qt.Key.Key_T, "t")
    assert traces_of(sent) == []
    assert desktop.api.plan_edits.edits == []


def test_t_on_a_sent_message_leads_to_the_trace_of_its_plan(desktop, sent):
    desktop.api.decided = [decided(1, DecisionKind.WRITTEN, message_id=MessageId(4))]
    desktop.put_message(1, message(4, "mine", out=True, minutes_ago=1))
    desktop.open_chat()
    view = desktop.conversations.transcript
    view.setFocus()
    found = {}
    for number in range(view.model().rowCount()):
        view.setCurrentIndex(view.model().index(number, 0))
        desktop.settle()
        desktop.press(view, Qt.Key.Key_T, "t")
        desktop.settle()  # the first question for a message reads who decided
        sent.clear()
        view.setFocus()
        desktop.press(view, Qt.Key.Key_T, "t")
        row = desktop.models.transcript.rows.row_at(number).message
        found[row.key.message_id] = (row.out, traces_of(sent))
    assert found[MessageId(1)] == (True, [ShowTrace(chat_id=ChatId(1), message_id=MessageId(1))])
    assert found[MessageId(4)] == (True, []), "the operator wrote it"
    assert all(not asked for out, asked in found.values() if not out)


def test_the_decisions_the_log_and_the_costs_lead_to_traces(desktop, sent, tmp_path):
    desktop.api.decided = [decided(1, graph_id=PLAN), decided(2, DecisionKind.WRITTEN, graph_id=GraphId(9))]
    pane = shown(desktop, "decisions")
    for row in range(2):
        pane.list.setCurrentIndex(pane.list.model().index(row, 0))
        desktop.settle()
        desktop.press(pane.list, Qt.Key.Key_T, "t")
    assert traces_of(sent) == [ShowTrace(PLAN)]
    assert not pane.detail.trace.isVisible()
    sent.clear()
    start_logging(tmp_path, Redaction().clean)
    try:
        with about(chat_id=1, graph_id=5):
            logging.getLogger("chimein_gui.engine").info("planned")
        logging.getLogger("chimein_gui.engine").info("of no plan")
        pane = shown(desktop, "log")
        lines = pane.model.lines()
        for words, wanted in (("planned", [ShowTrace(GraphId(5))]), ("of no plan", [])):
            pane.list.choose(next(row for row, line in enumerate(lines) if line.text == words))
            sent.clear()
            desktop.press(pane.list, Qt.Key.Key_T, "t")
            assert traces_of(sent) == wanted
            assert pane.detail.trace.isHidden() is not bool(wanted)
    finally:
        stop_logging()


@pytest.mark.parametrize(
    ("grouping", "wanted"),
    [
        (Grouping.AGENT, {"agent_id": AgentId(1)}),
        (Grouping.CHAT, {"chat_id": ChatId(1)}),
        (Grouping.PURPOSE, {"kind": TraceKind.PLAN}),
    ],
)
def test_a_row_of_the_costs_leads_to_the_traces_of_its_days(desktop, sent, grouping, wanted):
    today = NOON.astimezone().date()
    costs = CostRow(today, 1, 1, "plan", "gemini-2.5-flash", 2, 1_000, 0, 60, 40, 0, 0, 0.5)
    desktop.api.costs.rows.append(costs)
    rows = [
        traced(1, ended_at=NOON),
        traced(2, ended_at=NOON - timedelta(days=1)),
        traced(3, ended_at=NOON, agent_id=AgentId(2), chat_id=ChatId(2), kind=TraceKind.VARIANT),
    ]
    desktop.api.traces.rows.update({row.trace_id: row for row in rows})
    pane = shown(desktop, "costs")
    pane.costs.choose(period=Period.TODAY, grouping=grouping)
    desktop.press(pane.table.list, Qt.Key.Key_T, "t")
    desktop.settle()
    (request,) = traces_of(sent)
    assert replace(request.wanted, since=None, until=None) == TraceFilter(**wanted)
    traces = desktop.window.panes["traces"]
    assert [row.trace_id for row in traces.traces.rows()] == [rows[0].trace_id]
    assert traces.side.span.isVisible()
    desktop.click(traces.side.span)
    desktop.settle()
    assert not traces.side.span.isVisible()
    assert len(traces.traces.rows()) == (3 if grouping is Grouping.PURPOSE else 2)


@pytest.mark.parametrize(
    ("grouping", "purpose", "model", "words"),
    [
        (Grouping.MODEL, "plan", "gemini-p", "gemini-p"),
        (Grouping.PURPOSE, "tool round", "gemini-2.5-flash", "Rounds of tools"),
        (Grouping.PURPOSE, "repair", "gemini-2.5-flash", "Repairs"),
        (Grouping.PURPOSE, "descriptions", "gemini-2.5-flash", "Descriptions"),
        (Grouping.PURPOSE, "embed", "gemini-e", "Embeddings"),
    ],
)
def test_costs_by_model_of_tools_and_of_repairs_lead_to_the_traces_with_such_calls(
    desktop, sent, grouping, purpose, model, words
):
    today = NOON.astimezone().date()
    desktop.api.costs.rows.append(CostRow(today, 1, 1, purpose, model, 2, 1_000, 0, 60, 40, 0, 0, 0.5))
    for number in (1, 2):
        row = traced(number, ended_at=NOON)
        desktop.api.traces.rows[row.trace_id] = row
    desktop.api.traces.called[traced(2).trace_id] = (("plan", "gemini-x"), (purpose, model))
    pane = shown(desktop, "costs")
    pane.costs.choose(period=Period.TODAY, grouping=grouping)
    desktop.press(pane.table.list, Qt.Key.Key_T, "t")
    desktop.settle()
    (request,) = traces_of(sent)
    asked = TraceFilter(model=model) if grouping is Grouping.MODEL else TraceFilter(purpose=purpose)
    assert replace(request.wanted, since=None, until=None) == asked
    traces = desktop.window.panes["traces"]
    assert [row.trace_id for row in traces.traces.rows()] == [traced(2).trace_id]
    assert words in traces.side.span.accessibleName()
    desktop.click(traces.side.span)
    desktop.settle()
    assert len(traces.traces.rows()) == 2


def test_calls_of_no_plan_lead_to_no_trace(desktop, sent):
    today = NOON.astimezone().date()
    desktop.api.costs.rows.append(CostRow(today, 1, 0, "memories", "gemini-e", 2, 1_000, 0, 0, 0, 0, 0, 0.1))
    pane = shown(desktop, "costs")
    for grouping in (Grouping.CHAT, Grouping.PURPOSE):
        pane.costs.choose(grouping=grouping)
        desktop.press(pane.table.list, Qt.Key.Key_T, "t")
    assert traces_of(sent) == []


def test_the_prompt_of_a_call_leads_to_that_call_in_the_trace(desktop):
    row = traced(5)
    first, context, call, parse = steps_of(row)
    assert isinstance(call.detail, CallStep)
    again = ModelCall("gemini-2.5-flash", "repair", call.began_at, 1.0, CallEnd.ANSWERED, Usage(1, 1))
    second = TraceStep(5, StepKind.MODEL_CALL, call.began_at, 1.0, CallStep(again, 2, call_id=CallId(78)))
    steps = (first, context, replace(call, detail=replace(call.detail, call_id=CallId(77))), parse, second)
    desktop.api.traces.rows[row.trace_id] = row
    desktop.api.traces.whole[row.trace_id] = Trace(row, steps, axis_s=5.0)
    pane = shown(desktop, "traces")
    assert pane.page.chosen.step_id == 5, "the last call"
    for call_id, step in ((CallId(77), 3), (CallId(78), 5), (None, 5)):
        desktop.window.requests.send(ShowTrace(row.graph_id, call_id=call_id))
        desktop.settle()
        assert pane.page.chosen.step_id == step


def test_a_trace_leads_back_to_its_messages_and_to_the_card_while_it_waits(desktop, sent):
    row = traced(5, state=TraceState.WAITING)
    arrived = approval(3, "Gone", message_id=MessageId(9))
    steps = (
        *steps_of(row),
        TraceStep(5, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(approval(1))),
        TraceStep(6, StepKind.SEND, NOON, 1.0, SendStep(arrived)),
    )
    desktop.api.traces.rows[row.trace_id] = row
    whole = Trace(row, steps, axis_s=5.0, trigger_ids=(MessageId(2), MessageId(3)))
    desktop.api.traces.whole[row.trace_id] = whole
    pane = shown(desktop, "traces")
    menu = pane.trace_actions.menu(row)
    for words in ("Go to the message that it answers", "Go to the message that was sent", "Show in Approvals"):
        entry(menu, words).trigger()
    ways = [one for one in sent if isinstance(one, ShowMessage | ShowDraft)]
    assert ways == [
        ShowMessage(ChatId(1), MessageId(3)),
        ShowMessage(ChatId(1), MessageId(9)),
        ShowDraft(approval(1).approval_id),
    ]
