"""Views that temporarily replace a card's body and buttons: the comparison of an edit, or the versions side by side."""

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
    """Shows one of two views instead of the body.

    Attributes:
        changed: The body was replaced or restored.
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
        """Start with the body.

        Args:
            context: Models and colours.
            body: The body; it gets the focus back from the view that replaced it.
            kept: The saved edits above the body, which are hidden meanwhile.
            variants: The row with the other versions.
            merge: The comparison of a saved edit.
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
        """Whether the body is replaced."""
        return self._shown is not None

    def show_card(self, approval: Approval | None) -> None:
        """Switch to a card; a view that belongs to another card is closed."""
        same = self._approval and approval and self._approval.approval_id == approval.approval_id
        self._approval = approval
        if not same:
            self.leave()

    def show_versions(self) -> None:
        """Show the versions of the plan side by side; do nothing if there is only the draft."""
        approval = self._approval
        if approval is not None and self._variants.has_any:
            self._show(self._versions)
            self._versions.open(self._variants.variants, self._drafts(approval), self._variants.current)

    def refresh_versions(self) -> None:
        """Update the versions, if they are shown."""
        if self._shown is self._versions and self._approval is not None:
            self._versions.refresh(self._variants.variants, self._drafts(self._approval))

    def leave(self) -> None:
        """Restore the body."""
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
        """Show a saved edit with its original draft and the new draft."""
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
