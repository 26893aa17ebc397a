"""context_5000: a selection of 5,000 messages in the real window: to open it, and a frame while it scrolls."""

from __future__ import annotations

import asyncio
import statistics
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.prompt.considered import TRIGGER, ConsideredMessage, ContextSelection
from chimein_gui.ui.requests import ShowContext
from tests.benchmarks.audience import painted_ms, percentile, without_accounts
from tests.benchmarks.backlog import CLOCK, fill
from tests.benchmarks.row_transcript_100k import said
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt

MESSAGES = 5_000
OPEN_MS, FRAME_MS = 100.0, 16.0
STEP_PX = 90
PEOPLE = ("Marta Oliveira", "Yusuf Demir", "平野 さくら", "نورا الهاشمي", "Jonas Weber", "Bea Almeida", "Tomasz")


@dataclass
class Measured:
    """Milliseconds of each kind."""

    opens: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)


def considered(number: int, count: int) -> ConsideredMessage:
    """Return one of many candidates: two of five taken, every other one linked, silences between."""
    message = replace(
        said(number),
        sender_name=PEOPLE[number % len(PEOPLE)],
        sent_at=CLOCK.now() - timedelta(minutes=(count - number) * 3 + (count - number) // 40 * 90),
    )
    parent = number - 1 - number * 7 % 23 if number % 2 and number > 23 else None
    is_in, percent = number % 5 < 2, (number * 37 % 50) + (50 if number % 5 < 2 else 0)
    if number == count:
        return ConsideredMessage(message, True, None, TRIGGER, True, MessageId(number - 9), True)
    reason = "link" if is_in else "other conversation"
    linked = None if parent is None else MessageId(parent)
    return ConsideredMessage(message, is_in, percent, reason, number > count - 20, linked, number % 6 == 1)


async def _run(folder: Path, *, count: int, frames: int) -> Measured:
    found = Measured()
    store = await SqliteStore.open(folder / "chimein.db", now=CLOCK.now)
    await fill(store, 1, known=True)
    chat_id = await store.transact(lambda tx: tx.chats.all()[0].chat_id)
    async with without_accounts(store) as (window, _models, _engine):
        window.requests.send(ShowContext(chat_id))
        pane: Any = window.pane("context")
        await asyncio.sleep(0.2)
        messages = tuple(considered(number, count) for number in range(1, count + 1))
        selection = ContextSelection(chat_id, None, messages, MessageId(count))
        pane.model._put(None)
        await asyncio.sleep(0.2)
        paint = partial(_paint, pane)
        found.opens.append(await painted_ms(partial(pane.model._put, selection), paint))
        bar = pane.list.verticalScrollBar()
        assert bar.value() > 0, "it begins at the trigger"
        while len(found.frames) < frames and bar.value():
            found.frames.append(await painted_ms(lambda: bar.setValue(bar.value() - STEP_PX), paint))
    return found


def _paint(pane: Any) -> None:
    QCoreApplication.sendPostedEvents()
    pane.list.viewport().repaint()


async def _alone(work: Any, _app: Any) -> Measured:
    return await work()


def measure(folder: Path, *, quick: bool) -> Result:
    frames, repeats = (100, 1) if quick else (600, 3)
    runs = []
    for repeat in range(repeats):
        place = folder / str(repeat)
        place.mkdir()
        runs.append(run_in_qt(partial(_alone, partial(_run, place, count=MESSAGES, frames=frames))))
    opened = statistics.median(one for run in runs for one in run.opens)
    frame = statistics.median(percentile(run.frames, 0.99) for run in runs)
    ok = opened <= OPEN_MS and frame <= FRAME_MS
    note = f"open; p99 of a scroll frame {frame:.1f} ms; {MESSAGES} messages"
    return Result("context_5000", opened, "ms", 0.0, f"open <= {OPEN_MS:.0f} ms, frame <= {FRAME_MS:.0f} ms", ok, note)
