"""Decides on all waiting sends of a plan at once, and says which can't be approved together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.rows.in_view import InViewGuard
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QHideEvent, QShowEvent

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.approvals.card.send_preview import SendPreview
    from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
    from chimein_gui.viewmodels.approvals.batch import Sorted

translate = QCoreApplication.translate


def approve_words(found: Sorted, rest: Sequence[Approval]) -> str:
    """Return the text of the button that approves the waiting sends of a plan."""
    ready, whole = len(found.ready), len(rest)
    if ready in (0, whole):
        return translate("PlanRow", "Approve all %n", "", whole)
    return translate("PlanRow", "Approve {ready} of {all}").format(ready=ready, all=whole)


def reject_words(found: Sorted, rest: Sequence[Approval]) -> str:
    """Return the text of the button that rejects those of the waiting sends of a plan that were read."""
    ready, whole = len(found.read), len(rest)
    if ready in (0, whole):
        return translate("PlanRow", "Reject all %n", "", whole)
    return translate("PlanRow", "Reject {ready} of {all}").format(ready=ready, all=whole)


class PlanRow(QWidget):
    """Two buttons, hidden while the plan has only one waiting send."""

    def __init__(
        self,
        context: PaneContext,
        preview: SendPreview,
        keys: SingleKeyShortcuts,
        is_preview_in_view: Callable[[], bool],
    ) -> None:
        """Create hidden buttons.

        Args:
            context: Models and colours.
            preview: Shows the further steps of the plan.
            keys: Shortcuts that work while one of the buttons has the focus.
            is_preview_in_view: Returns whether the end of the preview is visible.
        """
        super().__init__()
        self._models, self._preview = context.models, preview
        self._batch = context.own(make_approvals).batch
        self._approval: Approval | None = None
        self._why_not = ""
        self._rest: tuple[Approval, ...] = ()
        self.approve = ActionButton(context.theme, "", icon="check", kind=Kind.PLAIN)
        self.reject = ActionButton(context.theme, "", icon="x", kind=Kind.PLAIN)
        self._kept = ElidedLabel(context.theme, "", Face.SMALL_STRONG, "attention")
        self._kept.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        row.addWidget(self.approve)
        row.addWidget(self.reject)
        row.addWidget(self._kept, 1)
        for button in (self.approve, self.reject):
            keys.watch(button)
        self.approve.clicked.connect(lambda: self._batch.approve(self._rest))
        self.reject.clicked.connect(lambda: self._batch.reject(self._rest))
        self._batch.changed.connect(self._show)
        # A separate guard: the card's text can also be read in the list, and the further texts change independently.
        self._guard = InViewGuard(is_preview_in_view, self)
        self._guard.was_read.connect(self._note_steps)
        self.hide()

    def show_card(self, approval: Approval | None, why_not: str = "") -> None:
        """Show the buttons for the plan of a card.

        Args:
            approval: The card; None hides the buttons.
            why_not: Why nothing can be approved now; empty if it can.
        """
        self._approval, self._why_not = approval, why_not
        self._show()

    def look(self) -> None:
        """Check again whether the end of the preview is visible."""
        self._guard.look((self._preview.steps or None) if self.isVisible() else None)

    def note_read(self) -> None:
        """Update the buttons: the card was read to its end, and perhaps the further steps in the preview, too."""
        self._guard.tell_read()
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.look()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def _note_steps(self, steps: tuple[tuple[ApprovalId, int], ...]) -> None:
        for approval_id, version in steps:
            self._batch.note_read(approval_id, version)
        self._show()

    def _show(self) -> None:
        if self._approval is None:
            self.hide()
            return
        batch = self._batch
        self._rest = rest = self._models.card.rest_of_plan(self._approval)
        self.setVisible(len(rest) > 1)
        if len(rest) > 1:
            found = batch.sort(rest)
            self.approve.set_look(approve_words(found, rest), icon="check")
            self.reject.set_look(reject_words(found, rest), icon="x")
            busy = self.tr("Saving your decision…") if batch.is_busy else ""
            self.approve.allow(busy or self._why_not or ("" if found.ready else found.words()))
            self.reject.allow(busy or ("" if found.read else found.words()))
            self._kept.setText(found.words())
