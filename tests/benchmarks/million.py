"""A store of a million messages, for the rows that read or search in one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from chimein_gui.adapters.store.columns.message import COLUMNS
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.engine.ports import Transaction

MESSAGES = 1_000_000
ACCOUNT = AccountId(2**40 + 7)

Place = tuple[ChatId, PeerId]
TextOf = Callable[[int], str]


def people(tx: Transaction, count: int) -> list[Place]:
    """Store so many chats without messages."""
    agent = tx.agents.upsert(AgentSpec("Nora Vale", "+9996621001", "", (), ()))
    tx.agents.bind_account(agent.agent_id, ACCOUNT)
    made = []
    for number in range(count):
        info = ChatInfo(ACCOUNT, PeerId(1_000 + number), ChatKind.DM, f"Partner {number}")
        made.append((tx.chats.ensure(agent.agent_id, info, planned_up_to=MessageId(0))[0].chat_id, info.peer_id))
    return made


def _rows(chat_of: Callable[[int], Place], text_of: TextOf) -> Iterator[tuple[object, ...]]:
    """Yield the messages of all chats in the order of their ids, as an account receives them."""
    for number in range(1, MESSAGES + 1):
        chat_id, peer_id = chat_of(number)
        names = (peer_id, f"Partner {peer_id}", number % 3 == 0, number * 1_000_000, text_of(number), "[]")
        rest = (None, None, 0, None, "", 0, None, 0, "", "", "", "", 0)
        yield (ACCOUNT, peer_id, number, chat_id, *names, *rest)


def fill(path: Path, chat_of: Callable[[int], Place], text_of: TextOf) -> None:
    """Store the messages past the program, because it is faster."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        marks = ", ".join("?" * len(COLUMNS.split(",")))
        connection.executemany(f"INSERT INTO messages ({COLUMNS}) VALUES ({marks})", _rows(chat_of, text_of))
        connection.execute("COMMIT")
