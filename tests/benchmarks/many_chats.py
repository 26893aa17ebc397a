"""Many chats, written directly into the tables: agents, chats, and a few messages in each."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.ids import AccountId
from chimein_gui.engine.ports import Transaction
from tests.benchmarks.backlog import CLOCK

FIRST_ACCOUNT = 2**40
MESSAGES = 20
"""Number of messages in each chat."""

HOUR_US = 3_600_000_000
_CHATS = "INSERT INTO chats (chat_id, agent_id, account_id, peer_id, kind, title, username) VALUES (?,?,?,?,?,?,?)"
_MESSAGES = """
INSERT INTO messages (account_id, peer_id, message_id, chat_id, sender_id, sender_name, out, sent_at, text, entities,
    is_bot, media_kind, is_service, deleted, raw_json)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', 0, 0, '')
"""


def specs(accounts: int) -> tuple[AgentSpec, ...]:
    """Return the agents."""
    return tuple(AgentSpec(f"Agent {one:02}", f"+99966{one:05}", "Be kind.", (), ()) for one in range(accounts))


def account(number: int) -> AccountId:
    """Return the account of an agent, counted from 0."""
    return AccountId(FIRST_ACCOUNT + number)


def fill_file(path: Path, accounts: int, chats: int) -> None:
    """Create a database file with so many accounts, and so many chats in all."""

    def bind(tx: Transaction) -> list[int]:
        made = [tx.agents.upsert(spec).agent_id for spec in specs(accounts)]
        for number, agent_id in enumerate(made):
            tx.agents.bind_account(agent_id, account(number))
        return list(made)

    async def main() -> list[int]:
        store = await SqliteStore.open(path, now=CLOCK.now)
        agents = await store.transact(bind)
        await store.aclose()
        return agents

    agents = asyncio.run(main())
    now_us = int(CLOCK.now().timestamp() * 1e6)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        connection.executemany(_CHATS, (_chat(one, agents) for one in range(chats)))
        rows = (_message(one, turn, chats, accounts, now_us) for turn in range(MESSAGES) for one in range(chats))
        connection.executemany(_MESSAGES, rows)
        connection.execute("COMMIT")


def _chat(one: int, agents: list[int]) -> tuple[object, ...]:
    at = one % len(agents)
    return one + 1, agents[at], account(at), 1_000 + one, "dm", f"Mona Partner {one:05}", f"partner{one}"


def _message(one: int, turn: int, chats: int, accounts: int, now_us: int) -> tuple[object, ...]:
    text = f"message {turn} of chat {one}, and some more words so that it is as long as people write"
    sent_at = now_us - (MESSAGES - turn) * HOUR_US - one * 1_000
    names = (1_000 + one, f"Partner {one}", turn % 3 == 0, sent_at, text, "[]")
    return (account(one % accounts), 1_000 + one, turn * chats + one + 1, one + 1, *names)
