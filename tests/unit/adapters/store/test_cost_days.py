"""What calls cost a day is summed where they are booked, and was summed once for those of earlier versions."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from chimein_gui.adapters.store.migrations.m0034_caps import THIRTY_FOURTH
from chimein_gui.adapters.store.schema import MIGRATIONS, migrate
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.spending.caps import Payer, Reservation
from tests.unit.adapters.store.builders import NOW, chat_in, sql_of

BEFORE = MIGRATIONS[: MIGRATIONS.index(THIRTY_FOURTH)]
DAY = NOW.astimezone().date().isoformat()


def call(**changes: object) -> ModelCall:
    usage = Usage(100, 20, 3, 40)
    facts = {"estimated": False, "cost_usd": 0.5, "reservation": 0, **changes}
    return ModelCall("gemini", "plan", NOW, 1.0, CallEnd.ANSWERED, usage, **facts)  # type: ignore[arg-type]


def test_calls_are_summed_by_day_agent_chat_purpose_and_model(tx):
    chat = chat_in(tx)
    tx.effects.book(chat.chat_id, call())
    tx.effects.book(chat.chat_id, call(cost_usd=None, estimated=True))
    tx.effects.book_of_agent(chat.agent_id, call())
    tx.effects.book_of_agent(None, call())
    rows = list(sql_of(tx).all("SELECT * FROM cost_days ORDER BY agent_id, chat_id"))
    assert rows == [
        (DAY, 0, 0, "plan", "gemini", 1, 100, 40, 20, 3, 0, 0, 0.5),
        (DAY, chat.agent_id, 0, "plan", "gemini", 1, 100, 40, 20, 3, 0, 0, 0.5),
        (DAY, chat.agent_id, chat.chat_id, "plan", "gemini", 2, 200, 80, 40, 6, 1, 1, 0.5),
    ]


def test_a_booked_call_ends_its_reservation_and_no_other(tx):
    chat = chat_in(tx)
    payer = Payer(chat.agent_id, chat.chat_id)
    for token in (1, 2):
        tx.spending.reserve(Reservation(token, payer, "gemini", "plan", NOW, 10, 0.2, 0.1))
    tx.effects.book(chat.chat_id, call(reservation=1))
    assert [one.token for one in tx.spending.reservations()] == [2]


def test_calls_of_earlier_versions_are_in_the_sums(tmp_path: Path) -> None:
    micros = int(NOW.timestamp() * 1_000_000)
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        migrate(connection, BEFORE)
        connection.execute("PRAGMA foreign_keys = OFF")
        columns = [row[1] for row in connection.execute("PRAGMA table_info(chats)") if row[3] and row[4] is None]
        values = {name: 7 if name != "title" else "x" for name in columns}
        names = ", ".join(values)
        connection.execute(
            f"INSERT INTO chats ({names}) VALUES ({', '.join('?' * len(values))})",
            tuple(values.values()),
        )
        ((chat_id, agent_id),) = connection.execute("SELECT chat_id, agent_id FROM chats").fetchall()
        for cost in (0.5, None):
            connection.execute(
                "INSERT INTO model_calls (chat_id, model, purpose, began_at, latency_s, ending, prompt_tokens,"
                " reply_tokens, thinking_tokens, estimated, cost_usd, cached_tokens)"
                " VALUES (?, 'gemini', 'plan', ?, 1.0, 'answered', 100, 20, 3, 0, ?, 40)",
                (chat_id, micros, cost),
            )
        connection.execute(
            "INSERT INTO agent_calls (agent_id, model, purpose, began_at, latency_s, ending, prompt_tokens, estimated,"
            " cost_usd) VALUES (NULL, 'gemini', 'embed', ?, 1.0, 'answered', 9, 1, 0.25)",
            (micros,),
        )
        connection.commit()
        migrate(connection)
        rows = connection.execute("SELECT * FROM cost_days ORDER BY chat_id").fetchall()
    assert rows == [
        (DAY, 0, 0, "embed", "gemini", 1, 9, 0, 0, 0, 1, 0, 0.25),
        (DAY, agent_id, chat_id, "plan", "gemini", 2, 200, 80, 40, 6, 0, 1, 0.5),
    ]
