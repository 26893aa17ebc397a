"""What the journeys to ten decided drafts share: who writes to whom, and the books that must agree at their end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.ids import ApprovalId
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState
from chimein_gui.program import SANDBOX, Program, live
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.seeds import people
from chimein_gui.viewmodels.preferences.catalogue import SETTINGS

QUICK = Preferences(debounce_s=0.05, undo_s=0.3, typing_base_s=0, typing_s_per_60=0)
OPERATOR = "operator"
UNDO = next(setting for setting in SETTINGS if setting.name == "undo_s")
SHOW_NEW = re.compile(r"Show \d+ new cards?")
"""The name of the button above the list, while new cards wait because the operator is in it."""
LONG_S = 600.0
"""More time to undo than the slowest machine takes to press a key."""

MARTA, JULE, MIO, PLAIFAH, SALMA = "Marta Oliveira", "Jule Wendt", "澪 小林", "ปลายฟ้า ธารา", "سلمى الزين"

TALKS = {
    MARTA: ("Nora Vale", people.MARTA, people.NORA),
    JULE: ("Otto Brandt", people.JULE, people.OTTO),
    MIO: ("Sora Kitano", people.MIO, people.SORA),
    PLAIFAH: ("Yada Thongkam", people.PLAIFAH, people.YADA),
    SALMA: ("Rim Saadoun", people.SALMA, people.RIM),
}
"""Partner → who is written to, and the ids of both."""


@dataclass
class Books:
    """What the operator believes to have sent, beside what the server delivered and what the store says.

    Attributes:
        before: What each partner had received when the journey began.
        stored_before: What the store had of the agent's own messages in that chat, before anything was decided.
        sent: What the operator let each of them have, oldest first.
        rejected: How many drafts he rejected.
    """

    program: Program
    before: dict[str, list[str]] = field(default_factory=dict)
    stored_before: dict[str, list[str]] = field(default_factory=dict)
    sent: dict[str, list[str]] = field(default_factory=lambda: {partner: [] for partner in TALKS})
    rejected: int = 0

    @property
    def decided(self) -> int:
        """How many drafts were decided."""
        return sum(map(len, self.sent.values())) + self.rejected

    async def mailbox(self, partner: str) -> list[str]:
        """What the server has delivered to a partner, oldest first."""
        console = self.program.running.sandbox
        assert console is not None
        return [delivery.text for delivery in await console.mailbox(TALKS[partner][1])]

    async def open(self) -> None:
        """Begin: note what is there already."""
        self.before = {partner: await self.mailbox(partner) for partner in TALKS}

    async def everybody_writes(self, words: str) -> None:
        """Let each partner say something, and wait until each agent has a draft that answers it."""
        console = self.program.running.sandbox
        assert console is not None
        for _, partner, account in TALKS.values():
            await console.speak(partner, account, words)
        await self._until(self._all_wait)
        if not self.decided:
            self.stored_before = {one: await self._stored(one) for one in TALKS}

    @asynccontextmanager
    async def time_to_undo(self) -> AsyncIterator[None]:
        """Let what is approved in here wait for long; what is undone and approved again outside leaves as ever."""
        await self._set_undo(LONG_S)
        yield
        await self._set_undo(QUICK.undo_s)

    async def _set_undo(self, seconds: float) -> None:
        self.program.window.models.preferences_model.change(UNDO, seconds)
        engine = self.program.running.engine
        await hand.until("the time to undo", lambda: engine.preferences.undo_s == seconds)

    async def arrived(self, partner: str) -> None:
        """Wait until a partner has received everything that was let pass so far."""

        async def is_so() -> bool:
            return await self.mailbox(partner) == self.before[partner] + self.sent[partner]

        await self._until(is_so)

    async def text_of(self, partner: str) -> str:
        """The text of the one draft that waits for a partner."""
        return (await self._draft_of(partner)).text

    async def id_of(self, partner: str) -> ApprovalId:
        """The id of the one draft that waits for a partner."""
        return (await self._draft_of(partner)).approval_id

    async def _draft_of(self, partner: str) -> Approval:
        rows = (await self.program.running.engine.queries.approvals()).rows
        [draft] = [row for row in rows if row.chat_title == partner]
        return draft

    async def agree(self) -> None:
        """The partners have exactly what the operator let pass, and the store knows of nothing else."""
        engine = self.program.running.engine
        await self._until(self._none_open)
        for partner, sent in self.sent.items():
            delivered = await self.mailbox(partner)
            assert delivered == self.before[partner] + sent, partner
            assert await self._stored(partner) == self.stored_before[partner] + sent, partner
        decisions = (await engine.queries.recent_decisions(limit=100)).rows
        passed = [row for row in decisions if row.state is ApprovalState.APPROVED]
        assert {row.decided_by for row in passed} == {OPERATOR}
        assert sorted((row.chat_title, row.text) for row in passed) == sorted(
            (partner, text) for partner, texts in self.sent.items() for text in texts
        )
        assert all(row.message_id for row in passed)
        assert len([row for row in decisions if row.state is ApprovalState.REJECTED]) == self.rejected

    async def _stored(self, partner: str) -> list[str]:
        """What the store says that an agent has sent to a partner, oldest first."""
        engine = self.program.running.engine
        _name, peer_id, account_id = TALKS[partner]
        chats = (await engine.queries.chats()).rows
        [chat] = [one for one in chats if (one.info.peer_id, one.info.account_id) == (peer_id, account_id)]
        rows = (await engine.transcripts.before(chat.chat_id, None, 200)).rows
        return [row.text for row in rows if row.out]

    async def _all_wait(self) -> bool:
        rows = (await self.program.running.engine.queries.approvals()).rows
        newest = {chat.chat_id: chat.newest_in_id for chat in (await self.program.running.engine.queries.chats()).rows}
        ready = {row.chat_title for row in rows if row.covers_up_to >= newest[row.chat_id]}
        return ready == set(TALKS) and len(rows) == len(TALKS)

    async def _none_open(self) -> bool:
        return not (await self.program.running.engine.queries.approvals()).rows

    async def _until(self, condition: Callable[[], Awaitable[bool]]) -> None:
        changed = asyncio.Event()
        stop = self.program.running.engine.subscribe(lambda _event: changed.set())
        try:
            async with asyncio.timeout(hand.PATIENCE_S):
                while True:
                    changed.clear()  # before the look: what happens meanwhile wakes the next one
                    if await condition():
                        return
                    await changed.wait()
        finally:
            stop()


async def run(folder: Path, journey: Callable[[Program, Books], Awaitable[None]]) -> None:
    """Run the whole program in the sandbox; `journey` is its operator, and the books must agree when it ends."""

    async def script(program: Program) -> int:
        program.window.activateWindow()  # what a desktop does with a window that has just been opened
        books = Books(program)
        agents = program.window.pane("agents").list  # type: ignore[attr-defined]
        for name, _, _ in TALKS.values():
            await hand.until(f"{name} online", lambda name=name: hand.row_with(agents, f"{name}, Online"))  # type: ignore[misc]
        await books.open()
        await journey(program, books)
        assert books.decided == 10
        await books.agree()
        return 0

    where = Directories((resource_path("samples"),), folder / "state")
    assert await live(SANDBOX, where, script, QUICK) == 0
