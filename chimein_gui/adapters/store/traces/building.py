"""Rows and bodies of traces, made of what was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.adapters.store.rows.values import note_to_text, to_micros, well_formed
from chimein_gui.adapters.store.traces.codec import pack
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.traces.records import FIRST_WORDS, TraceBody, TraceRecord, figures_of

if TYPE_CHECKING:
    from chimein_gui.adapters.store.sql import Value
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
        flags: Whether it is slow and expensive, and its size in bytes.
    """

    body: bytes
    problem: str
    words: str
    figures: TraceFigures
    flags: tuple[int, int, int]


def made_of(record: TraceRecord) -> MadeTrace:
    """Return what is stored of a trace."""
    body = pack(TraceBody(record.entries, record.trigger_ids, record.instruction))
    words = well_formed(" ".join(record.first_words[: 4 * FIRST_WORDS].split())[:FIRST_WORDS])
    figures = figures_of(record.entries)
    sources = sum(len(one.source) for one in record.entries if type(one) is PageFetched and one.source)
    flags = int(figures.is_slow), int(figures.is_expensive), len(body) + len(words) + sources
    return MadeTrace(body, note_to_text(record.problem), words, figures, flags)


def new_trace(record: TraceRecord) -> NewTrace:
    """Return a new trace."""
    body, problem, words, figures, flags = made_of(record)
    ids = record.chat_id, record.agent_id, record.kind.value, record.state.value, record.graph_id, record.task_id
    times = to_micros(record.began_at), to_micros(record.ended_at)
    return NewTrace((*ids, *times, problem, words, *figures[:-1], 1, figures.work_s, *flags), body)
