"""Carries an edit of a section of a prompt back into the file that the section came from."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_BOM = "\ufeff"
_VARIABLE = re.compile(r"\{\{\w+\}\}|\{\w+\}")


def carried(file: str, first_line: int, before: str, after: str) -> str | None:
    """Return the text of a file with an edit of the section that begins in one of its lines.

    Lines that were not edited keep every byte, with the variables that stood in them; in edited lines the values that
    were filled in become variables again.

    Args:
        file: The text of the file, with any line ends.
        first_line: The line with which the section begins, from 1.
        before: The section as it was built of the file.
        after: The edited section.

    Returns:
        None if the file does not hold the section at that place.
    """
    lines, old, new = file.split("\n"), before.split("\n"), after.split("\n")
    first, last = first_line - 1, first_line - 1 + len(old)
    held = lines[first:last] if first >= 0 else []
    if len(held) != len(old) or not all(map(_is_of, held, old)):
        return None
    end = "\r" if held[0].endswith("\r") else ""
    made: list[str] = []
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            made += held[old_from:old_to]
            continue
        changed = new[new_from:new_to]
        if len(changed) == old_to - old_from:
            rows = zip(held[old_from:old_to], old[old_from:old_to], changed, strict=True)
            changed = [_with_variables(*row) for row in rows]
        elif changed:  # lines were joined or split: their variables may stand in any of them
            source = "\n".join(line.removesuffix("\r") for line in held[old_from:old_to])
            changed = _with_variables(source, "\n".join(old[old_from:old_to]), "\n".join(changed)).split("\n")
        made += [line + end for line in changed]
    if made and held[0].startswith(_BOM) and not made[0].startswith(_BOM):
        made[0] = _BOM + made[0]
    if made and last == len(lines):
        made[-1] = made[-1].removesuffix("\r")
    return "\n".join([*lines[:first], *made, *lines[last:]])


def _is_of(source: str, line: str) -> bool:
    return _match(source, line) is not None


def _match(source: str, line: str) -> re.Match[str] | None:
    """Return the match of a built line with its line in the file; each group is the value of a variable."""
    pieces = map(re.escape, _VARIABLE.split(source.removesuffix("\r").removeprefix(_BOM)))
    return re.fullmatch(r"\s*" + "(.*?)".join(pieces) + r"\s*", line) or re.fullmatch("(.*?)".join(pieces), line)


def _with_variables(source: str, before: str, after: str) -> str:
    found = _match(source, before)
    made, at = after, 0
    for variable, value in zip(_VARIABLE.findall(source), found.groups() if found is not None else (), strict=False):
        place = made.find(value, at) if value else -1
        if place >= 0:
            made = made[:place] + variable + made[place + len(value) :]
            at = place + len(variable)
    return made
