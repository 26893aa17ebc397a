"""The outbox: claims approved sends, hands them over and records the outcome (SPEC §3, Sending exactly once).

A claim, a confirmation and everything else that decides whether something was sent is committed with FULL durability.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import (
    GatewayError,
    NotConnectedError,
    OutcomeUnknownError,
    RateLimitedError,
    SendRefusedError,
    StoreWriteError,
)
from chimein_gui.domain.events import ChatChanged, EngineEvent, FaultReported, MessageStored, TaskStatusChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.chat_work import ChatWork, WorkKind
from chimein_gui.engine.ports import Durability, SendRequest
from chimein_gui.engine.transitions import back_to_review, cancel_planned, leave_at, move_ledger, move_task, settled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import AccountId, ApprovalId
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.ports import (
        Clock,
        LedgerRow,
        SentReceipt,
        Spawn,
        Store,
        TelegramGateway,
        Transaction,
    )

_log = logging.getLogger(__name__)

ANSWER_S = 20.0
"""How long an answer to a send is awaited before its outcome is unknown (SPEC §3a)."""

MISFIRE = timedelta(minutes=15)
"""A send overdue by more than this goes back to review (SPEC §3, Failures)."""

TYPING_REPEAT_S = 4.5
"""Telegram shows "typing…" for about 5 s."""

OFFLINE_RETRY_S = 5.0
"""Approved sends of an offline account are looked at again; the reconnect wakes them earlier."""

STORE_RETRY_S = 2.0
"""Pause before an outcome that could not be stored is tried again."""

HISTORY_LOOKED_AT = 50
"""Outgoing messages looked through for an unknown outcome."""

CLOCK_SLACK = timedelta(seconds=60)
"""How much older than the claim a message may be to count as its outcome (SPEC §3, step 2)."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed send: committed, about to be handed over."""

    approval: Approval
    row: LedgerRow


