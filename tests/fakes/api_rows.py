"""The rows of the small engine, which the engine's own rules read and write, so that decisions have their real effects.

Cards and chats are those of the engine API, as a test has put them. Steps and plans are derived from the cards: each
card of a plan depends on the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from chimein_gui.domain.approvals import Approval, AskReason, Part, SavedEdit
from chimein_gui.domain.chats import Chat, ChatSettings, Unsent
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import (
    AccountId,
    ApprovalId,
    ChatId,
    GraphId,
    LedgerId,
    MessageId,
    PeerId,
    Revision,
    SavedEditId,
    TaskId,
)
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.tasks import FINAL, LedgerState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.approvals.approve import requests_for
from chimein_gui.engine.policy.trust import default_trust
from chimein_gui.engine.ports import (
    Durability,
    GraphRow,
    GraphStanding,
    LedgerRow,
    NewApproval,
    NewGraph,
    NewRequest,
    TaskRow,
    Transaction,
)
from tests.fakes.api_history import AgentRows, DecidedRows

if TYPE_CHECKING:
    from chimein_gui.domain.plans.step_edits import PlanEdit
    from tests.fakes.engine_api import FakeEngineApi

T = TypeVar("T")

_GONE = frozenset({LedgerState.VOID, LedgerState.FAILED})
_SELDOM = 1_000
"""First row id that the small engine makes, above those that tests choose."""


class FakeStore:
    """Runs transactions at once; one that raises changes nothing."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.rows = FakeRows(api)

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        api, rows = self._api, self.rows
        approvals, chats = dict(api.approvals), dict(api.chats)
        api.revision += 1
        rows.revision = Revision(api.revision)
        try:
            return work(cast("Transaction", rows))
        except BaseException:
            api.approvals, api.chats = approvals, chats
            raise

    async def read(self, work: Callable[[Transaction], T]) -> T:
        self.rows.revision = Revision(self._api.revision)
        return work(cast("Transaction", self.rows))

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = Durability.NORMAL) -> None:
        raise AssertionError("nothing is cancelled here")

    async def compact(self) -> None:
        return

    async def aclose(self) -> None:
        return


class FakeRows:
    """The part of a transaction that decisions, holds, the composer, saved edits and versions of a plan need."""

    def __init__(self, api: FakeEngineApi) -> None:
        self.revision = Revision(0)
        self.graphs = _Graphs(api)
        self.tasks = _Tasks(api)
        self.approvals = _Approvals(api, self.tasks, self.graphs)
        self.chats = _Chats(api)
        self.ledger = _Ledger(api)
        self.holds = _Holds(api)
        self.saved_edits = _SavedEdits(api)
        self.plan_edits = _PlanEdits()
        self.messages = _Messages(api)
        self.accounts = _Accounts(api)
        self.effects = _Effects()
        self.decisions = DecidedRows(api)
        self.agents = AgentRows(api)
        self.traces = _Traces()


class _Traces:
    """No plan of the small engine has a trace."""

    def changed(self) -> list[Any]:
        return []

    def follow(self, *_plan: object, rejected: bool) -> None:
        return

    def mark_edited(self, _graph_id: GraphId) -> None:
        return


class _Graphs:
    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self._graphs: dict[GraphId, GraphRow] = {}

    def get(self, graph_id: GraphId) -> GraphRow:
        if graph_id in self._graphs:
            return self._graphs[graph_id]
        card = next((card for card in self._api.approvals.values() if card.graph_id == graph_id), None)
        if card is None:
            raise NotFoundError(f"no plan {graph_id}")
        standing = GraphStanding.CURRENT if card.origin is Origin.PLAN else GraphStanding.BESIDE
        return self._row(graph_id, NewGraph(card.chat_id, card.created_at, card.origin, standing))

    def add(self, new: NewGraph) -> GraphId:
        known = (card.graph_id for card in self._api.approvals.values())
        graph_id = GraphId(max([_SELDOM, *self._graphs, *known]) + 1)
        self._graphs[graph_id] = self._row(graph_id, new)
        return graph_id

    def save(self, graph: GraphRow) -> None:
        self._graphs[graph.graph_id] = graph

    def current_of(self, chat_id: ChatId) -> GraphRow | None:
        mine = {card.graph_id for card in self._api.approvals.values() if card.chat_id == chat_id}
        current = [graph for graph in map(self.get, mine) if graph.standing is GraphStanding.CURRENT]
        return max(current, key=lambda graph: graph.graph_id, default=None)

    def variants_of(self, graph_id: GraphId) -> tuple[GraphRow, ...]:
        return tuple(graph for graph in self._graphs.values() if graph.variant_of == graph_id)

    def put_variant(self, base: Approval, graph_id: GraphId, instruction: str, drafts: Sequence[Approval]) -> None:
        """Store a version of a plan."""
        new = NewGraph(
            base.chat_id,
            drafts[0].created_at,
            standing=GraphStanding.VARIANT,
            variant_of=base.graph_id,
            instruction=instruction,
        )
        self._graphs[graph_id] = self._row(graph_id, new)
        self._api.approvals |= {draft.approval_id: draft for draft in drafts}

    @staticmethod
    def _row(graph_id: GraphId, new: NewGraph) -> GraphRow:
        return GraphRow(
            graph_id,
            new.chat_id,
            new.origin,
            new.standing,
            new.variant_of,
            new.trigger_ids,
            PromptSpan(),
            new.instruction,
            new.problems,
            lost_rule=False,
            failed=None,
            created_at=new.created_at,
        )


