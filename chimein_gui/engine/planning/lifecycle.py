"""The beginning and end of planning, each in one transaction, and what the account wrote meanwhile.

See docs/behaviour.md, "Kinds of failure". Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import MuteState, TrustLevel
from chimein_gui.domain.errors import ModelError, NotFoundError
from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.spending.caps import Payer
from chimein_gui.domain.spending.days import day_around
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import moment_reasons
from chimein_gui.engine.llm.calls import book
from chimein_gui.engine.planning.graph_writer import store_graph
from chimein_gui.engine.policy.hold_check import mute_of
from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.engine.ports import GraphStanding, NewGraph
from chimein_gui.engine.prompt.inputs import read_begun
from chimein_gui.engine.tasks.transitions import NEVER, move_task, step_changed
from chimein_gui.engine.triggers.triggers import REWRITTEN, is_heard, unanswered, window_ends_at

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import TaskRow, Transaction
    from chimein_gui.engine.prompt.inputs import PlanInputs, PromptSource
    from chimein_gui.engine.prompt.reply_steps import ReadReply

    CapProblem = Callable[[Transaction, Payer, str], Note | None]

_ON_ITS_WAY = frozenset({TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.UNKNOWN})

_RECENT = 50
"""Maximum number of messages checked; nobody writes more during one model call."""


def written_since(tx: Transaction, chat: Chat, above_id: MessageId) -> tuple[Message, ...]:
    """Return the account's messages above an id, from all its devices, oldest first."""
    account, peer = chat.info.account_id, chat.info.peer_id
    if tx.messages.newest_id(account, peer) <= above_id:
        return ()
    recent = tx.messages.before(account, peer, before_id=None, limit=_RECENT)
    return tuple(message for message in recent if _counts(message) and message.key.message_id > above_id)


def confirmed_since(tx: Transaction, chat: Chat, above_id: MessageId) -> bool:
    """Tell whether a send of ours arrived above an id; a prompt that ends there does not contain it."""
    return is_one_ours(tx, written_since(tx, chat, above_id))


def not_in_prompt(tx: Transaction, chat: Chat, begun: PlanInputs) -> tuple[Message, ...]:
    """Return the account's messages that a prompt has not seen, oldest first.

    A message that is reported late may have a lower id than the end of the prompt. Messages older than the prompt's
    history are left out, and so are those of another conversation.
    """
    if begun.considered.issuperset(tx.messages.newest_ids(chat.info.account_id, chat.info.peer_id, limit=_RECENT)):
        return ()  # the usual case: no new message
    found = written_since(tx, chat, MessageId(begun.span.low - 1))
    return tuple(message for message in found if message.key.message_id not in begun.considered)


def operator_writes(tx: Transaction, chat: Chat) -> bool:
    """Tell whether a message of the operator's is on its way.

    It leaves after the plan is made, so until then the model cannot see it in the chat.
    """
    return any(
        step.status in _ON_ITS_WAY
        and step.graph_id is not None
        and tx.graphs.get(step.graph_id).origin is Origin.OPERATOR
        for step in tx.tasks.current_of_chat(chat.chat_id)
    )


def is_one_ours(tx: Transaction, messages: tuple[Message, ...]) -> bool:
    """Tell whether one of these messages is a send of ours."""
    return any(_is_ours(tx, message) for message in messages)


def _is_ours(tx: Transaction, message: Message) -> bool:
    key = message.key
    return tx.ledger.owner_of(key.account_id, key.peer_id, key.message_id) is not None


def _counts(message: Message) -> bool:
    return message.out and not message.is_service


ATTEMPTS = 10
"""Attempts at one plan before it is given up."""

RETRY_S = 10.0
"""Pause between two attempts."""

MOST_RESTARTS = 2
"""How often newer triggers may cancel the call for one set of unanswered triggers."""

NEWER_CAME = Note(NoteKind.NEWER_CAME)
SENT_MEANWHILE = Note(NoteKind.SENT_MEANWHILE)
IN_DOUBT = Note(NoteKind.IN_DOUBT)
ANSWERED = Note(NoteKind.ANSWERED)
NOT_HEARD = Note(NoteKind.NOT_HEARD)
KEY_CHANGED = Note(NoteKind.KEY_CHANGED)
CAP_RAISED = Note(NoteKind.CAP_RAISED)
CLOSED = Note(NoteKind.CLOSED)


def no_cap(_tx: Transaction, _payer: Payer, _model: str) -> Note | None:
    """Return None: the default where there are no caps."""
    return None


