"""tgs_grid: CPU share of 60 moving stickers, in the main process and the one that renders; hidden: none."""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import time
from collections import Counter
from collections.abc import Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from chimein_gui.adapters.frames.renderer import ProcessFrameRenderer
from chimein_gui.domain.messages import FrameKind, Media, Message
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.program import first_paint
from chimein_gui.resource_files import resource_path
from chimein_gui.viewmodels.media.pictures import STRIPS_BYTES, Pictures
from chimein_gui.viewmodels.window import WindowModels
from tests.benchmarks.audience import precise_timer
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt
from tests.fakes.console import FakeConsole, message
from tests.support import stickers

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QPaintEvent, QShowEvent

    from chimein_gui.viewmodels.media.frame_strip import FrameStrip

VISIBLE = 60
COLUMNS = 10
CELL = 112
SIZE = QSize(96, 96)
LIVELY = frozenset({12, 37})
"""Indices of the stickers at full speed: the hovered one and the selected one."""

FAST_FPS = 30
SLOW_FPS = 10
TICK_MS = 16
SLOW_EVERY = 2
"""Ticks between two checks of all stickers; the fast ones are checked at every tick."""

MOST_PERCENT = 50.0
MOST_HIDDEN_PERCENT = 2.0
PATIENCE_S = 60.0
THUMBNAIL = resource_path("sandbox", "media", "stickers", "otter-wave.webp")


def busy_sticker(number: int) -> bytes:
    """Return a sticker as complex as the richer real ones: sixteen layers, each turning."""
    layers = [stickers.layer(stickers.star(5 + number % 7, 240 - 14 * part)) for part in range(16)]
    for part, layer in enumerate(layers):
        layer["shapes"][0]["it"][1]["c"] = stickers.fixed([part / 16, number % 10 / 10, 1 - part / 16, 1])
    return stickers.tgs(stickers.lottie(*layers))


def cpu_s(pid: int | None) -> float:
    """Return the CPU seconds so far of this process and of the one that renders."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    own = usage.ru_utime + usage.ru_stime
    if pid is None:
        return own
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return own + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class StickerGrid(QWidget):
    """Sixty stickers that move while they are shown, some at full speed, the others slower; counts its paints."""

    def __init__(self, pictures: Pictures, messages: Sequence[Message], lively: Set[int]) -> None:
        super().__init__()
        self._pictures, self._messages, self._lively = pictures, messages, lively
        self._shown: dict[int, int] = {}
        self.painted: Counter[int] = Counter()
        self._began, self._ticks = time.perf_counter(), 0
        self._timer = precise_timer(TICK_MS, self._tick)
        pictures.changed.connect(lambda _key: self.update())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for row in range(VISIBLE):
            cell = self._cell(row)
            if not event.region().intersects(cell):
                continue
            strip = self._strip(row)
            if strip is None:
                image = self._pictures.still(self._messages[row], SIZE)
            else:
                self._shown[row] = strip.number_at(time.perf_counter() - self._began)
                self.painted[row] += 1
                image = strip.image(self._shown[row])
            if image is not None:
                painter.drawImage(cell.topLeft(), image)

    def _tick(self) -> None:
        self._ticks += 1
        seconds = time.perf_counter() - self._began
        for row in self._lively if self._ticks % SLOW_EVERY else range(VISIBLE):
            strip = self._strip(row)
            if strip is not None and strip.number_at(seconds) != self._shown.get(row):
                self.update(self._cell(row))

    def _strip(self, row: int) -> FrameStrip | None:
        message = self._messages[row]
        fast = self._pictures.frames(message, SIZE, fps=FAST_FPS) if row in self._lively else None
        return fast or self._pictures.frames(message, SIZE, fps=SLOW_FPS)

    def _cell(self, row: int) -> QRect:
        return QRect(QPoint(row % COLUMNS, row // COLUMNS) * CELL, SIZE)


async def percent(seconds: float, pid: int | None) -> float:
    began, used = time.perf_counter(), cpu_s(pid)
    await asyncio.sleep(seconds)
    return 100 * (cpu_s(pid) - used) / (time.perf_counter() - began)


async def warm(models: WindowModels) -> None:
    """Wait until every sticker moves, and the fast ones at full speed."""
    until = time.perf_counter() + PATIENCE_S
    while len(models.pictures._strips) < VISIBLE + 2:
        if time.perf_counter() > until:
            raise RuntimeError("the stickers were not drawn")
        await asyncio.sleep(0.05)


def measure(folder: Path, *, quick: bool) -> Result:
    seconds, repeats = (2.0, 1) if quick else (5.0, 3)

    async def main(_app: Any) -> tuple[list[float], float, float, float, int]:
        models, console, jobs, renderer = WindowModels(), FakeConsole(), JobRunner(), ProcessFrameRenderer()
        console.frames = renderer
        models.attach(console, jobs.spawn)
        media = [Media(file_id=number, mime_type="application/x-tgsticker") for number in range(VISIBLE)]
        messages = [message(number, "", media_kind="sticker", media=one) for number, one in enumerate(media)]
        for number, one in enumerate(messages):
            path = folder / str(number)
            path.write_bytes(busy_sticker(number))
            console.media_files.put(one.key, path)
            console.media_files.put(one.key, THUMBNAIL, thumbnail=True)
        grid = StickerGrid(models.pictures, messages, LIVELY)
        grid.resize(COLUMNS * CELL, (VISIBLE // COLUMNS) * CELL)
        await first_paint(grid)
        await warm(models)
        pid = renderer.pid(FrameKind.TGS)
        grid.painted.clear()
        shown = [await percent(seconds, pid) for _ in range(repeats)]
        took = seconds * repeats
        slow = min(grid.painted[row] for row in range(VISIBLE) if row not in LIVELY) / took
        fast = min(grid.painted[row] for row in LIVELY) / took
        cache = models.pictures._strips.size
        grid.hide()
        hidden = await percent(seconds, pid)
        models.detach()
        await jobs.aclose()
        await renderer.aclose()
        grid.deleteLater()
        models.deleteLater()
        return shown, hidden, slow, fast, cache

    shown, hidden, slow, fast, cache = run_in_qt(main)
    value = statistics.median(shown)
    ok = value <= MOST_PERCENT and hidden <= MOST_HIDDEN_PERCENT and cache <= STRIPS_BYTES
    ok = ok and slow >= SLOW_FPS * 0.9 and fast >= FAST_FPS * 0.8
    note = f"hidden {hidden:.1f} %; slowest {slow:.1f} fps, hovered and selected {fast:.1f} fps"
    note += f"; cache {cache / 2**20:.1f} MB"
    return Result("tgs_grid", value, "% core", 0.0, f"<= {MOST_PERCENT:.0f} % of one core", ok, note)
