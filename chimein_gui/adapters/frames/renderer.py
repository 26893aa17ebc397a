"""Draws animated stickers in processes of their own, one for each kind; implements the port `FrameRenderer`."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from chimein_gui.adapters.frames.process import (
    DRAW_S,
    WorkerDiedError,
    WorkerProcess,
    WorkerStartError,
    worker_command,
)
from chimein_gui.domain.errors import NotDrawableError
from chimein_gui.domain.messages import FrameKind
from chimein_gui.engine.ports import Frames

_log = logging.getLogger(__name__)

MAX_FILE = {FrameKind.TGS: 512 * 1024, FrameKind.WEBM: 2 * 2**20}
"""Bytes; Telegram takes 64 kB and 256 kB."""

LIBRARY = {FrameKind.TGS: "rlottie_python", FrameKind.WEBM: "av"}

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 5.0
"""Before the process is started again after it died, doubling from death to death."""

HOPELESS = 3
"""Starts that may fail one after the other before nobody tries again."""

_MAX_FRAMES = 600
_MAX_SIDE = 512


class ProcessFrameRenderer:
    """Starts what draws when it is first needed, and again after it was killed.

    A sticker that made the process die or hang is remembered by its file's name and not tried again in this run.
    """

    def __init__(self, *, draw_s: float = DRAW_S, command: Callable[[str], list[str]] = worker_command) -> None:
        """Start nothing yet.

        Args:
            draw_s: Longest time for one sticker.
            command: Gives the command that starts the process for a kind.
        """
        self._lanes = {kind: _Lane(command(kind), draw_s) for kind in FrameKind}
        self._culprits: dict[str, str] = {}
        self._installed = {kind: find_spec(LIBRARY[kind]) is not None for kind in FrameKind}

    def draws(self, kind: FrameKind) -> bool:
        """Tell whether what draws this kind is installed and starts."""
        return self._installed[kind] and not self._lanes[kind].is_hopeless

    def pid(self, kind: FrameKind) -> int | None:
        """Return the id of the process that draws this kind, while it runs."""
        return self._lanes[kind].pid

    async def render(self, path: Path, kind: FrameKind, size: int, *, fps: int = 30) -> Frames:
        """Draw all frames of a sticker; see `FrameRenderer.render`.

        Raises:
            NotDrawableError: It is broken, too much, or made the process that draws hang or die.
        """
        if path.name in self._culprits:
            raise NotDrawableError(self._culprits[path.name])
        try:
            header, body = await self._lanes[kind].ask(path, MAX_FILE[kind], {"size": size, "fps": fps})
        except WorkerStartError as error:
            raise NotDrawableError(str(error)) from error
        except WorkerDiedError as error:
            self._culprits[path.name] = str(error)
            raise NotDrawableError(str(error)) from error
        except OSError as error:
            raise NotDrawableError(f"it cannot be read ({error.strerror})") from error
        return _frames(header, body)

    async def aclose(self) -> None:
        """End all processes; what was being drawn is given up."""
        for lane in self._lanes.values():
            lane.stop()
        await asyncio.to_thread(self._join)

    def _join(self) -> None:
        for lane in self._lanes.values():
            lane.join()


class _Lane:
    """One kind's process and the one thread that talks to it."""

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
        """It did not start several times in a row."""
        return self._failed_starts >= HOPELESS

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        worker = self._worker
        return worker.pid if worker is not None and worker.is_alive() else None

    async def ask(self, path: Path, limit: int, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Let the thread read the file and have it drawn; a request nobody waits for any more is not begun."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, thread_name_prefix="frames")
        return await asyncio.wrap_future(self._threads.submit(self._ask, path, limit, request))

    def stop(self) -> None:
        """End the process and begin nothing more."""
        self._closing.set()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        worker = self._worker
        if worker is not None:
            worker.stop()

    def join(self) -> None:
        """Wait until the thread is gone, then free what the process held."""
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
                raise WorkerStartError("what draws stickers does not run")
            try:
                self._worker = WorkerProcess(self._command)
            except WorkerStartError:
                self._failed_starts += 1
                raise
            self._failed_starts = 0
        return self._worker


def _frames(header: dict[str, Any], body: bytes) -> Frames:
    """Believe nothing: the process that answers has read foreign bytes."""
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
