"""Planned sends as they are for the writer: snapshots that are joined of six tables, and asked for in every step.

Only `SqliteApprovalRows` writes approvals, and tells of each. What a snapshot shows of its step and its requests is
taken from them anew at every look; what it shows of its chat, its agent and its plan does not change unless somebody
writes there, and then all snapshots are forgotten.
"""

from dataclasses import replace
from datetime import datetime

from chimein_gui.adapters.store.cache.requests import KeptRequests
from chimein_gui.adapters.store.cache.steps import KeptSteps
from chimein_gui.adapters.store.columns.approval_snapshots import last_message
from chimein_gui.adapters.store.rows.values import is_well_formed, words_of
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, TaskId

MOST_APPROVALS = 2048
"""More are not kept at a time."""

Rejection = tuple[str, datetime]
"""The operator's words, and when he rejected."""


class KeptApprovals:
    """The planned sends that were read or written so far, and each chat's last rejection."""

    __slots__ = ("_approvals", "_names", "_of_tasks", "_rejections", "_requests", "_steps")

    def __init__(self, steps: KeptSteps, requests: KeptRequests) -> None:
        """Begin with nothing; a snapshot is known as long as its step and its requests are."""
        self._steps = steps
        self._requests = requests
        self._approvals: dict[ApprovalId, Approval] = {}
        self._of_tasks: dict[TaskId, ApprovalId] = {}
        self._rejections: dict[ChatId, Rejection | None] = {}
        self._names: dict[AgentId, str] = {}

    def clear(self) -> None:
        """Forget everything: what was written was taken back, or somebody else wrote."""
        self._approvals.clear()
        self._of_tasks.clear()
        self._rejections.clear()
        self._names.clear()

    def name_of(self, agent_id: AgentId) -> str | None:
        """Return an agent's name, if a snapshot that was read shows it."""
        return self._names.get(agent_id)

    def get(self, approval_id: ApprovalId) -> Approval | None:
        """Return a snapshot as it is now, if it is known."""
        approval = self._approvals.get(approval_id)
        if approval is None:
            return None
        step, parts = self._steps.get(approval.task_id), self._requests.parts_of(approval_id)
        if step is None or parts is None:
            return None
        if approval.task_status is not step.status or approval.parts != parts:
            approval = replace(approval, task_status=step.status, parts=parts, message_id=last_message(parts))
            self._approvals[approval_id] = approval
        return approval

    def of_task(self, task_id: TaskId) -> Approval | None:
        """Return the snapshot of a step as it is now, if it is known."""
        approval_id = self._of_tasks.get(task_id)
        return None if approval_id is None else self.get(approval_id)

    def chat_of(self, approval_id: ApprovalId) -> ChatId | None:
        """Return whose conversation a planned send is for, if that is known; it never changes."""
        approval = self._approvals.get(approval_id)
        return None if approval is None else approval.chat_id

    def keep(self, approval: Approval) -> Approval:
        """Take note of a snapshot as it was read just now."""
        if len(self._approvals) >= MOST_APPROVALS:
            self.clear()
        self._approvals[approval.approval_id] = approval
        self._of_tasks[approval.task_id] = approval.approval_id
        self._names[approval.agent_id] = approval.agent_name
        return approval

    def saved(self, approval: Approval) -> None:
        """The columns of an approval's own table were written as they stand in this snapshot."""
        known = self._approvals.get(approval.approval_id)
        if known is None:
            return
        is_plain = approval.sticker is None and all(map(is_well_formed, _words(approval)))
        if is_plain and _rest(known) == _rest(approval):
            self._approvals[approval.approval_id] = approval
        else:
            self.drop(approval.task_id)

    def drop(self, task_id: TaskId) -> None:
        """Forget one: its step was put somewhere else."""
        approval_id = self._of_tasks.pop(task_id, None)
        if approval_id is not None:
            self._approvals.pop(approval_id, None)

    def last_rejection(self, chat_id: ChatId) -> tuple[bool, Rejection | None]:
        """Tell whether a chat's last rejection is known, and return it; None if there was none."""
        return chat_id in self._rejections, self._rejections.get(chat_id)

    def keep_rejection(self, chat_id: ChatId, rejection: Rejection | None) -> None:
        """Take note of a chat's last rejection, or that there was none."""
        if len(self._rejections) >= MOST_APPROVALS:
            self._rejections.clear()
        self._rejections[chat_id] = rejection

    def rejected(self) -> None:
        """Something was rejected, or perhaps was."""
        self._rejections.clear()


def _words(approval: Approval) -> tuple[str, ...]:
    return approval.text, approval.draft_text, words_of(approval.note), approval.decided_by


def _rest(approval: Approval) -> tuple[object, ...]:
    """Return what a snapshot shows of other tables and of columns that never change."""
    return (
        approval.task_id,
        approval.graph_id,
        approval.chat_id,
        approval.agent_id,
        approval.account_id,
        approval.peer_id,
        approval.agent_name,
        approval.chat_title,
        approval.created_at,
        approval.kind,
        approval.origin,
        approval.context_held,
        approval.context_of,
    )
