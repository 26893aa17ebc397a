"""Carries an edit of a section of a prompt back into the file that the section came from."""

from __future__ import annotations

from chimein_gui.domain.prompt.variables import VARIABLE
from chimein_gui.domain.text.line_merge import changed_lines

_BOM = "\ufeff"


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
    at = 0
    for start, stop, new_start, new_stop in changed_lines(old, new):
        changed = new[new_start:new_stop]
        if len(changed) == stop - start:
            rows = zip(held[start:stop], old[start:stop], changed, strict=True)
            changed = [_with_variables(*row) for row in rows]
        elif changed:  # lines were joined or split: their variables may stand in any of them
            source = "\n".join(line.removesuffix("\r") for line in held[start:stop])
            changed = _with_variables(source, "\n".join(old[start:stop]), "\n".join(changed)).split("\n")
        made += [*held[at:start], *(line + end for line in changed)]
        at = stop
    made += held[at:]
    if made and held[0].startswith(_BOM) and not made[0].startswith(_BOM):
        made[0] = _BOM + made[0]
    if made and last == len(lines):
        made[-1] = made[-1].removesuffix("\r")
    return "\n".join([*lines[:first], *made, *lines[last:]])


def _is_of(source: str, line: str) -> bool:
    return _values(source, line) is not None


def _values(source: str, built: str) -> list[tuple[str, str]] | None:
    """Return the variables of a text of the file with the values that they have in the built one.

    Each value ends where the text behind its variable is found first. So the work grows with the length alone: a file
    may come from a stranger's character card.

    Returns:
        None if the built text was not made of this one.
    """
    source, built = source.removesuffix("\r").removeprefix(_BOM).strip(), built.strip()
    variables = list(VARIABLE.finditer(source))
    ends = (*(match.start() for match in variables), len(source))
    first, *between = (
        source[begin:end] for begin, end in zip((0, *(match.end() for match in variables)), ends, strict=True)
    )
    if not built.startswith(first):
        return None
    found, at = [], len(first)
    for place, (match, text) in enumerate(zip(variables, between, strict=True), 1):
        is_last = place == len(variables)
        end = len(built) - len(text) if is_last and built.endswith(text) else built.find(text, at)
        if end < at:
            return None
        found.append((match[0], built[at:end]))
        at = end + len(text)
    return found if at == len(built) else None


def _with_variables(source: str, before: str, after: str) -> str:
    made, at = after, 0
    for variable, value in _values(source, before) or ():
        place = made.find(value, at) if value else -1
        if place >= 0:
            made = made[:place] + variable + made[place + len(value) :]
            at = place + len(variable)
    return made
