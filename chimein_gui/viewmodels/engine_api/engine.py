"""The engine as the view models see it. The engine's facade has this shape; tests use a small fake of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.loaded import Loaded
from chimein_gui.viewmodels.engine_api.accounts import AccountsApi
from chimein_gui.viewmodels.engine_api.costs import CostsApi
from chimein_gui.viewmodels.engine_api.decision_log import HistoryApi
from chimein_gui.viewmodels.engine_api.media import MediaApi
from chimein_gui.viewmodels.engine_api.memory import MemoriesApi
from chimein_gui.viewmodels.engine_api.people import PeopleApi
from chimein_gui.viewmodels.engine_api.plans import ContextApi, PlansApi, UpcomingApi
from chimein_gui.viewmodels.engine_api.prompts import PromptsApi
from chimein_gui.viewmodels.engine_api.sources import SourcesApi
from chimein_gui.viewmodels.traces.api import TracesApi

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.approvals import Approval, Outcome
    from chimein_gui.domain.chats import Chat, PinKind, QuietHours, TriggerMode, TrustLevel
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.holds import Backlog, Hold, HoldScope
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.ports import FrameRenderer
    from chimein_gui.viewmodels.engine_api.cards import (
        CardsService,
        DecisionsService,
        EditorsService,
        PlansService,
        ResendService,
        SavedEditsService,
        VariantsService,
    )
    from chimein_gui.viewmodels.engine_api.composer import ComposerService, SentService, StickersService
    from chimein_gui.viewmodels.engine_api.logins import LoginsService
    from chimein_gui.viewmodels.engine_api.media_files import MediaFilesService
    from chimein_gui.viewmodels.engine_api.transcripts import TranscriptService

__all__ = [
    "AgentSettingsService",
    "BacklogService",
    "ChatSettingsService",
    "ConnectionsService",
    "DirectoryService",
    "EngineApi",
    "HoldsService",
    "QueriesService",
]


class HoldsService(Protocol):
    """Holds, and the sends that they held."""

    async def load(self) -> Loaded[Hold]:
        """Return the active holds, oldest first."""
        ...

    async def hold(self, scope: HoldScope = ..., target: int = ..., reason: str = ...) -> None:
        """Hold everything, one account or one chat."""
        ...

    async def release(self, scope: HoldScope = ..., target: int = ...) -> Backlog:
        """Release a hold; this sends nothing, and publishes the held sends for review."""
        ...

    async def load_backlog(self) -> Backlog:
        """Return the sends that were held and are not decided yet, also after a restart."""
        ...


class BacklogService(Protocol):
    """The sends that were held, after the release."""

    async def confirm(
        self, account_id: AccountId, ticked: Sequence[Approval], *, client_id: str
    ) -> tuple[Outcome, ...]:
        """Approve the ticked sends of one account, as they were shown."""
        ...


class ChatSettingsService(Protocol):
    """The settings of one chat."""

    async def set_trust(self, chat_id: ChatId, trust: TrustLevel | None, *, for_s: float | None = ...) -> None:
        """Set a chat's trust level, for `for_s` seconds or for good; None takes the agent's level."""
        ...

    async def set_triggers(self, chat_id: ChatId, triggers: TriggerMode | None) -> None:
        """Set which messages trigger a plan; None takes the default of the chat's kind."""
        ...

    async def set_quiet_hours(self, chat_id: ChatId, quiet_hours: QuietHours | None) -> None:
        """Set the hours in which nothing is sent automatically; None sets none."""
        ...

    async def allow_bots(self, chat_id: ChatId, *, allowed: bool) -> None:
        """Set whether messages of bots may trigger a plan."""
        ...

    async def allow_agents(self, chat_id: ChatId, *, allowed: bool) -> None:
        """Set whether messages of the operator's other agents may trigger a plan."""
        ...

    async def pin(self, chat_id: ChatId, message_id: MessageId, kind: PinKind | None) -> None:
        """Pin a message in or out of the context of later plans, or in for the next one; None removes the pin."""
        ...


class TakeoversService(Protocol):
    """Takeovers: an agent pauses in a chat while the operator writes."""

    async def begin(self, chat_id: ChatId) -> None:
        """Pause the agent in a chat now."""
        ...

    async def resume(self, chat_id: ChatId) -> None:
        """End the pause of a takeover."""
        ...