@dataclass(frozen=True, slots=True)
class _Stay:
    """Not now: the send stays approved until the given time."""

    until: datetime


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
        self._faulty = False
        self._idle = asyncio.Event()
        self._idle.set()

    async def send(self, approval_id: ApprovalId) -> ChatWork | None:
        """Type, claim and send; returns when the same send wants to be looked at again, or None."""
        approval = await self._store.read(lambda tx: tx.approvals.get(approval_id))
        if approval.task_status is not TaskStatus.APPROVED:
            return None
        gateway = self._gateway_of(approval.account_id)
        if gateway is None or not gateway.is_up():
            return self._later(approval_id, OFFLINE_RETRY_S)
        now = self._clock.now()
        if approval.due_at is not None and now < approval.due_at:
            self._show_typing(gateway, approval)
            return ChatWork(WorkKind.SEND, min(approval.due_at, now + timedelta(seconds=TYPING_REPEAT_S)), approval_id)
        self._mark_read(gateway, approval)
        claim = await self._claim(approval_id)
        if claim is None:
            return None
        if isinstance(claim, _Stay):
            return ChatWork(WorkKind.SEND, claim.until, approval_id)
        self._in_flight += 1
        self._idle.clear()
        try:
            await self._hand_over(gateway, claim)
        finally:
            self._in_flight -= 1
            if not self._in_flight:
                self._idle.set()
        return None

    async def settle(self, seconds: float) -> None:
        """Wait for the answers of sends in flight, but not longer than `seconds`."""
        try:
            async with self._clock.timeout(seconds):
                await self._idle.wait()
        except TimeoutError:
            _log.info("Sends without an answer at the end: their outcome is looked up at the next start")

    async def resolve(self, approval_id: ApprovalId) -> ChatWork | None:
        """Find out what became of a send without an answer (SPEC §3, steps 2 and 4)."""
        approval, row = await self._store.read(
            lambda tx: (tx.approvals.get(approval_id), tx.ledger.current(approval_id))
        )
        if approval.task_status is not TaskStatus.UNKNOWN or row is None:
            return None
        gateway = self._gateway_of(approval.account_id)
        if gateway is None or not gateway.is_up():
            return ChatWork(WorkKind.RESOLVE, self._in(OFFLINE_RETRY_S), approval_id)
        try:
            async with self._clock.timeout(ANSWER_S):
                history = await gateway.history(approval.peer_id, limit=HISTORY_LOOKED_AT)
        except (GatewayError, TimeoutError) as error:
            _log.info("The outcome of approval %s could not be looked up: %s", approval_id, error)
            return ChatWork(WorkKind.RESOLVE, self._in(OFFLINE_RETRY_S), approval_id)
        await self._commit(partial(self._settle_unknown, approval_id=approval_id, history=history))
        return None

    async def _claim(self, approval_id: ApprovalId) -> Claim | _Stay | None:
        def work(tx: Transaction) -> tuple[Claim | _Stay | None, list[EngineEvent]]:
            return claim(tx, approval_id, self._clock.now())

        claimed, events = await self._store.transact(work, durability=Durability.FULL)
        self._bus.publish(*events)
        return claimed

    async def _hand_over(self, gateway: TelegramGateway, claim: Claim) -> None:
        approval, row = claim.approval, claim.row
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
            outcome = partial(
                put_back, approval_id=approval.approval_id, until=self._in(1.0), note="Waits for Telegram"
            )
        except RateLimitedError as error:
            note = f"Telegram asks this account to wait {error.retry_after_s:.0f} s"
            until = self._in(error.retry_after_s)
            outcome = partial(put_back, approval_id=approval.approval_id, until=until, note=note)
        except SendRefusedError as error:
            outcome = partial(refused, approval_id=approval.approval_id, explanation=str(error))
        await self._commit(outcome)

    async def _delivered(
        self, gateway: TelegramGateway, approval: Approval, row: LedgerRow, receipt: SentReceipt
    ) -> Callable[[Transaction], list[EngineEvent]]:
        """Build the confirmation; an id that Telegram did not name is looked for in the history."""
        if receipt.message_id is None or receipt.sent_at is None:
            try:
                history = await gateway.history(approval.peer_id, limit=HISTORY_LOOKED_AT)
            except GatewayError:
                history = ()
            return partial(self._settle_unknown, approval_id=approval.approval_id, history=history, certain=True)
        sent = own_message(approval, row, receipt)
        return lambda tx: confirm_sent(
            tx, tx.approvals.get(approval.approval_id), sent, self._clock.now(), self._preferences
        )

    def _settle_unknown(
        self, tx: Transaction, *, approval_id: ApprovalId, history: Sequence[Message], certain: bool = False
    ) -> list[EngineEvent]:
        approval = tx.approvals.get(approval_id)
        row = tx.ledger.current(approval_id)
        if row is None or row.state not in {LedgerState.SENDING, LedgerState.UNKNOWN}:
            return []
        found = find_delivered(tx, approval, row, history)
        if found is not None or certain:
            return confirm_sent(tx, approval, found, self._clock.now(), self._preferences)
        reasons = tuple(sorted({*approval.reasons, AskReason.NOT_DELIVERED}, key=list(AskReason).index))
        reopened = back_to_review(tx, replace(approval, reasons=reasons), "No trace of it in the chat on Telegram")
        return _changed(tx, reopened)

    async def _commit(self, outcome: Callable[[Transaction], list[EngineEvent]]) -> None:
        """Commit what is known of a send; a full disk must not lose it, so it is tried until it works."""
        while True:
            try:
                events = await self._store.transact(outcome, durability=Durability.FULL)
            except StoreWriteError as error:
                self._report(f"The outcome of a send could not be stored: {error}")
                await self._clock.sleep_until(self._in(STORE_RETRY_S))
                continue
            self._report("")
            self._bus.publish(*events)
            return

    def _report(self, cause: str) -> None:
        if cause or self._faulty:
            remedy = "Make room on the disk; it is tried again every 2 s, and nothing is sent twice."
            self._bus.publish(FaultReported("outbox", cause, remedy, Revision(0)))
        self._faulty = bool(cause)

    def _show_typing(self, gateway: TelegramGateway, approval: Approval) -> None:
        self._spawn(_quietly(gateway.show_typing(approval.peer_id)), name="typing")

    def _mark_read(self, gateway: TelegramGateway, approval: Approval) -> None:
        """The read mark goes first on the wire; an old draft never marks what it has not seen (SPEC §6)."""
        if approval.seen_up_to:
            self._spawn(_quietly(gateway.mark_read(approval.peer_id, approval.seen_up_to)), name="read mark")

    def _later(self, approval_id: ApprovalId, seconds: float) -> ChatWork:
        return ChatWork(WorkKind.SEND, self._in(seconds), approval_id)

    def _in(self, seconds: float) -> datetime:
        return self._clock.now() + timedelta(seconds=seconds)


