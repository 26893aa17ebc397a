"""Holds: the operator stops all sends of everything, one account or one chat."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import AccountId, ChatId
from chimein_gui.domain.notes import Note, NoteKind


class HoldScope(StrEnum):
    """What is held."""

    ALL = "all"
    ACCOUNT = "account"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Hold:
    """One active hold.

    Attributes:
        scope: What is held.
        target: The account or chat id; 0 for all.
        reason: The operator's words; may be empty.
        since: Aware UTC.
        stored: False for a hold that is only in memory because the disk write failed.
        failure: Why the disk write failed; None for a stored hold.
    """

    scope: HoldScope
    target: int
    reason: str
    since: datetime
    stored: bool = True
    failure: Note | None = None

    def note(self) -> Note:
        """Return the note of what this hold keeps back."""
        return Note(NoteKind.HELD, self.reason, cause=self.failure)

    def covers(self, account_id: AccountId, chat_id: ChatId) -> bool:
        """Return whether this hold applies to a chat of an account."""
        if self.scope is HoldScope.ALL:
            return True
        return self.target == int(account_id if self.scope is HoldScope.ACCOUNT else chat_id)


@dataclass(frozen=True, slots=True)
class BacklogItem:
    """One send that was held.

    Attributes:
        approval: Its card as it is now.
        ticked: True if it was approved under the hold. One click confirms the ticked ones of an account, except
            always-ask and stale ones.
    """

    approval: Approval
    ticked: bool


@dataclass(frozen=True, slots=True)
class Backlog:
    """The sends that wait for review after a release.

    Attributes:
        chats: Their chats, newest first.
        items: The sends, in the order of `chats`, then of the plan.
    """

    chats: tuple[Chat, ...]
    items: tuple[BacklogItem, ...]
