"""The postponed drafts, in the order in which they come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Signal

from chimein_gui.viewmodels.approvals.store import is_decision_postponed, waits_for_operator

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.viewmodels.approvals.decisions import ApprovalActions
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.core.clock import ClockFace


class PostponedDrafts(QObject):
    """Follows the postponed drafts of the store.

    Attributes:
        changed: The postponed drafts or their times changed.
    """

    changed = Signal()

    def __init__(
        self, approvals: ApprovalStore, actions: ApprovalActions, clock: ClockFace, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._approvals, self._actions, self._clock = approvals, actions, clock
        self._items: dict[ApprovalId, Approval] = {}
        approvals.put.connect(self._take)
        approvals.filled.connect(self._learn)
        approvals.gone.connect(self._drop)
        clock.ticked.connect(self._look)
        self._learn()

    def items(self) -> tuple[Approval, ...]:
        """Return the postponed drafts, the next to come back first."""
        return tuple(sorted(self._items.values(), key=lambda one: (one.postponed_until, one.approval_id)))

    def words(self, approval: Approval) -> str:
        """Return when a draft comes back: the time, with the weekday unless it is today; empty if not postponed."""
        until = approval.postponed_until
        if until is None:
            return ""
        local, time = until.astimezone(), self._clock.clock(until)
        if local.date() == self._clock.now().astimezone().date():
            return time
        return f"{QLocale().dayName(local.isoweekday(), QLocale.FormatType.ShortFormat)} {time}"

    def bring_back(self, approval: Approval) -> None:
        """End the postponement now."""
        self._actions.postpone(approval, None)

    def postpone_again(self, approval: Approval) -> None:
        """Undo `bring_back`: postpone the draft until its earlier time, if it still waits."""
        now = self._approvals.find(approval.approval_id)
        if now is not None and waits_for_operator(now) and now.postponed_until is None:
            self._actions.postpone(now, approval.postponed_until)

    def _take(self, item: Approval) -> None:
        if is_decision_postponed(item, self._clock.now()):
            if self._items.get(item.approval_id) != item:
                self._items[item.approval_id] = item
                self.changed.emit()
        else:
            self._drop(item.approval_id)

    def _learn(self) -> None:
        now = self._clock.now()
        found = {one.approval_id: one for one in self._approvals.items() if is_decision_postponed(one, now)}
        if found != self._items:
            self._items = found
            self.changed.emit()

    def _drop(self, approval_id: ApprovalId) -> None:
        if self._items.pop(approval_id, None) is not None:
            self.changed.emit()

    def _look(self) -> None:
        """Remove the drafts whose time has come."""
        now = self._clock.now()
        over = [key for key, one in self._items.items() if not is_decision_postponed(one, now)]
        for key in over:
            del self._items[key]
        if over:
            self.changed.emit()
