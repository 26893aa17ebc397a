"""Hold everything: the operator's brake, for all, one account or one chat."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import AccountId, ChatId


class HoldScope(StrEnum):
    """What is held."""

    ALL = "all"
    ACCOUNT = "account"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Hold:
    """One brake that is on.

    Attributes:
        scope: What is held.
        target: The account or chat id; 0 for all.
        reason: Whose words: the operator's, or ours after a failed commit.
        since: Aware UTC.
        stored: False for a hold that lives in memory because the disk did not take it.
    """

    scope: HoldScope
    target: int
    reason: str
    since: datetime
    stored: bool = True

    def covers(self, account_id: AccountId, chat_id: ChatId) -> bool:
        """Tell whether this brake holds a chat of an account."""
        if self.scope is HoldScope.ALL:
            return True
        return self.target == int(account_id if self.scope is HoldScope.ACCOUNT else chat_id)


@dataclass(frozen=True, slots=True)
class BacklogItem:
    """One send that lived through a hold.

    Attributes:
        approval: Its card as it is now.
        ticked: True for what the operator approved under hold: one press confirms the ticked of an account, never
            always-ask or stale ones.
    """

    approval: Approval
    ticked: bool


@dataclass(frozen=True, slots=True)
class Backlog:
    """What a release opens for review.

    Attributes:
        chats: The chats concerned, newest first.
        items: Their sends, in the order of `chats`, then of the plan.
    """

    chats: tuple[Chat, ...]
    items: tuple[BacklogItem, ...]
