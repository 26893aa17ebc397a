"""A room with one plan, and the operator's edits of it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from chimein_gui.domain.approvals import Approval, Reject
from chimein_gui.domain.ids import ChatId, TaskId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.plans.step_edits import EditOutcome, EditVerdict, StepAction, StepEdit, StepEditRequest
from chimein_gui.domain.tasks import FINAL, TaskKind, TaskStatus
from chimein_gui.engine.operator.plan_edits import PlanEdits
from chimein_gui.engine.operator.resend import SendAnyway
from chimein_gui.engine.ports import TaskRow
from tests.support.send_room import SendRoom, send_room

_clients = itertools.count()


class Editing:
    """A room with one plan, and the operator's edits of it."""

    def __init__(self, room: SendRoom, chat_id: ChatId) -> None:
        self.room, self.chat_id = room, chat_id
        self.edits = PlanEdits(room.deciding._unit, room.environment)
        self.resend = SendAnyway(room.deciding._unit, room.environment)

    async def plan(self, *texts: str) -> tuple[Approval, ...]:
        return await self.room.plan(self.chat_id, *texts)

    async def steps(self) -> tuple[TaskRow, ...]:
        return await self.room.store.read(
            lambda tx: tx.tasks.of_graph(current.graph_id) if (current := tx.graphs.current_of(self.chat_id)) else ()
        )

    async def words(self, *, open_only: bool = True) -> list[str]:
        """Return the steps in plan order: the text of a send, the seconds of a wait."""
        steps = [one for one in await self.steps() if not open_only or one.status not in FINAL]
        return [f"{one.wait_s:g}" if one.kind is TaskKind.WAIT else await self._text(one) for one in steps]

    async def _text(self, step: TaskRow) -> str:
        return (await self.card(step.task_id)).text

    async def card(self, task_id: TaskId) -> Approval:
        return await self.room.store.read(lambda tx: tx.approvals.of_task(task_id))

    async def do(self, action: StepAction, step: Approval | TaskId, **changes: Any) -> EditOutcome:
        task_id = step.task_id if isinstance(step, Approval) else step
        count = await self.room.store.read(lambda tx: tx.plan_edits.count(tx.tasks.get(task_id).graph_id or 0))  # type: ignore[arg-type]
        request = {"expected_edits": count, "expected_version": None, "client_id": f"edit {next(_clients)}"}
        request |= {key: changes.pop(key) for key in tuple(changes) if key in request}
        return await self.edits.edit(StepEditRequest(StepEdit(action, task_id, **changes), **request))  # type: ignore[arg-type]

    async def done(self, action: StepAction, step: Approval | TaskId, **changes: Any) -> TaskId:
        outcome = await self.do(action, step, **changes)
        assert outcome.verdict is EditVerdict.ACCEPTED, outcome
        return outcome.added or TaskId(0)

    async def refused(self, action: StepAction, step: Approval | TaskId, **changes: Any) -> Note | None:
        before = [await self.steps(), await self.room.store.read(lambda tx: tx.approvals.of_chat(self.chat_id))]
        outcome = await self.do(action, step, **changes)
        assert outcome.verdict is not EditVerdict.ACCEPTED
        assert before == [
            await self.steps(),
            await self.room.store.read(lambda tx: tx.approvals.of_chat(self.chat_id)),
        ]
        return outcome.note

    async def reject(self, *cards: Approval) -> None:
        for card in cards:
            await self.room.decide(card, Reject())
        await self.room.worked_off()

    async def returned(self, card: Approval) -> Approval:
        """Undo a rejection."""
        made = await self.resend.ask(card.approval_id, client_id=f"return {next(_clients)}")
        assert made is not None
        await self.room.worked_off()
        return made

    async def approve_all(self) -> None:
        for step in await self.steps():
            if step.status is TaskStatus.AWAITING_DECISION:
                await self.room.approve(await self.card(step.task_id))
        await self.room.worked_off()

    async def pass_time(self, seconds: float) -> None:
        await self.room.pass_time(seconds, step_s=seconds)


@asynccontextmanager
async def plan_editing(folder: Path) -> AsyncIterator[Editing]:
    async with send_room(folder) as room:
        yield Editing(room, await room.chat())
