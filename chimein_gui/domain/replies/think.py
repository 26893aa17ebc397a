"""Thoughts of the model: never stored, never shown (docs/behaviour.md, "Thoughts").

Whatever is logged, published or written of a reply goes through `without_thoughts` first.
"""

from __future__ import annotations

import re

from chimein_gui.domain.replies.line_rules import split_lines
from chimein_gui.domain.replies.lines import sections
from chimein_gui.domain.replies.replies import BlockKind, kind_of, number_behind, thought_of

_STAND_IN = re.compile(r"\(think, [0-9]{1,7} characters\)")


def without_thoughts(text: str) -> str:
    """Replace the body of each think block by its length, such as `(think, 312 characters)`.

    Blocks are those of `parse_reply`: what looks like a think block inside a closed fence is text of a send and stays.
    All other lines come back as they are, line ends included, and they are read as the same blocks. (One exception:
    where a reply begins and ends with fences that are not one around all of it, and a thought holds more of them, the
    fences that are left may pair in another way.) Doing it twice changes nothing more.

    Args:
        text: The reply as the model wrote it.

    Returns:
        The reply without a word of its thoughts.
    """
    lines, ends = split_lines(text)
    whole = [line + end for line, end in zip(lines, ends, strict=True)]
    kept: list[str] = []
    done = 0
    for section in sections(lines):
        if kind_of(section) is not BlockKind.THINK:
            continue
        thought = thought_of(section, lines[section.start : section.end])
        if not thought or _STAND_IN.fullmatch(thought):
            continue
        number = number_behind(section)
        kept += whole[done : section.heading]
        kept.append(section.mark + (f" {number}" if number else "") + (ends[section.heading] or "\n"))
        kept.append(f"(think, {len(thought)} characters){ends[section.end - 1]}")
        done = section.end
    return "".join([*kept, *whole[done:]])
