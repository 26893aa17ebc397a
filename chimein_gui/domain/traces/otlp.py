"""A trace as OpenTelemetry's JSON (OTLP), for Langfuse, Phoenix and others; all names are here.

The names are those of the semantic conventions for generative AI, 1.42, which are all still called experimental. Of
approvals they say nothing, so these have names of our own: ``chimein.approval.*``. Unless the operator asks for it,
nothing that somebody wrote is in it, only names, times, tokens and costs.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.traces.entries import Backfilled, ContextChosen, Debounced, Enriched, Parsed, ToolUse
from chimein_gui.domain.traces.steps import ApprovalStep, CallStep, NextTry, SendStep, StepKind, StepState, is_failure
from chimein_gui.domain.traces.summaries import PROBLEMS, TraceKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chimein_gui.domain.traces.steps import Trace, TraceStep

Json: TypeAlias = dict[str, Any]
"""An object of JSON."""

SCHEMA = "https://opentelemetry.io/schemas/gen-ai/1.42.0"
PROVIDER = "gcp.gemini"
SERVER = "generativelanguage.googleapis.com"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_INTERNAL, _CLIENT = 1, 3
"""Kinds of spans."""
_OK, _ERROR = 1, 2
"""Codes of their states."""
_OPERATIONS = {TraceKind.PLAN: "invoke_agent", TraceKind.VARIANT: "invoke_agent", TraceKind.DRY_RUN: "invoke_agent"}
_NAMES = {
    StepKind.DEBOUNCE: "chimein.debounce",
    StepKind.BACKFILL: "chimein.backfill",
    StepKind.CONTEXT: "chimein.context",
    StepKind.PROMPT: "chimein.prompt",
    StepKind.ROUND: "chimein.retrieval",
    StepKind.PARSE: "chimein.parse",
    StepKind.REPAIR: "chimein.repair",
    StepKind.ATTEMPT: "chimein.attempt",
    StepKind.NEXT_TRY: "chimein.wait",
    StepKind.APPROVAL: "chimein.approval",
    StepKind.TYPING: "chimein.typing",
    StepKind.SEND: "chimein.send",
}


def otlp_of(traces: Iterable[Trace], version: str, *, with_content: bool) -> Json:
    """Return traces as an export request of OTLP, in its JSON form.

    Args:
        traces: The traces.
        version: The program's version.
        with_content: What people, models and pages said is in it.
    """
    spans = [span for trace in traces for span in _spans(trace, with_content=with_content)]
    scope = {"name": "chimein", "version": version}
    resource = {"attributes": _attributes({"service.name": "chimein", "service.version": version})}
    return {
        "resourceSpans": [
            {"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans, "schemaUrl": SCHEMA}]},
        ]
    }


def _spans(trace: Trace, *, with_content: bool) -> list[Json]:
    row = trace.summary
    trace_id = _hex(f"trace {row.trace_id} {row.began_at.isoformat()}", 16)
    root = _hex(f"{trace_id} 0", 8)
    ends = [row.ended_at, *(step.began_at + timedelta(seconds=step.took_s) for step in trace.steps)]
    attributes: dict[str, object] = {
        "gen_ai.operation.name": _OPERATIONS[row.kind],
        "gen_ai.agent.id": str(row.agent_id),
        "gen_ai.agent.name": row.agent_name,
        "gen_ai.conversation.id": str(row.chat_id),
        "gen_ai.usage.input_tokens": row.tokens_in,
        "gen_ai.usage.output_tokens": row.tokens_out,
        "chimein.trace.kind": row.kind.value,
        "chimein.trace.state": row.state.value,
        "chimein.cost.usd": row.usd,
    }
    if with_content:
        attributes["gen_ai.output.messages"] = _said("assistant", trace.reply)
        attributes["gen_ai.input.messages"] = _said("user", row.first_words)
    failed = row.state in PROBLEMS
    spans = [
        {
            "traceId": trace_id,
            "spanId": root,
            "name": f"invoke_agent {row.agent_name}",
            "kind": _INTERNAL,
            "startTimeUnixNano": _nanos(row.began_at),
            "endTimeUnixNano": _nanos(max(ends)),
            "attributes": _attributes(attributes),
            "status": {"code": _ERROR, "message": row.state.value} if failed else {"code": _OK},
        }
    ]
    for step in trace.steps:
        name, kind, described = _described(step, with_content=with_content)
        end = step.began_at + timedelta(seconds=step.took_s)
        parent = root if step.parent_id is None else _hex(f"{trace_id} {step.parent_id}", 8)
        has_failed = is_failure(step) or step.state is StepState.LATE
        if has_failed:
            described = {"error.type": step.state.value, **described}
        spans.append(
            {
                "traceId": trace_id,
                "spanId": _hex(f"{trace_id} {step.step_id}", 8),
                "parentSpanId": parent,
                "name": name,
                "kind": kind,
                "startTimeUnixNano": _nanos(step.began_at),
                "endTimeUnixNano": _nanos(end),
                "attributes": _attributes({"chimein.step.state": step.state.value, **described}),
                "status": {"code": _ERROR, "message": step.state.value} if has_failed else {"code": _OK},
            }
        )
    return spans


def _described(step: TraceStep, *, with_content: bool) -> tuple[str, int, Mapping[str, object]]:
    """Return name, kind and attributes of a step's span."""
    match step.detail:
        case CallStep() as one:
            return _call(one, with_content=with_content)
        case ToolUse() as one:
            tool: dict[str, object] = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": one.name,
                "gen_ai.tool.type": "function",
                "chimein.tool.shown": one.messages,
            }
            if with_content:
                tool["gen_ai.tool.call.arguments"] = one.arguments
            return f"execute_tool {one.name}", _INTERNAL, tool
        case PageFetched() as one:
            return _page(one, with_content=with_content)
        case Enriched() as one:
            return f"chimein.enrich {one.name}", _INTERNAL, {"chimein.enrich.end": one.end.value}
        case _:
            return _NAMES[step.kind], _INTERNAL, _facts(step)


