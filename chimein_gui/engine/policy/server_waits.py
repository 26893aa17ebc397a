"""Waits that Telegram imposes, on a method of an account or on one chat.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import SlowModeError
from chimein_gui.domain.events import EngineEvent, ServerWaitBegan
from chimein_gui.domain.tasks import METHODS
from chimein_gui.engine.ports import ServerWait

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.errors import RateLimitedError
    from chimein_gui.engine.ports import Transaction


def wait_of(approval: Approval, error: RateLimitedError, now: datetime) -> ServerWait:
    """Return the wait that an error imposes, with the end exactly as Telegram gave it."""
    chat_id = approval.chat_id if isinstance(error, SlowModeError) else None
    until = now + timedelta(seconds=error.retry_after_s)
    return ServerWait(approval.account_id, chat_id, METHODS[approval.kind], until)


def begin_server_wait(tx: Transaction, wait: ServerWait) -> list[EngineEvent]:
    """Store a wait; approved sends stay approved meanwhile."""
    tx.waits.put(wait)
    return [ServerWaitBegan(wait.account_id, wait.chat_id, wait.method, wait.until, tx.revision)]


def waits_until(tx: Transaction, approval: Approval, now: datetime) -> datetime | None:
    """Return until when Telegram's waits delay this send, or None."""
    wait = tx.waits.over(approval.account_id, approval.chat_id, METHODS[approval.kind], now)
    return wait.until if wait is not None else None
