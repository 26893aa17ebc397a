"""What happens next in all chats, and why nothing has been said yet where messages are unanswered.

The rules are those of the scheduler and of the claim; this module only asks them. Functions that take a transaction run
on the reader thread.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain import events as ev
from chimein_gui.domain.chats import ChatKind, MuteState, TrustLevel
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.upcoming import UpcomingReason
from chimein_gui.domain.plans.upcoming import Course, UpcomingEntry
from chimein_gui.domain.tasks import CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.policy.hold_check import hold_note
from chimein_gui.engine.policy.timing import typing_s
from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.sending.claim_checks import HOLD, OFFLINE, SERVER_WAIT, UPLOAD, GateKind, first_hindrance
from chimein_gui.engine.sending.claim_view import view_of
from chimein_gui.engine.tasks.next_action import AT_ONCE, plans_of, sends_of
from chimein_gui.engine.triggers.triggers import unanswered

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, ChatId, PeerId, TaskId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Store, TaskRow, Transaction

NEVER = -1

EXAMINED_AT_ONCE = 20
"""Chats whose messages are searched for triggers in one transaction: hundreds in a row would block other readers."""

_ELSEWHERE = (
    ev.CapsChanged,
    ev.DescriptionsChanged,
    ev.FaultReported,
    ev.FileProblemsChanged,
    ev.LoginChanged,
    ev.MemoryEmbeddingChanged,
    ev.MemoryProposalsChanged,
    ev.ModelCallBooked,
    ev.PartnerTyping,
    ev.Remembered,
    ev.SavedEditsChanged,
    ev.TraceChanged,
    ev.TracesRemoved,
    ev.UploadAdvanced,
)
"""Events that change nothing of a draft that waits for the operator."""

_ON_ITS_WAY = frozenset({TaskStatus.SENDING, TaskStatus.UNKNOWN})


class Upcoming:
    """Reads what happens next.

    Thousands of chats may wait for the operator alone: nothing but an event changes what happens next in them. Their
    entries are kept until there is one, so that a message in another chat does not cause all of them to be read.
    """

    def __init__(
        self,
        store: Store,
        bus: EventBus,
        environment: TransactionEnvironment,
        known_mute: Callable[[AccountId, PeerId], MuteState],
    ) -> None:
        """`known_mute` returns a DM's mute without looking it up."""
        self._store = store
        self._environment = replace(environment, mute_of=known_mute)
        self._triggered: dict[ChatId, tuple[Chat, bool]] = {}
        self._waiting: dict[ChatId, tuple[int, tuple[UpcomingEntry, ...]]] = {}
        self._going_on: frozenset[ChatId] = frozenset()
        self._heard = 0
        """How many events were heard. What was read is up to date if no later one concerns it."""
        self._changed: dict[ChatId, int] = {}
        self._all_changed, self._all_read = 0, NEVER
        self._bus, self._listens = bus, False

    async def load(self) -> Loaded[UpcomingEntry]:
        """Return every open step of every chat, and an entry for each chat with unanswered messages and no plan.

        The entries of a chat are together, in the order of its steps.

        Raises:
            StoreError: The database can't be read.
        """
        if not self._listens:  # nobody who never looks at it pays for it with every message
            self._listens = True
            self._bus.subscribe(self._hear)
        left = await self._store.read(self._examine)
        while left:
            left = await self._store.read(partial(self._examine, left=left))
        heard = self._heard
        loaded = await self._store.read(lambda tx: Loaded(self._read(tx, heard), tx.revision))
        self._changed = {chat_id: at for chat_id, at in self._changed.items() if at > heard}
        return loaded

    def _hear(self, event: EngineEvent) -> None:
        """Note what has to be read again. Everything is, after an event that concerns no single chat."""
        if isinstance(event, ev.MessageStored | ev.ChatChanged):
            self._triggered.pop(event.chat_id if isinstance(event, ev.MessageStored) else event.chat.chat_id, None)
        if isinstance(event, _ELSEWHERE):
            return
        self._heard += 1
        chat_id = _chat_of(event)
        if chat_id is None:
            self._all_changed = self._heard
        else:
            self._changed[chat_id] = self._heard

    def _examine(self, tx: Transaction, left: tuple[ChatId, ...] | None = None) -> tuple[ChatId, ...]:
        """Search the messages of some chats for triggers; as a rule nobody asks for them where a step is open.

        Args:
            tx: The transaction.
            left: The chats that have not been searched; None to look which these are.

        Returns:
            The chats that still have not been searched.
        """
        if left is None:
            found = (chat_id for agent in tx.agents.all() for chat_id in tx.chats.with_news(agent.agent_id))
            searched = self._triggered.keys() | tx.tasks.chats_with_steps()
            left = tuple(chat_id for chat_id in found if chat_id not in searched)
        for chat_id in left[:EXAMINED_AT_ONCE]:
            with suppress(NotFoundError):  # it may be gone since the transaction before
                self._is_triggered(tx, tx.chats.get(chat_id))
        return left[EXAMINED_AT_ONCE:]

    def _read(self, tx: Transaction, heard: int) -> tuple[UpcomingEntry, ...]:
        agents = {agent.agent_id: agent.spec.name for agent in tx.agents.all()}
        with_work = {one for one, _ in tx.tasks.chats_with_work()}
        with_news = {chat_id for agent_id in agents for chat_id in tx.chats.with_news(agent_id)}
        cards: dict[TaskId, Approval] = {}
        changed, all_read, before = self._changed, self._all_read, self._waiting
        if all_read >= self._all_changed:
            with_steps = before.keys() | changed.keys() | self._going_on
        else:
            before, all_read = {}, heard
            cards = {card.task_id: card for card in tx.approvals.waiting()}
            with_steps = {card.chat_id for card in cards.values()}
        entries: list[UpcomingEntry] = []
        waiting: dict[ChatId, tuple[int, tuple[UpcomingEntry, ...]]] = {}
        going_on: set[ChatId] = set()
        for chat_id in sorted(with_steps | with_work | with_news):
            known = before.get(chat_id)
            if known is not None and known[0] >= changed.get(chat_id, NEVER):
                waiting[chat_id] = known
                entries += known[1]
                continue
            chat = tx.chats.get(chat_id)
            if chat.agent_id not in agents:
                continue
            reader = _ChatReader(tx, chat, agents[chat.agent_id], self._environment, cards)
            steps = _steps(tx, chat_id)
            made = tuple(reader.steps(steps))
            is_planned = any(standing in {None, GraphStanding.CURRENT} for _, standing in steps)
            if not is_planned and chat_id in with_news and self._is_triggered(tx, chat):
                made = (*made, reader.silence())
            elif made and chat.settings.trust_until is None and all(map(_waits_for_operator, made)):
                waiting[chat_id] = heard, made
            elif made:
                going_on.add(chat_id)
            entries += made
        self._waiting, self._going_on, self._all_read = waiting, frozenset(going_on), all_read
        return tuple(entries)

    def _is_triggered(self, tx: Transaction, chat: Chat) -> bool:
        """Tell whether a chat has messages that trigger, or would if the agent were not switched off in it."""
        known = self._triggered.get(chat.chat_id)
        if known is not None and known[0] == chat:
            return known[1]
        trust = TrustLevel.REVIEW if chat.trust is TrustLevel.OFF else chat.trust
        answer = bool(unanswered(tx, replace(chat, trust=trust, may_write=True)))
        self._triggered[chat.chat_id] = (chat, answer)
        return answer


