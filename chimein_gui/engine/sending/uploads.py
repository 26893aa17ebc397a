"""Uploads of the files of approved sends.

An upload is invisible, so it may fail, be interrupted and restart. The send is claimed only when its file is uploaded,
and only the send can be *unknown*. Uploads are known only in memory: after a restart they are repeated.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import (
    GatewayError,
    MediaTrouble,
    MediaUnavailableError,
    NotConnectedError,
    RateLimitedError,
    SendRefusedError,
)
from chimein_gui.domain.events import ApprovalResolved, EngineEvent, TaskStatusChanged, UploadAdvanced, is_of_file
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.tasks.transitions import back_to_review, changed

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import AccountId, ApprovalId, ChatId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, OutgoingFiles, Spawn, TelegramGateway, Transaction, UploadedFile

_log = logging.getLogger(__name__)

AGAIN_S = 5.0
"""Seconds before an interrupted upload restarts."""

STEP = 0.01
"""Share of a file after which progress is published again."""

_WANTED = frozenset({TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.UNKNOWN})
"""States of a send that needs its file at Telegram."""


class Uploads:
    """Uploads the files of approved sends, once each, and knows which are uploaded."""

    def __init__(  # noqa: PLR0913 - one service each
        self,
        unit: UnitOfWork,
        bus: EventBus,
        clock: Clock,
        spawn: Spawn,
        files: OutgoingFiles | None,
        gateway_of: Callable[[AccountId], TelegramGateway | None],
        wake: Callable[[ChatId, datetime], None],
        *,
        awake_since: Callable[[], datetime],
    ) -> None:
        """Create the service.

        Args:
            unit: Stores the results of uploads.
            bus: Receives the progress, and reports sends that are no longer wanted.
            clock: Time.
            spawn: Starts owned jobs.
            files: The copies; without it nothing can be uploaded.
            gateway_of: Returns the account's gateway that is connected, or None.
            wake: Makes a chat due at a time.
            awake_since: Returns since when the operator could stop sends, aware UTC.
        """
        self._unit = unit
        self._bus = bus
        self._clock = clock
        self._spawn = spawn
        self._files = files
        self._gateway_of = gateway_of
        self._wake = wake
        self._awake_since = awake_since
        self._running: dict[ApprovalId, asyncio.Task[None] | None] = {}
        self._there: dict[ApprovalId, UploadedFile] = {}
        self._not_before: dict[ApprovalId, datetime] = {}
        bus.subscribe(self.hear, TaskStatusChanged, ApprovalResolved, only=is_of_file)

    def is_there(self, approval_id: ApprovalId) -> bool:
        """Return whether the file of a send is uploaded."""
        return approval_id in self._there

    def is_running(self, approval_id: ApprovalId) -> bool:
        """Return whether it is being uploaded; before the end of that, checking the send again is useless."""
        return approval_id in self._running

    def again_at(self, approval_id: ApprovalId) -> datetime | None:
        """Return when an interrupted upload restarts, if that is in the future."""
        not_before = self._not_before.get(approval_id)
        return not_before if not_before is not None and self._clock.now() < not_before else None

    def found(self, approval_id: ApprovalId) -> UploadedFile | None:
        """Return the uploaded file of a send, or None."""
        return self._there.get(approval_id)

    def forget(self, approval_id: ApprovalId) -> None:
        """Forget an upload, because Telegram no longer has it."""
        self._there.pop(approval_id, None)

    def begin(self, approval: Approval) -> None:
        """Upload the file of a send, unless it is uploaded or running."""
        approval_id = approval.approval_id
        if self.is_there(approval_id) or self.is_running(approval_id):
            return
        again_at = self.again_at(approval_id)
        if again_at is not None:
            self._wake(approval.chat_id, again_at)
            return
        self._running[approval_id] = None
        self._spawn(self._run(approval), name=f"upload {approval_id}")

    def hear(self, event: EngineEvent) -> None:
        """Stop uploads that are no longer wanted, and remove the copies of sent files."""
        assert isinstance(event, TaskStatusChanged | ApprovalResolved)
        approval = event.approval
        if approval.file is None or approval.task_status in _WANTED:
            return
        self.forget(approval.approval_id)
        self._not_before.pop(approval.approval_id, None)
        running = self._running.pop(approval.approval_id, None)
        if running is not None:
            running.cancel()
        if approval.task_status is TaskStatus.DONE and self._files is not None:
            self._spawn(self._files.drop(approval.file.stored_as), name=f"remove the copy of {approval.approval_id}")

    async def _run(self, approval: Approval) -> None:
        """Upload, then wake the chat: the send starts, or the upload restarts."""
        approval_id, job = approval.approval_id, asyncio.current_task()
        if approval_id not in self._running:
            return  # it was no longer wanted before it began
        self._running[approval_id] = job
        try:
            await self._try(approval)
        finally:
            if self._running.get(approval_id) is job:
                del self._running[approval_id]
            self._bus.publish(UploadAdvanced(approval_id, approval.chat_id, None))
            self._wake(approval.chat_id, self._not_before.get(approval_id) or self._clock.now())

    async def _try(self, approval: Approval) -> None:
        approval_id = approval.approval_id
        self._not_before.pop(approval_id, None)
        began = self._clock.now()
        try:
            uploaded = await self._upload(approval)
        except MediaUnavailableError as error:
            _log.info("The file of approval %s is gone: %s", approval_id, error)
            await self._refuse(approval_id, Note(NoteKind.FILE_GONE))
        except SendRefusedError as error:
            await self._refuse(approval_id, Note(NoteKind.REFUSED, error.code))
        except RateLimitedError as error:
            self._not_before[approval_id] = self._clock.now() + timedelta(seconds=error.retry_after_s)
        except (GatewayError, TimeoutError) as error:
            _log.info("The upload for approval %s was cut off: %s", approval_id, error)
            self._not_before[approval_id] = self._clock.now() + timedelta(seconds=AGAIN_S)
        else:
            self._there[approval_id] = uploaded
            if self._awake_since() > began:
                return  # unattended: overdue and countdown rules apply as for any send
            await self._unit.record(partial(_due_now, approval_id=approval_id, now=self._clock.now()))

    async def _upload(self, approval: Approval) -> UploadedFile:
        file, gateway = approval.file, self._gateway_of(approval.account_id)
        assert file is not None
        path = await self._files.find(file.stored_as) if self._files is not None else None
        if path is None:
            raise MediaUnavailableError("There is no copy of it.", MediaTrouble.GONE)
        if gateway is None:
            raise NotConnectedError(Note(ConnectionReason.NOT_CONNECTED))
        reported = 0

        def advanced(arrived: int) -> None:
            nonlocal reported
            if arrived == file.size or arrived - reported >= file.size * STEP:
                reported = arrived
                self._bus.publish(UploadAdvanced(approval.approval_id, approval.chat_id, arrived / file.size))

        self._bus.publish(UploadAdvanced(approval.approval_id, approval.chat_id, 0.0))
        return await gateway.upload(path, file, advanced)

    async def _refuse(self, approval_id: ApprovalId, note: Note) -> None:
        """Return the send to review, because the upload can't succeed."""

        def work(tx: Transaction) -> tuple[list[EngineEvent], None]:
            approval = tx.approvals.get(approval_id)
            if approval.task_status is not TaskStatus.APPROVED:
                return [], None
            return changed(tx, back_to_review(tx, approval, None, note)), None

        await self._unit.record(work)


def _due_now(tx: Transaction, *, approval_id: ApprovalId, now: datetime) -> tuple[list[EngineEvent], None]:
    """Make a send due now, so that a long upload does not make it overdue."""
    approval = tx.approvals.get(approval_id)
    if approval.task_status is not TaskStatus.APPROVED or approval.due_at is None or approval.due_at >= now:
        return [], None
    tx.approvals.save(replace(approval, due_at=now))
    return changed(tx, tx.approvals.get(approval_id)), None
