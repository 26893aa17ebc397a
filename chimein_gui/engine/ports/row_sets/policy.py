"""Row sets of what the operator and Telegram impose: holds, waits, the shelf; and of what replies bring about."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from chimein_gui.domain.accounts.group_moves import GroupMove, KnownGroups
from chimein_gui.domain.approvals import SavedEdit
from chimein_gui.domain.costs import AgentDay, CostToday, ModelCall
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, GraphId, PeerId, ShelfId
from chimein_gui.engine.ports.rows import MemoryEffect, MemoryState, ServerWait


class HoldRows(Protocol):
    """The holds that are on."""

    def all(self) -> tuple[Hold, ...]:
        """Return all, oldest first."""
        ...

    def put(self, hold: Hold) -> None:
        """Insert, or replace the one of the same scope and target."""
        ...

    def lift(self, scope: HoldScope, target: int) -> bool:
        """Delete one; False when there was none."""
        ...

    def over(self, account_id: AccountId, chat_id: ChatId) -> Hold | None:
        """Return a hold that holds this chat, the widest first, or None."""
        ...


class WaitRows(Protocol):
    """Waits that Telegram told us."""

    def put(self, wait: ServerWait) -> None:
        """Insert, or prolong the one of the same account, chat and method."""
        ...

    def over(self, account_id: AccountId, chat_id: ChatId, method: str, now: datetime) -> ServerWait | None:
        """Return the wait that ends last of those that keep this method in this chat from being called now, or None."""
        ...

    def of_accounts(self, now: datetime) -> tuple[ServerWait, ...]:
        """Return the waits that are not over, of all accounts."""
        ...


class AccountRows(Protocol):
    """What is known of accounts beside their agents."""

    def limited(self, account_id: AccountId) -> str:
        """Return Telegram's name for the limit when it limited the account (PEER_FLOOD); empty otherwise."""
        ...

    def set_limited(self, account_id: AccountId, code: str) -> None:
        """Mark an account as limited; empty clears it."""
        ...

    def usernames(self, account_id: AccountId) -> tuple[str, ...]:
        """Return the account's user names, without the ``@``; none where none is known."""
        ...

    def set_usernames(self, account_id: AccountId, usernames: tuple[str, ...]) -> None:
        """Remember the account's user names: each calls the agent in groups."""
        ...

    def to_compare(self) -> frozenset[AgentId]:
        """Return the agents whose chats are to be compared with Telegram's: something reported was not stored."""
        ...

    def set_to_compare(self, agent_id: AgentId, *, wanted: bool) -> None:
        """Note that an agent's chats are to be compared, or that they were."""

    def blocked(self, account_id: AccountId) -> frozenset[PeerId]:
        """Return whom an account has blocked, as Telegram told last."""
        ...

    def has_blocked(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Tell whether an account has blocked somebody, as Telegram told last."""
        ...

    def set_blocked(self, account_id: AccountId, peer_ids: frozenset[PeerId]) -> None:
        """Remember whom an account has blocked, and nobody else."""
        ...

    def note_block(self, account_id: AccountId, peer_id: PeerId, *, is_blocked: bool) -> None:
        """Remember that an account has blocked or unblocked somebody."""
        ...

    def groups(self) -> KnownGroups:
        """Return what is known of supergroups, of all accounts."""
        ...

    def note_move(self, move: GroupMove) -> None:
        """Remember that a group became a supergroup; what is known already stays as it is."""
        ...


class ShelfRows(Protocol):
    """Edits whose drafts were replaced."""

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

    def get(self, shelf_id: ShelfId) -> SavedEdit:
        """Return one; raises NotFoundError."""
        ...

    def of_chat(self, chat_id: ChatId) -> tuple[SavedEdit, ...]:
        """Return a chat's, oldest first."""
        ...

    def pair(self, shelf_id: ShelfId, approval_id: ApprovalId | None) -> None:
        """Stand it beside another draft, or beside none."""
        ...

    def keep_result(self, shelf_id: ShelfId, result: str) -> None:
        """Remember what a comparison has made of it so far; nothing happens if it is there no more."""
        ...

    def remove(self, shelf_id: ShelfId) -> None:
        """Delete one: it was applied or discarded."""
        ...


class EffectRows(Protocol):
    """What replies made the agents remember, and what model calls cost."""

    def add_memory(self, effect: MemoryEffect) -> None:
        """Insert one; the key (plan, index) being there already raises StoreError."""
        ...

    def memory(self, graph_id: GraphId, index: int) -> MemoryEffect | None:
        """Return one, or None."""
        ...

    def memories_to_write(self) -> tuple[MemoryEffect, ...]:
        """Return what is prepared and not yet written, oldest first."""
        ...

    def set_memory(self, graph_id: GraphId, index: int, state: MemoryState) -> None:
        """Move one on."""
        ...

    def book(self, chat_id: ChatId, call: ModelCall) -> None:
        """Book a model call."""
        ...

    def cost_between(self, began_at: datetime, ends_at: datetime, *, latencies: int) -> CostToday:
        """Sum up the calls that began from one moment to before another, with the newest so many answer times."""
        ...

    def agent_between(self, agent_id: AgentId, began_at: datetime, ends_at: datetime) -> AgentDay:
        """Count what was sent for an agent, and sum up its calls, from one moment to before another."""
        ...

    def booked_since(self, since: datetime) -> tuple[tuple[ChatId, ModelCall], ...]:
        """Return the calls that began since then, oldest first."""
        ...
