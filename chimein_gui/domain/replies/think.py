"""Removes thoughts of the model, which are never stored or shown (docs/behaviour.md, "Thoughts").

Every reply that `may_think` goes through `without_thoughts` before it is logged, published or stored.
"""

from __future__ import annotations

import re

from chimein_gui.domain.replies.line_rules import split_lines
from chimein_gui.domain.replies.lines import sections
from chimein_gui.domain.replies.replies import BlockKind, kind_of, number_behind, thought_of

_STAND_IN = re.compile(r"\(think, [0-9]{1,7} characters\)")


def may_think(text: str) -> bool:
    """Return whether a reply can have a think block at all: its heading must name it, in whatever case."""
    return BlockKind.THINK.value in text.casefold()


def without_thoughts(text: str) -> str:
    """Replace the body of each think block by its length, such as `(think, 312 characters)`.

    Blocks are those of `parse_reply`: a think block inside a closed fence is text of a send and stays. All other lines
    stay the same, line ends included, and are parsed as the same blocks. There is one exception: if a reply begins and
    ends with fences that do not enclose all of it, and a thought holds fences too, the remaining fences may pair
    differently. The function is idempotent.

    Args:
        text: The reply as the model wrote it.

    Returns:
        The reply without any thoughts.
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
