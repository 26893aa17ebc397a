"""The cards in the operator's order, of all agents or of one; the order is frozen while the operator works."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from operator import lt
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.approvals.card_words import is_message
from chimein_gui.viewmodels.approvals.send_status import is_counting_down
from chimein_gui.viewmodels.approvals.store import needs_operator
from chimein_gui.viewmodels.core.windowed_list import WindowedListModel

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from datetime import datetime

    from chimein_gui.domain.ids import AgentId, ApprovalId
    from chimein_gui.viewmodels.approvals.store import ApprovalStore, ReadApprovals

Order = tuple[float, float, int]

_FIRST, _EARLY, _NEVER = float("-inf"), -1e18, float("inf")


def asks_now(item: Approval, now: datetime) -> bool:
    """Tell whether it needs a decision and is not postponed."""
    return needs_operator(item) and (item.postponed_until is None or item.postponed_until <= now)


class CardSort(StrEnum):
    """The sort order of the list."""

    OLDEST = "oldest first"  # after actions that cannot be undone
    NEWEST = "newest first"
    LEAVES_NEXT = "what leaves next"


@dataclass(frozen=True, slots=True)
class _Arranged:
    """Sorted cards of one agent, or of all (None), with their lookup tables."""

    sort_by: CardSort
    agent_id: AgentId | None
    items: list[Approval]
    places: list[Order]
    by_key: dict[Hashable, Approval]
    place_of: dict[Hashable, Order]


class CardQueueModel(WindowedListModel[Approval]):
    """Shows the rows of the approval store, sorted and filtered.

    Postponed cards are not shown, except the one that `show` was asked for or whose text is being edited.

    While frozen no card moves, and new cards wait, to be brought later; a card that belongs at the end is shown at
    once, because it moves nothing.

    Attributes:
        arrivals_changed: The number of waiting new cards changed.
        arranged: The sort order or the filter changed.
        is_selected: Tells whether a card is selected; set by the selection's owner.
        is_edited: Tells whether a card's text is being edited.
        seen_beside: Returns what is drawn beside a card's text, in words: trust and age.
    """

    arrivals_changed = Signal(int)
    arranged = Signal()

    def __init__(self, approvals: ApprovalStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._approvals = approvals
        self.sort_by = CardSort.OLDEST
        self.agent_id: AgentId | None = None
        self.is_selected: Callable[[object], bool] = lambda _approval_id: False
        self.is_edited: Callable[[object], bool] = lambda _approval_id: False
        self.seen_beside: Callable[[Approval], str] = lambda _item: ""
        self._asked_for: object = None
        self._frozen = False
        self._places: dict[Hashable, Order] = {}
        self._ready: _Arranged | None = None
        self._arrivals: set[ApprovalId] = set()
        self._strayed: set[ApprovalId] = set()  # changed while frozen: their place may be wrong
        approvals.put.connect(self._take)
        approvals.prepared.connect(self._make_ready)
        approvals.filled.connect(self._fill_at_once)
        approvals.gone.connect(self._drop)

    def key_of(self, item: Approval) -> ApprovalId:
        return item.approval_id

    def order_of(self, item: Approval) -> Order:
        place = self._places.get(item.approval_id)
        if place is None:
            place = self._places[item.approval_id] = self._place(item)
        return place

    def sentence_of(self, item: Approval) -> str:
        sentence = ", ".join(filter(None, (self._approvals.sentence_of(item), self.seen_beside(item))))
        return self.tr("Selected, {card}").format(card=sentence) if self.is_selected(item.approval_id) else sentence

    @property
    def arrivals(self) -> int:
        """Number of new cards that wait to be brought into the list."""
        return len(self._arrivals)

    def freeze(self) -> None:
        """Keep every card at its place while the operator works in the list."""
        self._frozen = True

    def thaw(self) -> None:
        """Sort moved cards again, and bring the waiting ones."""
        self._frozen, self._asked_for = False, None
        self.look_at_postponed()
        self.bring_arrivals()

    def look_at_postponed(self) -> None:
        """Hide postponed cards that are no longer edited or asked for; call when an editor closes."""
        for item in tuple(self._approvals.postponed.items.values()):
            self._take(item)

    def bring_arrivals(self) -> None:
        """Bring the waiting cards into the list, also while frozen: the operator asked for it."""
        arrived, moving = bool(self._arrivals), self._arrivals | self._strayed
        self._arrivals.clear()
        self._strayed.clear()
        for approval_id in sorted(moving):
            item = self._approvals.find(approval_id)
            if item is not None:
                self._rearrange(item)
        if arrived:
            self.arrivals_changed.emit(0)

    def arrange(self, *, sort_by: CardSort | None = None, agent_id: AgentId | None = None) -> None:
        """Change the order (None keeps it), and show the cards of one agent or (None) of all."""
        self.sort_by, self.agent_id = sort_by or self.sort_by, agent_id
        had = bool(self._arrivals)
        self._arrivals.clear()
        self._strayed.clear()
        self._places.clear()
        self.beginResetModel()
        self._items, self._orders, self._by_key = [], [], {}
        self._first = self._end = 0
        self.endResetModel()
        self._ready = None
        self._fill_at_once()
        if had:
            self.arrivals_changed.emit(0)
        self.arranged.emit()

    def is_hidden(self, approval_id: object) -> bool:
        """Tell whether a card exists but is not shown: filtered, postponed or waiting to be brought."""
        return self.find(approval_id) is None and self._approvals.find(approval_id) is not None

    def show(self, approval_id: object) -> None:
        """Make sure that a card is shown; clears the filter or brings the waiting cards if need be."""
        item = self._approvals.find(approval_id)
        if item is None or self.find(approval_id) is not None:
            return
        if self._approvals.postponed.holds(item.approval_id):
            self._asked_for = approval_id
            self.upsert(item)
            self.look_at_postponed()
        elif not self._fits(item):
            self.arrange(agent_id=None)
        else:
            self.bring_arrivals()

    def take_place(self, item: Approval, before: Approval) -> None:
        """Show a card at the place of the one that it replaces, also while frozen; that one may be gone already."""
        if self._fits(item):
            at = self._places.get(before.approval_id) or self._place(before)
            self.remove(item.approval_id)
            self._places[item.approval_id] = (at[0], at[1], item.approval_id)
            self.upsert(item)
            self._forget_arrival(item.approval_id)

    def next_waiting(self, approval_id: Hashable, now: datetime) -> ApprovalId | None:
        """Return the next card after a row, else the first of all, that needs a decision now; None if there is none."""
        items = self.items()
        at = self._place_of(approval_id) if approval_id in self._by_key else 0
        following = (*items[at:], *items[:at])
        return next(
            (one.approval_id for one in following if one.approval_id != approval_id and asks_now(one, now)), None
        )

    def _fits(self, item: Approval) -> bool:
        if self._approvals.postponed.holds(item.approval_id):
            return item.approval_id == self._asked_for or self.is_edited(item.approval_id)
        return self.agent_id is None or item.agent_id == self.agent_id

    def _place(self, item: Approval) -> Order:
        created = item.created_at.timestamp()
        if is_counting_down(item) and item.due_at is not None:  # the last moment to stop it: first in every order
            return (_FIRST, item.due_at.timestamp(), item.approval_id)
        if self.sort_by is CardSort.NEWEST:
            return (-created, 0.0, -item.approval_id)
        if self.sort_by is CardSort.LEAVES_NEXT:
            leaves = item.task_status in {TaskStatus.APPROVED, TaskStatus.SENDING} and item.due_at is not None
            at = item.due_at.timestamp() if leaves and item.due_at is not None else _NEVER
            return (at, created, item.approval_id)
        if item.task_status is TaskStatus.AWAITING_DECISION and not is_message(item):  # it cannot be undone
            return (_EARLY, created, item.approval_id)
        return (created, 0.0, item.approval_id)

    def _make_ready(self, read: ReadApprovals) -> None:
        """Sort the rows in a turn of the loop of their own; they are shown in a later one."""
        shown = (
            [item for item in read.items if item.approval_id not in read.postponed] if read.postponed else read.items
        )
        self._ready = self._arranged(shown)

    def _fill_at_once(self) -> None:
        """Fill the empty list in one insertion."""
        ready, self._ready = self._ready, None
        if ready is not None and (ready.sort_by, ready.agent_id) == (self.sort_by, self.agent_id):
            self._show_arranged(ready)
        else:
            self._show_arranged(self._arranged(self._approvals.items()))

    def _arranged(self, cards: Sequence[Approval]) -> _Arranged:
        # Calls per card are avoided: there may be thousands of cards.
        each = self.agent_id is not None or self._approvals.postponed.items
        items = [item for item in cards if self._fits(item)] if each else list(cards)
        by_key: dict[Hashable, Approval] = {item.approval_id: item for item in items}
        is_simple = self.sort_by is CardSort.OLDEST
        places = [
            (item.created_at.timestamp(), 0.0, item.approval_id)
            if is_simple and item.task_status is TaskStatus.AWAITING_DECISION and is_message(item)
            else self._place(item)
            for item in items
        ]
        place_of: dict[Hashable, Order] = dict(zip(by_key, places, strict=True))
        if not all(map(lt, places, places[1:])):
            items.sort(key=lambda item: place_of[item.approval_id])
            places.sort()
        return _Arranged(self.sort_by, self.agent_id, items, places, by_key, place_of)

    def _show_arranged(self, cards: _Arranged) -> None:
        self._places = cards.place_of
        self._show_all(cards.items, cards.places, cards.by_key)

    def _take(self, item: Approval) -> None:
        if not self._fits(item):
            if self.find(item.approval_id) is not None:  # it was just postponed
                self.remove(item.approval_id)
            self._forget_arrival(item.approval_id)
            return
        known = self.find(item.approval_id) is not None
        if known or not self._frozen or not self._items:
            if known and not self._frozen:
                self._rearrange(item)
            else:
                self.upsert(item)
                if known:
                    self._strayed.add(item.approval_id)
            return
        place = self._place(item)
        if place > self._orders[-1]:
            self.upsert(item)
            self._forget_arrival(item.approval_id)
        elif item.approval_id not in self._arrivals:
            self._arrivals.add(item.approval_id)
            self.arrivals_changed.emit(len(self._arrivals))

    def _rearrange(self, item: Approval) -> None:
        """Move a card to its current place in the order."""
        if not self._fits(item):
            return
        place = self._place(item)
        if self._places.get(item.approval_id, place) != place:
            self.remove(item.approval_id)
        self.upsert(item)

    def remove(self, key: Hashable) -> None:
        super().remove(key)
        self._places.pop(key, None)

    def _drop(self, approval_id: ApprovalId) -> None:
        self.remove(approval_id)
        self._forget_arrival(approval_id)
        if not self._items and self._arrivals:
            self.bring_arrivals()

    def _forget_arrival(self, approval_id: ApprovalId) -> None:
        if approval_id in self._arrivals:
            self._arrivals.discard(approval_id)
            self.arrivals_changed.emit(len(self._arrivals))
