"""The rules for automatic sends: the trust level in force and the hourly caps.

See docs/behaviour.md, "Trust levels".

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.chats import AUTOMATIC, TrustLevel
from chimein_gui.domain.notes import Note, NoteKind

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.ports import Transaction

RULES = {TrustLevel.AUTO: Rule.AUTO_TRUST, TrustLevel.COUNTDOWN: Rule.COUNTDOWN_TRUST}
"""The named rule that decides at a level; at other levels the operator decides."""

SILENT = frozenset({TrustLevel.OFF, TrustLevel.OBSERVE})
"""Levels at which a plan is only shown: nothing is sent and no memory is written."""


def trust_now(chat: Chat, now: datetime) -> TrustLevel:
    """Return the level of a chat at a time: a time-boxed `auto` falls back to `review` at its end.

    Args:
        chat: The conversation, with the level from its settings or its agent.
        now: Aware UTC.
    """
    ends_at = chat.settings.trust_until
    if chat.trust is TrustLevel.AUTO and ends_at is not None and now >= ends_at:
        return TrustLevel.REVIEW
    return chat.trust


def default_trust(agent: Agent) -> TrustLevel:
    """Return the default level of an agent's chats. An automatic level needs the operator's confirmation."""
    level = agent.spec.trust or TrustLevel.REVIEW
    return level if level not in AUTOMATIC or agent.trust_confirmed else TrustLevel.REVIEW


def rule_still_holds(rule: str, trust: TrustLevel) -> bool:
    """Tell whether a decision of a named rule is valid at this level; `auto` accepts the decisions of `countdown`."""
    return RULES.get(trust) == rule or (trust is TrustLevel.AUTO and rule == Rule.COUNTDOWN_TRUST)


WINDOW = timedelta(hours=1)
"""Period over which automatic sends are counted."""


def cap_reached(tx: Transaction, chat: Chat, preferences: Preferences, now: datetime) -> Note | None:
    """Return the cap that another automatic send would exceed, or None.

    Args:
        tx: The transaction.
        chat: The conversation of the send.
        preferences: The caps; 0 switches one off.
        now: Aware UTC.
    """
    account_id, since = chat.info.account_id, now - WINDOW
    chat_cap, account_cap = preferences.chat_cap, preferences.account_cap
    if chat_cap and tx.ledger.automatic_since(since, account_id=account_id, chat_id=chat.chat_id) >= chat_cap:
        return Note(NoteKind.CAP_OF_CHAT, number=chat_cap)
    if account_cap and tx.ledger.automatic_since(since, account_id=account_id) >= account_cap:
        return Note(NoteKind.CAP_OF_ACCOUNT, number=account_cap)
    return None