def begin(
    tx: Transaction,
    chat_id: ChatId,
    source: PromptSource,
    environment: TransactionEnvironment,
    key_problem: Callable[[str], Note | None] = lambda _model: None,
    cap_problem: CapProblem = no_cap,
    on_stopped: Callable[[PlanInputs], object] = lambda _begun: None,
) -> tuple[PlanInputs | None, list[EngineEvent]]:
    """Start the chat's open `received` task, if it is due and nothing forbids it now.

    Args:
        tx: The transaction.
        chat_id: The conversation.
        source: The parts of prompts that are not in the database.
        environment: Preferences and time.
        key_problem: Returns why a model gets no call now, or None.
        cap_problem: Returns the cap that allows no call now, or None.
        on_stopped: Called with a plan that a key or a cap stops, once for each reason.

    Returns:
        The inputs of the plan, or None if nothing is to be planned now; and the events to publish.
    """
    task = tx.tasks.open_received(chat_id)
    if task is None or task.status not in {TaskStatus.WAITING, TaskStatus.READY}:
        return None, []
    chat, now = tx.chats.get(chat_id), environment.now()
    if not _may_begin(tx, task, chat, now):
        return None, []
    trigger_ids = unanswered(tx, chat)
    if not trigger_ids:
        # Answered by a send or by the operator while it waited; or the chat was switched to "never", or went silent.
        reason = ANSWERED if is_heard(chat) else NOT_HEARD
        moved = move_task(tx, task, TaskStatus.CANCELLED, reason=reason, trigger_ids=(), due_at=None)
        tx.chats.set_planning_problem(chat_id, None)
        return None, [step_changed(tx, moved), ChatChanged(tx.chats.get(chat_id), tx.revision)]
    way = (TaskStatus.RUNNING,) if task.status is TaskStatus.READY else (TaskStatus.READY, TaskStatus.RUNNING)
    before = task.reason
    task = move_task(tx, task, *way, trigger_ids=trigger_ids, attempts=task.attempts + 1)
    chat = tx.chats.get(chat_id)
    shows_read = _is_automatic(tx, chat, now, environment)
    begun = read_begun(tx, chat, trigger_ids, source, environment, task=task, shows_read=shows_read)
    begun.trace.payer, begun.trace.task_id = Payer(chat.agent_id, chat_id), task.task_id
    stopped = [] if begun.needs_no_model() else _stopped(tx, begun, task, key_problem, cap_problem, now)
    if stopped:
        if tx.tasks.get(task.task_id).reason != before:
            on_stopped(begun)
        return None, stopped
    return begun, [step_changed(tx, task), ChatChanged(chat, tx.revision)]


def _stopped(
    tx: Transaction,
    begun: PlanInputs,
    task: TaskRow,
    key_problem: Callable[[str], Note | None],
    cap_problem: CapProblem,
    now: datetime,
) -> list[EngineEvent]:
    """Let a plan wait for a key or for a cap, if no call may be made; returns the events, none if it may."""
    problem = key_problem(begun.inputs.model)
    if problem is not None:
        return _wait_for_key(tx, task, problem)
    problem = cap_problem(tx, begun.trace.payer, begun.inputs.model)
    return [] if problem is None else _wait_for_cap(tx, task, problem, now)


def _may_begin(tx: Transaction, task: TaskRow, chat: Chat, now: datetime) -> bool:
    """Check again the conditions that may have changed while the plan waited for its turn."""
    if task.due_at is not None and task.due_at > now:
        return False
    if chat.trust is TrustLevel.OFF or (chat.takeover_until is not None and chat.takeover_until > now):
        return False
    return not _in_doubt(tx, chat.chat_id)


def _is_automatic(tx: Transaction, chat: Chat, now: datetime, environment: TransactionEnvironment) -> bool:
    """Tell whether a send planned now would leave without the operator, as far as this is known beforehand."""
    if trust_now(chat, now) is not TrustLevel.AUTO or tx.accounts.limited(chat.info.account_id):
        return False
    if not tx.messages.has_outgoing(chat.info.account_id, chat.info.peer_id):
        return False
    mute = mute_of(environment, chat)
    return mute is MuteState.HEARD and not moment_reasons(tx, chat, mute, now, environment)


def _in_doubt(tx: Transaction, chat_id: ChatId) -> bool:
    """Tell whether a chat has a send with an unknown outcome; such a chat is not replanned."""
    return TaskStatus.UNKNOWN in [step.status for step in tx.tasks.current_of_chat(chat_id)]


