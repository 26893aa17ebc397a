"""Splits long texts into several messages."""

import re
import unicodedata
from dataclasses import dataclass, replace

from chimein_gui.domain.messages import MAX_MESSAGE_UNITS, TextEntity, utf16_length


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a long text.

    Attributes:
        text: Not blank, and without blanks at its ends, which Telegram would drop.
        entities: Formatting of `text`, in UTF-16 units of this part.
    """

    text: str
    entities: tuple[TextEntity, ...] = ()


def split(text: str, entities: tuple[TextEntity, ...] = (), limit: int = MAX_MESSAGE_UNITS) -> tuple[Part, ...]:
    """Split a text into messages at the end of a paragraph, a line, a sentence or a word, in that order of preference.

    Every part is as long as possible. A code block is split only if it is too long for one message; then the next
    message continues it as a code block. A character that the reader sees as one is never split, unless it alone is too
    long.

    Args:
        text: Any text.
        entities: Its formatting, in UTF-16 units.
        limit: The longest part, in UTF-16 units; at least 2, the width of an emoji.

    Returns:
        The parts in order; together they hold everything but blanks. Empty for a blank text.

    Raises:
        ValueError: The limit is less than 2.
    """
    if limit < 2:  # noqa: PLR2004 - a surrogate pair
        raise ValueError("a part must have room for one character")
    if not entities and utf16_length(text) <= limit:
        only = text.strip()
        return (Part(only),) if only else ()
    whole = len(text.rstrip())
    start = _filled_from(text, 0)
    blocks = _code_blocks(text, entities)
    formats = _Formats(entities)
    parts: list[Part] = []
    units, counted = 0, 0
    while start < whole:
        end = _as_far_as(text, start, whole, limit)
        cut = end if end == whole else _cut(text, start, end, blocks)
        units, counted = units + utf16_length(text[counted:start]), start
        part = text[start:cut].rstrip()
        parts.append(Part(part, formats.over(units, utf16_length(part))))
        start = _filled_from(text, cut)
    return tuple(parts)


def _filled_from(text: str, start: int) -> int:
    """Return the index of the first non-blank character at or behind `start`."""
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _as_far_as(text: str, start: int, whole: int, limit: int) -> int:
    """Return the furthest possible end of a part that begins at `start`."""
    units, index = 0, start
    while index < whole:
        units += 1 if text[index] <= "\uffff" else 2
        if units > limit:
            break
        index += 1
    return index


class _Formats:
    """Distributes a text's formatting to its parts in order, so that each entity is examined once."""

    def __init__(self, entities: tuple[TextEntity, ...]) -> None:
        self._coming = sorted(enumerate(entities), key=lambda one: one[1].offset, reverse=True)
        self._open: list[tuple[int, TextEntity]] = []

    def over(self, offset: int, length: int) -> tuple[TextEntity, ...]:
        """Return the formatting of a part, in its own units and in the original order.

        Args:
            offset: Where the part begins in the text, in UTF-16 units; not less than in the last call.
            length: Length of the part, in UTF-16 units.
        """
        while self._coming and self._coming[-1][1].offset < offset + length:
            self._open.append(self._coming.pop())
        self._open = [(place, one) for place, one in self._open if one.offset + one.length > offset]
        own: list[TextEntity] = []
        for _, one in sorted(self._open, key=lambda entry: entry[0]):
            first, last = max(one.offset - offset, 0), min(one.offset + one.length - offset, length)
            if first < last:
                own.append(replace(one, offset=first, length=last - first))
        return tuple(own)


# ---------------------------------------------------------------- where to cut

_LINE_END = re.compile(r"(?=\r?\n)")
_BLANK_LINE = re.compile(r"\r?\n[^\S\n]*+\n")
_SENTENCE_END = re.compile(r"(?<![.!?…‼⁇⁈⁉])[.!?…‼⁇⁈⁉]++[\"'”’»)\]]*+(?=\s)|[。！？｡]++[”’」』）】》]*+")  # noqa: RUF001 - they are meant
_WORD_END = re.compile(r"(?=[^\S\u00a0\u202f\u2007])")
"""Each match ends where a part may end; none looks further than one character behind it."""


def _cut(text: str, start: int, end: int, blocks: list[tuple[int, int]]) -> int:
    """Return the end of a part that begins at `start` and can't reach beyond `end`."""

    def whole(index: int) -> bool:
        return start < index and not _joined(text, index, start)

    def outside(index: int) -> bool:
        return whole(index) and not any(first < index < last for first, last in near)

    near = [(first, last) for first, last in blocks if first < end and start < last]
    lines = _places(_LINE_END, text, start, end)
    paragraphs = [place for place in lines if _BLANK_LINE.match(text, place)]
    for places, allowed in (
        (paragraphs, outside),
        (lines, outside),
        (paragraphs, whole),
        (lines, whole),
        (_places(_SENTENCE_END, text, start, end), whole),
        (_places(_WORD_END, text, start, end), whole),
    ):
        found = next((place for place in reversed(places) if allowed(place)), 0)
        if found:
            return found
    return next((index for index in range(end, start, -1) if whole(index)), end)


def _places(pattern: re.Pattern[str], text: str, start: int, end: int) -> list[int]:
    """Return the places up to `end` where a part may end according to a pattern."""
    return [place for found in pattern.finditer(text, start, end + 2) if (place := found.end()) <= end]


def _code_blocks(text: str, entities: tuple[TextEntity, ...]) -> list[tuple[int, int]]:
    """Return begin and end of each code block in characters, sorted."""
    spans = sorted((one.offset, one.offset + one.length) for one in entities if one.kind == "pre")
    raw = text.encode("utf-16-le", "surrogatepass") if spans else b""
    characters: dict[int, int] = {}
    counted = reached = 0
    for units in sorted({units for span in spans for units in span}):
        counted += len(raw[2 * reached : 2 * units].decode("utf-16-le", "surrogatepass"))
        characters[units] = counted
        reached = units
    return [(characters[first], characters[last]) for first, last in spans]


# ---------------------------------------------------------------- what a reader sees as one character

_JOINER = "\u200d"
_EXTENDING = re.compile(
    "[\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\u1160-\u11ff\ud7b0-\ud7fb\uff9e\uff9f]"
)
"""Joiners, skin tones, tags of flags, vowels and final consonants of Hangul syllables, half-width kana voice marks."""
_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")
_VIRAMA = 9
"""The combining class of the sign that joins two Indic consonants."""


def _joined(text: str, index: int, start: int) -> bool:
    """Return whether the characters on both sides of an index belong together; the part begins at `start`."""
    if not 0 < index < len(text):
        return False
    before, after = text[index - 1], text[index]
    if unicodedata.category(after).startswith("M") or _EXTENDING.match(after) or before == _JOINER:
        return True
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return True  # halves of a pair, which only a broken text has apart
    if unicodedata.combining(before) == _VIRAMA and after.isalpha():
        return True
    if _FLAG_LETTER.match(after):
        return _flag_letters(text, index, start) % 2 == 1
    return before + after == "\r\n"


def _flag_letters(text: str, index: int, start: int) -> int:
    """Count the flag letters between `start` and an index: two form a flag, and no part begins within one."""
    first = index
    while first > start and _FLAG_LETTER.match(text[first - 1]):
        first -= 1
    return index - first
