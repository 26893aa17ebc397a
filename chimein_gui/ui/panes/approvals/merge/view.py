"""The comparison of a saved edit with the draft that replaced the original one, and the merged text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from chimein_gui.domain.messages import LONGEST_TEXT, utf16_length
from chimein_gui.domain.text.merge import Change, MergedText, Side
from chimein_gui.ui.panes.approvals.card.section import Box
from chimein_gui.ui.panes.approvals.merge.chooser import Chooser
from chimein_gui.ui.panes.approvals.merge.compared_text import ComparedText, ScrollTogether, format_of
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.saved_edits import as_typed
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.approvals import Approval, SavedEdit
    from chimein_gui.ui.pane import PaneContext

translate = QCoreApplication.translate

FIRST_FROM, FIRST_FROM_HERE = 1200, 560
"""Widths of window and view in px below which the original draft is only a tool tip of the edit's title."""

COLUMN_LEAST, COLUMN_MOST = 84, 196
TIP_CHARACTERS = 1_000


class _Column(Box):
    """One text with a title."""

    def __init__(self, context: PaneContext, title: str, ink: str, use: str = "") -> None:
        super().__init__(context.theme)
        self.title = ElidedLabel(context.theme, title, Face.STRONG, ink)
        self.text = ComparedText(context.theme, title)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        if use:
            self.use = ActionButton(context.theme, use, kind=Kind.LINK)
            self.use.setAccessibleName(f"{use}: {title}")
            head.addWidget(self.use)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 12, 6, 6, 6)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.text, 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumHeight(COLUMN_LEAST)
        self.setMaximumHeight(COLUMN_MOST)