class _Tasks:
    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self._saved: dict[TaskId, TaskRow] = {}

    def get(self, task_id: TaskId) -> TaskRow:
        card = next((card for card in self._api.approvals.values() if card.task_id == task_id), None)
        if card is None:
            return self._saved[task_id]
        known = self._saved.get(task_id) or self._of_card(card)
        return replace(known, status=card.task_status)

    def save(self, task: TaskRow) -> None:
        self._saved[task.task_id] = task
        for card in tuple(self._api.approvals.values()):
            if card.task_id == task.task_id:
                self._api.approvals[card.approval_id] = replace(card, task_status=task.status)

    def add(self, chat_id: ChatId, kind: TaskKind, status: TaskStatus, **columns: Any) -> TaskId:
        task_id = TaskId(max([_SELDOM, *self._saved, *(card.task_id for card in self._api.approvals.values())]) + 1)
        row = {"graph_id": None, "depends_on": (), "position": 0, "trigger_ids": (), "due_at": None, "reason": None}
        self._saved[task_id] = TaskRow(task_id, chat_id, kind=kind, status=status, attempts=0, **(row | columns))
        return task_id

    def of_graph(self, graph_id: GraphId) -> tuple[TaskRow, ...]:
        mine = [card.task_id for card in self._api.approvals.values() if card.graph_id == graph_id]
        return tuple(self.get(task_id) for task_id in sorted(mine))

    def current_of_chat(self, chat_id: ChatId) -> tuple[TaskRow, ...]:
        mine = [card for card in self._api.approvals.values() if card.chat_id == chat_id]
        rows = [self.get(card.task_id) for card in sorted(mine, key=lambda card: (card.graph_id, card.task_id))]
        return tuple(row for row in rows if row.status not in FINAL)

    def chats_with_work(self, _account_id: AccountId | None = None) -> tuple[tuple[ChatId, datetime | None], ...]:
        at_work = {TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.UNKNOWN}
        due = {card.chat_id: card.due_at for card in self._api.approvals.values() if card.task_status in at_work}
        return tuple(due.items())

    def chats_with_steps(self) -> frozenset[ChatId]:
        cards = self._api.approvals.values()
        return frozenset(card.chat_id for card in cards if self.get(card.task_id).status not in FINAL)

    def _of_card(self, card: Approval) -> TaskRow:
        before = [one for one in self._api.approvals.values() if one.graph_id == card.graph_id]
        earlier = sorted(one.task_id for one in before if one.task_id < card.task_id)
        depends_on, position = tuple(earlier[-1:]), len(earlier) + 1
        return TaskRow(
            card.task_id,
            card.chat_id,
            card.graph_id,
            card.kind,
            card.task_status,
            depends_on,
            position,
            trigger_ids=(),
            attempts=0,
            due_at=None,
            reason=None,
        )


