"""tgs_grid: share of one core that 60 moving stickers take, main process and the one that draws; hidden: nothing."""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from chimein_gui.adapters.frames.renderer import ProcessFrameRenderer
from chimein_gui.domain.messages import FrameKind, Media
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.program import first_paint
from chimein_gui.resource_files import resource_path
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.media.pictures import STRIPS_BYTES
from chimein_gui.viewmodels.window import WindowModels
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt
from tests.benchmarks.sticker_grid import CELL, FAST_FPS, SLOW_FPS, MessageStickers, StickerCell, StickerGrid
from tests.fakes.console import FakeConsole, message
from tests.support import stickers

VISIBLE = 60
COLUMNS = 10
MOST_PERCENT = 50.0
MOST_HIDDEN_PERCENT = 2.0
PATIENCE_S = 60.0
THUMBNAIL = resource_path("sandbox", "media", "stickers", "otter-wave.webp")


def busy_sticker(number: int) -> bytes:
    """A sticker with as many parts as the richer ones have: sixteen layers, each turning."""
    layers = [stickers.layer(stickers.star(5 + number % 7, 240 - 14 * part)) for part in range(16)]
    for part, layer in enumerate(layers):
        layer["shapes"][0]["it"][1]["c"] = stickers.fixed([part / 16, number % 10 / 10, 1 - part / 16, 1])
    return stickers.tgs(stickers.lottie(*layers))


def cpu_s(pid: int | None) -> float:
    """Processor seconds so far: of this process, and of the one that draws."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    own = usage.ru_utime + usage.ru_stime
    if pid is None:
        return own
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return own + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watched(StickerGrid):
    """Counts what it paints."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.painted: dict[int, set[int]] = {}

    def image_of(self, row: int) -> Any:
        image = super().image_of(row)
        if row in self._shown:
            self.painted.setdefault(row, set()).add(int((time.perf_counter() - self._began) * 1000))
        return image


async def percent(seconds: float, pid: int | None) -> float:
    began, used = time.perf_counter(), cpu_s(pid)
    await asyncio.sleep(seconds)
    return 100 * (cpu_s(pid) - used) / (time.perf_counter() - began)


async def warm(grid: StickerGrid, models: WindowModels) -> None:
    """Wait until every sticker moves, and the hovered and the selected one at full speed."""
    until = time.perf_counter() + PATIENCE_S
    while len(models.pictures._strips) < VISIBLE + 2:
        if time.perf_counter() > until:
            raise RuntimeError("the stickers were not drawn")
        await asyncio.sleep(0.05)


def hover(grid: StickerGrid, row: int) -> None:
    at = QPointF(grid.visualRect(grid.stickers.index(row)).center())
    kind, none = QMouseEvent.Type.MouseMove, QApplication.mouseButtons()
    QApplication.sendEvent(
        grid.viewport(),
        QMouseEvent(kind, at, grid.viewport().mapToGlobal(at), none, none, QApplication.keyboardModifiers()),
    )


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
        grid = Watched(Theme(), MessageStickers(models.pictures, messages))
        grid.stickers.set_cells([StickerCell(one.key, "sticker") for one in messages])
        grid.resize(COLUMNS * CELL.width() + 24, (VISIBLE // COLUMNS) * CELL.height() + 4)
        await first_paint(grid)
        grid.setCurrentIndex(grid.stickers.index(37))
        hover(grid, 12)
        await warm(grid, models)
        pid = renderer.pid(FrameKind.TGS)
        grid.painted.clear()
        shown = [await percent(seconds, pid) for _ in range(repeats)]
        took = seconds * repeats
        slow = min(len(times) for row, times in grid.painted.items() if row not in {12, 37}) / took
        fast = min(len(grid.painted[row]) for row in (12, 37)) / took
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
