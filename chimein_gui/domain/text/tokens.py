"""How many tokens texts have, estimated: only the model's service counts them exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

BYTES_PER_TOKEN = 4
"""Average bytes of UTF-8 per token in any language; prompts are estimated with it. A token has at least one byte, so a
prompt has at most so many times the estimated tokens."""


def tokens_of(texts: Iterable[str]) -> int:
    """Estimate the total tokens of texts."""
    return -(-sum(len(text.encode("utf-8", "replace")) for text in texts) // BYTES_PER_TOKEN)
