"""Renders animated stickers in separate processes, one per kind (port `FrameRenderer`)."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from chimein_gui.domain.errors import NotDrawableError
from chimein_gui.domain.media.formats import MOST_VIDEO
from chimein_gui.domain.messages import FrameKind
from chimein_gui.engine.ports import Frames
from chimein_gui.runtime.worker_process import WorkerDiedError, WorkerProcess, WorkerStartError, worker_command

_log = logging.getLogger(__name__)

MAX_FILE = {
    FrameKind.TGS: 512 * 1024,
    FrameKind.WEBM: 2 * 2**20,
    FrameKind.VIDEO: MOST_VIDEO,
    FrameKind.GIF: MOST_VIDEO,
}
"""Largest files in bytes; of stickers Telegram accepts 64 kB and 256 kB."""

LIBRARY = {FrameKind.TGS: "rlottie_python", FrameKind.WEBM: "av", FrameKind.VIDEO: "av", FrameKind.GIF: "PySide6"}

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 5.0
"""Longest pause in seconds before a crashed process is restarted; the pause doubles with each crash."""

HOPELESS = 3
"""Failed starts in a row after which no more are tried."""

DRAW_S = 2.0
"""Longest time for one sticker in seconds; then the process is killed."""

_PROCESS = "the process that draws it"
_MAX_FRAMES = 600
_MAX_SIDE = 512
_SHEET_FPS = {FrameKind.TGS: 6, FrameKind.WEBM: 6, FrameKind.VIDEO: 0, FrameKind.GIF: 6}


def drawing_command(kind: str) -> list[str]:
    """Return the command of the process that draws one kind."""
    return worker_command("chimein_gui.adapters.frames.worker", "--draw-frames", kind)


class ProcessFrameRenderer:
    """Starts processes when they are first needed, and again after a crash.

    A sticker that made the process crash or hang is remembered by its file's name and not tried again in this run.
    """

    def __init__(self, *, draw_s: float = DRAW_S, command: Callable[[str], list[str]] = drawing_command) -> None:
        """Create the renderer; no process is started yet.

        Args:
            draw_s: Longest time for one sticker, in seconds.
            command: Returns the command of the process for a kind.
        """
        self._lanes = {kind: _Lane(command(kind), draw_s) for kind in FrameKind}
        self._culprits: dict[str, str] = {}
        self._installed = {kind: find_spec(LIBRARY[kind]) is not None for kind in FrameKind}

    def draws(self, kind: FrameKind) -> bool:
        """Return whether the library for this kind is installed and its process starts."""
        return self._installed[kind] and not self._lanes[kind].is_hopeless

    def pid(self, kind: FrameKind) -> int | None:
        """Return the id of the process for this kind, while it runs."""
        return self._lanes[kind].pid

    async def render(self, path: Path, kind: FrameKind, size: int, *, fps: int = 30) -> Frames:
        """Render all frames of a sticker; see `FrameRenderer.render`.

        Raises:
            NotDrawableError: It is broken, too large, or made the process hang or crash.
        """
        return _frames(*await self._asked(path, kind, {"size": size, "fps": fps}))

    async def sheet(self, path: Path, kind: FrameKind, size: int, most: int) -> bytes:
        """Return some frames in one picture; see `FrameRenderer.sheet`.

        Raises:
            NotDrawableError: It is broken, too large, or made the process hang or crash.
        """
        header, body = await self._asked(path, kind, {"size": size, "fps": _SHEET_FPS[kind], "sheet": most})
        if "why" in header:
            raise NotDrawableError(str(header["why"])[:200])
        return body

    async def _asked(self, path: Path, kind: FrameKind, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Let the process answer, and remember what it could not bear."""
        if path.name in self._culprits:
            raise NotDrawableError(self._culprits[path.name])
        try:
            return await self._lanes[kind].ask(path, MAX_FILE[kind], request)
        except WorkerStartError as error:
            raise NotDrawableError(str(error)) from error
        except WorkerDiedError as error:
            self._culprits[path.name] = str(error)
            raise NotDrawableError(str(error)) from error
        except OSError as error:
            raise NotDrawableError(f"it cannot be read ({error.strerror})") from error

    async def aclose(self) -> None:
        """End all processes; running renderings are aborted."""
        for lane in self._lanes.values():
            lane.stop()
        await asyncio.to_thread(self._join)

    def _join(self) -> None:
        for lane in self._lanes.values():
            lane.join()


