"""The engine as the view models see it. The engine's facade has this shape; tests use a small fake of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.loaded import Loaded
from chimein_gui.viewmodels.engine_api.accounts import AccountsConsole
from chimein_gui.viewmodels.engine_api.costs import CostsApi
from chimein_gui.viewmodels.engine_api.decision_log import HistoryConsole
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
        CardsConsole,
        DecisionsConsole,
        EditorsConsole,
        PlansConsole,
        ResendConsole,
        SavedEditsConsole,
        VariantsConsole,
    )
    from chimein_gui.viewmodels.engine_api.composer import ComposerConsole, SentConsole, StickersConsole
    from chimein_gui.viewmodels.engine_api.logins import LoginsConsole
    from chimein_gui.viewmodels.engine_api.media_files import MediaFilesConsole
    from chimein_gui.viewmodels.engine_api.transcripts import TranscriptConsole

__all__ = [
    "AgentSettingsConsole",
    "BacklogConsole",
    "ChatSettingsConsole",
    "ConnectionsConsole",
    "DirectoryConsole",
    "EngineApi",
    "HoldsConsole",
    "Loaded",
    "QueriesConsole",
]


class HoldsConsole(Protocol):
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


class BacklogConsole(Protocol):
    """The sends that were held, after the release."""

    async def confirm(
        self, account_id: AccountId, ticked: Sequence[Approval], *, client_id: str
    ) -> tuple[Outcome, ...]:
        """Approve the ticked sends of one account, as they were shown."""
        ...


class ChatSettingsConsole(Protocol):
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


class TakeoversConsole(Protocol):
    """Takeovers: an agent pauses in a chat while the operator writes."""

    async def begin(self, chat_id: ChatId) -> None:
        """Pause the agent in a chat now."""
        ...

    async def resume(self, chat_id: ChatId) -> None:
        """End the pause of a takeover."""
        ...


class AgentSettingsConsole(Protocol):
    """The confirmed settings of one agent."""

    async def confirm_trust(self, agent_id: AgentId, *, confirmed: bool = ..., level: TrustLevel | None = ...) -> None:
        """Confirm the level `auto` or `countdown` of an agent's file, or withdraw that; `level` is the one shown."""
        ...


class QueriesConsole(Protocol):
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


class DirectoryConsole(Protocol):
    """The agents."""

    async def load(self) -> Loaded[Agent]:
        """Return all agents with their health."""
        ...


class ConnectionsConsole(Protocol):
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


class DiagnosticsConsole(Protocol):
    """Data for finding an error, without anything private."""

    async def save(self, target: Path) -> None:
        """Save the diagnostics as one file.

        Raises:
            DiagnosticsError: It can't be written; the message says what to do.
        """
        ...


class EngineApi(
    AccountsConsole,
    CostsApi,
    HistoryConsole,
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
    """The engine as the window sees it."""

    @property
    def queries(self) -> QueriesConsole:
        """The rows that panes fetch when they open."""
        ...

    @property
    def decisions(self) -> DecisionsConsole:
        """Decides on planned sends."""
        ...

    @property
    def editors(self) -> EditorsConsole:
        """Open editors."""
        ...

    @property
    def directory(self) -> DirectoryConsole:
        """The agents."""
        ...

    @property
    def accounts(self) -> ConnectionsConsole:
        """Connects accounts, and clears their limits."""
        ...

    @property
    def holds(self) -> HoldsConsole:
        """Holds, and their release."""
        ...

    @property
    def backlog(self) -> BacklogConsole:
        """The sends that were held, after the release."""
        ...

    @property
    def chat_settings(self) -> ChatSettingsConsole:
        """The settings of chats."""
        ...

    @property
    def takeovers(self) -> TakeoversConsole:
        """Takeovers of chats."""
        ...

    @property
    def composer(self) -> ComposerConsole:
        """The operator's own messages."""
        ...

    @property
    def stickers(self) -> StickersConsole:
        """The stickers that agents can send."""
        ...

    @property
    def sent(self) -> SentConsole:
        """Edits and deletes sent messages."""
        ...

    @property
    def preferences(self) -> Preferences:
        """The operator's active preferences."""
        ...

    @property
    def agent_settings(self) -> AgentSettingsConsole:
        """The confirmed settings of agents."""
        ...

    @property
    def plans(self) -> PlansConsole:
        """Plans and their steps."""
        ...

    @property
    def variants(self) -> VariantsConsole:
        """Other versions of a plan."""
        ...

    @property
    def resend(self) -> ResendConsole:
        """Makes new cards of closed sends."""
        ...

    @property
    def cards(self) -> CardsConsole:
        """Details of planned sends."""
        ...

    @property
    def diagnostics(self) -> DiagnosticsConsole:
        """Saves diagnostics."""
        ...

    @property
    def saved_edits(self) -> SavedEditsConsole:
        """Saved edits: texts of the operator whose drafts are gone."""
        ...

    @property
    def transcripts(self) -> TranscriptConsole:
        """The messages of a chat, and the invisible steps of plans between them."""
        ...

    @property
    def media_files(self) -> MediaFilesConsole:
        """The files of messages."""
        ...

    @property
    def logins(self) -> LoginsConsole:
        """Logs accounts in and out."""
        ...

    @property
    def frames(self) -> FrameRenderer:
        """Draws animated stickers."""
        ...

    def subscribe(self, subscriber: Callable[[EngineEvent], None]) -> Callable[[], None]:
        """Receive every event from now on; returns a function that unsubscribes."""
        ...
