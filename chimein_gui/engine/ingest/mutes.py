"""Muted DMs trigger no plans. Whether a DM is muted is looked up when it matters, never for all chats.

See docs/behaviour.md, "Muted chats".

It matters when a message triggers, and when a rule is about to send something: without a fresh answer it sends nothing.
The plans of a muted DM are cancelled, and made again after the DM is unmuted. Functions that take a transaction run on
the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import ChatKind, MuteState
from chimein_gui.domain.errors import GatewayError
from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.domain.notes import Note, is_of
from chimein_gui.domain.tasks import FINAL, PLANNED_KINDS, UNSENT, CancelReason, TaskStatus
from chimein_gui.engine.ports import Durability, GraphStanding
from chimein_gui.engine.tasks.completion import cancel_steps
from chimein_gui.engine.tasks.graphs import retire_variants
from chimein_gui.engine.tasks.transitions import back_to_review, changed, has_left, move_task, step_changed
from chimein_gui.engine.triggers.triggers import open_window, unanswered

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.ids import AccountId, ChatId, GraphId, PeerId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Clock, GraphRow, Spawn, TaskRow, TelegramGateway, Transaction

    AccountPeer = tuple[AccountId, PeerId]

MUTED_NOTE = Note(CancelReason.MUTED)

_IN_THE_MAKING = frozenset({TaskStatus.READY, TaskStatus.WAITING, TaskStatus.RUNNING})


def cancel_plans(tx: Transaction, chat_id: ChatId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Cancel the plans of a muted chat, also one that is being made; its messages stay unanswered.

    Steps that the operator edited or approved stay, and so do the steps before them and partly sent ones: he decides on
    them, and no rule sends them. While an editor is open in the chat, only the claim checks the mute.
    """
    events = _end_planning(tx, chat_id)
    current = tx.graphs.current_of(chat_id)
    if current is not None and not environment.is_editing(chat_id):
        events += _end_drafts(tx, current)
    if events:
        events.append(ChatChanged(tx.chats.get(chat_id), tx.revision))
    return events


def _end_planning(tx: Transaction, chat_id: ChatId) -> list[EngineEvent]:
    received = tx.tasks.open_received(chat_id)
    if received is None or received.status not in _IN_THE_MAKING:
        return []
    ended = move_task(tx, received, TaskStatus.CANCELLED, reason=MUTED_NOTE, due_at=None)
    # The problem of an earlier plan is not about these messages, and no attempt follows: see `on_unmuted`.
    tx.chats.set_planning_problem(chat_id, None)
    return [step_changed(tx, ended)]


def _end_drafts(tx: Transaction, current: GraphRow) -> list[EngineEvent]:
    steps = [step for step in tx.tasks.of_graph(current.graph_id) if step.status not in FINAL]
    own = [index for index, step in enumerate(steps) if _is_the_operators(tx, step)]
    kept = own[-1] + 1 if own else 0
    events = cancel_steps(tx, steps[kept:], CancelReason.MUTED)
    for step in steps[:kept]:
        if step.kind in PLANNED_KINDS and step.status is TaskStatus.APPROVED:
            approval = tx.approvals.of_task(step.task_id)
            if approval.by_rule:
                events += changed(tx, back_to_review(tx, approval, AskReason.MUTED, MUTED_NOTE))
    return events if own else events + _end_variants(tx, current.graph_id)


def _is_the_operators(tx: Transaction, step: TaskRow) -> bool:
    """Tell whether the operator decides on a step: he edited or approved it, or a part of it may have left."""
    if step.kind not in PLANNED_KINDS:
        return False
    approval = tx.approvals.of_task(step.task_id)
    if step.status not in UNSENT or approval.is_edited or has_left(tx, approval):
        return True
    return step.status is TaskStatus.APPROVED and not approval.by_rule


def _end_variants(tx: Transaction, graph_id: GraphId) -> list[EngineEvent]:
    events: list[EngineEvent] = []
    for variant in tx.graphs.variants_of(graph_id):
        if variant.standing is GraphStanding.VARIANT:
            events += cancel_steps(tx, tx.tasks.of_graph(variant.graph_id), CancelReason.MUTED)
    retire_variants(tx, graph_id)
    return events


