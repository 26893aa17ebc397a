"""What model calls cost: the service counts the tokens, the price list makes money of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import Revision

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.prompt.prompts import Usage


EMBED = "embed"
"""What a call of the embedder is booked as; it is no answer, so its time tells nothing of how long those take."""


class CallEnd(StrEnum):
    """How a model call ended."""

    ANSWERED = "answered"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in US dollars a million tokens.

    Attributes:
        model: Name of the model; it also counts for names that begin with it and a dash (``…-preview``).
        prompt: Of the prompt.
        reply: Of the reply, thinking included.
    """

    model: str
    prompt: float
    reply: float


PRICES = (
    Price("gemini-2.5-pro", 1.25, 10.0),
    Price("gemini-2.5-flash", 0.30, 2.50),
    Price("gemini-2.5-flash-lite", 0.10, 0.40),
    Price("gemini-embedding-001", 0.15, 0.0),
)
"""The vendor's list for paid use and prompts of up to 200,000 tokens; `[prices]` in the preferences goes before it."""


def price_of(model: str, prices: tuple[Price, ...]) -> Price | None:
    """Return a model's price, or None where the list has none; arguments as `cost_usd`."""
    name = model.removeprefix("models/")
    fitting = [price for price in prices if name == price.model or name.startswith(f"{price.model}-")]
    return max(fitting, key=lambda one: len(one.model)) if fitting else None


def cost_usd(model: str, usage: Usage, prices: tuple[Price, ...]) -> float | None:
    """Return what a call costs in US dollars, or None where the list has no price for the model.

    Args:
        model: Its name, with or without ``models/`` before it.
        usage: Tokens of the call.
        prices: The list; the longest fitting name counts, and of equal ones the first.
    """
    price = price_of(model, prices)
    if price is None:
        return None
    replied = usage.reply_tokens + usage.thinking_tokens
    return (usage.prompt_tokens * price.prompt + replied * price.reply) / 1_000_000


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One model call, booked whatever became of it.

    Attributes:
        model: Model name.
        purpose: ``plan``, ``repair``, ``regenerate`` or ``embed``.
        began_at: Aware UTC.
        latency_s: Seconds until its end.
        end: How it ended.
        usage: Tokens; of a call without an answer the prompt is estimated and `estimated` is true.
        estimated: The service did not tell.
        cost_usd: US dollars by the price list of that moment; None where it has no price for the model.
    """

    model: str
    purpose: str
    began_at: datetime
    latency_s: float
    end: CallEnd
    usage: Usage
    estimated: bool = False
    cost_usd: float | None = None

    @property
    def is_answer(self) -> bool:
        """Tell whether it is an answer of a language model: what one waits for."""
        return self.end is CallEnd.ANSWERED and self.purpose != EMBED


@dataclass(frozen=True, slots=True)
class AgentDay:
    """What an agent did on the operator's day so far.

    Attributes:
        sent: How many messages Chimein sent for it.
        usd: US dollars of its model calls with a price.
        unpriced: Of how many calls nobody knows the price.
    """

    sent: int = 0
    usd: float = 0.0
    unpriced: int = 0


@dataclass(frozen=True, slots=True)
class CostToday:
    """What the model calls of the operator's day have cost so far.

    Attributes:
        began_at: When the day began, aware UTC.
        ends_at: When it ends.
        usd: US dollars of the calls with a price.
        calls: How many calls there were, whatever became of them.
        unpriced: Of how many nobody knows the price.
        latencies_s: Seconds of the newest answered calls, oldest first.
        limit_usd: What the operator allows a day; None where there is no limit.
        revision: Calls booked up to here are in it.
    """

    began_at: datetime
    ends_at: datetime
    usd: float = 0.0
    calls: int = 0
    unpriced: int = 0
    latencies_s: tuple[float, ...] = ()
    limit_usd: float | None = None
    revision: Revision = Revision(0)
