"""Row sets of plans, approvals and the ledger, and of data that is kept for a limited time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.ids import AccountId, ApprovalId, ChatId, GraphId, LedgerId, MessageId, PeerId, TaskId
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.notes import Note
from chimein_gui.domain.plans.step_edits import PlanEdit
from chimein_gui.domain.prompt.sent import CallId
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.ports.rows import (
    GraphRow,
    LedgerRow,
    NewApproval,
    NewGraph,
    NewRequest,
    TaskRow,
)


class GraphRows(Protocol):
    """Plans."""

    def add(self, new: NewGraph) -> GraphId:
        """Insert a plan; a CURRENT one replaces the chat's current one, which becomes PAST."""
        ...

    def get(self, graph_id: GraphId) -> GraphRow:
        """Return one plan; raises NotFoundError."""
        ...

    def current_of(self, chat_id: ChatId) -> GraphRow | None:
        """Return the chat's current plan, or None."""
        ...

    def variants_of(self, graph_id: GraphId) -> tuple[GraphRow, ...]:
        """Return the variants of a plan, oldest first."""
        ...

    def before(self, chat_id: ChatId, before: GraphId | None, *, limit: int) -> tuple[GraphRow, ...]:
        """Return at most `limit` past plans of a chat, older than one, newest first; none that is beside the plans."""
        ...

    def after(self, chat_id: ChatId, graph_id: GraphId) -> GraphRow | None:
        """Return the next plan of a chat that could be made, or None; a variant counts once it is chosen."""
        ...

    def save(self, graph: GraphRow) -> None:
        """Write back all mutable columns of a plan (standing, problems, lost_rule, failed, trigger_ids, span)."""
        ...


class TaskRows(Protocol):
    """Steps of plans. The engine checks state changes before it stores them here."""

    def get(self, task_id: TaskId) -> TaskRow:
        """Return one step; raises NotFoundError."""
        ...

    def add(  # noqa: PLR0913 - one column each
        self,
        chat_id: ChatId,
        kind: TaskKind,
        status: TaskStatus,
        *,
        graph_id: GraphId | None = ...,
        depends_on: tuple[TaskId, ...] = ...,
        position: int = ...,
        trigger_ids: tuple[MessageId, ...] = ...,
        due_at: datetime | None = ...,
        wait_s: float | None = ...,
        window_began_at: datetime | None = ...,
        reason: Note | None = ...,
    ) -> TaskId:
        """Insert a step."""
        ...

    def save(self, task: TaskRow) -> None:
        """Write back all mutable columns of a step."""
        ...

    def open_received(self, chat_id: ChatId) -> TaskRow | None:
        """Return the chat's `received` task that is not final, or None; there is at most one."""
        ...

    def of_graph(self, graph_id: GraphId) -> tuple[TaskRow, ...]:
        """Return all steps of a plan in order, final ones included."""
        ...

    def current_of_chat(self, chat_id: ChatId) -> tuple[TaskRow, ...]:
        """Return the steps of a chat that are not final, in plan order: older plans first, then by position."""
        ...

    def to_recover(self) -> tuple[TaskRow, ...]:
        """Return the running and sending steps, which a crash may have interrupted; it uses an index."""
        ...

    def chats_with_work(self, account_id: AccountId | None = ...) -> tuple[tuple[ChatId, datetime | None], ...]:
        """Return the chats that have work without the operator, with the earliest due time (None = at once).

        Such work is a `received` to plan, a wait, and every approved, sending or unknown send. Drafts that only wait
        for the operator are not examined.
        """
        ...

    def chats_with_steps(self) -> frozenset[ChatId]:
        """Return the chats that have a step which is not final."""
        ...


class PlanEditRows(Protocol):
    """The operator's edits of plans."""

    def add(self, edit: PlanEdit) -> None:
        """Store an edit; an UNDO also marks the newest edit of the plan that is not undone."""
        ...

    def count(self, graph_id: GraphId) -> int:
        """Return how often a plan was edited; undoing counts too."""
        ...

    def newest(self, graph_id: GraphId) -> PlanEdit | None:
        """Return the newest edit of a plan that is not undone, or None."""
        ...

    def of_graph(self, graph_id: GraphId) -> tuple[PlanEdit, ...]:
        """Return all edits of a plan, oldest first, those that were undone included."""
        ...

    def of_client(self, client_id: str) -> PlanEdit | None:
        """Return the edit of a request, or None."""
        ...


