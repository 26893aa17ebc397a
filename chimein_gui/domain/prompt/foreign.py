"""Masks foreign text for prompts, so that it can't look like our own marks."""

# ruff: noqa: RUF001 - the look-alikes are the point

import re

from chimein_gui.domain.replies.line_rules import HEADING_START, MASKED_HEADING_START

_SUSPECT = re.compile("[«⟦⟧]")
_BRACKETS_BACK = str.maketrans("〔〕", "⟦⟧")


def mask(text: str) -> str:
    """Return `text` so that neither a block heading nor a header part can be forged with it."""
    if not _SUSPECT.search(text):
        return text
    # Much faster than one table for both; a prompt holds hundreds of messages.
    return HEADING_START.sub(r"\1‹", text).replace("⟦", "〔").replace("⟧", "〕")


def unmask(text: str) -> str:
    """Undo `mask`, for display."""
    return MASKED_HEADING_START.sub(r"\1«", text).translate(_BRACKETS_BACK)
