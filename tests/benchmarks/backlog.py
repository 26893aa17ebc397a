"""A backlog: many open plans, each with one undecided draft in a separate chat."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.plans.planned_steps import PlannedStep, PromptCoverage
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.environment import LivePreferences, TransactionEnvironment
from chimein_gui.engine.ports import NewGraph, Transaction

OPEN_GRAPHS = int(os.environ.get("CHIMEIN_BENCH_BACKLOG", "10000"))
"""Number of open plans; the budgets apply to 10,000, and fewer show the cost of the backlog."""
FEW_GRAPHS = 10
ACCOUNT = AccountId(2**40 + 99)
NAME = "Backlog"
PHONE = "+99966299999"
AT_ONCE = Preferences(debounce_s=0, undo_s=0, typing_base_s=0, typing_s_per_60=0, chat_cap=0, account_cap=0)
CLOCK = SystemClock()
_A_BATCH = 250


def spec_of_backlog() -> AgentSpec:
    """Return the agent whose chats have the backlog."""
    return AgentSpec(NAME, PHONE, "Be kind.", (), ())


def environment() -> TransactionEnvironment:
    """Return an environment in which everything that is decided may be sent."""
    zone = ZoneInfo("UTC")
    return TransactionEnvironment(
        LivePreferences(AT_ONCE), CLOCK.now, lambda _: zone, lambda _: True, lambda: None, lambda _: False
    )


async def fill(store: SqliteStore, graphs: int = OPEN_GRAPHS, *, known: bool = False) -> None:
    """Store so many open plans; with known partners, none of the sends is a first message."""
    for first in range(0, graphs, _A_BATCH):
        numbers = range(first, min(first + _A_BATCH, graphs))
        await store.transact(partial(_add_all, numbers=numbers, known=known))


def fill_file(path: Path, graphs: int) -> None:
    """Create a database file with so many open plans."""

    async def main() -> None:
        store = await SqliteStore.open(path, now=CLOCK.now)
        await fill(store, graphs)
        await store.aclose()

    asyncio.run(main())


def _add_all(tx: Transaction, *, numbers: range, known: bool) -> None:
    for number in numbers:
        _add(tx, number, known=known)


def _add(tx: Transaction, number: int, *, known: bool) -> None:
    now = CLOCK.now()
    agent_id = tx.agents.upsert(spec_of_backlog()).agent_id
    tx.agents.bind_account(agent_id, ACCOUNT)
    peer = PeerId(3_000_000_000 + number)
    info = ChatInfo(ACCOUNT, peer, ChatKind.DM, f"Partner {number}")
    chat, _ = tx.chats.ensure(agent_id, info, planned_up_to=MessageId(0))
    key = MessageKey(ACCOUNT, peer, MessageId(2 * number + 2))
    if known:
        before = MessageKey(ACCOUNT, peer, MessageId(2 * number + 1))
        tx.messages.put(chat.chat_id, Message(before, UserId(ACCOUNT), NAME, out=True, sent_at=now, text="Hello."))
    tx.messages.put(chat.chat_id, Message(key, UserId(peer), info.title, out=False, sent_at=now, text="Are you there?"))
    span = PromptSpan(key.message_id, key.message_id)
    graph = tx.graphs.add(NewGraph(chat.chat_id, now, trigger_ids=(key.message_id,), span=span))
    received = tx.tasks.add(chat.chat_id, TaskKind.RECEIVED, TaskStatus.DONE, graph_id=graph)
    place = StepPosition(tx.chats.get(chat.chat_id), graph, (received,), 1)
    step = PlannedStep(TaskKind.SEND, f"Yes, I am here, number {number}.")
    add_planned_send(tx, place, step, PromptCoverage(tx.revision, key.message_id), environment())