async def _quietly(request: object) -> None:
    """Run a request whose failure loses nothing: typing and read marks are courtesy."""
    try:
        await request  # type: ignore[misc]
    except GatewayError as error:
        _log.info("A courtesy request failed: %s", error)


def claim(tx: Transaction, approval_id: ApprovalId, now: datetime) -> tuple[Claim | _Stay | None, list[EngineEvent]]:
    """Claim one approved send; the first gate that fails decides (SPEC §3a, claim)."""
    approval = tx.approvals.get(approval_id)
    row = tx.ledger.current(approval_id)
    task = tx.tasks.get(approval.task_id)
    if task.status is not TaskStatus.APPROVED or row is None:
        return None, []
    chat = tx.chats.get(approval.chat_id)
    back = ""
    if row.version != approval.version and row.state is LedgerState.PREPARED:
        back = "The text changed after it was approved"
    elif chat.info.kind is ChatKind.DM and chat.newest_in_id > approval.seen_up_to:
        back = "The conversation went on after it was approved"
        approval = replace(approval, reasons=_with(approval, AskReason.CHANGED), seen_up_to=chat.newest_in_id)
    elif approval.due_at is not None and now - approval.due_at > MISFIRE:
        back = "It is more than 15 minutes overdue"
    if back:
        return None, _changed(tx, back_to_review(tx, approval, back))
    if approval.due_at is not None and now < approval.due_at:
        return _Stay(approval.due_at), []
    others = (other.status for other in tx.tasks.current_of_chat(approval.chat_id) if other.task_id != task.task_id)
    if not settled(tx, task) or any(status in {TaskStatus.SENDING, TaskStatus.UNKNOWN} for status in others):
        return None, []
    move_task(tx, task, TaskStatus.SENDING)
    row = move_ledger(tx, replace(row, claimed_at=now), LedgerState.SENDING)
    approval = tx.approvals.get(approval_id)
    return Claim(approval, row), [TaskStatusChanged(approval, tx.revision)]


def confirm_sent(
    tx: Transaction, approval: Approval, message: Message | None, now: datetime, preferences: Preferences
) -> list[EngineEvent]:
    """Record that a send arrived; confirming twice changes nothing."""
    row = tx.ledger.current(approval.approval_id)
    if row is None or row.state is LedgerState.SENT:
        return []
    message_id = message.key.message_id if message is not None else None
    move_ledger(tx, replace(row, message_id=message_id), LedgerState.SENT)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.DONE)
    events: list[EngineEvent] = []
    if message is not None and tx.messages.put(approval.chat_id, message):
        events.append(MessageStored(approval.chat_id, message, tx.revision))
    tx.chats.set_planned_up_to(approval.chat_id, approval.seen_up_to)
    tx.chats.set_read_up_to(approval.chat_id, approval.seen_up_to)
    if approval.note:
        tx.approvals.save(replace(approval, note=""))
    events += settle_dependents(tx, approval, now, preferences, note="")
    return events + _changed(tx, tx.approvals.get(approval.approval_id))


