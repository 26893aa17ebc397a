"""Values in the database: times as integers, tuples as JSON, text as well-formed Unicode."""

import json
import sys
from collections.abc import Iterable
from dataclasses import astuple
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from chimein_gui.domain.chats import ContextPin, PinKind, QuietHours
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import TextEntity
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.reasons import AnyReason, Reason
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.spans import ContextChoice, PromptSpan
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.tasks import CancelReason

Row = tuple[Any, ...]
"""One row from sqlite3; the functions that map it name the columns."""

SAME_ROWS = 2048
"""Size of the caches from rows to objects: most rows are read several times before they change.

The budget row `cycles` needs them, and the smaller caches of these modules.
"""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EMPTY = "[]"

_KINDS: dict[str, NoteKind | CancelReason | ModelFault | AnyReason] = {
    kind.value: kind for kind in (*ConnectionReason, *FaultReason, *Reason, *NoteKind, *CancelReason, *ModelFault)
}
_NO_NOTE: tuple[Any, ...] = ("", "", 0, None, "")
"""What a stored note leaves out at its end."""
_NO_PROBLEM = ("", 0, 0, 0, None, None)
"""Default values behind the kind of a planning problem."""
_SAID = 2
"""Index of `said` behind the fault of a reply."""

encoded = json.JSONEncoder(separators=(",", ":")).encode
"""A shared encoder, because `json.dumps` makes a new one at every call with other separators."""


def to_micros(when: datetime) -> int:
    """Return microseconds since 1970; exact, unlike `timestamp()`."""
    return (when - EPOCH) // MICROSECOND


def maybe_to_micros(when: datetime | None) -> int | None:
    """Like `to_micros`, for columns that may be empty."""
    return None if when is None else (when - EPOCH) // MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return an aware UTC time."""
    return EPOCH + timedelta(microseconds=micros)


def maybe_from_micros(micros: int | None) -> datetime | None:
    """Like `from_micros`, for columns that may be empty."""
    return None if micros is None else EPOCH + timedelta(microseconds=micros)


def to_json(items: Iterable[object]) -> str:
    """Return a JSON list; ASCII only, so that any string survives, lone surrogates too."""
    values = list(items)
    return encoded(values) if values else EMPTY


@lru_cache(SAME_ROWS)
def ids_to_json(ids: tuple[MessageId, ...]) -> str:
    """Return a JSON list of message ids; cached, because a step keeps them whatever else changes."""
    return _numbers_to_json(ids)


def _numbers_to_json(numbers: tuple[int, ...]) -> str:
    """Do as `to_json` for numbers, in a tenth of the time; every plan and step has such lists."""
    return f"[{','.join(map(str, numbers))}]"


def _numbers_from_json(stored: str) -> list[int]:
    return [int(number) for number in stored[1:-1].split(",")]


def strings_from_json(stored: str) -> tuple[str, ...]:
    """Return the strings from `to_json`."""
    return () if stored == EMPTY else tuple(json.loads(stored))


def ids_from_json(stored: str) -> tuple[MessageId, ...]:
    """Return the message ids from `to_json`."""
    return () if stored == EMPTY else tuple(map(MessageId, _numbers_from_json(stored)))


def entities_to_json(entities: tuple[TextEntity, ...]) -> str:
    """Return entities as lists: kind, offset, length, argument."""
    if not entities:
        return EMPTY
    return to_json((entity.kind, entity.offset, entity.length, entity.argument) for entity in entities)


def entities_from_json(stored: str) -> tuple[TextEntity, ...]:
    """Return the entities from `entities_to_json`."""
    return () if stored == EMPTY else tuple(TextEntity(*parts) for parts in json.loads(stored))


def maybe_sticker_to_json(sticker: StickerRef | None) -> str | None:
    """Return a sticker as a list: set, name, document, emoji, type of its file."""
    if sticker is None:
        return None
    return to_json((sticker.set_name, sticker.name, sticker.document_id, sticker.emoji, sticker.mime_type))


def maybe_sticker_from_json(stored: str | None) -> StickerRef | None:
    """Return the sticker from `maybe_sticker_to_json`."""
    return None if stored is None else StickerRef(*json.loads(stored))


def maybe_file_to_json(file: OutgoingFile | None) -> str | None:
    """Return a file that is sent as a list: its fields in their order."""
    return None if file is None else to_json(astuple(file))


def maybe_file_from_json(stored: str | None) -> OutgoingFile | None:
    """Return the file from `maybe_file_to_json`."""
    return None if stored is None else OutgoingFile(*json.loads(stored))


def span_to_json(span: PromptSpan) -> str:
    """Return a span as a list: low, high, a list of choices and chosen ids if the context was chosen, the extra ids."""
    if span.chosen is None:
        return _numbers_to_json((span.low, span.high, *span.extra))
    choices = ";".join(f"{one.message_id},{one.included:d},{one.percent},{one.reason}" for one in span.choices)
    return to_json((span.low, span.high, [choices, *span.chosen], *span.extra))


def span_from_json(stored: str) -> PromptSpan:
    """Return the span from `span_to_json`."""
    if '"' not in stored:
        low, high, *extra = map(MessageId, _numbers_from_json(stored))
        return PromptSpan(low, high, tuple(extra))
    low, high, (choices, *chosen), *extra = json.loads(stored)
    return PromptSpan(low, high, tuple(extra), tuple(chosen), choices_from_text(choices))


