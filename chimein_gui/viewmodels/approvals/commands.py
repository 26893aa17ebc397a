"""Commands on drafts beyond a plain decision: those that stop a countdown first, and sending a closed draft again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.approvals import Verdict
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import Approval, Outcome
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.viewmodels.approvals.decisions import ApprovalActions
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.cards import ResendService


class DraftCommandsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def resend(self) -> ResendService:
        """Makes new cards of closed sends."""
        ...


class DraftCommands(CommandRunner[DraftCommandsApi]):
    """Stops a countdown before any other command on a draft, and makes new cards of drafts that were not sent.

    Attributes:
        resent: A new card was made of a draft that was not sent; the id of its approval, and the draft.
    """

    resent = Signal(object, object)

    def __init__(self, bridge: EngineBridge, actions: ApprovalActions, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._actions = actions
        self._next: dict[ApprovalId, Callable[[Approval], None]] = {}
        actions.decision_answered.connect(self._go_on)
        actions.failed.connect(lambda _reason: self._next.clear())

    def approve(self, draft: Approval) -> None:
        """Approve a draft; a running countdown is stopped first, so that the operator's approval is recorded."""
        self._after_stop(draft, lambda now: self._approve_if_same(draft, now))

    def stop(self, draft: Approval) -> None:
        """Stop the countdown: the draft then waits for a decision, and a command that was queued before is dropped."""
        self._next.pop(draft.approval_id, None)
        self._actions.undo(draft)

    def then(self, draft: Approval, do: Callable[[Approval], None]) -> None:
        """Run `do` with the draft once it waits for a decision; a countdown is stopped first."""
        self._after_stop(draft, do)

    def resend(self, approval: Approval) -> None:
        """Make a new card of a draft that was not sent; it waits for a decision like any other card."""
        if self._api is not None:
            self._send(self._resend(self._api, approval), f"resend {approval.approval_id}")

    async def _resend(self, api: DraftCommandsApi, approval: Approval) -> None:
        made = await api.resend.ask(approval.approval_id, client_id=os.urandom(16).hex())
        if made is None:
            raise RefusedError(Note(Reason.CANNOT_RESEND))
        self._bridge.deliver(lambda: self.resent.emit(made.approval_id, approval))

    def _after_stop(self, draft: Approval, do: Callable[[Approval], None]) -> None:
        if draft.task_status is not TaskStatus.APPROVED:
            do(draft)
            return
        self._next[draft.approval_id] = do
        self._actions.undo(draft)

    def _approve_if_same(self, seen: Approval, now: Approval) -> None:
        """Approve the stopped draft if it is still the message that was shown; otherwise it waits."""
        if (seen.text, seen.sticker, seen.reply_to_id) == (now.text, now.sticker, now.reply_to_id):
            self._actions.approve(now)

    def _go_on(self, outcome: Outcome) -> None:
        do = self._next.pop(outcome.approval.approval_id, None)
        waits = outcome.approval.task_status is TaskStatus.AWAITING_DECISION
        if do is not None and waits and outcome.verdict is Verdict.ACCEPTED:
            # In a later turn, when all views have applied the stop: it would close an editor opened before that.
            self._next[outcome.approval.approval_id] = do
            self._bridge.deliver(lambda: self._do_next(outcome.approval))

    def _do_next(self, stopped: Approval) -> None:
        do = self._next.pop(stopped.approval_id, None)
        if do is not None:  # None: `stop` was called meanwhile
            do(stopped)
