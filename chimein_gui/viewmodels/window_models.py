"""All view models of one window, made before the engine exists and attached to it afterwards."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.viewmodels.agents import AgentListModel
from chimein_gui.viewmodels.approvals import ApprovalListModel
from chimein_gui.viewmodels.asides import AsideDrafts
from chimein_gui.viewmodels.bridge import EngineBridge
from chimein_gui.viewmodels.chat_verbs import ChatVerbs
from chimein_gui.viewmodels.chats import ChatTreeModel
from chimein_gui.viewmodels.clock_face import ClockFace, system_now
from chimein_gui.viewmodels.decisions import ApprovalActions
from chimein_gui.viewmodels.faults import FaultModel
from chimein_gui.viewmodels.holds import HoldModel
from chimein_gui.viewmodels.kept_edits import KeptEdits
from chimein_gui.viewmodels.long_waits import LongWaits
from chimein_gui.viewmodels.partner_voice import PartnerVoice
from chimein_gui.viewmodels.transcript import TranscriptModel

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.engine.sandbox_port import SandboxConsole
    from chimein_gui.viewmodels.console import Console
    from chimein_gui.viewmodels.rehearsal import RehearsalModel


class WindowModels(QObject):
    """Owns the models; panes get the ones they need."""

    def __init__(self, now: Callable[[], datetime] = system_now, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = EngineBridge(self)
        self.clock = ClockFace(now, self)
        self.agents = AgentListModel(self.bridge, self)
        self.chats = ChatTreeModel(self.bridge, self.clock, self)
        self.transcript = TranscriptModel(self.bridge, self.clock, self)
        self.holds = HoldModel(self.bridge, self)
        self.approvals = ApprovalListModel(self.bridge, self.clock, self, self.holds)
        self.actions = ApprovalActions(self.bridge, self.approvals, self)
        self.chat_verbs = ChatVerbs(self.bridge, self)
        self.waits = LongWaits(self.bridge, self)
        self.kept_edits = KeptEdits(self.bridge, self.approvals, self.actions, self)
        self.asides = AsideDrafts(self.bridge, self)
        self.faults = FaultModel(self.bridge, self)
        self.voice = PartnerVoice(self.bridge, self)

    @cached_property
    def rehearsal(self) -> RehearsalModel:
        """What is played and what goes wrong on purpose; made when first asked for, which a live run never does."""
        from chimein_gui.viewmodels.rehearsal import RehearsalModel

        rehearsal = RehearsalModel(self.bridge, self)
        rehearsal.scenario_turned.connect(self.voice.look_again)
        return rehearsal

    def attach(self, console: Console, spawn: Spawn, sandbox: SandboxConsole | None = None) -> None:
        """Subscribe first, then fetch."""
        self.bridge.attach(console)
        self.agents.attach(console, spawn)
        self.chats.attach(console, spawn)
        self.transcript.attach(console, spawn)
        self.approvals.attach(console, spawn)
        self.actions.attach(console, spawn)
        self.holds.attach(console, spawn)
        self.chat_verbs.attach(console, spawn)
        for verbs in (self.waits, self.kept_edits, self.asides):
            verbs.attach(console, spawn)
        if sandbox is not None:
            self.voice.attach(sandbox, spawn)
            self.rehearsal.attach(sandbox, spawn)

    def detach(self) -> None:
        """Stop listening, before the engine is closed."""
        if "rehearsal" in vars(self):  # to ask for it would make it
            self.rehearsal.detach()
        self.voice.detach()
        self.bridge.detach()
        self.chats.detach()
        self.approvals.detach()
        self.clock.stop()
