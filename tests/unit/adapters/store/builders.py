"""Small things the store's tests are made of."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from chimein_gui.adapters.store import SqliteStore
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.approvals import Approval, AskReason, Verdict
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind
from chimein_gui.domain.ids import (
    AccountId,
    ApprovalId,
    ChatId,
    GraphId,
    MessageId,
    PeerId,
    RandomId,
    Revision,
    TaskId,
    UserId,
)
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.tasks import ApprovalState, LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.ports import (
    DecisionRecord,
    Durability,
    LedgerRow,
    NewApproval,
    NewGraph,
    NewRequest,
    Store,
    Transaction,
)

NOW = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)
ACCOUNT = AccountId(2**40 + 7)
PEER = PeerId(77)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


@asynccontextmanager
async def opened(directory: Path, *, now: Callable[[], datetime] = lambda: NOW) -> AsyncIterator[Store]:
    store = await SqliteStore.open(directory / "chimein.db", now=now)
    try:
        yield store
    finally:
        await store.aclose()


def sql_of(tx: Transaction) -> Sql:
    """The statements below the rows: the tests' way to look at, and to break, what production code cannot."""
    return tx.agents._sql  # type: ignore[attr-defined]


def connection_of(tx: Transaction) -> sqlite3.Connection:
    """What lies below the statements."""
    return sql_of(tx)._connection


def pragma(tx: Transaction, name: str) -> Any:
    return sql_of(tx).all(f"PRAGMA {name}")[0][0]


def put_in(tx: Transaction, chat_id: ChatId, number: int) -> Revision:
    """Store a message and return the revision it came with."""
    assert tx.messages.put(chat_id, message(number))
    return tx.revision


def spec(name: str = "Ada", **changes: Any) -> AgentSpec:
    return AgentSpec(name, "+999", "Be kind.", ("Base", "Retrieve"), ("base text", "retrieve text"), **changes)


def chat_in(tx: Transaction, *, peer: int = PEER, account: int = ACCOUNT, agent: str = "Ada") -> Chat:
    """An agent logged in with `account`, and its chat with `peer`."""
    agent_id = tx.agents.upsert(spec(agent)).agent_id
    tx.agents.bind_account(agent_id, AccountId(account))
    info = ChatInfo(AccountId(account), PeerId(peer), ChatKind.DM, f"Partner {peer}", "partner")
    return tx.chats.ensure(agent_id, info, planned_up_to=MessageId(0))[0]


def message(number: int, text: str = "hello", *, peer: int = PEER, account: int = ACCOUNT, **changes: Any) -> Message:
    values: dict[str, Any] = {
        "sender_id": UserId(peer),
        "sender_name": "Bob",
        "out": False,
        "sent_at": later(number % 10**6),
    }
    key = MessageKey(AccountId(account), PeerId(peer), MessageId(number))
    return Message(key=key, text=text, **(values | changes))


def graph_in(tx: Transaction, chat_id: ChatId, **changes: Any) -> GraphId:
    return tx.graphs.add(NewGraph(chat_id, NOW, **changes))


def planned_in(
    tx: Transaction,
    chat_id: ChatId,
    *,
    status: TaskStatus = TaskStatus.AWAITING_DECISION,
    kind: TaskKind = TaskKind.SEND,
    graph_id: GraphId | None = None,
    position: int = 0,
) -> TaskId:
    """A step of a plan of its own, or of the given one."""
    return tx.tasks.add(chat_id, kind, status, graph_id=graph_id or graph_in(tx, chat_id), position=position)


def approval_in(
    tx: Transaction,
    chat_id: ChatId,
    *,
    text: str = "draft",
    status: TaskStatus = TaskStatus.AWAITING_DECISION,
    kind: TaskKind = TaskKind.SEND,
    graph_id: GraphId | None = None,
    position: int = 0,
    **changes: Any,
) -> Approval:
    values: dict[str, Any] = {
        "state": ApprovalState.OPEN,
        "reply_to_id": MessageId(3),
        "reasons": (AskReason.FIRST_MESSAGE, AskReason.REVIEW),
        "seen_up_to": Revision(9),
        "created_at": NOW,
    }
    task_id = planned_in(tx, chat_id, status=status, kind=kind, graph_id=graph_id, position=position)
    return tx.approvals.add(NewApproval(task_id=task_id, text=text, **(values | changes)))