class AgentSettingsService(Protocol):
    """The confirmed settings of one agent."""

    async def confirm_trust(self, agent_id: AgentId, *, confirmed: bool = ..., level: TrustLevel | None = ...) -> None:
        """Confirm the level `auto` or `countdown` of an agent's file, or withdraw that; `level` is the one shown."""
        ...


class QueriesService(Protocol):
    """The rows that panes fetch when they open."""

    async def chats(self) -> Loaded[Chat]:
        """Return all chats, newest message first."""
        ...

    async def approvals(self) -> Loaded[Approval]:
        """Return all planned sends that are not final, oldest first."""
        ...

    async def recent_decisions(self, *, limit: int) -> Loaded[Approval]:
        """Return the sends that were closed in the last hour, newest first."""
        ...


class DirectoryService(Protocol):
    """The agents."""

    async def load(self) -> Loaded[Agent]:
        """Return all agents with their health."""
        ...


class ConnectionsService(Protocol):
    """The connections of accounts."""

    def start(self, agent_id: AgentId) -> None:
        """Connect an agent's account, and keep it connected."""
        ...

    async def stop(self, agent_id: AgentId) -> None:
        """Disconnect an agent's account."""
        ...

    async def clear_limited(self, agent_id: AgentId) -> None:
        """Clear the account's limit: it may write again."""
        ...


class DiagnosticsService(Protocol):
    """Data for finding an error, without anything private."""

    async def save(self, target: Path) -> None:
        """Save the diagnostics as one file.

        Raises:
            DiagnosticsError: It can't be written; the message says what to do.
        """
        ...


class EngineApi(
    AccountsApi,
    CostsApi,
    HistoryApi,
    PlansApi,
    PromptsApi,
    UpcomingApi,
    ContextApi,
    SourcesApi,
    MediaApi,
    MemoriesApi,
    PeopleApi,
    TracesApi,
    Protocol,
):
    """The engine as the window is given it: all that its models ask, each by a protocol of its own."""

    @property
    def queries(self) -> QueriesService:
        """The rows that panes fetch when they open."""
        ...

    @property
    def decisions(self) -> DecisionsService:
        """Decides on planned sends."""
        ...

    @property
    def editors(self) -> EditorsService:
        """Open editors."""
        ...

    @property
    def directory(self) -> DirectoryService:
        """The agents."""
        ...

    @property
    def accounts(self) -> ConnectionsService:
        """Connects accounts, and clears their limits."""
        ...

    @property
    def holds(self) -> HoldsService:
        """Holds, and their release."""
        ...

    @property
    def backlog(self) -> BacklogService:
        """The sends that were held, after the release."""
        ...

    @property
    def chat_settings(self) -> ChatSettingsService:
        """The settings of chats."""
        ...

    @property
    def takeovers(self) -> TakeoversService:
        """Takeovers of chats."""
        ...

    @property
    def composer(self) -> ComposerService:
        """The operator's own messages."""
        ...

    @property
    def stickers(self) -> StickersService:
        """The stickers that agents can send."""
        ...

    @property
    def sent(self) -> SentService:
        """Edits and deletes sent messages."""
        ...

    @property
    def preferences(self) -> Preferences:
        """The operator's active preferences."""
        ...

    @property
    def agent_settings(self) -> AgentSettingsService:
        """The confirmed settings of agents."""
        ...

    @property
    def plans(self) -> PlansService:
        """Plans and their steps."""
        ...

    @property
    def variants(self) -> VariantsService:
        """Other versions of a plan."""
        ...

    @property
    def resend(self) -> ResendService:
        """Makes new cards of closed sends."""
        ...

    @property
    def cards(self) -> CardsService:
        """Details of planned sends."""
        ...

    @property
    def diagnostics(self) -> DiagnosticsService:
        """Saves diagnostics."""
        ...

    @property
    def saved_edits(self) -> SavedEditsService:
        """Saved edits: texts of the operator whose drafts are gone."""
        ...

    @property
    def transcripts(self) -> TranscriptService:
        """The messages of a chat, and the invisible steps of plans between them."""
        ...

    @property
    def media_files(self) -> MediaFilesService:
        """The files of messages."""
        ...

    @property
    def logins(self) -> LoginsService:
        """Logs accounts in and out."""
        ...

    @property
    def frames(self) -> FrameRenderer:
        """Draws animated stickers."""
        ...

    def subscribe(self, subscriber: Callable[[EngineEvent], None]) -> Callable[[], None]:
        """Receive every event from now on; returns a function that unsubscribes."""
        ...
