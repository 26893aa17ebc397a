"""Where the operator types: an edited text, or the reason of a rejection. What was typed is never lost."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from chimein_gui.domain.approvals import Approval, Outcome, Verdict
from chimein_gui.domain.ids import ApprovalId, ChatId
from chimein_gui.domain.messages import MAX_MESSAGE_UNITS, utf16_length
from chimein_gui.ui.panes.approvals.banner import Banner
from chimein_gui.ui.panes.approvals.journal import Journal
from chimein_gui.ui.panes.approvals.reason_keys import ReasonKeys
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.footer import Footer
from chimein_gui.ui.widgets.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.message_editor import MessageEditor
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.ui.widgets.verb_button import Kind, VerbButton
from chimein_gui.viewmodels.approvals import waits_for_operator


class Task(StrEnum):
    """What is typed."""

    EDIT = "edit"
    REASON = "reason"


class Desk(Footer):
    """Stands below the list and keeps its text whatever happens above.

    Attributes:
        closed: The operator is done here.
    """

    closed = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme)
        self._context = context
        self._approvals, self._actions = context.models.approvals, context.models.actions
        self._task = Task.EDIT
        self._target: Approval | None = None
        self._submits_next = False
        self._kept: dict[tuple[Task, ApprovalId], str] = {}
        self._journal = Journal(context, self)
        self._build()
        self._wire()
        self.hide()

    @property
    def target(self) -> Approval | None:
        """What is being edited or rejected."""
        return self._target

    def edit(self, approval: Approval) -> None:
        """Open the text of a planned send; an earlier text of the operator's comes back."""
        if self._is_target(approval) and self._task is Task.EDIT:
            self._editor.setFocus()
            return
        self._open(Task.EDIT, approval, approval.text)
        self._editor.setFocus()

    def ask_reason(self, approval: Approval) -> None:
        """Open the reason of a rejection; a second R rejects without one."""
        self._open(Task.REASON, approval, "")
        self._plain.setFocus()

    def text(self) -> str:
        """Return what stands in the field."""
        return self._editor.text()

    def _build(self) -> None:
        theme = self._theme
        self._title = ElidedLabel(theme, "", Face.SMALL_STRONG, "text2")
        self._back = VerbButton(theme, self.tr("Back to the draft"), kind=Kind.QUIET)
        self._banner = Banner(theme)
        self._editor = MessageEditor(theme, lines=(4, 9))
        self._hint = ElidedLabel(theme, "", Face.META, "text3")
        self._count = PlainLabel(theme, "", Face.META, "text3")
        self._submit = VerbButton(theme, "", icon="check", key="Ctrl ↵", kind=Kind.PRIMARY)
        self._plain = VerbButton(theme, self.tr("No reason"), key="R")
        self._cancel = VerbButton(theme, self.tr("Cancel"), key="Esc", kind=Kind.QUIET)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._back)
        under = QHBoxLayout()
        under.addWidget(self._hint, 1)
        under.addWidget(self._count)
        verbs = QHBoxLayout()
        verbs.setSpacing(7)
        for button in (self._submit, self._plain, self._cancel):
            verbs.addWidget(button)
        verbs.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(7)
        column.addLayout(head)
        column.addWidget(self._banner)
        column.addWidget(self._editor)
        column.addLayout(under)
        column.addLayout(verbs)

    def _wire(self) -> None:
        self._editor.changed.connect(self._typed)
        self._editor.submitted.connect(self._do_submit)
        self._editor.cancelled.connect(self._do_cancel)
        self._submit.clicked.connect(self._do_submit)
        self._plain.clicked.connect(self._do_reject_plainly)
        self._cancel.clicked.connect(self._do_cancel)
        self._back.clicked.connect(self._restore_draft)
        self._banner.used.connect(self._retarget)
        self._banner.discarded.connect(self._close)
        keys = ReasonKeys(self._plain)
        keys.cancelled.connect(self._do_cancel)
        keys.pressed_again.connect(self._do_reject_plainly)
        keys.begun.connect(self._editor.type_in)
        self._approvals.chats_changed.connect(self._follow)
        self._actions.decision_answered.connect(self._take_answer)
        self._actions.edit_kept.connect(self._take_kept)
        self._actions.acknowledgement_changed.connect(lambda _approval_id: self._look_again())

    def _open(self, task: Task, approval: Approval, text: str) -> None:
        self._keep()
        self._release()
        self._task, self._target = task, approval
        if task is Task.EDIT:
            self._actions.begin_edit(approval.chat_id)
            self._journal.begin(approval)
        edit = task is Task.EDIT
        self._editor.set_identity(self._context.models.agents.identity_of(approval.agent_id))
        self._editor.set_text(self._kept.pop((task, approval.approval_id), text))
        self._editor.field.setPlaceholderText("" if edit else self.tr("Why not? (optional)"))
        who = foreign_text.isolated(approval.chat_title)
        agent = foreign_text.isolated(approval.agent_name)
        self._title.setText(
            (self.tr("Your text, {agent} to {who}") if edit else self.tr("Reject, {agent} to {who}")).format(
                agent=agent, who=who
            )
        )
        self._editor.field.setAccessibleName(self._title.text())
        self._hint.setText("" if edit else self.tr("{agent} reads this in the next plan").format(agent=agent))
        self._hint.set_color("text3")
        self._submit.set_look(
            self.tr("Approve edited text") if edit else self.tr("Reject"),
            icon="check" if edit else "x",
            kind=Kind.PRIMARY if edit else Kind.DANGER,
        )
        self._plain.setVisible(not edit)
        self._cancel.setText(self.tr("Cancel") if edit else self.tr("Back"))
        self._banner.dismiss()
        self.show()
        self._show_count()
        self._look_again()

    def _release(self) -> None:
        """The chat's automatic sends are held only while its draft is open here."""
        if self._target is not None and self._task is Task.EDIT:
            self._journal.end()
            self._actions.end_edit(self._target.chat_id)

    def _close(self) -> None:
        self._release()
        self._target = None
        self._editor.set_text("")
        self.hide()
        self.closed.emit()

    def _keep(self) -> None:
        """Put what was typed aside, if it is the operator's own."""
        target = self._target
        if target is None:
            return
        original = self._journal.original if self._task is Task.EDIT else ""
        if self._editor.text().strip() and self._editor.text() != original:
            self._kept[self._task, target.approval_id] = self._editor.text()

    def _do_cancel(self) -> None:
        self._keep()
        self._journal.give_up()
        self._close()

    def _restore_draft(self) -> None:
        if self._target is not None:
            self._editor.replace_text(self._target.draft_text)
            self._editor.setFocus()

    def _do_submit(self) -> None:
        if self._target is None:
            return
        if self._banner.offers_new_draft:
            self._retarget()  # the next press sends it
        elif self._banner.blocks:
            return
        elif self._actions.is_in_flight(self._target.approval_id):
            self._submits_next = True
        elif self._task is Task.EDIT:
            self._journal.rest()
            self._actions.approve_edited(self._target, self._editor.text())
        else:
            self._actions.reject(self._target, self._editor.text().strip())
        self._show_count()

    def _do_reject_plainly(self) -> None:
        if self._target is not None and not self._banner.blocks:
            self._actions.reject(self._target)

    def _take_answer(self, outcome: Outcome) -> None:
        if self._target is None or not self._is_target(outcome.approval):
            return
        if outcome.verdict is Verdict.ACCEPTED:
            self._kept.pop((self._task, outcome.approval.approval_id), None)
            self._close()
            return
        if outcome.verdict is Verdict.INVALID:
            self._hint.setText(outcome.explanation)
            self._hint.set_color("danger")
        self._look_again()

    def _retarget(self) -> None:
        """Carry the operator's text over to the draft that took the place of the old one."""
        if self._target is None:
            return
        new = self._successor()
        if new is not None:
            self._target = new
            self._banner.dismiss()
            self._look_again()
            self._editor.setFocus()

    def _successor(self) -> Approval | None:
        if self._target is None:
            return None
        now = self._approvals.find(self._target.approval_id)
        if now is not None and waits_for_operator(now):
            return now
        return self._approvals.newest_open_of_chat(self._target.chat_id)

    def _is_target(self, approval: Approval) -> bool:
        return self._target is not None and approval.approval_id == self._target.approval_id

    def _follow(self, chats: frozenset[ChatId]) -> None:
        if self._target is not None and self._target.chat_id in chats:
            self._look_again()

    def _look_again(self) -> None:
        """Compare what is edited with what is there now; the text itself is not touched."""
        target = self._target
        if target is None:
            return
        now = self._approvals.find(target.approval_id)
        if now is None or not waits_for_operator(now):
            self._banner.show_replaced(self._successor() is not None, now)
        elif now.text != target.text and not (self._task is Task.EDIT and self._journal.is_own(now.text)):
            self._banner.show_rewritten()
        else:
            self._target = now
            self._banner.dismiss()
            if self._task is Task.EDIT and self._actions.is_acknowledged(now):
                self._banner.show_changed(self._actions.explanation_of(now.approval_id))
        self._show_count()

    def _take_kept(self, outcome: Outcome) -> None:
        """Do what was pressed while the text was being kept."""
        self._look_again()
        pressed, self._submits_next = self._submits_next and self._is_target(outcome.approval), False
        if pressed:
            self._do_submit()

    def _typed(self) -> None:
        self._submits_next = False
        if self._task is Task.EDIT and self._target is not None and self._editor.text() != self._target.text:
            self._journal.note(self._editor.text())
        self._show_count()

    def _show_count(self) -> None:
        units = utf16_length(self._editor.text())
        count = self.tr("{n} of {most}").format(n=f"{units:,}", most=f"{MAX_MESSAGE_UNITS:,}")
        split = units > MAX_MESSAGE_UNITS and self._task is Task.EDIT
        self._count.setText(self.tr("{n} characters, sent in parts").format(n=f"{units:,}") if split else count)
        target = self._target
        busy = target is not None and self._actions.is_in_flight(target.approval_id)
        blank = self._task is Task.EDIT and not self._editor.text().strip()
        self._submit.setEnabled(not (blank or busy or self._banner.blocks))
        self._plain.setEnabled(not (busy or self._banner.blocks))
        self._back.setVisible(
            self._task is Task.EDIT and target is not None and self._editor.text() != target.draft_text
        )
