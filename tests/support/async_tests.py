"""Runs `async def` tests: plain ones in asyncio's own loop, those that need Qt in the program's.

A fixture is created before the loop runs. A fixture that needs the loop returns `OpenedInLoop(manager)`: the test gets
the manager's value, opened and closed in the test's own loop.

A test must leave no task behind: a task that still runs after it is named and fails it.
"""

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest

GUARD_S = 300.0
"""Time limit of a test, so that a hang fails with its position. All other time limits are shorter."""

_SETTLING_TURNS = 10
"""Turns of the loop in which a task that is cancelled at the end can finish."""


@dataclass(frozen=True)
class OpenedInLoop:
    """The value of a fixture that is opened in the loop of its test."""

    manager: AbstractAsyncContextManager[Any]


class LeakedTasksError(AssertionError):
    """The test ended while tasks of its own were still running."""


def _new_qt_loop(qapp: Any) -> asyncio.AbstractEventLoop:
    from chimein_gui.runtime.qt_loop import QtLoop

    # Otherwise the loop ends with the first window that a test closes.
    qapp.setQuitOnLastWindowClosed(False)
    loop: asyncio.AbstractEventLoop = QtLoop(qapp)
    # As in the application: qasync's own default is ten QThreads.
    loop.set_default_executor(ThreadPoolExecutor(max_workers=4, thread_name_prefix="test-executor"))
    return loop


async def _guarded(test: Coroutine[Any, Any, None]) -> None:
    async with asyncio.timeout(GUARD_S):
        await test
    for _ in range(_SETTLING_TURNS):
        leaked = asyncio.all_tasks() - {asyncio.current_task()}
        if not leaked:
            return
        await asyncio.sleep(0)
    names = sorted(f"{task.get_name()}: {task.get_coro()!r}" for task in leaked)
    raise LeakedTasksError("tasks still running after the test:\n  " + "\n  ".join(names))


def run(test: Coroutine[Any, Any, None], qapp: Any = None) -> None:
    """Run one test to its end: in qasync's loop where `qapp` is given, else in asyncio's."""
    factory = None if qapp is None else functools.partial(_new_qt_loop, qapp)
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(_guarded(test))


async def _opened(function: Callable[..., Coroutine[Any, Any, None]], arguments: dict[str, Any]) -> None:
    """Call a test with its fixtures, opening those that need the loop."""
    async with AsyncExitStack() as stack:
        for name, value in arguments.items():
            if isinstance(value, OpenedInLoop):
                arguments[name] = await stack.enter_async_context(value.manager)
        await function(**arguments)


def _wants_qt(item: pytest.Function) -> bool:
    return item.get_closest_marker("qt_loop") is not None or "qt_loop" in item.fixturenames


@pytest.fixture
def qt_loop(qapp: Any) -> Any:
    """Run an `async def` test in qasync's loop; the marker `qt_loop` does the same. Returns the QApplication."""
    return qapp


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Add the QApplication to tests with the marker, as the fixture does."""
    for item in items:
        if isinstance(item, pytest.Function) and _wants_qt(item) and "qapp" not in item.fixturenames:
            item.fixturenames.append("qapp")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run coroutine functions, also those inside hypothesis tests."""
    qapp = pyfuncitem.funcargs.get("qapp") if _wants_qt(pyfuncitem) else None
    function = pyfuncitem.obj
    handle = getattr(function, "hypothesis", None)
    if handle is not None and inspect.iscoroutinefunction(handle.inner_test):
        handle.inner_test = _as_plain_function(handle.inner_test, qapp)
        return None
    if not inspect.iscoroutinefunction(function):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    run(_opened(function, arguments), qapp)
    return True


def _as_plain_function(test: Callable[..., Coroutine[Any, Any, None]], qapp: Any) -> Callable[..., None]:
    @functools.wraps(test)
    def plain(*args: Any, **kwargs: Any) -> None:
        run(test(*args, **kwargs), qapp)

    return plain
