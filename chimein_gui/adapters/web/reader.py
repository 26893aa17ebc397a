"""The program's side of the process that reads pages: starts it when it is needed, and kills it when it hangs."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from chimein_gui.runtime.worker_process import WorkerDiedError, WorkerProcess, worker_command

READ_S = 5.0
"""Longest time for one page, in seconds; then the process is killed."""

REST_S = 120.0
"""Seconds without a page after which the process is ended."""

_log = logging.getLogger(__name__)


class UnreadablePageError(Exception):
    """The page made the process fail, hang or die."""


class ReadPage(NamedTuple):
    """A page that was read.

    Attributes:
        text: What can be read of it; None if there is none.
        source: The page itself, decoded.
    """

    text: str | None
    source: str


class PageReader:
    """One process, and the thread that talks with it; started by the first page, and again after it was killed."""

    def __init__(self, *, read_s: float = READ_S, rest_s: float = REST_S) -> None:
        """Create the reader; nothing is started yet."""
        self._read_s, self._rest_s = read_s, rest_s
        self._threads: ThreadPoolExecutor | None = None
        self._process: WorkerProcess | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """Return the id of the process, while it runs."""
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def prepare(self) -> None:
        """Start the process, so that it is ready when a page has come; returns at once."""
        self._submit(self._running).add_done_callback(lambda done: done.exception())

    async def read(self, data: bytes, charset: str, url: str, *, raw: bool) -> ReadPage:
        """Return the text of a page, or its source as the text if `raw`.

        Raises:
            UnreadablePageError: It can't be read.
        """
        request = {"charset": charset, "url": url, "raw": raw}
        header, body = await asyncio.wrap_future(self._submit(self._ask, request, data))
        if "why" in header:
            raise UnreadablePageError(str(header["why"])[:200])
        if header.get("text") is not True:
            return ReadPage(None, "")
        end = header.get("text_bytes")
        words = body[: end if isinstance(end, int) else None]
        text, markup = words.decode("utf-8", "replace"), body[len(words) :].decode("utf-8", "replace")
        return ReadPage(text, text if raw else markup)

    async def aclose(self) -> None:
        """Kill the process; a page that is being read is given up."""
        self._is_closed = True
        if self._rest is not None:
            self._rest.cancel()
        self._stop()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            await asyncio.to_thread(self._threads.shutdown, wait=True)
        if self._process is not None:
            self._process.kill()

    def _submit(self, work: Any, *arguments: object) -> Any:  # noqa: ANN401 - concurrent.futures' own types
        if self._is_closed:
            raise UnreadablePageError("the program ends")
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, thread_name_prefix="pages")
        if self._rest is not None:
            self._rest.cancel()
        self._rest = asyncio.get_running_loop().call_later(self._rest_s, self._stop)
        return self._threads.submit(work, *arguments)

    def _ask(self, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        try:
            return self._running().ask(request, data, self._read_s)
        except WorkerDiedError as error:
            _log.info("A page was not read: %s", error)
            raise UnreadablePageError(str(error)) from error

    def _running(self) -> WorkerProcess:
        process = self._process
        if process is not None:
            if process.is_alive():
                return process
            process.kill()
        self._process = process = WorkerProcess(
            worker_command("chimein_gui.adapters.web.worker", "--read-pages"), "the process that reads pages"
        )
        if self._is_closed:
            process.stop()
        process.wait_ready()
        return process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.stop()
