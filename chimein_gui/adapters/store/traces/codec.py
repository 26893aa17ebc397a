"""The body of a trace as bytes: JSON, compressed if it is long.

A step is a list: the letter of its class, then its fields in their order. A field may be added at the end of a class if
it has a default; none may be removed or moved.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from chimein_gui.adapters.store.rows.values import (
    encoded,
    from_micros,
    ids_from_json,
    note_from_text,
    note_to_text,
    reply_problems_from_json,
    reply_problems_to_json,
    to_micros,
    well_formed,
)
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule
from chimein_gui.domain.traces.entries import (
    AttemptEnded,
    Backfilled,
    ContextChosen,
    Debounced,
    Enriched,
    EnrichEnd,
    Parsed,
    PromptBuilt,
    RepairAsked,
    Replied,
    ToolUse,
)
from chimein_gui.domain.traces.records import TraceBody

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.traces.entries import TraceEntry

Json: TypeAlias = Any
"""What JSON can hold."""

LONG = 1_000
"""From how many bytes a body is compressed."""

_LEVEL = 1
"""Of zlib: half the time of the default for a tenth more bytes."""

_CLASSES: dict[str, Any] = {
    "d": Debounced,
    "b": Backfilled,
    "x": ContextChosen,
    "e": Enriched,
    "p": PromptBuilt,
    "c": ModelCall,
    "r": Replied,
    "t": ToolUse,
    "R": RetrievalRound,
    "f": PageFetched,
    "k": Parsed,
    "a": RepairAsked,
    "n": AttemptEnded,
}
_LETTERS = {kind: letter for letter, kind in _CLASSES.items()}
_NAMES = {kind: tuple(one.name for one in fields(kind)) for kind in _LETTERS}


def _redirects(value: list[list[Any]]) -> tuple[tuple[int, str], ...]:
    return tuple((status, url) for status, url in value)


_READ: dict[tuple[Any, str], Callable[[Any], Any]] = {
    **{(kind, name): from_micros for kind, names in _NAMES.items() for name in names if name in {"began_at", "at"}},
    **{(kind, "problems"): reply_problems_from_json for kind in (Parsed, RepairAsked)},
    (Enriched, "end"): EnrichEnd,
    (ModelCall, "end"): CallEnd,
    (ModelCall, "usage"): lambda parts: Usage(*parts),
    (Replied, "tools"): tuple,
    (Parsed, "blocks"): tuple,
    (PageFetched, "redirects"): _redirects,
    (PageFetched, "refusal"): RefusalRule,
    (PageFetched, "error"): FetchFault,
    (AttemptEnded, "reason"): note_from_text,
}
"""How a field is made of what JSON gives; fields that are not here are as JSON gives them. None stays None."""


def _plain(value: tuple[object, ...]) -> list[Json]:
    return [
        _plain(one) if isinstance(one, tuple) else well_formed(one) if isinstance(one, str) else one for one in value
    ]


def _usage(usage: Usage) -> list[int]:
    return [usage.prompt_tokens, usage.reply_tokens, usage.thinking_tokens, usage.cached_tokens]


_WRITTEN: dict[type, Callable[[Any], Json]] = {
    str: well_formed,
    datetime: to_micros,
    Note: note_to_text,
    Usage: _usage,
    tuple: _plain,
    **dict.fromkeys((EnrichEnd, CallEnd, RefusalRule, FetchFault), str),
}
"""How a value is made to what JSON can hold, by its class; the others are so already."""


def pack(body: TraceBody) -> bytes:
    """Return a body as bytes."""
    steps = [[_LETTERS[type(one)], *_values(one)] for one in body.entries]
    raw = encoded([steps, list(body.trigger_ids), well_formed(body.instruction)]).encode("ascii")
    return zlib.compress(raw, _LEVEL) if len(raw) > LONG else raw


def unpack(packed: bytes) -> TraceBody:
    """Return the body of `pack`."""
    raw = packed if packed.startswith(b"[") else zlib.decompress(packed)
    steps, trigger_ids, instruction = json.loads(raw)
    return TraceBody(tuple(map(_entry, steps)), ids_from_json(json.dumps(trigger_ids)), instruction)


def _values(one: TraceEntry) -> list[Json]:
    found: list[Json] = []
    for name in _NAMES[type(one)]:
        value = getattr(one, name)
        write = reply_problems_to_json if name == "problems" else _WRITTEN.get(type(value))
        found.append(value if write is None else write(value))
    return found


def _entry(stored: list[Any]) -> TraceEntry:
    letter, *values = stored
    kind = _CLASSES[letter]
    made = []
    for name, value in zip(_NAMES[kind], values, strict=False):
        read = _READ.get((kind, name))
        made.append(value if read is None or value is None else read(value))
    entry: TraceEntry = kind(*made)
    return entry
