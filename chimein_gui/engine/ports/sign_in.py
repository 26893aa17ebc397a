"""What the engine needs of Telegram to log an account in."""

from __future__ import annotations

from typing import Protocol

from chimein_gui.domain.accounts.sign_in import QrCode, SentCode, SignedInAs
from chimein_gui.domain.agents import Agent


class SignInClient(Protocol):
    """One attempt at logging one agent's account in, over one connection, with a session file of its own.

    Until `keep`, the agent's session is untouched; `close` without it leaves nothing behind, neither here nor, as far
    as it can be reached, at Telegram. Every method but `close` raises, if anything:

        SignInError: Its `trouble` says what; with WAIT, `retry_after_s` says how long.

    Secrets (codes, passwords, tokens, numbers in full) appear in no log and no exception.
    """

    async def connect(self) -> None:
        """Connect; the key exchange is bounded, and retried once (20 s each)."""
        ...

    async def send_code(self, phone: str) -> SentCode:
        """Ask Telegram to send a code to a number."""
        ...

    async def resend_code(self) -> SentCode:
        """Ask for the code again, by the next way."""
        ...

    async def enter_code(self, code: str) -> SignedInAs | None:
        """Log in with the code.

        Returns:
            Whose account it is, or None: the password is wanted, too.
        """
        ...

    async def qr_code(self) -> QrCode:
        """Ask for a picture to scan; a former one is worth nothing from then on."""
        ...

    async def wait_scanned(self) -> SignedInAs | None:
        """Wait until the picture was scanned and confirmed on another device.

        Returns:
            Whose account it is, or None: the password is wanted, too.

        Raises:
            SignInError: QR_EXPIRED: it was not scanned in time.
        """
        ...

    async def password_hint(self) -> str:
        """Return the hint that the account's owner wrote; may be empty."""
        ...

    async def enter_password(self, password: str) -> SignedInAs:
        """Log in with the password; its key derivation does not block the loop."""
        ...

    async def keep(self) -> None:
        """Make this session the agent's own, in the place of any former one: atomically, once logged in.

        The connection ends with it. Afterwards `close` does nothing.
        """
        ...

    async def close(self) -> None:
        """End without a trace: log out again what was logged in and not kept, drop the session file. Never raises."""
        ...


class SignIns(Protocol):
    """Where attempts come from, and where log-ins end."""

    def begin(self, agent: Agent) -> SignInClient:
        """Prepare an attempt; nothing is opened yet.

        Raises:
            SignInError: BAD_APPLICATION: there is no API id and hash yet.
        """
        ...

    def has_application(self) -> bool:
        """Tell whether API id and hash are known."""
        ...

    async def log_out(self, agent: Agent) -> bool:
        """Log an agent's account out, at Telegram and here; its session file is gone afterwards.

        The account's own connection has to be down.

        Returns:
            True if Telegram knows; False if it could not be told (no network): the device stays listed there.
        """
        ...

    def sweep(self) -> None:
        """Remove what attempts left that were cut off (kill -9); called before anything connects. Never raises."""
        ...

    async def end_orphans(self, agent: Agent) -> None:
        """Log out what cut-off attempts of an agent left logged in; what Telegram can't be told now stays for later.

        Raises:
            SignInError: DISK: what was logged out can't be removed.
        """
        ...