def on_unmuted(tx: Transaction, chat_id: ChatId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Plan the messages that came during a mute that is over, and those whose plans were cancelled for it.

    Messages whose plan was given up or whose send failed wait for the next message, as without a mute.
    """
    chat = tx.chats.get(chat_id)
    trigger_ids = unanswered(tx, chat)
    if not trigger_ids or chat.planning_problem or tx.tasks.open_received(chat_id) is not None:
        return []
    graph = tx.graphs.current_of(chat_id)
    is_planned = graph is not None and graph.trigger_ids[-1:] == trigger_ids[-1:]
    if graph is not None and is_planned and not _was_muted_away(tx, graph):
        return []
    open_window(tx, chat, trigger_ids, environment)
    received = tx.tasks.open_received(chat_id)
    began = [] if received is None else [step_changed(tx, received)]
    return [*began, ChatChanged(tx.chats.get(chat_id), tx.revision)]


def _was_muted_away(tx: Transaction, graph: GraphRow) -> bool:
    """Tell whether all steps of a plan are final, and the mute is the reason."""
    steps = tx.tasks.of_graph(graph.graph_id)
    if any(step.status not in FINAL for step in steps):
        return False
    return any(is_of(step.reason, CancelReason.MUTED) for step in steps)


_log = logging.getLogger(__name__)

FRESH = timedelta(seconds=60)
"""How long an answer is valid, unless Telegram reports a change or the connection ends earlier."""

LOOK_UP_S = 10.0
"""Longest look-up."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """The result of a look-up.

    Attributes:
        at: The time of the look-up, aware UTC.
        until: Until when the chat is muted, aware UTC; None if it never was.
        answered: Whether Telegram answered; False for a failed look-up.
    """

    at: datetime
    until: datetime | None = None
    answered: bool = True

    def is_muted(self, now: datetime) -> bool:
        return self.until is not None and self.until > now


class Mutes:
    """Knows which DMs are muted, and cancels their plans."""

    def __init__(
        self,
        unit: UnitOfWork,
        clock: Clock,
        spawn: Spawn,
        on_due: Callable[[ChatId, datetime], None],
    ) -> None:
        """`on_due` is called with chats in which something may continue now."""
        self._unit = unit
        self._clock = clock
        self._spawn = spawn
        self._on_due = on_due
        self._environment: TransactionEnvironment
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gateways: dict[AccountId, TelegramGateway] = {}
        self._known: dict[AccountPeer, _Answer] = {}
        self._asking: set[AccountPeer] = set()
        self._overtaken: set[AccountPeer] = set()
        self._changed: set[AccountPeer] = set()

    def act_in(self, environment: TransactionEnvironment) -> None:
        """Set the environment in which answers change plans; it asks `state_of`, so it is made after this service."""
        self._environment = environment

    def connected(self, account_id: AccountId, gateway: TelegramGateway) -> None:
        """Note the gateway of an account and drop its answers, because changes meanwhile were not reported."""
        self._loop = asyncio.get_running_loop()
        self._gateways[account_id] = gateway
        self._forget(account_id)

    def disconnected(self, gateway: TelegramGateway) -> None:
        """Forget a gateway; its account can't be asked and gets no reports of changes."""
        for account_id in [account for account, one in self._gateways.items() if one is gateway]:
            del self._gateways[account_id]
            self._forget(account_id)

    def changed(self, account_id: AccountId, peer_id: PeerId | None) -> None:
        """Drop known answers because the notification settings of a chat, or of all chats of a kind (None), changed."""
        if peer_id is None:
            self._forget(account_id)
            return
        place = (account_id, peer_id)
        self._changed.add(place)
        self._drop(place)
        self._ask_soon(place)

    def look_up(self, chat_id: ChatId, account_id: AccountId, peer_id: PeerId) -> None:
        """Look up the mute of a DM in which a message has triggered; a muted one gets no plan."""
        place = (account_id, peer_id)
        now = self._clock.now()
        answer = self._fresh(place, now)
        if answer is None or not answer.answered:
            self._ask_soon(place)
        elif answer.is_muted(now):
            self._spawn(self._cancel_plans(chat_id), name=f"take back the plan of muted chat {chat_id}")

    def state_of(self, account_id: AccountId, peer_id: PeerId) -> MuteState:
        """Return the known mute state of a DM. If it is unknown, it is looked up, and the answer wakes the chat.

        Safe to call from any thread (`TransactionEnvironment.mute_of`).
        """
        now = self._clock.now()
        answer = self._fresh((account_id, peer_id), now)
        if answer is None:
            if self._loop is not None and account_id in self._gateways:
                with suppress(RuntimeError):  # the loop is closed because the program ends
                    self._loop.call_soon_threadsafe(self._ask_if_unknown, (account_id, peer_id))
            return MuteState.AWAITED
        if not answer.answered:
            return MuteState.UNTOLD
        return MuteState.MUTED if answer.is_muted(now) else MuteState.HEARD

    def last_known(self, account_id: AccountId, peer_id: PeerId) -> MuteState:
        """Return whether a DM is muted by the last answer, and look nothing up; safe to call from any thread."""
        answer = self._known.get((account_id, peer_id))
        is_muted = answer is not None and answer.is_muted(self._clock.now())
        return MuteState.MUTED if is_muted else MuteState.HEARD

    def _fresh(self, place: AccountPeer, now: datetime) -> _Answer | None:
        answer = self._known.get(place)
        return answer if answer is not None and now - answer.at < FRESH else None

    def _forget(self, account_id: AccountId) -> None:
        for place in {*self._known, *self._asking}:
            if place[0] == account_id:
                self._drop(place)

    def _drop(self, place: AccountPeer) -> None:
        self._known.pop(place, None)
        if place in self._asking:
            self._overtaken.add(place)

    def _ask_if_unknown(self, place: AccountPeer) -> None:
        """Start a look-up that a store thread asked for, unless there is an answer by now (loop)."""
        if self._fresh(place, self._clock.now()) is None:
            self._ask_soon(place)

    def _ask_soon(self, place: AccountPeer) -> None:
        if place not in self._asking and place[0] in self._gateways:
            self._asking.add(place)
            self._spawn(self._ask(place), name=f"is the chat with {place[1]} muted?")

    async def _ask(self, place: AccountPeer) -> None:
        """Ask until no change came during the request, and apply the answer to the chat's plans."""
        before = self._known.get(place)
        try:
            while True:
                self._overtaken.discard(place)
                answer = await self._answer(place)
                if place not in self._overtaken:
                    break
            if answer is not None:
                self._known[place] = answer
        finally:
            self._asking.discard(place)
        if answer is None:
            return
        chat = await self._unit.read(lambda tx: tx.chats.find(*place))
        if chat is None or chat.info.kind is not ChatKind.DM:
            return
        was_silent = place in self._changed or (before is not None and before.until is not None)
        try:
            if answer.is_muted(self._clock.now()):
                await self._cancel_plans(chat.chat_id)
            elif answer.answered and was_silent:
                await self._hear_again(chat.chat_id)
                self._changed.discard(place)
        finally:  # the answer is there even if its effects failed
            self._on_due(chat.chat_id, self._clock.now())

    async def _answer(self, place: AccountPeer) -> _Answer | None:
        """Ask Telegram; None if the account can't be asked, then its next connection asks."""
        account_id, peer_id = place
        gateway = self._gateways.get(account_id)
        if gateway is None:
            return None
        try:
            async with self._clock.timeout(LOOK_UP_S):
                until = await gateway.muted_until(peer_id)
        except (GatewayError, TimeoutError) as error:
            _log.info("Could not look up whether the chat with %s is muted: %s", peer_id, error)
            return _Answer(self._clock.now(), answered=False) if gateway.is_up() else None
        except Exception:  # noqa: BLE001 - sends that wait for the answer must not wait for ever
            _log.exception("Could not make out whether the chat with %s is muted", peer_id)
            return _Answer(self._clock.now(), answered=False)
        return _Answer(self._clock.now(), until)

    async def _cancel_plans(self, chat_id: ChatId) -> None:
        await self._unit.apply(lambda tx: cancel_plans(tx, chat_id, self._environment))

    async def _hear_again(self, chat_id: ChatId) -> None:
        await self._unit.apply(lambda tx: on_unmuted(tx, chat_id, self._environment), durability=Durability.NORMAL)