def settle_dependents(
    tx: Transaction, approval: Approval, now: datetime, preferences: Preferences, *, note: str
) -> list[EngineEvent]:
    """The step is over: approved ones behind it get their due time, waiting ones are told why it matters."""
    events: list[EngineEvent] = []
    for task in tx.tasks.current_of_chat(approval.chat_id):
        if task.depends_on != approval.task_id:
            continue
        follower = tx.approvals.of_task(task.task_id)
        if task.status is TaskStatus.APPROVED:
            due = leave_at(follower, now, preferences.undo_s, preferences.typing_s(follower.text))
            tx.approvals.save(replace(follower, due_at=due))
        elif note:
            tx.approvals.save(replace(follower, note=note, version=follower.version + 1))
        events.append(TaskStatusChanged(tx.approvals.get(follower.approval_id), tx.revision))
    return events


def outcome_unknown(tx: Transaction, approval_id: ApprovalId) -> list[EngineEvent]:
    """Record that no answer came after the hand-over: neither sent nor failed."""
    approval = tx.approvals.get(approval_id)
    row = tx.ledger.current(approval_id)
    if row is None or row.state is not LedgerState.SENDING:
        return []
    move_ledger(tx, row, LedgerState.UNKNOWN)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.UNKNOWN, "no answer from Telegram")
    return _changed(tx, tx.approvals.get(approval_id))


def put_back(tx: Transaction, approval_id: ApprovalId, until: datetime, note: str) -> list[EngineEvent]:
    """Record that nothing was sent and the server, or the way to it, wants us to wait."""
    approval = tx.approvals.get(approval_id)
    row = tx.ledger.current(approval_id)
    if row is None or row.state is not LedgerState.SENDING:
        return []
    move_ledger(tx, replace(row, claimed_at=None), LedgerState.PREPARED)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.APPROVED, note)
    tx.approvals.save(replace(approval, due_at=until, note=note))
    return _changed(tx, tx.approvals.get(approval_id))


def refused(tx: Transaction, approval_id: ApprovalId, explanation: str) -> list[EngineEvent]:
    """Record Telegram's final no; what depends on this send is cancelled."""
    approval = tx.approvals.get(approval_id)
    row = tx.ledger.current(approval_id)
    if row is None or row.state is not LedgerState.SENDING:
        return []
    move_ledger(tx, replace(row, error=explanation), LedgerState.FAILED)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.FAILED, explanation)
    tx.approvals.save(replace(approval, note=explanation))
    events: list[EngineEvent] = []
    gone = {approval.task_id}
    for task in tx.tasks.current_of_chat(approval.chat_id):
        if task.depends_on in gone:
            gone.add(task.task_id)
            cancelled = cancel_planned(tx, task, "An earlier step failed")
            events.append(TaskStatusChanged(cancelled, tx.revision))
    return events + _changed(tx, tx.approvals.get(approval_id))


def find_delivered(tx: Transaction, approval: Approval, row: LedgerRow, history: Sequence[Message]) -> Message | None:
    """Return the one outgoing message that can only be this send, or None (SPEC §3, step 2)."""
    since = row.claimed_at - CLOCK_SLACK if row.claimed_at is not None else None
    fitting = [
        message
        for message in history
        if message.out
        and message.text == row.text
        and message.reply_to_id == row.reply_to_id
        and (since is None or message.sent_at >= since)
        and tx.ledger.owner_of(approval.account_id, approval.peer_id, message.key.message_id) is None
    ]
    return fitting[0] if fitting else None


def own_message(approval: Approval, row: LedgerRow, receipt: SentReceipt) -> Message:
    """Build our own copy of what was sent: Telegram's answer may lack half of it (FACTS)."""
    if receipt.message_id is None or receipt.sent_at is None:
        raise ValueError("The receipt names no message")
    return Message(
        key=MessageKey(approval.account_id, approval.peer_id, receipt.message_id),
        sender_id=approval.account_id,  # type: ignore[arg-type]
        sender_name=approval.agent_name,
        out=True,
        sent_at=receipt.sent_at,
        text=row.text,
        reply_to_id=row.reply_to_id,
    )


def _with(approval: Approval, reason: AskReason) -> tuple[AskReason, ...]:
    return tuple(sorted({*approval.reasons, reason}, key=list(AskReason).index))


def _changed(tx: Transaction, approval: Approval) -> list[EngineEvent]:
    return [TaskStatusChanged(approval, tx.revision), ChatChanged(tx.chats.get(approval.chat_id), tx.revision)]
