"""Helpers for futures of Telethon and of threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


def pass_on(replies: set[asyncio.Future[Any]], reply: asyncio.Future[Any], answer: asyncio.Future[Any]) -> None:
    """Copy an answer to our reply, which is one of those that wait.

    Telethon cancels what it can't answer, which must not cancel our caller.
    """
    replies.discard(reply)
    error = ConnectionResetError("the connection was lost") if answer.cancelled() else answer.exception()
    if reply.done():
        return
    if error is None:
        reply.set_result(answer.result())
    else:
        reply.set_exception(error)


def consume(future: asyncio.Future[Any]) -> None:
    """Retrieve an exception that was handled elsewhere, so that asyncio does not report it again."""
    if future.done() and not future.cancelled():
        future.exception()


def go_if_cancelled() -> None:
    """Raise the cancellation that Telethon's connect has lost.

    WORKAROUND cpython#86296: up to 3.11 `asyncio.wait_for`, which Telethon connects with, swallows a cancellation that
    arrives together with the result; the canceller would wait for ever.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def to_the_end(work: Callable[[], None]) -> None:
    """Run blocking work in a thread and return when it is done; a cancellation waits for it, too.

    Raises:
        Exception: An exception of `work`.
    """
    done = asyncio.get_running_loop().run_in_executor(None, work)
    cancelled: asyncio.CancelledError | None = None
    while not done.done():
        try:
            await asyncio.wait({done})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        consume(done)
        raise cancelled
    done.result()
