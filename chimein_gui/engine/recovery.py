"""What a start does with what the last run left open (SPEC §3a, recovery)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.sends import outcome_unknown
from chimein_gui.engine.transitions import move_task

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.engine.ports import Transaction

MOST_CRASHES = 3
"""A plan that was running at this many crashes is given up."""


def recover(tx: Transaction) -> tuple[Chat, ...]:
    """Put every interrupted step into the state the tables name, and return the chats that have something to do."""
    chats: dict[ChatId, None] = {}
    for task in tx.tasks.open_everywhere():
        chats[task.chat_id] = None
        if task.kind is TaskKind.RECEIVED and task.status is TaskStatus.RUNNING:
            crashed = replace(task, crashes=task.crashes + 1)
            if crashed.crashes >= MOST_CRASHES:
                move_task(tx, crashed, TaskStatus.FAILED, reason="the program ended three times during this plan")
                tx.chats.set_planning_problem(task.chat_id, "No plan: the program ended three times while making it.")
            else:
                move_task(tx, crashed, TaskStatus.READY, reason="the program ended during this plan")
        elif task.status is TaskStatus.SENDING:
            outcome_unknown(tx, tx.approvals.of_task(task.task_id).approval_id)
    return tuple(tx.chats.get(chat_id) for chat_id in chats)
