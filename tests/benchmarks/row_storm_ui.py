"""storm_ui: frames of a scrolling transcript, and key presses, during many messages; yardstick: without messages."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QScrollBar

from chimein_gui.domain.chats import TrustLevel
from tests.benchmarks.audience import percentile, precise_timer, say, watching
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Stage, engine_stage, get_acquainted, run_in_qt, sandbox_process

A_SECOND = 20.0
FRAME_MS, KEY_MS = 33.0, 50.0
TICK_MS, STEP_PX = 16, 60
A_KEY_EVERY_MS = 130
HISTORY = 60
"""Number of the partner's messages in the open chat at the start; each has been answered."""

Pair = tuple[int, int]

Keys = Callable[[int], tuple[Qt.Key, str]]
"""Returns the key of a press and its text, by the number of the press, from 0."""


@dataclass
class Measured:
    """Milliseconds between two frames, and from a key press to its paint."""

    frames: list[float] = field(default_factory=list)
    keys: list[float] = field(default_factory=list)


class _PaintWatch(QObject):
    """Calls back when a scroll area is painted."""

    def __init__(self, area: QAbstractScrollArea, painted: Callable[[], None]) -> None:
        super().__init__(area.viewport())
        self._painted = painted
        area.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._painted()
        return False


class Scrolling:
    """Scrolls up and down repeatedly, one step per frame, and measures the time from paint to paint."""

    def __init__(self, area: QAbstractScrollArea, found: list[float]) -> None:
        self._bar: QScrollBar = area.verticalScrollBar()
        self._found, self._last, self._down = found, 0.0, False
        self._watch = _PaintWatch(area, self._painted)
        self._timer = precise_timer(TICK_MS, self._step)

    def start(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._watch.deleteLater()

    def _step(self) -> None:
        if self._bar.value() in (self._bar.minimum(), self._bar.maximum()):
            self._down = self._bar.value() == self._bar.minimum()
        self._bar.setValue(self._bar.value() + (STEP_PX if self._down else -STEP_PX))

    def _painted(self) -> None:
        now = time.perf_counter()
        if self._last:
            self._found.append((now - self._last) * 1000)
        self._last = now


class Pressing:
    """Presses a key at an even rate; measures from when a press was due until its effect has been painted."""

    def __init__(self, area: QAbstractScrollArea, keys: Keys, found: list[float]) -> None:
        self._area, self._keys, self._found = area, keys, found
        self._due, self._waits, self._number = 0.0, False, 0
        self._watch = _PaintWatch(area, self._painted)
        self._timer = precise_timer(A_KEY_EVERY_MS, self._press)

    def start(self) -> None:
        self._due = time.perf_counter() + A_KEY_EVERY_MS / 1000
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._watch.deleteLater()

    def _press(self) -> None:
        key, text = self._keys(self._number)
        self._number += 1
        self._waits = True
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.postEvent(self._area, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))

    def _painted(self) -> None:
        if self._waits:
            self._waits = False
            QTimer.singleShot(0, self._flushed)  # the frame is on screen when the loop turns again

    def _flushed(self) -> None:
        now = time.perf_counter()
        self._found.append((now - self._due) * 1000)
        self._due = now + self._timer.remainingTime() / 1000


def _letters(number: int) -> tuple[Qt.Key, str]:
    return (Qt.Key.Key_Space, " ") if number % 2 else (Qt.Key.Key_H, "h")


def _steps(cards: Any) -> Keys:
    """Return steps, two down and two up; at the first card there is no step up, because it would paint nothing."""

    def step(number: int) -> tuple[Qt.Key, str]:
        up = number % 4 >= 2 and cards.currentIndex().row() > 0
        return (Qt.Key.Key_Up if up else Qt.Key.Key_Down, "")

    return step


