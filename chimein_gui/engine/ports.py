"""What the engine needs from the outside, as Protocols; adapters implement them, tests bring small real classes.

The sandbox's port stands in `sandbox_port`, because the sandbox may import nothing else of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.approvals import Approval, AskReason, Verdict
from chimein_gui.domain.chats import Chat, ChatInfo, TrustLevel
from chimein_gui.domain.ids import (
    AccountId,
    AgentId,
    ApprovalId,
    ChatId,
    GraphId,
    LedgerId,
    MessageId,
    PeerId,
    RandomId,
    Revision,
    TaskId,
)
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.prompts import ModelReply, Prompt
from chimein_gui.domain.tasks import ApprovalState, LedgerState, Origin, TaskKind, TaskStatus

T = TypeVar("T")


# --- time and jobs -------------------------------------------------------------------------------------------------


class Clock(Protocol):
    """Time as the engine sees it; virtual in tests."""

    def now(self) -> datetime:
        """Return the wall-clock time, aware UTC."""
        ...

    async def sleep_until(self, when: datetime) -> None:
        """Return once the wall clock has reached `when`; re-checked, so that a clock jump does not oversleep."""
        ...

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[object]:
        """Cancel the body after `seconds` and raise TimeoutError."""
        ...


class Spawn(Protocol):
    """Starts a job that is owned, named, and whose failure is reported (`engine.jobs.JobRunner.spawn`)."""

    def __call__(self, job: Coroutine[Any, Any, None], *, name: str) -> object:
        """Start `job` and return its handle."""
        ...


# --- Telegram ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AccountIdentity:
    """Who a session belongs to."""

    account_id: AccountId
    name: str
    username: str
    phone: str


@dataclass(frozen=True, slots=True)
class DialogInfo:
    """A conversation as Telegram lists it.

    Attributes:
        chat: Peer, kind, title.
        newest_id: Id of its newest message, 0 when empty.
        read_up_to: Newest incoming id that is marked as read.
        partner_read_up_to: Newest outgoing id the partner has read.
    """

    chat: ChatInfo
    newest_id: MessageId
    read_up_to: MessageId
    partner_read_up_to: MessageId


@dataclass(frozen=True, slots=True)
class SendRequest:
    """One message about to leave.

    Attributes:
        peer_id: Recipient.
        text: Exactly what is to arrive.
        reply_to_id: The message it answers, or None.
        random_id: The number committed with the decision.
    """

    peer_id: PeerId
    text: str
    reply_to_id: MessageId | None
    random_id: RandomId


@dataclass(frozen=True, slots=True)
class SentReceipt:
    """Telegram's answer to a send.

    Attributes:
        message_id: Id of the new message; None when Telegram only said that this random_id was delivered before.
        sent_at: Server time, aware UTC; None in that case too.
    """

    message_id: MessageId | None
    sent_at: datetime | None


class GatewayListener(Protocol):
    """Where a gateway reports; every method only stores and enqueues, none waits."""

    def message_arrived(self, chat: ChatInfo, message: Message) -> None:
        """A message, in or out, that is new to this client."""
        ...

    def message_edited(self, chat: ChatInfo, message: Message) -> None:
        """A message has a new text."""
        ...

    def messages_deleted(self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]) -> None:
        """Messages are gone; without a peer the ids count over all non-channel peers of the account."""
        ...

    def incoming_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """This account read a chat, here or on another device."""
        ...

    def outgoing_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """The partner read our messages."""
        ...

    def partner_typing(self, account_id: AccountId, peer_id: PeerId) -> None:
        """The partner of a DM is typing."""
        ...

    def updates_skipped(self) -> None:
        """Telegram did not tell all that happened, edits and deletes included; after the next connect chats differ."""
        ...


class TelegramGateway(Protocol):
    """One account's client, good for one connection: after a loss it is dropped and a new one is made."""

    async def connect(self, listener: GatewayListener) -> AccountIdentity:
        """Connect, bounded to 20 s, and begin to report; what came while offline is reported too.

        Raises:
            LoggedOutError: The session is not authorised.
            RateLimitedError: Telegram told us to wait.
            NotConnectedError: No way to the server.
        """
        ...

    async def wait_lost(self) -> None:
        """Return when the connection is gone, for whatever reason."""
        ...

    def is_up(self) -> bool:
        """Tell whether the transport is connected now."""
        ...

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        """List the account's conversations, newest first."""
        ...

    async def history(
        self, peer_id: PeerId, *, limit: int, above_id: MessageId = ..., below_id: MessageId = ...
    ) -> tuple[Message, ...]:
        """Fetch up to `limit` newest messages with above_id < id < below_id (0 = open end), oldest first."""
        ...

    async def send_text(self, request: SendRequest) -> SentReceipt:
        """Send one message.

        Raises:
            NotConnectedError: Before the hand-over; nothing has left.
            RateLimitedError: Telegram told us to wait; nothing was sent.
            SendRefusedError: Telegram refused for good.
            OutcomeUnknownError: Handed over and no answer (lost connection, 5xx).
            asyncio.CancelledError: After the hand-over this means the outcome is unknown as well (FACTS, Telethon).
        """
        ...

    async def mark_read(self, peer_id: PeerId, up_to: MessageId) -> None:
        """Mark incoming messages as read; failures raise GatewayError."""
        ...

    async def show_typing(self, peer_id: PeerId) -> None:
        """Show "typing…" to the partner for about 5 s; failures raise GatewayError."""
        ...

    async def disconnect(self) -> None:
        """Drop the connection, so that nothing queued leaves; calling it twice is harmless."""
        ...