def _chat_of(event: EngineEvent) -> ChatId | None:
    """Return the only chat that an event concerns; None if it may concern others."""
    if isinstance(event, ev.ApprovalRequested | ev.ApprovalResolved | ev.TaskStatusChanged):
        return event.approval.chat_id
    if isinstance(event, ev.ChatChanged):
        return event.chat.chat_id
    if isinstance(event, ev.MessageStored | ev.TaskGraphReplaced | ev.PlanEdited | ev.StepChanged | ev.VariantStored):
        return event.chat_id
    return None


def _waits_for_operator(entry: UpcomingEntry) -> bool:
    """Return whether nothing but an event can change an entry: no time, and no state that is not stored."""
    card = entry.approval
    if entry.course is not Course.IF_DECIDED or entry.kind is TaskKind.WAIT or card is None:
        return False
    return card.task_status is TaskStatus.AWAITING_DECISION and card.postponed_until is None


def _steps(tx: Transaction, chat_id: ChatId) -> list[tuple[TaskRow, GraphStanding | None]]:
    """Return the open steps of a chat, each with the standing of its plan; variants are left out."""
    steps: list[tuple[TaskRow, GraphStanding | None]] = []
    for task in tx.tasks.current_of_chat(chat_id):
        standing = tx.graphs.get(task.graph_id).standing if task.graph_id is not None else None
        if standing is not GraphStanding.VARIANT and task.status is not TaskStatus.PARKED:
            steps.append((task, standing))
    return steps