class MergeView(QWidget):
    """Replaces the card's body while the operator compares.

    Attributes:
        left: The comparison was closed; the merged text so far is remembered.
        discard_wanted: Delete the saved edit.
    """

    left = Signal()
    discard_wanted = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._edits, self._actions = context.own(make_approvals).saved_edits, context.models.actions
        self._edit: SavedEdit | None = None
        self._draft: Approval | None = None
        self._result = MergedText("", "", "")
        self._place: int | None = None
        self._unread = False
        self.first = _Column(context, self.tr("First draft"), "text1")
        self.mine = _Column(context, self.tr("Your edit"), "ok", self.tr("Use this"))
        self.theirs = _Column(context, self.tr("New draft"), "info", self.tr("Use this"))
        self.editor = MessageEditor(context.theme, lines=(2, 6))
        self.chooser = Chooser(context)
        self.notice = InlineMessage(context.theme)
        self.approve = ActionButton(
            context.theme, self.tr("Approve result"), icon="check", key="Ctrl ↵", kind=Kind.PRIMARY
        )
        self.discard = ActionButton(context.theme, self.tr("Discard my edit"), kind=Kind.QUIET)
        self.back = ActionButton(context.theme, self.tr("Back"), key="Esc", kind=Kind.QUIET)
        self._open_places = PlainLabel(context.theme, "", Face.SMALL_STRONG, "attention")
        self._count = PlainLabel(context.theme, "", Face.META, "text3")
        self._build()
        self._wire()
        self.hide()

    @property
    def edit(self) -> SavedEdit | None:
        """The compared edit; None while nothing is compared."""
        return self._edit

    def open(self, edit: SavedEdit, draft: Approval) -> None:
        """Compare a saved edit with the draft beside it."""
        self.close_comparison()
        self._edit, self._draft, self._unread = edit, draft, False
        self._actions.begin_edit(draft.chat_id)
        self.editor.set_identity(self._context.models.agents.identity_of(draft.agent_id))
        self._take(self._edits.merging(edit, draft))
        self.show()
        self._focus()

    def close_comparison(self) -> None:
        """Close the comparison; the merged text so far is remembered."""
        if self._draft is not None:
            self._actions.end_edit(self._draft.chat_id)
            self._edits.keep_results()
        self._edit = self._draft = None
        self.hide()

    def refresh(self) -> None:
        """Update the texts, or close the comparison if one of them is gone."""
        if self._edit is None:
            return
        edit = next(
            (one for one in self._edits.edits() if self._edit and one.saved_edit_id == self._edit.saved_edit_id), None
        )
        draft = self._edits.draft_beside(edit) if edit is not None else None
        if edit is None or draft is None or self._draft is None or draft.approval_id != self._draft.approval_id:
            self.left.emit()
            return
        result = self._edits.merging(edit, draft)
        self._edit, self._draft = edit, draft
        if result is not self._result:
            self._unread = True  # a key press that is under way was not meant for this text
            self._take(result)
        self._show_state()

    def go_on(self) -> None:
        """Ask about the next conflict; without one, focus the merged text."""
        place = self._result.next_open(self._place if self._place is not None else -1)
        self._ask(place)
        self._focus()

    def _focus(self) -> None:
        place = self._place
        (self.chooser.buttons[0] if place is not None else self.editor).setFocus()

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        columns = QHBoxLayout()
        columns.setSpacing(14)
        for one in (self.first, self.mine, self.theirs):
            columns.addWidget(one, 1)
        ScrollTogether([one.text for one in (self.first, self.mine, self.theirs)], self)
        head = QHBoxLayout()
        head.addWidget(
            ElidedLabel(self._theme, self.tr("Result, sent after you approve"), Face.SMALL_STRONG, "text2"), 1
        )
        head.addWidget(self._open_places)
        actions = QHBoxLayout()
        actions.setSpacing(7)
        for button in (self.approve, self.discard, self.back):
            actions.addWidget(button)
        actions.addStretch(1)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 22, 12, 20, 13)
        column.setSpacing(9)
        column.addLayout(columns, 3)
        column.addLayout(head)
        column.addWidget(self.editor)
        column.addLayout(self._legend())
        column.addWidget(self.chooser)
        column.addStretch(1)
        column.addWidget(self.notice)
        column.addLayout(actions)
        self.editor.field.setAccessibleName(self.tr("Result, sent after you approve"))

    def _legend(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(16)
        names = (
            ("ok", self.tr("from your edit")),
            ("info", self.tr("from the new draft")),
            ("attention", self.tr("both changed it")),
        )
        for ink, words in names:
            row.addWidget(ElidedLabel(self._theme, words, Face.SMALL, ink))
        row.addStretch(1)
        row.addWidget(self._count)
        return row

    def _wire(self) -> None:
        self.mine.text.taken.connect(lambda place: self._choose(place, Side.MINE))
        self.theirs.text.taken.connect(lambda place: self._choose(place, Side.THEIRS))
        self.mine.use.clicked.connect(lambda: self._choose_all(Side.MINE))
        self.theirs.use.clicked.connect(lambda: self._choose_all(Side.THEIRS))
        self.chooser.chosen.connect(self._choose_asked)
        self.editor.changed.connect(self._typed)
        self.editor.submitted.connect(self._submit)
        self.editor.cancelled.connect(self.left)
        self.approve.clicked.connect(self._submit)
        self.back.clicked.connect(self.left)
        self.discard.clicked.connect(lambda: self.discard_wanted.emit(self._edit))
        self._theme.changed.connect(self._tint)
        for key, do in (("F7", self.go_on), ("Esc", self.left.emit), ("Ctrl+Return", self._submit)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(do)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        wide = self.window().width() >= FIRST_FROM and self.width() >= FIRST_FROM_HERE
        self.first.setVisible(wide)
        tip = foreign_text.tool_tip(self._result.base[:TIP_CHARACTERS])
        self.mine.title.setToolTip("" if wide else tip)
        self.mine.title.setAccessibleDescription(
            "" if wide else self.tr("First draft: {text}").format(text=self._result.base[:TIP_CHARACTERS])
        )

    # --- the result -----------------------------------------------------------------------------------------------

    def _take(self, result: MergedText) -> None:
        self._result, self._place = result, None
        is_first = self._edit is None or result.base == as_typed(self._edit.base)
        self.first.title.setText(self.tr("First draft") if is_first else self.tr("Earlier draft"))
        self.first.text.show_chunks(result.chunks, Side.BASE)
        self.mine.text.show_chunks(result.chunks, Side.MINE)
        self.theirs.text.show_chunks(result.chunks, Side.THEIRS)
        self.editor.set_text(result.text)
        self._fold()
        self._ask(result.next_open(-1))
        self._show_state()

    def _ask(self, place: int | None) -> None:
        self._place = place
        self.chooser.setVisible(place is not None)
        if place is not None:
            self.chooser.ask(self._result.chunks[place])
            cursor = self.editor.field.textCursor()
            cursor.setPosition(self._units(self._result.spans[place][1]))
            self.editor.field.setTextCursor(cursor)

    def _choose_asked(self, side: Side) -> None:
        if self._place is not None:
            self._choose(self._place, side)
            self.go_on()

    def _choose(self, place: int, side: Side) -> None:
        first, last = (self._units(end) for end in self._result.spans[place])
        _start, _end, words = self._result.choose(place, side)
        cursor = QTextCursor(self.editor.field.document())
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(words)
        self._note()

    def _choose_all(self, side: Side) -> None:
        self._result.choose_all(side)
        self.editor.replace_text(self._result.text)
        self._note()

    def _typed(self) -> None:
        if self.editor.text() != self._result.text:
            self._result.typed(self.editor.text())
            self._note()
        elif self._edit is not None:
            self._show_state()

    def _note(self) -> None:
        if self._edit is not None:
            self._edits.note_result(self._edit)
            self._show_state()

    def _submit(self) -> None:
        if self._edit is None or self._draft is None or not self.approve.isEnabled():
            return
        if self._unread:
            self._unread = False
            self._show_state()
            return
        self._edits.apply_result(self._edit, self._draft, self.editor.text())

    # --- contents -------------------------------------------------------------------------------------------------

    def _show_state(self) -> None:
        count = len(self._result.open)
        if self._place is None or self._place not in self._result.open:
            self._ask(self._result.next_open(-1))
        self._open_places.setText(translate("MergeView", "%n place(s) need your choice", "", count) if count else "")
        text = self.editor.text()
        characters = len(text)
        self._count.setText(translate("MergeView", "%Ln character(s)", "", characters))
        why_not = translate("MergeView", "Choose at %n place(s) first", "", count) if count else ""
        if not text.strip():
            why_not = self.tr("No text yet")
        elif len(text) > LONGEST_TEXT:
            why_not = self.tr("The text is too long to send")
        self.approve.allow(why_not)
        self._say()
        self._tint()

    def _say(self) -> None:
        draft, edit = self._draft, self._edit
        if draft is None or edit is None:
            return
        explanation = self._actions.explanation_of(draft.approval_id)
        if self._unread:
            explanation = self.tr("The new draft has changed. Read the result, then approve it again.")
        elif self._edits.asks_again(edit):
            explanation = explanation or self.tr("The conversation has changed. Approve again to send the result.")
        self.notice.say(IconLabel("warning", explanation, "attention") if explanation else None)

    def _tint(self) -> None:
        made = []
        document = self.editor.field.document()
        for place in self._result.changes():
            change = self._result.chunks[place].change
            first, last = self._result.spans[place]
            chosen = self._result.text[first:last]
            if change is Change.CONFLICT and place not in self._result.open:
                chunk = self._result.chunks[place]
                change = {chunk.mine: Change.MINE, chunk.theirs: Change.THEIRS}.get(chosen, Change.AGREED)
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(document)
            end = document.characterCount() - 1
            cursor.setPosition(min(self._units(first), end))
            cursor.setPosition(min(self._units(last), end), QTextCursor.MoveMode.KeepAnchor)
            selection.cursor = cursor
            selection.format = format_of(self._theme, change)
            made.append(selection)
        self.editor.field.setExtraSelections(made)
        self.editor.field.horizontalScrollBar().setValue(0)  # moving the cursor has scrolled the field sideways

    def _units(self, place: int) -> int:
        """Convert an index in characters to UTF-16 units, which Qt counts."""
        return utf16_length(self._result.text[:place])
