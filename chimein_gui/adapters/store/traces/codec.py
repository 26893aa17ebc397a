"""The body of a trace as bytes: JSON in UTF-8, compressed if it is long.

A step is a list: the letter of its class, then its fields in their order. A field may be added at the end of a class if
it has a default; none may be removed or moved.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from chimein_gui.adapters.store.rows.values import (
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
_APART = "source"
"""A field that stands in a table of its own; it is the last of its class, because values are given by their places."""

_NAMES = {kind: tuple(one.name for one in fields(kind) if one.name != _APART) for kind in _CLASSES.values()}


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
    (ModelCall, "fault"): note_from_text,
}
"""How a field is made of what JSON gives; fields that are not here are as JSON gives them. None stays None."""


def _usage(usage: Usage) -> list[int]:
    return [usage.prompt_tokens, usage.reply_tokens, usage.thinking_tokens, usage.cached_tokens]


_WRITE: dict[str, Callable[[Any], Json]] = {
    "began_at": to_micros,
    "at": to_micros,
    "problems": reply_problems_to_json,
    "usage": _usage,
    "reason": note_to_text,
    "fault": note_to_text,
}
"""How a field is made to what JSON can hold; fields that are not here are so already. None stays None."""


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    read = attrgetter(*names)
    return read if len(names) > 1 else lambda one: (read(one),)


_HOW = {
    _CLASSES[letter]: (letter, _reader(names), [(at, _WRITE[one]) for at, one in enumerate(names, 1) if one in _WRITE])
    for letter, names in zip(_CLASSES, _NAMES.values(), strict=True)
}
"""By class: its letter, what reads all its fields at once, and the places of those that are changed."""

_encoded = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def pack(body: TraceBody) -> bytes:
    """Return a body as bytes."""
    text = _encoded([[*map(_step, body.entries)], body.trigger_ids, body.instruction])
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        raw = well_formed(text).encode()
    return zlib.compress(raw, _LEVEL) if len(raw) > LONG else raw


def unpack(packed: bytes) -> TraceBody:
    """Return the body of `pack`."""
    raw = packed if packed.startswith(b"[") else zlib.decompress(packed)
    steps, trigger_ids, instruction = json.loads(raw)
    return TraceBody(tuple(map(_entry, steps)), ids_from_json(json.dumps(trigger_ids)), instruction)


def _step(one: TraceEntry) -> list[Json]:
    letter, read, changed = _HOW[type(one)]
    found = [letter, *read(one)]
    for at, write in changed:
        if found[at] is not None:
            found[at] = write(found[at])
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