def finish(
    tx: Transaction, *, begun: PlanInputs, read: ReadReply, environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Store the plan, unless the conversation changed meanwhile in a way the model should have known."""
    events = book(tx, begun.chat.chat_id, begun.trace.unbooked)
    task = _running(tx, begun)
    if task is None:
        return events
    tx.spending.take_pass(task.chat_id)
    chat = tx.chats.get(task.chat_id)
    newer = _newer(task, begun)
    if chat.planned_up_to >= begun.trigger_ids[-1]:
        # Answered during the model call: this plan is dropped and the old one stays.
        return events + _discard(tx, task, chat, newer, environment)
    if newer and task.restarts < MOST_RESTARTS:
        return events + _new_window(tx, task, chat, environment)
    if _in_doubt(tx, chat.chat_id):
        return events + _reschedule(tx, task, environment.now(), IN_DOUBT)
    unseen = not_in_prompt(tx, chat, begun)
    if is_one_ours(tx, unseen):
        return events + _reschedule(tx, task, environment.now(), SENT_MEANWHILE)
    arrived_late = any(number <= begun.covers_up_to for number in newer)
    changed = arrived_late or task.reason == REWRITTEN or bool(unseen) or operator_writes(tx, chat)
    events += store_graph(tx, begun, read, environment, changed=changed)
    return events + _plan_newer(tx, task, newer, environment)


def interrupted(tx: Transaction, *, begun: PlanInputs, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Book the cost of a call that a newer trigger has cancelled, and begin the quiet window again."""
    events = book(tx, begun.chat.chat_id, begun.trace.unbooked)
    task = _running(tx, begun)
    return events if task is None else events + _new_window(tx, task, tx.chats.get(task.chat_id), environment)


def retry(
    tx: Transaction, *, begun: PlanInputs, error: Exception, environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Schedule the next attempt after 10 s. A 429 waits as long as the server says and uses no attempt."""
    task = _running(tx, begun)
    if task is None:
        return book(tx, begun.chat.chat_id, begun.trace.unbooked)
    cause, fault = said_by(error)
    retry_after_s = getattr(error, "retry_after_s", None)
    if not retry_after_s and task.attempts >= ATTEMPTS:
        return give_up(tx, begun=begun, error=error, attempts=ATTEMPTS, environment=environment)
    events = book(tx, begun.chat.chat_id, begun.trace.unbooked)
    due_at = environment.now() + timedelta(seconds=retry_after_s or RETRY_S)
    if retry_after_s:
        task = replace(task, attempts=task.attempts - 1)
        problem = PlanningProblem(PlanningKind.ASKED_TO_WAIT, cause, wait_s=round(retry_after_s), fault=fault)
    else:
        problem = PlanningProblem(PlanningKind.RETRYING, cause, attempt=task.attempts, of=ATTEMPTS, fault=fault)
    note = Note(NoteKind.MODEL_FAILED, cause, cause=fault)
    moved = move_task(tx, task, TaskStatus.WAITING, reason=note, due_at=due_at, window_began_at=None)
    tx.chats.set_planning_problem(moved.chat_id, problem)
    return [*events, step_changed(tx, moved), ChatChanged(tx.chats.get(moved.chat_id), tx.revision)]


def said_by(error: Exception) -> tuple[str, Note | None]:
    """Return what is stored of a fault: the words of one that has no name, and its name."""
    fault = error.fault if isinstance(error, ModelError) else None
    return ("", fault) if fault is not None else (str(error).rstrip("."), None)


def give_up(
    tx: Transaction, *, begun: PlanInputs, error: Exception, environment: TransactionEnvironment, attempts: int = 0
) -> list[EngineEvent]:
    """Archive the plan as failed, with the reason. The chat waits for the next message.

    Args:
        tx: The transaction.
        begun: The plan.
        error: The fault.
        environment: Time.
        attempts: The number of attempts made; 0 if another one is pointless.
    """
    events = book(tx, begun.chat.chat_id, begun.trace.unbooked)
    task = _running(tx, begun)
    if task is None:
        return events
    tx.spending.take_pass(task.chat_id)
    archived = NewGraph(
        task.chat_id,
        environment.now(),
        standing=GraphStanding.PAST,
        trigger_ids=begun.trigger_ids,
        span=begun.span,
    )
    graph = tx.graphs.get(tx.graphs.add(archived))
    begun.trace.graph_id, begun.trace.failure = graph.graph_id, error
    explanation, fault = said_by(error)
    note = Note(NoteKind.MODEL_FAILED, explanation, attempts, fault)
    tx.graphs.save(replace(graph, failed=note))
    task = moved = move_task(tx, task, TaskStatus.FAILED, reason=note, graph_id=graph.graph_id, due_at=None)
    problem = PlanningProblem(PlanningKind.FAILED, explanation, attempt=attempts, fault=fault)
    tx.chats.set_planning_problem(task.chat_id, problem)
    # A trigger that came during the last call counts as the next message.
    events += [step_changed(tx, moved), *_plan_newer(tx, task, _newer(task, begun), environment)]
    return [*events, ChatChanged(tx.chats.get(task.chat_id), tx.revision)]


def stop_for_key(
    tx: Transaction, *, begun: PlanInputs, key_problem: Callable[[], Note | None], environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Let the plan wait until the key is changed, because it does not work. No attempt is used.

    Args:
        tx: The transaction.
        begun: The plan.
        key_problem: Called in this transaction. If the key was changed meanwhile, nothing would wake a waiting plan.
        environment: Time.
    """
    events = book(tx, begun.chat.chat_id, begun.trace.unbooked)
    task = _running(tx, begun)
    if task is None:
        return events
    problem = key_problem()
    if problem is None:
        return events + _reschedule(tx, task, environment.now(), KEY_CHANGED)
    return events + _wait_for_key(tx, task, problem)


def stop_for_cap(
    tx: Transaction, *, begun: PlanInputs, cap_problem: CapProblem, environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Let the plan wait for the operator or for midnight, because a cap on costs is reached. No attempt is used.

    Args:
        tx: The transaction.
        begun: The plan.
        cap_problem: Asked in this transaction. If the cap was raised meanwhile, nothing would wake a waiting plan.
        environment: Time.
    """
    events = book(tx, begun.chat.chat_id, begun.trace.unbooked)
    task = _running(tx, begun)
    if task is None:
        return events
    now = environment.now()
    problem = cap_problem(tx, begun.trace.payer, begun.inputs.model)
    if problem is None:
        return events + _reschedule(tx, task, now, CAP_RAISED)
    return events + _wait_for_cap(tx, task, problem, now)


def waiters_for_caps(tx: Transaction) -> tuple[tuple[Chat, TaskRow], ...]:
    """Return the chats whose plans wait for a cap, with their `received` tasks."""
    found = []
    for chat_id, _ in tx.tasks.chats_with_work():
        chat, task = tx.chats.get(chat_id), tx.tasks.open_received(chat_id)
        problem = chat.planning_problem
        if task is not None and task.status is TaskStatus.WAITING and problem and problem.kind is PlanningKind.CAP:
            found.append((chat, task))
    return tuple(found)


def let_cap_waiters_go(tx: Transaction, now: datetime) -> tuple[ChatId, ...]:
    """Let the plans that wait for a cap begin; returns their chats. Those that it still stops wait again."""
    waiters = waiters_for_caps(tx)
    for _, task in waiters:
        tx.tasks.save(replace(task, due_at=now))
    return tuple(chat.chat_id for chat, _ in waiters)


def requeue_cancelled(tx: Transaction, *, begun: PlanInputs) -> list[EngineEvent]:
    """Put a plan back that an orderly shutdown has interrupted. The attempt does not count; the call is booked."""
    events = book(tx, begun.chat.chat_id, begun.trace.unbooked)
    task = _running(tx, begun)
    if task is not None:
        move_task(tx, task, TaskStatus.READY, reason=CLOSED, attempts=task.attempts - 1)
    return events


def revert_running(tx: Transaction, *, chat_id: ChatId, calls: tuple[ModelCall, ...] = ()) -> list[EngineEvent]:
    """Put a plan back whose beginning or end was being stored when an orderly shutdown interrupted it.

    Args:
        tx: A transaction after the interrupted one, which may have stored everything.
        chat_id: The conversation.
        calls: The calls to book, unless they are booked already.
    """
    task = tx.tasks.open_received(chat_id)
    if task is None or task.status is not TaskStatus.RUNNING:
        return []
    move_task(tx, task, TaskStatus.READY, reason=CLOSED, attempts=task.attempts - 1)
    return book(tx, chat_id, calls)


def let_key_waiters_go(tx: Transaction, now: datetime) -> tuple[ChatId, ...]:
    """Let the plans that wait for a key begin after a key was changed; returns their chats.

    A plan that needs the key of another provider waits again when it begins.
    """
    chats = []
    for chat_id, _ in tx.tasks.chats_with_work():
        task = tx.tasks.open_received(chat_id)
        if task is not None and task.due_at == NEVER:
            tx.tasks.save(replace(task, due_at=now))
            chats.append(chat_id)
    return tuple(chats)


def _running(tx: Transaction, begun: PlanInputs) -> TaskRow | None:
    if begun.task is None:
        return None
    try:
        task = tx.tasks.get(begun.task.task_id)
    except NotFoundError:  # the chat was forgotten meanwhile
        return None
    return task if task.status is TaskStatus.RUNNING else None


def _newer(task: TaskRow, begun: PlanInputs) -> tuple[MessageId, ...]:
    """Return the triggers that are not in a prompt. One that is reported late may have a lower id than those in it."""
    return tuple(number for number in task.trigger_ids if number not in begun.trigger_ids)


def _plan_newer(
    tx: Transaction, task: TaskRow, newer: tuple[MessageId, ...], environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Create a plan for the triggers that came during another plan and are not in its prompt."""
    if not newer:
        return []
    now = environment.now()
    task_id = tx.tasks.add(
        task.chat_id,
        TaskKind.RECEIVED,
        TaskStatus.WAITING,
        trigger_ids=task.trigger_ids,
        due_at=window_ends_at(environment.preferences, tx.chats.get(task.chat_id), now, now),
        window_began_at=now,
    )
    return [step_changed(tx, tx.tasks.get(task_id))]


def _wait_for_key(tx: Transaction, task: TaskRow, problem: Note) -> list[EngineEvent]:
    reason, attempts = Note(NoteKind.NO_KEY, cause=problem), task.attempts - 1
    moved = move_task(
        tx, task, TaskStatus.WAITING, reason=reason, attempts=attempts, due_at=NEVER, window_began_at=None
    )
    tx.chats.set_planning_problem(task.chat_id, PlanningProblem(PlanningKind.NO_KEY, fault=problem))
    return [step_changed(tx, moved), ChatChanged(tx.chats.get(task.chat_id), tx.revision)]


def _wait_for_cap(tx: Transaction, task: TaskRow, problem: Note, now: datetime) -> list[EngineEvent]:
    midnight = day_around(now)[1]
    reason, attempts = Note(NoteKind.WAITS_FOR_CAP, cause=problem), task.attempts - 1
    moved = move_task(
        tx, task, TaskStatus.WAITING, reason=reason, attempts=attempts, due_at=midnight, window_began_at=None
    )
    tx.chats.set_planning_problem(task.chat_id, PlanningProblem(PlanningKind.CAP, fault=problem))
    return [step_changed(tx, moved), ChatChanged(tx.chats.get(task.chat_id), tx.revision)]


def _discard(
    tx: Transaction, task: TaskRow, chat: Chat, newer: tuple[MessageId, ...], environment: TransactionEnvironment
) -> list[EngineEvent]:
    if newer:
        now = environment.now()
        due_at = window_ends_at(environment.preferences, chat, now, now)
        begun_anew = replace(task, trigger_ids=newer, window_began_at=now, restarts=0)
        return _reschedule(tx, begun_anew, due_at, NEWER_CAME)
    moved = move_task(tx, task, TaskStatus.CANCELLED, reason=ANSWERED, due_at=None)
    tx.chats.set_planning_problem(task.chat_id, None)
    return [step_changed(tx, moved), ChatChanged(tx.chats.get(task.chat_id), tx.revision)]


def _new_window(tx: Transaction, task: TaskRow, chat: Chat, environment: TransactionEnvironment) -> list[EngineEvent]:
    now = environment.now()
    due_at = window_ends_at(environment.preferences, chat, now, now)
    return _reschedule(tx, replace(task, restarts=task.restarts + 1, window_began_at=now), due_at, NEWER_CAME)


def _reschedule(tx: Transaction, task: TaskRow, due_at: datetime, reason: Note) -> list[EngineEvent]:
    """Plan once more with the current data. The attempt did not fail, so it does not count."""
    moved = move_task(tx, task, TaskStatus.WAITING, reason=reason, attempts=task.attempts - 1, due_at=due_at)
    return [step_changed(tx, moved), ChatChanged(tx.chats.get(task.chat_id), tx.revision)]
