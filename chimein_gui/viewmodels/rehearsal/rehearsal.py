"""The sandbox's scenarios and faults as the window shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.domain.events import LoginChanged
from chimein_gui.viewmodels.rehearsal.link import RehearsalCommand, RehearsalLink, is_over

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from chimein_gui.domain.accounts.sign_in import LoginState
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.sandbox_api import (
        DuplicateMode,
        FaultRule,
        SandboxAccount,
        SandboxConsole,
        Scenario,
        ScenarioProgress,
    )
    from chimein_gui.viewmodels.core.bridge import EngineBridge

__all__ = [
    "RehearsalModel",
]


class RehearsalModel(RehearsalLink):
    """The sandbox's state, and the operator's commands.

    Attributes:
        injected: A fault was added or has happened; carries its rule.
        scanned: Another device has scanned the QR code of a log-in; carries the number of its account.
        picture_changed: `picture` changed.
    """

    injected = Signal(object)
    scanned = Signal(str)
    picture_changed = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._pictures: dict[AgentId, LoginState] = {}
        bridge.batch_ready.connect(self._receive)

    @property
    def picture(self) -> LoginState | None:
        """The log-in whose QR code waits to be scanned; the newest of several, None if there is none."""
        return next(reversed(self._pictures.values()), None)

    @property
    def scenario(self) -> ScenarioProgress | None:
        """The scenario that plays or played last; None before the first."""
        return self.state.scenario

    def plays(self) -> bool:
        """Tell whether a scenario is playing or paused."""
        now = self.state.scenario
        return now is not None and not is_over(now)

    def scenario_named(self, name: str) -> Scenario | None:
        """Return a scenario by name, or None."""
        return next((one for one in self.cast.scenarios if one.name == name), None)

    def title_of(self, progress: ScenarioProgress) -> str:
        """Return the scenario's title, or its name if the title is unknown."""
        known = self.scenario_named(progress.name)
        return known.title if known is not None else progress.name

    def account(self, account_id: int) -> SandboxAccount | None:
        """Return an account by its user id, or None."""
        return next((one for one in self.cast.accounts if one.user_id == account_id), None)

    # --- commands ---------------------------------------------------------------------------------------------------

    def play(self, name: str) -> None:
        """Play a scenario from the beginning."""
        self.ask(RehearsalCommand.SCENARIO, lambda sandbox: sandbox.start_scenario(name))

    def stop(self) -> None:
        """Stop the scenario."""
        self.ask(RehearsalCommand.SCENARIO, lambda sandbox: sandbox.stop_scenario())

    def pause(self, *, paused: bool) -> None:
        """Pause or continue the scenario."""
        self.ask(RehearsalCommand.SCENARIO, lambda sandbox: sandbox.pause_scenario(paused=paused))

    def set_speed(self, speed: float) -> None:
        """Set the playback speed; 1 is normal."""
        self.ask(RehearsalCommand.SPEED, lambda sandbox: sandbox.set_speed(speed))

    def set_seed(self, seed: int) -> None:
        """Set the seed of all random choices: at once for faults and the model, from the next start for scenarios."""
        self.ask(RehearsalCommand.SEED, lambda sandbox: sandbox.set_seed(seed))

    def inject(self, rule: FaultRule) -> None:
        """Add a fault; `injected` reports that the sandbox accepted it."""

        async def inject(sandbox: SandboxConsole) -> None:
            await sandbox.inject(rule)
            self.deliver(sandbox, lambda: self.injected.emit(rule))

        self.ask(RehearsalCommand.INJECT, inject)

    def remove_fault(self, fault_id: int) -> None:
        """Remove a fault rule."""
        self.ask(RehearsalCommand.REMOVE_FAULT, lambda sandbox: sandbox.remove_fault(fault_id))

    def take_all_back(self) -> None:
        """Remove all fault rules."""
        self.ask(RehearsalCommand.REMOVE_FAULT, lambda sandbox: sandbox.clear_faults())

    def scan(self, phone: str) -> None:
        """Scan the waiting QR code as another device of this phone number."""
        waits = self.picture
        if waits is None or waits.qr is None:
            return
        url = waits.qr.url

        async def scan(sandbox: SandboxConsole) -> None:
            await sandbox.scan_login(url, phone)
            self.deliver(sandbox, lambda: self.scanned.emit(phone))

        self.ask(RehearsalCommand.SCAN, scan)

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, LoginChanged):
                state = event.state
                self._pictures.pop(state.agent_id, None)
                if state.qr is not None:
                    self._pictures[state.agent_id] = state
                self.picture_changed.emit()

    def set_duplicate_mode(self, mode: DuplicateMode) -> None:
        """Set how the server answers a message that is sent twice."""
        self.ask(RehearsalCommand.DUPLICATES, lambda sandbox: sandbox.set_duplicate_mode(mode))
