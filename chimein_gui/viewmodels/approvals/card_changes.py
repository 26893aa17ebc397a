"""Changes in a conversation after a plan was made: new, edited and deleted messages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.messages import Message, MessageKey

MOST_KEPT = 2_000


class ChangeKind(StrEnum):
    """What happened to a message."""

    NEW = "new"
    EDITED = "edited"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Change:
    """One change in the conversation.

    Attributes:
        kind: What happened.
        message: The message as it is now.
        before: Its text before an edit; None where that is unknown.
    """

    kind: ChangeKind
    message: Message
    before: str | None = None


class MessageHistory:
    """Remembers messages as last seen: an edit brings only the new text, and a deletion has no time of its own."""

    def __init__(self) -> None:
        self._seen: dict[MessageKey, Message] = {}
        self._before: dict[MessageKey, str] = {}
        self._gone_at: dict[MessageKey, datetime] = {}

    def note(self, messages: Iterable[Message], now: datetime) -> None:
        """Record messages as they are now; the `MOST_KEPT` last ones are kept.

        Args:
            messages: Any, of any chat.
            now: Aware UTC.
        """
        for message in messages:
            known = self._seen.pop(message.key, None)
            self._seen[message.key] = message
            if known is not None and known.text != message.text:
                self._before[message.key] = known.text
            if known is not None and message.deleted and not known.deleted:
                self._gone_at[message.key] = now
        while len(self._seen) > MOST_KEPT:
            oldest = next(iter(self._seen))
            for kept in (self._seen, self._before, self._gone_at):
                kept.pop(oldest, None)

    def changes(self, details: CardDetails) -> tuple[Change, ...]:
        """Return the changes since a card's plan was made, oldest message first; of deletions only those noted here."""
        found = {message.key: Change(ChangeKind.NEW, message) for message in details.came_since}
        for message in details.edited_since:
            found[message.key] = Change(ChangeKind.EDITED, message, self._before.get(message.key))
        for message in details.messages:
            gone_at = self._gone_at.get(message.key)
            if message.deleted and gone_at is not None and gone_at >= details.planned_at:
                found[message.key] = Change(ChangeKind.DELETED, message)
        return tuple(sorted(found.values(), key=lambda change: change.message.key.message_id))