async def _measure(window: Any, seconds: float, found: Measured) -> None:
    """Scroll and write for a while, then scroll and move in the list of approvals."""
    transcript, approvals = window.pane("conversations").transcript, window.pane("approvals").list
    field_ = window.pane("conversations").writer.agent.editor.field
    presses: tuple[tuple[QAbstractScrollArea, Keys], ...] = ((field_, _letters), (approvals, _steps(approvals)))
    for area, keys in presses:
        area.setFocus()
        await asyncio.sleep(0.3)
        parts = (Scrolling(transcript, found.frames), Pressing(area, keys, found.keys))
        for part in parts:
            part.start()
        await asyncio.sleep(seconds / len(presses))
        for part in parts:
            part.stop()


async def _furnish(stage: Stage, pairs: list[Pair]) -> None:
    """Create a long chat that answers automatically, and drafts that wait in every second other chat."""
    await get_acquainted(stage, pairs, TrustLevel.AUTO)
    chats = {(chat.info.peer_id, chat.info.account_id): chat for chat in (await stage.engine.queries.chats()).rows}
    asked = pairs[1::2]
    for pair in asked:
        await stage.engine.chat_settings.set_trust(chats[pair].chat_id, TrustLevel.REVIEW)  # type: ignore[index]
    for number in range(HISTORY):
        await stage.console.speak(*pairs[0], f"line {number} of a long story about a bridge, and what do you say?")
    await stage.console.speak_many([(*pair, "and you, what do you say to it?") for pair in asked])
    while len((await stage.engine.queries.approvals()).rows) < len(asked):
        await stage.events.get()


def _storm(pairs: list[Pair]) -> list[Pair]:
    """Send messages, every fourth of them in the open chat."""
    mixed: list[Pair] = []
    for number, pair in enumerate(pairs[1:]):
        mixed += [pair, pairs[0]] if number % 3 == 2 else [pair]
    return mixed


async def _run(folder: Path, seconds: float) -> tuple[Measured, Measured]:
    calm, stormy = Measured(), Measured()
    with sandbox_process(folder) as sandbox:
        async with engine_stage(sandbox, folder) as stage, watching(stage) as (window, _models):
            pairs = sandbox.pairs()
            await _furnish(stage, pairs)
            chats = (await stage.engine.queries.chats()).rows
            here = next(one for one in chats if (one.info.peer_id, one.info.account_id) == pairs[0])
            window.pane("conversations").open_chat(here.chat_id)  # type: ignore[attr-defined]
            await asyncio.sleep(1.0)  # the effects of the set-up are over
            await _measure(window, seconds, calm)
            count = round((seconds + 2) * A_SECOND)
            async with asyncio.TaskGroup() as group:
                group.create_task(say(stage.console, _storm(pairs), count, A_SECOND))
                await asyncio.sleep(1.0)
                await _measure(window, seconds, stormy)
    return calm, stormy


def _run_once(folder: Path, seconds: float) -> tuple[Measured, Measured]:
    return run_in_qt(lambda _app: _run(folder, seconds=seconds))


def measure(folder: Path, *, quick: bool) -> Result:
    seconds, repeats = (6.0, 1) if quick else (20.0, 3)
    runs = []
    for repeat in range(repeats):
        place = folder / str(repeat)
        place.mkdir()
        runs.append(_run_once(place, seconds))

    def median_of(which: int, kind: str, share: float) -> float:
        return statistics.median(percentile(getattr(run[which], kind), share) for run in runs)

    calm, value = median_of(0, "frames", 0.99), median_of(1, "frames", 0.99)
    calm_key, key = median_of(0, "keys", 0.99), median_of(1, "keys", 0.99)
    ok = value <= FRAME_MS and key <= KEY_MS
    frames, keys = min(len(run[1].frames) for run in runs), min(len(run[1].keys) for run in runs)
    note = f"p99 of a frame, p50 {median_of(1, 'frames', 0.5):.1f} ms; p99 of a key press to its paint {key:.1f} ms,"
    note += f" calm {calm_key:.1f} ms; {A_SECOND:.0f} messages/s, {frames} frames, {keys} presses, {repeats} runs"
    budget = f"frame p99 <= {FRAME_MS:.0f} ms, key p99 <= {KEY_MS:.0f} ms"
    return Result("storm_ui", value, "ms", calm, budget, ok, note)
