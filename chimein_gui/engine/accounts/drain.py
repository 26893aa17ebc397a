"""Before a log-out: sends on their way are awaited, and approved sends stay approved."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.events import EngineEvent, TaskStatusChanged
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.sending.dispatch import OFFLINE_NOTE

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.ids import AccountId, ChatId
    from chimein_gui.engine.accounts.accounts import Accounts
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.ports import Transaction
    from chimein_gui.engine.sending.in_flight import InFlightRequests

_log = logging.getLogger(__name__)

ANSWERS_S = 10.0
"""Seconds that a log-out waits for the answers of sends; later answers are looked up after the next log-in."""

LEAVING = Note(ConnectionReason.LEAVING)
STAYS = Note(NoteKind.STAYS_LOGGED_OUT)


class AccountDrain:
    """Ends the sends of an account that is about to be logged out."""

    def __init__(self, unit: UnitOfWork, accounts: Accounts, in_flight: InFlightRequests) -> None:
        self._unit = unit
        self._accounts = accounts
        self._in_flight = in_flight

    async def end(self, agent: Agent) -> None:
        """Stop sending, wait for the answers of sends on their way, and mark the approved sends that stay."""
        account_id = agent.account_id
        if account_id is None:
            return

        def covers(account: AccountId, _chat_id: ChatId) -> bool:
            return account == account_id

        self._accounts.directory.send_no_more(agent.agent_id, LEAVING if self._in_flight.any_of(covers) else None)
        if not await self._in_flight.wait_idle(covers, ANSWERS_S):
            await self._in_flight.drop(covers)
        try:
            await self._unit.apply(lambda tx: _mark(tx, account_id), durability=Durability.NORMAL, wakes=False)
        except StoreError as error:
            _log.warning("What stays approved could not be marked: %s", error)


def _mark(tx: Transaction, account_id: AccountId) -> list[EngineEvent]:
    """Note on approved cards why they stay, except cards that have a note already (writer thread)."""
    events: list[EngineEvent] = []
    for approval in tx.approvals.waiting():
        stays = approval.account_id == account_id and approval.task_status is TaskStatus.APPROVED
        if stays and approval.note in {None, OFFLINE_NOTE}:
            tx.approvals.save(replace(approval, note=STAYS))
            events.append(TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision))
    return events
