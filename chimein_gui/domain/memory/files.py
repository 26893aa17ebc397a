"""The format of remembered entries: a heading with the time, a comment with the provenance, the text.

Text before the first heading is nobody's entry; people may write there what they like.
"""

from __future__ import annotations

import re
import zlib
from datetime import UTC, datetime
from functools import lru_cache
from itertools import pairwise

from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryEntry

HEADING = "# Memory from "
BY_PARTNER = "the partner's order"
"""The source of an entry that the partner ordered: its text is what they wrote."""

_ENTRY = re.compile(r"(?:^|(?<=\A\ufeff))# Memory from (.*)$", re.MULTILINE)
"""A heading; some editors write a byte order mark before the first."""
_COMMENT = re.compile(r"\A\s*<!--(.*?)-->[^\n]*\n?", re.DOTALL)
_PROVENANCE = re.compile(r"\A[^\r\n]*(?:\r\n|\n)\s*<!--(.*?)-->", re.DOTALL)
_TIME = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2}) (\d{1,2}):(\d{1,2}):(\d{1,2}) UTC", re.ASCII)
_CHAT = re.compile(r"\bchat (-?\d{1,19})\b")
_DANGEROUS = re.compile(r"^([ \t]*)(?=\\*(?:#[ \t]*Memory from|-->|#[ \t]*«))", re.MULTILINE)
_ESCAPED = re.compile(r"^([ \t]*)\\(?=\\*(?:#[ \t]*Memory from|-->|#[ \t]*«))", re.MULTILINE)
_LONE = re.compile("[\ud800-\udfff]")
"""Halves of characters, which a model's JSON may hold and no file can."""
_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def entry_of(text: str, *, at: datetime, provenance: str, key: str) -> str:
    """Compose one entry: heading with its time in UTC, comment with its provenance, the text."""
    heading = f"{HEADING}{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    body = escaped(text)
    return f"{heading}\n<!-- {_in_comment(provenance)} {mark_of(key)} [sum {sum_of(body)}] -->\n\n{body}\n"


def mark_of(key: str) -> str:
    """Return the mark in the comment of the entry with a key."""
    return f"[key {_in_comment(key)}]"


def place_of_key(content: str, key: str) -> tuple[int, int] | None:
    """Return where the entry with a key begins and ends; None without one. A text that quotes a key does not count."""
    mark = mark_of(key)
    if mark not in content:
        return None
    for start, end in places_of(content):
        comment = _PROVENANCE.match(content[start:end])
        if comment is not None and mark in comment[1]:
            return start, end
    return None


def origin_words(block: str) -> str:
    """Return what the comment of an entry says about its origin, without key and checksum; empty without a comment."""
    comment = _PROVENANCE.match(block) if block.startswith(HEADING) else None
    return comment[1].partition("[key ")[0].strip() if comment is not None else ""


def sum_of(body: str) -> str:
    """Return a checksum of a text, to detect changes by the operator."""
    return f"{zlib.crc32(body.strip().encode('utf-8', 'surrogateescape')):08x}"


def is_untouched(entry: str) -> bool:
    """Return whether the text of an entry's block is as the program wrote it."""
    _heading, _, rest = entry.partition("\n")
    comment, _, body = rest.partition("\n")
    return f"[sum {sum_of(body)}] -->" in comment


def _in_comment(words: str) -> str:
    """Return foreign words so that they neither end the comment, nor break its line, nor look like a key."""
    line = " ".join(words.split()).replace("[key", "(key").replace("[sum", "(sum")
    return line.replace("--", "––").replace(">", "›")


def escaped(text: str) -> str:
    """Put a backslash before lines that would begin an entry, end a comment or begin a block of a reply.

    Such lines that begin with backslashes get one more, so that `unescaped` is the inverse.
    """
    lines = _LONE.sub("\ufffd", _LINE_ENDS.sub("\n", text)).strip("\n")
    return _DANGEROUS.sub(r"\1\\", lines.replace("\x00", ""))


def unescaped(text: str) -> str:
    """Remove the backslashes of `escaped`."""
    return _ESCAPED.sub(r"\1", text)


def places_of(content: str) -> list[tuple[int, int]]:
    """Return where each entry begins and ends in a file."""
    starts = [match.start() for match in _ENTRY.finditer(content)]
    return list(pairwise([*starts, len(content)]))


def shown(content: str) -> str:
    """Return a file as text: one kind of line ends, and a mark for what is no UTF-8."""
    return _LONE.sub("\ufffd", _LINE_ENDS.sub("\n", content.removeprefix("\ufeff")))


@lru_cache(maxsize=64)
def entries_of(content: str) -> tuple[MemoryEntry, ...]:
    """Return the entries of a file, oldest first; entries without a text are left out.

    The newest contents are kept, because a file is read for every plan and seldom changes.
    """
    plain = shown(content)
    found = []
    line = counted = 0
    for start, end in places_of(plain):
        line, counted = line + plain.count("\n", counted, start), start
        heading, _, rest = plain[start:end].partition("\n")
        comment = _COMMENT.match(rest)
        body = rest[comment.end() :] if comment is not None else rest
        chat = _CHAT.search(comment[1]) if comment is not None else None
        text = unescaped(body.strip("\n").rstrip())
        if text.strip():
            learned_in = PeerId(int(chat[1])) if chat is not None else None
            in_own_words = comment is not None and f"source: {BY_PARTNER} [key" in comment[1]
            at = _time_of(heading.removeprefix(HEADING))
            found.append(MemoryEntry(text, at, learned_in, line + 1, in_own_words))
    return tuple(found)


def names_person(block: str, person: PeerId) -> bool:
    """Tell whether the heading of an entry says that it was learned in a person's chat, or is about the person."""
    found = _PROVENANCE.match(block) if block.startswith(HEADING) else None
    # A title in brackets may look like anything, so only what stands before and behind it counts.
    words = re.sub(r"\(.*\)", "()", found[1], flags=re.DOTALL) if found is not None else ""
    return re.search(rf"\b(?:chat|partner|person) {int(person)}\b", words) is not None


def without_person(content: str, person: PeerId) -> tuple[str, tuple[str, ...]]:
    """Return a file without the entries of a person, and the texts of these."""
    rest, texts, behind = [], [], 0
    for begin, end in places_of(content):
        if names_person(content[begin:end], person):
            rest.append(content[behind:begin])
            texts += [entry.text for entry in entries_of(content[begin:end])]
            behind = end
    return "".join([*rest, content[behind:]]), tuple(texts)


def _time_of(words: str) -> datetime | None:
    found = _TIME.fullmatch(words.strip())  # strptime takes as long as all the rest of a file
    if found is None:
        return None
    year, month, day, hour, minute, second = map(int, found.groups())
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
