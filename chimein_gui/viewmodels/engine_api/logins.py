"""What view models may ask of the engine about logging accounts in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId


class LoginsConsole(Protocol):
    """Verbs of a log-in; what comes of each is told by `LoginChanged`."""

    @property
    def available(self) -> bool:
        """Tell whether accounts can be logged in at all."""
        ...

    async def begin(self, agent_id: AgentId) -> None:
        """Open an agent's log-in, or show again the one that is under way; raises NotFoundError."""
        ...

    async def use_application(self, agent_id: AgentId, api_id: str, api_hash: str) -> None:
        """Take API id and hash as typed."""
        ...

    async def use_qr(self, agent_id: AgentId) -> None:
        """Show a picture to scan."""
        ...

    async def use_phone(self, agent_id: AgentId) -> None:
        """Go to the page for the number."""
        ...

    async def send_code(self, agent_id: AgentId, phone: str) -> None:
        """Let Telegram send a code to a number."""
        ...

    async def resend_code(self, agent_id: AgentId) -> None:
        """Ask for another code."""
        ...

    async def enter_code(self, agent_id: AgentId, code: str) -> None:
        """Log in with a code."""
        ...

    async def enter_password(self, agent_id: AgentId, password: str) -> None:
        """Log in with the password."""
        ...

    async def go_back(self, agent_id: AgentId) -> None:
        """Go to the page before."""
        ...

    async def try_again(self, agent_id: AgentId) -> None:
        """Repeat what did not work."""
        ...

    async def cancel(self, agent_id: AgentId) -> None:
        """End it, done or not."""
        ...

    async def log_out(self, agent_id: AgentId) -> None:
        """Log an agent's account out."""
        ...
