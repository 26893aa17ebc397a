"""Texts shown beside a draft: saved edits of replaced drafts, and an approved draft that was replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.approvals.card.changed_block import ThemedIcon
from chimein_gui.ui.panes.approvals.card.section import SoftBlock
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.text.wrapped_text import WrappedText
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.card_words import card_text
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval, SavedEdit
    from chimein_gui.ui.pane import PaneContext

MOST_SHOWN = 700


class _Kept(SoftBlock):
    """One text with two or three buttons; a section of the card, whose text or differences may be long."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "info_soft", "line")
        theme = context.theme
        self._title = PlainLabel(theme, "", Face.STRONG, "info")
        self._title.setWordWrap(True)
        self.text = WrappedText(theme)
        self.diff = WordDiff(theme)
        self.compare = ActionButton(theme, "", kind=Kind.PLAIN)
        self.use = ActionButton(theme, "", kind=Kind.PLAIN)
        self.drop = ActionButton(theme, "", kind=Kind.QUIET)
        self._do: tuple[Callable[[], None], Callable[[], None]] | None = None
        self._do_compare: Callable[[], None] | None = None
        self.compare.clicked.connect(self._press_compare)
        self.use.clicked.connect(lambda: self._press(0))
        self.drop.clicked.connect(lambda: self._press(1))
        head = QHBoxLayout()
        head.setSpacing(9)
        head.addWidget(ThemedIcon(theme, "disk", "info", 18))
        head.addWidget(self._title, 1)
        actions = QHBoxLayout()
        actions.setSpacing(7)
        actions.addWidget(self.compare)
        actions.addWidget(self.use)
        actions.addWidget(self.drop)
        actions.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 11, 22, 12)
        column.setSpacing(7)
        column.addLayout(head)
        column.addWidget(self.text)
        column.addWidget(self.diff)
        column.addLayout(actions)

    def say(
        self,
        title: str,
        text: str,
        base: str,
        words: tuple[str, str],
        do: tuple[Callable[[], None], Callable[[], None]],
        compare: tuple[str, Callable[[], None]] | None = None,
    ) -> None:
        """Show a text, as differences to `base` if that is not empty."""
        self._do_compare = compare[1] if compare is not None else None
        self.compare.setText(compare[0] if compare is not None else "")
        self.compare.updateGeometry()
        self.compare.setVisible(compare is not None)
        self._title.setText(title)
        self.setAccessibleName(f"{title}: {text[:MOST_SHOWN]}")
        self.text.setVisible(not base)
        self.diff.setVisible(bool(base))
        if base:
            self.diff.compare(base[:MOST_SHOWN], text[:MOST_SHOWN])
        else:
            self.text.set_text(text[:MOST_SHOWN])
        for button, word in ((self.use, words[0]), (self.drop, words[1])):
            button.set_look(word, kind=Kind.PLAIN if button is self.use else Kind.QUIET)
            button.setAccessibleName(f"{word}: {text[:60]}")
        self._do = do

    def _press_compare(self) -> None:
        if self._do_compare is not None:
            self._do_compare()

    def _press(self, place: int) -> None:
        if self._do is not None:
            self._do[place]()


class KeptBlock(SoftBlock):
    """All texts beside the draft of the open card; hidden if there are none.

    Attributes:
        refreshed: The texts were updated.
        compare_wanted: Compare this saved edit with the draft.
    """

    refreshed = Signal()
    compare_wanted = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "info_soft", "line")
        self._context = context
        self._kept: list[_Kept] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._chat_id: object = None
        self._approval: Approval | None = None
        self._has_any = self._is_covered = False
        models = context.models
        self._edits = models.own(make_approvals).saved_edits
        self._edits.changed.connect(self._refresh)
        models.approvals.recent.set_aside_changed.connect(lambda _chats: self._refresh())
        self.hide()

    def show_card(self, approval: Approval | None) -> None:
        """Show the texts for the chat of a card; None shows none."""
        self._approval = approval
        chat_id = approval.chat_id if approval is not None else None
        if chat_id != self._chat_id:
            self._chat_id = chat_id
            self._edits.open(chat_id)
        self._refresh()

    def cover(self, *, covered: bool) -> None:
        """Hide the block during a comparison, or show it again."""
        self._is_covered = covered
        self.setVisible(self._has_any and not covered)

    def discard(self, edit: SavedEdit) -> None:
        """Delete a saved edit; the toast has a button that restores it."""
        self._edits.discard(edit)
        words, undo = self.tr("Your edit was discarded"), self.tr("Undo")
        self._context.models.toasts.show(words, undo, lambda: self._edits.restore(edit), icon="trash", token="text2")

    def _refresh(self) -> None:
        approval = self._approval
        edits = self._edits.edits() if approval is not None else ()
        set_aside = self._context.models.approvals.recent.set_aside_of(approval.chat_id) if approval is not None else ()
        shown = [edit for edit in edits if approval is not None and edit.paired_with in (None, approval.approval_id)]
        while len(self._kept) < len(shown) + len(set_aside):
            self._kept.append(_Kept(self._context))
            self._column.addWidget(self._kept[-1])
        for place, kept in enumerate(self._kept):
            kept.setVisible(place < len(shown) + len(set_aside))
        for kept, edit in zip(self._kept, shown, strict=False):
            self._show_edit(kept, edit)
        for kept, aside in zip(self._kept[len(shown) :], set_aside, strict=False):
            self._show_aside(kept, aside)
        self._has_any = bool(shown or set_aside)
        self.setVisible(self._has_any and not self._is_covered)
        self.refreshed.emit()

    def _show_edit(self, kept: _Kept, edit: SavedEdit) -> None:
        beside = self._edits.draft_beside(edit) is not None
        title = self.tr("Edit saved: a new plan replaced its draft")
        use = self.tr("Apply to the new draft") if beside else self.tr("Use as message")
        if not beside:
            title = self.tr("Edit saved; it has no draft any more")
        elif self._edits.continues(edit):
            title, use = self.tr("Edit saved for this draft"), self.tr("Approve my text")
        if self._edits.asks_again(edit):
            use = self.tr("Press again to send anyway")
        do = (lambda: self._edits.use(edit), lambda: self.discard(edit))
        compare = (self.tr("Compare…"), lambda: self.compare_wanted.emit(edit)) if beside else None
        compare = None if self._edits.continues(edit) else compare
        kept.say(title, edit.mine, edit.base, (use, self.tr("Discard")), do, compare)

    def _show_aside(self, kept: _Kept, aside: Approval) -> None:
        models = self._context.models
        observed = aside.task_status is TaskStatus.OBSERVED
        title = self.tr("Not sent (observe only)") if observed else self.tr("You approved this; it was replaced")
        use = self.tr("Send this one") if observed else self.tr("Send anyway")
        do = (lambda: models.draft_commands.resend(aside), lambda: models.approvals.dismiss(aside.approval_id))
        kept.say(title, card_text(aside), "", (use, self.tr("Dismiss")), do)
