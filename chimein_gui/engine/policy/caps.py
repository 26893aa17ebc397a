"""Caps: so many automatic sends an hour, of a chat and of an account; beyond that the operator decides."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.notes import Note, NoteKind

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.ports import Transaction

WINDOW = timedelta(hours=1)
"""Over how long automatic sends are counted."""


def cap_reached(tx: Transaction, chat: Chat, preferences: Preferences, now: datetime) -> Note | None:
    """Say which cap has no room for another automatic send; None while both have.

    Args:
        tx: The transaction.
        chat: Where it would go.
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
