"""Traces as files: Chimein's own JSON, OTLP, and the command that makes a model call once more."""

from __future__ import annotations

import json
from dataclasses import asdict, is_dataclass, replace
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.traces.entries import AttemptEnded, Enriched, Parsed, RepairAsked, ToolUse
from chimein_gui.domain.traces.otlp import SERVER, otlp_of
from chimein_gui.domain.traces.steps import ApprovalStep, CallStep, NextTry, SendStep
from chimein_gui.domain.traces.summaries import ExportFormat, ExportOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.traces.steps import StepDetail, Trace, TraceBlock, TraceStep

VERSION = 1
"""Of Chimein's own form; it changes when a field goes or means something else."""


def file_of(traces: Sequence[Trace], options: ExportOptions, version: str) -> bytes:
    """Return the contents of a file; it takes some milliseconds a trace, so on an executor thread.

    Args:
        traces: The traces.
        options: The form, and whether anything that somebody wrote is in it.
        version: The program's version.
    """
    if options.form is ExportFormat.OTLP:
        made: Any = otlp_of(traces, version, with_content=options.with_content)
    else:
        shown = traces if options.with_content else tuple(map(without_content, traces))
        made = {
            "format": "chimein-traces",
            "version": VERSION,
            "program": version,
            "traces": [asdict(t, dict_factory=_without_bytes) for t in shown],
        }
    return json.dumps(made, ensure_ascii=False, indent=1, default=_plain).encode("utf-8", "replace")


def without_content(trace: Trace) -> Trace:
    """Return a trace without anything that a person, a model or a page said, and without the name of the chat."""
    return replace(
        trace,
        summary=replace(trace.summary, first_words="", chat_title="", problem=None),
        steps=tuple(map(_bare_step, trace.steps)),
        reply="",
        blocks=tuple(map(_bare_block, trace.blocks)),
        problems=(),
        instruction="",
    )


def curl_of(model: str, body: bytes) -> str:
    """Return the command for a shell that makes a call once more; the key comes from the environment.

    The body is one line between two marks that the shell does not look into, and JSON has no line ends of its own.
    """
    line = json.dumps(json.loads(body), ensure_ascii=False, separators=(",", ":"))
    return (
        f"curl --silent --show-error 'https://{SERVER}/v1beta/models/{_quoted(model)}:generateContent' \\\n"
        "  --header 'Content-Type: application/json' --header \"x-goog-api-key: $GEMINI_API_KEY\" \\\n"
        "  --data-binary @- <<'END_OF_REQUEST'\n"
        f"{line}\nEND_OF_REQUEST\n"
    )


def _quoted(model: str) -> str:
    """Return the name of a model without what ends a quotation or a path."""
    return "".join(one for one in model.removeprefix("models/") if one.isalnum() or one in "-._")


def _without_bytes(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return fields without the packed sources of pages, which are no part of a trace."""
    return {name: value for name, value in fields if not isinstance(value, bytes)}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset):
        return sorted(value)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return str(value)


def _bare_block(block: TraceBlock) -> TraceBlock:
    approval = None if block.approval is None else _silent(block.approval)
    return replace(block, body="", params=(), reason=None, approval=approval)


def _bare_step(step: TraceStep) -> TraceStep:
    detail = step.detail
    match detail:
        case CallStep():
            return replace(step, detail=replace(detail, reply=""))
        case ToolUse():
            return replace(step, detail=replace(detail, arguments="", error=""))
        case Enriched():
            return replace(step, detail=replace(detail, error=""))
        case PageFetched():
            return replace(step, name="", detail=replace(detail, requested="", final="", redirects=(), text=""))
    return replace(step, detail=_bare(detail))


def _bare(detail: StepDetail) -> StepDetail:
    match detail:
        case Parsed() | RepairAsked():
            return replace(detail, problems=())
        case AttemptEnded():
            return replace(detail, reason=None)
        case NextTry():
            return NextTry(replace(detail.ended, reason=None))
        case ApprovalStep():
            decision = detail.decision
            if decision is not None:
                decision = replace(decision, draft="", text="", words="", chat_title="")
            return replace(detail, approval=_silent(detail.approval), decision=decision)
        case SendStep():
            return replace(detail, approval=_silent(detail.approval))
    return detail


def _silent(approval: Approval) -> Approval:
    return replace(approval, text="", draft_text="", chat_title="", note=None, sticker=None, file=None)
