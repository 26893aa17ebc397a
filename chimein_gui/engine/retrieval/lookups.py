"""The rounds in which a plan looks up web pages: what is new of a request, and when no more is looked up.

See docs/behaviour.md, "Web pages".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.retrieval import texts
from chimein_gui.domain.retrieval.addresses import WebAddress, read_address
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.retrieval.refusals import RefusalRule
from chimein_gui.engine.ports import PagesWanted

if TYPE_CHECKING:
    from chimein_gui.domain.replies.replies import Block, Reply
    from chimein_gui.domain.retrieval.host_lists import HostLists
    from chimein_gui.engine.llm.calls import PlanTrace
    from chimein_gui.engine.ports import Clock, PageFetcher

MOST_ADDRESSES = 3
"""Addresses of a block that are looked up."""

MOST_BLOCKS = 3
"""Blocks of a reply of which addresses are looked up."""

MOST_ROUNDS = 8
"""Rounds of a plan in which pages are looked up, in all its attempts."""

_MOST_NAMED = 6
"""Addresses beyond these limits that are told to the model."""


@dataclass(slots=True)
class RoundBudget:
    """The rounds that a plan may still make in all its attempts.

    Attributes:
        left: Their number.
        is_skipped: The operator wants none, whatever is left.
    """

    left: int = MOST_ROUNDS
    is_skipped: bool = False


class _Key(NamedTuple):
    """By which an address counts as looked up."""

    url: str
    raw: bool


class Lookups:
    """The pages of one attempt of a plan.

    Attributes:
        pages: What became of all addresses so far, in order.
    """

    def __init__(
        self, fetcher: PageFetcher, clock: Clock, lists: HostLists, trace: PlanTrace, rounds: RoundBudget
    ) -> None:
        """Create it without a page.

        Args:
            fetcher: Fetches pages.
            clock: Time.
            lists: The hosts that the agent may look up.
            trace: Every page and every round is added to it.
            rounds: Each round uses it up.
        """
        self._fetcher, self._clock, self._lists, self._trace, self._rounds = fetcher, clock, lists, trace, rounds
        self.pages: tuple[PageFetched, ...] = ()
        self._known: set[_Key] = set()
        self._is_closed = False

    @property
    def is_open(self) -> bool:
        """Return whether more may be looked up."""
        return not self._is_closed and not self._rounds.is_skipped and self._rounds.left > 0

    async def look_up(self, reply: Reply) -> None:
        """Look up what is new of a reply; if nothing is, no more is looked up at all.

        Raises:
            asyncio.CancelledError: It was cancelled; nothing of the round is kept.
        """
        blocks = [block for block in reply.blocks if block.kind is BlockKind.RETRIEVE]
        raw = any("raw" in block.params for block in blocks)
        wanted: list[str] = []
        beyond: list[str] = []
        asked: set[_Key] = set()
        for number, block in enumerate(blocks):
            fresh = self._fresh(block, asked, raw=raw)
            room = MOST_ADDRESSES if number < MOST_BLOCKS else 0
            wanted += fresh[:room]
            beyond += fresh[room:]
        if not wanted:
            self._is_closed = True
            return
        self._rounds.left -= 1
        round_number, began_at = MOST_ROUNDS - self._rounds.left, self._clock.now()
        found = await self._fetcher.fetch(PagesWanted(tuple(wanted), round_number, self._lists, raw))
        self._known |= {_key(one, raw=raw) for page in found for one in (page.requested, page.final)}
        found = (*found, *(_too_many(address, round_number, self._clock) for address in beyond[:_MOST_NAMED]))
        for page in found:
            self._trace.note(page)
        self.pages = (*self.pages, *found)
        took_s = max(0.0, (self._clock.now() - began_at).total_seconds())
        brought = sum(page.refusal is None and page.error is None for page in found)
        refused = sum(page.refusal is not None for page in found)
        self._trace.note(RetrievalRound(round_number, began_at, took_s, brought, refused))

    def _fresh(self, block: Block, asked: set[_Key], *, raw: bool) -> list[str]:
        """Return the addresses of a block that were not asked for before, each once."""
        fresh: list[str] = []
        for address in block.params["urls"].split("\n"):
            key = _key(address, raw=raw)
            if key not in self._known and key not in asked:
                asked.add(key)
                fresh.append(address)
        return fresh


def wants_pages(reply: Reply) -> bool:
    """Return whether a reply asks for pages: then nothing else of it is done."""
    return any(block.kind is BlockKind.RETRIEVE for block in reply.blocks)


def _key(address: str, *, raw: bool) -> _Key:
    read = read_address(address)
    return _Key(read.url if isinstance(read, WebAddress) else address, raw)


def _too_many(address: str, number: int, clock: Clock) -> PageFetched:
    text = texts.refused(RefusalRule.TOO_MANY)
    return PageFetched(
        address,
        address,
        clock.now(),
        0.0,
        number,
        refusal=RefusalRule.TOO_MANY,
        used_chars=len(text),
        text=text,
    )
