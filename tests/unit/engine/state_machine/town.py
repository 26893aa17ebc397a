"""A whole engine before a crowd, played step by step: no threads, no real time, the same each time."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.errors import ModelError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.prompt.prompts import Prompt
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.core.environment import FROZEN
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.ports import FileRequest, SendRequest, StickerRequest
from chimein_gui.engine.settings.setup import Setup
from chimein_gui.engine.wiring import Services
from tests.fakes.clock import VirtualClock
from tests.fakes.crowd import BEN, CHATS, CLUB, MEMBERS, Crowd, CrowdModel
from tests.fakes.frames import FakeFrameRenderer
from tests.fakes.telegram import MARTA
from tests.unit.engine.state_machine.facts import Written
from tests.unit.engine.state_machine.inline_store import InlineCopies, InlineStore
from tests.unit.engine.state_machine.judge import Judge

T = TypeVar("T")

NORA = AgentSpec("Nora", "+9996621001", "Be kind.", ("Person",), ("You chat.",), aliases=("Nora",), group_history=500)
SLOW = Preferences(debounce_s=1.0, callout_debounce_s=0.5, undo_s=5.0, chat_cap=2, account_cap=4)
SLEEP_S = SLOW.tick_s + FROZEN.total_seconds()
_TOKEN = re.compile(r"\b[mpceteths]\d+\b")
_TARGET = re.compile(r"responding to message with message_id (\d+)")


class Town:
    """What an interleaving plays with.

    Attributes:
        last: The cards as the operator saw them, and how much had been told by then.
        presses: Decisions with their client ids, to be repeated.
        ever_off: Chats that were switched off once, or that take no messages of ours.
        muted_once: DMs whose mute somebody has changed: who un-mutes one at the end has it planned again.
        to_note: What counts from the end of a race on, because nothing of it is stored before.
    """

    def __init__(
        self, folder: Path, rng: random.Random, preferences: Preferences = SLOW, judge: type[Judge] = Judge
    ) -> None:
        self.folder = folder
        self.preferences = preferences
        self.rng = rng
        self.clock = VirtualClock()
        self.crowd = Crowd(self.clock)
        self.model = CrowdModel(self.write)
        told = ("undo_s", "countdown_s", "takeover_s", "misfire_s", "chat_cap", "account_cap")
        self.book = judge(self.clock.now, **{name: getattr(preferences, name) for name in told})
        self.book.is_up = self.is_up
        self.book.is_told_all = lambda: not self.crowd.missed
        self.book.has_written = self.has_written
        self.crowd.on_request = self.requested
        self.crowd.on_upload = self.uploaded
        self.crowd.on_parts_gone = self.parts_gone
        self.crowd.on_mute_told = self.mute_told
        self.crowd.on_connect = self.book.mutes_told.clear
        self.numbers = 0
        self.next_replies: list[str | ModelError] = []
        self.last: dict[int, tuple[Approval, int]] = {}
        self.presses: list[dict[str, Any]] = []
        self.story: list[str] = []
        self.background: list[asyncio.Task[Any]] = []
        self.chats: dict[PeerId, int] = {}
        self.answered: list[frozenset[str]] = []
        self.ever_off: set[int] = set()
        self.muted_once: set[int] = set()
        self.is_racing = False
        self.to_note: list[Callable[[], None]] = []

    # --- the program

    async def start(self) -> None:
        """Start the program on the file as it is."""
        self.store = InlineStore(self.folder / "chimein.db", self.clock.now, self.book.watch)
        self.make_engine()
        self.book.started = self.clock.now()
        self.book.wakes()
        await self.engine.start()
        await self.settled()
        self.clock.advance(1)
        await self.settled()
        if not self.chats:
            for chat in self.store.peek(lambda tx: tx.chats.all()):
                self.chats[chat.info.peer_id] = int(chat.chat_id)
            self.book.groups = frozenset({self.chats[CLUB]})

    def make_engine(self) -> None:
        """Put an engine on the store; it is not started yet."""
        self.jobs = JobRunner()
        self.engine = Engine(
            Setup(
                self.store,
                self.crowd.factory,
                self.model,
                self.clock,
                self.jobs,
                self.preferences,
                (NORA,),
                frames=FakeFrameRenderer(),
                outgoing_files=InlineCopies(self.folder / "outgoing"),
            )
        )

    async def crash(self) -> None:
        """The program is killed; whatever was in flight was executed or not."""
        executed = self.rng.random() < 0.5
        self.store.no_race()
        self.store.is_dead = True
        for one in list(self.crowd.track):
            with suppress(Exception):
                self.crowd.answer(one, "hang" if executed else "lose")
        await self.settled()
        await self.jobs.aclose()
        for job in self.background:
            job.cancel()
        await asyncio.gather(*self.background, return_exceptions=True)
        self.background.clear()
        if self.crowd.gateway is not None:
            await self.crowd.gateway.disconnect()
        await self.store.aclose()
        self.model.thinking.clear()
        self.crowd.slow_looks.clear()
        self.crowd.let_uploads_end()
        self.book.uploaded.clear()
        self.book.editing.clear()
        self.last.clear()
        await self.start()

    async def close(self) -> None:
        """End it, in whatever state it is."""
        self.store.no_race()
        self.store.is_dead = True
        await self.jobs.aclose()
        for job in self.background:
            job.cancel()
        await asyncio.gather(*self.background, return_exceptions=True)
        await self.store.aclose()

    async def settled(self) -> None:
        """Return once nothing can go on without time passing or somebody acting."""
        loop = asyncio.get_running_loop()
        for _ in range(20_000):
            await asyncio.sleep(0)
            if loop._ready:  # type: ignore[attr-defined]
                continue
            timers = loop._scheduled  # type: ignore[attr-defined]
            if not any(not timer.cancelled() and timer.when() <= loop.time() for timer in timers):
                return
        raise AssertionError("it never comes to rest")

    async def do(self, job: Coroutine[Any, Any, T]) -> T | None:
        """Let somebody do something; if that takes time, time passes, up to 4 s; then it goes on by itself."""
        task = asyncio.get_running_loop().create_task(job)
        await self.settled()
        if not task.done():
            await self.passes(4, 1)
        if not task.done():
            self.background.append(task)
            return None
        return task.result()

    async def passes(self, seconds: float, steps: int = 1, *, asleep: bool = False) -> None:
        """Let time pass, in so many steps; `asleep`: the machine sleeps through each of them."""
        for _ in range(steps):
            if not asleep:
                self.services.awake.expect_round(seconds / steps)
            self.clock.advance(seconds / steps)
            if asleep and seconds / steps > SLEEP_S:
                self.book.wakes()
            await self.settled()

    # --- what the world is like

    def is_up(self) -> bool:
        return self.crowd.gateway is not None and self.crowd.gateway.is_up()

    @property
    def services(self) -> Services:
        return self.engine._services

    def has_written(self, chat: int) -> bool:
        peer = next(peer for peer, number in self.chats.items() if number == chat)
        return any(one.out and one.key.peer_id == peer for one in self.crowd.messages)

    def mute_told(self, peer: PeerId, until: datetime | None) -> None:
        """Telegram has said whether a chat is muted."""
        if peer in self.chats:
            self.book.mutes_told[self.chats[peer]] = (self.clock.now(), until)

    def uploaded(self, file: OutgoingFile, began: datetime) -> None:
        """Telegram has a file; the name is the word that only its caption begins with.

        Its upload does not make it overdue, but a break in the middle does.
        """
        self.book.uploaded[file.file_name] = self.clock.now() if began >= self.book.awake_since else began

    def parts_gone(self, file: OutgoingFile) -> None:
        """Telegram has forgotten a file."""
        self.book.uploaded.pop(file.file_name, None)

    def token(self, letter: str) -> str:
        self.numbers += 1
        return f"{letter}{self.numbers}"

    def cards(self, *statuses: str) -> list[Approval]:
        """Return what waits, in whatever state, as it is now."""
        rows = self.store.peek(lambda tx: tx.approvals.waiting())
        return [row for row in rows if not statuses or row.task_status in statuses]

    def look(self) -> None:
        """The operator looks at the cards."""
        self.last = {int(card.approval_id): (card, self.book.order) for card in self.cards()}

    def requested(self, request: SendRequest | StickerRequest | FileRequest) -> None:
        """The client's sender has a request: the ledger must know it, with exactly these bytes."""
        row = next((one for one in self.book.rows.values() if one["random_id"] == request.random_id), None)
        if row is None or row["state"] != "sending":
            self.book.blame(f"handed over without a ledger row that is sending: {request}")
        elif isinstance(request, SendRequest) and request.text != row["text"]:
            self.book.blame(f"other bytes than in the ledger: {request.text[:20]!r}, {row['text'][:20]!r}")
        elif isinstance(request, FileRequest):
            given = (request.caption, request.uploaded.handle, request.file.file_name)
            name = row["text"].split()[0]
            if given != (row["text"], name.encode(), name):
                self.book.blame(f"another file than in the ledger: {given}, {row['text'][:20]!r}")

    def write(self, prompt: Prompt) -> str | ModelError:
        """Answer a prompt; every text holds a word that no other has."""
        saw = frozenset(_TOKEN.findall("\n".join(part for turn in prompt.turns for part in turn.parts)))
        target = _TARGET.search(prompt.last_block)
        sender = self.crowd.messages[int(target[1]) - 1].sender_id if target is not None else None
        shape = self.next_replies.pop(0) if self.next_replies else self.rng.choice(SHAPES)
        if isinstance(shape, ModelError):
            return shape
        self.answered.append(saw)
        reply = shape
        while "TEXT" in reply or "NAME" in reply:
            word = "TEXT" if "TEXT" in reply else "NAME"
            token = self.token("t" if word == "TEXT" else "s")
            self.book.written[token] = Written(saw, int(sender or 0), self.book.order)
            if word == "NAME":
                self.crowd.put_sticker("SET", token)
                reply = reply.replace(word, token, 1)
            else:
                long = f"{token} " + "word " * 600 + f"\n\n{token} " + "more " * 600
                is_long = "LONGTEXT" in reply
                reply = reply.replace("LONGTEXT" if is_long else word, long.strip() if is_long else token, 1)
        return reply


