"""Port for logging an account in at Telegram."""

from __future__ import annotations

from typing import Protocol

from chimein_gui.domain.accounts.sign_in import QrCode, SentCode, SignedInAs
from chimein_gui.domain.agents import Agent


class SignInClient(Protocol):
    """One attempt to log in one agent's account, over one connection, with its own session file.

    The agent's session is untouched until `keep`. `close` without it removes everything here and, if Telegram can be
    reached, there. All methods but `close` raise only:

        SignInError: `trouble` says why; for WAIT, `retry_after_s` says how long.

    Secrets (codes, passwords, tokens, full numbers) appear in no log and no exception.
    """

    async def connect(self) -> None:
        """Connect; the key exchange is limited to 20 s and retried once."""
        ...

    async def send_code(self, phone: str) -> SentCode:
        """Let Telegram send a code to a number."""
        ...

    async def resend_code(self) -> SentCode:
        """Request the code again, by the next way."""
        ...

    async def enter_code(self, code: str) -> SignedInAs | None:
        """Log in with the code.

        Returns:
            The account, or None if the password is needed, too.
        """
        ...

    async def qr_code(self) -> QrCode:
        """Request a QR code; an earlier one becomes invalid."""
        ...

    async def wait_scanned(self) -> SignedInAs | None:
        """Wait until the QR code was scanned and confirmed on another device.

        Returns:
            The account, or None if the password is needed, too.

        Raises:
            SignInError: QR_EXPIRED: it was not scanned in time.
        """
        ...

    async def password_hint(self) -> str:
        """Return the password hint of the account's owner; may be empty."""
        ...

    async def enter_password(self, password: str) -> SignedInAs:
        """Log in with the password; the key derivation does not block the loop."""
        ...

    async def keep(self) -> None:
        """Replace the agent's session by this one, atomically, once logged in.

        The connection is closed. Afterwards `close` does nothing.
        """
        ...

    async def close(self) -> None:
        """End the attempt: log out what was logged in and not kept, delete the session file. Never raises."""
        ...


class SignIns(Protocol):
    """Creates log-in attempts and logs accounts out."""

    def begin(self, agent: Agent) -> SignInClient:
        """Prepare an attempt; nothing is opened yet.

        Raises:
            SignInError: BAD_APPLICATION: there is no API id and hash yet.
        """
        ...

    def has_application(self) -> bool:
        """Return whether API id and hash are known."""
        ...

    async def log_out(self, agent: Agent) -> bool:
        """Log an agent's account out, at Telegram and here; its session file is deleted.

        The account must be disconnected.

        Returns:
            True if Telegram was notified; False without a network: the device stays listed there.
        """
        ...

    def sweep(self) -> None:
        """Remove files of interrupted attempts (kill -9); called before anything connects. Never raises."""
        ...

    async def end_orphans(self, agent: Agent) -> None:
        """Log out what interrupted attempts of an agent left logged in, or later if Telegram can't be reached.

        Raises:
            SignInError: DISK: the logged-out session can't be deleted.
        """
        ...
