"""The program's side of the process that reads pages: starts it when it is needed, and kills it when it hangs."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from chimein_gui.adapters.web.wire import read_message, write_message

READ_S = 5.0
"""Longest time for one page, in seconds; then the process is killed."""

START_S = 20.0
"""Longest time until the process is ready, in seconds; a machine that just woke up may be slow."""

REST_S = 120.0
"""Seconds without a page after which the process is ended."""

_FROZEN_FLAG = "--read-pages"
"""Hidden option of the bundled program, which has no separate Python."""

_KEPT_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP")
"""The process that reads foreign pages gets no keys or addresses in its environment."""

_log = logging.getLogger(__name__)


class UnreadablePageError(Exception):
    """The page made the process fail, hang or die."""


def worker_command() -> list[str]:
    """Return the command of the process, for a checkout or the bundled program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, _FROZEN_FLAG]
    return [sys.executable, "-m", "chimein_gui.adapters.web.worker"]


class PageReader:
    """One process, and the thread that talks with it; started by the first page, and again after it was killed."""

    def __init__(self, *, read_s: float = READ_S, rest_s: float = REST_S) -> None:
        """Create the reader; nothing is started yet."""
        self._read_s, self._rest_s = read_s, rest_s
        self._threads: ThreadPoolExecutor | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """Return the id of the process, while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def prepare(self) -> None:
        """Start the process, so that it is ready when a page has come; returns at once."""
        self._submit(self._running).add_done_callback(lambda done: done.exception())

    async def text_of(self, data: bytes, charset: str, url: str, *, raw: bool) -> str | None:
        """Return the text of a page, or its source if `raw`; None if there is none.

        Raises:
            UnreadablePageError: It can't be read.
        """
        request = {"charset": charset, "url": url, "raw": raw}
        header, body = await asyncio.wrap_future(self._submit(self._ask, request, data))
        if "why" in header:
            raise UnreadablePageError(str(header["why"])[:200])
        return body.decode("utf-8", "replace") if header.get("text") is True else None

    async def aclose(self) -> None:
        """Kill the process; a page that is being read is given up."""
        self._is_closed = True
        if self._rest is not None:
            self._rest.cancel()
        self._kill()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            await asyncio.to_thread(self._threads.shutdown, wait=True)
        self._kill()

    def _submit(self, work: Any, *arguments: object) -> Any:  # noqa: ANN401 - concurrent.futures' own types
        if self._is_closed:
            raise UnreadablePageError("the program ends")
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, thread_name_prefix="pages")
        if self._rest is not None:
            self._rest.cancel()
        self._rest = asyncio.get_running_loop().call_later(self._rest_s, self._kill)
        return self._threads.submit(work, *arguments)

    def _ask(self, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = _killer(process, self._read_s)
        try:
            write_message(process.stdin, request, data)
            return read_message(process.stdout)
        except (EOFError, OSError, ValueError) as error:
            _log.info("The process that reads pages was lost over one: %s", error)
            raise UnreadablePageError("the process that reads it died or took too long") from error
        finally:
            timer.cancel()

    def _running(self) -> subprocess.Popen[bytes]:
        process = self._process
        if process is not None and process.poll() is None:
            return process
        _close(process)
        self._process = process = _started()
        if self._is_closed:
            process.kill()
        assert process.stdout is not None
        timer = _killer(process, START_S)
        try:
            ready, _ = read_message(process.stdout)
        except (EOFError, OSError, ValueError) as error:
            process.kill()
            raise UnreadablePageError("the process that reads pages did not start") from error
        finally:
            timer.cancel()
        if ready.get("ready") is not True:
            process.kill()
            raise UnreadablePageError("the process that reads pages did not start")
        return process

    def _kill(self) -> None:
        process = self._process
        if process is not None:
            process.kill()
            if self._is_closed:
                _close(process)


def _started() -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    try:
        return subprocess.Popen(
            worker_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise UnreadablePageError(f"the process that reads pages did not start ({error.strerror})") from error


def _killer(process: subprocess.Popen[bytes], limit_s: float) -> threading.Timer:
    timer = threading.Timer(limit_s, process.kill)
    timer.daemon = True
    timer.start()
    return timer


def _close(process: subprocess.Popen[bytes] | None) -> None:
    """Reap a process and close its pipes."""
    if process is None:
        return
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # what was still to be written
                continue
