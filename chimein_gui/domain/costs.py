"""Costs of model calls: the service counts the tokens, the price list converts them into money."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import Revision

if TYPE_CHECKING:
    from datetime import date, datetime

    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.prompt.prompts import Usage


EMBED = "embed"
"""Purpose of the embedder's calls; they are no answers, so their latency is not shown as response time."""


DRY_RUN = "dry run"
"""Purpose of the operator's dry runs. Their money is real, so it counts in every sum of what was spent. They are no
plans, so they are in no other figure: neither in the response times, nor in the cost of a plan."""

EXTRACTION = "memories"
"""Purpose of calls that read conversations for memories; they answer nobody, and have a budget of their own."""

DESCRIPTION = "descriptions"
"""Purpose of calls that describe a picture, a sticker, a video or a sound in words; they answer nobody."""

PLAN = "plan"
"""Purpose of the calls that make a plan."""

TOOL_ROUND = "tool round"
"""Purpose of a plan's calls with results of tools or with web pages, behind its first one."""

ASIDE = frozenset({EMBED, DRY_RUN, EXTRACTION, DESCRIPTION})
"""Purposes of calls that are no answers to a chat."""


class CallEnd(StrEnum):
    """How a model call ended."""

    ANSWERED = "answered"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a model, in US dollars per million tokens.

    Attributes:
        model: Name of the model; also applies to names that begin with it and a dash (``…-preview``).
        prompt: For tokens of the prompt.
        reply: For tokens of the reply, thinking included.
        cached: For tokens of the prompt that the service had from an earlier call; None if they cost the same.
        since: The day from which the operator knows it to hold; None for the built-in list. Earlier calls keep what
            they were booked with.
    """

    model: str
    prompt: float
    reply: float
    cached: float | None = None
    since: date | None = None

    @property
    def saved(self) -> float:
        """Return how much less a cached token of the prompt costs, in US dollars per million."""
        return 0.0 if self.cached is None else self.prompt - self.cached


PRICES = (
    Price("gemini-2.5-pro", 1.25, 10.0, 0.125),
    Price("gemini-2.5-flash", 0.30, 2.50, 0.03),
    Price("gemini-2.5-flash-lite", 0.10, 0.40, 0.01),
    Price("gemini-embedding-001", 0.15, 0.0),
)
"""The vendor's list for paid use and prompts of up to 200,000 tokens; `[prices]` in the preferences overrides it."""


def price_of(model: str, prices: tuple[Price, ...]) -> Price | None:
    """Return a model's price, or None if the list has none. Arguments as in `cost_usd`."""
    name = model.removeprefix("models/")
    fitting = [price for price in prices if name == price.model or name.startswith(f"{price.model}-")]
    return max(fitting, key=lambda one: len(one.model)) if fitting else None


def cost_usd(model: str, usage: Usage, prices: tuple[Price, ...]) -> float | None:
    """Return the cost of a call in US dollars, or None if the list has no price for the model.

    Args:
        model: Its name, with or without ``models/`` before it.
        usage: Tokens of the call.
        prices: The list; the longest matching name counts, and of equal ones the first.
    """
    price = price_of(model, prices)
    if price is None:
        return None
    replied = usage.reply_tokens + usage.thinking_tokens
    return (usage.prompt_tokens * price.prompt - usage.cached_tokens * price.saved + replied * price.reply) / 1_000_000


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One model call, booked however it ended.

    Attributes:
        model: Model name.
        purpose: ``plan``, ``repair``, ``regenerate``, ``embed`` or ``dry run``.
        began_at: Aware UTC.
        latency_s: Seconds until its end.
        end: How it ended.
        usage: Tokens; for a call without an answer the prompt is estimated and `estimated` is true.
        estimated: The service did not report the tokens.
        cost_usd: US dollars by the price list at that time; None if it has no price for the model.
        reservation: Number under which a cap holds its costs until it is booked; 0 for none.
        fault: Why it failed, or None.
    """

    model: str
    purpose: str
    began_at: datetime
    latency_s: float
    end: CallEnd
    usage: Usage
    estimated: bool = False
    cost_usd: float | None = None
    reservation: int = field(default=0, compare=False, repr=False)
    fault: Note | None = field(default=None, compare=False)

    @property
    def is_answer(self) -> bool:
        """Return whether it is an answer for a chat, not one of the embedder or of a dry run."""
        return self.end is CallEnd.ANSWERED and self.purpose not in ASIDE


@dataclass(frozen=True, slots=True)
class AgentDay:
    """Activity of an agent on the operator's current day.

    Attributes:
        sent: Number of messages that Chimein sent for it.
        usd: US dollars of its model calls with a price.
        unpriced: Number of calls without a known price.
    """

    sent: int = 0
    usd: float = 0.0
    unpriced: int = 0


@dataclass(frozen=True, slots=True)
class CostToday:
    """Costs of model calls on the operator's current day.

    Attributes:
        began_at: When the day began, aware UTC.
        ends_at: When it ends.
        usd: US dollars of the calls with a price.
        calls: Number of calls, however they ended.
        unpriced: Number of calls without a known price.
        latencies_s: Seconds of the newest answered calls, oldest first.
        dry_runs_usd: The part of `usd` that dry runs cost.
        limit_usd: The operator's daily limit; None for no limit.
        revision: Calls booked up to here are included.
    """

    began_at: datetime
    ends_at: datetime
    usd: float = 0.0
    calls: int = 0
    unpriced: int = 0
    latencies_s: tuple[float, ...] = ()
    dry_runs_usd: float = 0.0
    limit_usd: float | None = None
    revision: Revision = Revision(0)
