"""What stands in the place of a card's body and verbs for a while: a comparison, or the versions side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.approvals import Approval, SavedEdit
    from chimein_gui.domain.cards import Variant
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.approvals.card.kept_block import KeptBlock
    from chimein_gui.ui.panes.approvals.card.variants_row import VariantsRow
    from chimein_gui.ui.panes.approvals.merge.view import MergeView
    from chimein_gui.ui.panes.approvals.versions.view import VersionsView


class BodyCover(QObject):
    """Lets one of two views take the place of the body.

    Attributes:
        changed: The body is covered, or back.
    """

    changed = Signal()

    def __init__(
        self,
        context: PaneContext,
        body: QWidget,
        kept: KeptBlock,
        variants: VariantsRow,
        merge: MergeView,
        versions: VersionsView,
    ) -> None:
        """Begin with the body.

        Args:
            context: Reads the card, and carries a choice out.
            body: What is covered; it takes the focus that was in what covered it.
            kept: The kept edits above the body, which give their room away.
            variants: The versions that there are.
            merge: The comparison of a kept edit.
            versions: The versions side by side.
        """
        super().__init__(body)
        self._models = context.models
        self._body, self._kept, self._variants = body, kept, variants
        self._merge, self._versions = merge, versions
        self._approval: Approval | None = None
        self._shown: QWidget | None = None
        merge.left.connect(self.leave)
        versions.left.connect(self.leave)
        versions.chosen.connect(self._use_version)
        kept.compare_wanted.connect(self._compare)

    @property
    def is_shown(self) -> bool:
        """Tell whether something covers the body."""
        return self._shown is not None

    def show_card(self, approval: Approval | None) -> None:
        """Belong to a card; what covered another one goes."""
        same = self._approval and approval and self._approval.approval_id == approval.approval_id
        self._approval = approval
        if not same:
            self.leave()

    def show_versions(self) -> None:
        """Show the versions of the plan side by side; nothing happens while there is only the draft."""
        approval = self._approval
        if approval is not None and self._variants.has_any:
            self._show(self._versions)
            self._versions.open(self._variants.variants, self._drafts(approval), self._variants.current)

    def refresh_versions(self) -> None:
        """Show the versions that there are by now, if they are shown."""
        if self._shown is self._versions and self._approval is not None:
            self._versions.refresh(self._variants.variants, self._drafts(self._approval))

    def leave(self) -> None:
        """Bring the body back."""
        cover, self._shown = self._shown, None
        if cover is None:
            return
        had_focus = cover.isAncestorOf(cover.window().focusWidget() or self._body)
        self._merge.close_comparison()
        self._versions.hide()
        self._kept.cover(covered=False)
        self._body.show()
        self.changed.emit()
        if had_focus:
            self._body.setFocus()

    def _show(self, cover: QWidget) -> None:
        self.leave()
        self._shown = cover
        self._body.hide()
        self._kept.cover(covered=True)
        self.changed.emit()

    def _compare(self, edit: SavedEdit) -> None:
        """Show a kept edit, what it was made from and the new draft."""
        draft = self._models.own(make_approvals).saved_edits.draft_beside(edit)
        if draft is not None and self._approval is not None and draft.approval_id == self._approval.approval_id:
            self._show(self._merge)
            self._merge.open(edit, draft)

    def _drafts(self, approval: Approval) -> tuple[Approval, ...]:
        return self._models.card.rest_of_plan(approval) or (approval,)

    def _use_version(self, variant: Variant | None) -> None:
        self.leave()
        if variant is None:
            self._variants.show_draft()
        elif self._approval is not None:
            self._models.regenerations.choose(self._approval, variant)