class ApprovalRows(Protocol):
    """Approvals."""

    def add(self, new: NewApproval) -> Approval:
        """Insert with version 1 and return the full snapshot."""
        ...

    def get(self, approval_id: ApprovalId) -> Approval:
        """Return one snapshot, joined with its task, chat, agent and requests; raises NotFoundError."""
        ...

    def of_task(self, task_id: TaskId) -> Approval:
        """Return the approval of a planned send; raises NotFoundError."""
        ...

    def save(self, approval: Approval) -> None:
        """Write back all mutable columns (not the task's status, which belongs to `TaskRows.save`)."""
        ...

    def waiting(self) -> tuple[Approval, ...]:
        """Return all approvals whose planned send is neither final nor parked, oldest first, of all chats."""
        ...

    def waiting_for(self, reason: AskReason) -> tuple[Approval, ...]:
        """Return those of `waiting` whose reasons include this one."""
        ...

    def files(self, since: datetime) -> tuple[str, ...]:
        """Return the names of the copies of files whose sends are not final, or were decided since then."""
        ...

    def of_chat(self, chat_id: ChatId) -> tuple[Approval, ...]:
        """Return the approvals of a chat whose planned send is not final, in plan order, including parked ones."""
        ...

    def of_graph(self, graph_id: GraphId) -> tuple[Approval, ...]:
        """Return all approvals of a plan in order, including final ones."""
        ...

    def last_resolved(self, graph_id: GraphId) -> datetime | None:
        """Return when the last approval of a plan was decided or superseded; None if none was."""
        ...

    def resolved_since(self, since: datetime, *, limit: int) -> tuple[Approval, ...]:
        """Return the approvals that were decided or superseded since then, newest first."""
        ...


class LedgerRows(Protocol):
    """The record of every outgoing request."""

    def prepare(self, approval: Approval, request: NewRequest) -> LedgerRow:
        """Insert a `prepared` row for the approval's current version, kind, origin and reply target."""
        ...

    def get(self, ledger_id: LedgerId) -> LedgerRow:
        """Return one row; raises NotFoundError."""
        ...

    def of_approval(self, approval_id: ApprovalId) -> tuple[LedgerRow, ...]:
        """Return the rows of an approval that are neither void nor failed, by part, then by age."""
        ...

    def in_doubt(self, chat_id: ChatId) -> tuple[LedgerRow, ...]:
        """Return the chat's rows that are `sending` or `unknown`, oldest first."""
        ...

    def nameless(self, chat_id: ChatId, since: datetime) -> tuple[LedgerRow, ...]:
        """Return the chat's sent messages without a known id, of approvals open or resolved since then, by age."""
        ...

    def given_up(self, chat_id: ChatId, since: datetime) -> tuple[LedgerRow, ...]:
        """Return the chat's void rows that were claimed since then and never answered, by age.

        They may have arrived all the same; rows whose message is known by now are left out.
        """
        ...

    def save(self, row: LedgerRow) -> None:
        """Write back all mutable columns."""
        ...

    def owner_of(self, account_id: AccountId, peer_id: PeerId, message_id: MessageId) -> LedgerRow | None:
        """Return the row with this message id, or None.

        A request that was given up and arrived late has its message id too, and stays `void`: that message is ours, but
        no part of the send. A `sent` row takes precedence over such a one.
        """
        ...

    def automatic_since(self, since: datetime, *, account_id: AccountId, chat_id: ChatId | None = ...) -> int:
        """Count the sends claimed on a rule's decision since then, of an account or of one of its chats."""
        ...


class RetentionRows(Protocol):
    """Large data that is not needed after some time."""

    def plans_before(self, before: datetime, *, limit: int) -> tuple[GraphId, ...]:
        """Return the oldest replaced plans from before then that are over and still have their choice of context.

        A chat's current plan, its variants and all plans with an open step are left out.
        """
        ...

    def raw_before(self, before: datetime, *, limit: int) -> tuple[MessageKey, ...]:
        """Return the oldest messages from before then that still have the raw data from Telegram."""
        ...

    def prompts_before(self, before: datetime, *, limit: int) -> tuple[CallId, ...]:
        """Return the oldest calls from before then whose prompt is stored, but for those of a trace that is kept."""
        ...

    def forget_prompts(self, call_ids: Sequence[CallId]) -> None:
        """Delete the prompts of these calls; the calls stay booked."""
        ...

    def forget_choices(self, graph_ids: Sequence[GraphId]) -> None:
        """Delete the choice of context of these plans; the span of messages is kept."""
        ...

    def forget_raw(self, keys: Sequence[MessageKey]) -> None:
        """Delete the raw data of these messages, except which members came and left."""
        ...