def ledger_in(tx: Transaction, approval: Approval, number: int, *, part: int = 0, **changes: Any) -> LedgerRow:
    """A request with this random id, prepared and then changed."""
    row = tx.ledger.prepare(approval, NewRequest(part, RandomId(number), approval.text))
    tx.ledger.save(replace(row, **changes))
    return replace(row, **changes)


def moved(tx: Transaction, approval_id: ApprovalId, status: TaskStatus) -> None:
    """Put a planned send into a state, whatever the tables say."""
    task = tx.tasks.get(tx.approvals.get(approval_id).task_id)
    tx.tasks.save(replace(task, status=status))


class Barrier:
    """Keeps the writer busy, so that what is queued meanwhile becomes one batch.

    With FULL durability it may become one with the barrier's own.
    """

    def __init__(self, store: Store, durability: Durability = Durability.NORMAL) -> None:
        self._store = store
        self._durability = durability
        self._go = threading.Event()

    async def __aenter__(self) -> None:
        entered = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wait(_tx: Transaction) -> None:
            loop.call_soon_threadsafe(entered.set)
            assert self._go.wait(20)

        self._store.submit(wait, durability=self._durability)
        await entered.wait()

    async def __aexit__(self, *_error: object) -> None:
        self._go.set()


def started(*works: Any) -> list[asyncio.Task[Any]]:
    """Tasks for coroutines, begun in this order by the next turn of the loop."""
    loop = asyncio.get_running_loop()
    return [loop.create_task(work) for work in works]


async def turn() -> None:
    """Let started tasks reach their first wait."""
    await asyncio.sleep(0)


def counting(tx):
    """Return the list that gets every statement SQLite runs from here on."""
    seen: list[str] = []
    sql_of(tx)._connection.set_trace_callback(seen.append)
    return seen


def sent_at_once(tx: Transaction, chat_id: ChatId, number: int) -> Approval:
    """A draft that a rule approves and that is claimed, all in one piece of work."""
    approval = approval_in(tx, chat_id)
    for status in (TaskStatus.APPROVED, TaskStatus.SENDING):
        tx.tasks.save(replace(tx.tasks.get(approval.task_id), status=status))
    tx.approvals.save(replace(approval, state=ApprovalState.APPROVED, decided_by="rule"))
    row = tx.ledger.prepare(approval, NewRequest(0, RandomId(number), approval.text))
    name = f"gate {approval.approval_id}"
    record = DecisionRecord(name, approval.approval_id, 1, "Approve", "", Verdict.ACCEPTED, NOW, by="rule")
    tx.decisions.add(record)
    tx.ledger.save(replace(row, state=LedgerState.SENDING, claimed_at=NOW))
    return tx.approvals.get(approval.approval_id)


OTHER = 78


def fill(tx, *texts, peer=PEER, first=1):
    chat_id = chat_in(tx, peer=peer).chat_id
    for number, text in enumerate(texts, start=first):
        tx.messages.put(chat_id, message(number, text, peer=peer))
    return chat_id


def ids(rows):
    return [row.key.message_id for row in rows]


WORDS = [
    ("Hello World", "world hello", True),
    ("Hello World", "worlds", False),
    ("ÜBUNG macht den Meister", "übung MEISTER", True),
    ("die Straße", "STRASSE", True),
    ("die STRASSE", "straße", True),
    ("Приветствие", "ПРИВЕТ", True),
    ("ΟΔΥΣΣΕΥΣ", "οδυσσευς", True),
    ("今日は良い天気", "天気", True),
    ("今日は良い天気", "雨", False),
    ("100 % sure_thing\\o/", "% _ \\", True),
    ("100 sure", "%", False),
    ("ab", "a_", False),
    ("مرحبا بكم", "بكم", True),
    ("ปลายฟ้า ธารา", "ฟ้า", True),
    ("नमस्ते दुनिया", "दुनिया", True),
    ("안녕하세요", "하세", True),
    ('It\'s "quoted"', "'s \"q", True),
]
