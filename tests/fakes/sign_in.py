"""A small Telegram for log-ins: a test sets the answer of each step beforehand."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from chimein_gui.domain.accounts.sign_in import CodeWay, QrCode, SentCode, SignedInAs, SignInTrouble
from chimein_gui.domain.agents import Agent
from chimein_gui.domain.errors import SignInError
from chimein_gui.domain.ids import AccountId
from chimein_gui.engine.ports import Clock

CODE = "58214"
PASSWORD = "the flood of 71"
HINT = "first dog + year of the flood"
TOKEN = "tg://login?token=canary-of-a-picture"
PICTURE_S = 30.0
HANG = "hang"
"""Script entry: the step is never answered."""

NORAS = AccountId(7_000_000_001)


@dataclass
class FakeSignIns:
    """Implements `engine.ports.SignIns`.

    Attributes:
        script: The next answers of each method, oldest first; calls without one succeed.
        clients: All attempts that were begun.
        asked: Every call, oldest first: the method and its arguments.
        has_password: The account has a password.
        is_known: API id and hash are known.
        scanned: A Future of the shown QR code; setting it is the scan.
        files: Session files of attempts, as a state directory would have them.
        kept: Whose session was kept for which agent.
        on_devices: Sessions that are logged in at Telegram: agents' own and attempts'.
    """

    clock: Clock
    script: defaultdict[str, deque[Exception | str]] = field(default_factory=lambda: defaultdict(deque))
    clients: list[FakeSignInClient] = field(default_factory=list)
    asked: list[tuple[object, ...]] = field(default_factory=list)
    who: SignedInAs = field(default_factory=lambda: SignedInAs(NORAS, "Nora V.", "noravale", "+9996621001"))
    has_password: bool = False
    is_known: bool = True
    sent: SentCode = field(default_factory=lambda: SentCode(CodeWay.APP, len(CODE), CodeWay.SMS, 60.0))
    files: set[int] = field(default_factory=set)
    kept: list[tuple[int, AccountId]] = field(default_factory=list)
    logged_in: set[int] = field(default_factory=set)
    swept: int = 0
    told: bool = True
    keeping: asyncio.Event | None = None
    """When set, keeping a session waits for it."""
    on_ask: Callable[[str], None] | None = None

    def begin(self, agent: Agent) -> FakeSignInClient:
        if not self.is_known:
            raise SignInError("", SignInTrouble.BAD_APPLICATION)
        client = FakeSignInClient(self, agent, len(self.clients))
        self.clients.append(client)
        return client

    def has_application(self) -> bool:
        return self.is_known

    async def log_out(self, agent: Agent) -> bool:
        await self.ask("log_out", agent.spec.name)
        return self.told

    def sweep(self) -> None:
        self.swept += 1

    async def end_orphans(self, agent: Agent) -> None:
        await self.ask("end_orphans", agent.spec.name)

    async def ask(self, method: str, *arguments: object) -> None:
        """Record a call, and answer it by the script."""
        self.asked.append((method, *arguments))
        if self.on_ask is not None:
            self.on_ask(method)
        answer = self.script[method].popleft() if self.script[method] else None
        if answer == HANG:
            await asyncio.get_running_loop().create_future()
        if isinstance(answer, Exception):
            raise answer

    def refuse(self, method: str, trouble: SignInTrouble, retry_after_s: float = 0.0, words: str = "") -> None:
        """Let the next call of a method fail."""
        self.script[method].append(SignInError(words, trouble, retry_after_s))

    def calls(self, method: str) -> list[tuple[object, ...]]:
        return [call[1:] for call in self.asked if call[0] == method]

    @property
    def client(self) -> FakeSignInClient:
        return self.clients[-1]


class FakeSignInClient:
    """Implements `engine.ports.SignInClient`."""

    def __init__(self, world: FakeSignIns, agent: Agent, number: int) -> None:
        self._world, self._agent, self._number = world, agent, number
        self._wants_password = self._is_over = False
        self.scan: asyncio.Future[None] | None = None

    async def connect(self) -> None:
        self._world.files.add(self._number)
        await self._world.ask("connect")

    async def send_code(self, phone: str) -> SentCode:
        await self._world.ask("send_code", phone)
        return self._world.sent

    async def resend_code(self) -> SentCode:
        await self._world.ask("resend_code")
        return SentCode(CodeWay.SMS, len(CODE), None, 120.0)

    async def enter_code(self, code: str) -> SignedInAs | None:
        await self._world.ask("enter_code", code)
        if code != CODE:
            raise SignInError("", SignInTrouble.WRONG_CODE)
        return self._first_factor()

    async def qr_code(self) -> QrCode:
        await self._world.ask("qr_code")
        self.scan = asyncio.get_running_loop().create_future()
        number = len(self._world.calls("qr_code"))
        return QrCode(f"{TOKEN}-{number}", self._world.clock.now() + timedelta(seconds=PICTURE_S))

    async def wait_scanned(self) -> SignedInAs | None:
        await self._world.ask("wait_scanned")
        assert self.scan is not None
        await asyncio.shield(self.scan)
        return self._first_factor()

    async def password_hint(self) -> str:
        await self._world.ask("password_hint")
        return HINT

    async def enter_password(self, password: str) -> SignedInAs:
        await self._world.ask("enter_password", password)
        assert self._wants_password
        if password != PASSWORD:
            raise SignInError("", SignInTrouble.WRONG_PASSWORD)
        self._world.logged_in.add(self._number)
        return self._world.who

    async def keep(self) -> None:
        if self._world.keeping is not None:
            await self._world.keeping.wait()
        await self._world.ask("keep")
        self._world.kept.append((self._agent.agent_id, self._world.who.account_id))
        self._world.files.discard(self._number)
        self._world.logged_in.discard(self._number)
        self._is_over = True

    async def close(self) -> None:
        if not self._is_over:
            self._is_over = True
            await self._world.ask("close")
            self._world.files.discard(self._number)
            self._world.logged_in.discard(self._number)

    def _first_factor(self) -> SignedInAs | None:
        if self._world.has_password:
            self._wants_password = True
            return None
        self._world.logged_in.add(self._number)
        return self._world.who


def settle_scan(client: Any) -> None:
    """Scan the shown QR code."""
    assert client.scan is not None
    client.scan.set_result(None)