GatewayFactory = Callable[[Agent], TelegramGateway]
"""Makes a fresh, unconnected gateway for an agent.

Raises:
    LoggedOutError: There is no session to connect with.
"""


# --- the language model ----------------------------------------------------------------------------------------------


class LanguageModel(Protocol):
    """Answers prompts."""

    async def generate(self, prompt: Prompt) -> ModelReply:
        """Make one model call, bounded to 60 s; cancelling it is prompt.

        Raises:
            ModelTransientError: Network, overload, time-out, 429.
            ModelRefusedError: Bad request or blocked prompt.
            ModelKeyError: The key does not work.
        """
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


# --- the store -----------------------------------------------------------------------------------------------------


class Durability(StrEnum):
    """How hard a transaction is pressed onto the disk (ARCHITECTURE, Storage)."""

    NORMAL = "normal"
    """Survives a killed process, perhaps not a power cut."""
    FULL = "full"
    """Survives a power cut: whatever decides whether something was sent."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One step of a plan.

    Attributes:
        task_id: Row id.
        chat_id: The conversation.
        graph_id: Its plan; None for a `received` task whose plan is not made yet.
        kind: What it does.
        status: State (SPEC §3a).
        depends_on: The step before it, or None.
        position: Place in the plan, from 0.
        trigger_ids: For `received`: all unanswered messages that led to it, oldest first; the last is the target.
        attempts: How often it was started.
        crashes: How often the program ended in the middle of it.
        due_at: Not before, aware UTC; None = at once.
        reason: Why it is in its state, for the operator.
    """

    task_id: TaskId
    chat_id: ChatId
    graph_id: GraphId | None
    kind: TaskKind
    status: TaskStatus
    depends_on: TaskId | None
    position: int
    trigger_ids: tuple[MessageId, ...]
    attempts: int
    due_at: datetime | None
    reason: str
    crashes: int = 0


