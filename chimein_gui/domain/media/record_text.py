"""The JSON text of descriptions: people and other programs write it, too, so an edit changes nothing else in it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from chimein_gui.domain.media.records import MODEL_KEY, DescriptionStatus, MediaRecord, Met

BOM = "\ufeff"

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(strict=False)
_MOST_MET = 1_000
_OPTIONAL = ("attempts", "hinted_in", "met")
"""Keys that are written only if there is something to say."""
_MOST_SECONDS = 1e9


class RecordError(ValueError):
    """A text is no description; the error's text is what the parser says."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A key of the object, and where it and its value stand in the text."""

    key: str
    value: object
    key_at: int
    value_at: int
    end: int


def record_of(text: str, unique_id: str, default: DescriptionStatus = DescriptionStatus.PENDING) -> MediaRecord:
    """Read the text of a description. What has another type than it should counts as missing.

    Args:
        text: Content of the file, with its byte order mark.
        unique_id: Name of the file without its ending; it decides, whatever the text says.
        default: Its status, if it names none that is known.

    Raises:
        RecordError: It is no JSON object.
    """
    try:
        values = json.loads(text.removeprefix(BOM), strict=False)
    except ValueError as error:
        raise RecordError(str(error)) from error
    except RecursionError:
        raise RecordError("nested too deeply") from None
    if not isinstance(values, dict):
        raise RecordError("this is no object")
    return _record(values, unique_id, default)


def text_of(record: MediaRecord, base: str | None = None) -> str:
    """Return the text of a description.

    Args:
        record: What it shall say; what it was read from decides nothing.
        base: Present content of the file; only the values that differ are changed. None makes a new text.

    Raises:
        RecordError: The base is no JSON object.
    """
    wanted = _values(record)
    if base is None:
        return json.dumps({**wanted, **record.rest}, ensure_ascii=_has_surrogates(wanted), indent=2) + "\n"
    members = _members(base)
    present = _record({member.key: member.value for member in members}, record.unique_id, record.status)
    old, has = _values(present), {member.key for member in members}
    changed = {key: wanted.get(key) for key in (*wanted, *old) if wanted.get(key) != old.get(key)}
    if "status" not in has and record.status is not DescriptionStatus.CURATED:
        changed["status"] = wanted["status"]  # a missing one is not what the record says, but the default
    changed.pop("unique_id", None)
    model = record.rest.get(MODEL_KEY)
    if model is not None and model != present.rest.get(MODEL_KEY):
        changed[MODEL_KEY] = model
    return _edited(base, members, changed)


def _members(text: str) -> list[_Member]:
    """Return the members of the object that a text is, in order."""
    try:
        return list(_scan(text))
    except (ValueError, IndexError) as error:
        raise RecordError(str(error)) from error
    except RecursionError:
        raise RecordError("nested too deeply") from None


def _scan(text: str) -> list[_Member]:
    at = _expect(text, len(BOM) if text.startswith(BOM) else 0, "{")
    members: list[_Member] = []
    if text[at] == "}":
        _expect_end(text, at + 1)
        return members
    while True:
        key, key_end = _DECODER.raw_decode(text, at)
        if not isinstance(key, str):
            raise RecordError(f"a key is no text: char {at}")
        value_at = _expect(text, _past_blanks(text, key_end), ":")
        value, end = _DECODER.raw_decode(text, value_at)
        members.append(_Member(key, value, at, value_at, end))
        at = _past_blanks(text, end)
        if text[at] == "}":
            _expect_end(text, at + 1)
            return members
        at = _expect(text, at, ",")


def _past_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found is not None
    return found.end()


def _expect(text: str, at: int, sign: str) -> int:
    """Return where the text goes on after a sign and the blanks around it."""
    at = _past_blanks(text, at)
    if text[at] != sign:
        raise RecordError(f"expecting {sign!r}: char {at}")
    return _past_blanks(text, at + 1)


def _expect_end(text: str, at: int) -> None:
    if _past_blanks(text, at) != len(text):
        raise RecordError(f"extra data: char {at}")


