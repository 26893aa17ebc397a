"""How values look in the database: times as integers, tuples as JSON, text as well-formed Unicode."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import TextEntity

Row = tuple[Any, ...]
"""One row as sqlite3 hands it over; the functions that map it name the columns."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EMPTY = "[]"


def to_micros(when: datetime) -> int:
    """Return microseconds since 1970; exact, unlike `timestamp()`."""
    return (when - EPOCH) // MICROSECOND


def maybe_to_micros(when: datetime | None) -> int | None:
    """Like `to_micros`, for columns that may be empty."""
    return None if when is None else to_micros(when)


def from_micros(micros: int) -> datetime:
    """Return an aware UTC time."""
    return EPOCH + timedelta(microseconds=micros)


def maybe_from_micros(micros: int | None) -> datetime | None:
    """Like `from_micros`, for columns that may be empty."""
    return None if micros is None else from_micros(micros)


def to_json(items: Iterable[object]) -> str:
    """Return a JSON list; ASCII only, so that any string survives, lone surrogates too."""
    values = list(items)
    return json.dumps(values, separators=(",", ":")) if values else EMPTY


def strings_from_json(stored: str) -> tuple[str, ...]:
    """Return what `to_json` made of strings."""
    return () if stored == EMPTY else tuple(json.loads(stored))


def ids_from_json(stored: str) -> tuple[MessageId, ...]:
    """Return what `to_json` made of message ids."""
    return () if stored == EMPTY else tuple(MessageId(number) for number in json.loads(stored))


def entities_to_json(entities: tuple[TextEntity, ...]) -> str:
    """Return entities as lists: kind, offset, length, argument."""
    return to_json((entity.kind, entity.offset, entity.length, entity.argument) for entity in entities)


def entities_from_json(stored: str) -> tuple[TextEntity, ...]:
    """Return what `entities_to_json` made."""
    return () if stored == EMPTY else tuple(TextEntity(*parts) for parts in json.loads(stored))


def well_formed(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates by U+FFFD.

    SQLite keeps UTF-8, which has no surrogates; neither has Telegram, so nothing that can be sent is changed.
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
