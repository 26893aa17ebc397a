"""prompt_open: a stored prompt of 500 messages in the real window, from the choice of its plan until it is painted."""

from __future__ import annotations

import asyncio
import statistics
import time
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QTimer

from chimein_gui.adapters.gemini.bodies import request_of
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.prompt.sent import outline_of
from chimein_gui.engine.prompt.builder import build_prompt
from chimein_gui.engine.traces.prompt_archive import pack
from chimein_gui.ui.requests import ShowChat
from tests.benchmarks.audience import without_accounts
from tests.benchmarks.backlog import CLOCK, fill
from tests.benchmarks.row_prompt_500 import MESSAGES, inputs_of_500
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.engine.ports import Transaction

OPEN_MS = 100.0


def _store_two(tx: Transaction) -> tuple[ChatId, GraphId]:
    """Store two calls of the plan, whose prompts differ by one message."""
    chat = tx.chats.all()[0]
    graph = tx.graphs.current_of(chat.chat_id)
    assert graph is not None
    inputs = inputs_of_500()
    for number, history in enumerate((inputs.history[:-1], inputs.history)):
        prompt = build_prompt(replace(inputs, history=history))
        at = CLOCK.now() + timedelta(seconds=number)
        call = ModelCall(prompt.model, "plan", at, 1.0, CallEnd.ANSWERED, Usage(20_000, 50, 0, 18_000 * number))
        tx.effects.book(chat.chat_id, call)
        tx.prompts.add(graph.graph_id, chat.chat_id, call, outline_of(prompt), pack(request_of(prompt)))
    return chat.chat_id, graph.graph_id


async def _run(folder: Path, *, repeats: int) -> tuple[list[float], list[float]]:
    store = await SqliteStore.open(folder / "chimein.db", now=CLOCK.now)
    await fill(store, 1, known=True)
    chat_id, graph_id = await store.transact(_store_two)
    opens, compared = [], []
    async with without_accounts(store) as (window, _models, _engine):
        window.requests.send(ShowChat(chat_id))
        window.show_pane("prompt")
        pane: Any = window.pane("prompt")
        comparison = pane.models.comparison

        def is_shown() -> bool:
            return pane.prompt.view is not None

        await _until(is_shown, pane.prompt.changed)
        for _ in range(repeats):
            pane.prompt.choose_plan(None)
            await _until(lambda: bool(comparison.calls), comparison.changed)
            began = time.perf_counter()
            pane.prompt.choose_plan(graph_id)
            await _until(is_shown, pane.prompt.changed)
            opens.append((await _painted_at(pane) - began) * 1000)
            assert len(pane.prompt.view.text.turns) >= MESSAGES
            await _until(lambda: comparison.lens is not None, comparison.changed)
            compared.append((time.perf_counter() - began) * 1000)
    return opens, compared


async def _painted_at(pane: Any) -> float:
    """Paint what has changed, in Qt's loop and not in a task, and return when that is done."""
    done = asyncio.get_running_loop().create_future()

    def paint() -> None:
        QCoreApplication.sendPostedEvents()
        pane.repaint()
        done.set_result(time.perf_counter())

    QTimer.singleShot(0, paint)
    return float(await done)


async def _until(is_so: Callable[[], bool], changed: Any) -> None:
    came = asyncio.Event()
    changed.connect(came.set)
    while not is_so():
        came.clear()
        await came.wait()
    changed.disconnect(came.set)


async def _alone(work: Any, _app: Any) -> tuple[list[float], list[float]]:
    return await work()


def measure(folder: Path, *, quick: bool) -> Result:
    opens, compared = run_in_qt(partial(_alone, partial(_run, folder, repeats=5 if quick else 40)))
    opened = statistics.median(opens)
    note = f"open; with the comparison beside it {statistics.median(compared):.0f} ms; {MESSAGES} messages"
    return Result("prompt_open", opened, "ms", 0.0, f"<= {OPEN_MS:.0f} ms", opened <= OPEN_MS, note)
