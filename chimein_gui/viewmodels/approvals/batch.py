"""Many planned sends decided at once: what is selected, what of it may be approved together, and taking it back."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

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
    from chimein_gui.viewmodels.engine_api.engine import EngineApi

AT_ONCE = 10
"""Most decisions of one transaction: what one answers is shown before the next is asked."""

translate = QCoreApplication.translate

_ONE_BY_ONE = frozenset({AskReason.IRREVERSIBLE, AskReason.FIRST_MESSAGE, AskReason.NOT_DELIVERED})


@dataclass(frozen=True, slots=True)
class Sorted:
    """What is selected, by what a press on approve does with it.

    Attributes:
        ready: It is approved.
        unread: Its text was not in view yet.
        changed: It, or its conversation, is another than the operator has read.
        alone: It is decided on its own card only.
    """

    ready: tuple[Approval, ...] = ()
    unread: tuple[Approval, ...] = ()
    changed: tuple[Approval, ...] = ()
    alone: tuple[Approval, ...] = ()

    @property
    def kept(self) -> tuple[Approval, ...]:
        """Return what stays selected and waits."""
        return (*self.unread, *self.changed, *self.alone)

    def words(self) -> str:
        """Say what is not approved together with the rest, and why."""
        unread, changed, alone = len(self.unread), len(self.changed), len(self.alone)
        said = (
            (self.unread, translate("Batch", "%n not read: opens first", "", unread)),
            (self.changed, translate("Batch", "%n changed: opens first", "", changed)),
            (self.alone, translate("Batch", "%n to decide one by one", "", alone)),
        )
        return " · ".join(words for some, words in said if some)


@dataclass(frozen=True, slots=True)
class Done:
    """What a press on many has done.

    Attributes:
        decision: What was asked.
        accepted: The cards as they are now.
        before: The same cards as they were.
        refused: How many were not decided; they stay selected.
    """

    decision: Decision
    accepted: tuple[Approval, ...]
    before: tuple[Approval, ...]
    refused: int = 0


class BatchModel(CommandRunner):
    """Selects what waits for the operator, and decides on all of it with one press.

    Attributes:
        changed: What is selected is other, or what may be done with it.
        answered: A press on many has its answers; a `Done`.
        taken_back: Such a press was undone; how many are taken back, and how many are not.
    """

    changed = Signal()
    answered = Signal(object)
    taken_back = Signal(int, int)

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

    # --- what is selected -----------------------------------------------------------------------------------------

    def is_selected(self, approval_id: object) -> bool:
        """Tell whether a card is selected."""
        return approval_id in self._selected

    @property
    def count(self) -> int:
        """How many are selected."""
        return len(self._selected)

    def selected(self) -> tuple[Approval, ...]:
        """Return what is selected, as it is now, oldest first."""
        found = [self._approvals.find(one) for one in self._selected]
        cards = [one for one in found if one is not None and waits_for_operator(one)]
        return tuple(sorted(cards, key=order_of))

    def toggle(self, approval: Approval) -> None:
        """Select a card that waits for the operator, or no longer."""
        if approval.approval_id in self._selected:
            self._selected.discard(approval.approval_id)
            self.changed.emit()
        else:
            self.add((approval,))

    def add(self, approvals: Iterable[Approval]) -> None:
        """Select what of these cards waits for the operator, too."""
        wanted = {one.approval_id for one in approvals if waits_for_operator(one)}
        if not wanted <= self._selected:
            self._selected |= wanted
            self.changed.emit()

    def clear(self) -> None:
        """Select nothing."""
        if self._selected:
            self._selected.clear()
            self.changed.emit()

    def note_read(self, approval_id: ApprovalId, version: int) -> None:
        """The whole of a card was in view long enough to be read."""
        if self._read.get(approval_id) != version:
            self._read[approval_id] = version
            if approval_id in self._selected:
                self.changed.emit()

    def sort(self, cards: Iterable[Approval] | None = None) -> Sorted:
        """Return what a press on approve would do with what is selected, or with some cards."""
        by: dict[str, list[Approval]] = {"ready": [], "unread": [], "changed": [], "alone": []}
        for one in self.selected() if cards is None else cards:
            by[self._group_of(one)].append(one)
        return Sorted(*(tuple(by[name]) for name in ("ready", "unread", "changed", "alone")))

    def _group_of(self, one: Approval) -> str:
        read, is_refused = self._read.get(one.approval_id), self._refused.get(one.approval_id) == one.version
        if is_refused or not is_message(one) or one.is_cut_off or _ONE_BY_ONE & set(one.reasons):
            return "alone"
        if one.is_stale or read not in (None, one.version):
            return "changed"
        return "unread" if read is None else "ready"

    # --- what is done ---------------------------------------------------------------------------------------------

    def approve(self, cards: Sequence[Approval] | None = None) -> bool:
        """Approve what may be approved together of what is selected, the rest stays so; False if nothing may.

        Args:
            cards: These instead, as they were when the press was offered: one that changed since is refused.
        """
        wanted = self.selected() if cards is None else cards
        asked = {one.approval_id: self._actions.ready_to_approve(one) for one in self.sort(wanted).ready}
        decisions = {approval_id: one for approval_id, one in asked.items() if one is not None}
        ready = [one for one in wanted if one.approval_id in decisions]
        return self._decide(ready, lambda card: decisions[card.approval_id], Approve())

    def reject(self, cards: Sequence[Approval] | None = None) -> bool:
        """Send nothing of what is selected, or of some cards."""
        # The last step of a plan first: a rejection marks those behind it, which then are other cards than were seen.
        wanted = sorted(self.selected() if cards is None else cards, key=lambda one: -one.task_id)
        return self._decide(wanted, lambda _card: Reject(), Reject())

    def postpone(self, until: datetime) -> bool:
        """Decide on all of it later."""
        return self._decide(self.selected(), lambda _card: Postpone(until), Postpone(until))

    @property
    def undoable(self) -> int:
        """How many the next undo takes back at once; 0 if the last decision was one on a single card."""
        return len(self._last.accepted) if self._last is not None else 0

    def is_undone_with(self, approval_id: object) -> bool:
        """Tell whether the next undo takes this card back together with others."""
        return self._last is not None and any(one.approval_id == approval_id for one in self._last.accepted)

    def undo(self) -> bool:
        """Take the last press on many back, as far as nothing of it has left; False if there is none."""
        done, console = self._last, self._console
        if done is None or console is None or self.is_busy:
            return False
        self._last, self.is_busy = None, True
        self._send(self._undo(console, done), "undo batch")
        self.changed.emit()
        return True

    def _decide(
        self, cards: Sequence[Approval], decision_of: Callable[[Approval], Decision], decision: Decision
    ) -> bool:
        if self._console is None or self.is_busy or not cards:
            return False
        requests = [_request(one, decision_of(one)) for one in cards]
        self.is_busy = True
        self._send(self._ask(self._console, tuple(cards), requests, decision), "decide batch")
        self.changed.emit()
        return True

    async def _ask(
        self, console: EngineApi, cards: tuple[Approval, ...], requests: list[DecisionRequest], decision: Decision
    ) -> None:
        outcomes: list[Outcome] = []
        try:
            await self._in_slices(console, requests, outcomes)
        finally:
            self._bridge.deliver(partial(self._take, cards, decision, outcomes))

    async def _in_slices(
        self, console: EngineApi, requests: Sequence[DecisionRequest], outcomes: list[Outcome]
    ) -> None:
        """Ask slice by slice; a card that is there no longer costs no other its decision."""
        for start in range(0, len(requests), AT_ONCE):
            some = requests[start : start + AT_ONCE]
            try:
                outcomes += await console.decisions.decide_many(some)
            except NotFoundError:
                for one in some:
                    try:
                        outcomes += await console.decisions.decide_many((one,))
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
                # Each in a turn of its own: there may be a hundred.
                self._bridge.deliver(partial(self._actions.take_answer, outcome, counts=False))
        done = Done(decision, tuple(accepted.values()), before, len(cards) - len(accepted))
        self._last = done if accepted else self._last
        self.changed.emit()
        self.answered.emit(done)

    async def _undo(self, console: EngineApi, done: Done) -> None:
        back: list[Outcome] = []
        number = 0
        try:
            if isinstance(done.decision, Reject):
                for one in sorted(done.accepted, key=lambda one: one.task_id):
                    made = await console.resend.ask(one.approval_id, client_id=os.urandom(16).hex())
                    number += made is not None
            elif isinstance(done.decision, Postpone):
                until = {one.approval_id: one.postponed_until for one in done.before}
                again = [_request(one, Postpone(until[one.approval_id])) for one in done.accepted]
                await self._in_slices(console, again, back)
            else:
                await self._in_slices(console, [_request(one, Undo()) for one in done.accepted], back)
        finally:
            number += sum(one.verdict is Verdict.ACCEPTED for one in back)
            self._bridge.deliver(partial(self._tell_taken_back, number, len(done.accepted) - number))

    def _tell_taken_back(self, number: int, left: int) -> None:
        self.is_busy = False
        self.changed.emit()
        self.taken_back.emit(number, left)

    # --- what happens ---------------------------------------------------------------------------------------------

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
        """Behind a decision on one card the next undo is for that one."""
        if outcome.verdict is Verdict.ACCEPTED:
            self._last = None


def _request(card: Approval, decision: Decision) -> DecisionRequest:
    """Ask with the version that was read, and what the operator had seen of the conversation then."""
    return DecisionRequest(card.approval_id, card.version, decision, card.seen_up_to, os.urandom(16).hex())
