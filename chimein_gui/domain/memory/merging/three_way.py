"""Three-way merge of memory files, entry by entry: what two sides made of the same file.

A file is cut into segments: an entry with the blank lines behind it, and what stands before the first entry. Segments
are recognised by the key or the heading of their entry; paragraphs without a heading by their text and their place.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.edits import file_entries, with_text
from chimein_gui.domain.memory.files import HEADING, shown, unescaped
from chimein_gui.domain.text.merge import Change, merge, merged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind

_KEY = re.compile(r"\[key [^\]]*\]")
_COMMENT = re.compile(r"\A[^\r\n]*(?:\r\n|\n)(?:\s*<!--.*?-->)?", re.DOTALL)


class Choice(StrEnum):
    """What becomes of a difference."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"


class ChangedBy(StrEnum):
    """Which side changed a segment."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Difference:
    """A segment that is not the same in all three files.

    Attributes:
        changed_by: Which side changed it; `BOTH` only if they did not change it alike.
        base: As it was; None if it was not there.
        mine: As one side made it; None if that removed it.
        theirs: As the other side made it.
        line: Line of the file on disk at which it stands, from 1.
    """

    changed_by: ChangedBy
    base: str | None
    mine: str | None
    theirs: str | None
    line: int

    @property
    def default(self) -> Choice | None:
        """Return what is right if only one side changed it; None if somebody must decide."""
        if self.changed_by is ChangedBy.BOTH:
            return None
        return Choice.MINE if self.changed_by is ChangedBy.MINE else Choice.THEIRS

    def result(self, choice: Choice) -> str:
        """Return the segment for a choice."""
        if choice is Choice.MINE:
            return self.mine or ""
        if choice is Choice.THEIRS:
            return self.theirs or ""
        return self._both()

    def _both(self) -> str:
        if self.mine is None or self.theirs is None:
            return self.mine or self.theirs or ""
        base, mine, theirs = (entry_text(one) for one in (self.base, self.mine, self.theirs))
        chunks = merge(base, mine, theirs)
        has_conflict = any(chunk.change is Change.CONFLICT for chunk in chunks)
        return with_text(self.theirs, f"{mine}\n{theirs}" if has_conflict else merged(chunks))


@dataclass(frozen=True, slots=True)
class MemoryConflict:
    """The operator and another program have changed the same entry; nothing is written yet.

    Attributes:
        file: Which file.
        path: Its path.
        base: What it held when the operator began.
        mine: With the operator's change.
        theirs: What it holds on disk.
        block: The entry that the operator has changed, as it was.
        text: The text that the operator has typed; empty to remove the entry.
    """

    file: MemoryFile
    path: str
    base: str
    mine: str
    theirs: str
    block: str
    text: str


@dataclass(frozen=True, slots=True)
class _Segment:
    key: tuple[str, int] | None
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class ThreeWay:
    """The segments of the merged file, in order: a text that is the same everywhere, or a difference."""

    parts: tuple[str | Difference, ...]

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Return the differences, in order."""
        return tuple(part for part in self.parts if isinstance(part, Difference))

    def result(self, choices: Mapping[int, Choice]) -> str | None:
        """Return the merged file; None while a difference is not decided.

        Args:
            choices: By the place among the differences.
        """
        made, place = "", 0
        for part in self.parts:
            if isinstance(part, Difference):
                choice = choices.get(place, part.default)
                if choice is None:
                    return None
                part, place = part.result(choice), place + 1  # noqa: PLW2901 - the text of this part
            made = _joined(made, part)
        return made