@dataclass(frozen=True, slots=True)
class _Turn:
    """When the turn of a step comes.

    Attributes:
        at: Aware UTC; None if that is not known.
        waits: An earlier step is open.
        is_decided: No decision of the operator is needed before.
        stopped: The entry of an earlier step that is stopped, or None.
    """

    at: datetime | None
    waits: bool = False
    is_decided: bool = True
    stopped: UpcomingEntry | None = None


class _ChatReader:
    """Makes the entries of one chat."""

    def __init__(
        self,
        tx: Transaction,
        chat: Chat,
        agent_name: str,
        environment: TransactionEnvironment,
        cards: dict[TaskId, Approval],
    ) -> None:
        self._tx, self._chat, self._environment, self._cards = tx, chat, environment, cards
        self._now = environment.now()
        trust = trust_now(chat, self._now)
        self._empty = UpcomingEntry(chat.chat_id, chat.agent_id, agent_name, chat.info.title, trust, Course.STOPPED)

    def steps(self, steps: list[tuple[TaskRow, GraphStanding | None]]) -> list[UpcomingEntry]:
        made: dict[TaskId, UpcomingEntry] = {}
        for task, _ in steps:
            turn = self._turn([made[one] for one in task.depends_on if one in made])
            made[task.task_id] = replace(self._step(task, turn), kind=task.kind, task_id=task.task_id)
        return list(made.values())

    def _turn(self, earlier: list[UpcomingEntry]) -> _Turn:
        if not earlier:
            return _Turn(self._now)
        ends = [one.until for one in earlier]
        known = [end for end in ends if end is not None]
        return _Turn(
            max(known) if len(known) == len(ends) else None,
            waits=True,
            is_decided=not any(one.asks or one.course is Course.IF_DECIDED for one in earlier),
            stopped=next((one for one in earlier if one.course is Course.STOPPED), None),
        )

    def _step(self, task: TaskRow, turn: _Turn) -> UpcomingEntry:
        if task.kind is TaskKind.RECEIVED:
            return self._received(task)
        if task.kind is TaskKind.WAIT:
            return self._wait(task, turn)
        card = self._cards.get(task.task_id) or self._tx.approvals.of_task(task.task_id)
        if task.status in _ON_ITS_WAY:
            unanswered_yet = Note(NoteKind.UNANSWERED) if task.status is TaskStatus.UNKNOWN else None
            return replace(self._empty, course=Course.RUNS, approval=card, reason=card.note or unanswered_yet)
        if task.status is TaskStatus.APPROVED:
            return self._approved(task, card, turn)
        return self._asking(card, turn)

    # --- planning -------------------------------------------------------------------------------------------------

    def _received(self, task: TaskRow) -> UpcomingEntry:
        chat, problem = self._chat, self._chat.planning_problem
        if task.status is TaskStatus.RUNNING:
            return replace(self._empty, course=Course.RUNS, reason=Note(UpcomingReason.PLANNING))
        if chat.trust is TrustLevel.OFF:
            return replace(self._empty, reason=Note(UpcomingReason.TRUST_OFF))
        if problem is not None and problem.is_given_up:
            return replace(self._empty, problem=problem)
        plan = next(iter(plans_of(self._tx, task, self._environment)), None)
        if plan is None:
            return replace(self._empty, course=Course.BY_ITSELF, reason=Note(UpcomingReason.AWAITS_SLOT))
        until = plan.at if plan.at > AT_ONCE else self._now
        reason: Note | None = task.reason or Note(UpcomingReason.DEBOUNCE)
        if chat.takeover_until is not None and chat.takeover_until > self._now:
            reason, problem = Note(UpcomingReason.TAKEN_OVER), None
        elif problem is not None and problem.is_retried:
            reason = None
        else:
            problem = None
        return replace(self._empty, course=Course.BY_ITSELF, since=until, until=until, reason=reason, problem=problem)

    def silence(self) -> UpcomingEntry:
        """Return why a chat with unanswered messages has no plan."""
        chat, problem = self._chat, self._chat.planning_problem
        if chat.takeover_until is not None and chat.takeover_until > self._now:
            until, over = chat.takeover_until, Note(UpcomingReason.TAKEN_OVER)
            return replace(self._empty, course=Course.BY_ITSELF, since=self._now, until=until, reason=over)
        if problem is not None and problem.is_given_up:
            return replace(self._empty, problem=problem)
        reason = self._switched() or self._ended()
        if reason is None and problem is not None:
            return replace(self._empty, problem=problem)
        if reason is None and not self._environment.can_look_up(chat.info.account_id):
            reason = Note(UpcomingReason.ACCOUNT_AWAY)
        return replace(self._empty, reason=reason or Note(UpcomingReason.NO_PLAN))

    def _switched(self) -> Note | None:
        """Return which setting keeps the agent from answering."""
        chat = self._chat
        if chat.trust is TrustLevel.OFF:
            return Note(UpcomingReason.TRUST_OFF)
        if not chat.may_write:
            return Note(UpcomingReason.MAY_NOT_WRITE)
        if chat.info.kind is ChatKind.DM:
            mute = self._environment.mute_of(chat.info.account_id, chat.info.peer_id)
            if mute is MuteState.MUTED:
                return Note(CancelReason.MUTED)
        return Note(UpcomingReason.OBSERVE_ONLY) if chat.trust is TrustLevel.OBSERVE else None

    def _ended(self) -> Note | None:
        """Return why the plan for the newest messages ended without an answer."""
        graph = self._tx.graphs.current_of(self._chat.chat_id)
        if graph is None or not graph.trigger_ids or graph.trigger_ids[-1] <= self._chat.planned_up_to:
            return None
        reasons = [step.reason for step in self._tx.tasks.of_graph(graph.graph_id) if step.reason is not None]
        return Note(UpcomingReason.LAST_PLAN_OVER, cause=graph.failed or next(iter(reasons), None))

    # --- steps of a plan ------------------------------------------------------------------------------------------

    def _wait(self, task: TaskRow, turn: _Turn) -> UpcomingEntry:
        length = timedelta(seconds=task.wait_s or 0.0)
        if task.status is TaskStatus.AWAITING_OPERATOR:
            return replace(self._empty, course=Course.IF_DECIDED, asks=True, since=turn.at, reason=task.reason)
        if task.status is TaskStatus.WAITING and task.due_at is not None:
            since = task.due_at - length if task.wait_s is not None else self._now
            return replace(self._empty, course=Course.BY_ITSELF, since=since, until=task.due_at, reason=task.reason)
        until = turn.at + length if turn.at is not None else None
        reason = Note(NoteKind.PREDECESSOR) if turn.waits else task.reason
        if turn.stopped is not None:
            reason = turn.stopped.reason
        return replace(self._empty, course=_after(turn), since=turn.at, until=until, reason=reason)

    def _asking(self, card: Approval, turn: _Turn) -> UpcomingEntry:
        typing = timedelta(seconds=typing_s(card, self._environment.preferences))
        begins = turn.at
        if begins is not None and card.postponed_until is not None:
            begins = max(begins, card.postponed_until - typing)
        reason = hold_note(self._tx, self._environment, card.account_id, card.chat_id)
        if reason is None:
            reason = Note(NoteKind.POSTPONED) if card.is_postponed(self._now) else card.note
        return replace(
            self._empty,
            course=Course.IF_DECIDED,
            asks=card.task_status is TaskStatus.AWAITING_DECISION,
            approval=card,
            since=begins,
            until=begins + typing if begins is not None else None,
            reason=reason,
        )

    def _approved(self, task: TaskRow, card: Approval, turn: _Turn) -> UpcomingEntry:
        typing = timedelta(seconds=typing_s(card, self._environment.preferences))
        entry = replace(self._empty, approval=card, course=_after(turn))
        send = next(iter(sends_of(self._tx, task, self._environment, {})), None)
        times = [turn.at + typing] if turn.at is not None and turn.waits else []
        times += [send.leaves_at] if send is not None else []
        hindered = first_hindrance(view_of(self._tx, card, self._environment))
        if hindered is not None:
            gate, hindrance = hindered
            entry = replace(entry, reason=hindrance.note)
            if gate is HOLD:
                return replace(entry, course=Course.STOPPED)
            if gate in {OFFLINE, UPLOAD}:
                return entry
            if gate.kind is GateKind.BACK:
                return replace(entry, course=Course.IF_DECIDED, asks=True, since=self._now)
            times += [hindrance.look_again_at] if hindrance.look_again_at is not None else []
            if gate is SERVER_WAIT:
                entry = replace(entry, course=Course.TELEGRAM)
        if turn.waits and turn.at is None:
            return entry
        until = max([*times, self._now])
        since = self._now if entry.course is Course.TELEGRAM else until - typing
        return replace(entry, since=since, until=until)


def _after(turn: _Turn) -> Course:
    """Return the course of a step that needs nothing but the steps before it."""
    if turn.stopped is not None:
        return Course.STOPPED
    return Course.BY_ITSELF if turn.is_decided else Course.IF_DECIDED
