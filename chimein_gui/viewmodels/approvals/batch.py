"""Decides many planned sends at once: the selection, what of it may be approved together, and undo."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.approvals import (
    Approval,
    Approve,
    AskReason,
    DecisionRequest,
    Postpone,
    Reject,
    Undo,
    Verdict,
)
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.viewmodels.approvals.card_words import is_message
from chimein_gui.viewmodels.approvals.store import order_of, waits_for_operator
from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from chimein_gui.domain.approvals import Decision, Outcome
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.viewmodels.approvals.decisions import ApprovalActions
    from chimein_gui.viewmodels.approvals.queue import CardQueueModel
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.cards import DecisionsService, ResendService

AT_ONCE = 10
"""Most decisions of one transaction: the outcomes of one are shown before the next begins."""

translate = QCoreApplication.translate

_ONE_BY_ONE = frozenset({AskReason.IRREVERSIBLE, AskReason.FIRST_MESSAGE, AskReason.NOT_DELIVERED})


class BatchApi(Protocol):
    """What this model asks of the engine."""

    @property
    def decisions(self) -> DecisionsService:
        """Decides on planned sends."""
        ...

    @property
    def resend(self) -> ResendService:
        """Makes new cards of closed sends."""
        ...


@dataclass(frozen=True, slots=True)
class Sorted:
    """The selection, grouped by what a decision does with each card.

    Attributes:
        ready: Approved.
        unread: Not approved: the text was not fully in view yet.
        changed: Not approved: the card or its conversation changed since the operator read it.
        alone: Not approved: only on its own card.
        read: Rejected, if that is what is asked: the text, as it is now, was in view.
    """

    ready: tuple[Approval, ...] = ()
    unread: tuple[Approval, ...] = ()
    changed: tuple[Approval, ...] = ()
    alone: tuple[Approval, ...] = ()
    read: tuple[Approval, ...] = ()

    @property
    def kept(self) -> tuple[Approval, ...]:
        """The cards that are not approved and stay selected."""
        return (*self.unread, *self.changed, *self.alone)

    def words(self) -> str:
        """Return what is not approved together with the rest, and why."""
        unread, changed, alone = len(self.unread), len(self.changed), len(self.alone)
        said = (
            (self.unread, translate("Batch", "%n not read: opens first", "", unread)),
            (self.changed, translate("Batch", "%n changed: opens first", "", changed)),
            (self.alone, translate("Batch", "%n to decide one by one", "", alone)),
        )
        return " · ".join(words for some, words in said if some)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of one decision on many cards.

    Attributes:
        decision: The decision.
        accepted: The decided cards as they are now.
        before: The same cards before the decision.
        refused: Number of cards that were not decided; they stay selected.
    """

    decision: Decision
    accepted: tuple[Approval, ...]
    before: tuple[Approval, ...]
    refused: int = 0


