"""approvals_500: 500 drafts in the real window: time to open the pane and per move, longest block in 100 approvals."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.approvals import Approval
from chimein_gui.ui.requests import MaximizePane
from chimein_gui.viewmodels.panes.approvals import make_approvals
from tests.benchmarks.audience import Lateness, painted_ms, percentile, without_accounts
from tests.benchmarks.backlog import CLOCK, fill
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt

DRAFTS, DECIDED, TOGETHER = 500, 100, 100
OPEN_MS, MOVE_MS, BLOCK_MS = 100.0, 16.0, 33.0


@dataclass
class Measured:
    """Milliseconds of each kind."""

    opens: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    blocks: list[float] = field(default_factory=list)
    selects: list[float] = field(default_factory=list)
    batches: list[float] = field(default_factory=list)


async def _settled(models: Any, condition: Callable[[], bool]) -> None:
    """Wait until a condition holds; it is checked whenever the list has changed."""
    happened = asyncio.Event()
    models.approvals.waiting_changed.connect(happened.set)
    models.card.changed.connect(happened.set)
    while not condition():
        happened.clear()
        await happened.wait()


async def _run(folder: Path, *, moves: int, decided: int, wide: bool) -> Measured:
    found = Measured()
    store = await SqliteStore.open(folder / "chimein.db", now=CLOCK.now)
    await fill(store, DRAFTS, known=True)
    async with without_accounts(store) as (window, models, engine):
        await _settled(models, lambda: models.approvals.total() == DRAFTS)
        pane: Any = window.pane("approvals")
        window.show_pane("approvals")
        if wide:
            window.requests.send(MaximizePane("approvals"))
        rows, paint = (await engine.queries.approvals()).rows, QCoreApplication.sendPostedEvents  # lays out and paints
        models.approvals.fill(())
        await asyncio.sleep(0.1)
        found.opens.append(await painted_ms(partial(_fill_in, models, rows), paint))
        for _ in range(moves):
            found.moves.append(await painted_ms(lambda: pane.list.move_by(1), paint))
            await asyncio.sleep(0.06)  # the details of the card are loaded, as between two presses
        found.blocks.append(await _approve(pane, models, decided))
        await _approve_together(found, pane, models, paint)
    return found


def _fill_in(models: Any, rows: tuple[Approval, ...]) -> None:
    models.approvals.fill(rows)
    models.approvals.waiting_changed.emit()  # as after a fetch: the list replaces the empty pane


async def _alone(work: Callable[[], Coroutine[Any, Any, Measured]], _app: Any) -> Measured:
    return await work()


async def _approve(pane: Any, models: Any, count: int) -> float:
    """Approve one card after the other as fast as the answers come; return the longest lateness of the loop in ms."""
    lateness = Lateness()
    lateness.start()
    pane.list.select(models.own(make_approvals).queue.items()[0].approval_id)
    for card in models.own(make_approvals).queue.items()[:count]:
        pane.list.select(card.approval_id)
        models.actions.approve(models.approvals.find(card.approval_id))
        await _settled(models, partial(_is_decided, models, card.approval_id))
    lateness.stop()
    return max(lateness.late_ms)


async def _approve_together(found: Measured, pane: Any, models: Any, paint: Callable[[], object]) -> None:
    """Select a hundred cards by one key press each, approve them with one press, and undo that."""
    from chimein_gui.viewmodels.approvals.store import waits_for_operator

    cards = [card for card in models.own(make_approvals).queue.items() if waits_for_operator(card)][:TOGETHER]
    pane.list.select(cards[0].approval_id)
    models.own(make_approvals).batch.clear()
    models.own(make_approvals).batch.toggle(models.approvals.find(cards[0].approval_id))
    for card in cards:
        models.own(make_approvals).batch.note_read(card.approval_id, card.version)
    down = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    for _ in cards[1:]:
        found.selects.append(await painted_ms(lambda: QCoreApplication.sendEvent(pane.list, down), paint))
        await asyncio.sleep(0.01)
    assert models.own(make_approvals).batch.count == len(cards), models.own(make_approvals).batch.count
    ends = asyncio.Event()
    models.own(make_approvals).batch.answered.connect(lambda _done: ends.set())
    models.own(make_approvals).batch.undone.connect(lambda _back, _left: ends.set())
    for press in (models.own(make_approvals).batch.approve, models.own(make_approvals).batch.undo):
        ends.clear()
        lateness = Lateness()
        lateness.start()
        assert press()
        await ends.wait()
        await asyncio.sleep(0.3)  # what follows the answers: the lists take the events in
        lateness.stop()
        found.batches.append(max(lateness.late_ms))
    assert models.own(make_approvals).batch.count == 0
    models.own(make_approvals).batch.clear()


def _is_decided(models: Any, approval_id: object) -> bool:
    from chimein_gui.viewmodels.approvals.store import waits_for_operator

    found = models.approvals.find(approval_id)
    return found is None or not waits_for_operator(found)


def measure(folder: Path, *, quick: bool) -> Result:
    moves, decided, repeats = (20, 20, 1) if quick else (100, DECIDED, 3)
    runs: dict[bool, list[Measured]] = {False: [], True: []}
    for repeat in range(repeats):
        for wide, measured in runs.items():
            place = folder / f"{repeat}{'wide' if wide else 'dock'}"
            place.mkdir()
            work = partial(_run, place, moves=moves, decided=decided, wide=wide)
            measured.append(run_in_qt(partial(_alone, work)))
    opened = max(statistics.median(one for run in some for one in run.opens) for some in runs.values())
    move = {wide: statistics.median(percentile(run.moves, 0.99) for run in some) for wide, some in runs.items()}
    block = max(statistics.median(one for run in some for one in run.blocks) for some in runs.values())
    together = max(statistics.median(run.batches) for some in runs.values() for run in some)
    select = max(statistics.median(percentile(run.selects, 0.99) for run in some) for some in runs.values())
    ok = opened <= OPEN_MS and max(move.values()) <= MOVE_MS and max(block, together) <= BLOCK_MS
    ok = ok and select <= MOVE_MS
    note = f"open; p99 of a move {move[False]:.1f} ms in the dock, {move[True]:.1f} ms wide;"
    note += f" longest block while approving {decided}: {block:.1f} ms; {DRAFTS} drafts, {repeats} runs of each shape"
    note += f"; {TOGETHER} together: {select:.1f} ms to select one more (p99), longest block {together:.1f} ms"
    budget = f"open <= {OPEN_MS:.0f} ms, move <= {MOVE_MS:.0f} ms, block <= {BLOCK_MS:.0f} ms"
    return Result("approvals_500", opened, "ms", 0.0, budget, ok, note)
