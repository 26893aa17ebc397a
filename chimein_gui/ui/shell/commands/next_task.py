"""Goes from one item that needs the operator to the next (Ctrl+Shift+J)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.ui.requests import ShowDraft
from chimein_gui.viewmodels.approvals.store import waits_for_operator

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.ui.shell.bars.fault_bar import FaultBar
    from chimein_gui.ui.shell.context import ShellContext


class NextTask(QObject):
    """Cycles through the approvals that wait, oldest first."""

    def __init__(self, shell: ShellContext, fault_bar: FaultBar) -> None:
        super().__init__(shell.window)
        self._shell, self._fault_bar = shell, fault_bar
        self._last: ApprovalId | None = None

    def go(self) -> None:
        """Show the next waiting approval; without any, focus the visible problem bar, or say that none waits."""
        approvals = self._shell.models.approvals
        waiting = [item.approval_id for item in approvals.items() if waits_for_operator(item)]
        if waiting:
            place = waiting.index(self._last) + 1 if self._last in waiting else 0
            self._last = waiting[place % len(waiting)]
            self._shell.requests.send(ShowDraft(self._last))
            return
        if self._shell.models.bars.current() is not None:
            self._fault_bar.enter()
            return
        self._shell.models.toasts.show(self.tr("Nothing to approve"), icon="approvals")