def _call(one: CallStep, *, with_content: bool) -> tuple[str, int, Mapping[str, object]]:
    call, usage = one.call, one.call.usage
    is_embedding = call.purpose == "embed"
    operation = "embeddings" if is_embedding else "generate_content"
    attributes: dict[str, object] = {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": PROVIDER,
        "gen_ai.request.model": call.model,
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage.reply_tokens + usage.thinking_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.thinking_tokens,
        "server.address": SERVER,
        "chimein.call.purpose": call.purpose,
        "chimein.call.is_estimated": call.estimated,
        "chimein.cost.usd": call.cost_usd,
    }
    if call.fault is not None:
        attributes["error.type"] = call.fault.kind.value
    if one.finish_reason:
        attributes["gen_ai.response.finish_reasons"] = [one.finish_reason]
    if with_content and one.reply:
        attributes["gen_ai.output.messages"] = _said("assistant", one.reply, one.finish_reason)
    return f"{operation} {call.model}", _CLIENT, attributes


def _page(one: PageFetched, *, with_content: bool) -> tuple[str, int, Mapping[str, object]]:
    attributes: dict[str, object] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "retrieve",
        "gen_ai.tool.type": "extension",
        "http.response.status_code": one.status,
        "http.response.body.size": one.size,
        "chimein.retrieval.round": one.round,
        "chimein.retrieval.used_characters": one.used_chars,
        "chimein.retrieval.is_cut": one.is_cut,
        "chimein.retrieval.from_cache": one.from_cache,
        "chimein.retrieval.redirects": len(one.redirects),
        "chimein.retrieval.refusal": None if one.refusal is None else one.refusal.value,
        "chimein.retrieval.error": None if one.error is None else one.error.value,
    }
    if with_content:
        attributes |= {
            "url.full": one.final,
            "gen_ai.tool.call.arguments": json.dumps({"url": one.requested}, ensure_ascii=False),
            "gen_ai.tool.call.result": one.text,
        }
    return "execute_tool retrieve", _INTERNAL, attributes


def _facts(step: TraceStep) -> Mapping[str, object]:
    """Return the attributes of the steps that only Chimein has."""
    found: dict[str, object] = {}
    match step.detail:
        case Debounced() as one:
            found["chimein.debounce.messages"] = one.triggers
        case Backfilled() as one:
            found["chimein.backfill.is_complete"] = one.is_complete
        case ContextChosen() as one:
            found |= {"chimein.context.held": one.held, "chimein.context.considered": one.considered}
        case Parsed() as one:
            found |= {"chimein.parse.blocks": list(one.blocks), "chimein.parse.problems": len(one.problems)}
        case RetrievalRound() as one:
            found |= {"chimein.retrieval.round": one.number, "chimein.retrieval.pages": one.pages}
        case NextTry() as one:
            found["chimein.wait.after_attempt"] = one.ended.attempt
        case ApprovalStep() as one:
            decision = one.decision
            found |= {
                "chimein.approval.state": one.approval.state.value,
                "chimein.approval.decision": None if decision is None else decision.kind.value,
                "chimein.approval.version": one.approval.version if decision is None else decision.version,
                "chimein.approval.waited_s": step.took_s,
                "chimein.approval.rule": one.approval.decided_by if one.approval.by_rule else None,
            }
        case SendStep() as one:
            found |= {"chimein.send.kind": one.approval.kind.value, "chimein.send.parts": len(one.parts)}
    return found


def _said(role: str, text: str, finish_reason: str = "") -> str | None:
    """Return one message as the conventions have it; None for an empty one."""
    if not text:
        return None
    message: Json = {"role": role, "parts": [{"type": "text", "content": text}]}
    if finish_reason:
        message["finish_reason"] = finish_reason
    return json.dumps([message], ensure_ascii=False)


def _attributes(values: Mapping[str, object]) -> list[Json]:
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value is not None]


def _value(value: object) -> Json:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(one) for one in value]}}
    return {"stringValue": str(value)}


def _hex(seed: str, size: int) -> str:
    """Return an id of so many bytes, the same for the same trace; never zero, which OTLP forbids."""
    return hashlib.blake2b(seed.encode(), digest_size=size).hexdigest()


def _nanos(at: datetime) -> str:
    return str((at - _EPOCH) // timedelta(microseconds=1) * 1_000)
