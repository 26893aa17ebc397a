"""Changes of one field of an agent file; every other character of the file stays as it is."""

from __future__ import annotations

import re
from typing import NamedTuple

from chimein_gui.domain.agent_files.parsing import AgentFile, Field, parse
from chimein_gui.domain.retrieval.host_lists import read_host

DENIED_HOSTS = "Denied Hosts"

ORDER = (
    "Agent Name",
    "Agent Phone",
    "Agent Timezone",
    "Aliases",
    "LLM",
    "Context",
    "Memory Scope",
    "Approval",
    "Role Prompt",
    "Allowed Hosts",
    DENIED_HOSTS,
    "Agent Sticker Sets",
    "Agent Sticker Set",
    "Agent Stickers",
    "Agent Instructions",
)
"""The order in which a missing field is put between the others."""

LINE_END = re.compile(r"(\r\n|\r|\n)")


_ENDS = 4
"""Pieces of a text with two lines that end: the lines and their ends."""


class UnfitValueError(ValueError):
    """The value would change the other fields: it holds a heading, or the beginning of a code block."""


class Splice(NamedTuple):
    """The replacement of one piece of a text.

    Attributes:
        start: Where the piece begins, in characters.
        end: Where it ends.
        words: What replaces it.
    """

    start: int
    end: int
    words: str

    def apply(self, text: str) -> str:
        """Return the text with the replacement."""
        return text[: self.start] + self.words + text[self.end :]


def splice_between(before: str, after: str) -> Splice:
    """Return the smallest single replacement that makes one text of another."""
    start, most = 0, min(len(before), len(after))
    while start < most:  # in steps, because a loop over a million characters takes a frame
        step = min(4_096, most - start)
        if before[start : start + step] != after[start : start + step]:
            break
        start += step
    while start < most and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < most - start:
        step = min(4_096, most - start - tail)
        of_before = before[len(before) - tail - step : len(before) - tail]
        if of_before != after[len(after) - tail - step : len(after) - tail]:
            break
        tail += step
    while tail < most - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return Splice(start, len(before) - tail, after[start : len(after) - tail])


def line_end_of(text: str) -> str:
    """Return how the lines of a text end: as the first one does."""
    found = LINE_END.search(text)
    return found.group() if found is not None else "\n"


def with_value(text: str, name: str, value: str) -> str:
    """Return an agent file with another value of a field. A missing field is added in its place.

    An empty value leaves the heading. Of a value that stands there already nothing changes, line ends included.

    Args:
        text: The file, with its byte order mark and its line ends.
        name: One of `ORDER`.
        value: The lines of the value, without blank lines around them.

    Raises:
        UnfitValueError: The value can't stand in a file, or would change another field.
    """
    before = parse(text)
    value = value.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    while "\n" in value and not value.split("\n", 1)[0].strip():
        value = value.split("\n", 1)[1]
    field = before.fields.get(name)
    if _means(field, value):
        return text
    changed = _added(text, before, name, value) if field is None else _replaced(text, field, value)
    _check(before, parse(changed), name, value)
    return changed


def with_host_denied(text: str, host: str) -> str:
    """Return an agent file that denies a host, unless it does; raises as `with_value`."""
    field = parse(text).fields.get(DENIED_HOSTS)
    lines = field.value.split("\n") if field is not None and field.value else []
    if any(read_host(line) == host for line in lines):
        return text
    return with_value(text, DENIED_HOSTS, "\n".join((*lines, host)))


def without_lines(text: str, first: int, last: int) -> str:
    """Return the text without these lines, from 1, and without their ends."""
    pieces = LINE_END.split(text)
    mark = "\ufeff" if first == 1 and text.startswith("\ufeff") else ""
    return "".join((*pieces[: (first - 1) * 2], mark, *pieces[last * 2 :]))


def with_line(text: str, number: int, line: str) -> str:
    """Return the text with another line, from 1; blanks around the old words of the line stay."""
    pieces = LINE_END.split(text)
    place = (number - 1) * 2
    pieces[place] = _around(pieces[place], line)
    return "".join(pieces)


def line_of(text: str, number: int) -> str:
    """Return a line, from 1, without its end; empty if there is none."""
    pieces = LINE_END.split(text)
    place = (number - 1) * 2
    return pieces[place].removeprefix("\ufeff") if 0 <= place < len(pieces) else ""


def _around(old: str, new: str) -> str:
    bare = old.removeprefix("\ufeff")
    lead = old[: len(old) - len(bare.lstrip())]
    trail = bare[len(bare.rstrip()) :] if bare.strip() else ""
    return f"{lead}{new.strip()}{trail}"


def _replaced(text: str, field: Field, value: str) -> str:
    pieces, end = LINE_END.split(text), line_end_of(text)
    heading = (field.line - 1) * 2
    if not field.value:
        pieces[heading] += end + value.replace("\n", end)
        return "".join(pieces)
    first = (field.value_line - 1) * 2
    last = first + 2 * field.value.count("\n")
    old, old_ends = pieces[first : last + 1 : 2], pieces[first + 1 : last : 2]
    if not value:
        return "".join((*pieces[: first - 1], *pieces[last + 1 :]))
    trail = old[-1][len(old[-1].rstrip()) :]
    old[-1] = old[-1].rstrip()
    new = value.split("\n")
    if len(old) == len(new) == 1:
        return "".join((*pieces[:first], _around(old[0], new[0]), trail, *pieces[last + 1 :]))
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    moved = len(old) - len(new)
    written: list[str] = []
    for place, line in enumerate(new[:-1]):
        at = place if place < head else place + moved if place >= len(new) - tail else -1
        written += [line, old_ends[at] if 0 <= at < len(old_ends) else end]
    return "".join((*pieces[:first], *written, new[-1], trail, *pieces[last + 1 :]))


def _added(text: str, file: AgentFile, name: str, value: str) -> str:
    end = line_end_of(text)
    field = f"# {name}{end}{value.replace(chr(10), end)}{end}"
    later = ORDER[ORDER.index(name) + 1 :] if name in ORDER else ()
    following = min((file.fields[one].line for one in later if one in file.fields), default=0)
    if not following:
        gap = "" if not text.strip("\ufeff") or LINE_END.search(text[-1]) else end
        blank = end if text.strip() and not _ends_blank(text) else ""
        return f"{text}{gap}{blank}{field}"
    pieces = LINE_END.split(text)
    place = (following - 1) * 2
    mark = "\ufeff" if place == 0 and pieces[0].startswith("\ufeff") else ""
    pieces[place] = f"{mark}{field}{end}{pieces[place].removeprefix(mark)}"
    return "".join(pieces)


def _ends_blank(text: str) -> bool:
    pieces = LINE_END.split(text)
    return len(pieces) > _ENDS and not pieces[-1].strip() and not pieces[-3].strip()


def _check(before: AgentFile, after: AgentFile, name: str, value: str) -> None:
    """Refuse a change that is no change of this field alone."""
    others = before.fields.keys() - {name}
    as_before = after.fields.keys() - {name} == others and all(
        before.fields[one].value == after.fields[one].value for one in others
    )
    if not as_before or not _means(after.fields.get(name), value) or "\x00" in value:
        raise UnfitValueError(name)


def _means(field: Field | None, value: str) -> bool:
    """Return whether a field has a value; blanks around a single line do not count."""
    if field is None:
        return not value
    return field.value == value or ("\n" not in value and field.word == value.strip())
