"""The trust level in force: who may decide in a chat without the operator, right now.

See docs/behaviour.md, "Trust levels".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.chats import TrustLevel

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat

RULES = {TrustLevel.AUTO: Rule.AUTO_TRUST, TrustLevel.COUNTDOWN: Rule.COUNTDOWN_TRUST}
"""Which named rule decides at a level; at the others the operator does."""

SILENT = frozenset({TrustLevel.OFF, TrustLevel.OBSERVE})
"""Levels at which a plan is only shown: nothing leaves, nothing is remembered."""


def trust_now(chat: Chat, now: datetime) -> TrustLevel:
    """Return the level of a chat at a time: a time-boxed `auto` falls back to `review` at its end.

    Args:
        chat: With the level that its settings or its agent give it.
        now: Aware UTC.
    """
    ends_at = chat.settings.trust_until
    if chat.trust is TrustLevel.AUTO and ends_at is not None and now >= ends_at:
        return TrustLevel.REVIEW
    return chat.trust


def rule_still_holds(rule: str, trust: TrustLevel) -> bool:
    """Tell whether a decision of a named rule stands at this level: `auto` lets pass whatever `countdown` let pass."""
    return RULES.get(trust) == rule or (trust is TrustLevel.AUTO and rule == Rule.COUNTDOWN_TRUST)
