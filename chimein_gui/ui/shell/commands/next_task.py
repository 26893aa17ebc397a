"""Goes from one item that needs the operator to the next (Ctrl+Shift+J)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.ui.requests import ShowDraft
from chimein_gui.viewmodels.approvals.store import waits_for_operator

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.ui.shell.context import ShellContext


class NextTask(QObject):
    """Cycles through the approvals that wait, oldest first."""

    def __init__(self, window: ShellContext) -> None:
        super().__init__(window)
        self._window = window
        self._last: ApprovalId | None = None

    def go(self) -> None:
        """Show the next waiting approval; without any, focus the visible problem bar, or say that none waits."""
        approvals = self._window.models.approvals
        waiting = [item.approval_id for item in approvals.items() if waits_for_operator(item)]
        if waiting:
            place = waiting.index(self._last) + 1 if self._last in waiting else 0
            self._last = waiting[place % len(waiting)]
            self._window.requests.send(ShowDraft(self._last))
            return
        if self._window.models.bars.current() is not None:
            self._window.fault_bar.enter()
            return
        self._window.models.toasts.show(self.tr("Nothing to approve"), icon="approvals")
