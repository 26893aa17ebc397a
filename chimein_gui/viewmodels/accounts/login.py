"""The log-in that the dialog shows: the engine's state, countdowns, and the operator's commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.accounts.sign_in import LoginStep, SignInTrouble
from chimein_gui.domain.events import LoginChanged
from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.domain.accounts.sign_in import LoginState
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.logins import LoginsService


class LoginApi(Protocol):
    """What this model asks of the engine."""

    @property
    def logins(self) -> LoginsService:
        """Logs accounts in and out."""
        ...


class LoginModel(CommandRunner[LoginApi]):
    """The log-in of one dialog; there is one at a time.

    Attributes:
        changed: `state` changed.
        ticked: A second has passed; countdowns are redrawn.
        ended: The log-in is over; the dialog closes.
        state: The last state from the engine; None before the first.
    """

    changed = Signal()
    ticked = Signal()
    ended = Signal()

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self.clock = clock
        self.agent_id: AgentId | None = None
        self.state: LoginState | None = None
        bridge.batch_ready.connect(self._receive)
        clock.ticked.connect(self._tick)

    @property
    def available(self) -> bool:
        """Whether this run can log accounts in."""
        return self._api is not None and self._api.logins.available

    # --- actions ----------------------------------------------------------------------------------------------------

    def begin(self, agent_id: AgentId) -> None:
        """Start the log-in of an agent."""
        self.agent_id, self.state = agent_id, None
        self._do("begin", lambda logins, agent: logins.begin(agent))

    def use_application(self, api_id: str, api_hash: str) -> None:
        """Submit Telegram's API id and hash."""
        self._do("application", lambda logins, agent: logins.use_application(agent, api_id, api_hash))

    def use_qr(self) -> None:
        """Switch to the log-in by QR code."""
        self._do("picture", lambda logins, agent: logins.use_qr(agent))

    def use_phone(self) -> None:
        """Switch to the log-in by phone number and code."""
        self._do("phone", lambda logins, agent: logins.use_phone(agent))

    def send_code(self, phone: str) -> None:
        """Ask Telegram to send a code."""
        self._do("send code", lambda logins, agent: logins.send_code(agent, phone))

    def resend_code(self) -> None:
        """Ask Telegram to send another code."""
        self._do("resend code", lambda logins, agent: logins.resend_code(agent))

    def enter_code(self, code: str) -> None:
        self._do("enter code", lambda logins, agent: logins.enter_code(agent, code))

    def enter_password(self, password: str) -> None:
        """Submit the password of two-step verification."""
        self._do("enter password", lambda logins, agent: logins.enter_password(agent, password))

    def go_back(self) -> None:
        """Return to the previous page."""
        self._do("back", lambda logins, agent: logins.go_back(agent))

    def try_again(self) -> None:
        """Repeat the step that failed."""
        self._do("again", lambda logins, agent: logins.try_again(agent))

    def cancel(self) -> None:
        """Cancel the log-in; `ended` follows."""
        self._do("cancel", lambda logins, agent: logins.cancel(agent))

    def log_out(self, agent_id: AgentId) -> None:
        """Log an agent's account out."""
        if self._api is not None:
            self._send(self._api.logins.log_out(agent_id), f"log out {agent_id}")

    # --- times ----------------------------------------------------------------------------------------------------

    def picture_left(self) -> str:
        """Return how long the QR code is valid; empty without one."""
        picture = self.state.qr if self.state is not None else None
        return self.clock.left(picture.expires_at) if picture is not None else ""

    def resend_left(self) -> str:
        """Return the time until another code can be requested; empty where it can be now."""
        at = self.state.resend_at if self.state is not None else None
        return self.clock.left(at) if at is not None and at > self.clock.now() else ""

    def wait_left(self) -> tuple[str, str, float]:
        """Return the time left of Telegram's rate limit, its end as a clock time, and the share left (0 to 1)."""
        state, now = self.state, self.clock.now()
        if state is None or state.wait_until is None or state.wait_began_at is None:
            return "", "", 0.0
        whole = (state.wait_until - state.wait_began_at).total_seconds()
        left = max(0.0, (state.wait_until - now).total_seconds())
        return self.clock.left(state.wait_until), self.clock.clock(state.wait_until), left / whole if whole else 0.0

    def asks_before_leaving(self) -> bool:
        """Tell whether leaving would discard a code that was sent."""
        state = self.state
        return state is not None and state.code_was_sent and state.step is not LoginStep.DONE

    def can_save_again(self) -> bool:
        """Tell whether saving the session failed, so that only this has to be repeated."""
        return self.state is not None and self.state.trouble is SignInTrouble.DISK

    # --- inside ---------------------------------------------------------------------------------------------------

    def _do(self, name: str, command: Callable[[LoginsService, AgentId], Coroutine[Any, Any, None]]) -> None:
        if self._api is not None and self.agent_id is not None:
            self._send(command(self._api.logins, self.agent_id), f"log-in of {self.agent_id}: {name}")

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, LoginChanged) and event.state.agent_id == self.agent_id:
                self._take(event.state)

    def _take(self, state: LoginState) -> None:
        if state.step is LoginStep.CLOSED:
            self.agent_id = self.state = None
            self.ended.emit()
        else:
            self.state = state
            self.changed.emit()

    def _tick(self) -> None:
        if self.state is not None:
            self.ticked.emit()
