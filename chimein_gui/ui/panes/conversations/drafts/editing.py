"""The draft editor in the conversation: it is shown in the draft that is edited, and stays if that is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from chimein_gui.ui.draft_editor.editor import DraftEditor
from chimein_gui.ui.draft_editor.fields import Task, move_into
from chimein_gui.ui.draft_editor.leaving import save_and_close
from chimein_gui.ui.requests import EditInChat
from chimein_gui.viewmodels.approvals.card_words import has_text
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.drafts.open_editor import EditorPlace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.conversations.drafts.draft import DraftBubble


class DraftEditing(QObject):
    """Moves the window's draft editor into a draft of the open chat, and releases it.

    Attributes:
        fits: The needed height has changed.
    """

    fits = Signal()

    def __init__(
        self,
        context: PaneContext,
        strip: QScrollArea,
        column: QVBoxLayout,
        bubbles: Callable[[], tuple[DraftBubble, ...]],
        focus_after: QWidget | None,
    ) -> None:
        """Start without the editor.

        Args:
            context: Shares the editor.
            strip: The scroll area with the drafts.
            column: Layout for the editor if its draft was removed.
            bubbles: Returns the visible drafts.
            focus_after: Gets the focus when the editor closes and its draft was removed; None for `strip`.
        """
        super().__init__(strip)
        self._context, self._strip, self._column = context, strip, column
        self._bubbles, self._focus_after = bubbles, focus_after or strip
        self._editor: DraftEditor | None = None
        self._holder: DraftBubble | None = None
        self._left: DraftBubble | None = None

    @property
    def alone(self) -> QWidget | None:
        """The editor if its draft was removed, else None."""
        return self._editor if self.is_open and self._holder is None else None

    @property
    def is_open(self) -> bool:
        """Whether the editor is open in the open chat."""
        return self._editor is not None and not self._editor.isHidden() and self._is_here(self._editor)

    def open(self, task: Task, draft: Approval) -> None:
        """Edit a draft, or ask why it is rejected; do nothing if the open chat does not show it."""
        editor, shown = self._editor, (one for one in self._bubbles() if one.approval is not None)
        holder = next((one for one in shown if one.approval.approval_id == draft.approval_id), None)  # type: ignore[union-attr]
        if holder is None:
            return
        if editor is None:
            editor = self._editor = self._context.shared(DraftEditor)
            editor.opened.connect(self._follow)
            editor.left.connect(self._leave)
            editor.fields.resized.connect(self._resize)
        self._hold(editor, holder)
        if task is Task.EDIT:
            editor.edit(draft, EditorPlace.CHAT)
        else:
            editor.ask(task, draft, EditorPlace.CHAT)
        self._resize()

    def edit(self, approval_id: ApprovalId) -> None:
        """Edit a draft if it still waits and has a text."""
        draft = self._context.models.approvals.find(approval_id)
        if draft is not None and waits_for_operator(draft) and has_text(draft):
            self.open(Task.EDIT, draft)

    def close_elsewhere(self, chat_id: ChatId | None = None) -> None:
        """Save and close the editor, unless its draft belongs to this chat: another chat is shown."""
        editor = self._editor
        if editor is None or not self._is_here(editor) or editor.target is None:
            return
        if editor.target.chat_id != chat_id:
            save_and_close(editor, self._context, lambda card: EditInChat(card.chat_id, card.approval_id))

    def rescue(self, gone: QWidget) -> None:
        """Take the editor out of a draft that is removed; the typed text is kept."""
        if self._editor is not None and gone is self._holder:
            self._hold(self._editor, None)

    def show_in(self, drafts: Mapping[ApprovalId, DraftBubble], chat_id: ChatId | None) -> None:
        """Move the editor into the edited draft if it is among these, else show it in the chat of its removed draft."""
        editor = self._editor
        if editor is None or editor.target is None or not self._is_here(editor):
            return
        is_chat = editor.target.chat_id == chat_id
        holder = drafts.get(editor.target.approval_id)
        if is_chat and holder is not self._holder:
            self._hold(editor, holder)
        if editor.isHidden() is is_chat:
            editor.setVisible(is_chat)

    def _is_here(self, editor: DraftEditor) -> bool:
        return editor.target is not None and self._context.models.open_editor.place is EditorPlace.CHAT

    def _hold(self, editor: DraftEditor, holder: DraftBubble | None) -> None:
        before, self._holder = self._holder, holder
        if holder is not None:
            holder.take_editor(editor)
            editor.fields.set_margins(0, 0, has_ground=False)
        else:
            move_into(editor, self._column)
            editor.fields.set_margins(14, 14)
            self._column.setAlignment(editor, Qt.AlignmentFlag(0))
        if before is not None and before is not holder:
            before.take_editor(None)

    def _follow(self) -> None:
        """Update after the editor was opened on another card, moved elsewhere, or closed."""
        editor, holder = self._editor, self._holder
        if editor is None:
            return
        here = self._is_here(editor)
        if not here:
            self._holder, self._left = None, holder
        if not here and holder is not None and holder.isAncestorOf(editor):
            editor.setParent(self._strip)  # it is closed, and must not be deleted with the draft
        if holder is not None:
            holder.take_editor(editor if here else None)
        self.fits.emit()

    def _leave(self) -> None:
        """Focus the draft's buttons after the editor was closed with the focus in it."""
        if self._context.models.open_editor.place is EditorPlace.CHAT:
            draft = self._left
            if draft is None or not draft.buttons.go_in():
                self._focus_after.setFocus()

    def _resize(self) -> None:
        self.fits.emit()
        if self._editor is not None and self._editor.isVisible():
            self._strip.ensureWidgetVisible(self._editor, 0, 16)  # with the margin of its draft
