"""Rows and bodies of traces, made of what was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.adapters.store.rows.values import note_to_text, to_micros, well_formed
from chimein_gui.adapters.store.traces.codec import pack
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.traces.records import FIRST_WORDS, TraceBody, TraceRecord, figures_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.adapters.store.sql import Value
    from chimein_gui.domain.traces.entries import TraceEntry
    from chimein_gui.domain.traces.records import TraceFigures


class NewTrace(NamedTuple):
    """A trace that is not in the database yet.

    Attributes:
        values: Its row behind the id.
        body: Its body.
    """

    values: tuple[Value, ...]
    body: bytes


class MadeTrace(NamedTuple):
    """What is stored of a trace, but its ids.

    Attributes:
        body: Its body.
        problem: Why it failed or waits.
        words: The beginning of what it answers.
        figures: The figures of its row.
        called: For what which models were called, see `called_of`.
        flags: Whether it is slow and expensive, and its size in bytes.
    """

    body: bytes
    problem: str
    words: str
    figures: TraceFigures
    called: str
    flags: tuple[int, int, int]


def part_of_called(purpose: str, model: str) -> str:
    """Return what stands in `called_of` if there was a call with this purpose, model, or both; the other is empty."""
    begin, end = "\n" if purpose else "", "\n" if model else ""
    return f"{begin}{_call_line(purpose, model)}{end}"


def _call_line(purpose: str, model: str) -> str:
    return f"{_one_line(purpose)}\t{_one_line(model)}"


def _one_line(name: str) -> str:
    return well_formed(" ".join(name.split()))


def called_of(entries: Iterable[TraceEntry]) -> str:
    """Return for what which models were called: a line each, with a line end before the first and behind each."""
    lines = {_call_line(one.purpose, one.model) for one in entries if type(one) is ModelCall}
    return "\n".join(["", *sorted(lines), ""]) if lines else ""


def made_of(record: TraceRecord) -> MadeTrace:
    """Return what is stored of a trace."""
    body = pack(TraceBody(record.entries, record.trigger_ids, record.instruction))
    words = well_formed(" ".join(record.first_words[: 4 * FIRST_WORDS].split())[:FIRST_WORDS])
    figures = figures_of(record.entries)
    sources = sum(len(one.source) for one in record.entries if type(one) is PageFetched and one.source)
    flags = int(figures.is_slow), int(figures.is_expensive), len(body) + len(words) + sources
    return MadeTrace(body, note_to_text(record.problem), words, figures, called_of(record.entries), flags)


def new_trace(record: TraceRecord) -> NewTrace:
    """Return a new trace."""
    body, problem, words, figures, called, flags = made_of(record)
    ids = record.chat_id, record.agent_id, str(record.kind), str(record.state), record.graph_id, record.task_id
    times = to_micros(record.began_at), to_micros(record.ended_at)
    return NewTrace((*ids, *times, problem, words, *figures[:-1], 1, figures.work_s, *flags, called), body)
