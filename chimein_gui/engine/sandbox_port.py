"""The one thing of the product that the sandbox knows: the port through which partners are driven.

It stands alone, so that the sandbox process imports nothing else of the engine (SPEC §11).
"""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SandboxPartner:
    """A simulated person.

    Attributes:
        user_id: Telegram user id, positive.
        name: Display name; made up by us.
    """

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class SandboxDelivery:
    """One message as the partner's mailbox on the server holds it.

    Attributes:
        message_id: Id in the partner's own message sequence.
        from_user_id: Who wrote it.
        text: Exactly the text that arrived.
        sent_at: Server time, whole seconds since the epoch (UTC).
    """

    message_id: int
    from_user_id: int
    text: str
    sent_at: int


class SandboxConsole(Protocol):
    """Drives the simulated partners; absent in a live run (SPEC §11)."""

    async def partners(self) -> tuple[SandboxPartner, ...]:
        """Return all simulated people, in a stable order."""
        ...

    async def speak(self, partner_id: int, account_id: int, text: str) -> int:
        """Send `text` as the partner to one of the agents' accounts.

        Returns:
            The message id in the partner's own sequence.

        Raises:
            LookupError: If either user does not exist.
        """
        ...

    async def mailbox(self, partner_id: int) -> tuple[SandboxDelivery, ...]:
        """Return everything the partner received, oldest first.

        Raises:
            LookupError: If there is no such partner.
        """
        ...

    async def aclose(self) -> None:
        """Release the console; calling it twice is harmless."""
        ...
