"""Foreign text inside a prompt: it may not look like our own marks.

`mask` and `unmask` are inverses on every text that does not already hold the look-alikes.
"""

# ruff: noqa: RUF001 - the look-alikes are the point

import re

from chimein_gui.domain.replies.line_rules import HEADING_START, MASKED_HEADING_START

_SUSPECT = re.compile("[«⟦⟧]")
_BRACKETS_BACK = str.maketrans("〔〕", "⟦⟧")


def mask(text: str) -> str:
    """Return `text` so that neither a block heading nor a header part can be forged with it."""
    if not _SUSPECT.search(text):
        return text
    # Many times as fast as a table of both: hundreds of messages stand in a prompt.
    return HEADING_START.sub(r"\1‹", text).replace("⟦", "〔").replace("⟧", "〕")


def unmask(text: str) -> str:
    """Return what `mask` was given, for display."""
    return MASKED_HEADING_START.sub(r"\1«", text).translate(_BRACKETS_BACK)