class _Lane:
    """One kind's process and the thread that communicates with it."""

    def __init__(self, command: list[str], draw_s: float) -> None:
        self._command = command
        self._draw_s = draw_s
        self._worker: WorkerProcess | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._closing = threading.Event()
        self._deaths = 0
        self._failed_starts = 0

    @property
    def is_hopeless(self) -> bool:
        """Return whether several starts in a row have failed."""
        return self._failed_starts >= HOPELESS

    @property
    def pid(self) -> int | None:
        """Return the id of the process, while it runs."""
        worker = self._worker
        return worker.pid if worker is not None and worker.is_alive() else None

    async def ask(self, path: Path, limit: int, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Let the thread read the file and render it; a request cancelled before that is dropped."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, thread_name_prefix="frames")
        return await asyncio.wrap_future(self._threads.submit(self._ask, path, limit, request))

    def stop(self) -> None:
        """Kill the process and accept nothing more."""
        self._closing.set()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        worker = self._worker
        if worker is not None:
            worker.stop()

    def join(self) -> None:
        """Wait for the end of the thread, then close the process's pipes."""
        if self._threads is not None:
            self._threads.shutdown(wait=True)
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    def _ask(self, path: Path, limit: int, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        with path.open("rb") as file:
            data = file.read(limit + 1)
        if len(data) > limit:
            return {"why": "its file is too large"}, b""
        worker = self._running()
        try:
            answer = worker.ask(request, data, self._draw_s)
        except WorkerDiedError:
            self._worker = None
            self._deaths += 1
            raise
        self._deaths = 0
        return answer

    def _running(self) -> WorkerProcess:
        if self._worker is not None and not self._worker.is_alive():
            _log.info("The process that draws stickers was gone; it is started again")
            self._worker.kill()
            self._worker = None
        if self._worker is None:
            pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**self._deaths) if self._deaths else 0.0
            if self._closing.wait(pause) or self.is_hopeless:
                raise WorkerStartError(f"{_PROCESS} does not run")
            try:
                self._worker = WorkerProcess(self._command, _PROCESS)
                if self._closing.is_set():
                    self._worker.stop()
                self._worker.wait_ready()
            except WorkerStartError:
                self._worker = None
                self._failed_starts += 1
                raise
            self._failed_starts = 0
        return self._worker


def _frames(header: dict[str, Any], body: bytes) -> Frames:
    """Validate an answer, because the answering process has read foreign data."""
    if "why" in header:
        raise NotDrawableError(str(header["why"])[:200])
    try:
        width, height, fps = int(header["width"]), int(header["height"]), float(header["fps"])
        sizes = [int(size) for size in header["sizes"]]
        is_premultiplied = bool(header["is_premultiplied"])
    except (KeyError, TypeError, ValueError) as error:
        raise NotDrawableError("what came back makes no sense") from error
    fits = 1 <= width <= _MAX_SIDE and 1 <= height <= _MAX_SIDE and 1 <= fps <= 120 and 1 <= len(sizes) <= _MAX_FRAMES
    if not fits or min(sizes) < 1 or sum(sizes) != len(body):
        raise NotDrawableError("what came back makes no sense")
    packed, at = [], 0
    for size in sizes:
        packed.append(body[at : at + size])
        at += size
    return Frames(width, height, fps, tuple(packed), is_premultiplied)
