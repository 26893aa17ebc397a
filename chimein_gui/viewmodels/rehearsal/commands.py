"""What the operator tells the sandbox to do, and the QR codes of log-ins that another device can scan there."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.events import LoginChanged

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from chimein_gui.domain.accounts.sign_in import LoginState
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.sandbox_api import DuplicateMode, FaultRule, SandboxConsole
    from chimein_gui.viewmodels.core.bridge import EngineBridge


class RehearsalCommand(StrEnum):
    """Commands to the sandbox; each has its own busy state and refusal."""

    SCENARIO = "scenario"
    SPEED = "speed"
    SEED = "seed"
    INJECT = "inject"
    REMOVE_FAULT = "take back"
    DUPLICATES = "duplicates"
    SCAN = "scan"


class _Ask(Protocol):
    """Runs a command in the sandbox."""

    def __call__(
        self, command: RehearsalCommand, call: Callable[[SandboxConsole], Coroutine[Any, Any, None]], /
    ) -> None: ...


class LoginPictures(QObject):
    """The log-ins that show a QR code.

    Attributes:
        changed: `newest` changed.
    """

    changed = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[AgentId, LoginState] = {}
        bridge.batch_ready.connect(self._receive)

    @property
    def newest(self) -> LoginState | None:
        """The log-in whose QR code waits to be scanned; the newest of several, None if there is none."""
        return next(reversed(self._waiting.values()), None)

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, LoginChanged):
                state = event.state
                self._waiting.pop(state.agent_id, None)
                if state.qr is not None:
                    self._waiting[state.agent_id] = state
                self.changed.emit()


class RehearsalCommands(QObject):
    """Sends the operator's commands to the sandbox; `RehearsalModel` tells which are in progress or were refused.

    Attributes:
        injected: A fault was added or has happened; carries its rule.
        scanned: Another device has scanned the QR code of a log-in; carries the number of its account.
    """

    injected = Signal(object)
    scanned = Signal(str)

    def __init__(
        self,
        ask: _Ask,
        deliver: Callable[[SandboxConsole, Callable[[], None]], None],
        pictures: LoginPictures,
        parent: QObject | None = None,
    ) -> None:
        """Create the commands.

        Args:
            ask: Runs a command in the sandbox, and keeps whether it is in progress or was refused.
            deliver: Calls back from Qt's loop, unless that sandbox was detached.
            pictures: The QR codes that can be scanned.
            parent: The owner.
        """
        super().__init__(parent)
        self._ask, self._deliver, self._pictures = ask, deliver, pictures

    def play(self, name: str) -> None:
        """Play a scenario from the beginning."""
        self._ask(RehearsalCommand.SCENARIO, lambda sandbox: sandbox.start_scenario(name))

    def stop(self) -> None:
        """Stop the scenario."""
        self._ask(RehearsalCommand.SCENARIO, lambda sandbox: sandbox.stop_scenario())

    def pause(self, *, paused: bool) -> None:
        """Pause or continue the scenario."""
        self._ask(RehearsalCommand.SCENARIO, lambda sandbox: sandbox.pause_scenario(paused=paused))

    def set_speed(self, speed: float) -> None:
        """Set the playback speed; 1 is normal."""
        self._ask(RehearsalCommand.SPEED, lambda sandbox: sandbox.set_speed(speed))

    def set_seed(self, seed: int) -> None:
        """Set the seed of all random choices: at once for faults and the model, from the next start for scenarios."""
        self._ask(RehearsalCommand.SEED, lambda sandbox: sandbox.set_seed(seed))

    def inject(self, rule: FaultRule) -> None:
        """Add a fault; `injected` reports that the sandbox accepted it."""

        async def inject(sandbox: SandboxConsole) -> None:
            await sandbox.inject(rule)
            self._deliver(sandbox, lambda: self.injected.emit(rule))

        self._ask(RehearsalCommand.INJECT, inject)

    def remove_fault(self, fault_id: int) -> None:
        """Remove a fault rule."""
        self._ask(RehearsalCommand.REMOVE_FAULT, lambda sandbox: sandbox.remove_fault(fault_id))

    def take_all_back(self) -> None:
        """Remove all fault rules."""
        self._ask(RehearsalCommand.REMOVE_FAULT, lambda sandbox: sandbox.clear_faults())

    def scan(self, phone: str) -> None:
        """Scan the waiting QR code as another device of this phone number."""
        waits = self._pictures.newest
        if waits is None or waits.qr is None:
            return
        url = waits.qr.url

        async def scan(sandbox: SandboxConsole) -> None:
            await sandbox.scan_login(url, phone)
            self._deliver(sandbox, lambda: self.scanned.emit(phone))

        self._ask(RehearsalCommand.SCAN, scan)

    def set_duplicate_mode(self, mode: DuplicateMode) -> None:
        """Set how the server answers a message that is sent twice."""
        self._ask(RehearsalCommand.DUPLICATES, lambda sandbox: sandbox.set_duplicate_mode(mode))
