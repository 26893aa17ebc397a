"""The rehearsal as the window sees it: what is played, what goes wrong on purpose; in the sandbox only."""

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

__all__ = ["RehearsalCommand", "RehearsalModel", "is_over"]


class RehearsalModel(RehearsalLink):
    """What there is to rehearse, and what the operator may ask.

    Attributes:
        injected: A fault was put into force, or happened; carries its rule.
        scanned: Another device has seen the picture of a log-in; carries the number of its account.
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
        """The log-in whose picture waits to be seen by another device; the newest of several."""
        return next(reversed(self._pictures.values()), None)

    @property
    def scenario(self) -> ScenarioProgress | None:
        """What plays, or has played last."""
        return self.state.scenario

    def plays(self) -> bool:
        """Tell whether a scenario is under way, paused or not."""
        now = self.state.scenario
        return now is not None and not is_over(now)

    def scenario_named(self, name: str) -> Scenario | None:
        """Return a scenario of the sandbox."""
        return next((one for one in self.cast.scenarios if one.name == name), None)

    def title_of(self, progress: ScenarioProgress) -> str:
        """Return the scenario's title; its name where the title is not known."""
        known = self.scenario_named(progress.name)
        return known.title if known is not None else progress.name

    def account(self, account_id: int) -> SandboxAccount | None:
        """Return an account by its user id."""
        return next((one for one in self.cast.accounts if one.user_id == account_id), None)

    # --- what the operator asks -------------------------------------------------------------------------------------

    def play(self, name: str) -> None:
        """Play a scenario from its beginning."""
        self.ask(RehearsalCommand.SCENARIO, lambda sandbox: sandbox.start_scenario(name))

    def stop(self) -> None:
        """End what plays."""
        self.ask(RehearsalCommand.SCENARIO, lambda sandbox: sandbox.stop_scenario())

    def pause(self, *, paused: bool) -> None:
        """Pause what plays, or go on."""
        self.ask(RehearsalCommand.SCENARIO, lambda sandbox: sandbox.pause_scenario(paused=paused))

    def set_speed(self, speed: float) -> None:
        """Play faster or slower."""
        self.ask(RehearsalCommand.SPEED, lambda sandbox: sandbox.set_speed(speed))

    def set_seed(self, seed: int) -> None:
        """Begin all chance anew."""
        self.ask(RehearsalCommand.SEED, lambda sandbox: sandbox.set_seed(seed))

    def inject(self, rule: FaultRule) -> None:
        """Let something go wrong; `injected` tells that the sandbox took it."""

        async def inject(sandbox: SandboxConsole) -> None:
            await sandbox.inject(rule)
            self.deliver(sandbox, lambda: self.injected.emit(rule))

        self.ask(RehearsalCommand.INJECT, inject)

    def take_back(self, fault_id: int) -> None:
        """Take a rule back."""
        self.ask(RehearsalCommand.TAKE_BACK, lambda sandbox: sandbox.remove_fault(fault_id))

    def take_all_back(self) -> None:
        """Take all rules back."""
        self.ask(RehearsalCommand.TAKE_BACK, lambda sandbox: sandbox.clear_faults())

    def scan(self, phone: str) -> None:
        """Let the number's other device see the picture that waits."""
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
        """Decide what a message that is sent twice gets."""
        self.ask(RehearsalCommand.DUPLICATES, lambda sandbox: sandbox.set_duplicate_mode(mode))