def three_way(kind: MemoryKind, base: str, mine: str, theirs: str) -> ThreeWay:
    """Compare two changed files with the one that they were made of.

    Args:
        kind: Whose file; in the operator's notes paragraphs are entries.
        base: The file that both began with.
        mine: As one side made it.
        theirs: As the other side made it; the result has its order.
    """
    first = _segments(kind, base)
    old = {("base", str(number)): one for number, one in enumerate(first)}
    one, other = (_with_ids(first, _segments(kind, text)) for text in (mine, theirs))
    order = list(other)
    place = 0
    for name in one:
        if name not in other:
            order.insert(place, name)
        place = order.index(name) + 1
    parts: list[str | Difference] = []
    line = 1
    for name in order:
        texts = [found.get(name) for found in (old, one, other)]
        was, my, their = (segment.text if segment is not None else None for segment in texts)
        line = texts[2].line if texts[2] is not None else line
        if _is_same(my, their):
            parts.append(their or "")
        elif _is_same(my, was):
            parts.append(Difference(ChangedBy.THEIRS, was, my, their, line))
        elif _is_same(their, was):
            parts.append(Difference(ChangedBy.MINE, was, my, their, line))
        else:
            parts.append(Difference(ChangedBy.BOTH, was, my, their, line))
    return ThreeWay(tuple(parts))


def entry_text(segment: str | None) -> str:
    """Return what the entry of a segment says, without its heading; empty for none."""
    if segment is None:
        return ""
    text = _COMMENT.sub("", segment, count=1) if segment.startswith(HEADING) else segment
    return unescaped(shown(text).strip())


def _is_same(one: str | None, other: str | None) -> bool:
    """Tell whether two segments differ at most by the blank lines behind them."""
    if one is None or other is None:
        return one is other
    return one.rstrip() == other.rstrip()


def _segments(kind: MemoryKind, content: str) -> list[_Segment]:
    starts = [one.start for one in file_entries(kind, content)]
    if content and (not starts or starts[0] > 0):
        starts.insert(0, 0)
    seen: Counter[str] = Counter()
    made = []
    for start, end in pairwise([*starts, len(content)]):
        text = content[start:end]
        found = _KEY.search(text.split("-->", 1)[0]) if text.startswith(HEADING) else None
        key = found[0] if found is not None else text.splitlines()[0] if text.startswith(HEADING) else ""
        seen[key] += 1
        line = 1 + content.count("\n", 0, start)
        made.append(_Segment((key, seen[key]) if key else None, text, line))
    return made


def _with_ids(base: Sequence[_Segment], side: Sequence[_Segment]) -> dict[tuple[str, str], _Segment]:
    """Return the segments of a side by id: that of the segment of the base that it was, else one of its own."""
    of_base = _aligned(base, side)
    found: dict[tuple[str, str], _Segment] = {}
    seen: Counter[str] = Counter()
    for place, one in enumerate(side):
        if place in of_base:
            found["base", str(of_base[place])] = one
        else:
            own = f"{one.key[0]} {one.key[1]}" if one.key is not None else one.text.strip()
            seen[own] += 1
            found[own, str(seen[own])] = one
    return found


def _aligned(base: Sequence[_Segment], side: Sequence[_Segment]) -> dict[int, int]:
    """Return for places of a side those of the base: by key, else by the same text, else by place."""
    by_key = {one.key: number for number, one in enumerate(base) if one.key is not None}
    found = {place: by_key[one.key] for place, one in enumerate(side) if one.key in by_key}
    taken = set(found.values())
    old = [number for number, one in enumerate(base) if number not in taken and one.key is None]
    new = [place for place, one in enumerate(side) if place not in found and one.key is None]
    texts = [base[number].text.strip() for number in old], [side[place].text.strip() for place in new]
    for kind, a, b, c, d in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if kind in ("equal", "replace"):
            found.update(zip(new[c:d], old[a:b], strict=False))
    return found


def _joined(made: str, part: str) -> str:
    """Join segments with at least one blank line between them."""
    if not made or not part or made.endswith(("\n\n", "\r\n\r\n")):
        return made + part
    end = "\r\n" if "\r\n" in made else "\n"
    return f"{made}{end if made.endswith(end) else end * 2}{part}"