class _Approvals:
    def __init__(self, api: FakeEngineApi, tasks: _Tasks, graphs: _Graphs) -> None:
        self._api = api
        self._tasks, self._graphs = tasks, graphs

    def add(self, new: NewApproval) -> Approval:
        task = self._tasks.get(new.task_id)
        assert task.graph_id is not None
        chat = self._api.chats[task.chat_id]
        approval_id = ApprovalId(max([_SELDOM, *self._api.approvals]) + 1)
        self._api.approvals[approval_id] = Approval(
            approval_id,
            new.task_id,
            task.graph_id,
            chat.chat_id,
            chat.agent_id,
            chat.info.account_id,
            chat.info.peer_id,
            self._api.agents[chat.agent_id].spec.name,
            chat.info.title,
            new.state,
            task.status,
            1,
            new.text,
            new.text if new.draft_text is None else new.draft_text,
            new.reply_to_id,
            new.reasons,
            new.seen_up_to,
            new.created_at,
            task.kind,
            new.sticker,
            new.changed_at,
            new.covers_up_to,
            new.newer,
            self._graphs.get(task.graph_id).origin,
            due_at=new.due_at,
            decided_at=new.decided_at,
            decided_by=new.decided_by,
            note=new.note,
            file=new.file,
        )
        return self._api.approvals[approval_id]

    def get(self, approval_id: ApprovalId) -> Approval:
        if approval_id not in self._api.approvals:
            raise NotFoundError(f"no approval {approval_id}")
        return self._api.approvals[approval_id]

    def of_task(self, task_id: TaskId) -> Approval:
        return next(card for card in self._api.approvals.values() if card.task_id == task_id)

    def of_graph(self, graph_id: GraphId) -> tuple[Approval, ...]:
        return tuple(self.of_task(row.task_id) for row in self._tasks.of_graph(graph_id))

    def of_chat(self, chat_id: ChatId) -> tuple[Approval, ...]:
        return tuple(self.of_task(row.task_id) for row in self._tasks.current_of_chat(chat_id))

    def save(self, approval: Approval) -> None:
        """Store a card; its status is the step's, its parts are the requests'."""
        now = self.get(approval.approval_id)
        self._api.approvals[now.approval_id] = replace(approval, task_status=now.task_status, parts=now.parts)

    def waiting(self) -> tuple[Approval, ...]:
        over = FINAL | {TaskStatus.PARKED}
        return tuple(card for card in self._api.approvals.values() if card.task_status not in over)

    def waiting_for(self, reason: AskReason) -> tuple[Approval, ...]:
        return tuple(card for card in self.waiting() if reason in card.reasons)


