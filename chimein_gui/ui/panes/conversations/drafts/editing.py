"""The editor of drafts in the conversation: it stands in the draft that it is open on, and outlives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from chimein_gui.ui.draft_editor.editor import DraftEditor, Task
from chimein_gui.ui.draft_editor.leaving import put_away
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
    """Takes the editor of the window into a draft of the open chat, and lets go of it.

    Attributes:
        fits: What is shown needs another height.
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
        """Begin without it.

        Args:
            context: Where the editor is.
            strip: Holds the drafts.
            column: Where a text stands whose draft has gone.
            bubbles: Returns the drafts in sight.
            focus_after: What gets the focus when a text closes whose draft has gone.
        """
        super().__init__(strip)
        self._context, self._strip, self._column = context, strip, column
        self._bubbles, self._focus_after = bubbles, focus_after or strip
        self._editor: DraftEditor | None = None
        self._holder: DraftBubble | None = None
        self._left: DraftBubble | None = None

    @property
    def alone(self) -> QWidget | None:
        """The editor where it stands in no draft, because its own has gone."""
        return self._editor if self.is_open and self._holder is None else None

    @property
    def is_open(self) -> bool:
        """Tell whether one types in the open chat."""
        return self._editor is not None and not self._editor.isHidden() and self._is_here(self._editor)

    def open(self, task: Task, draft: Approval) -> None:
        """Edit a draft in its place, or ask why it is rejected; nothing if the open chat does not show it."""
        editor, shown = self._editor, (one for one in self._bubbles() if one.approval is not None)
        holder = next((one for one in shown if one.approval.approval_id == draft.approval_id), None)  # type: ignore[union-attr]
        if holder is None:
            return
        if editor is None:
            editor = self._editor = self._context.shared(DraftEditor)
            editor.opened.connect(self._follow)
            editor.left.connect(self._leave)
            editor.resized.connect(self._resize)
        self._hold(editor, holder)
        if task is Task.EDIT:
            editor.edit(draft, EditorPlace.CHAT)
        else:
            editor.ask(task, draft, EditorPlace.CHAT)
        self._resize()

    def edit(self, approval_id: ApprovalId) -> None:
        """Edit a draft in its place, if it still waits and has a text."""
        draft = self._context.models.approvals.find(approval_id)
        if draft is not None and waits_for_operator(draft) and has_text(draft):
            self.open(Task.EDIT, draft)

    def let_go(self, chat_id: ChatId | None = None) -> None:
        """The chat goes out of sight, unless it is this one: what was typed is kept on its card."""
        editor = self._editor
        if editor is None or not self._is_here(editor) or editor.target is None:
            return
        if editor.target.chat_id != chat_id:
            put_away(editor, self._context, lambda card: EditInChat(card.chat_id, card.approval_id))

    def rescue(self, gone: QWidget) -> None:
        """A draft goes: what is typed on it stays."""
        if self._editor is not None and gone is self._holder:
            self._hold(self._editor, None)

    def show_in(self, drafts: Mapping[ApprovalId, DraftBubble], chat_id: ChatId | None) -> None:
        """Stand in the draft that is edited, if it is among these; a text whose draft has gone stands in its chat."""
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
            editor.set_margins(0, 0, has_ground=False)
        else:
            editor.move_into(self._column)
            editor.set_margins(14, 14)
            self._column.setAlignment(editor, Qt.AlignmentFlag(0))
        if before is not None and before is not holder:
            before.take_editor(None)

    def _follow(self) -> None:
        """The editor is open on something else, elsewhere, or closed."""
        editor, holder = self._editor, self._holder
        if editor is None:
            return
        here = self._is_here(editor)
        if not here:
            self._holder, self._left = None, holder
        if not here and holder is not None and holder.isAncestorOf(editor):
            editor.setParent(self._strip)  # it is closed: the draft may go at any time, and the editor must not
        if holder is not None:
            holder.take_editor(editor if here else None)
        self.fits.emit()

    def _leave(self) -> None:
        """The editor had the focus when it closed: back to what can be done with its draft."""
        if self._context.models.open_editor.place is EditorPlace.CHAT:
            draft = self._left
            if draft is None or not draft.buttons.go_in():
                self._focus_after.setFocus()

    def _resize(self) -> None:
        self.fits.emit()
        if self._editor is not None and self._editor.isVisible():
            self._strip.ensureWidgetVisible(self._editor, 0, 16)  # with the edge of its draft
