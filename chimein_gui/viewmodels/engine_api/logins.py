"""Engine protocol for logging accounts in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId


class LoginsService(Protocol):
    """Commands of a log-in; `LoginChanged` reports the result of each."""

    @property
    def available(self) -> bool:
        """Whether this run can log accounts in."""
        ...

    async def begin(self, agent_id: AgentId) -> None:
        """Start an agent's log-in, or show again the one in progress; raises NotFoundError."""
        ...

    async def use_application(self, agent_id: AgentId, api_id: str, api_hash: str) -> None:
        """Submit Telegram's API id and hash, as typed."""
        ...

    async def use_qr(self, agent_id: AgentId) -> None:
        """Show a QR code to scan."""
        ...

    async def use_phone(self, agent_id: AgentId) -> None:
        """Show the page for the phone number."""
        ...

    async def send_code(self, agent_id: AgentId, phone: str) -> None:
        """Ask Telegram to send a code to a number."""
        ...

    async def resend_code(self, agent_id: AgentId) -> None:
        """Ask for another code."""
        ...

    async def enter_code(self, agent_id: AgentId, code: str) -> None:
        """Log in with a code."""
        ...

    async def enter_password(self, agent_id: AgentId, password: str) -> None:
        """Log in with the password of two-step verification."""
        ...

    async def go_back(self, agent_id: AgentId) -> None:
        """Return to the previous page."""
        ...

    async def try_again(self, agent_id: AgentId) -> None:
        """Repeat the step that failed."""
        ...

    async def cancel(self, agent_id: AgentId) -> None:
        """End the log-in, complete or not."""
        ...

    async def log_out(self, agent_id: AgentId) -> None:
        """Log an agent's account out."""
        ...
