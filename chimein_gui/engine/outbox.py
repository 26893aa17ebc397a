"""The outbox: claims approved sends, hands them over and records the outcome (SPEC §3, Sending exactly once).

A claim, a confirmation and everything else that decides whether something was sent is committed with FULL durability.
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
    NotConnectedError,
    OutcomeUnknownError,
    RateLimitedError,
    SendRefusedError,
    StoreWriteError,
)
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.chat_work import ChatWork, WorkKind, next_work
from chimein_gui.engine.fault_line import FaultLine
from chimein_gui.engine.outcomes import ANSWER_S, history_since, settle_unknown
from chimein_gui.engine.ports import Durability, SendRequest
from chimein_gui.engine.sends import (
    Claim,
    claim,
    confirm_sent,
    outcome_unknown,
    own_message,
    put_back,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import AccountId, ApprovalId, ChatId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, LedgerRow, SentReceipt, Spawn, Store, TelegramGateway, Transaction

_log = logging.getLogger(__name__)

TYPING_REPEAT_S = 4.5
"""Telegram shows "typing…" for about 5 s."""

OFFLINE_NOTE = "Waits for Telegram"

OFFLINE_RETRY_S = 5.0
"""Approved sends of an offline account are looked at again; the reconnect wakes them earlier."""

STORE_RETRY_S = 2.0
"""Pause before an outcome that could not be stored is tried again."""


class Outbox:
    """Sends what is approved, one step of one chat at a time; the scheduler sees to that."""

    def __init__(
        self,
        store: Store,
        bus: EventBus,
        clock: Clock,
        spawn: Spawn,
        preferences: Preferences,
        gateway_of: Callable[[AccountId], TelegramGateway | None],
    ) -> None:
        """Wire the services; `gateway_of` returns the account's connected gateway or None."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._spawn = spawn
        self._preferences = preferences
        self._gateway_of = gateway_of
        self._in_flight = 0
        remedy = "Make room on the disk; it is tried again every 2 s, and nothing is sent twice."
        self._fault = FaultLine(bus, "outbox", remedy)
        self._closing = False
        self._idle = asyncio.Event()
        self._idle.set()

    async def send(self, work: ChatWork) -> ChatWork | None:
        """Type, claim and send; returns what the chat has to do next."""
        gateway = self._gateway(work)
        if gateway is None or work.approval_id is None or self._closing:
            return replace(work, at=self._in(OFFLINE_RETRY_S))
        now = self._clock.now()
        if now < work.leaves_at:
            await self._show_typing(gateway, work.approval_id)
            return replace(work, at=min(work.leaves_at, now + timedelta(seconds=TYPING_REPEAT_S)))
        further = await self._claim(work.approval_id)
        if further is not None and further.claim is not None:
            return await self.hand_over(further)
        return self._not_at_once(work, further)

    def claim_due(self, tx: Transaction, work: ChatWork | None) -> tuple[ChatWork | None, list[EngineEvent]]:
        """Claim a send that is due in the transaction that made it so: one commit with FULL durability, not two.

        Runs on the store's thread; what it does not claim is left to `send`.
        """
        now = self._clock.now()
        if work is None or work.kind is not WorkKind.SEND or work.approval_id is None or work.leaves_at > now:
            return work, []
        if self._closing or self._gateway(work) is None:
            return work, []
        claimed, events = claim(tx, work.approval_id, now)
        return (work if claimed is None else replace(work, kind=WorkKind.HAND_OVER, claim=claimed)), events

    async def hand_over(self, work: ChatWork) -> ChatWork | None:
        """Send what was claimed; returns what the chat has to do next."""
        if work.claim is None:
            return None
        gateway = self._gateway(work)
        self._in_flight += 1
        self._idle.clear()
        try:
            if gateway is None:
                approval = work.claim.approval
                lost = partial(
                    put_back, approval_id=approval.approval_id, until=self._in(1.0), note="Waits for Telegram"
                )
                return await self._commit(lost, approval.chat_id)
            return await self._hand_over(gateway, work.claim)
        finally:
            self._in_flight -= 1
            if not self._in_flight:
                self._idle.set()

    def _not_at_once(self, work: ChatWork, further: ChatWork | None) -> ChatWork | None:
        """A send that cannot be claimed now (another one is in doubt) is not looked at again without a pause."""
        if further is None or further.approval_id != work.approval_id:
            return further
        return replace(further, at=max(further.at, self._in(OFFLINE_RETRY_S)))

    async def settle(self, seconds: float) -> None:
        """Begin no more sends, and wait for the answers of those in flight, but not longer than `seconds`."""
        self._closing = True
        try:
            async with self._clock.timeout(seconds):
                await self._idle.wait()
        except TimeoutError:
            _log.info("Sends without an answer at the end: their outcome is looked up at the next start")

    async def resolve(self, work: ChatWork) -> ChatWork | None:
        """Find out what became of a send without an answer (SPEC §3, steps 2 and 4)."""
        gateway = self._gateway(work)
        if gateway is None or work.approval_id is None:
            return replace(work, at=self._in(OFFLINE_RETRY_S))
        approval_id = work.approval_id
        approval = await self._store.read(lambda tx: tx.approvals.get(approval_id))
        row = await self._store.read(lambda tx: tx.ledger.current(approval_id))
        try:
            history = await history_since(gateway, self._clock, approval, row.claimed_at if row is not None else None)
        except SendRefusedError as error:
            _log.info("Telegram does not let us look up approval %s: %s", approval_id, error)
            history = ()
        except RateLimitedError as error:
            return replace(work, at=self._in(error.retry_after_s))
        except (GatewayError, TimeoutError) as error:
            _log.info("The outcome of approval %s could not be looked up: %s", approval_id, error)
            return replace(work, at=self._in(OFFLINE_RETRY_S))
        settle = partial(self._settle_unknown, approval_id=approval_id, history=history, certain=False)
        return await self._commit(settle, approval.chat_id)

    def _gateway(self, work: ChatWork) -> TelegramGateway | None:
        """Return the account's gateway if it can send now."""
        gateway = self._gateway_of(work.account_id) if work.account_id is not None else None
        return gateway if gateway is not None and gateway.is_up() else None

    async def _claim(self, approval_id: ApprovalId) -> ChatWork | None:
        """Claim in one transaction; without a claim the answer is what the chat has to do next."""

        def work(tx: Transaction) -> tuple[ChatWork | None, list[EngineEvent]]:
            claimed, events = claim(tx, approval_id, self._clock.now())
            if claimed is not None:
                account_id = claimed.approval.account_id
                return ChatWork(WorkKind.HAND_OVER, self._clock.now(), account_id, approval_id, claim=claimed), events
            return next_work(tx, tx.approvals.get(approval_id).chat_id, self._preferences), events

        further, events = await self._store.transact(work, durability=Durability.FULL)
        self._bus.publish(*events)
        return further

    async def _hand_over(self, gateway: TelegramGateway, claim: Claim) -> ChatWork | None:
        approval, row = claim.approval, claim.row
        self._mark_read(gateway, approval)
        request = SendRequest(approval.peer_id, row.text, row.reply_to_id, row.random_id)
        outcome: Callable[[Transaction], list[EngineEvent]]
        try:
            async with self._clock.timeout(ANSWER_S):
                receipt = await gateway.send_text(request)
            outcome = await self._delivered(gateway, approval, row, receipt)
        except asyncio.CancelledError:
            # The request stays in the sender's queue and may still leave (FACTS, Telethon): never "failed".
            self._store.submit(partial(outcome_unknown, approval_id=approval.approval_id), durability=Durability.FULL)
            raise
        except (OutcomeUnknownError, TimeoutError):
            outcome = partial(outcome_unknown, approval_id=approval.approval_id)
            # What is still queued in this client must not leave behind our back.
            self._spawn(gateway.disconnect(), name="drop the connection of an unanswered send")
        except NotConnectedError:
            outcome = partial(put_back, approval_id=approval.approval_id, until=self._in(1.0), note=OFFLINE_NOTE)
        except RateLimitedError as error:
            note = f"Telegram asks this account to wait {error.retry_after_s:.0f} s"
            until = self._in(error.retry_after_s)
            outcome = partial(put_back, approval_id=approval.approval_id, until=until, note=note)
        except SendRefusedError as error:
            outcome = partial(refused, approval_id=approval.approval_id, explanation=str(error))
        except Exception:  # noqa: BLE001 - after the hand-over everything else is "unknown"
            _log.exception("A send failed in a way nobody foresaw: its outcome is looked up")
            outcome = partial(outcome_unknown, approval_id=approval.approval_id)
            self._spawn(gateway.disconnect(), name="drop the connection of an unanswered send")
        return await self._commit(outcome, approval.chat_id)

    async def _delivered(
        self, gateway: TelegramGateway, approval: Approval, row: LedgerRow, receipt: SentReceipt
    ) -> Callable[[Transaction], list[EngineEvent]]:
        """Build the confirmation; an id that Telegram did not name is looked for in the history."""
        if receipt.message_id is None or receipt.sent_at is None:
            try:
                history = await history_since(gateway, self._clock, approval, row.claimed_at)
            except (GatewayError, TimeoutError):
                history = ()
            return partial(self._settle_unknown, approval_id=approval.approval_id, history=history, certain=True)
        sent = own_message(approval, row, receipt)
        return lambda tx: confirm_sent(
            tx, tx.approvals.get(approval.approval_id), sent, self._clock.now(), self._preferences
        )

    def _settle_unknown(
        self, tx: Transaction, *, approval_id: ApprovalId, history: Sequence[Message], certain: bool
    ) -> list[EngineEvent]:
        now = self._clock.now()
        return settle_unknown(tx, approval_id, history, now, self._preferences, certain=certain)

    async def _commit(self, outcome: Callable[[Transaction], list[EngineEvent]], chat_id: ChatId) -> ChatWork | None:
        """Commit what is known of a send; a full disk must not lose it, so it is tried until it works."""

        def work(tx: Transaction) -> tuple[list[EngineEvent], ChatWork | None]:
            return outcome(tx), next_work(tx, chat_id, self._preferences)

        while True:
            try:
                events, further = await self._store.transact(work, durability=Durability.FULL)
            except StoreWriteError as error:
                self._fault.show(f"The outcome of a send could not be stored: {error}")
                await self._clock.sleep_until(self._in(STORE_RETRY_S))
                continue
            self._fault.clear()
            self._bus.publish(*events)
            return further

    async def _show_typing(self, gateway: TelegramGateway, approval_id: ApprovalId) -> None:
        """Show "typing…" unless the approval was taken back meanwhile: nothing visible without a decision."""
        approval = await self._store.read(lambda tx: tx.approvals.get(approval_id))
        if approval.task_status is TaskStatus.APPROVED:
            self._spawn(_quietly(partial(gateway.show_typing, approval.peer_id)), name="typing")

    def _mark_read(self, gateway: TelegramGateway, approval: Approval) -> None:
        """The read mark goes with the first claim; it never marks what the draft has not seen (SPEC §6)."""
        if approval.seen_up_to:
            self._spawn(_quietly(partial(gateway.mark_read, approval.peer_id, approval.seen_up_to)), name="read mark")

    def _in(self, seconds: float) -> datetime:
        return self._clock.now() + timedelta(seconds=seconds)


async def _quietly(request: Callable[[], Awaitable[None]]) -> None:
    """Run a request whose failure loses nothing: typing and read marks are courtesy."""
    try:
        await request()
    except GatewayError as error:
        _log.info("A courtesy request failed: %s", error)