class BatchModel(CommandRunner[BatchApi]):
    """Selects cards that wait for the operator, and decides all of them at once.

    Attributes:
        changed: The selection changed, or what may be done with it.
        answered: A decision on many has its results; a `Done`.
        undone: Such a decision was undone; the number of cards that were, and of those that were not.
        came_back: The cards of an undone decision wait again; pairs of the id that each has now and the card before.
    """

    changed = Signal()
    answered = Signal(object)
    undone = Signal(int, int)
    came_back = Signal(object)

    def __init__(
        self,
        bridge: EngineBridge,
        approvals: ApprovalStore,
        queue: CardQueueModel,
        actions: ApprovalActions,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(bridge, parent)
        self._approvals, self._actions = approvals, actions
        self._selected: set[ApprovalId] = set()
        self._read: dict[ApprovalId, int] = {}
        self._refused: dict[ApprovalId, int] = {}
        self._last: Done | None = None
        self.is_busy = False
        queue.is_selected = self.is_selected
        approvals.put.connect(self._follow)
        approvals.gone.connect(self._forget)
        actions.decision_answered.connect(self._take_single)

    # --- the selection --------------------------------------------------------------------------------------------

    def is_selected(self, approval_id: object) -> bool:
        return approval_id in self._selected

    @property
    def count(self) -> int:
        """Number of selected cards."""
        return len(self._selected)

    def selected(self) -> tuple[Approval, ...]:
        """Return the current snapshots of the selected cards, oldest first."""
        found = [self._approvals.find(one) for one in self._selected]
        cards = [one for one in found if one is not None and waits_for_operator(one)]
        return tuple(sorted(cards, key=order_of))

    def toggle(self, approval: Approval) -> None:
        """Select or deselect a card; one that does not wait for the operator cannot be selected."""
        if approval.approval_id in self._selected:
            self._selected.discard(approval.approval_id)
            self.changed.emit()
        else:
            self.add((approval,))

    def add(self, approvals: Iterable[Approval]) -> None:
        """Add to the selection those of these cards that wait for the operator."""
        wanted = {one.approval_id for one in approvals if waits_for_operator(one)}
        if not wanted <= self._selected:
            self._selected |= wanted
            self.changed.emit()

    def clear(self) -> None:
        """Deselect all cards."""
        if self._selected:
            self._selected.clear()
            self.changed.emit()

    def note_read(self, approval_id: ApprovalId, version: int) -> None:
        """Record that the whole card was in view long enough to be read."""
        if self._read.get(approval_id) != version:
            self._read[approval_id] = version
            if approval_id in self._selected:
                self.changed.emit()

    def sort(self, cards: Iterable[Approval] | None = None) -> Sorted:
        """Return what a decision would do with each card; None takes the selection."""
        by: dict[str, list[Approval]] = {"ready": [], "unread": [], "changed": [], "alone": [], "read": []}
        for one in self.selected() if cards is None else cards:
            by[self._group_of(one)].append(one)
            if self._read.get(one.approval_id) == one.version:
                by["read"].append(one)
        return Sorted(**{name: tuple(some) for name, some in by.items()})

    def _group_of(self, one: Approval) -> str:
        read, is_refused = self._read.get(one.approval_id), self._refused.get(one.approval_id) == one.version
        if is_refused or not is_message(one) or one.is_cut_off or _ONE_BY_ONE & set(one.reasons):
            return "alone"
        if one.is_stale or read not in (None, one.version):
            return "changed"
        return "unread" if read is None else "ready"

    # --- decisions ------------------------------------------------------------------------------------------------

    def approve(self, cards: Sequence[Approval] | None = None) -> bool:
        """Approve the cards that may be approved together; the others stay selected. Returns False if there are none.

        Args:
            cards: As they were when the action was offered: one that changed is refused. None takes the selection.
        """
        wanted = self.selected() if cards is None else cards
        asked = {one.approval_id: self._actions.ready_to_approve(one) for one in self.sort(wanted).ready}
        decisions = {approval_id: one for approval_id, one in asked.items() if one is not None}
        ready = [one for one in wanted if one.approval_id in decisions]
        return self._decide(ready, lambda card: decisions[card.approval_id], Approve())

    def reject(self, cards: Sequence[Approval] | None = None) -> bool:
        """Reject those of these cards, or of the selection, that were read. Returns False if there are none."""
        # The last step of a plan first: a rejection changes the steps after it, which then differ from what was shown.
        wanted = sorted(self.sort(cards).read, key=lambda one: -one.task_id)
        return self._decide(wanted, lambda _card: Reject(), Reject())

    def postpone(self, until: datetime) -> bool:
        """Postpone the selection. Returns False if nothing was requested."""
        return self._decide(self.selected(), lambda _card: Postpone(until), Postpone(until))

    @property
    def undoable(self) -> int:
        """Number of cards that the next undo covers; 0 if the last decision was on a single card."""
        return len(self._last.accepted) if self._last is not None else 0

    def is_undone_with(self, approval_id: object) -> bool:
        """Tell whether the next undo of many covers this card."""
        return self._last is not None and any(one.approval_id == approval_id for one in self._last.accepted)

    def undo(self) -> bool:
        """Undo the last decision on many, for all cards not sent yet. Returns False if there is none."""
        done, api = self._last, self._api
        if done is None or api is None or self.is_busy:
            return False
        self._last, self.is_busy = None, True
        self._send(self._undo(api, done), "undo batch")
        self.changed.emit()
        return True

    def _decide(
        self, cards: Sequence[Approval], decision_of: Callable[[Approval], Decision], decision: Decision
    ) -> bool:
        if self._api is None or self.is_busy or not cards:
            return False
        requests = [_request(one, decision_of(one)) for one in cards]
        self.is_busy = True
        self._send(self._ask(self._api, tuple(cards), requests, decision), "decide batch")
        self.changed.emit()
        return True

    async def _ask(
        self, api: BatchApi, cards: tuple[Approval, ...], requests: list[DecisionRequest], decision: Decision
    ) -> None:
        outcomes: list[Outcome] = []
        try:
            await self._in_slices(api, requests, outcomes)
        finally:
            self._bridge.deliver(partial(self._take, cards, decision, outcomes))

    async def _in_slices(self, api: BatchApi, requests: Sequence[DecisionRequest], outcomes: list[Outcome]) -> None:
        """Send the requests in slices; where a card no longer exists, the rest of its slice is decided one by one."""
        for start in range(0, len(requests), AT_ONCE):
            some = requests[start : start + AT_ONCE]
            try:
                outcomes += await api.decisions.decide_many(some)
            except NotFoundError:
                for one in some:
                    try:
                        outcomes += await api.decisions.decide_many((one,))
                    except NotFoundError:
                        continue

    def _take(self, cards: tuple[Approval, ...], decision: Decision, outcomes: list[Outcome]) -> None:
        self.is_busy = False
        accepted = {one.approval.approval_id: one.approval for one in outcomes if one.verdict is Verdict.ACCEPTED}
        before = tuple(one for one in cards if one.approval_id in accepted)
        self._selected -= accepted.keys()
        for outcome in outcomes:
            if outcome.verdict is not Verdict.ACCEPTED:
                self._refused[outcome.approval.approval_id] = outcome.approval.version
                # Each in its own turn of the loop: there may be a hundred.
                self._bridge.deliver(partial(self._actions.take_answer, outcome, counts=False))
        done = Done(decision, tuple(accepted.values()), before, len(cards) - len(accepted))
        self._last = done if accepted else self._last
        self.changed.emit()
        self.answered.emit(done)

    async def _undo(self, api: BatchApi, done: Done) -> None:
        back: list[Outcome] = []
        made_of: list[tuple[ApprovalId, Approval]] = []
        try:
            if isinstance(done.decision, Reject):
                for one in sorted(done.accepted, key=lambda one: one.task_id):
                    made = await api.resend.ask(one.approval_id, client_id=os.urandom(16).hex())
                    if made is not None:
                        made_of.append((made.approval_id, one))
            elif isinstance(done.decision, Postpone):
                until = {one.approval_id: one.postponed_until for one in done.before}
                again = [_request(one, Postpone(until[one.approval_id])) for one in done.accepted]
                await self._in_slices(api, again, back)
            else:
                await self._in_slices(api, [_request(one, Undo()) for one in done.accepted], back)
        finally:
            again_now = [one.approval for one in back if one.verdict is Verdict.ACCEPTED]
            made_of += [(one.approval_id, one) for one in again_now]
            self._bridge.deliver(partial(self._tell_undone, tuple(made_of), len(done.accepted) - len(made_of)))

    def _tell_undone(self, cards: tuple[tuple[ApprovalId, Approval], ...], left: int) -> None:
        self.is_busy = False
        self.changed.emit()
        self.came_back.emit(cards)
        self.undone.emit(len(cards), left)

    # --- changes of cards -----------------------------------------------------------------------------------------

    def _follow(self, item: Approval) -> None:
        if item.approval_id in self._selected:
            if not waits_for_operator(item):
                self._selected.discard(item.approval_id)
            self.changed.emit()

    def _forget(self, approval_id: ApprovalId) -> None:
        self._read.pop(approval_id, None)
        self._refused.pop(approval_id, None)
        if approval_id in self._selected:
            self._selected.discard(approval_id)
            self.changed.emit()

    def _take_single(self, outcome: Outcome) -> None:
        """Drop the last batch after a decision on one card: the next undo is for that card."""
        if outcome.verdict is Verdict.ACCEPTED:
            self._last = None


def _request(card: Approval, decision: Decision) -> DecisionRequest:
    """Return a request with the version that was shown and what the operator had seen of the conversation then."""
    return DecisionRequest(card.approval_id, card.version, decision, card.seen_up_to, os.urandom(16).hex())
