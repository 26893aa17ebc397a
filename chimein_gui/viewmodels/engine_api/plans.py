"""What the window asks of the engine about plans: reading them, and changing their steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.context.explained import LinkExplanation
    from chimein_gui.domain.ids import ChatId, GraphId, MessageId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.domain.plans.details import PlanDetails, PlanPage
    from chimein_gui.domain.plans.step_edits import EditOutcome, StepEditRequest
    from chimein_gui.domain.plans.upcoming import UpcomingEntry
    from chimein_gui.domain.prompt.considered import ContextSelection
    from chimein_gui.viewmodels.engine_api.cards import PlansService


class PlanHistoryService(Protocol):
    """The plans of a chat."""

    async def current(self, chat_id: ChatId) -> Loaded[PlanDetails]:
        """Return the plan that a chat follows, if any, with the messages that wait beside it, oldest first."""
        ...

    async def page(self, chat_id: ChatId, before: GraphId | None = ..., *, limit: int = ...) -> PlanPage:
        """Return earlier plans, newest first."""
        ...

    async def plan(self, graph_id: GraphId) -> PlanDetails:
        """Return one plan."""
        ...


class PlanEditsService(Protocol):
    """The operator's edits of plans."""

    async def edit(self, request: StepEditRequest) -> EditOutcome:
        """Edit a plan, or refuse it with a reason."""
        ...


class ContextsService(Protocol):
    """The messages that were considered for plans."""

    async def load(
        self, chat_id: ChatId, graph_id: GraphId | None = ..., *, now: bool = ...
    ) -> Loaded[ContextSelection]:
        """Return those of one plan, None for the newest; or what would be taken now."""
        ...

    async def explain(
        self, chat_id: ChatId, message_id: MessageId, graph_id: GraphId | None = ..., *, now: bool = ...
    ) -> LinkExplanation | None:
        """Return what the weights of links say about one of them; None if nothing was weighed."""
        ...


class UpcomingService(Protocol):
    """What happens next in all chats."""

    async def load(self) -> Loaded[UpcomingEntry]:
        """Return every open step, and an entry for each chat with unanswered messages and no plan."""
        ...


class UpcomingApi(Protocol):
    """The part of the engine that the Next pane uses."""

    @property
    def upcoming(self) -> UpcomingService: ...


class ContextApi(Protocol):
    """The part of the engine that the Context pane uses."""

    @property
    def contexts(self) -> ContextsService: ...


class PlansApi(Protocol):
    """The parts of the engine that the Plans pane uses."""

    @property
    def plan_history(self) -> PlanHistoryService: ...

    @property
    def plan_edits(self) -> PlanEditsService: ...

    @property
    def plans(self) -> PlansService: ...
