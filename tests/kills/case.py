"""One chat of one account in a kill test: what is planned, who decides, what the partner gets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.session import seed_session
from chimein_gui.domain.approvals import Approval
from chimein_gui.engine.ports import TelegramGateway
from tests.kills.harness import Run, api_of, living
from tests.kills.life import Life
from tests.kills.processes import Sandbox
from tests.support.books import Books, compare
from tests.support.control import ControlChannelConsole

STICKER = "# «sticker»\nharbour_otter\n👋"
LONG = "\n\n".join(letter * 4_000 for letter in "abc")
"""A text of three parts."""


def plan(*blocks: str) -> str:
    """Return a reply of the model's: blocks, and plain texts for sends."""
    return "\n\n".join(block if block.startswith("# «") else f"# «send»\n{block}" for block in blocks)


@dataclass
class Case:
    """The people of one test."""

    sandbox: Sandbox
    console: ControlChannelConsole
    account: int
    partner: int
    life: Life

    @asynccontextmanager
    async def living(self, **changes: Any) -> AsyncIterator[Run]:
        """Run the product, with no faults left from before; again in the same test is a restart."""
        await self.console.clear_faults()
        async with living(self.sandbox, replace(self.life, **changes)) as run:
            yield run

    async def asked(self, run: Run, *blocks: str, words: str = "What do you say?") -> tuple[Approval, ...]:
        """Let the partner write and the model plan these blocks; returns the cards that wait, in plan order."""
        await run.online()  # at the first log-in nothing that was said before triggers
        await self.console.queue_reply(plan(*blocks))
        await self.console.speak(self.partner, self.account, words)
        return await run.cards(len(blocks))

    async def mailbox(self) -> list[str]:
        """Return what the partner received: texts, and kinds of media."""
        return [one.text or one.media for one in await self.console.mailbox(self.partner)]

    async def box(self, user_id: int) -> Any:
        """Return what the server has of somebody."""
        return await self.console.box(user_id)

    async def books(self, **options: Any) -> Books:
        """Compare both sides; nobody may be writing."""
        boxes = {user_id: await self.box(user_id) for user_id in (self.account, self.partner)}
        return compare(self.life.database, boxes, [self.account], **options)

    async def check_books(self, *, logged: str = "", **options: Any) -> None:
        """Both sides agree, nothing is left open, and no error was logged but those that hold these words."""
        books = await self.books(**options)
        assert not books.wrong
        lines = self.life.log.read_text(encoding="utf-8").splitlines()
        errors = [line for line in lines if line.startswith("ERROR")]
        assert all(logged and logged in line for line in errors), errors

    @asynccontextmanager
    async def device(self) -> AsyncIterator[TelegramGateway]:
        """Connect another device of the account."""
        described = self.sandbox.described
        path = self.life.folder / "device.session"
        key = await self.console.auth_key(self.account)
        seed_session(path, dc_id=2, host=described["host"], port=described["telegram_port"], auth_key=key)
        gateway = TelethonGateway(session_path=path, backend=sandbox_backend())
        await gateway.connect(_Deaf())
        await gateway.dialogs()
        try:
            yield gateway
        finally:
            await gateway.disconnect()


class _Deaf:
    """A GatewayListener that does not care."""

    def __getattr__(self, _name: str) -> Any:
        return lambda *_facts, **_more: None


@asynccontextmanager
async def case(sandbox: Sandbox, folder: Path) -> AsyncIterator[Case]:
    """Give a test an account, a partner and a state directory of its own."""
    account, partner = sandbox.fresh_pair()
    async with api_of(sandbox) as console:
        yield Case(sandbox, console, account, partner, Life(folder / "state", sandbox.port_file, 0, (account,)))
