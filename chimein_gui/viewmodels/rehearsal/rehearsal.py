"""The sandbox's scenarios and faults as the window shows them: their state is followed, and commands are sent."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from chimein_gui.sandbox_api import Cast, RehearsalState
from chimein_gui.viewmodels.rehearsal.commands import LoginPictures, RehearsalCommand, RehearsalCommands

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.sandbox_api import SandboxAccount, SandboxConsole, Scenario, ScenarioProgress
    from chimein_gui.viewmodels.core.bridge import EngineBridge

_log = logging.getLogger(__name__)


_ONE_AT_A_TIME = frozenset({RehearsalCommand.SCENARIO, RehearsalCommand.INJECT, RehearsalCommand.SCAN})
"""Commands that are dropped while the same one is in progress."""


class RehearsalModel(QObject):
    """Follows the sandbox's state and sends commands to it.

    The next state is requested only after the window has the last one, so that many faults at once cannot overload it.

    Attributes:
        changed: `state`, `gone`, a busy state or a refusal changed.
        cast_changed: Scenarios, faults and accounts were read.
        scenario_turned: A scenario has begun or ended: people and groups may have changed.
        state: The sandbox's last state.
        cast: Its scenarios, faults and accounts.
        loaded: A state was received.
        gone: The sandbox is not reachable any more.
        commands: What the operator tells it to do.
        login_pictures: The QR codes that can be scanned there.
    """

    changed = Signal()
    cast_changed = Signal()
    scenario_turned = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = RehearsalState()
        self.cast = Cast()
        self.loaded = False
        self.gone = False
        self.login_pictures = LoginPictures(bridge, self)
        self.commands = RehearsalCommands(self.ask, self.deliver, self.login_pictures, self)
        self._bridge = bridge
        self._sandbox: SandboxConsole | None = None
        self._spawn: Spawn | None = None
        self._busy: Counter[RehearsalCommand] = Counter()
        self._refusals: dict[RehearsalCommand, str] = {}

    def attach(self, sandbox: SandboxConsole, spawn: Spawn) -> None:
        """Read the cast, and follow the state from now on."""
        self._sandbox, self._spawn = sandbox, spawn
        self.gone = False
        self._busy.clear()
        spawn(self._load(sandbox), name="load the cast")
        self._follow(-1)

    def detach(self) -> None:
        """Stop following; later answers are dropped."""
        self._sandbox = self._spawn = None

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

    def busy(self, command: RehearsalCommand) -> bool:
        """Tell whether this command is in progress."""
        return self._busy[command] > 0

    def refusal(self, command: RehearsalCommand) -> str:
        """Return why the last attempt was refused, in words; empty if it was not."""
        return self._refusals.get(command, "")

    def forget_refusal(self, command: RehearsalCommand) -> None:
        """Clear a refusal: the operator has changed the input."""
        if self._refusals.pop(command, ""):
            self.changed.emit()

    def ask(self, command: RehearsalCommand, call: Callable[[SandboxConsole], Coroutine[Any, Any, None]]) -> None:
        """Run a command in the sandbox; `refusal` has the reason if it fails."""
        sandbox = self._sandbox
        if sandbox is None or self._spawn is None or self.gone or (self.busy(command) and command in _ONE_AT_A_TIME):
            return
        self._busy[command] += 1
        self._refusals.pop(command, None)
        self.changed.emit()
        self._spawn(self._answered(sandbox, command, call(sandbox)), name=f"rehearsal: {command}")

    async def _answered(
        self, sandbox: SandboxConsole, command: RehearsalCommand, call: Coroutine[Any, Any, None]
    ) -> None:
        reason = ""
        try:
            await call
        except OSError:
            self.deliver(sandbox, self._lose)
        except Exception as error:  # noqa: BLE001 - `busy` must end, and the operator see the reason
            reason = _words(error, command)
        self.deliver(sandbox, lambda: self._settle(command, reason))

    def _settle(self, command: RehearsalCommand, reason: str) -> None:
        self._busy[command] = max(0, self._busy[command] - 1)
        if reason:
            self._refusals[command] = reason
        self.changed.emit()

    async def _load(self, sandbox: SandboxConsole) -> None:
        try:
            cast = await sandbox.cast()
        except Exception as error:  # noqa: BLE001 - `_miss` reports it
            self._miss(sandbox, error)
            return
        self.deliver(sandbox, lambda: self._set_cast(cast))

    def _set_cast(self, cast: Cast) -> None:
        from chimein_gui.viewmodels.rehearsal.words import cast_in_words  # imported late: a live window never needs it

        self.cast = cast_in_words(cast)
        self.cast_changed.emit()

    def _follow(self, after: int) -> None:
        if self._sandbox is not None and self._spawn is not None:
            self._spawn(self._next_state(self._sandbox, after), name="follow the rehearsal")

    async def _next_state(self, sandbox: SandboxConsole, after: int) -> None:
        try:
            state = await sandbox.rehearsal(after=after)
        except Exception as error:  # noqa: BLE001 - `_miss` reports it
            self._miss(sandbox, error)
            return
        self.deliver(sandbox, lambda: self._take(state))

    def _take(self, state: RehearsalState) -> None:
        more_people = self.loaded and state.accounts != self.state.accounts
        before, self.state, self.loaded = _stage(self.state), state, True
        self.changed.emit()
        if more_people and self._sandbox is not None and self._spawn is not None:
            self._spawn(self._load(self._sandbox), name="load the cast")
        if before != _stage(state):
            self.scenario_turned.emit()
        self._follow(state.revision)

    def _miss(self, sandbox: SandboxConsole, error: Exception) -> None:
        """Stop following; an error other than a closed sandbox is logged."""
        if not isinstance(error, OSError):
            _log.error("The sandbox cannot be followed any more", exc_info=error)
        self.deliver(sandbox, self._lose)

    def _lose(self) -> None:
        self.gone, self.state = True, RehearsalState()
        self._busy.clear()
        self.changed.emit()

    def deliver(self, sandbox: SandboxConsole, callback: Callable[[], None]) -> None:
        """Call `callback` from Qt's loop, unless this sandbox was detached."""
        if sandbox is self._sandbox:  # else the window was detached meanwhile
            self._bridge.deliver(callback)


def is_over(progress: ScenarioProgress) -> bool:
    """Tell whether a scenario has finished, was stopped or failed."""
    return progress.finished or progress.stopped or bool(progress.problem)


def _words(error: Exception, command: str) -> str:
    from chimein_gui.viewmodels.rehearsal.words import sandbox_words  # imported late: a live window never needs it

    return sandbox_words(error, command)


def _stage(state: RehearsalState) -> tuple[str, bool] | None:
    now = state.scenario
    return (now.name, is_over(now)) if now is not None else None
