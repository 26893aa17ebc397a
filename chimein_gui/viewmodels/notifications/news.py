"""Which planned sends are news, and which of them were told: without a clock of its own, and without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.approvals.send_status import is_counting_down

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.viewmodels.problems.words import ProblemAction


class NewsKind(StrEnum):
    """What is told; of each kind one notification stands at a time. The value is its key."""

    COUNTDOWN = "countdown"
    UNKNOWN = "unknown"
    WAITING = "waiting"
    ACCOUNT = "account"
    PLANNING = "planning"


@dataclass(frozen=True, slots=True)
class Notification:
    """One notification; a later one with the same key replaces it.

    Attributes:
        key: What is replaced and withdrawn by it.
        title: One line; foreign names in it are not tamed yet.
        body: More lines, perhaps none; the same holds for them.
        target: What *Open* leads to: a planned send, what a bar offers, or nothing but the window.
        is_quiet: It corrects what was told before, and makes no sound.
    """

    key: str
    title: str
    body: str = ""
    target: Approval | ProblemAction | None = None
    is_quiet: bool = False


def kind_of(approval: Approval, now: datetime, *, held: bool) -> NewsKind | None:
    """Return as what a planned send is told, or None where it needs nobody now.

    Args:
        approval: The planned send.
        now: Aware UTC; what was put off until later is told then.
        held: A brake holds its chat, so that no countdown runs.
    """
    status = approval.task_status
    if status is TaskStatus.UNKNOWN:
        return NewsKind.UNKNOWN
    if is_counting_down(approval):
        return None if held else NewsKind.COUNTDOWN
    if status is not TaskStatus.AWAITING_DECISION or is_put_off(approval, now):
        return None
    return NewsKind.UNKNOWN if AskReason.NOT_DELIVERED in approval.reasons else NewsKind.WAITING


def is_put_off(approval: Approval, now: datetime) -> bool:
    """Tell whether the operator wants to see it later."""
    return approval.postponed_until is not None and approval.postponed_until > now


def is_plainly_waiting(approval: Approval) -> bool:
    """Tell quickly, for thousands at once, whether it waits and nothing else is to be said of it."""
    return (
        approval.task_status is TaskStatus.AWAITING_DECISION
        and approval.postponed_until is None
        and AskReason.NOT_DELIVERED not in approval.reasons
    )


class SendNews:
    """What is new among planned sends, and what was told of them and still holds."""

    def __init__(self) -> None:
        self._kinds: dict[ApprovalId, NewsKind] = {}
        self._items: dict[ApprovalId, Approval] = {}
        """Snapshots of what is new or told; what the operator has seen is not among them."""
        self._new: dict[ApprovalId, NewsKind] = {}
        self._told: dict[ApprovalId, NewsKind] = {}
        self._replaced: set[tuple[NewsKind, ChatId]] = set()

    def learn(self, waiting: Iterable[Approval]) -> None:
        """Take in what waited before the program looked; all of it is `is_plainly_waiting`."""
        self._kinds.update((item.approval_id, NewsKind.WAITING) for item in waiting)

    def put(self, approval: Approval, kind: NewsKind | None, *, known: bool = False) -> None:
        """Take a snapshot.

        Args:
            approval: The planned send as it is now.
            kind: What `kind_of` says of it.
            known: It was there before the program looked: no news.
        """
        key = approval.approval_id
        if kind is not None and kind is self._kinds.get(key):
            if key in self._items:
                self._items[key] = approval
            return
        self.drop(key)
        if kind is not None:
            self._kinds[key] = kind
            if not known:
                self._items[key], self._new[key] = approval, kind

    def drop(self, approval_id: ApprovalId) -> None:
        """It needs nobody any more."""
        self._kinds.pop(approval_id, None)
        self._new.pop(approval_id, None)
        item, told = self._items.pop(approval_id, None), self._told.pop(approval_id, None)
        if item is not None and told is not None:
            self._replaced.add((told, item.chat_id))

    def has_new(self, kind: NewsKind | None = None) -> bool:
        """Tell whether there is something to tell, of one kind or at all."""
        return bool(self._new) if kind is None else kind in self._new.values()

    def is_new(self, item: Approval) -> bool:
        """Tell whether a planned send is still to be told."""
        return item.approval_id in self._new

    def items_of(self, kind: NewsKind) -> tuple[Approval, ...]:
        """Return what is new or told of a kind."""
        return tuple(item for key, item in self._items.items() if self._kinds[key] is kind)

    def is_told(self, kind: NewsKind) -> bool:
        """Tell whether something that was told still holds."""
        return kind in self._told.values()

    def see(self, is_seen: Callable[[Approval], bool]) -> None:
        """Forget what the operator has in front of him."""
        for key in [key for key, item in self._items.items() if is_seen(item)]:
            del self._items[key]
            self._new.pop(key, None)
            self._told.pop(key, None)

    def tell_first(self, kind: NewsKind) -> Approval | None:
        """Take the oldest new one out, to be told alone."""
        mine = [self._items[key] for key, one in self._new.items() if one is kind]
        first = min(mine, key=_age, default=None)
        if first is not None:
            self.see(lambda item: item is first)
        return first

    def tell(self, kind: NewsKind) -> tuple[tuple[Approval, ...], bool]:
        """Return all that is to be told of a kind, oldest first, and whether nobody need look up for it.

        That is so where each new one stands for one that was told and has gone, in the same chat.
        """
        new = [key for key, one in self._new.items() if one is kind]
        quiet = all((kind, self._items[key].chat_id) in self._replaced for key in new)
        for key in new:
            del self._new[key]
            self._told[key] = kind
        self._replaced = {pair for pair in self._replaced if pair[0] is not kind}
        mine = (self._items[key] for key, one in self._told.items() if one is kind)
        return tuple(sorted(mine, key=_age)), quiet


def _age(approval: Approval) -> tuple[datetime, int]:
    return (approval.created_at, approval.approval_id)