ONE, TWO = "# «send»\nTEXT", "# «send»\nTEXT\n# «send»\nTEXT"
SHAPES = (
    *(ONE,) * 6,
    *(TWO,) * 4,
    "# «send»\nTEXT\n# «send»\nTEXT\n# «send»\nTEXT",
    "# «send»\nTEXT\n# «wait»\ndelay: 20\n# «send»\nTEXT",
    "# «send»\nTEXT\n# «wait»\ndelay: 100000\n# «send»\nTEXT",
    "# «wait»\ndelay: 5\n# «send»\nTEXT",
    "# «sticker»\nSET\nNAME\n# «send»\nTEXT",
    "# «send»\nLONGTEXT\n# «send»\nTEXT",
    "# «think»\nnothing to say",
    "# «send»\nTEXT\n# «unblock»\n\n# «send»\nTEXT",
    "# «send»\nTEXT\n# «remember»\nthat",
    "# «sendd»\nTEXT",
)
TROUBLES = (ModelTransientError("overloaded"), ModelRefusedError("blocked prompt"), ModelTransientError("429", 30.0))
PEERS = (MARTA, BEN, CLUB)
SENDERS = {MARTA: (int(MARTA),), BEN: (int(BEN),), CLUB: tuple(map(int, MEMBERS))}


async def prepared(folder: Path, template: Path) -> None:
    """Put a file in the folder on which an agent has logged in once."""
    shutil.copy(template, folder / "chimein.db")


def first_messages(crowd: Crowd) -> None:
    """What was there before the first log-in: Ben has never been written to."""
    for peer in (MARTA, CLUB):
        crowd.store("long ago", out=True, peer=peer)
    for peer in CHATS:
        crowd.store("hello", out=False, peer=peer)
