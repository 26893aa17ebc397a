"""tgs_grid: CPU share of 60 moving stickers, in the main process and the one that renders; hidden: none."""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chimein_gui.adapters.frames.renderer import ProcessFrameRenderer
from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.media.library import MediaEntry, Sighting
from chimein_gui.domain.messages import FrameKind, Media
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.resource_files import resource_path
from chimein_gui.ui.panes.media.grid.motion import HOVER_MS
from chimein_gui.ui.panes.media.grid.view import FAST_FPS, SLOW_FPS
from chimein_gui.viewmodels.media.pictures import STRIPS_BYTES
from tests.benchmarks.audience import painted_window
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt
from tests.fakes.engine_api import FakeEngineApi, agent, chat, message
from tests.support import stickers

if TYPE_CHECKING:
    from chimein_gui.ui.panes.media.grid.view import MediaGrid
    from chimein_gui.ui.shell.window import MainWindow
    from chimein_gui.viewmodels.window import WindowModels

VISIBLE = 60
LIVELY = (13, 38)
"""Rows of the stickers at full speed: the selected one and the hovered one."""

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


async def percent(seconds: float, pid: int | None) -> float:
    began, used = time.perf_counter(), cpu_s(pid)
    await asyncio.sleep(seconds)
    return 100 * (cpu_s(pid) - used) / (time.perf_counter() - began)


async def warm(models: WindowModels) -> None:
    """Wait until every sticker moves, and the fast ones at full speed."""
    until = time.perf_counter() + PATIENCE_S
    while len(models.pictures._strips) < VISIBLE + len(LIVELY):
        if time.perf_counter() > until:
            raise RuntimeError("the stickers were not drawn")
        await asyncio.sleep(0.05)


def furnished(folder: Path, renderer: ProcessFrameRenderer) -> FakeEngineApi:
    """Return an engine that has met sixty moving stickers of one set."""
    api = FakeEngineApi()
    api.frames = renderer
    api.agents[1], api.chats[1] = agent(), chat()
    for number in range(VISIBLE):
        media = Media(file_id=number + 1, mime_type="application/x-tgsticker", set_name="busy")
        one = message(number + 1, "", media_kind="sticker", media=media)
        path = folder / str(number)
        path.write_bytes(busy_sticker(number))
        api.media_files.put(one.key, path)
        api.media_files.put(one.key, THUMBNAIL, thumbnail=True)
        seen = Sighting("Nora Vale", ChatId(1), "Marta", one.key, one.sent_at)
        api.media_library.put(
            MediaEntry(str(number + 1), "sticker", "busy", media=media, seen=(seen,), uses=VISIBLE - number)
        )
    return api


async def moving_grid(window: MainWindow) -> MediaGrid:
    """Show the Media pane in which all stickers are in sight and move; one is selected, and one is hovered."""
    window.resize(2200, 1300)
    window.show_pane("media")
    pane: Any = window.pane("media")
    grid: MediaGrid = pane.grid
    await asyncio.sleep(0.2)
    grid.open_all()
    grid.play_all(plays=True)
    grid.setCurrentIndex(grid.rows.index(LIVELY[0], 0))
    grid.motion.hover(LIVELY[1])
    await asyncio.sleep(2 * HOVER_MS / 1000)
    return grid


def measure(folder: Path, *, quick: bool) -> Result:
    seconds, repeats = (2.0, 1) if quick else (5.0, 3)

    async def main(_app: Any) -> tuple[list[float], float, float, float, int]:
        jobs, renderer = JobRunner(), ProcessFrameRenderer()
        api = furnished(folder, renderer)
        async with painted_window() as (window, models):
            window.attach(api, jobs.spawn)
            grid = await moving_grid(window)
            await warm(models)
            pid = renderer.pid(FrameKind.TGS)
            grid.painted_frames.clear()
            shown = [await percent(seconds, pid) for _ in range(repeats)]
            took = seconds * repeats
            painted = {row: grid.painted_frames.get(row, 0) / took for row in range(1, VISIBLE + 1)}
            slow = min(fps for row, fps in painted.items() if row not in LIVELY)
            fast = min(painted[row] for row in LIVELY)
            cache = models.pictures._strips.size
            window.show_pane("conversations")
            grid.window().hide()
            hidden = await percent(seconds, pid)
        await jobs.aclose()
        await renderer.aclose()
        return shown, hidden, slow, fast, cache

    shown, hidden, slow, fast, cache = run_in_qt(main)
    value = statistics.median(shown)
    ok = value <= MOST_PERCENT and hidden <= MOST_HIDDEN_PERCENT and cache <= STRIPS_BYTES
    ok = ok and slow >= SLOW_FPS * 0.9 and fast >= FAST_FPS * 0.8
    note = f"hidden {hidden:.1f} %; slowest {slow:.1f} fps, hovered and selected {fast:.1f} fps"
    note += f"; cache {cache / 2**20:.1f} MB"
    return Result("tgs_grid", value, "% core", 0.0, f"<= {MOST_PERCENT:.0f} % of one core", ok, note)
