"""transition_backlog: the store's time for one send from plan to confirmation, with 10,000 open plans and with 10."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.approvals import Approval, Approve, DecisionRequest
from chimein_gui.domain.ids import ChatId, LedgerId, MessageId
from chimein_gui.domain.plans.planned_steps import PlannedStep, PromptCoverage
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.approvals.apply_decision import take
from chimein_gui.engine.ports import NewGraph, Transaction
from chimein_gui.engine.sending.claim import claim
from chimein_gui.engine.sending.confirmation import confirm_part
from tests.benchmarks.backlog import ACCOUNT, CLOCK, FEW_GRAPHS, OPEN_GRAPHS, environment, fill
from tests.benchmarks.rows import Result

BUDGET = 1.5
TRANSITIONS = 4
"""Number of commits of one send: stored, approved, claimed, confirmed."""


async def one_send(store: SqliteStore, chat_id: ChatId, number: int) -> None:
    """Move one send through all its states, with a commit for each."""

    def plan(tx: Transaction) -> Approval:
        chat = tx.chats.get(chat_id)
        graph = tx.graphs.add(NewGraph(chat_id, CLOCK.now()))
        step = PlannedStep(TaskKind.SEND, f"message {number}")
        return add_planned_send(
            tx, StepPosition(chat, graph, (), 1), step, PromptCoverage(tx.revision, MessageId(0)), environment()
        )

    approval = await store.transact(plan)
    request = DecisionRequest(
        approval.approval_id, approval.version, Approve(), approval.seen_up_to, f"press {chat_id} {number}"
    )
    await store.transact(lambda tx: take(tx, request, environment()))

    def claimed(tx: Transaction) -> LedgerId:
        result = claim(tx, approval.approval_id, environment())
        assert result.claim is not None, result.note
        return result.claim.row.ledger_id

    row_id = await store.transact(claimed)
    await store.transact(lambda tx: confirm_part(tx, row_id, None, environment()))


async def compare(folder: Path, sends: int) -> tuple[list[float], list[float]]:
    """Measure both in turns, so that other load of the machine affects both; times in ms per transition."""
    stores = []
    for graphs in (FEW_GRAPHS, OPEN_GRAPHS):
        store = await SqliteStore.open(folder / f"{graphs}.db", now=CLOCK.now)
        await fill(store, graphs)
        chat = await store.read(lambda tx: next(chat for chat in tx.chats.all() if chat.info.account_id == ACCOUNT))
        stores.append((store, chat.chat_id, list[float]()))
    for number in range(sends):
        for store, chat_id, times in stores:
            began = time.perf_counter()
            await one_send(store, chat_id, number)
            times.append((time.perf_counter() - began) * 1000 / TRANSITIONS)
    for store, _, _ in stores:
        await store.aclose()
    return stores[0][2], stores[1][2]


def measure(folder: Path, *, quick: bool) -> Result:
    sends = 100 if quick else 500
    few, many = asyncio.run(compare(folder, sends))
    value, yardstick = statistics.median(many), statistics.median(few)
    budget = f"<= {BUDGET} x the cost with {FEW_GRAPHS}"
    note = f"median of {sends} sends of {TRANSITIONS} commits, {OPEN_GRAPHS:,} open graphs"
    return Result("transition_backlog", value, "ms", yardstick, budget, value <= BUDGET * yardstick, note)
