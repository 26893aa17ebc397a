"""All view models of one window, created before the engine exists and attached to it afterwards."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar, cast

from PySide6.QtCore import QObject

from chimein_gui.viewmodels.accounts.activities import AgentActivities
from chimein_gui.viewmodels.accounts.agents import AgentListModel
from chimein_gui.viewmodels.accounts.first_run import FirstRunModel
from chimein_gui.viewmodels.accounts.login import LoginModel
from chimein_gui.viewmodels.approvals.batch import BatchModel
from chimein_gui.viewmodels.approvals.card import CardModel
from chimein_gui.viewmodels.approvals.commands import DraftCommands
from chimein_gui.viewmodels.approvals.decisions import ApprovalActions
from chimein_gui.viewmodels.approvals.queue import CardQueueModel
from chimein_gui.viewmodels.approvals.regenerations import Regenerations
from chimein_gui.viewmodels.approvals.saved_edits import SavedEdits
from chimein_gui.viewmodels.approvals.store import PREPARED_AT_ONCE, ApprovalStore
from chimein_gui.viewmodels.chats.chats import ChatTreeModel
from chimein_gui.viewmodels.chats.commands import ChatCommands
from chimein_gui.viewmodels.chats.previews import news_of
from chimein_gui.viewmodels.composer.composer import Composer
from chimein_gui.viewmodels.composer.partner_voice import PartnerVoice
from chimein_gui.viewmodels.composer.stickers import Stickers
from chimein_gui.viewmodels.composer.unsent_texts import UnsentTexts
from chimein_gui.viewmodels.core.bridge import EngineBridge
from chimein_gui.viewmodels.core.clock import ClockFace, system_now
from chimein_gui.viewmodels.core.feed import Attachable, Feed, ModelRegistry
from chimein_gui.viewmodels.core.live_query import ReadOnce, many_in
from chimein_gui.viewmodels.costs import CostModel
from chimein_gui.viewmodels.drafts.changes import DraftChanges
from chimein_gui.viewmodels.drafts.long_waits import LongWaits
from chimein_gui.viewmodels.drafts.open_editor import OpenEditor
from chimein_gui.viewmodels.drafts.postponed import PostponedDrafts
from chimein_gui.viewmodels.holds import HoldModel
from chimein_gui.viewmodels.media.pictures import Pictures
from chimein_gui.viewmodels.notifications.model import NotificationModel
from chimein_gui.viewmodels.preferences.keys import KeysModel
from chimein_gui.viewmodels.preferences.preferences import PreferencesModel
from chimein_gui.viewmodels.problems.bars import ProblemModel
from chimein_gui.viewmodels.problems.faults import FaultModel
from chimein_gui.viewmodels.problems.toasts import Toasts
from chimein_gui.viewmodels.rehearsal.model_choice import ModelChoiceModel
from chimein_gui.viewmodels.transcript.search import TranscriptSearch
from chimein_gui.viewmodels.transcript.transcript import TranscriptModel

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.ports import ModelChoice, Spawn
    from chimein_gui.sandbox_api import SandboxConsole
    from chimein_gui.viewmodels.engine_api.engine import EngineApi
    from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

EngineModel = TypeVar("EngineModel", bound="Attachable[EngineApi]")
OwnModel = TypeVar("OwnModel")


class WindowModels(QObject):
    """Owns the models; each pane is given those it needs."""

    def __init__(self, now: Callable[[], datetime] = system_now, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = EngineBridge(self)
        self.clock = ClockFace(now, self)
        self._engine_models: ModelRegistry[EngineApi] = ModelRegistry()
        self._sandbox_models: ModelRegistry[SandboxConsole] = ModelRegistry()
        self.feed = Feed(self.bridge, self._engine_models.spawn, self.clock, self._engine_models.register)
        self._own: dict[Callable[[Feed], object], object] = {}
        register = self._register
        self.agents = register(AgentListModel(self.bridge, self))
        self.chats = ChatTreeModel(self.bridge, self.clock, self)
        self.pictures = register(Pictures(self.bridge, self))
        self.transcript = register(TranscriptModel(self.bridge, self.clock, self))
        self.transcript_search = register(TranscriptSearch(self.bridge, self.transcript, self))
        self.holds = register(HoldModel(self.bridge, self))
        self.approvals = ApprovalStore(self.bridge, self.clock, self, self.holds)
        register(_ApprovalReaders(self.approvals, self.chats))
        self.actions = register(ApprovalActions(self.bridge, self.approvals, self))
        self.open_editor = OpenEditor(self)
        self.queue = CardQueueModel(self.approvals, self)
        self.queue.is_edited = lambda approval_id: self.open_editor.edited == approval_id
        self.open_editor.changed.connect(self.queue.look_at_put_off)
        self.batch = register(BatchModel(self.bridge, self.approvals, self.queue, self.actions, self))
        self.card = register(CardModel(self.bridge, self.approvals, self.actions, self.clock, self))
        self.draft_changes = register(DraftChanges(self.bridge, self.card, self))
        self.regenerations = register(Regenerations(self.bridge, self.clock, self.approvals, self))
        self.chat_commands = register(ChatCommands(self.bridge, self))
        self.draft_commands = register(DraftCommands(self.bridge, self.actions, self))
        self.composer = register(Composer(self.bridge, self))
        self.stickers = register(Stickers(self.bridge, self.composer, self))
        self.unsent_texts = register(UnsentTexts(self.bridge, self.composer, self))
        self.preferences_model = register(PreferencesModel(self.bridge, self))
        self.single_keys = self.preferences_model.appearance.single_keys
        self.keys = register(KeysModel(self.bridge, self))
        self.model_choice = ModelChoiceModel(self.keys, self)
        self.first_run = register(FirstRunModel(self.bridge, self.agents, self))
        self.approvals.send_status.learn(lambda: self.preferences, self.agents.is_online)
        self.chats.set_news(partial(news_of, self))
        self.waits = register(LongWaits(self.bridge, self))
        self.saved_edits = register(SavedEdits(self.bridge, self.approvals, self.actions, self))
        self.card_saved_edits = register(SavedEdits(self.bridge, self.approvals, self.actions, self))
        self.faults = FaultModel(self.bridge, self)
        self.bars = ProblemModel(self.faults, self.agents, self.chats, self.holds, self.clock, self, self.model_choice)
        self.notifications = NotificationModel(
            self.approvals, self.bars, self.holds, self.clock, lambda: self.preferences, self, self.chats.marks.muted
        )
        self.logins = register(LoginModel(self.bridge, self.clock, self))
        self.costs = register(CostModel(self.bridge, self.clock, self))
        self.activities = AgentActivities(self.bridge, self.chats, self.holds, self.clock, self.approvals, self)
        self.agents.activity_of = lambda agent: self.activities.of(agent).words
        self.toasts = Toasts(self)
        self.voice = PartnerVoice(self.bridge, self)
        self._sandbox_models.register(self.voice)

    @property
    def preferences(self) -> Preferences:
        """The operator's current preferences."""
        return self.preferences_model.current

    @cached_property
    def postponed(self) -> PostponedDrafts:
        """The drafts that the operator has postponed; created with the pane that shows them."""
        return PostponedDrafts(self.approvals, self.actions, self.clock, self)

    @cached_property
    def rehearsal(self) -> RehearsalModel:
        """The sandbox's scenarios and faults; created at the first access, which a live run never makes."""
        from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

        rehearsal = RehearsalModel(self.bridge, self)
        rehearsal.scenario_turned.connect(self.voice.look_again)
        rehearsal.cast_changed.connect(self.voice.look_again)
        self._sandbox_models.register(rehearsal)
        return rehearsal

    def attach(
        self,
        console: EngineApi,
        spawn: Spawn,
        sandbox: SandboxConsole | None = None,
        model_choice: ModelChoice | None = None,
    ) -> None:
        """Subscribe first, then fetch.

        Args:
            console: The engine.
            spawn: Runs coroutines as engine jobs.
            sandbox: The sandbox's controls; None in a live run.
            model_choice: The choice of the model; None where it cannot be chosen.
        """
        self.bridge.attach(console)
        self._engine_models.attach(console, spawn)
        if sandbox is not None:
            _ = self.rehearsal  # the first access creates it
            self._sandbox_models.attach(sandbox, spawn)
        if model_choice is not None:
            self.model_choice.attach(model_choice)

    def detach(self) -> None:
        """Unsubscribe and stop all models, before the engine is closed."""
        self.actions.ending.emit()  # editors save their last text while the engine is still attached
        self._sandbox_models.detach()
        self._engine_models.detach()
        self.toasts.detach()
        self.notifications.detach()
        self.bars.detach()
        self.bridge.detach()
        self.clock.stop()

    def own(self, make: Callable[[Feed], OwnModel]) -> OwnModel:
        """Return the model that `make` creates from the feed; it is created once."""
        if make not in self._own:
            self._own[make] = make(self.feed)
        return cast("OwnModel", self._own[make])

    def _register(self, model: EngineModel) -> EngineModel:
        self._engine_models.register(model)
        return model


class _ApprovalReaders:
    """Reads the approvals once for two models; chats are fetched after them where they are many."""

    def __init__(self, approvals: ApprovalStore, chats: ChatTreeModel) -> None:
        self._approvals, self._chats = approvals, chats

    def attach(self, console: EngineApi, spawn: Spawn) -> None:
        load = ReadOnce(console.queries.approvals)
        self._approvals.attach(console, load, spawn)
        self._chats.attach(console, spawn, after=partial(many_in, self._approvals.live, load, PREPARED_AT_ONCE))

    def detach(self) -> None:
        self._chats.detach()
        self._approvals.detach()
