"""Caps: how much model calls may cost a day, for everything, for an agent and for a chat.

See docs/behaviour.md, "Caps on costs". All amounts are US dollars.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from chimein_gui.domain.ids import AgentId, ChatId

MARK_SHARE = 0.8
"""Share of a cap from which on it is marked, and from which on calls in the background stop."""

STEP_USD = 2.0
"""What is offered to be added to a cap for the day."""

LARGEST_REPLY = 65_536
"""Tokens of the largest reply of a model, thoughts included; what a call may cost at most is reserved before it."""

MOST_USD = 1_000_000.0
"""Largest cap."""

_TINY = 1e-9
"""Sums of amounts are not exact."""


class CapScope(StrEnum):
    """What a cap, or a permission for the day, covers."""

    ALL = "all"
    AGENT = "agent"
    CHAT = "chat"
    MODEL = "model"
    """Only of permissions: a model without a price may be called."""


class CapKey(NamedTuple):
    """What a cap is for.

    Attributes:
        scope: What it covers.
        target: The number of the agent or chat, or the name of the model; empty for everything.
    """

    scope: CapScope
    target: str = ""


EVERYTHING = CapKey(CapScope.ALL)


def cap_of_agent(agent_id: AgentId) -> CapKey:
    """Return the key of an agent's cap."""
    return CapKey(CapScope.AGENT, str(int(agent_id)))


def cap_of_chat(chat_id: ChatId) -> CapKey:
    """Return the key of a chat's cap."""
    return CapKey(CapScope.CHAT, str(int(chat_id)))


def without_price(model: str) -> CapKey:
    """Return the key of the permission to call a model without a price."""
    return CapKey(CapScope.MODEL, model)


@dataclass(frozen=True, slots=True)
class Payer:
    """For whom a call is made; its caps cover the call.

    Attributes:
        agent_id: The agent, or None.
        chat_id: The chat, or None.
    """

    agent_id: AgentId | None = None
    chat_id: ChatId | None = None

    @property
    def keys(self) -> tuple[CapKey, ...]:
        """Return what caps may cover it, the widest first."""
        agent = () if self.agent_id is None else (cap_of_agent(self.agent_id),)
        chat = () if self.chat_id is None else (cap_of_chat(self.chat_id),)
        return (EVERYTHING, *agent, *chat)


NOBODY = Payer()
"""The payer of calls for no agent and no chat: only the cap for everything covers them."""


class Release(StrEnum):
    """What the operator answers when a cap is reached."""

    ADD = "add"
    """Add an amount for today."""
    ONCE = "once"
    """Make the waiting plans once."""
    UNTIL_MIDNIGHT = "until midnight"
    """Lift the cap for the rest of the day."""
    KEEP_PAUSED = "keep paused"
    """Ask no more today; the waiting plans are made after midnight."""


@dataclass(frozen=True, slots=True)
class CapDay:
    """A cap on a day.

    Attributes:
        key: What it is for.
        usd: The cap.
        added_usd: What the operator added for the day.
        is_lifted: The operator has lifted it for the day.
        is_quiet: The operator wants it not to ask on this day.
        spent_usd: What calls of the day cost that are booked.
        reserved_usd: What calls under way may cost at most.
        under_way: Number of calls under way.
        waiting: Number of chats whose plan waits for this cap.
    """

    key: CapKey
    usd: float
    added_usd: float = 0.0
    is_lifted: bool = False
    is_quiet: bool = False
    spent_usd: float = 0.0
    reserved_usd: float = 0.0
    under_way: int = 0
    waiting: int = 0

    @property
    def limit_usd(self) -> float | None:
        """Return what may be spent on the day; None if the cap is lifted."""
        return None if self.is_lifted else self.usd + self.added_usd

    @property
    def share(self) -> float:
        """Return the spent share of the limit, from 0; 0 if the cap is lifted, 1 if the limit is nothing."""
        limit = self.limit_usd
        if limit is None:
            return 0.0
        return self.spent_usd / limit if limit else 1.0

    @property
    def is_marked(self) -> bool:
        """Return whether at least 80 % are spent."""
        return self.share >= MARK_SHARE - _TINY

    @property
    def is_reached(self) -> bool:
        """Return whether all of it is spent, so that planning pauses."""
        limit = self.limit_usd
        return limit is not None and self.spent_usd >= limit - _TINY

    @property
    def asks(self) -> bool:
        """Return whether the operator is asked."""
        return self.is_reached and not self.is_quiet

    def with_under_way(self, usd: float, calls: int) -> CapDay:
        """Return it with further calls under way."""
        return replace(self, reserved_usd=self.reserved_usd + usd, under_way=self.under_way + calls)


class Admission(StrEnum):
    """Whether a call may be made."""

    ADMITTED = "admitted"
    WAITS = "waits"
    """Calls under way may use up what is left; when one ends, there may be room."""
    REFUSED = "refused"


class Verdict(NamedTuple):
    """Whether a call may be made, and the cap that decides."""

    admission: Admission
    cap: CapDay | None = None


def verdict(caps: Iterable[CapDay], usd: float, *, in_background: bool = False) -> Verdict:
    """Tell whether a call may be made.

    A call is admitted if it fits even if it costs as much as it can. A limit that is smaller than that still admits one
    call at a time, so that the day never costs more than the limit and what one call was reserved for.

    Args:
        caps: Those that cover the call, as they are without it.
        usd: What it may cost at most.
        in_background: Nobody waits for it; it stops at 80 % of the limit and never waits.
    """
    waits: CapDay | None = None
    for cap in caps:
        limit = cap.limit_usd
        if limit is None:
            continue
        if in_background:
            if cap.spent_usd + cap.reserved_usd >= limit * MARK_SHARE - _TINY:
                return Verdict(Admission.REFUSED, cap)
        elif cap.spent_usd >= limit - _TINY:
            return Verdict(Admission.REFUSED, cap)
        elif cap.under_way and cap.spent_usd + cap.reserved_usd + usd > limit + _TINY:
            waits = waits or cap
    return Verdict(Admission.ADMITTED) if waits is None else Verdict(Admission.WAITS, waits)


@dataclass(frozen=True, slots=True)
class Reservation:
    """A call that was begun and is not booked yet.

    Attributes:
        token: Its number.
        payer: For whom it is made.
        model: Model name.
        purpose: For the cost ledger.
        began_at: Aware UTC.
        prompt_tokens: Tokens of the prompt, estimated.
        usd: What it may cost at most.
        prompt_usd: What its prompt costs; None without a price.
    """

    token: int
    payer: Payer
    model: str
    purpose: str
    began_at: datetime
    prompt_tokens: int
    usd: float
    prompt_usd: float | None = None
