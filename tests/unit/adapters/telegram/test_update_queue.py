"""The queue of updates: in order, each once, also after a wait that was given up."""

from __future__ import annotations

import asyncio
import sys

import pytest

from chimein_gui.adapters.telegram.transport.update_queue import ASYNCIO_NEEDS_NO_TASK, UpdateQueue

pytestmark = pytest.mark.skipif(sys.version_info >= ASYNCIO_NEEDS_NO_TASK, reason="Telethon's own queue is used there")


async def test_updates_come_in_order_and_each_once() -> None:
    queue = UpdateQueue()
    queue.put_nowait("a")
    await queue.put("b")
    assert [await queue.get(), await queue.get()] == ["a", "b"]
    waiting = asyncio.wait_for(queue.get(), 5)
    for one in "cd":
        asyncio.get_running_loop().call_soon(queue.put_nowait, one)
    assert [await waiting, await queue.get()] == ["c", "d"]


async def test_what_comes_after_a_time_out_is_kept_for_the_next_one() -> None:
    queue = UpdateQueue()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(queue.get(), 0.001)
    queue.put_nowait("late")
    assert await asyncio.wait_for(queue.get(), 5) == "late"


async def test_what_comes_while_a_wait_is_cancelled_is_kept_or_returned() -> None:
    queue = UpdateQueue()

    async def wait() -> object:
        return await asyncio.wait_for(queue.get(), 5)

    before = asyncio.get_running_loop().create_task(wait())
    await asyncio.sleep(0)
    before.cancel()
    queue.put_nowait("first")  # its future is there still: the update came first, and counts
    assert await before == "first"

    after = asyncio.get_running_loop().create_task(wait())
    await asyncio.sleep(0)
    after.cancel()
    with pytest.raises(asyncio.CancelledError):
        await after
    queue.put_nowait("second")
    assert await queue.get() == "second"


async def test_an_update_that_comes_in_the_moment_of_the_time_out_is_returned() -> None:
    queue = UpdateQueue()
    loop = asyncio.get_running_loop()
    loop.call_later(0.01, lambda: loop.call_soon(queue.put_nowait, "just"))
    try:
        got = await asyncio.wait_for(queue.get(), 0.01)
    except TimeoutError:
        got = await queue.get()
    assert got == "just"
