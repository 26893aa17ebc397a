"""Purposes of calls, amounts and caps in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.costs import DESCRIPTION, DRY_RUN, EMBED, EXTRACTION, TOOL_ROUND
from chimein_gui.domain.settings.rules import own_prices
from chimein_gui.domain.spending.caps import CapScope
from chimein_gui.domain.spending.sums import Grouping
from chimein_gui.viewmodels.core.numbers import (
    count_words,
    day_words,
    decimal_words,
    dollars_words,
    limit_digits,
    limit_words,
    short_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.spending.caps import CapDay
    from chimein_gui.domain.spending.sums import GroupKey
    from chimein_gui.viewmodels.costs.cap_edits import CapEdit

translate = QCoreApplication.translate

_CENTS = 2
"""Digits after the point of an amount in whole cents."""
_LEAST_USD = 0.0001
"""The least amount that is told as a number, US dollars."""
_LEAST_SHARE = 0.005
_MOST_IN_FULL = 100_000
"""The last end of an axis of tokens that is told in full."""


def purpose_words(purpose: str) -> str:
    """Return what calls were made for."""
    words = {
        "plan": translate("Costs", "Plans"),
        TOOL_ROUND: translate("Costs", "Rounds of tools"),
        "repair": translate("Costs", "Repairs"),
        "regenerate": translate("Costs", "Other versions"),
        DESCRIPTION: translate("Costs", "Descriptions"),
        EMBED: translate("Costs", "Embeddings"),
        EXTRACTION: translate("Costs", "Reading for memories"),
        DRY_RUN: translate("Costs", "Dry runs"),
    }
    return words.get(purpose, purpose)


def group_words(grouping: Grouping, key: GroupKey) -> str:
    """Return the name of a group that has none of its own."""
    match grouping:
        case Grouping.AGENT:
            return translate("Costs", "Agent that is gone")
        case Grouping.CHAT:
            return translate("Costs", "No chat") if not key else translate("Costs", "Chat that is gone")
        case Grouping.PURPOSE:
            return purpose_words(str(key))
        case Grouping.MODEL:
            return str(key)


def money(usd: float) -> str:
    """Return an amount with as many digits as tell something."""
    if 0 < usd < _LEAST_USD:
        return translate("Costs", "< {amount}").format(amount=dollars_words(_LEAST_USD, 4))
    if 0 < usd < 0.01:
        return dollars_words(usd, 4)
    return dollars_words(usd)


def spent_words(usd: float, limit_usd: float) -> str:
    """Return what was spent of a limit, with at least as many digits as the limit has in `limit_words`."""
    digits = limit_digits(limit_usd)
    is_small = usd < _LEAST_USD or not round(usd, digits)
    return money(usd) if digits == _CENTS or is_small else dollars_words(usd, digits)


def tokens_words(tokens: int) -> str:
    """Return a number of tokens, such as 1.9 M."""
    if tokens >= 1_000_000:
        return translate("Costs", "{n} M").format(n=decimal_words(tokens / 1_000_000, 1))
    if tokens >= 10_000:
        return translate("Costs", "{n} k").format(n=count_words(round(tokens / 1_000)))
    return count_words(tokens)


def tokens_mark(tokens: float, top: float) -> str:
    """Return what stands at a mark of an axis of tokens; all marks up to its end `top` have one unit."""
    if not tokens or top <= _MOST_IN_FULL:
        return count_words(round(tokens))
    if top < 1_000_000:
        return translate("Costs", "{n} k").format(n=short_words(tokens / 1_000))
    return translate("Costs", "{n} M").format(n=short_words(tokens / 1_000_000))


def price_words(own: Sequence[Price]) -> str:
    """Return of when the prices are, of which the operator set `own`; and when caps are checked."""
    days = [price.since for price in own_prices(own) if price.since is not None]
    if not days:
        return translate("Costs", "Built-in prices; caps are checked before each call")
    words = translate("Costs", "Your prices of {day}, others built in; caps are checked before each call")
    return words.format(day=day_words(max(days), with_year=True))


def percent_words(share: float) -> str:
    """Return a share, such as 23 %; one that would be rounded to zero reads < 1 %."""
    if 0 < share <= _LEAST_SHARE:
        return translate("Costs", "< {n} %").format(n=count_words(1))
    return translate("Costs", "{n} %").format(n=count_words(round(share * 100)))


def cap_words(cap: CapDay) -> str:
    """Return what was spent of a cap today."""
    limit = cap.limit_usd
    if limit is None:
        return translate("Costs", "{spent}, no cap today").format(spent=money(cap.spent_usd))
    spent = spent_words(cap.spent_usd, limit)
    return translate("Costs", "{spent} of {limit}").format(spent=spent, limit=limit_words(limit))


def edit_words(edit: CapEdit, name: str) -> str:
    """Return what became of a cap; the name is foreign text, already isolated, and empty for everything."""
    what = translate("Costs", "Daily cap for {name}").format(name=name) if name else translate("Costs", "Daily cap")
    if edit.now is None:
        words = translate("Costs", "{what}: none any more")
        if edit.before is not None:
            words = translate("Costs", "{what}: none any more instead of {before}")
    elif edit.before is None:
        words = translate("Costs", "{what}: {now}; there was none before")
    elif edit.before == edit.now:
        words = translate("Costs", "{what}: {now}, as before")
    else:
        words = translate("Costs", "{what}: {now} instead of {before}")
    said = words.format(what=what, now=limit_words(edit.now or 0.0), before=limit_words(edit.before or 0.0))
    return translate("Costs", "Taken back. {cap}").format(cap=said) if edit.is_undo else said


def asking_words(cap: CapDay, name: str) -> str:
    """Return the question of a cap that is reached; the name is foreign text, already isolated."""
    amount = limit_words(cap.limit_usd or 0.0)
    match cap.key.scope:
        case CapScope.MODEL:
            return translate("Costs", "“{name}” has no price, so no cap can limit its cost").format(name=name)
        case CapScope.ALL:
            words = translate("Costs", "Planning is paused: today's cap of {amount} for everything is reached")
            return words.format(amount=amount)
        case _:
            words = translate("Costs", "{name} is paused: today's cap of {amount} is reached")
            return words.format(name=name, amount=amount)


def paused_words(caps: tuple[CapDay, ...]) -> tuple[str, str] | None:
    """Return what the empty list of approvals says, a title and sentences; None where no plan waits for a cap.

    Args:
        caps: The caps on the day, the widest first.
    """
    pausing = [cap for cap in caps if cap.waiting]
    if not pausing:
        return None
    count = sum(cap.waiting for cap in pausing)
    scopes = {cap.key.scope for cap in pausing}
    title = translate("ApprovalsPaused", "%n chat(s) are paused", "", count)
    if CapScope.ALL in scopes:
        title = translate("ApprovalsPaused", "Planning is paused")
    reached = translate("ApprovalsPaused", "A daily cap is reached.")
    if scopes == {CapScope.MODEL}:
        reached = translate("ApprovalsPaused", "A model has no price, so no cap can limit its cost.")
    waits = translate("ApprovalsPaused", "%n chat(s) wait unanswered. You decide how to continue.", "", count)
    return title, f"{reached} {waits}"
