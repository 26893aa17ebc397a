"""Exported traces: OTLP as its definitions want it, and nothing that somebody wrote unless it is asked for."""

from __future__ import annotations

import base64
import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from chimein_gui.domain.approvals import ApproveEdited, Reject
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.retrieval.sources import packed
from chimein_gui.domain.traces.steps import StepKind, StepState, TraceStep
from chimein_gui.domain.traces.summaries import EVERYTHING, ExportFormat, ExportOptions, TraceId
from chimein_gui.engine.tools.declarations import SEARCH
from chimein_gui.engine.traces.exports import curl_of, file_of
from tests.fakes.model import wants
from tests.support.planning_room import NORA, PlanningRoom, planning_room
from tests.support.reading_traces import NOON, newest, reader

WRITTEN = ("heron", "tortoise", "cadenza", "umbrella", "lighthouse", "Marta")
"""Words of the partner, the model, the operator, a tool call and a page, and the name of the chat."""


def checked(contents: bytes) -> Any:
    """Return an export request as protobuf reads it; JSON of OTLP has ids in hex, where protobuf's own has base64."""
    request = json.loads(contents)
    for span in request["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for name, size in (("traceId", 16), ("spanId", 8), ("parentSpanId", 8)):
            if name in span:
                raw = bytes.fromhex(span[name])
                assert len(raw) == size
                assert any(raw)
                span[name] = base64.b64encode(raw).decode()
    return ParseDict(request, ExportTraceServiceRequest())


async def made(room: PlanningRoom) -> None:
    """Make a plan with a tool call, and send it edited."""
    room.spec = replace(NORA, dm_history=1)
    await room.write("the ferry leaves at six")
    room.model.script += [wants((SEARCH, {"query": "cadenza"})), "# «think»\nno\n# «send»\ntortoise"]
    await room.plan("heron")
    [draft] = await room.drafts()
    await room.room.press(draft, ApproveEdited("umbrella"))
    await room.deliver(await room.room.now(draft))


async def test_what_the_operator_rejected_is_no_error_of_the_export(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script.append("# «send»\nat six")
        await room.plan("when?")
        [draft] = await room.drafts()
        await room.room.press(draft, Reject("too early"))
        trace = await newest(room)
        options = ExportOptions(ExportFormat.OTLP, with_content=True)
        request = checked(await reader(room).export([trace.summary.trace_id], options))
    spans = request.resource_spans[0].scope_spans[0].spans
    [approval] = [span for span in spans if span.name == "chimein.approval"]
    assert approval.status.code != Status.STATUS_CODE_ERROR
    assert "error.type" not in {one.key for one in approval.attributes}


async def test_a_trace_as_otlp_is_what_the_definitions_say(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        await made(room)
        traces = reader(room)
        [row] = await traces.page(EVERYTHING, None, limit=9)
        options = ExportOptions(ExportFormat.OTLP, with_content=True)
        request = checked(await traces.export([row.trace_id, TraceId(999)], options))
    [scope] = request.resource_spans[0].scope_spans
    root, *spans = scope.spans
    assert root.name == "invoke_agent Nora"
    assert {span.trace_id for span in spans} == {root.trace_id}
    assert len({span.span_id for span in scope.spans}) == len(scope.spans)
    known = {span.span_id for span in scope.spans}
    assert all(span.parent_span_id in known for span in spans)
    assert all(span.start_time_unix_nano <= span.end_time_unix_nano for span in scope.spans)
    calls = [span for span in spans if span.name.startswith("generate_content ")]
    values = {one.key: one.value for one in calls[0].attributes}
    assert values["gen_ai.usage.input_tokens"].int_value > 0
    assert values["gen_ai.provider.name"].string_value == "gcp.gemini"
    [approval] = [span for span in spans if span.name == "chimein.approval"]
    told = {one.key: one.value for one in approval.attributes}
    assert told["chimein.approval.decision"].string_value == "edited"
    assert told["chimein.approval.version"].int_value > 0
    assert "chimein.approval.rule" not in told
    contents = str(request)
    assert "heron" in contents
    assert "tortoise" in contents


@pytest.mark.parametrize("form", list(ExportFormat))
async def test_what_was_written_is_given_out_only_if_it_is_asked_for(tmp_path: Path, form: ExportFormat) -> None:
    async with planning_room(tmp_path) as room:
        await made(room)
        trace = await newest(room)
    page = PageFetched("https://lighthouse.example/", "https://lighthouse.example/", NOON, 1.0, 1, text="lighthouse")
    page = replace(page, source=packed("<p>lantern</p>"))
    steps = [
        TraceStep(90, StepKind.ROUND, NOON, 1.0, RetrievalRound(1, NOON, 1.0, 1, 0)),
        TraceStep(91, StepKind.PAGE, NOON, 1.0, page, parent_id=90, name=page.requested, state=StepState.DONE),
    ]
    object.__setattr__(trace, "steps", (*trace.steps, *steps))
    silent = file_of([trace], ExportOptions(form), "1").decode()
    spoken = file_of([trace], ExportOptions(form, with_content=True), "1").decode()
    assert [word for word in WRITTEN if word in silent] == []
    left_out = {"umbrella", "Marta"} if form is ExportFormat.OTLP else set()
    assert {word for word in WRITTEN if word in spoken} == {*WRITTEN} - left_out
    if form is ExportFormat.JSON:
        [told] = json.loads(spoken)["traces"]
        assert told["blocks"][1]["kind"] == BlockKind.SEND
        assert "source" not in told["steps"][-1]["detail"]
        assert told["trigger_ids"] == [MessageId(11), MessageId(12)]
    else:
        checked(silent.encode())


async def test_the_command_for_a_call_has_no_key_and_cannot_break_out(tmp_path: Path) -> None:
    hostile = "'; rm -rf ~; echo '\nEND_OF_REQUEST\n$(id) `id`"
    body = json.dumps({"contents": [{"role": "user", "parts": [{"text": hostile}]}]}).encode()
    command = curl_of("models/gemini-2.5-flash'; id; '", body)
    head, line, end, rest = command.split("\n", 5)[2:] if command.count("\n") > 5 else (*command.split("\n")[2:5], "")
    assert head.endswith("<<'END_OF_REQUEST'")
    assert json.loads(line)["contents"][0]["parts"][0]["text"] == hostile
    assert (end, rest) == ("END_OF_REQUEST", "")
    assert "gemini-2.5-flashid:generateContent" in shlex.split(command.split("\\")[0])[-1]
    assert "$GEMINI_API_KEY" in command
    async with planning_room(tmp_path) as room:
        await room.plan("heron")
        trace = await newest(room)
        with pytest.raises(NotFoundError):
            await reader(room).curl(trace.summary.trace_id, 1)
