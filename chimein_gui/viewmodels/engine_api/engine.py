"""What view models may ask of the engine. The engine's facade has this shape; tests bring a small fake of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.loaded import Loaded
from chimein_gui.viewmodels.engine_api.accounts import AccountsConsole
from chimein_gui.viewmodels.engine_api.decision_log import HistoryConsole
from chimein_gui.viewmodels.engine_api.diagnostics import HelpConsole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.approvals import Approval, Decision, DecisionRequest, Outcome, SavedEdit
    from chimein_gui.domain.chats import Chat, QuietHours, TriggerMode, TrustLevel
    from chimein_gui.domain.events import EngineEvent, StepChanged
    from chimein_gui.domain.holds import Backlog, Hold, HoldScope
    from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, GraphId, Revision, ShelfId, TaskId
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.operator.composer import Written
    from chimein_gui.engine.planning.variants import Regenerated
    from chimein_gui.engine.ports import FrameRenderer
    from chimein_gui.viewmodels.engine_api.cards import CardsConsole, VariantsConsole
    from chimein_gui.viewmodels.engine_api.composer import ComposerConsole, SentConsole, StickersConsole
    from chimein_gui.viewmodels.engine_api.costs import CostsConsole
    from chimein_gui.viewmodels.engine_api.logins import LoginsConsole
    from chimein_gui.viewmodels.engine_api.media_files import MediaFilesConsole
    from chimein_gui.viewmodels.engine_api.transcripts import TranscriptConsole

__all__ = [
    "AgentSettingsConsole",
    "BacklogConsole",
    "ChatSettingsConsole",
    "ConnectionsConsole",
    "DecisionsConsole",
    "DirectoryConsole",
    "EditorsConsole",
    "EngineApi",
    "HoldsConsole",
    "Loaded",
    "PlansConsole",
    "QueriesConsole",
    "ShelfConsole",
]


class HoldsConsole(Protocol):
    """Hold everything, as the window drives it."""

    async def load(self) -> Loaded[Hold]:
        """Return the holds that are on, oldest first."""
        ...

    async def hold(self, scope: HoldScope = ..., target: int = ..., reason: str = ...) -> None:
        """Hold everything, one account or one chat."""
        ...

    async def release(self, scope: HoldScope = ..., target: int = ...) -> Backlog:
        """Release a hold; nothing is sent by this, and what was held is published for review."""
        ...

    async def load_backlog(self) -> Backlog:
        """Return what lived through a hold and is not decided yet, also after a restart."""
        ...


class BacklogConsole(Protocol):
    """What was held, after the release."""

    async def confirm(
        self, account_id: AccountId, ticked: Sequence[Approval], *, client_id: str
    ) -> tuple[Outcome, ...]:
        """Approve the ticked of one account, as they are on the screen."""
        ...


class ChatSettingsConsole(Protocol):
    """What is set for one chat."""

    async def set_trust(self, chat_id: ChatId, trust: TrustLevel | None, *, for_s: float | None = ...) -> None:
        """Change how much of a chat leaves without the operator; None = as the agent says."""
        ...

    async def set_triggers(self, chat_id: ChatId, triggers: TriggerMode | None) -> None:
        """Say which messages ask for a plan; None = as is usual for its kind."""
        ...

    async def set_quiet_hours(self, chat_id: ChatId, quiet_hours: QuietHours | None) -> None:
        """Say when nothing leaves automatically; None = at no time."""
        ...

    async def allow_bots(self, chat_id: ChatId, *, allowed: bool) -> None:
        """Say whether bots may ask for a plan."""
        ...

    async def allow_agents(self, chat_id: ChatId, *, allowed: bool) -> None:
        """Say whether our own other agents may ask for a plan."""
        ...


class TakeoversConsole(Protocol):
    """Pauses of an agent in a chat."""

    async def begin(self, chat_id: ChatId) -> None:
        """Pause the agent in a chat now."""
        ...

    async def resume(self, chat_id: ChatId) -> None:
        """End the pause of a takeover."""
        ...


class AgentSettingsConsole(Protocol):
    """What is confirmed for one agent."""

    async def confirm_trust(self, agent_id: AgentId, *, confirmed: bool = ..., level: TrustLevel | None = ...) -> None:
        """Let the `auto` or `countdown` of an agent's file take effect, or no more; `level` is what was seen."""
        ...


class PlansConsole(Protocol):
    """Plans and their steps."""

    async def regenerate(self, graph_id: GraphId, instruction: str = ...) -> Regenerated:
        """Ask the model for another version of what is not sent; returns when it is stored, or why there is none."""
        ...

    async def load(self, chat_id: ChatId) -> Loaded[StepChanged]:
        """Return a chat's steps that nobody outside can see and that are not over."""
        ...

    async def let_wait_begin(self, task_id: TaskId) -> None:
        """Allow a wait of more than 24 h; it counts from now."""
        ...

    async def skip_wait(self, task_id: TaskId) -> None:
        """Go on without waiting."""
        ...

    async def retry(self, chat_id: ChatId) -> None:
        """Plan now."""
        ...

    async def cancel_planning(self, task_id: TaskId) -> None:
        """Give up a plan in the making; its messages count as answered."""
        ...


class ResendConsole(Protocol):
    """Sends that are taken up once more."""

    async def ask(self, approval_id: ApprovalId, *, client_id: str) -> Approval | None:
        """Take up what was superseded after its approval, only observed, or refused; None if that cannot be."""
        ...


