"""Engine protocols for planned sends: cards, decisions, plans and their versions, saved edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.approvals import Approval, Decision, DecisionRequest, Outcome, SavedEdit
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.events import StepChanged
    from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, Revision, SavedEditId, TaskId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.domain.notes import Note
    from chimein_gui.engine.operator.composer import Written
    from chimein_gui.engine.planning.variants import Regenerated


class CardsService(Protocol):
    """Details of planned sends."""

    async def load(self, approval_id: ApprovalId) -> CardDetails:
        """Return what a card shows besides its own snapshot; raises NotFoundError."""
        ...


class VariantsService(Protocol):
    """Other versions of a plan."""

    def stop(self, chat_id: ChatId) -> None:
        """Cancel the version that is being generated in a chat; its cost is booked and nothing is stored."""
        ...

    async def choose(self, graph_id: GraphId) -> Note | None:
        """Replace a plan by this version; returns why it cannot be chosen, or None."""
        ...

    async def discard(self, graph_id: GraphId) -> Note | None:
        """Delete a version; returns why it cannot be deleted, or None."""
        ...


class DecisionsService(Protocol):
    """Decides on planned sends."""

    async def decide(
        self,
        approval_id: ApprovalId,
        *,
        expected_version: int,
        decision: Decision,
        seen_up_to: Revision,
        client_id: str,
    ) -> Outcome:
        """Decide on a planned send, compare-and-set.

        Args:
            approval_id: The planned send.
            expected_version: The version on the card.
            decision: What to do with it.
            seen_up_to: The card's `changed_at` if the operator acknowledged it, else its `seen_up_to`.
            client_id: Unique to this press; a repeated call with it changes nothing and returns the same outcome.

        Raises:
            NotFoundError: There is no such approval.
            StoreError: Nothing was decided.
        """
        ...

    async def decide_many(self, requests: Sequence[DecisionRequest]) -> tuple[Outcome, ...]:
        """Decide on several planned sends in one transaction, in their order, each with its own verdict.

        Sends that always need their own decision, and stale ones, are not approved here.

        Raises:
            NotFoundError: There is no approval with one of the ids; nothing was decided.
            StoreError: Nothing was decided.
        """
        ...


class PlansService(Protocol):
    """Plans and their steps."""

    async def regenerate(self, graph_id: GraphId, instruction: str = ..., *, without_pages: bool = ...) -> Regenerated:
        """Request another version of the unsent messages; returns when it is stored, or why there is none.

        `without_pages` lets the model look up no web page for it.
        """
        ...

    async def load(self, chat_id: ChatId) -> Loaded[StepChanged]:
        """Return a chat's invisible steps that are not over."""
        ...

    async def let_wait_begin(self, task_id: TaskId) -> None:
        """Allow a wait of more than 24 h; it begins now."""
        ...

    async def skip_wait(self, task_id: TaskId) -> None:
        """Continue the plan without the wait."""
        ...

    async def reject(self, graph_id: GraphId, reason: str = ...) -> None:
        """Cancel what is not sent of a plan; its messages count as answered, also if it was given up."""
        ...

    async def retry(self, chat_id: ChatId, *, without_pages: bool = ...) -> None:
        """Plan a chat again at once; `without_pages` lets the model look up no web page for that plan."""
        ...

    async def cancel_planning(self, task_id: TaskId) -> None:
        """Cancel the planning of a chat; its messages count as answered."""
        ...


class SavedEditsService(Protocol):
    """Saved edits: texts of the operator whose drafts are gone."""

    async def load(self, chat_id: ChatId) -> Loaded[SavedEdit]:
        """Return a chat's saved edits, oldest first."""
        ...

    async def apply(
        self,
        saved_edit_id: SavedEditId,
        *,
        text: str = ...,
        expected_version: int,
        seen_up_to: Revision,
        client_id: str,
    ) -> Outcome:
        """Approve the draft beside it with the saved edit, or with `text`, the merge of both."""
        ...

    async def use_as_message(self, saved_edit_id: SavedEditId, *, client_id: str, confirm: bool = ...) -> Written:
        """Send the saved edit as the operator's own message."""
        ...

    async def discard(self, saved_edit_id: SavedEditId) -> None:
        """Delete a saved edit."""
        ...

    async def keep_result(self, saved_edit_id: SavedEditId, result: str) -> None:
        """Save the state of a merge."""
        ...

    async def restore(self, edit: SavedEdit) -> None:
        """Save a discarded edit again."""
        ...


class ResendService(Protocol):
    """Makes new cards of closed sends."""

    async def ask(self, approval_id: ApprovalId, *, client_id: str) -> Approval | None:
        """Make a new card of a send that was not sent; None if it can't be offered again."""
        ...


class EditorsService(Protocol):
    """Open editors; an open one delays the automatic sends of its chat."""

    def begin(self, chat_id: ChatId) -> None:
        """Report that an editor was opened on a draft of a chat."""
        ...

    def end(self, chat_id: ChatId) -> None:
        """Report that the editor was closed."""
        ...
