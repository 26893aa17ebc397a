"""log_follow: the Log pane follows 1,000 lines a second of all levels; longest time that the window is blocked.

Yardstick: a plain list of Qt that follows the same lines.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QSortFilterProxyModel, Qt, QTimer
from PySide6.QtWidgets import QListView

from chimein_gui import ui_driver as hand
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.reporting.log_lines import about, recent_lines
from chimein_gui.reporting.logs import start_logging, stop_logging
from chimein_gui.reporting.redaction import Redaction
from chimein_gui.ui.shell.warm_up import WarmUp
from chimein_gui.viewmodels.core.roles import Index
from chimein_gui.viewmodels.log.model import MOST, LogModel
from chimein_gui.viewmodels.log.new_lines import AT_ONCE, EVERY_MS
from tests.benchmarks.audience import Lateness, empty_window, median_of, painted_window
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt
from tests.fakes.engine_api import FakeEngineApi, agent, chat

A_SECOND, FRAME_MS = 1000, 33.0
PARTS = ("engine.planning.planner", "adapters.telegram.transport.client", "engine.sending.dispatch")


@dataclass
class Measured:
    """Milliseconds that the loop was late, by run; and how many lines were shown."""

    late_ms: list[list[float]] = field(default_factory=list)
    bare_ms: list[list[float]] = field(default_factory=list)
    calm_ms: float = 0.0
    written: int = 0
    shown: int = 0


class _Writer(threading.Thread):
    """Logs at an even rate from another thread, as libraries and jobs do."""

    def __init__(self, seconds: float) -> None:
        super().__init__(name="log writer")
        self._count = round(seconds * A_SECOND)
        self.written = 0

    def run(self) -> None:
        began = time.perf_counter()
        for number in range(self._count):
            ahead = began + number / A_SECOND - time.perf_counter()
            if ahead > 0:
                time.sleep(ahead)
            level = logging.WARNING if number % 40 == 0 else logging.INFO
            with about(agent_id=1, chat_id=1, graph_id=number):
                logging.getLogger(f"chimein_gui.{PARTS[number % 3]}").log(
                    level, "Number %d: a request took %d ms", number, number % 97
                )
            self.written += 1


async def _late_while(seconds: float) -> tuple[_Writer, list[float]]:
    """Return how late the loop was while so many seconds of lines were written."""
    writer, late = _Writer(seconds), Lateness()
    writer.start()
    await asyncio.sleep(0.3)
    late.start()
    await hand.until("the last line", lambda: not writer.is_alive(), seconds + 30)
    late.stop()
    await asyncio.sleep(0.3)
    return writer, late.late_ms


class _BareModel(QAbstractListModel):
    """Lines as they are, no more of them than the pane keeps."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = [f"Number {number} of those before" for number in range(MOST)]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self.lines[index.row()] if role == Qt.ItemDataRole.DisplayRole else None

    def take(self) -> None:
        """Append what was written."""
        source = recent_lines()
        new = [line.text for line in source.take(AT_ONCE)] if source is not None else []
        if new:
            first = len(self.lines)
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self.lines += new
            self.endInsertRows()
        elif len(self.lines) > MOST:
            self.beginRemoveRows(QModelIndex(), 0, len(self.lines) - MOST - 1)
            del self.lines[:-MOST]
            self.endRemoveRows()


@asynccontextmanager
async def _bare_list() -> AsyncIterator[QListView]:
    """Show a plain list of Qt that follows the same lines; as in the pane, a native model answers what Qt asks."""
    async with empty_window() as window:
        view, model, soon = QListView(), _BareModel(), QTimer()
        view.setUniformItemSizes(True)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        native = QSortFilterProxyModel()
        native.setSourceModel(model)
        view.setModel(native)
        native.rowsInserted.connect(view.scrollToBottom)
        window.setCentralWidget(view)
        soon.setInterval(EVERY_MS)
        soon.timeout.connect(model.take)
        soon.start()
        yield view
        soon.stop()


def _is_full(model: LogModel) -> bool:
    return model.total >= MOST


async def _run(seconds: float, runs: int) -> Measured:
    found, api, jobs = Measured(), FakeEngineApi(), JobRunner()
    api.agents[1], api.chats[1] = agent(), chat()
    WarmUp._left = []  # what a start does beside has rows of its own
    for _ in range(runs):
        async with _bare_list():
            found.bare_ms.append((await _late_while(seconds))[1])
        async with painted_window() as (window, _models):
            window.attach(api, jobs.spawn)
            window.show_pane("log")
            pane: Any = window.pane("log")
            for number in range(MOST):  # the list is full, so that the oldest lines are dropped all the time
                logging.getLogger("chimein_gui.engine").info("Number %d of those before", number)
            await hand.until("a full list", partial(_is_full, pane.model))
            calm = Lateness()
            calm.start()
            await asyncio.sleep(1)
            calm.stop()
            found.calm_ms = max(found.calm_ms, *calm.late_ms)
            writer, late_ms = await _late_while(seconds)
            newest = pane.model.line_at(pane.model.rowCount() - 1)
            if f"Number {writer.written - 1}:" not in newest.text or not pane.list.follows:
                raise RuntimeError(f"it did not follow: {newest.text}")
            found.late_ms.append(late_ms)
            found.written, found.shown = found.written + writer.written, pane.model.rowCount()
    await jobs.aclose()
    return found


def measure(folder: Path, *, quick: bool) -> Result:
    start_logging(folder, Redaction().clean)
    terminal = [one for one in logging.getLogger().handlers if type(one) is logging.StreamHandler]
    for handler in terminal:
        handler.setLevel(logging.CRITICAL)
    try:

        async def main(_app: Any) -> Measured:
            return await (_run(3, 3) if quick else _run(6, 5))

        found: Measured = run_in_qt(main)
    finally:
        stop_logging()
    longest, bare = median_of(found.late_ms, 1.0), median_of(found.bare_ms, 1.0)
    p99 = median_of(found.late_ms, 0.99)
    of_all = max(map(max, found.late_ms))
    note = f"p99 {p99:.1f} ms, {of_all:.1f} in the worst run, {found.calm_ms:.1f} while nothing is written; "
    note += f"{len(found.late_ms)} runs, {found.written} lines written, {found.shown} shown"
    budget = f"longest frame <= {FRAME_MS:.0f} ms at {A_SECOND} lines/s, median of the runs"
    return Result("log_follow", longest, "ms", bare, budget, longest <= FRAME_MS, note)
