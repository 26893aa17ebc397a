"""graph_500: a plan of 500 steps in the real window: to open it, and a frame while a step changes 20 times a second."""

from __future__ import annotations

import asyncio
import statistics
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.ids import ChatId, Revision, TaskId
from chimein_gui.domain.plans.details import PlanDetails
from chimein_gui.domain.plans.planned_steps import PlannedStep, PromptCoverage
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.ports import Transaction
from chimein_gui.ui.requests import ShowPlan
from tests.benchmarks.audience import painted_ms, percentile, without_accounts
from tests.benchmarks.backlog import CLOCK, environment, fill
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt

STEPS, BRANCHES, A_SECOND = 500, 10, 20
OPEN_MS, FRAME_MS = 100.0, 16.0


@dataclass
class Measured:
    """Milliseconds of each kind."""

    opens: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)


def _grow(tx: Transaction) -> ChatId:
    """Make the plan of the first chat a long one: waits and messages in turns, with a branch at every fiftieth step."""
    chat = tx.chats.all()[0]
    graph = tx.graphs.current_of(chat.chat_id)
    assert graph is not None
    before: tuple[TaskId, ...] = (tx.tasks.of_graph(graph.graph_id)[-1].task_id,)
    seen = PromptCoverage(tx.revision, chat.newest_in_id)
    for position in range(2, STEPS):
        branches = position % (STEPS // BRANCHES) == 0
        earlier = (tx.tasks.of_graph(graph.graph_id)[0].task_id,) if branches else before
        if position % 2:
            step = PlannedStep(
                TaskKind.SEND, f"Message number {position}, with a few words more than fit into its box."
            )
            before = (
                add_planned_send(
                    tx, StepPosition(chat, graph.graph_id, earlier, position), step, seen, environment()
                ).task_id,
            )
        else:
            before = (
                tx.tasks.add(
                    chat.chat_id,
                    TaskKind.WAIT,
                    TaskStatus.PENDING,
                    graph_id=graph.graph_id,
                    depends_on=earlier,
                    position=position,
                    wait_s=30.0,
                ),
            )
    return chat.chat_id


async def _run(folder: Path, *, changes: int) -> Measured:
    found = Measured()
    store = await SqliteStore.open(folder / "chimein.db", now=CLOCK.now)
    await fill(store, 1, known=True)
    chat_id = await store.transact(_grow)
    async with without_accounts(store) as (window, _models, engine):
        window.requests.send(ShowPlan(chat_id))
        pane: Any = window.pane("plans")
        plan: PlanDetails = (await engine.plan_history.current(chat_id)).rows[0]
        paint = QCoreApplication.sendPostedEvents  # lays out and paints
        pane.plan._put(None)
        await asyncio.sleep(0.2)
        found.opens.append(await painted_ms(partial(pane.plan._put, plan), partial(_paint, pane, paint)))
        card = plan.cards[len(plan.cards) // 2]
        for number in range(changes):
            status = TaskStatus.APPROVED if number % 2 else TaskStatus.AWAITING_DECISION
            change = partial(_change, pane, replace(card, task_status=status), number)
            found.frames.append(await painted_ms(change, paint))
            await asyncio.sleep(1 / A_SECOND)
    return found


def _change(pane: Any, card: Any, number: int) -> None:
    from chimein_gui.domain.events import TaskStatusChanged

    pane.plan._apply(TaskStatusChanged(card, Revision(10_000 + number)))
    pane.plan._settle()


def _paint(pane: Any, paint: Any) -> None:
    paint()
    pane.graph.viewport().repaint()
    pane.outline.viewport().repaint()


async def _alone(work: Any, _app: Any) -> Measured:
    return await work()


def measure(folder: Path, *, quick: bool) -> Result:
    changes, repeats = (20, 1) if quick else (100, 3)
    runs = []
    for repeat in range(repeats):
        place = folder / str(repeat)
        place.mkdir()
        runs.append(run_in_qt(partial(_alone, partial(_run, place, changes=changes))))
    opened = statistics.median(one for run in runs for one in run.opens)
    frame = statistics.median(percentile(run.frames, 0.99) for run in runs)
    ok = opened <= OPEN_MS and frame <= FRAME_MS
    note = f"open; p99 of a frame {frame:.1f} ms while a step changes {A_SECOND} times a second; {STEPS} steps"
    return Result("graph_500", opened, "ms", 0.0, f"open <= {OPEN_MS:.0f} ms, frame <= {FRAME_MS:.0f} ms", ok, note)
