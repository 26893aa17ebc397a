"""Selects the next waiting card after a decision, the new version after a choice, and what an undo brought back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.domain.approvals import Approval, Outcome, Verdict, may_be_returned
from chimein_gui.viewmodels.approvals.pairing import draft_instead_of, place_in_plan
from chimein_gui.viewmodels.approvals.queue import asks_now
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from chimein_gui.domain.cards import Variant
    from chimein_gui.domain.ids import ApprovalId, GraphId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.approvals.list.cursor_list import CursorList
    from chimein_gui.viewmodels.approvals.batch import Done


class NextCard(QObject):
    """Changes the current card of a list when it was approved, rejected, postponed, or replaced by another version."""

    def __init__(self, context: PaneContext, view: CursorList) -> None:
        super().__init__(view)
        self._view, self._models = view, context.models
        self._own = context.own(make_approvals)
        self._decided: Approval | None = None
        self._models.actions.decision_answered.connect(self._take_answer)
        self._own.batch.answered.connect(self._take_batch)
        self._replaced: tuple[Approval, int, GraphId] | None = None
        self._models.regenerations.choosing.connect(self._expect_version)
        self._models.approvals.put.connect(self._take_version)
        self._models.draft_commands.resent.connect(self._put_back)
        self._own.batch.came_back.connect(self._put_back_many)

    def _take_answer(self, outcome: Outcome) -> None:
        if outcome.verdict is Verdict.ACCEPTED:
            self._decided = outcome.approval
            # In a later event: this causes as large a layout as the decision itself.
            self._models.bridge.deliver_once(self._go_on)

    def _take_batch(self, done: Done) -> None:
        if done.accepted:
            current = self._view.current()
            mine = [one for one in done.accepted if current is not None and one.approval_id == current.approval_id]
            self._decided = (mine or [done.accepted[0]])[0]
            self._models.bridge.deliver_once(self._go_on)

    def _put_back(self, approval_id: ApprovalId, before: Approval) -> None:
        """Show the card of an undone rejection where the rejected one was, which is where the operator looks."""
        card = self._models.approvals.find(approval_id)
        if card is not None and may_be_returned(before):
            self._own.queue.take_place(card, before)

    def _put_back_many(self, cards: tuple[tuple[ApprovalId, Approval], ...]) -> None:
        bridge = self._models.bridge
        for approval_id, before in cards:  # each in its own turn of the loop: there may be a hundred
            if approval_id != before.approval_id:
                bridge.deliver(partial(self._put_back, approval_id, before))
        if cards:
            bridge.deliver(partial(self._view.select, cards[0][0]))

    def _expect_version(self, approval: Approval, variant: Variant) -> None:
        self._replaced = approval, place_in_plan(self._models.approvals, approval), variant.graph_id

    def _take_version(self, card: Approval) -> None:
        if self._replaced is not None and card.graph_id == self._replaced[2] and waits_for_operator(card):
            # In a later event: by then all cards of the version exist.
            self._models.bridge.deliver_once(self._show_version)

    def _show_version(self) -> None:
        if self._replaced is None:
            return
        before, place, _graph_id = self._replaced
        self._replaced = None
        card = draft_instead_of(self._models.approvals, before, place)
        if card is not None:
            current = self._view.current()
            stayed = current is None or current.approval_id == before.approval_id or self._view.has_slipped
            self._own.queue.take_place(card, before)
            if stayed:  # else the operator has gone to another card
                self._view.give_way_to(card.approval_id)

    def _go_on(self) -> None:
        decided, self._decided = self._decided, None
        current, now = self._view.current(), self._models.clock.now()
        if decided is None or current is None or asks_now(decided, now):
            return
        if current.approval_id != decided.approval_id and asks_now(current, now):
            return  # the operator has gone to another card
        kept = self._own.batch.sort().kept
        if kept:  # selected, but not decided with the batch
            self._view.give_way_to(kept[0].approval_id)
            return
        following = self._own.queue.next_waiting(current.approval_id, now)
        if following is not None:
            self._view.give_way_to(following)