@dataclass(frozen=True, slots=True)
class NewApproval:
    """What is known of a planned send when its graph is stored."""

    task_id: TaskId
    state: ApprovalState
    text: str
    reply_to_id: MessageId | None
    reasons: tuple[AskReason, ...]
    seen_up_to: MessageId
    created_at: datetime
    due_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str = ""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One request that leaves, or has left.

    Attributes:
        ledger_id: Row id.
        approval_id: The decision it belongs to.
        version: The approval's version whose exact bytes `random_id` stands for.
        part: Part of a split message, from 0.
        random_id: Telegram's de-duplication number.
        state: State (SPEC §3a).
        origin: Who asked for it.
        text: The exact text.
        reply_to_id: The message it answers.
        claimed_at: When it was claimed, aware UTC.
        message_id: The sent message.
        error: Telegram's words, if it refused.
    """

    ledger_id: LedgerId
    approval_id: ApprovalId
    version: int
    part: int
    random_id: RandomId
    state: LedgerState
    origin: Origin
    text: str
    reply_to_id: MessageId | None
    claimed_at: datetime | None = None
    message_id: MessageId | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """One line of the decision log.

    Attributes:
        client_id: Made by the caller; repeating a decision with the same one is a no-op.
        approval_id: What was decided.
        version: The version the caller had seen.
        decision: Its name (``approve`` …).
        text: The text decided upon, or the reason of a rejection.
        verdict: What became of it.
        at: Aware UTC.
    """

    client_id: str
    approval_id: ApprovalId
    version: int
    decision: str
    text: str
    verdict: Verdict
    at: datetime


class AgentRows(Protocol):
    """Agents."""

    def all(self) -> tuple[Agent, ...]:
        """Return all agents, oldest first; health is not stored and reads STOPPED."""
        ...

    def upsert(self, spec: AgentSpec) -> Agent:
        """Insert or update by casefolded name; a new one gets the next free identity."""
        ...

    def bind_account(self, agent_id: AgentId, account_id: AccountId) -> Agent:
        """Remember the account an agent is logged in with."""
        ...


class ChatRows(Protocol):
    """Chats."""

    def get(self, chat_id: ChatId) -> Chat:
        """Return one chat, with counts and preview; raises LookupError."""
        ...

    def find(self, account_id: AccountId, peer_id: PeerId) -> Chat | None:
        """Return a chat by its peer."""
        ...

    def all(self) -> tuple[Chat, ...]:
        """Return all chats whose account is bound to an agent, newest message first."""
        ...

    def ensure(self, agent_id: AgentId, info: ChatInfo, *, planned_up_to: MessageId) -> tuple[Chat, bool]:
        """Insert (with `planned_up_to`) or update the title; the flag tells whether it is new."""
        ...

    def set_trust(self, chat_id: ChatId, trust: TrustLevel) -> None:
        """Change the trust level."""
        ...

    def set_planned_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) what has been answered."""
        ...

    def set_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) what this account has read; the unread count follows."""
        ...

    def set_answered_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) both what has been answered and what has been read; the unread count follows."""
        ...

    def set_partner_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) what the partner has read."""
        ...

    def set_planning_problem(self, chat_id: ChatId, problem: str) -> None:
        """Say why the last plan could not be made; empty clears it."""
        ...


class MessageRows(Protocol):
    """Messages."""

    def put(self, chat_id: ChatId, message: Message) -> bool:
        """Insert by key; an existing row is left alone and False returned. Newest id and unread count follow."""
        ...

    def edit(self, message: Message) -> bool:
        """Update text, entities and edited_at of an existing row; False when there is none or nothing changed."""
        ...

    def mark_deleted(
        self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]
    ) -> tuple[tuple[ChatId, Message], ...]:
        """Mark rows as deleted (without a peer: over non-channel peers) and return those that changed."""
        ...

    def get(self, key: MessageKey) -> Message | None:
        """Return one message."""
        ...

    def before(
        self, account_id: AccountId, peer_id: PeerId, *, before_id: MessageId | None, limit: int
    ) -> tuple[Message, ...]:
        """Return up to `limit` newest messages below `before_id` (None: from the end), oldest first."""
        ...

    def incoming_above(
        self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int
    ) -> tuple[Message, ...]:
        """Return up to `limit` newest incoming messages above `above_id`, oldest first."""
        ...

    def newest_id(self, account_id: AccountId, peer_id: PeerId) -> MessageId:
        """Return the newest stored id, in or out; 0 for an empty chat."""
        ...

    def has_outgoing(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Tell whether this account ever wrote there, from whatever device."""
        ...


