"""The program's loop: asyncio's promises on top of Qt."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEventLoop, QObject, QTimer

from chimein_gui.runtime.qt_loop import FEWEST_PURGED, QtLoop

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

Run = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture
def run(qapp: QApplication) -> Run:
    def run_one(main: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=lambda: QtLoop(qapp)) as runner:
            runner.run(main)

    return run_one


def test_a_timer_is_never_early_and_timers_keep_their_order(run: Run) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        seen: list[tuple[float, float]] = []
        began = time.monotonic()

        def note(delay: float) -> None:
            seen.append((delay, time.monotonic() - began))

        now = loop.time()  # of one moment: between two calls the machine may be busy elsewhere
        for delay in (0.03, 0.01, 0.02, 0.01):
            loop.call_at(now + delay, note, delay)
        await asyncio.sleep(0.05)
        assert [delay for delay, _ in seen] == [0.01, 0.01, 0.02, 0.03]
        assert all(after >= delay for delay, after in seen)
        assert time.monotonic() - began >= 0.05

    run(main())


def test_cancelled_callbacks_and_timers_do_not_run(run: Run) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        seen: list[int] = []
        loop.call_soon(seen.append, 1).cancel()
        loop.call_later(0.001, seen.append, 2).cancel()
        await asyncio.sleep(0.01)
        assert seen == []

    run(main())


def test_cancelled_time_outs_do_not_pile_up(run: Run) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, QtLoop)
        for _ in range(20 * FEWEST_PURGED):
            async with asyncio.timeout(60):
                await asyncio.sleep(0)
        assert len(loop._pump.timers) <= 2 * FEWEST_PURGED + 2

    run(main())


def test_many_threads_lose_no_callback(run: Run) -> None:
    async def main() -> None:
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        seen: list[int] = []

        def one(number: int) -> None:
            seen.append(number)
            if len(seen) == 4000:
                done.set()

        def call_all(base: int) -> None:
            for number in range(1000):
                loop.call_soon_threadsafe(one, base + number)

        threads = [threading.Thread(target=call_all, args=(base,)) for base in (0, 1000, 2000, 3000)]
        for thread in threads:
            thread.start()
        await done.wait()
        for thread in threads:
            thread.join()
        assert sorted(seen) == list(range(4000))

    run(main())


def test_a_nested_loop_in_a_slot_lets_all_jobs_go_on(run: Run) -> None:
    async def main() -> None:
        progress: list[int] = []
        nested_saw: list[int] = []
        nested_ended = asyncio.Event()

        nested = QEventLoop()
        begins = asyncio.Event()

        async def job() -> None:
            await begins.wait()
            for number in range(50):
                progress.append(number)
                if number == 40:
                    nested.quit()
                await asyncio.sleep(0.001)

        def slot() -> None:
            begins.set()
            guard = QTimer(nested, singleShot=True, interval=30_000)
            guard.timeout.connect(nested.quit)  # only if the job stands still
            guard.start()
            nested.exec()
            guard.stop()
            nested_saw.append(len(progress))
            nested_ended.set()

        async with asyncio.TaskGroup() as group:
            running = group.create_task(job())
            QTimer.singleShot(0, slot)
            await running
        await nested_ended.wait()
        assert nested_saw[0] >= 40

    run(main())


def test_busy_callbacks_leave_room_for_qt(run: Run) -> None:
    async def main() -> None:
        loop, ticks = asyncio.get_running_loop(), []
        parent = QObject()
        timer = QTimer(parent)
        timer.timeout.connect(lambda: ticks.append(1))
        timer.start(5)
        done = asyncio.Event()

        def again(left: int) -> None:
            if left and len(ticks) < 15:
                loop.call_soon(again, left - 1)
            else:
                done.set()

        again(2_000_000)
        await done.wait()
        timer.stop()
        assert len(ticks) >= 15

    run(main())


def test_a_failing_callback_is_reported_and_the_others_run(run: Run) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        seen: list[int] = []
        trouble: list[BaseException] = []
        loop.set_exception_handler(lambda _loop, context: trouble.append(context["exception"]))
        loop.call_soon(lambda: 1 / 0)
        loop.call_soon(seen.append, 1)
        await asyncio.sleep(0.01)
        assert seen == [1]
        assert [type(error) for error in trouble] == [ZeroDivisionError]

    run(main())


def test_a_failing_reader_is_reported_and_reads_on(run: Run) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        trouble: list[BaseException] = []
        loop.set_exception_handler(lambda _loop, context: trouble.append(context["exception"]))
        here, there = socket.socketpair()
        seen, enough = bytearray(), asyncio.Event()

        def read() -> None:
            seen.extend(here.recv(1))
            if len(seen) == 2:
                enough.set()
            raise ZeroDivisionError

        loop.add_reader(here, read)
        there.send(b"ab")
        await enough.wait()
        await asyncio.sleep(0)
        loop.remove_reader(here)
        assert (bytes(seen), [type(error) for error in trouble]) == (b"ab", [ZeroDivisionError] * 2)
        here.close()
        there.close()

    run(main())


def test_what_a_reader_sets_is_not_seen_by_the_next(run: Run) -> None:
    name: ContextVar[str] = ContextVar("name", default="nobody")

    async def main() -> None:
        loop = asyncio.get_running_loop()
        here, there = socket.socketpair()
        seen: list[str] = []
        enough = asyncio.Event()

        def read() -> None:
            here.recv(1)
            seen.append(name.get())
            name.set("Nora")
            if len(seen) == 2:
                enough.set()

        loop.add_reader(here, read)
        there.send(b"ab")
        await enough.wait()
        loop.remove_reader(here)
        assert seen == ["nobody", "nobody"]
        here.close()
        there.close()

    run(main())


def test_a_reader_that_nests_a_qt_loop_is_not_called_within_it_but_afterwards(run: Run) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        here, there = socket.socketpair()
        depth, deepest, seen, enough = 0, 0, bytearray(), asyncio.Event()

        def read() -> None:
            nonlocal depth, deepest
            depth += 1
            deepest = max(depth, deepest)
            if not seen:
                nested = QEventLoop()
                QTimer.singleShot(20, nested.quit)
                nested.exec()
            seen.extend(here.recv(1))
            depth -= 1
            if len(seen) == 2:
                enough.set()

        loop.add_reader(here, read)
        there.send(b"ab")
        await enough.wait()
        loop.remove_reader(here)
        assert (bytes(seen), deepest) == (b"ab", 1)
        here.close()
        there.close()

    run(main())


def test_a_reader_that_is_replaced_or_removed_is_not_called(run: Run) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        here, there = socket.socketpair()
        other, there_too = socket.socketpair()
        seen: list[str] = []
        read = asyncio.Event()

        def take(name: str, from_: socket.socket) -> None:
            seen.append(name)
            from_.recv(10)
            loop.remove_reader(other)  # Qt may have its event already
            read.set()

        loop.add_reader(here, seen.append, "old")
        loop.add_reader(here, take, "new", here)
        loop.add_reader(other, take, "removed", other)
        loop.remove_reader(other)
        loop.add_reader(other, seen.append, "late")
        there.send(b"a")
        await read.wait()
        there_too.send(b"b")
        for _ in range(3):
            await asyncio.sleep(0.01)
        assert seen == ["new"]
        assert loop.remove_reader(here)
        assert not loop.remove_reader(here)
        for one in (here, there, other, there_too):
            one.close()

    run(main())


@pytest.mark.parametrize("is_debugged", [False, True])
def test_a_failure_says_where_its_callback_was_made_only_while_debugging(run: Run, *, is_debugged: bool) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        trouble: list[dict[str, Any]] = []
        loop.set_exception_handler(lambda _loop, context: trouble.append(context))
        loop.set_debug(is_debugged)
        assert loop.get_debug() is is_debugged
        loop.call_soon(lambda: 1 / 0)
        loop.call_later(0.001, lambda: 1 / 0)
        await asyncio.sleep(0.01)
        loop.set_debug(False)
        assert [type(one["exception"]) for one in trouble] == [ZeroDivisionError] * 2
        assert [str(one.get("source_traceback", "")).count(__file__) > 0 for one in trouble] == [is_debugged] * 2
        assert all("lambda" in one["message"] for one in trouble)

    run(main())


def test_a_time_out_that_is_cancelled_when_due_is_not_counted_as_waiting(run: Run) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, QtLoop)
        seen: list[int] = []
        now = loop.time()
        later: list[asyncio.TimerHandle] = []

        def cancel_later() -> None:
            later[0].cancel()

        loop.call_at(now, cancel_later)  # both leave the heap in one turn
        later.append(loop.call_at(now, seen.append, 1))
        before = loop._pump.cancelled_timers
        await asyncio.sleep(0.01)
        assert later[0].cancelled()
        assert (seen, loop._pump.cancelled_timers) == ([], before)

    run(main())
