"""The editor for drafts, reasons and instructions. Typed text is never lost."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval, Outcome, RejectionCause, Verdict
from chimein_gui.domain.ids import ApprovalId
from chimein_gui.ui.draft_editor.autosave import DraftAutosave
from chimein_gui.ui.draft_editor.fields import DraftFields, Task, outlives
from chimein_gui.ui.draft_editor.reason_keys import ReasonKeys
from chimein_gui.ui.pane import PaneContext
from chimein_gui.viewmodels.approvals.card_words import has_text
from chimein_gui.viewmodels.approvals.pairing import draft_instead_of, place_in_plan
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.drafts.open_editor import EditorPlace
from chimein_gui.viewmodels.panes.approvals import make_approvals
from chimein_gui.viewmodels.words.notes import note_sentence

CAUSES = tuple(RejectionCause)
REJECTIONS = (Task.REASON, Task.PLAN_REASON)


class DraftEditor(QWidget):
    """The one editor of a window. It is shown below the list of approvals, on the open card, or in the conversation.

    It keeps its text whatever happens to the card. The pane that shows it reparents it before it is opened.

    Attributes:
        fields: Its widgets.
        closed: The editor was closed.
        left: The editor was closed while it had the focus.
        opened: The edited card has changed; also emitted when none is edited any more.
        typed: The typed text of a draft, shortly after each edit; None when no draft is edited.
        saved_toast: Number of the toast that says where the text was saved; it is hidden when the text is open again.
    """

    closed = Signal()
    left = Signal()
    opened = Signal()
    typed = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self.fields = DraftFields(context.theme)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.fields)
        self._approvals, self._actions = context.models.approvals, context.models.actions
        self._target: Approval | None = None
        self.saved_toast = 0
        self._order = 0
        self._place = EditorPlace.APPROVALS
        self._submits_next = False
        self._cause: RejectionCause | None = None
        self._kept: dict[tuple[Task, ApprovalId], str] = {}
        self._resumed = ""
        """The text with which the editor was opened, if it had been left before."""
        self._autosave = DraftAutosave(context, self)
        self._wire()
        self.hide()

    @property
    def task(self) -> Task:
        """What kind of text is typed."""
        return self.fields.task

    @property
    def target(self) -> Approval | None:
        """The card that is edited, rejected or planned again; None while the editor is closed."""
        return self._target

    def edit(self, approval: Approval, place: EditorPlace = EditorPlace.APPROVALS) -> None:
        """Open the text of a planned send; unsent edits of the operator are restored.

        Args:
            approval: The planned send. If it is open already, its typed text stays.
            place: Where the editor is shown now; the caller has reparented it.
        """
        if _is_same(self._target, approval) and self.fields.task is Task.EDIT:
            self._place = place
            self._tell_opened()
        else:
            self._open(Task.EDIT, approval, approval.text, place)
        self.fields.message.setFocus()

    def ask(self, task: Task, approval: Approval, place: EditorPlace = EditorPlace.APPROVALS) -> None:
        """Open the editor for a reason or an instruction.

        The key that opened it, pressed again, submits without a text.
        """
        self._open(task, approval, "", place)
        (self.fields.plain_again if task is Task.INSTRUCTION else self.fields.plain).setFocus()

    def save_and_close(self) -> Approval | None:
        """Close the editor, which is not visible any more: save the text, and let the chat's automatic sends go on.

        If the draft is gone or has changed, the editor stays open, because the text can't be saved on the card.

        Returns:
            The card whose text was edited, or None.
        """
        target = self._target
        if target is None:
            return None
        if self.fields.task is not Task.EDIT:
            self._do_cancel()
            return None
        typed = bool(self.fields.own_text(self._autosave.original))
        if not self.fields.banner.blocks:
            self._keep()
            self._close()
        return target if typed else None

    def _wire(self) -> None:
        self.fields.message.changed.connect(self._typed)
        self.fields.message.submitted.connect(self._do_submit)
        self.fields.message.cancelled.connect(self._do_cancel)
        self.fields.submit.clicked.connect(self._do_submit)
        self.fields.plain.clicked.connect(lambda _checked=False: self._pick())
        self.fields.cancel.clicked.connect(self._do_cancel)
        self.fields.back.clicked.connect(self._restore_draft)
        self.fields.banner.used.connect(self._retarget)
        self.fields.banner.discarded.connect(self._close)
        self.fields.plain_again.clicked.connect(lambda _checked=False: self._pick())
        self.fields.causes.picked.connect(self._pick)
        for button, letter in ((self.fields.plain, "R"), (self.fields.plain_again, "G")):
            keys = ReasonKeys(button, letter, len(CAUSES) if button is self.fields.plain else 0)
            keys.numbered.connect(lambda number: self._pick(CAUSES[number - 1]))
            keys.cancelled.connect(self._do_cancel)
            keys.pressed_again.connect(self._pick)
            keys.begun.connect(self.fields.message.type_in)
        self.fields.rest.timeout.connect(self.show_typed)
        self._approvals.chats_changed.connect(
            lambda chats: self._look_again() if self._target is not None and self._target.chat_id in chats else None
        )
        self._actions.decision_answered.connect(self._take_answer)
        self._actions.edit_kept.connect(self._take_kept)
        self._actions.failed.connect(lambda _reason: self._look_again())
        self._actions.acknowledgement_changed.connect(lambda _approval_id: self._look_again())

    def _open(self, task: Task, approval: Approval, text: str, place: EditorPlace) -> None:
        self._keep()
        self._release()
        self.fields.task, self._target, self._cause, self._place = task, approval, None, place
        self._order = place_in_plan(self._approvals, approval)
        if task is Task.EDIT:
            self._actions.begin_edit(approval.chat_id)
            self._autosave.begin(approval)
        self.fields.message.set_identity(self._context.models.agents.identity_of(approval.agent_id))
        left = self._kept.pop((task, approval.approval_id), "")
        self.fields.message.set_text(left or text)
        self._resumed = left if task is Task.EDIT else ""
        if self._resumed:
            self._autosave.resume(left)
        self.fields.dress(task, approval)
        self.fields.banner.dismiss()
        self.show()
        self._show_count()
        self._look_again()
        self.show_typed()
        self._tell_opened()

    def _tell_opened(self) -> None:
        """Report which card is edited, and where."""
        is_edit = self._target is not None and self.fields.task is Task.EDIT
        edited = self._target.approval_id if is_edit and self._target is not None else None
        if edited is not None:
            self._context.models.toasts.dismiss(self.saved_toast)
        self._context.models.open_editor.tell(edited, self._place)
        self.opened.emit()

    def _release(self) -> None:
        """Stop saving, and let the chat's automatic sends go on."""
        if self._target is not None and self.fields.task is Task.EDIT:
            self._autosave.end()
            self._actions.end_edit(self._target.chat_id)

    def _close(self) -> None:
        self._release()
        self._target = None
        self.fields.message.set_text("")
        self.fields.rest.stop()
        had_focus = self.isAncestorOf(self.window().focusWidget() or self)
        self.hide()
        self.typed.emit(None)
        self._tell_opened()
        if had_focus:
            self.left.emit()
        self.closed.emit()

    def _keep(self) -> None:
        """Remember the typed text for the next opening, if the operator has changed it."""
        own = self.fields.own_text(self._autosave.original)
        if self._target is not None and own:
            self._kept[self.fields.task, self._target.approval_id] = own

    def _do_cancel(self) -> None:
        self._keep()
        if self.fields.task is Task.EDIT:  # cancelling a reason leaves an earlier edit on the card
            own = self.fields.own_text(self._autosave.original)
            self._autosave.give_up()
            if own and self._target is not None:
                edits, now = self._context.own(make_approvals).saved_edits, self._context.models.clock.now()
                edits.leave(self._target, own, self._order, now, instead_of=self._resumed)
        self._close()

    def _restore_draft(self) -> None:
        if self._target is not None:
            self._autosave.go_back()
            self.fields.message.replace_text(self._target.draft_text)
            self.fields.message.setFocus()

    def _do_submit(self) -> None:
        if self._target is None:
            return
        if self.fields.banner.offers_new_draft:
            self._retarget()  # the next press sends it
        elif self.fields.banner.blocks:
            return
        elif self._actions.is_in_flight(self._target.approval_id):
            self._submits_next = True
        elif self.fields.task is Task.EDIT:
            self._autosave.rest()
            self._actions.approve_edited(self._target, self.fields.message.text())
        else:
            self._send(self._target, self.fields.message.text().strip())
        self._show_count()

    def _pick(self, cause: RejectionCause | None = None) -> None:
        """Submit with a reason of the list and the typed text, or without any text; the reason Other needs a text."""
        self._cause = cause
        words = "" if cause is None else self.fields.message.text().strip()
        if cause is RejectionCause.OTHER and not words:
            self.fields.message.setFocus()
        elif self._target is not None and not self.fields.banner.blocks:
            self._send(self._target, words)

    def _send(self, target: Approval, words: str) -> None:
        if self.fields.task is Task.REASON:
            self._actions.reject(target, words, self._cause)
        elif self.fields.task is Task.PLAN_REASON:
            self._actions.reject_plan(target, words, self._cause)
        elif not self._context.models.regenerations.regenerate(target, words):
            self.fields.say(self.tr("A version is being written already. Try again when it is there"))
        else:
            self._kept.pop((self.fields.task, target.approval_id), None)
            self._close()

    def show_typed(self) -> None:
        """Show the difference to the draft, and emit the typed text for the preview of the message."""
        if self._target is not None and self.fields.task is Task.EDIT:
            self.fields.show_changes(self._target.draft_text)
            self.typed.emit(self.fields.message.text())
        else:
            self.fields.changes.hide()
            self.typed.emit(None)

    def _take_answer(self, outcome: Outcome) -> None:
        if self._target is None or not _is_same(self._target, outcome.approval):
            return
        own = self.fields.own_text(self._autosave.original)
        if outcome.verdict is Verdict.ACCEPTED and not outlives(outcome.approval, self.fields.task, own):
            self._kept.pop((self.fields.task, outcome.approval.approval_id), None)
            self._close()
            return
        if outcome.verdict is Verdict.OUTDATED and self.fields.task in REJECTIONS:
            self._keep()
            self._close()  # the card says why; it must be read again before another reason is asked
            return
        if outcome.verdict is Verdict.INVALID:
            self.fields.say(note_sentence(outcome.explanation))
        self._look_again()

    def _retarget(self) -> None:
        """Continue with the typed text on the draft that replaced the old one."""
        if self._target is None:
            return
        new = self._successor()
        if new is not None:
            self._target, self._order = new, place_in_plan(self._approvals, new)
            if self.fields.task is Task.EDIT:
                self._autosave.move_to(new, self.fields.message.text())
            self.fields.banner.dismiss()
            self._look_again()
            self._tell_opened()
            self.fields.message.setFocus()

    def _successor(self) -> Approval | None:
        if self._target is None:
            return None
        now = self._approvals.find(self._target.approval_id)
        if now is not None:
            return now if waits_for_operator(now) else None
        if not has_text(self._target):
            return None
        return draft_instead_of(self._approvals, self._target, self._order)

    def _look_again(self) -> None:
        """Compare the edited card with its current state, and show the banner if needed; the text is not changed."""
        target = self._target
        if target is None:
            return
        now = self._approvals.find(target.approval_id)
        if self._actions.is_in_flight(target.approval_id):
            pass  # the decision in flight may have changed the card; its answer compares again
        elif now is None or not waits_for_operator(now):
            self.fields.banner.show_replaced(self._successor() is not None, now)
        elif self.fields.task in REJECTIONS and target.version != now.version:
            self.fields.banner.dismiss()  # the rejection is for the version whose reason is asked: it will be refused
        elif now.text != target.text and not self._autosave.is_own(now):
            self.fields.banner.show_rewritten()
        else:
            self._target, self._order = now, place_in_plan(self._approvals, now)
            self.fields.banner.dismiss()
            if self.fields.task is Task.EDIT and self._actions.is_acknowledged(now):
                self.fields.banner.show_changed(self._actions.explanation_of(now.approval_id))
        self._show_count()

    def _take_kept(self, outcome: Outcome) -> None:
        """Submit, if that was pressed while the text was being saved."""
        self._look_again()
        pressed, self._submits_next = self._submits_next and _is_same(self._target, outcome.approval), False
        if pressed:
            self._do_submit()

    def _typed(self) -> None:
        self._submits_next = False
        self.fields.rest.start()
        if self.fields.task is Task.EDIT and self._target is not None:
            self._autosave.note(self.fields.message.text())
        self._show_count()

    def _show_count(self) -> None:
        self.fields.show_length()
        target = self._target
        busy = target is not None and self._actions.is_in_flight(target.approval_id)
        blank = self.fields.task is Task.EDIT and not self.fields.message.text().strip()
        why_not = self.tr("This text was written for another draft") if self.fields.banner.blocks else ""
        why_not = self.tr("Saving your decision…") if busy else why_not
        why_not_text = self.tr("No text yet") if blank else ""
        if self.fields.is_too_long():
            why_not_text = self.tr("The text is too long to send")
        self.fields.submit.allow(why_not or why_not_text)
        for button in (self.fields.plain, self.fields.plain_again):
            button.allow(why_not)
        self.fields.back.setVisible(
            self.fields.task is Task.EDIT and target is not None and self.fields.message.text() != target.draft_text
        )


def _is_same(target: Approval | None, approval: Approval) -> bool:
    return target is not None and approval.approval_id == target.approval_id
