"""Counts the work that a test's loop has given to threads, so that a wait for quiet sees it.

Planning reads files and ranks memories in threads: while one works, nothing is stored, and yet the work is not done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from weakref import WeakKeyDictionary

_unfinished: WeakKeyDictionary[asyncio.AbstractEventLoop, set[Future[Any]]] = WeakKeyDictionary()


def is_working() -> bool:
    """Return whether a thread still works for the running loop."""
    return bool(_unfinished.get(asyncio.get_running_loop()))


def count_thread_work() -> None:
    """Count what any pool of threads is given by a running loop, from now on and for the whole process."""
    submit = ThreadPoolExecutor.submit

    def counted(pool: ThreadPoolExecutor, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = submit(pool, work, *args, **kwargs)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return future
        waiting = _unfinished.setdefault(loop, set())
        waiting.add(future)
        future.add_done_callback(waiting.discard)
        return future

    ThreadPoolExecutor.submit = counted  # type: ignore[method-assign, assignment]