@lru_cache(maxsize=64)
def choices_from_text(text: str) -> tuple[ContextChoice, ...]:
    """Return the choices of a plan; cached, because the current plan is read many times.

    Thousands of plans with a hundred choices and more are kept, so the few different reasons are interned.
    """
    rows = (one.split(",", 3) for one in text.split(";") if one)
    return tuple(
        ContextChoice(MessageId(int(number)), included == "1", int(percent), sys.intern(reason))
        for number, included, percent, reason in rows
    )


@lru_cache(maxsize=SAME_ROWS)
def note_from_text(stored: str) -> Note | None:
    """Return the note from `note_to_text`."""
    return _note(json.loads(stored)) if stored else None


def _note(parts: list[Any]) -> Note:
    whole: list[Any] = [*parts, *_NO_NOTE[len(parts) :]]
    value, words, number, cause, more = whole
    kind = _KINDS[value]
    if kind is NoteKind.FILE_GONE and PurePath(words).is_absolute():
        # Two kinds had this value. That of an agent's file names its path; that of a file to send has no words.
        kind = ConnectionReason.FILE_GONE
    return Note(kind, words, number, _note(cause) if cause else None, more)


@lru_cache(maxsize=SAME_ROWS)
def problem_from_text(stored: str) -> PlanningProblem | None:
    """Return the problem from `problem_to_text`."""
    if not stored:
        return None
    kind, *rest = json.loads(stored)
    parts: list[Any] = [*rest, *_NO_PROBLEM[len(rest) :]]
    detail, wait_s, attempt, of, cause, fault = parts
    return PlanningProblem(
        PlanningKind(kind),
        detail,
        wait_s,
        attempt,
        of,
        cause=_reply_problem(cause) if cause else None,
        fault=_note(fault) if fault else None,
    )


def note_to_text(note: Note | None) -> str:
    """Return a note as a JSON list: kind, words, number, cause, more, without the defaults at its end."""
    return encoded(_note_parts(note)) if note is not None else ""


def _note_parts(note: Note) -> list[Any]:
    cause = _note_parts(note.cause) if note.cause is not None else None
    return _without_defaults(note.kind.value, well_formed(note.words), note.number, cause, well_formed(note.more))


def problem_to_text(problem: PlanningProblem | None) -> str:
    """Return a problem as a JSON list without the defaults at its end; empty for None."""
    if problem is None:
        return ""
    detail, cause = well_formed(problem.detail), problem.cause and _reply_problem_parts(problem.cause)
    fault = problem.fault and _note_parts(problem.fault)
    return encoded(
        _without_defaults(problem.kind.value, detail, problem.wait_s, problem.attempt, problem.of, cause, fault)
    )


def reply_problems_to_json(problems: Iterable[ReplyProblem]) -> str:
    """Return problems as lists without the defaults at their end: fault, line, number, what was said."""
    return to_json(map(_reply_problem_parts, problems))


@lru_cache(maxsize=SAME_ROWS)
def reply_problems_from_json(stored: str) -> tuple[ReplyProblem, ...]:
    """Return the problems from `reply_problems_to_json`."""
    return () if stored == EMPTY else tuple(map(_reply_problem, json.loads(stored)))


def _reply_problem_parts(problem: ReplyProblem) -> list[Any]:
    return _without_defaults(problem.fault.value, problem.line, problem.number, problem.said)


def _reply_problem(parts: list[Any]) -> ReplyProblem:
    fault, *rest = parts
    said = [tuple(rest[_SAID])] if len(rest) > _SAID else []
    return ReplyProblem(ReplyFault(fault), *rest[:_SAID], *said)


def _without_defaults(*parts: object) -> list[object]:
    kept = list(parts)
    while kept and not kept[-1]:
        kept.pop()
    return kept


@lru_cache(maxsize=256)
def context_counts(stored: str) -> tuple[int, int]:
    """Return how many messages a prompt contained and of how many they were chosen; zeros for unselected history."""
    if '"' not in stored:
        return 0, 0
    span = span_from_json(stored)
    chosen = span.chosen or ()
    return len(chosen), len({*chosen, *(one.message_id for one in span.choices)})


def quiet_hours_to_text(hours: QuietHours | None) -> str:
    """Return quiet hours as ``22:00:00/07:30:00``, or empty."""
    return "" if hours is None else f"{hours.begins.isoformat()}/{hours.ends.isoformat()}"


def quiet_hours_from_text(stored: str) -> QuietHours | None:
    """Return the hours from `quiet_hours_to_text`."""
    return QuietHours(*map(time.fromisoformat, stored.split("/"))) if stored else None


def pins_to_text(pins: tuple[ContextPin, ...]) -> str:
    """Return pins as a text such as ``12+ 15- 17*``: ids, each with its kind."""
    return " ".join(f"{pin.message_id}{pin.kind}" for pin in pins)


def pins_from_text(stored: str) -> tuple[ContextPin, ...]:
    """Return the pins from `pins_to_text`."""
    return tuple(ContextPin(MessageId(int(pin[:-1])), PinKind(pin[-1])) for pin in stored.split())


def well_formed(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates by U+FFFD.

    SQLite keeps UTF-8, which has no surrogates; neither has Telegram, so nothing that can be sent is changed.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
