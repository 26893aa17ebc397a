"""The widgets of the draft editor and their texts; what they do is in `editor`."""

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


class DraftFields(Footer):
    """Title, text field, differences to the draft, and buttons.

    Attributes:
        resized: The preferred height may have changed.
        task: What kind of text is typed.
        banner: What happened to the card meanwhile.
        message: The text.
        hint: The line below the text.
        causes: The reasons of a rejection to choose from.
        submit: Approves, rejects or plans again.
        plain: Rejects without a reason.
        plain_again: Plans again without an instruction.
        cancel: Closes the editor.
        back: Puts the draft's own text back.
        diff: The differences to the draft.
        rest: Fires shortly after the last key.
    """

    resized = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.task = Task.EDIT
        self.title = ElidedLabel(theme, "", Face.SMALL_STRONG, "text2")
        self.back = ActionButton(theme, self.tr("Restore draft"), kind=Kind.LINK)
        self.banner = Banner(theme)
        self.message = MessageEditor(theme, lines=(4, 9))
        self.hint = ElidedLabel(theme, "", Face.META, "text3")
        self.count = PlainLabel(theme, "", Face.META, "text3")
        self.submit = ActionButton(theme, "", icon="check", key="Ctrl ↵", kind=Kind.PRIMARY)
        self.plain = ActionButton(theme, "", key="R")
        self.plain_again = ActionButton(theme, self.tr("No instruction"), key="G")
        self.plain_again.setAccessibleName(self.tr("Regenerate, no instruction"))
        self.causes = Causes(theme)
        self.cancel = ActionButton(theme, self.tr("Close"), key="Esc", kind=Kind.QUIET)
        self.diff = WordDiff(theme)
        self._changed_words = PlainLabel(theme, self.tr("Changes"), Face.META, "text3")
        self.rest = QTimer(self)
        self.rest.setSingleShot(True)
        self.rest.setInterval(DIFF_MS)
        self.message.left_out.connect(self._tell_left_out)
        self._build()

    def text(self) -> str:
        """Return the text of the field."""
        return self.message.text()

    def own_text(self, original: str) -> str:
        """Return the text of the field if the operator typed it; empty for an unchanged draft."""
        text = self.message.text()
        return text if text.strip() and (self.task is not Task.EDIT or text != original) else ""

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.back)
        under = QHBoxLayout()
        under.addWidget(self.hint, 1)
        under.addWidget(self.count)
        self.changes = QWidget()
        changes = QVBoxLayout(self.changes)
        changes.setContentsMargins(2, 0, 2, 2)
        changes.setSpacing(4)
        changes.addWidget(self._changed_words)
        box = ScrollBox(self.diff)
        box.setMaximumHeight(DIFF_HEIGHT)
        changes.addWidget(box)
        self.changes.hide()
        actions = QHBoxLayout()
        actions.setSpacing(BUTTON_GAP)
        for button in (self.submit, self.plain, self.plain_again, self.cancel):
            actions.addWidget(button)
        actions.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 10, 14, 12)
        self._column.setSpacing(7)
        self._column.addLayout(head)
        self._column.addWidget(self.banner)
        self._column.addWidget(self.causes)
        self._column.addWidget(self.message)
        self._column.addLayout(under)
        self._column.addWidget(self.changes)
        self._column.addLayout(actions)

    def set_margins(self, left: int, right: int, *, has_ground: bool = True) -> None:
        """Align with the surrounding widgets, with an own background or that of the draft that contains the editor."""
        set_rtl_margins(self._column, left, 10 if has_ground else 0, right, 12 if has_ground else 0)
        self.set_ground("card" if has_ground else "")
        self.set_top_line("line_strong" if has_ground else "")

    @property
    def field(self) -> QWidget:
        """The text field."""
        return self.message.field

    def stations(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order."""
        actions = (self.submit, self.plain, self.plain_again, self.cancel)
        return self.back, *self.banner.buttons(), *self.causes.buttons(), self.message.field, *actions

    def dress(self, task: Task, approval: Approval) -> None:
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
        self.title.setText(title.format(agent=agent, who=who))
        names = {
            Task.REASON: self.tr("Reason, optional, {agent} to {who}"),
            Task.PLAN_REASON: self.tr("Reason for rejecting the plan, optional, {agent} to {who}"),
        }
        self.message.field.setAccessibleName(spoken(names.get(task, title).format(agent=agent, who=who)))
        self.plain.setAccessibleDescription(
            spoken(self.title.text())
        )  # it has the focus first, and must say what is asked
        placeholder = {
            Task.EDIT: "",
            Task.INSTRUCTION: self.tr("An instruction (optional), for example “shorter, and ask about the brother”"),
        }.get(task, self.tr("Reason (optional)"))
        self.message.field.setPlaceholderText(placeholder)
        hint = {
            Task.EDIT: self.tr("Saved. Sending is paused while you edit"),
            Task.INSTRUCTION: self.tr("The draft stays until you choose the new version"),
        }.get(task, self.tr("{agent} sees this when planning the next reply").format(agent=agent))
        self.say(hint, token="text3")
        words, icon = {
            Task.EDIT: (self.tr("Approve edited text"), "check"),
            Task.REASON: (self.tr("Reject"), "x"),
            Task.PLAN_REASON: (self.tr("Reject the plan"), "x"),
            Task.INSTRUCTION: (self.tr("Regenerate"), "refresh"),
        }[task]
        self.submit.set_look(words, icon=icon, kind=Kind.PRIMARY if edit or asks else Kind.DANGER)
        self.plain.setText(self.tr("No reason"))
        self.plain.setAccessibleName(self.tr("Reject, no reason"))
        self.plain.setVisible(not edit and not asks)
        self.causes.setVisible(not edit and not asks)
        self.plain_again.setVisible(asks)
        kept = self.tr("The draft stays as it was. Your text is kept with it.")
        self.cancel.setText(self.tr("Close") if edit else self.tr("Back"))
        self.cancel.setToolTip(kept if edit else "")
        self.cancel.setAccessibleDescription(kept if edit else "")
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
        shown = [one for one in (self.submit, self.plain, self.plain_again, self.cancel) if not one.isHidden()]
        margins = self._column.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        forms = [[one.width_if(key=key) for one in shown] for key in (True, False)]
        form = Overflow(BUTTON_GAP).fit(room, forms).form
        for one in shown:
            one.show_key(shown=form == 0)

    def is_too_long(self) -> bool:
        """Tell whether the text is too long to be submitted."""
        return len(self.message.text()) > LONGEST_TEXT

    def _tell_left_out(self, characters: int) -> None:
        words = translate("DraftFields", "The pasted text was %Ln character(s) too long and was cut.", "", characters)
        self.say(words, token="attention")

    def _count_words(self) -> str:
        """Return the length of the text in Telegram's units; above the limit, how many messages it becomes."""
        if self.is_too_long():
            characters = len(self.message.text())
            words = translate("DraftFields", "%Ln character(s): shorten it to {most}", "", characters)
            return words.format(most=QLocale().toString(LONGEST_TEXT))
        units = utf16_length(self.message.text())
        if units > MAX_MESSAGE_UNITS and self.task is Task.EDIT:
            parts = len(split(*formatted(self.message.text())))
            words = translate("DraftFields", "{n} characters: %n message(s)", "", parts)
            return words.format(n=QLocale().toString(units))
        return self.tr("{n} of {most}").format(n=QLocale().toString(units), most=QLocale().toString(MAX_MESSAGE_UNITS))

    def show_length(self) -> None:
        """Show how long the text is."""
        self.count.setText(self._count_words())

    def say(self, words: str, *, token: str = "danger") -> None:
        """Show something instead of the hint."""
        self.hint.setText(words)
        self.hint.set_color(token)

    def show_changes(self, draft: str) -> None:
        """Show the differences to the draft; hidden while there are none."""
        text = self.message.text()
        differs = self.task is Task.EDIT and text.strip() != draft.strip()
        self.changes.setVisible(differs)
        if differs:
            self.diff.compare(draft, text)


def outlives(decided: Approval, task: Task, own: str) -> bool:
    """Tell whether the typed text is still needed after a decision that was made elsewhere."""
    if waits_for_operator(decided):
        return True  # postponed, or its approval was undone
    if task in (Task.REASON, Task.PLAN_REASON) and decided.state is ApprovalState.REJECTED:
        return False
    return bool(own) and (task is not Task.EDIT or own.strip() != decided.text.strip())


def move_into(editor: QWidget, place: QBoxLayout, at: int = -1, focus: QWidget | None = None) -> None:
    """Move an editor into another layout; text, cursor, undo history and focus are kept.

    Args:
        editor: The editor.
        place: The layout.
        at: Index in the layout; -1 appends.
        focus: The widget that had the focus before anything was hidden; None for the one that has it now.
    """
    focus = focus or editor.window().focusWidget() or editor.window()
    typing = editor.isAncestorOf(focus)
    shown = not editor.isHidden()
    place.insertWidget(at, editor)
    editor.setVisible(shown)
    if typing:
        focus.setFocus()
