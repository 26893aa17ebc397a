"""Which planned sends are new, and which were notified: without a clock of its own, and without Qt."""

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
    """Kinds of notifications; one of each kind is shown at a time. The value is its key."""

    COUNTDOWN = "countdown"
    UNKNOWN = "unknown"
    WAITING = "waiting"
    ACCOUNT = "account"
    PLANNING = "planning"


@dataclass(frozen=True, slots=True)
class Notification:
    """One notification; a later one with the same key replaces it.

    Attributes:
        key: Identifies it for replacing and withdrawing.
        title: One line; foreign names in it are not sanitized yet.
        body: More lines, perhaps none; not sanitized either.
        target: What *Open* shows: a planned send, the action of a problem, or (None) only the window.
        is_quiet: It corrects an earlier one, and makes no sound.
    """

    key: str
    title: str
    body: str = ""
    target: Approval | ProblemAction | None = None
    is_quiet: bool = False


def kind_of(approval: Approval, now: datetime, *, held: bool) -> NewsKind | None:
    """Return the kind of notification for a planned send; None where it needs nobody now.

    Args:
        approval: The planned send.
        now: Aware UTC; a send postponed beyond it needs nobody.
        held: A hold covers its chat, so that no countdown runs.
    """
    status = approval.task_status
    if status is TaskStatus.UNKNOWN:
        return NewsKind.UNKNOWN
    if is_counting_down(approval):
        return None if held else NewsKind.COUNTDOWN
    if status is not TaskStatus.AWAITING_DECISION or approval.is_postponed(now):
        return None
    return NewsKind.UNKNOWN if AskReason.NOT_DELIVERED in approval.reasons else NewsKind.WAITING


def is_plainly_waiting(approval: Approval) -> bool:
    """Tell whether its kind is WAITING without calling `kind_of`: fast enough for thousands of sends."""
    return (
        approval.task_status is TaskStatus.AWAITING_DECISION
        and approval.postponed_until is None
        and AskReason.NOT_DELIVERED not in approval.reasons
    )


class SendNews:
    """The planned sends that are new, and those whose notification is still valid."""

    def __init__(self) -> None:
        self._kinds: dict[ApprovalId, NewsKind] = {}
        self._items: dict[ApprovalId, Approval] = {}
        """Snapshots of the new and the notified sends; those that the operator has seen are removed."""
        self._new: dict[ApprovalId, NewsKind] = {}
        self._notified: dict[ApprovalId, NewsKind] = {}
        self._replaced: set[tuple[NewsKind, ChatId]] = set()

    def learn(self, waiting: Iterable[Approval]) -> None:
        """Record sends that waited before the first read; all of them are `is_plainly_waiting`."""
        self._kinds.update((item.approval_id, NewsKind.WAITING) for item in waiting)

    def put(self, approval: Approval, kind: NewsKind | None, *, known: bool = False) -> None:
        """Apply a snapshot.

        Args:
            approval: The planned send as it is now.
            kind: The result of `kind_of`.
            known: It is no news, because it was there before.
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
        """Remove a send that needs nobody any more."""
        self._kinds.pop(approval_id, None)
        self._new.pop(approval_id, None)
        item, notified = self._items.pop(approval_id, None), self._notified.pop(approval_id, None)
        if item is not None and notified is not None:
            self._replaced.add((notified, item.chat_id))

    def has_new(self, kind: NewsKind | None = None) -> bool:
        """Tell whether there are new sends, of one kind or (None) of any."""
        return bool(self._new) if kind is None else kind in self._new.values()

    def is_new(self, item: Approval) -> bool:
        """Tell whether a send was not notified yet."""
        return item.approval_id in self._new

    def items_of(self, kind: NewsKind) -> tuple[Approval, ...]:
        """Return the new and the notified sends of a kind."""
        return tuple(item for key, item in self._items.items() if self._kinds[key] is kind)

    def is_notified(self, kind: NewsKind) -> bool:
        """Tell whether any notified send of a kind still needs the operator."""
        return kind in self._notified.values()

    def see(self, is_seen: Callable[[Approval], bool]) -> None:
        """Drop the sends for which `is_seen` holds: the operator sees them."""
        for key in [key for key, item in self._items.items() if is_seen(item)]:
            del self._items[key]
            self._new.pop(key, None)
            self._notified.pop(key, None)

    def tell_first(self, kind: NewsKind) -> Approval | None:
        """Remove and return the oldest new send of a kind, for a notification of its own; None if there is none."""
        mine = [self._items[key] for key, one in self._new.items() if one is kind]
        first = min(mine, key=_age, default=None)
        if first is not None:
            self.see(lambda item: item is first)
        return first

    def tell(self, kind: NewsKind) -> tuple[tuple[Approval, ...], bool]:
        """Return all sends of a kind for its notification, oldest first, and whether it makes no sound.

        It makes none if each new send replaces an earlier notified one in the same chat.
        """
        new = [key for key, one in self._new.items() if one is kind]
        quiet = all((kind, self._items[key].chat_id) in self._replaced for key in new)
        for key in new:
            del self._new[key]
            self._notified[key] = kind
        self._replaced = {pair for pair in self._replaced if pair[0] is not kind}
        mine = (self._items[key] for key, one in self._notified.items() if one is kind)
        return tuple(sorted(mine, key=_age)), quiet


def _age(approval: Approval) -> tuple[datetime, int]:
    return (approval.created_at, approval.approval_id)