class TaskRows(Protocol):
    """Steps of plans. State changes are checked by the engine before they get here."""

    def get(self, task_id: TaskId) -> TaskRow:
        """Return one step; raises LookupError."""
        ...

    def add_graph(self, chat_id: ChatId, *, problems: tuple[str, ...], created_at: datetime) -> GraphId:
        """Insert a plan; it becomes the chat's current one."""
        ...

    def add(  # noqa: PLR0913 - one column each
        self,
        chat_id: ChatId,
        kind: TaskKind,
        status: TaskStatus,
        *,
        graph_id: GraphId | None = ...,
        depends_on: TaskId | None = ...,
        position: int = ...,
        trigger_ids: tuple[MessageId, ...] = ...,
        due_at: datetime | None = ...,
    ) -> TaskId:
        """Insert a step."""
        ...

    def save(self, task: TaskRow) -> None:
        """Write back all mutable columns of a step."""
        ...

    def open_received(self, chat_id: ChatId) -> TaskRow | None:
        """Return the chat's one `received` task that is not final, or None."""
        ...

    def open_everywhere(self) -> tuple[TaskRow, ...]:
        """Return all steps in states that a start must look at: open `received`, approved, sending, unknown."""
        ...

    def current_of_chat(self, chat_id: ChatId) -> tuple[TaskRow, ...]:
        """Return the not yet final steps of a chat in plan order: older graphs first, then position."""
        ...


class ApprovalRows(Protocol):
    """Approvals and the decision log."""

    def add(self, new: NewApproval) -> Approval:
        """Insert with version 1 and return the full snapshot."""
        ...

    def get(self, approval_id: ApprovalId) -> Approval:
        """Return one snapshot, joined with its task, chat and agent; raises LookupError."""
        ...

    def of_task(self, task_id: TaskId) -> Approval:
        """Return the approval of a planned send; raises LookupError."""
        ...

    def save(self, approval: Approval) -> None:
        """Write back all mutable columns (not the task's status, which belongs to `TaskRows.save`)."""
        ...

    def waiting(self) -> tuple[Approval, ...]:
        """Return all whose planned send is not final, oldest first, over all chats."""
        ...

    def resolved_since(self, since: datetime, *, limit: int) -> tuple[Approval, ...]:
        """Return the last decided or superseded ones, newest first."""
        ...

    def log_decision(self, record: DecisionRecord) -> None:
        """Append to the decision log."""
        ...

    def decision_of(self, client_id: str) -> DecisionRecord | None:
        """Return the logged decision with this client id, or None."""
        ...


class LedgerRows(Protocol):
    """The record of every request that leaves."""

    def prepare(self, approval: Approval, *, part: int, random_id: RandomId, origin: Origin, text: str) -> LedgerRow:
        """Insert a `prepared` row for the approval's current version."""
        ...

    def current(self, approval_id: ApprovalId) -> LedgerRow | None:
        """Return the newest row of an approval that is neither void nor failed, or None."""
        ...

    def save(self, row: LedgerRow) -> None:
        """Write back all mutable columns."""
        ...

    def owner_of(self, account_id: AccountId, peer_id: PeerId, message_id: MessageId) -> LedgerRow | None:
        """Return the row that names this message id, or None."""
        ...


class Transaction(Protocol):
    """One transaction; lives on a store thread and must not be kept.

    Reads and writes see each other; an exception undoes this transaction alone. Inside `Store.read` the rows
    are one consistent snapshot and writing raises StoreError.
    """

    revision: Revision
    """In `transact`: the number this transaction will have once committed. In `read`: the newest committed one."""

    agents: AgentRows
    chats: ChatRows
    messages: MessageRows
    tasks: TaskRows
    approvals: ApprovalRows
    ledger: LedgerRows


class Store(Protocol):
    """The database: one writer thread that commits everything queued together, one reader thread."""

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = ...) -> T:
        """Run `work` in its own savepoint on the writer thread and return after the commit.

        Transactions run in the order of the calls. Cancelling the caller does not take the work back.

        Raises:
            StoreWriteError: Nothing of it is stored.
            Exception: Whatever `work` raised; its changes are undone, others of the batch are kept.
        """
        ...

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = ...) -> None:
        """Queue `work` without waiting, for callers that are being cancelled; a failure is logged."""
        ...

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` on the reader thread against one consistent snapshot."""
        ...

    async def aclose(self) -> None:
        """Finish everything queued, then close; calling it twice is harmless."""
        ...
