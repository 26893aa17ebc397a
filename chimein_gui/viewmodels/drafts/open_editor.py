"""Where the text of a planned send is being edited: a window has one editor, so it is open in one place only."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ApprovalId


class EditorPlace(StrEnum):
    """Where an editor can stand."""

    APPROVALS = "approvals"
    CHAT = "chat"


class OpenEditor(QObject):
    """The editor tells it; whoever shows a card asks it.

    Attributes:
        changed: Another card is edited, or none, or it is edited elsewhere.
        place: Where the editor is, or was last.
        edited: The card whose text is open; None if there is none.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.place = EditorPlace.APPROVALS
        self.edited: ApprovalId | None = None

    def tell(self, edited: ApprovalId | None, place: EditorPlace) -> None:
        """The editor is open on this card, at this place; None: on the text of no card."""
        before, self.edited, self.place = (self.edited, self.place), edited, place
        if before != (edited, place):
            self.changed.emit()

    def is_elsewhere(self, approval_id: ApprovalId, here: EditorPlace) -> bool:
        """Tell whether a card's text is open in another place than this one."""
        return self.edited == approval_id and self.place is not here

    def words(self, approval_id: ApprovalId, here: EditorPlace) -> str:
        """Say where a card's text is open, if that is not here; empty otherwise."""
        if not self.is_elsewhere(approval_id, here):
            return ""
        if self.place is EditorPlace.CHAT:
            return self.tr("Being edited in the conversation")
        return self.tr("Being edited in Approvals")
