"""All view models of one window, created before the engine exists and attached to it afterwards."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar, cast

from PySide6.QtCore import QObject

from chimein_gui.viewmodels.accounts.agents import AgentListModel
from chimein_gui.viewmodels.accounts.first_run import FirstRunModel
from chimein_gui.viewmodels.accounts.login import LoginModel
from chimein_gui.viewmodels.approvals.card import CardModel
from chimein_gui.viewmodels.approvals.commands import DraftCommands
from chimein_gui.viewmodels.approvals.decisions import ApprovalActions
from chimein_gui.viewmodels.approvals.regenerations import Regenerations
from chimein_gui.viewmodels.approvals.store import PREPARED_AT_ONCE, ApprovalStore
from chimein_gui.viewmodels.chats.chats import ChatTreeModel
from chimein_gui.viewmodels.chats.previews import chat_preview_of
from chimein_gui.viewmodels.composer.composer import Composer
from chimein_gui.viewmodels.composer.send_as_partner import SendAsPartner
from chimein_gui.viewmodels.core.bridge import EngineBridge
from chimein_gui.viewmodels.core.clock import ClockFace, system_now
from chimein_gui.viewmodels.core.feed import Detachable, ModelRegistry, Registered
from chimein_gui.viewmodels.core.live_query import ReadOnce, many_in
from chimein_gui.viewmodels.drafts.changes import DraftChanges
from chimein_gui.viewmodels.drafts.long_waits import LongWaits
from chimein_gui.viewmodels.drafts.open_editor import OpenEditor
from chimein_gui.viewmodels.holds import HoldModel
from chimein_gui.viewmodels.media.pictures import Pictures
from chimein_gui.viewmodels.notifications.model import NotificationModel
from chimein_gui.viewmodels.preferences.keys import KeysModel
from chimein_gui.viewmodels.preferences.preferences import PreferencesModel
from chimein_gui.viewmodels.problems.bars import ProblemModel
from chimein_gui.viewmodels.problems.faults import FaultModel
from chimein_gui.viewmodels.problems.toasts import Toasts
from chimein_gui.viewmodels.rehearsal.model_choice import ModelChoiceModel
from chimein_gui.viewmodels.transcript.transcript import TranscriptModel

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from datetime import datetime
    from typing import Any

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.ports import ModelChoice, Spawn
    from chimein_gui.sandbox_api import SandboxConsole
    from chimein_gui.viewmodels.engine_api.engine import EngineApi
    from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

OwnModel = TypeVar("OwnModel")
DetachedLast = TypeVar("DetachedLast", bound=Detachable)


class WindowModels(QObject):
    """Owns the models that several parts of the window share; a part creates its other models through `own`.

    A part is a pane, the shell, a dialog, the draft editor, or a package of view models.

    Attributes:
        bridge, clock: Used by all view models.
        agents, chats, approvals, holds: The engine's state, which panes list and the shell counts.
        actions, draft_commands, regenerations: Decisions on drafts, made in both panes that show drafts.
        card, draft_changes, open_editor: Both of these panes show the same draft, and only one edits it at a time.
        transcript, pictures: The Approvals pane shows a part of what the Conversations pane shows.
        composer: The rows of the chats show its unsent texts.
        waits: The problem bar ends waits, and the conversation shows them.
        preferences_model, single_keys, keys, model_choice, first_run: Preferences show them, dialogs and bars set them.
        logins: Started from the Agents pane and the shell.
        faults, bars, notifications, toasts: Any part may report; the shell shows them.
        send_as_partner: The composer writes as a partner with it; the rehearsal tells which partners there are.
    """

    def __init__(self, now: Callable[[], datetime] = system_now, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._detached_last: list[Detachable] = []
        self.bridge = self._detach_last(EngineBridge(self))
        self.clock = ClockFace(now, self)
        self._engine_models: ModelRegistry[EngineApi] = ModelRegistry()
        self._sandbox_models: ModelRegistry[SandboxConsole] = ModelRegistry()
        self._own: dict[Callable[[WindowModels], object], object] = {}
        register = self.register
        self.faults = faults = FaultModel(self.bridge, self)
        self.agents = faults.follow("agent", register(AgentListModel(self.bridge, self)))
        self.chats = ChatTreeModel(self.bridge, self.clock, self)
        faults.listen("read chats", self.chats.feed.failed)
        self.pictures = register(Pictures(self.bridge, self))
        self.transcript = register(TranscriptModel(self.bridge, self.clock, self))
        faults.listen("read messages", self.transcript.failed)
        self.holds = faults.follow("hold", register(HoldModel(self.bridge, self)))
        self.approvals = ApprovalStore(self.bridge, self.clock, self, self.holds)
        faults.follow("read approvals", self.approvals)
        faults.listen("read decisions", self.approvals.recent.failed)
        register(_ApprovalReaders(self.approvals, self.chats))
        self.approvals.chats_changed.connect(self._count_postponed)
        self.actions = faults.follow("decision", register(ApprovalActions(self.bridge, self.approvals, self)))
        self.open_editor = OpenEditor(self)
        self.card = faults.follow(
            "card", register(CardModel(self.bridge, self.approvals, self.actions, self.clock, self))
        )
        self.draft_changes = register(DraftChanges(self.bridge, self.card, self))
        self.regenerations = faults.follow(
            "version", register(Regenerations(self.bridge, self.clock, self.approvals, self))
        )
        self.draft_commands = faults.follow("aside", register(DraftCommands(self.bridge, self.actions, self)))
        self.composer = register(Composer(self.bridge, self))
        self.preferences_model = register(PreferencesModel(self.bridge, self))
        self.single_keys = self.preferences_model.appearance.single_keys
        self.keys = register(KeysModel(self.bridge, self))
        self.model_choice = ModelChoiceModel(self.keys, self)
        self.first_run = register(FirstRunModel(self.bridge, self.agents, self))
        self.approvals.send_status.learn(lambda: self.preferences, self.agents.is_online, self.agents.needs_log_in)
        self.chats.set_previews(partial(chat_preview_of, self))
        self.waits = faults.follow("wait", register(LongWaits(self.bridge, self)))
        self.bars = self._detach_last(
            ProblemModel(faults, self.agents, self.chats, self.holds, self.clock, self, self.model_choice)
        )
        self.notifications = self._detach_last(
            NotificationModel(
                self.approvals,
                self.bars,
                self.holds,
                self.clock,
                lambda: self.preferences,
                self,
                self.chats.marks.muted,
            )
        )
        self.logins = faults.follow("log-in", register(LoginModel(self.bridge, self.clock, self)))
        self.toasts = self._detach_last(Toasts(self))
        self.send_as_partner = SendAsPartner(self.bridge, self)
        self._sandbox_models.register(self.send_as_partner)
        faults.listen("partner", self.send_as_partner.failed)

    def _count_postponed(self, chat_ids: frozenset[ChatId]) -> None:
        postponed = Counter(item.chat_id for item in self.approvals.postponed.items.values())
        for chat_id in chat_ids:
            self.chats.feed.set_postponed(chat_id, postponed[chat_id])

    @property
    def preferences(self) -> Preferences:
        """The operator's current preferences."""
        return self.preferences_model.current

    @cached_property
    def rehearsal(self) -> RehearsalModel:
        """The sandbox's scenarios and faults; created at the first access, which a live run never makes."""
        from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

        rehearsal = RehearsalModel(self.bridge, self)
        rehearsal.scenario_turned.connect(self.send_as_partner.look_again)
        rehearsal.cast_changed.connect(self.send_as_partner.look_again)
        self._sandbox_models.register(rehearsal)
        return rehearsal

    def attach(
        self,
        api: EngineApi,
        spawn: Spawn,
        sandbox: SandboxConsole | None = None,
        model_choice: ModelChoice | None = None,
    ) -> None:
        """Subscribe first, then fetch.

        Args:
            api: The engine.
            spawn: Runs coroutines as engine jobs.
            sandbox: The sandbox's controls; None in a live run.
            model_choice: The choice of the model; None where it cannot be chosen.
        """
        self.bridge.attach(api)
        self._engine_models.attach(api, spawn)
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
        for model in reversed(self._detached_last):
            model.detach()
        self.clock.stop()

    def own(self, make: Callable[[WindowModels], OwnModel]) -> OwnModel:
        """Return what `make` creates from these models, or from a `Feed`; it is created once."""
        if make not in self._own:
            self._own[make] = make(self)
        return cast("OwnModel", self._own[make])

    def spawn(self, job: Coroutine[Any, Any, None], *, name: str) -> None:
        """Run a coroutine as an engine job; without an engine it is dropped."""
        self._engine_models.spawn(job, name=name)

    def register(self, model: Registered) -> Registered:
        """Attach a model when there is an engine, detach it before the engine is closed; return it."""
        self._engine_models.register(model)
        return model

    def _detach_last(self, model: DetachedLast) -> DetachedLast:
        """Detach a model that does not use the engine, after those that do; return it."""
        self._detached_last.append(model)
        return model


class _ApprovalReaders:
    """Reads the approvals once for two models; chats are fetched after them where they are many."""

    def __init__(self, approvals: ApprovalStore, chats: ChatTreeModel) -> None:
        self._approvals, self._chats = approvals, chats

    def attach(self, api: EngineApi, spawn: Spawn) -> None:
        load = ReadOnce(api.queries.approvals)
        self._approvals.attach(api, load, spawn)
        self._chats.feed.attach(api, spawn, after=partial(many_in, self._approvals.live, load, PREPARED_AT_ONCE))

    def detach(self) -> None:
        self._chats.detach()
        self._approvals.detach()
