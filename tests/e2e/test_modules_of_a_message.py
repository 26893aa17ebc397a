"""How many modules of the engine a message goes through: who follows one through the code has to open these files.

The counts are the figures of docs/architecture.md, "What it touches".
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import FrameType

import pytest

from chimein_gui import engine
from chimein_gui.adapters.store.rows.ledger import SqliteLedgerRows
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.tasks import TaskStatus
from tests.support.wired_room import Wired, wired_room

READ_MARK = {"sending/presence.py", "accounts/rate_limits.py"}
"""They mark the chat as read when an automatic plan begins; nothing on the way to the ledger waits for them."""

DAY_WATCH = "spending/day_watch.py"
"""Each round of the scheduler looks whether it is another day; no message waits for that."""

_ENGINE = f"{Path(engine.__file__).parent}/"


class Passed:
    """Collects the modules of the engine in which a function runs, on all threads that are started later."""

    def __init__(self) -> None:
        self._modules: set[str] = set()
        self.at_ledger: list[str] = []
        self.statements = 0
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def _called(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(_ENGINE):
            self._modules |= {frame.f_code.co_filename.removeprefix(_ENGINE)} - {DAY_WATCH}
        elif event == "call" and frame.f_code is Sql._execute.__code__:
            self.statements += 1
        elif event == "call" and frame.f_code is SqliteLedgerRows.prepare.__code__ and not self.at_ledger:
            self.at_ledger = self.so_far()

    def begin(self) -> None:
        self._modules.clear()
        self.at_ledger.clear()
        self.statements = 0

    def so_far(self) -> list[str]:
        return sorted(self._modules)


@pytest.fixture
def passed():
    yield Passed()
    sys.setprofile(None)
    threading.setprofile(None)


async def acquainted(wired: Wired) -> None:
    """Let both write: later messages need no history, and none is the first."""
    room = wired.room
    for text in ("hello", "are you there?"):
        await wired.marta_says(text)
        draft = await room.approval(TaskStatus.AWAITING_DECISION)
        await room.decide(draft, Approve())
        await room.approval(TaskStatus.DONE, draft.text)
        await room.worked_off()


async def test_to_the_card_and_from_the_press_to_the_answer(tmp_path: Path, passed: Passed) -> None:
    async with wired_room(tmp_path) as wired:
        room = wired.room
        await acquainted(wired)
        passed.begin()
        await wired.marta_says("tea?")
        draft = await room.approval(TaskStatus.AWAITING_DECISION)
        message = passed.so_far()
        assert len(message) <= 28, chr(10).join(message)
        await room.worked_off()
        passed.begin()
        await room.decide(draft, Approve())
        press = passed.so_far()
        await room.until(lambda: room.newest(draft).task_status is TaskStatus.DONE)
        confirmed = passed.so_far()
        assert len(press) <= 14, press
        assert len(confirmed) <= 32, confirmed


async def test_by_a_rule_to_the_answer(tmp_path: Path, passed: Passed) -> None:
    async with wired_room(tmp_path) as wired:
        room = wired.room
        await acquainted(wired)
        await wired.trust(TrustLevel.AUTO)
        await room.worked_off()
        before = room.approvals()[-1].approval_id
        passed.begin()
        await wired.marta_says("tea?")
        await room.until(
            lambda: (it := room.approvals()[-1]).approval_id > before and it.task_status is TaskStatus.DONE
        )
        confirmed = passed.so_far()
        assert len(set(passed.at_ledger) - READ_MARK) <= 30, passed.at_ledger
        assert len(confirmed) <= 44, confirmed
        assert passed.statements <= 66, passed.statements  # the writer reads nothing again that it has just written
