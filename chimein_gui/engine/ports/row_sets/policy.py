"""Row sets of holds, Telegram's waits, kept edits, memories, costs and prompts."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from chimein_gui.domain.accounts.group_moves import GroupMove, KnownGroups
from chimein_gui.domain.approvals import SavedEdit
from chimein_gui.domain.costs import AgentDay, CostToday, ModelCall
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import (
    AccountId,
    AgentId,
    ApprovalId,
    ChatId,
    GraphId,
    MessageId,
    PeerId,
    SavedEditId,
    TaskId,
)
from chimein_gui.domain.memory.embedding import EmbeddingState
from chimein_gui.domain.memory.orders.given import GivenOrder, OrderState
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.prompt.sent import CallId, PromptOutline, SentCall, StoredPrompt
from chimein_gui.domain.traces.summaries import TraceId
from chimein_gui.engine.ports.rows import MemoryEffect, MemoryState, ServerWait


class HoldRows(Protocol):
    """The active holds."""

    def all(self) -> tuple[Hold, ...]:
        """Return all, oldest first."""
        ...

    def put(self, hold: Hold) -> None:
        """Insert a hold, or replace the one of the same scope and target."""
        ...

    def release(self, scope: HoldScope, target: int) -> bool:
        """Delete a hold; False if there is none."""
        ...

    def over(self, account_id: AccountId, chat_id: ChatId) -> Hold | None:
        """Return the hold that covers a chat, the widest first; None if there is none."""
        ...


class WaitRows(Protocol):
    """Waits that Telegram has imposed."""

    def put(self, wait: ServerWait) -> None:
        """Insert a wait, or prolong the one of the same account, chat and method."""
        ...

    def over(self, account_id: AccountId, chat_id: ChatId, method: str, now: datetime) -> ServerWait | None:
        """Return the wait for this method in this chat that ends last, or None."""
        ...

    def of_accounts(self, now: datetime) -> tuple[ServerWait, ...]:
        """Return all accounts' waits that are not over."""
        ...