class ShelfConsole(Protocol):
    """Edits that outlived their drafts."""

    async def load(self, chat_id: ChatId) -> Loaded[SavedEdit]:
        """Return a chat's kept edits, oldest first."""
        ...

    async def apply(
        self, shelf_id: ShelfId, *, text: str = ..., expected_version: int, seen_up_to: Revision, client_id: str
    ) -> Outcome:
        """Approve the draft beside it with the operator's text, or with what was made of both."""
        ...

    async def use_as_message(self, shelf_id: ShelfId, *, client_id: str, confirm: bool = ...) -> Written:
        """Send the text as the operator's own message."""
        ...

    async def discard(self, shelf_id: ShelfId) -> None:
        """Throw a kept edit away."""
        ...

    async def keep_result(self, shelf_id: ShelfId, result: str) -> None:
        """Keep what a comparison has made so far."""
        ...

    async def restore(self, edit: SavedEdit) -> None:
        """Keep an edit again that was discarded."""
        ...


class QueriesConsole(Protocol):
    """What panes fetch when they open."""

    async def chats(self) -> Loaded[Chat]:
        """Return all chats, newest message first."""
        ...

    async def approvals(self) -> Loaded[Approval]:
        """Return all planned sends that are not final, oldest first."""
        ...

    async def recent_decisions(self, *, limit: int) -> Loaded[Approval]:
        """Return what was decided in the last hour, newest first."""
        ...


class DecisionsConsole(Protocol):
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
            approval_id: What is decided.
            expected_version: The version on the card.
            decision: What to do with it.
            seen_up_to: The card's `changed_at` if the operator acknowledged it, else its `seen_up_to`.
            client_id: Unique to this press; repeating the call with it is a no-op with the same answer.

        Raises:
            NotFoundError: There is no such approval.
            StoreError: Nothing was decided.
        """
        ...

    async def decide_many(self, requests: Sequence[DecisionRequest]) -> tuple[Outcome, ...]:
        """Decide on several planned sends in one transaction, in their order, each with its own verdict.

        What always asks, and what is stale, is not approved here.

        Raises:
            NotFoundError: There is no approval with one of the ids; nothing was decided.
            StoreError: Nothing was decided.
        """
        ...


class EditorsConsole(Protocol):
    """Open editors; each holds the automatic sends of its chat."""

    def begin(self, chat_id: ChatId) -> None:
        """An editor was opened on a draft of a chat."""
        ...

    def end(self, chat_id: ChatId) -> None:
        """An editor was closed."""
        ...


class DirectoryConsole(Protocol):
    """All agents."""

    async def load(self) -> Loaded[Agent]:
        """Return all agents with their health."""
        ...


class ConnectionsConsole(Protocol):
    """Connects accounts."""

    def start(self, agent_id: AgentId) -> None:
        """Connect an agent's account, and keep it connected."""
        ...

    async def stop(self, agent_id: AgentId) -> None:
        """Disconnect an agent's account."""
        ...

    async def clear_limited(self, agent_id: AgentId) -> None:
        """The account may write again."""
        ...


class EngineApi(AccountsConsole, HelpConsole, HistoryConsole, Protocol):
    """The engine as the window sees it."""

    @property
    def queries(self) -> QueriesConsole:
        """What panes fetch when they open."""
        ...

    @property
    def decisions(self) -> DecisionsConsole:
        """Decides on planned sends."""
        ...

    @property
    def editors(self) -> EditorsConsole:
        """Hears of open editors."""
        ...

    @property
    def directory(self) -> DirectoryConsole:
        """All agents."""
        ...

    @property
    def accounts(self) -> ConnectionsConsole:
        """Connects accounts, and clears what limited one."""
        ...

    @property
    def holds(self) -> HoldsConsole:
        """Hold everything, and release it."""
        ...

    @property
    def backlog(self) -> BacklogConsole:
        """What was held, after the release."""
        ...

    @property
    def chat_settings(self) -> ChatSettingsConsole:
        """What is set for one chat."""
        ...

    @property
    def takeovers(self) -> TakeoversConsole:
        """Pauses of an agent in a chat."""
        ...

    @property
    def composer(self) -> ComposerConsole:
        """The operator's own messages."""
        ...

    @property
    def stickers(self) -> StickersConsole:
        """What stickers the agents may send."""
        ...

    @property
    def sent(self) -> SentConsole:
        """Editing and deleting what was sent."""
        ...

    @property
    def preferences(self) -> Preferences:
        """What the operator may adjust: how long a takeover lasts, how long typing is shown."""
        ...

    @property
    def agent_settings(self) -> AgentSettingsConsole:
        """What is confirmed for one agent."""
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
        """Takes up once more what was superseded, only observed, or refused."""
        ...

    @property
    def cards(self) -> CardsConsole:
        """What stands beside planned sends."""
        ...

    @property
    def costs(self) -> CostsConsole:
        """What model calls have cost today."""
        ...

    @property
    def shelf(self) -> ShelfConsole:
        """Edits that outlived their drafts."""
        ...

    @property
    def transcripts(self) -> TranscriptConsole:
        """The messages of one chat, and what plans did between them."""
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
        """Receive every event from now on; returns what ends it."""
        ...
