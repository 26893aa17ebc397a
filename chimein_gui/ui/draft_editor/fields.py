"""The widgets of the draft editor and their texts; their behaviour is in `editor`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.messages import LONGEST_TEXT, MAX_MESSAGE_UNITS, utf16_length
from chimein_gui.domain.replies.splitting import split
from chimein_gui.domain.tasks import ApprovalState
from chimein_gui.engine.text.markdown import formatted
from chimein_gui.ui.draft_editor.banner import Banner
from chimein_gui.ui.draft_editor.causes import Causes
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.controls.overflow import Overflow
from chimein_gui.ui.widgets.controls.spoken_role import spoken
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.approvals.store import waits_for_operator

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.approvals import Approval

translate = QCoreApplication.translate

DIFF_MS = 150
"""Time after the last key until the differences are updated, ms."""

DIFF_HEIGHT = 110
BUTTON_GAP = 7


class Task(StrEnum):
    """What kind of text is typed."""

    EDIT = "edit"
    REASON = "reason"
    PLAN_REASON = "plan reason"
    INSTRUCTION = "instruction"


class DraftEditorFields(Footer):
    """Title, text field, differences to the draft, and buttons.

    Attributes:
        resized: The preferred height may have changed.
    """

    resized = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._task = Task.EDIT
        self._title = ElidedLabel(theme, "", Face.SMALL_STRONG, "text2")
        self._back = ActionButton(theme, self.tr("Restore draft"), kind=Kind.LINK)
        self._banner = Banner(theme)
        self._editor = MessageEditor(theme, lines=(4, 9))
        self._hint = ElidedLabel(theme, "", Face.META, "text3")
        self._count = PlainLabel(theme, "", Face.META, "text3")
        self._submit = ActionButton(theme, "", icon="check", key="Ctrl ↵", kind=Kind.PRIMARY)
        self._plain = ActionButton(theme, "", key="R")
        self._plain_again = ActionButton(theme, self.tr("No instruction"), key="G")
        self._plain_again.setAccessibleName(self.tr("Regenerate, no instruction"))
        self._causes = Causes(theme)
        self._cancel = ActionButton(theme, self.tr("Close"), key="Esc", kind=Kind.QUIET)
        self.diff = WordDiff(theme)
        self._changed_words = PlainLabel(theme, self.tr("Changes"), Face.META, "text3")
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(DIFF_MS)
        self._build()

    def text(self) -> str:
        """Return the text of the field."""
        return self._editor.text()

    def _own_text(self, original: str) -> str:
        """Return the text of the field if the operator typed it; empty for an unchanged draft."""
        text = self._editor.text()
        return text if text.strip() and (self._task is not Task.EDIT or text != original) else ""

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._back)
        under = QHBoxLayout()
        under.addWidget(self._hint, 1)
        under.addWidget(self._count)
        self._changes = QWidget()
        changes = QVBoxLayout(self._changes)
        changes.setContentsMargins(2, 0, 2, 2)
        changes.setSpacing(4)
        changes.addWidget(self._changed_words)
        box = ScrollBox(self.diff)
        box.setMaximumHeight(DIFF_HEIGHT)
        changes.addWidget(box)
        self._changes.hide()
        actions = QHBoxLayout()
        actions.setSpacing(BUTTON_GAP)
        for button in (self._submit, self._plain, self._plain_again, self._cancel):
            actions.addWidget(button)
        actions.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 10, 14, 12)
        self._column.setSpacing(7)
        self._column.addLayout(head)
        self._column.addWidget(self._banner)
        self._column.addWidget(self._causes)
        self._column.addWidget(self._editor)
        self._column.addLayout(under)
        self._column.addWidget(self._changes)
        self._column.addLayout(actions)

    def set_margins(self, left: int, right: int, *, has_ground: bool = True) -> None:
        """Align with the surrounding widgets, with an own background or that of the draft that contains the editor."""
        set_rtl_margins(self._column, left, 10 if has_ground else 0, right, 12 if has_ground else 0)
        self.set_ground("card" if has_ground else "")
        self.set_top_line("line_strong" if has_ground else "")

    @property
    def field(self) -> QWidget:
        """The text field."""
        return self._editor.field

    def stations(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order."""
        actions = (self._submit, self._plain, self._plain_again, self._cancel)
        return self._back, *self._banner.buttons(), *self._causes.buttons(), self._editor.field, *actions

    def move_into(self, place: QBoxLayout, at: int = -1, focus: QWidget | None = None) -> None:
        """Move into another layout; text, cursor, undo history and focus are kept.

        Args:
            place: The layout.
            at: Index in the layout; -1 appends.
            focus: The widget that had the focus before anything was hidden; None for the one that has it now.
        """
        focus = focus or self.window().focusWidget() or self.window()
        typing = self.isAncestorOf(focus)
        shown = not self.isHidden()
        place.insertWidget(at, self)
        self.setVisible(shown)
        if typing:
            focus.setFocus()

    def _dress(self, task: Task, approval: Approval) -> None:
        """Set title, hints and buttons for a task on a card."""
        edit, asks = task is Task.EDIT, task is Task.INSTRUCTION
        who = foreign_text.isolated(approval.chat_title)
        agent = foreign_text.isolated(approval.agent_name)
        title = {
            Task.EDIT: self.tr("Your text, {agent} to {who}"),
            Task.REASON: self.tr("Reject, {agent} to {who}"),
            Task.PLAN_REASON: self.tr("Reject the whole plan, {agent} to {who}"),
            Task.INSTRUCTION: self.tr("Plan again, {agent} to {who}"),
        }[task]
        self._title.setText(title.format(agent=agent, who=who))
        names = {
            Task.REASON: self.tr("Reason, optional, {agent} to {who}"),
            Task.PLAN_REASON: self.tr("Reason for rejecting the plan, optional, {agent} to {who}"),
        }
        self._editor.field.setAccessibleName(spoken(names.get(task, title).format(agent=agent, who=who)))
        self._plain.setAccessibleDescription(
            spoken(self._title.text())
        )  # it has the focus first, and must say what is asked
        placeholder = {
            Task.EDIT: "",
            Task.INSTRUCTION: self.tr("An instruction (optional), for example “shorter, and ask about the brother”"),
        }.get(task, self.tr("Reason (optional)"))
        self._editor.field.setPlaceholderText(placeholder)
        hint = {
            Task.EDIT: self.tr("Saved. Sending is paused while you edit"),
            Task.INSTRUCTION: self.tr("The draft stays until you choose the new version"),
        }.get(task, self.tr("{agent} sees this when planning the next reply").format(agent=agent))
        self._hint.setText(hint)
        self._hint.set_color("text3")
        words, icon = {
            Task.EDIT: (self.tr("Approve edited text"), "check"),
            Task.REASON: (self.tr("Reject"), "x"),
            Task.PLAN_REASON: (self.tr("Reject the plan"), "x"),
            Task.INSTRUCTION: (self.tr("Regenerate"), "refresh"),
        }[task]
        self._submit.set_look(words, icon=icon, kind=Kind.PRIMARY if edit or asks else Kind.DANGER)
        self._plain.setText(self.tr("No reason"))
        self._plain.setAccessibleName(self.tr("Reject, no reason"))
        self._plain.setVisible(not edit and not asks)
        self._causes.setVisible(not edit and not asks)
        self._plain_again.setVisible(asks)
        kept = self.tr("The draft stays as it was. Your text is kept with it.")
        self._cancel.setText(self.tr("Close") if edit else self.tr("Back"))
        self._cancel.setToolTip(kept if edit else "")
        self._cancel.setAccessibleDescription(kept if edit else "")
        self._fit_keys()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_keys()

    def event(self, event: QEvent) -> bool:
        taken = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self.resized.emit()
        return taken

    def _fit_keys(self) -> None:
        """Hide the keycaps in a narrow dock, because cut ones can't be read."""
        shown = [one for one in (self._submit, self._plain, self._plain_again, self._cancel) if not one.isHidden()]
        margins = self._column.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        forms = [[one.width_if(key=key) for one in shown] for key in (True, False)]
        form = Overflow(BUTTON_GAP).fit(room, forms).form
        for one in shown:
            one.show_key(shown=form == 0)

    def _is_too_long(self) -> bool:
        """Tell whether the text is too long to be submitted."""
        return len(self._editor.text()) > LONGEST_TEXT

    def _tell_left_out(self, characters: int) -> None:
        words = translate(
            "DraftEditorFields", "The pasted text was %Ln character(s) too long and was cut.", "", characters
        )
        self._hint.setText(words)
        self._hint.set_color("attention")

    def _count_words(self) -> str:
        """Return the length of the text in Telegram's units; above the limit, how many messages it becomes."""
        if self._is_too_long():
            characters = len(self._editor.text())
            words = translate("DraftEditorFields", "%Ln character(s): shorten it to {most}", "", characters)
            return words.format(most=QLocale().toString(LONGEST_TEXT))
        units = utf16_length(self._editor.text())
        if units > MAX_MESSAGE_UNITS and self._task is Task.EDIT:
            parts = len(split(*formatted(self._editor.text())))
            words = translate("DraftEditorFields", "{n} characters: %n message(s)", "", parts)
            return words.format(n=QLocale().toString(units))
        return self.tr("{n} of {most}").format(n=QLocale().toString(units), most=QLocale().toString(MAX_MESSAGE_UNITS))

    def _show_changes(self, draft: str) -> None:
        """Show the differences to the draft; hidden while there are none."""
        text = self._editor.text()
        differs = self._task is Task.EDIT and text.strip() != draft.strip()
        self._changes.setVisible(differs)
        if differs:
            self.diff.compare(draft, text)


def outlives(decided: Approval, task: Task, own: str) -> bool:
    """Tell whether the typed text is still needed after a decision that was made elsewhere."""
    if waits_for_operator(decided):
        return True  # postponed, or its approval was undone
    if task in (Task.REASON, Task.PLAN_REASON) and decided.state is ApprovalState.REJECTED:
        return False
    return bool(own) and (task is not Task.EDIT or own.strip() != decided.text.strip())
