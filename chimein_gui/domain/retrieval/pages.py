"""What became of the addresses that the model asked for; both classes are entries of a plan's trace."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule


@dataclass(frozen=True, slots=True)
class PageFetched:
    """One address was looked up or refused.

    Attributes:
        requested: The address that the model asked for.
        final: The address behind the last redirect; the requested one if nothing was fetched.
        status: The status of the last answer; None if there was none.
        redirects: The status and the target of each redirect, in order.
        content_type: The media type that the host named, or empty.
        size: Bytes that were read, after decompression.
        used_chars: Characters of the page's text that stand in the prompt.
        is_cut: The page was longer than what was read, or its text longer than what is used.
        from_cache: Nothing was sent; the page was fetched shortly before.
        began_at: When it was begun.
        took_s: The duration in seconds.
        refusal: The rule that refused the address or one that it redirects to; None if it was permitted.
        error: Why a permitted address brought no page, or None.
        round: The round of the plan in which it was asked for, from 1.
        text: What stands in the prompt for it, before it is masked, without the header and the fence.
        source: Its source as `sources.packed` keeps it, until it is stored apart from the trace; empty without one.
        address: The checked address of the host that answered last; empty if none did, and in older traces.
        is_part: Reading stopped at the limit of bytes, so that `size` is not that of the page; False in older traces.
    """

    requested: str
    final: str
    began_at: datetime
    took_s: float
    round: int
    status: int | None = None
    redirects: tuple[tuple[int, str], ...] = ()
    content_type: str = ""
    size: int = 0
    used_chars: int = 0
    is_cut: bool = False
    from_cache: bool = False
    refusal: RefusalRule | None = None
    error: FetchFault | None = None
    text: str = ""
    address: str = ""
    is_part: bool = False
    source: bytes = field(default=b"", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RetrievalRound:
    """All addresses of one reply were looked up.

    Attributes:
        number: From 1.
        began_at: When it was begun.
        took_s: The duration in seconds.
        pages: How many addresses brought a page.
        refused: How many were refused by a rule.
    """

    number: int
    began_at: datetime
    took_s: float
    pages: int
    refused: int
