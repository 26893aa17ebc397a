"""A whole trace: its waterfall, and what became of each block of the reply."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approve, ApproveEdited
from chimein_gui.domain.errors import ModelTransientError, NotFoundError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.domain.prompt.prompts import ModelReply, Usage
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.retrieval.refusals import RefusalRule
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.domain.traces.axis import as_of, on_axis, time_of
from chimein_gui.domain.traces.entries import AttemptEnded, Debounced, Parsed
from chimein_gui.domain.traces.otlp import otlp_of
from chimein_gui.domain.traces.steps import (
    ApprovalStep,
    CallStep,
    SendStep,
    StepKind,
    StepState,
    TraceStep,
    asks_to_wait,
    is_failure,
)
from chimein_gui.domain.traces.summaries import EVERYTHING, TraceFilter, TraceId, TraceState
from chimein_gui.engine.tasks.graphs import reject_rest
from chimein_gui.engine.traces.assembly import recorded_steps
from chimein_gui.engine.traces.next_tries import with_waits
from chimein_gui.viewmodels.traces.step_words import step_name, step_note
from tests.support.planning_room import planning_room
from tests.support.reading_traces import NOON, newest, reader


async def test_the_waterfall_goes_on_with_decision_and_send(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script.append(
            ModelReply("# «think»\nhm\n# «send»\nat six\n# «wait»\n5\n# «send»\nbye", Usage(100, 20))
        )
        await room.plan("when?")
        trace = await newest(room)
        kinds = [step.kind for step in trace.steps]
        assert kinds == [
            *(StepKind.DEBOUNCE, StepKind.CONTEXT, StepKind.PROMPT, StepKind.MODEL_CALL, StepKind.PARSE),
            *(StepKind.APPROVAL, StepKind.APPROVAL),
        ]
        assert trace.steps[-1].state is StepState.OPEN
        room.room.clock.advance(20)
        assert (await newest(room)).waited_s == 20, "two cards that wait at the same time are one wait"
        call = trace.steps[3]
        assert isinstance(call.detail, CallStep)
        assert (call.detail.number, call.tokens_in, call.tokens_out) == (1, 100, 20)
        assert call.detail.reply == trace.reply
        assert "(think, 2 characters)" in trace.reply
        kinds_of_blocks = [(one.kind, one.status) for one in trace.blocks]
        assert kinds_of_blocks == [
            (BlockKind.THINK, None),
            (BlockKind.SEND, TaskStatus.AWAITING_DECISION),
            (BlockKind.WAIT, TaskStatus.PENDING),
            (BlockKind.SEND, TaskStatus.AWAITING_DECISION),
        ]
        first = (await room.drafts())[0]
        room.room.clock.advance(100)
        await room.room.press(first, ApproveEdited("at seven"))
        await room.deliver(await room.room.now(first))
        trace = await newest(room)
        [approval] = [one for one in trace.steps if isinstance(one.detail, ApprovalStep) and one.detail.decision]
        assert isinstance(approval.detail, ApprovalStep)
        decision = approval.detail.decision
        assert decision is not None
        assert (decision.kind, decision.draft, decision.text) == (DecisionKind.EDITED, "at six", "at seven")
        assert (approval.took_s, approval.is_cut) == (120, True)
        assert approval.shown_s == pytest.approx(6)
        [send] = [one for one in trace.steps if isinstance(one.detail, SendStep)]
        assert send.state is StepState.DONE
        assert isinstance(send.detail, SendStep)
        assert [one.message_id for one in send.detail.parts] == [send.detail.approval.message_id]
        assert trace.message_to_send_s is not None
        assert trace.message_to_send_s >= 120
        assert trace.blocks[1].approval is not None
        assert trace.blocks[1].approval.text == "at seven"


async def test_a_card_that_was_rejected_with_its_plan_says_so_and_why(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script.append("# «send»\nat six")
        await room.plan("when?")
        [card] = await room.drafts()
        graph_id = card.graph_id
        assert graph_id is not None
        await room.room.do(lambda tx: reject_rest(tx, graph_id, "too early", room.room.clock.now()))
        trace = await newest(room)
        assert trace.summary.state is TraceState.REJECTED
        [step] = [one for one in trace.steps if isinstance(one.detail, ApprovalStep)]
        assert isinstance(step.detail, ApprovalStep)
        card = step.detail.approval
        assert (step.detail.decision, card.state, card.note) == (
            None,
            ApprovalState.REJECTED,
            Note(NoteKind.REJECTED, "too early"),
        )
        assert step_note(step) == "rejected by you"


async def test_a_plan_that_was_replaced_knows_the_trace_that_took_its_place(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        traces = reader(room)
        for text in ("one", "two", "three"):
            room.model.script.append(f"# «send»\n{text}")
            await room.plan(text)
        third, second, first = await traces.page(EVERYTHING, None, limit=9)
        assert (first.state, second.state) == (TraceState.REPLACED, TraceState.REPLACED)
        successors = [(await traces.trace(row.trace_id)).successor for row in (first, second, third)]
        assert successors == [second.trace_id, third.trace_id, None]


async def test_what_waited_until_it_was_replaced_has_waited_so_long(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        for text in ("one", "two"):
            room.model.script.append(f"# «send»\n{text}")
            await room.plan(text)
            await room.later(3_600)
        traces = reader(room)
        first = (await traces.page(EVERYTHING, None, limit=9))[-1]
        [step] = [one for one in (await traces.trace(first.trace_id)).steps if one.kind is StepKind.APPROVAL]
        assert (step.state, round(step.took_s, -2)) == (StepState.DISCARDED, 3_600)


async def test_calls_of_a_failed_attempt_are_told_from_those_that_counted(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script += [ModelTransientError("overloaded"), "# «send»\nat six"]
        await room.plan()
        await room.later(10)
        trace = await newest(room)
        kinds = {StepKind.MODEL_CALL, StepKind.ATTEMPT, StepKind.NEXT_TRY}
        told = [(step.kind, step.state) for step in trace.steps if step.kind in kinds]
        assert told == [
            (StepKind.MODEL_CALL, StepState.FAILED),
            (StepKind.ATTEMPT, StepState.FAILED),
            (StepKind.NEXT_TRY, StepState.DONE),
            (StepKind.MODEL_CALL, StepState.DONE),
        ]
        assert trace.reply == "# «send»\nat six"
        assert [step.step_id for step in trace.steps] == [*range(1, len(trace.steps) + 1)]


async def test_the_wait_for_the_next_attempt_has_its_length_while_it_runs_and_when_it_is_over(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script += [ModelTransientError("quota", 40.0), ModelTransientError("busy"), "# «send»\nat six"]
        await room.plan("when?")
        room.room.clock.advance(15)
        trace = await newest(room)
        wait = trace.steps[-1]
        assert (wait.kind, wait.state, wait.took_s) == (StepKind.NEXT_TRY, StepState.OPEN, 15)
        assert step_note(wait) == "asked for by the model's service"
        later = as_of(trace, room.room.clock.now() + timedelta(seconds=20))
        assert (later.steps[-1].took_s, later.steps[-1].is_cut) == (35, True), "it counts on, and a long one is cut"
        await room.later(25)
        await room.later(10)
        trace = await newest(room)
        waits = [step for step in trace.steps if step.kind is StepKind.NEXT_TRY]
        assert [(one.state, round(one.took_s)) for one in waits] == [(StepState.DONE, 40), (StepState.DONE, 10)]
        assert step_note(waits[1]) == "for attempt 2"
        assert not any(map(is_failure, waits))
        spans = otlp_of([trace], "1", with_content=False)["resourceSpans"][0]["scopeSpans"][0]["spans"]
        assert sum(span["name"] == "chimein.wait" for span in spans) == 2


def test_after_a_newer_message_there_is_no_wait_for_an_attempt() -> None:
    ended = AttemptEnded(NOON, 1, Note(NoteKind.NEWER_CAME))
    after = Debounced(NOON + timedelta(seconds=5), 2.0, 2)
    steps = with_waits(recorded_steps((ended, after), {}, NOON), (NOON + timedelta(seconds=9), StepState.OPEN))
    assert [one.kind for one in steps] == [StepKind.ATTEMPT, StepKind.DEBOUNCE]


def test_pages_keep_their_round_when_a_wait_stands_before_it() -> None:
    ended = AttemptEnded(NOON, 1, Note(NoteKind.MODEL_FAILED))
    at = NOON + timedelta(seconds=10)
    page = PageFetched("https://ferry.example/", "https://ferry.example/", at, 1.0, 1, status=200, text="at six")
    steps = with_waits(recorded_steps((ended, page, RetrievalRound(1, at, 1.0, 1, 0)), {}, NOON))
    assert [(one.step_id, one.kind, one.parent_id) for one in steps] == [
        (1, StepKind.ATTEMPT, None),
        (2, StepKind.NEXT_TRY, None),
        (3, StepKind.ROUND, None),
        (4, StepKind.PAGE, 3),
    ]


async def test_two_cards_of_a_plan_are_told_apart(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script.append("# «send»\nat six\n# «send»\nbye")
        await room.plan("when?")
        assert [step_name(one) for one in (await newest(room)).steps[-2:]] == ["Approval 1", "Approval 2"]
        first = (await room.drafts())[0]
        await room.room.press(first, ApproveEdited("at seven"))
        await room.deliver(await room.room.now(first))
        names = [step_name(one) for one in (await newest(room)).steps if one.kind is StepKind.SEND]
        assert names == ["Send 1"]


async def test_a_send_of_an_account_that_is_offline_says_that_it_waits_for_it(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script.append("# «send»\nat six")
        await room.plan("when?")
        [card] = await room.drafts()
        await room.room.press(card, Approve())
        online = [step_note(one) for one in (await newest(room)).steps if one.kind is StepKind.SEND]
        room.room.levers.online = False
        offline = [step_note(one) for one in (await newest(room)).steps if one.kind is StepKind.SEND]
        assert (online, offline) == (["not sent yet"], ["waits for the account"])


async def test_a_wait_that_the_service_asked_for_is_told_from_a_failed_attempt(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script += [ModelTransientError("quota", 37.0), ModelTransientError("busy", 0.0)]
        await room.plan("when?")
        await room.later(37)
        ends = [one.detail for one in (await newest(room)).steps if isinstance(one.detail, AttemptEnded)]
        assert [(one.is_counted, asks_to_wait(one)) for one in ends] == [(False, True), (True, False)]


async def test_words_are_found_in_messages_replies_and_names(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script += ["# «send»\nThe ferry leaves at six", "# «send»\n渡し船は六時です"]
        await room.plan("Wann geht die Fähre?")
        await room.plan("いつ?")
        traces = reader(room)
        found = {}
        for words in ("ferry six", "fahr", "渡し船", "marta", "plane", '"; DROP', "-six"):
            rows = await traces.page(TraceFilter(words=words), None, limit=9)
            found[words] = [row.first_words for row in rows]
        german, japanese = "Wann geht die Fähre?", "いつ?"
        assert found["ferry six"] == found["fahr"] == [german]
        assert found["渡し船"] == [japanese]
        assert found["plane"] == found['"; DROP'] == []
        assert found["-six"] == [german]
        assert (await traces.count(TraceFilter(words="ferry"))).all == 1


async def test_pages_of_keys_are_complete_and_a_kept_trace_says_so(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        for number in range(5):
            await room.plan(f"number {number}")
        traces = reader(room)
        first = await traces.page(EVERYTHING, None, limit=2)
        second = await traces.page(EVERYTHING, first[-1].trace_id, limit=9)
        assert [row.first_words for row in (*first, *second)] == [f"number {one}" for one in (4, 3, 2, 1, 0)]
        await traces.keep(first[0].trace_id, is_kept=True)
        row = await traces.summary(first[0].trace_id)
        assert row is not None
        assert row.is_kept
        assert [one.trace_id for one in await traces.page(TraceFilter(kept=True), None, limit=9)] == [row.trace_id]
        assert (await traces.size()).kept == 1
        with pytest.raises(NotFoundError):
            await traces.trace(TraceId(999))


def test_pages_are_parts_of_their_round() -> None:
    refused = PageFetched("http://10.0.0.1/", "http://10.0.0.1/", NOON, 0.0, 1, refusal=next(iter(RefusalRule)))
    page = PageFetched("https://ferry.example/", "https://ferry.example/", NOON, 1.0, 1, status=200, text="at six")
    entries = (page, refused, RetrievalRound(1, NOON, 1.0, 1, 1), Parsed(NOON, 0.0, ("send",)))
    steps = recorded_steps(entries, {}, NOON)
    assert [(one.kind, one.parent_id, one.state) for one in steps] == [
        (StepKind.ROUND, None, StepState.DONE),
        (StepKind.PAGE, 1, StepState.DONE),
        (StepKind.PAGE, 1, StepState.REFUSED),
        (StepKind.PARSE, None, StepState.DONE),
    ]


def test_steps_at_the_same_time_are_one_time() -> None:
    def step(after_s: float, took_s: float) -> TraceStep:
        at = NOON + timedelta(seconds=after_s)
        return TraceStep(0, StepKind.APPROVAL, at, took_s, Debounced(at, took_s, 1))

    assert time_of(()) == 0
    assert time_of([step(0, 5), step(0, 5), step(1, 2), step(4, 3), step(20, 1)]) == 8


def test_an_axis_cuts_long_waits_and_keeps_the_order() -> None:
    def step(kind: StepKind, after_s: float, took_s: float) -> TraceStep:
        at = NOON + timedelta(seconds=after_s)
        return TraceStep(0, kind, at, took_s, Debounced(at, took_s, 1))

    steps, cuts, length = on_axis(
        [step(StepKind.DEBOUNCE, 0, 2), step(StepKind.MODEL_CALL, 2, 3), step(StepKind.APPROVAL, 5, 252),
         step(StepKind.SEND, 257, 10)]
    )  # fmt: skip
    assert [(one.offset_s, one.shown_s, one.is_cut) for one in steps] == [
        (0, 2, False),
        (2, 3, False),
        (5, 6, True),
        (11, 10, False),
    ]
    assert [(cut.offset_s, cut.left_out_s) for cut in cuts] == [(8, 246)]
    assert length == 21
    assert on_axis([]) == ((), (), 0.0)