class AccountRows(Protocol):
    """Data of accounts that does not belong to their agents."""

    def limited(self, account_id: AccountId) -> str:
        """Return Telegram's name for the account's limit (PEER_FLOOD); empty without one."""
        ...

    def set_limited(self, account_id: AccountId, code: str) -> None:
        """Mark an account as limited; empty clears it."""
        ...

    def usernames(self, account_id: AccountId) -> tuple[str, ...]:
        """Return the account's user names, without the ``@``; empty if none is known."""
        ...

    def set_usernames(self, account_id: AccountId, usernames: tuple[str, ...]) -> None:
        """Store the account's user names, each of which addresses the agent in groups."""
        ...

    def to_compare(self) -> frozenset[AgentId]:
        """Return the agents whose chats must be compared with Telegram's, because a report was not stored."""
        ...

    def set_to_compare(self, agent_id: AgentId, *, wanted: bool) -> None:
        """Store whether an agent's chats must be compared with Telegram's."""

    def blocked(self, account_id: AccountId) -> frozenset[PeerId]:
        """Return whom an account has blocked, by Telegram's last list."""
        ...

    def has_blocked(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Return whether an account has blocked someone, by Telegram's last list."""
        ...

    def set_blocked(self, account_id: AccountId, peer_ids: frozenset[PeerId]) -> None:
        """Replace the list of those whom an account has blocked."""
        ...

    def note_block(self, account_id: AccountId, peer_id: PeerId, *, is_blocked: bool) -> None:
        """Store that an account has blocked or unblocked someone."""
        ...

    def groups(self) -> KnownGroups:
        """Return the known supergroups of all accounts."""
        ...

    def note_move(self, move: GroupMove) -> None:
        """Store that a group became a supergroup; a known move stays unchanged."""
        ...


class SavedEditRows(Protocol):
    """Kept edits, whose drafts were replaced."""

    def add(
        self,
        chat_id: ChatId,
        *,
        base: str,
        mine: str,
        position: int,
        paired_with: ApprovalId | None,
        created_at: datetime,
        result: str = ...,
    ) -> SavedEdit:
        """Insert one."""
        ...

    def get(self, saved_edit_id: SavedEditId) -> SavedEdit:
        """Return one kept edit; raises NotFoundError."""
        ...

    def of_chat(self, chat_id: ChatId) -> tuple[SavedEdit, ...]:
        """Return a chat's kept edits, oldest first."""
        ...

    def pair(self, saved_edit_id: SavedEditId, approval_id: ApprovalId | None) -> None:
        """Pair a kept edit with another draft, or with none."""
        ...

    def keep_result(self, saved_edit_id: SavedEditId, result: str) -> None:
        """Store the intermediate result of a comparison; ignored if the edit no longer exists."""
        ...

    def remove(self, saved_edit_id: SavedEditId) -> None:
        """Delete one that was applied or discarded."""
        ...


class EffectRows(Protocol):
    """Memories from replies, and the costs of model calls."""

    def add_memory(self, effect: MemoryEffect) -> None:
        """Insert a memory; raises StoreError if the key (plan, index) exists."""
        ...

    def memory(self, graph_id: GraphId, index: int) -> MemoryEffect | None:
        """Return a memory, or None."""
        ...

    def memories_to_write(self) -> tuple[MemoryEffect, ...]:
        """Return the prepared memories that are not yet written, oldest first."""
        ...

    def set_memory(self, graph_id: GraphId, index: int, state: MemoryState) -> None:
        """Change the state of a memory."""
        ...

    def book(self, chat_id: ChatId, call: ModelCall) -> None:
        """Insert a model call into the cost ledger."""
        ...

    def book_of_agent(self, agent_id: AgentId | None, call: ModelCall) -> None:
        """Insert a model call that belongs to an agent and to no chat; None for an agent that is gone."""
        ...

    def embedding_state(self) -> EmbeddingState:
        """Return what is kept about the embedding of memories."""
        ...

    def set_embedding_state(self, state: EmbeddingState) -> None:
        """Replace what is kept about the embedding of memories."""
        ...

    def cost_between(self, began_at: datetime, ends_at: datetime, *, latencies: int) -> CostToday:
        """Sum up the calls from `began_at` to before `ends_at`, with so many of their newest answer times."""
        ...

    def calls_between(self, purpose: str, began_at: datetime, ends_at: datetime) -> int:
        """Count the calls of a purpose from `began_at` to before `ends_at`."""
        ...

    def usage_between(self, purpose: str, began_at: datetime, ends_at: datetime) -> tuple[int, Usage]:
        """Return how many calls for chats were answered, and their tokens together, as the service counted them."""
        ...

    def agent_between(self, agent_id: AgentId, began_at: datetime, ends_at: datetime) -> AgentDay:
        """Count an agent's sends and sum up its calls from `began_at` to before `ends_at`."""
        ...


class MemoryOrderRows(Protocol):
    """What partners have ordered to remember, each by the message that gave the order."""

    def add(self, order: GivenOrder) -> bool:
        """Insert an order; returns False, and changes nothing, if there is one of the message."""
        ...

    def get(self, chat_id: ChatId, message_id: MessageId) -> GivenOrder | None:
        """Return the order that a message gave, or None."""
        ...

    def of_chat(self, chat_id: ChatId, *, since_id: MessageId, limit: int) -> tuple[GivenOrder, ...]:
        """Return the orders of a chat from a message on, oldest first."""
        ...

    def to_write(self) -> tuple[GivenOrder, ...]:
        """Return the orders that are not yet written to their files, oldest first."""
        ...

    def set_state(self, chat_id: ChatId, message_id: MessageId, state: OrderState, known: str = ...) -> None:
        """Change the state of an order, and set the entry that says the same."""
        ...


class PromptRows(Protocol):
    """The prompts that were sent, with the plans that came of them."""

    def add(
        self,
        graph_id: GraphId | None,
        chat_id: ChatId,
        call: ModelCall,
        outline: PromptOutline,
        packed: bytes,
        task_id: TaskId | None = None,
    ) -> None:
        """Insert the prompt of a booked call; nothing happens if there is no such call, or neither plan nor step.

        Args:
            graph_id: The plan; None for an attempt that brought none.
            chat_id: The conversation, under which the call was booked.
            call: The call.
            outline: What the bytes do not say.
            packed: The bytes of the request, compressed.
            task_id: The `received` step of such an attempt.
        """
        ...

    def of_attempts(self, trace_id: TraceId) -> tuple[SentCall, ...]:
        """Return the calls of a trace's attempts that brought no plan, as far as their prompts are stored."""
        ...

    def of_graph(self, graph_id: GraphId) -> tuple[SentCall, ...]:
        """Return the calls of a plan whose prompts are stored, oldest first."""
        ...

    def of_chat(self, chat_id: ChatId, *, limit: int) -> tuple[SentCall, ...]:
        """Return the newest calls of a chat whose prompts are stored, newest first."""
        ...

    def get(self, call_id: CallId) -> tuple[GraphId | None, StoredPrompt] | None:
        """Return the prompt of a call, still compressed, and its plan, if it brought one; None if it is not stored."""
        ...
