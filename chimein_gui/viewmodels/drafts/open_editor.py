"""The place where the text of a planned send is being edited: a window has one editor, so there is only one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ApprovalId


class EditorPlace(StrEnum):
    """The places of the editor."""

    APPROVALS = "approvals"
    CHAT = "chat"


class OpenEditor(QObject):
    """Holds which card is being edited; the editor sets it, and views of a card read it.

    Attributes:
        changed: `edited` or `place` changed.
        place: Where the editor is, or was last.
        edited: The card that is being edited; None if there is none.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.place = EditorPlace.APPROVALS
        self.edited: ApprovalId | None = None

    def tell(self, edited: ApprovalId | None, place: EditorPlace) -> None:
        """Set the edited card (None for none) and the editor's place."""
        before, self.edited, self.place = (self.edited, self.place), edited, place
        if before != (edited, place):
            self.changed.emit()

    def is_elsewhere(self, approval_id: ApprovalId, here: EditorPlace) -> bool:
        """Tell whether a card is being edited at another place than this one."""
        return self.edited == approval_id and self.place is not here

    def words(self, approval_id: ApprovalId, here: EditorPlace) -> str:
        """Return where a card is being edited, in words; empty if that is here or nowhere."""
        if not self.is_elsewhere(approval_id, here):
            return ""
        if self.place is EditorPlace.CHAT:
            return self.tr("Being edited in the conversation")
        return self.tr("Being edited in Approvals")
