"""How looked-up pages stand in a prompt: user turns before the history, each page in a fence that it can't forge.

See docs/behaviour.md, "Web pages".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chimein_gui.domain.prompt.foreign import mask
from chimein_gui.domain.prompt.prompts import Role, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chimein_gui.domain.retrieval.pages import PageFetched

_LONGEST_SHOWN = 500
_BEGIN = "Retrieved from "
_HEADER = re.compile(rf"{_BEGIN}(?P<address>.*):", re.DOTALL)
_FENCE = re.compile(r"⟦page (?P<nonce>[0-9a-f]+)⟧\n(?P<text>.*)\n⟦end of page (?P=nonce)⟧", re.DOTALL)


def page_turns(pages: Iterable[PageFetched], nonce: str) -> tuple[Turn, ...]:
    """Return the turns of pages, in the order in which they were looked up.

    Args:
        pages: What became of each address.
        nonce: Random hexadecimal digits of this call, which no page can know.
    """
    return tuple(
        Turn(
            Role.USER,
            (
                f"{_BEGIN}{_shown(page.requested)}:",
                f"⟦page {nonce}⟧\n{mask(page.text)}\n⟦end of page {nonce}⟧",
            ),
        )
        for page in pages
    )


def read_page(role: str, parts: Sequence[str]) -> tuple[str, str] | None:
    """Return the address and the masked text of a page if the turn is one, else None."""
    if role != Role.USER or len(parts) != 2:  # noqa: PLR2004 - header and fence
        return None
    header, fence = _HEADER.fullmatch(parts[0]), _FENCE.fullmatch(parts[1])
    return None if header is None or fence is None else (header["address"], fence["text"])


def _shown(address: str) -> str:
    """Return an address as one line that can't look like a mark; the model wrote it, perhaps after a page."""
    line = "".join(letter if letter.isprintable() else " " for letter in address)
    return mask(line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…")