class _Ledger:
    """The requests, which are the parts of the cards."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    def of_approval(self, approval_id: ApprovalId) -> tuple[LedgerRow, ...]:
        card = self._api.approvals[approval_id]
        requests = {request.part: request for request in requests_for(card)} if card.parts else {}
        return tuple(
            self._row(card, part, requests[part.index])
            for part in card.parts
            if part.state not in _GONE and part.index in requests
        )

    def prepare(self, approval: Approval, request: NewRequest) -> LedgerRow:
        part = Part(request.part, LedgerState.PREPARED)
        self._put(approval.approval_id, part)
        return self._row(approval, part, request)

    def save(self, row: LedgerRow) -> None:
        self._put(row.approval_id, Part(row.part, row.state, row.message_id))

    def _put(self, approval_id: ApprovalId, part: Part) -> None:
        card = self._api.approvals[approval_id]
        others = [one for one in card.parts if one.index != part.index]
        parts = others if part.state in _GONE else [*others, part]
        self._api.approvals[approval_id] = replace(card, parts=tuple(sorted(parts, key=lambda one: one.index)))

    def owner_of(self, account_id: AccountId, peer_id: PeerId, message_id: MessageId) -> Part | None:
        """Return the part of a card that became a message."""
        cards = self._api.approvals.values()
        mine = [card for card in cards if (card.account_id, card.peer_id) == (account_id, peer_id)]
        return next((part for card in mine for part in card.parts if part.message_id == message_id), None)

    @staticmethod
    def _row(card: Approval, part: Part, request: NewRequest) -> LedgerRow:
        return LedgerRow(
            LedgerId(card.approval_id * 100 + part.index),
            card.approval_id,
            card.chat_id,
            card.version,
            part.index,
            request.random_id,
            part.state,
            card.origin,
            card.kind,
            request.text,
            card.reply_to_id,
            request.entities,
            request.sticker,
            message_id=part.message_id,
        )


class _Chats:
    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    def get(self, chat_id: ChatId) -> Chat:
        """Return a chat with the number of its waiting cards, as from the store."""
        if chat_id not in self._api.chats:
            raise NotFoundError(f"no chat {chat_id}")
        open_cards = [card.task_status for card in self._api.approvals.values() if card.chat_id == chat_id]
        pending = open_cards.count(TaskStatus.AWAITING_DECISION)
        self._api.chats[chat_id] = replace(self._api.chats[chat_id], pending=pending)
        return self._api.chats[chat_id]

    def settings_of(self, chat_id: ChatId) -> ChatSettings:
        return self._api.chats[chat_id].settings

    def set_settings(self, chat_id: ChatId, settings: ChatSettings) -> None:
        chat = self._api.chats[chat_id]
        trust = settings.trust or default_trust(self._api.agents[chat.agent_id])
        self._api.chats[chat_id] = replace(chat, settings=settings, trust=trust)

    def set_takeover(self, chat_id: ChatId, until: datetime | None) -> None:
        self._api.chats[chat_id] = replace(self._api.chats[chat_id], takeover_until=until)

    def keep_unsent(self, unsent: Unsent) -> None:
        kept = self._api.composer.kept
        kept.pop(unsent.chat_id, None)
        if unsent.text:
            kept[unsent.chat_id] = unsent

    def unsent(self) -> tuple[Unsent, ...]:
        return tuple(self._api.composer.kept.values())


class _Holds:
    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    def all(self) -> tuple[Hold, ...]:
        return self._api.holds.holds

    def put(self, hold: Hold) -> None:
        kept = [one for one in self.all() if (one.scope, one.target) != (hold.scope, hold.target)]
        self._api.holds.holds = tuple(sorted([*kept, hold], key=lambda one: one.since))

    def release(self, scope: HoldScope, target: int) -> bool:
        kept = tuple(one for one in self.all() if (one.scope, one.target) != (scope, target))
        is_lifted = len(kept) < len(self.all())
        self._api.holds.holds = kept
        return is_lifted

    def over(self, account_id: AccountId, chat_id: ChatId) -> Hold | None:
        return next((hold for hold in self.all() if hold.covers(account_id, chat_id)), None)


class _PlanEdits:
    """Edits of plans: of these, only undone rejections are made here."""

    def __init__(self) -> None:
        self._edits: list[PlanEdit] = []

    def add(self, edit: PlanEdit) -> None:
        self._edits.append(edit)

    def count(self, graph_id: GraphId) -> int:
        return len(self.of_graph(graph_id))

    def of_graph(self, graph_id: GraphId) -> tuple[PlanEdit, ...]:
        return tuple(edit for edit in self._edits if edit.graph_id == graph_id)


class _SavedEdits:
    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    def get(self, saved_edit_id: SavedEditId) -> SavedEdit:
        found = next((kept for kept in self._api.saved_edits.edits if kept.saved_edit_id == saved_edit_id), None)
        if found is None:
            raise NotFoundError(f"no kept edit {saved_edit_id}")
        return found

    def of_chat(self, chat_id: ChatId) -> tuple[SavedEdit, ...]:
        return tuple(kept for kept in self._api.saved_edits.edits if kept.chat_id == chat_id)

    def add(self, chat_id: ChatId, **columns: Any) -> None:
        saved_edit_id = SavedEditId(max([_SELDOM, *(kept.saved_edit_id for kept in self._api.saved_edits.edits)]) + 1)
        self._api.saved_edits.edits += (SavedEdit(saved_edit_id, chat_id, **columns),)

    def pair(self, saved_edit_id: SavedEditId, paired_with: ApprovalId | None) -> None:
        kept = self._api.saved_edits.edits
        self._api.saved_edits.edits = tuple(
            replace(one, paired_with=paired_with) if one.saved_edit_id == saved_edit_id else one for one in kept
        )

    def keep_result(self, saved_edit_id: SavedEditId, result: str) -> None:
        kept = self._api.saved_edits.edits
        self._api.saved_edits.edits = tuple(
            replace(one, result=result) if one.saved_edit_id == saved_edit_id else one for one in kept
        )

    def remove(self, saved_edit_id: SavedEditId) -> None:
        self._api.saved_edits.edits = tuple(
            kept for kept in self._api.saved_edits.edits if kept.saved_edit_id != saved_edit_id
        )


class _Messages:
    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    def get(self, key: MessageKey) -> Message | None:
        found = (chat.get(key.message_id) for chat in self._api.messages.values())
        return next((message for message in found if message is not None and message.key == key), None)

    def before(self, account_id: AccountId, peer_id: PeerId, *, before_id: None, limit: int) -> tuple[Message, ...]:
        """Return the newest messages of a chat, oldest first."""
        found = [message for chat in self._api.messages.values() for message in chat.values()]
        mine = [one for one in found if (one.key.account_id, one.key.peer_id) == (account_id, peer_id)]
        return tuple(sorted(mine, key=lambda one: one.key.message_id))[-limit:]

    def has_outgoing(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Return whether the account has written there; a card that is a first message means that it has not."""
        cards = self._api.approvals.values()
        mine = [card for card in cards if (card.account_id, card.peer_id) == (account_id, peer_id)]
        return not any(AskReason.FIRST_MESSAGE in card.reasons for card in mine)

    def newest_id(self, account_id: AccountId, peer_id: PeerId) -> MessageId:
        keys = [message.key for chat in self._api.messages.values() for message in chat.values()]
        mine = [key.message_id for key in keys if (key.account_id, key.peer_id) == (account_id, peer_id)]
        return max(mine, default=MessageId(0))


class _Accounts:
    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    def limited(self, account_id: AccountId) -> str:
        return next((one.limited for one in self._api.agents.values() if one.account_id == account_id), "")


class _Effects:
    """Memories; no plan of the small engine has any."""

    @staticmethod
    def memory(_graph_id: GraphId, _index: int) -> None:
        return None
