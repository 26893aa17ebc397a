"""Tells whether a chat is held and whether a DM is muted, for the claim, the typing, and everything that others see.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind, MuteState
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AccountId, ChatId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

TICKED_NOTE = Note(NoteKind.APPROVED_UNDER_HOLD)
"""Note of a card after the release; it is ticked in the review of the backlog."""


class InMemoryHold:
    """The hold of everything in memory, which begins after a failed commit."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        """Begin without a hold. The owner sets `on_begin`, which is called when everything is held."""
        self._now = now
        self.on_begin: Callable[[], None] = lambda: None
        self._hold: Hold | None = None

    @property
    def hold(self) -> Hold | None:
        """Return the hold, or None."""
        return self._hold

    def note(self) -> Note | None:
        """Return why everything is held, or None (`TransactionEnvironment.memory_hold`)."""
        return self._hold.note() if self._hold is not None else None

    def begin(self, failure: Note, reason: str = "") -> None:
        """Hold everything because a commit failed, until the operator's release finds that writes work again."""
        if self._hold is None:
            self._hold = Hold(HoldScope.ALL, 0, reason, self._now(), stored=False, failure=failure)
            self.on_begin()

    def end(self) -> None:
        """End the hold."""
        self._hold = None


def hold_note(
    tx: Transaction, environment: TransactionEnvironment, account_id: AccountId, chat_id: ChatId
) -> Note | None:
    """Return the note of the hold that covers a chat; None if nothing holds it."""
    in_memory = environment.memory_hold()
    if in_memory is not None:
        return in_memory
    hold = tx.holds.over(account_id, chat_id)
    return hold.note() if hold is not None else None


def mute_of(environment: TransactionEnvironment, chat: Chat) -> MuteState:
    """Return the known mute state of a chat. Callouts in groups count whatever is set there."""
    if chat.info.kind is not ChatKind.DM:
        return MuteState.HEARD
    return environment.mute_of(chat.info.account_id, chat.info.peer_id)