def _edited(text: str, members: list[_Member], changes: Mapping[str, object]) -> str:
    """Replace values where they stand; new keys get the same blanks as those before them."""
    last = {member.key: member for member in members}  # of a key that stands twice the last one counts
    for member in reversed(members):
        if member.key in changes and last[member.key] is member:
            written = _written(changes[member.key], text[member.value_at : member.end])
            text = f"{text[: member.value_at]}{written}{text[member.end :]}"
    new = {key: value for key, value in changes.items() if key not in last and not _is_nothing(value)}
    if new:
        text = _with_members(text, new)
    return text


def _with_members(text: str, new: Mapping[str, object]) -> str:
    members = _members(text)
    if not members:
        opening = text.index("{") + 1
        listed = ", ".join(f"{json.dumps(key)}: {_written(value, '')}" for key, value in new.items())
        return f"{text[:opening]}{listed}{text[opening:]}"
    last = members[-1]
    before = text[text.index("{") + 1 : last.key_at] if len(members) == 1 else text[members[-2].end : last.key_at]
    gap = before.partition(",")[2] if len(members) > 1 else before
    key_end = _DECODER.raw_decode(text, last.key_at)[1]
    colon = text[key_end : last.value_at]
    added = "".join(f",{gap}{json.dumps(key)}{colon}{_written(value, '')}" for key, value in new.items())
    return f"{text[: last.end]}{added}{text[last.end :]}"


def _written(value: object, before: str) -> str:
    """Return a value as JSON; escaped, if what stood there was."""
    return json.dumps(value, ensure_ascii="\\u" in before or _has_surrogates(value))


def _has_surrogates(value: object) -> bool:
    """Return whether a value holds what UTF-8 can't."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _is_nothing(value: object) -> bool:
    return value is None or value in ("", [], 0)


def _values(record: MediaRecord) -> dict[str, object]:
    """Return what a file says of a record, in its order."""
    at = None if record.at is None else record.at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    values: dict[str, object] = {
        "unique_id": record.unique_id,
        "kind": record.kind,
        "sticker_set_name": record.sticker_set_name or None,
        "sticker_name": record.sticker_name or None,
        "description": record.description,
        "status": record.status.value,
        "failure_reason": record.failure_reason,
        "ts": at,
        "mime_type": record.mime_type,
        "duration": record.duration_s or None,
        "media_file": record.media_file,
    }
    if record.attempts:
        values["attempts"] = record.attempts
    if record.hinted_in:
        values["hinted_in"] = record.hinted_in
    if record.met:
        values["met"] = [{"agent": one.agent, "chat": one.chat, "message": one.message} for one in record.met]
    return values


def _record(values: Mapping[str, object], unique_id: str, default: DescriptionStatus) -> MediaRecord:
    rest = {key: value for key, value in values.items() if key not in _KEYS and key not in _OPTIONAL}
    return MediaRecord(
        unique_id=unique_id,
        kind=_text(values.get("kind")),
        sticker_set_name=_text(values.get("sticker_set_name")),
        sticker_name=_text(values.get("sticker_name")),
        description=_text(values.get("description")),
        status=_status(values.get("status"), default),
        failure_reason=_text(values.get("failure_reason")) or None,
        at=_time(values.get("ts")),
        mime_type=_text(values.get("mime_type")),
        duration_s=_seconds(values.get("duration")),
        media_file=_text(values.get("media_file")) or None,
        met=_met(values.get("met")),
        attempts=_whole(values.get("attempts")),
        hinted_in=_text(values.get("hinted_in")),
        rest=MappingProxyType(rest),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _status(value: object, default: DescriptionStatus) -> DescriptionStatus:
    try:
        return DescriptionStatus(_text(value))
    except ValueError:
        return default


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else 0


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value < _MOST_SECONDS and math.isfinite(value) else 0.0


def _time(value: object) -> datetime | None:
    """Return a time in ISO 8601, or in seconds since the epoch."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def _met(value: object) -> tuple[Met, ...]:
    found = value[:_MOST_MET] if isinstance(value, list) else ()
    return tuple(met for met in map(_one_met, found) if met is not None)


def _one_met(value: object) -> Met | None:
    if not isinstance(value, dict):
        return None
    agent, chat, message = value.get("agent"), value.get("chat"), value.get("message")
    if not isinstance(agent, str) or not isinstance(chat, int) or not isinstance(message, int):
        return None
    return Met(agent, chat, message)


_KEYS = frozenset(_values(MediaRecord("")))
"""Keys that every new file has."""
