"""transcript_100k: a chat of 100,000 messages in the real window: time to open, per new message, per scroll frame."""

from __future__ import annotations

import asyncio
import statistics
import time
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.events import MessageStored
from chimein_gui.domain.ids import ChatId, MessageId, PeerId, Revision, UserId
from chimein_gui.domain.messages import Message, MessageKey, Reaction, TextEntity
from chimein_gui.engine.ports import Transaction
from tests.benchmarks.audience import painted_ms, percentile, without_accounts
from tests.benchmarks.backlog import ACCOUNT, CLOCK, spec_of_backlog
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt
from tests.support.bridge import drain

MESSAGES = 100_000
OPEN_MS, APPEND_MS, FRAME_MS = 100.0, 10.0, 16.0
PEER = PeerId(4_000_000_000)
STEP_PX = 90
FAR_REVISION = Revision(2**40)
_A_BATCH = 2_000
_WORDS = ("the", "bridge", "over", "river", "opened", "again", "in", "morning", "and", "we", "walked", "up", "lagoon")


@dataclass
class Measured:
    """Milliseconds of each kind."""

    opens: list[float] = field(default_factory=list)
    appends: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)


def said(number: int) -> Message:
    """Return one of many messages with typical lengths, replies, formatting and reactions."""
    length = 3 + number * 7 % 40
    text = " ".join(_WORDS[(number + place) % len(_WORDS)] for place in range(length)) + f" {number}"
    return Message(
        MessageKey(ACCOUNT, PEER, MessageId(number)),
        UserId(PEER if number % 3 else ACCOUNT),
        "Marta Oliveira" if number % 3 else "Backlog",
        out=number % 3 == 0,
        sent_at=CLOCK.now() - timedelta(minutes=MESSAGES - number),
        text=text,
        entities=(TextEntity("bold", 0, 3), TextEntity("italic", 4, 6)) if number % 9 == 0 else (),
        reply_to_id=MessageId(number - 5) if number % 7 == 0 and number > 5 else None,
        reactions=(Reaction("👍", 2),) if number % 11 == 0 else (),
    )


async def _fill(store: SqliteStore, count: int) -> ChatId:
    def begin(tx: Transaction) -> ChatId:
        agent_id = tx.agents.upsert(spec_of_backlog()).agent_id
        tx.agents.bind_account(agent_id, ACCOUNT)
        info = ChatInfo(ACCOUNT, PEER, ChatKind.DM, "Marta Oliveira")
        chat, _ = tx.chats.ensure(agent_id, info, planned_up_to=MessageId(count))
        return chat.chat_id

    chat_id = await store.transact(begin)
    for first in range(1, count + 1, _A_BATCH):
        await store.transact(partial(_put, chat_id=chat_id, numbers=range(first, min(first + _A_BATCH, count + 1))))
    await store.transact(lambda tx: tx.chats.set_read_up_to(chat_id, MessageId(count)))
    return chat_id


def _put(tx: Transaction, *, chat_id: ChatId, numbers: range) -> None:
    for number in numbers:
        tx.messages.put(chat_id, said(number))


async def _known(models: Any, chat_id: ChatId) -> None:
    there = asyncio.Event()
    models.chats.feed.chats_changed.connect(lambda _chats: there.set())
    if models.chats.chat(chat_id) is None:
        await there.wait()


async def _open(window: Any, models: Any, chat_id: ChatId) -> float:
    """Return the time in ms from the press until the newest messages are painted."""
    opened = asyncio.get_running_loop().create_future()
    view = window.pane("conversations").transcript
    models.transcript.opened.connect(lambda _chat: None if opened.done() else opened.set_result(None))
    began = time.perf_counter()
    QTimer.singleShot(0, lambda: window.pane("conversations").open_chat(chat_id))
    await opened
    waited = (time.perf_counter() - began) * 1000
    return waited + await painted_ms(lambda: None, partial(_paint, models, view))


def _paint(models: Any, view: Any) -> None:
    drain(models.bridge)
    view.viewport().repaint()


async def _run(_app: Any, *, folder: Path, count: int, samples: int) -> Measured:
    found = Measured()
    store = await SqliteStore.open(folder / "chimein.db", now=CLOCK.now)
    chat_id = await _fill(store, count)
    async with without_accounts(store) as (window, models, _engine):
        await _known(models, chat_id)
        pane: Any = window.pane("conversations")
        view, transcript = pane.transcript, models.transcript
        paint = partial(_paint, models, view)
        found.opens.append(await _open(window, models, chat_id))
        await asyncio.sleep(0.2)
        for number in range(1, samples + 1):
            event = MessageStored(chat_id, said(count + number), FAR_REVISION)
            found.appends.append(await painted_ms(partial(models.bridge.push, event), paint))
        bar = view.verticalScrollBar()
        while len(found.frames) < 6 * samples:
            rows = transcript.rows.rowCount()
            took = await painted_ms(lambda: bar.setValue(bar.value() - STEP_PX), paint)
            (found.pages if transcript.rows.rowCount() != rows else found.frames).append(took)
            if bar.value() == 0:
                await asyncio.sleep(0.005)  # the page above is on its way
    return found


def measure(folder: Path, *, quick: bool) -> Result:
    count, samples = (5_000, 30) if quick else (MESSAGES, 100)
    repeats = 1 if quick else 3
    runs = []
    for repeat in range(repeats):
        place = folder / str(repeat)
        place.mkdir()
        runs.append(run_in_qt(partial(_run, folder=place, count=count, samples=samples)))
    opened = statistics.median(one for run in runs for one in run.opens)
    append = statistics.median(statistics.median(run.appends) for run in runs)
    frame = statistics.median(percentile(run.frames, 0.99) for run in runs)
    pages = [one for run in runs for one in run.pages]
    turn = statistics.median(pages) if pages else 0.0
    ok = opened <= OPEN_MS and append <= APPEND_MS and frame <= FRAME_MS
    note = f"open; append {append:.1f} ms, p99 of a scroll frame {frame:.1f} ms, a turned page {turn:.1f} ms"
    budget = f"open <= {OPEN_MS:.0f} ms, append <= {APPEND_MS:.0f} ms, frame <= {FRAME_MS:.0f} ms"
    return Result("transcript_100k", opened, "ms", 0.0, budget, ok, f"{note}; {count} messages, {repeats} runs")
