"""Sums of what model calls cost, by agent, chat, purpose and model."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date


class Grouping(StrEnum):
    """What sums are made for."""

    AGENT = "agent"
    CHAT = "chat"
    PURPOSE = "purpose"
    MODEL = "model"


class CostRow(NamedTuple):
    """What the calls of one day, agent, chat, purpose and model cost together.

    Attributes:
        day: Of the operator's zone.
        agent_id: The agent; 0 if it was gone.
        chat_id: The chat; 0 for none.
        purpose: As in the cost ledger.
        model: Model name.
        calls: Number of calls, however they ended.
        prompt_tokens: Of the prompts, cached ones included.
        cached_tokens: Those of them that the service had from earlier calls, as billed.
        reply_tokens: Of the replies, without thoughts.
        thinking_tokens: Of the thoughts, as billed.
        estimated: Calls whose tokens are estimated.
        unpriced: Calls without a price.
        usd: US dollars.
    """

    day: date
    agent_id: int
    chat_id: int
    purpose: str
    model: str
    calls: int
    prompt_tokens: int
    cached_tokens: int
    reply_tokens: int
    thinking_tokens: int
    estimated: int
    unpriced: int
    usd: float


@dataclass(slots=True)
class Sums:
    """Sums of rows; the attributes are as in `CostRow`."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    reply_tokens: int = 0
    thinking_tokens: int = 0
    estimated: int = 0
    unpriced: int = 0
    usd: float = 0.0

    def add(self, row: CostRow) -> None:
        """Add a row."""
        self.calls += row.calls
        self.prompt_tokens += row.prompt_tokens
        self.cached_tokens += row.cached_tokens
        self.reply_tokens += row.reply_tokens
        self.thinking_tokens += row.thinking_tokens
        self.estimated += row.estimated
        self.unpriced += row.unpriced
        self.usd += row.usd

    @property
    def tokens(self) -> int:
        """Return the sum of the tokens of prompts, replies and thinking."""
        return self.prompt_tokens + self.reply_tokens + self.thinking_tokens

    @property
    def cached_share(self) -> float:
        """Return the share of the prompts' tokens that were cached, from 0 to 1."""
        return self.cached_tokens / self.prompt_tokens if self.prompt_tokens else 0.0

    @property
    def thinking_share(self) -> float:
        """Return the share of thoughts in what the models wrote, from 0 to 1."""
        written = self.reply_tokens + self.thinking_tokens
        return self.thinking_tokens / written if written else 0.0


class PlanCosts(NamedTuple):
    """What single plans cost, other versions included.

    Attributes:
        plans: Number of plans that are still kept, without those that wait because a cap is reached.
        silent: Those of them in which the model chose to say nothing.
        median_usd: The median, of two in the middle their mean; None if none has a price.
        high_usd: What 95 % of them cost at most.
    """

    plans: int = 0
    silent: int = 0
    median_usd: float | None = None
    high_usd: float | None = None


GroupKey = int | str
"""Number of an agent or chat, or name of a purpose or model."""


def key_of(row: CostRow, grouping: Grouping) -> GroupKey:
    """Return the group of a row."""
    match grouping:
        case Grouping.AGENT:
            return row.agent_id
        case Grouping.CHAT:
            return row.chat_id
        case Grouping.PURPOSE:
            return row.purpose
        case Grouping.MODEL:
            return row.model


def total_of(rows: Iterable[CostRow]) -> Sums:
    """Return the sum of rows."""
    total = Sums()
    for row in rows:
        total.add(row)
    return total


def sums_by(rows: Iterable[CostRow], grouping: Grouping) -> Mapping[GroupKey, Sums]:
    """Return the sums of each group, the dearest first."""
    found: defaultdict[GroupKey, Sums] = defaultdict(Sums)
    for row in rows:
        found[key_of(row, grouping)].add(row)
    return dict(sorted(found.items(), key=lambda one: (-one[1].usd, -one[1].tokens, str(one[0]))))


def days_by(rows: Iterable[CostRow], grouping: Grouping) -> Mapping[date, Mapping[GroupKey, Sums]]:
    """Return the sums of each group on each day that has calls."""
    found: defaultdict[date, defaultdict[GroupKey, Sums]] = defaultdict(lambda: defaultdict(Sums))
    for row in rows:
        found[row.day][key_of(row, grouping)].add(row)
    return found
