"""All view models of one window, made before the engine exists and attached to it afterwards."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.viewmodels.accounts.activities import AgentActivities
from chimein_gui.viewmodels.accounts.agents import AgentListModel
from chimein_gui.viewmodels.accounts.first_run import FirstRunModel
from chimein_gui.viewmodels.accounts.login import LoginModel
from chimein_gui.viewmodels.accounts.proxies import ProxyModel
from chimein_gui.viewmodels.approvals.actions import DraftCommands
from chimein_gui.viewmodels.approvals.card import CardModel
from chimein_gui.viewmodels.approvals.decisions import ApprovalActions
from chimein_gui.viewmodels.approvals.queue import CardQueueModel
from chimein_gui.viewmodels.approvals.regenerations import Regenerations
from chimein_gui.viewmodels.approvals.saved_edits import SavedEdits
from chimein_gui.viewmodels.approvals.saved_marks import SavedEditMarks
from chimein_gui.viewmodels.approvals.set_aside import SetAsideDrafts
from chimein_gui.viewmodels.approvals.store import PREPARED_AT_ONCE, ApprovalListModel
from chimein_gui.viewmodels.approvals.upcoming_sends import UpcomingSends
from chimein_gui.viewmodels.chats.chats import ChatTreeModel
from chimein_gui.viewmodels.chats.commands import ChatCommands
from chimein_gui.viewmodels.chats.previews import news_of
from chimein_gui.viewmodels.composer.composer import Composer
from chimein_gui.viewmodels.composer.partner_voice import PartnerVoice
from chimein_gui.viewmodels.composer.unsent_texts import UnsentTexts
from chimein_gui.viewmodels.core.bridge import EngineBridge
from chimein_gui.viewmodels.core.clock import ClockFace, system_now
from chimein_gui.viewmodels.core.live_query import ReadOnce, many_in
from chimein_gui.viewmodels.costs import CostModel
from chimein_gui.viewmodels.diagnostics import DiagnosticsModel
from chimein_gui.viewmodels.drafts.changes import DraftChanges
from chimein_gui.viewmodels.drafts.long_waits import LongWaits
from chimein_gui.viewmodels.holds import HoldModel
from chimein_gui.viewmodels.media.opening import MediaOpening
from chimein_gui.viewmodels.media.pictures import Pictures
from chimein_gui.viewmodels.palette.message_finder import MessageFinder
from chimein_gui.viewmodels.preferences.keys import KeysModel
from chimein_gui.viewmodels.preferences.preferences import PreferencesModel
from chimein_gui.viewmodels.preferences.single_keys import SingleKeys
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


class WindowModels(QObject):
    """Owns the models; panes get the ones they need."""

    def __init__(self, now: Callable[[], datetime] = system_now, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = EngineBridge(self)
        self.clock = ClockFace(now, self)
        self.agents = AgentListModel(self.bridge, self)
        self.chats = ChatTreeModel(self.bridge, self.clock, self)
        self.pictures = Pictures(self.bridge, self)
        self.transcript = TranscriptModel(self.bridge, self.clock, self)
        self.transcript_search = TranscriptSearch(self.bridge, self.transcript, self)
        self.media_opening = MediaOpening(self.bridge, self)
        self.holds = HoldModel(self.bridge, self)
        self.approvals = ApprovalListModel(self.bridge, self.clock, self, self.holds)
        self.actions = ApprovalActions(self.bridge, self.approvals, self)
        self.queue = CardQueueModel(self.approvals, self)
        self.card = CardModel(self.bridge, self.approvals, self.actions, self.clock, self)
        self.draft_changes = DraftChanges(self.bridge, self.card, self)
        self.regenerations = Regenerations(self.bridge, self.clock, self.approvals, self)
        self.single_keys = SingleKeys(self)
        self.chat_commands = ChatCommands(self.bridge, self)
        self.draft_commands = DraftCommands(self.bridge, self.actions, self)
        self.composer = Composer(self.bridge, self)
        self.unsent_texts = UnsentTexts(self.bridge, self.composer, self)
        self.preferences_model = PreferencesModel(self.bridge, self)
        self.keys = KeysModel(self.bridge, self)
        self.model_choice = ModelChoiceModel(self.keys, self)
        self.proxies = ProxyModel(self.bridge, self)
        self.first_run = FirstRunModel(self.bridge, self.agents, self)
        self.approvals.send_status.learn(lambda: self.preferences, self.agents.is_online)
        self.chats.set_news(partial(news_of, self))
        self.waits = LongWaits(self.bridge, self)
        self.saved_edits = SavedEdits(self.bridge, self.approvals, self.actions, self)
        self.card_saved_edits = SavedEdits(self.bridge, self.approvals, self.actions, self)
        self.saved_edit_marks = SavedEditMarks(self.bridge, self)
        self.upcoming_sends = UpcomingSends(self.bridge, self)
        self.set_aside_drafts = SetAsideDrafts(self.bridge, self)
        self.faults = FaultModel(self.bridge, self)
        self.bars = ProblemModel(self.faults, self.agents, self.chats, self.holds, self.clock, self, self.model_choice)
        self.logins = LoginModel(self.bridge, self.clock, self)
        self.diagnostics = DiagnosticsModel(self.bridge, self)
        self.costs = CostModel(self.bridge, self.clock, self)
        self.message_finder = MessageFinder(self.bridge, self.transcript, self)
        self.activities = AgentActivities(
            self.bridge, self.chats, self.holds, self.clock, self.approvals.send_status, self
        )
        self.agents.activity_of = lambda agent: self.activities.of(agent).words
        self.toasts = Toasts(self)
        self.voice = PartnerVoice(self.bridge, self)

    @property
    def preferences(self) -> Preferences:
        """What the operator has adjusted, as it holds now."""
        return self.preferences_model.current

    @cached_property
    def rehearsal(self) -> RehearsalModel:
        """What is played and what goes wrong on purpose; made when first asked for, which a live run never does."""
        from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

        rehearsal = RehearsalModel(self.bridge, self)
        rehearsal.scenario_turned.connect(self.voice.look_again)
        rehearsal.cast_changed.connect(self.voice.look_again)
        return rehearsal

    def attach(
        self,
        console: EngineApi,
        spawn: Spawn,
        sandbox: SandboxConsole | None = None,
        model_choice: ModelChoice | None = None,
    ) -> None:
        """Subscribe first, then fetch."""
        self.bridge.attach(console)
        self.agents.attach(console, spawn)
        load_approvals = ReadOnce(console.load_approvals)
        self.approvals.attach(load_approvals, spawn)
        self.chats.attach(console, spawn, after=partial(many_in, self.approvals.live, load_approvals, PREPARED_AT_ONCE))
        self.pictures.attach(console, spawn)
        self.transcript.attach(console, spawn)
        self.transcript_search.attach(console, spawn)
        self.media_opening.attach(console, spawn)
        self.actions.attach(console, spawn)
        self.holds.attach(console, spawn)
        self.logins.attach(console, spawn)
        self.costs.attach(console, spawn)
        self.diagnostics.attach(console, spawn)
        self.message_finder.attach(console, spawn)
        self.chat_commands.attach(console, spawn)
        for part in (self.preferences_model, self.keys, self.proxies, self.first_run):
            part.attach(console, spawn)
        for verbs in (
            self.card,
            self.card_saved_edits,
            self.regenerations,
            self.waits,
            self.saved_edits,
            self.set_aside_drafts,
        ):
            verbs.attach(console, spawn)
        self.draft_changes.attach(console, spawn)
        self.saved_edit_marks.attach(console, spawn)
        self.upcoming_sends.attach(console, spawn, load_approvals)
        self.composer.attach(console, spawn)
        self.unsent_texts.attach(console, spawn)
        if sandbox is not None:
            self.voice.attach(sandbox, spawn)
            self.rehearsal.attach(sandbox, spawn)
        if model_choice is not None:
            self.model_choice.attach(model_choice)

    def detach(self) -> None:
        """Stop listening, before the engine is closed."""
        if "rehearsal" in vars(self):  # to ask for it would make it
            self.rehearsal.detach()
        for part in (self.preferences_model, self.keys, self.proxies, self.first_run):
            part.detach()
        self.actions.ending.emit()
        self.unsent_texts.detach()
        self.toasts.detach()
        self.diagnostics.detach()
        self.bars.detach()
        self.voice.detach()
        self.bridge.detach()
        self.pictures.detach()
        self.chats.detach()
        self.approvals.detach()
        self.card.detach()
        self.clock.stop()
