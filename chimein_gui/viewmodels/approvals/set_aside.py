"""What did not leave and still may: only observed, or replaced after its approval."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.approvals import may_be_taken_up
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import ApprovalRequested, ApprovalResolved, TaskStatusChanged
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.core.live_query import LiveQuery

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.engine import EngineApi

RECENT_ROWS = 500
"""Most decisions of the last hour in which a start looks for what was laid aside."""

MOST = 200
"""Most drafts laid aside that are kept at hand, over all chats."""


class SetAsideDrafts(CommandRunner):
    """Keeps of each chat what the newest plan laid aside.

    Attributes:
        changed: What was laid aside in these chats is another; a frozenset of chat ids.
        taken_up: There is a new card of what did not leave; its approval id.
    """

    changed = Signal(object)
    taken_up = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._drafts: dict[ApprovalId, Approval] = {}
        self._touched: set[ChatId] = set()
        self._live = LiveQuery(bridge, self._apply, self, self._settle)
        self._live.failed.connect(self.failed)

    def attach(self, console: EngineApi, spawn: Spawn) -> None:
        """Look for what was laid aside lately."""
        super().attach(console, spawn)
        self._live.fetch(
            spawn, lambda: console.load_recent_decisions(limit=RECENT_ROWS), self._install, name="load asides"
        )

    def of_chat(self, chat_id: ChatId) -> tuple[Approval, ...]:
        """Return what was laid aside in a chat, oldest first."""
        mine = [item for item in self._drafts.values() if item.chat_id == chat_id]
        return tuple(sorted(mine, key=lambda item: (item.created_at, item.approval_id)))

    def take_up(self, approval: Approval) -> None:
        """Make a new card of what did not leave; it waits for a decision like any draft."""
        if self._console is not None:
            self._send(self._take_up(self._console, approval), f"take up {approval.approval_id}")

    def put_away(self, approval: Approval) -> None:
        """Take one out of sight."""
        self._drop(approval)
        self._settle()

    async def _take_up(self, console: EngineApi, approval: Approval) -> None:
        made = await console.plans.send_anyway(approval.approval_id, client_id=os.urandom(16).hex())
        if made is None:
            raise RefusedError(self.tr("It cannot be taken up any more."))
        self._bridge.deliver(lambda: self.taken_up.emit(made.approval_id))

    def _install(self, rows: tuple[Approval, ...]) -> None:
        for row in reversed(rows):  # the newest plan of a chat comes last
            self._note(row)

    def _apply(self, event: EngineEvent) -> None:
        if isinstance(event, ApprovalRequested | ApprovalResolved | TaskStatusChanged):
            self._note(event.approval)

    def _note(self, item: Approval) -> None:
        if item.task_status is TaskStatus.FAILED or not may_be_taken_up(item):  # what failed has a card of its own
            self._drop(item)
            return
        for old in self.of_chat(item.chat_id):
            # In a chat that is observed for days, only what the newest plan would have done.
            if item.task_status is old.task_status is TaskStatus.OBSERVED and old.graph_id != item.graph_id:
                self._drop(old)
        self._drafts[item.approval_id] = item
        self._touched.add(item.chat_id)
        while len(self._drafts) > MOST:
            self._drop(next(iter(self._drafts.values())))

    def _drop(self, item: Approval) -> None:
        if self._drafts.pop(item.approval_id, None) is not None:
            self._touched.add(item.chat_id)

    def _settle(self) -> None:
        if self._touched:
            touched, self._touched = frozenset(self._touched), set()
            self.changed.emit(touched)
