"""Commands of drafts beyond a plain decision: those that stop a countdown first, and a second chance."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

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
    from chimein_gui.viewmodels.engine_api.engine import EngineApi


class DraftCommands(CommandRunner):
    """Stops a countdown before anything else is done with a draft, and takes up what was not sent.

    Attributes:
        taken_up: There is a new card of a draft that was not sent; its approval id.
    """

    taken_up = Signal(object)

    def __init__(self, bridge: EngineBridge, actions: ApprovalActions, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._actions = actions
        self._next: dict[ApprovalId, Callable[[Approval], None]] = {}
        actions.decision_answered.connect(self._go_on)
        actions.failed.connect(lambda _reason: self._next.clear())

    def approve(self, draft: Approval) -> None:
        """Send it; one whose countdown runs leaves as if the operator had approved it now."""
        self._after_stop(draft, lambda now: self._approve_if_same(draft, now))

    def stop(self, draft: Approval) -> None:
        """Stop the countdown: it waits for a decision, whatever was pressed a moment before."""
        self._next.pop(draft.approval_id, None)
        self._actions.undo(draft)

    def then(self, draft: Approval, do: Callable[[Approval], None]) -> None:
        """Do something with it that only a waiting draft allows."""
        self._after_stop(draft, do)

    def take_up(self, approval: Approval) -> None:
        """Make a new card of a draft that was not sent; it waits for a decision like any other."""
        if self._console is not None:
            self._send(self._take_up(self._console, approval), f"take up {approval.approval_id}")

    async def _take_up(self, console: EngineApi, approval: Approval) -> None:
        made = await console.resend.ask(approval.approval_id, client_id=os.urandom(16).hex())
        if made is None:
            raise RefusedError(Note(Reason.NOT_TAKEN_UP))
        self._bridge.deliver(lambda: self.taken_up.emit(made.approval_id))

    def _after_stop(self, draft: Approval, do: Callable[[Approval], None]) -> None:
        if draft.task_status is not TaskStatus.APPROVED:
            do(draft)
            return
        self._next[draft.approval_id] = do
        self._actions.undo(draft)

    def _approve_if_same(self, seen: Approval, now: Approval) -> None:
        """What came back may be another message than the one that was on the screen: then it only waits."""
        if (seen.text, seen.sticker, seen.reply_to_id) == (now.text, now.sticker, now.reply_to_id):
            self._actions.approve(now)

    def _go_on(self, outcome: Outcome) -> None:
        do = self._next.pop(outcome.approval.approval_id, None)
        waits = outcome.approval.task_status is TaskStatus.AWAITING_DECISION
        if do is not None and waits and outcome.verdict is Verdict.ACCEPTED:
            # Only once everybody else has taken the stop in: an open editor would be closed by it.
            self._next[outcome.approval.approval_id] = do
            self._bridge.deliver(lambda: self._do_next(outcome.approval))

    def _do_next(self, stopped: Approval) -> None:
        do = self._next.pop(stopped.approval_id, None)
        if do is not None:  # else it was to be stopped after all
            do(stopped)
