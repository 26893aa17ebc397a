"""A database as version 1 left it, with every kind of row."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from chimein_gui.adapters.store import schema
from chimein_gui.adapters.store.rows.values import to_micros
from chimein_gui.domain.tasks import FINAL, TaskStatus
from tests.unit.adapters.store.builders import ACCOUNT, NOW, later

CHANGED = ("conversation changed", "review")
T0 = to_micros(NOW)

OLD_SPEC = {
    "name": "Ada",
    "phone": "+999",
    "instructions": "Be kind.",
    "role_prompts": ["Base"],
    "role_texts": ["base text"],
    "timezone": "Europe/Berlin",
    "model": "",
    "source": "/agents/Ada.md",
}

# chat, graph, position, status, state, reasons, decided_by, ledger states
SENDS = (
    (1, 1, 0, "done", "approved", ("review",), "operator", ("void", "sent")),
    (1, 1, 1, "unknown", "approved", ("perhaps not delivered",), "auto trust", ("unknown",)),
    (1, 2, 0, "cancelled", "superseded", ("review",), "", ("void",)),
    (1, 3, 0, "awaiting_decision", "open", ("first message", "review"), "", ()),
    (1, 3, 1, "awaiting_decision", "open", CHANGED, "", ()),
    (2, 4, 0, "approved", "approved", CHANGED, "operator", ("prepared",)),
    (2, 4, 1, "approved", "approved", (), "auto trust", ("prepared",)),
    (2, 4, 2, "skipped", "rejected", ("review",), "operator", ()),
    (3, 5, 0, "failed", "approved", ("review",), "operator", ("failed",)),
    (3, 6, 0, "sending", "approved", (), "auto trust", ("sending",)),
)
"""What was planned; row ids count from 1 in this order. Each `seen_up_to` was message id 100 times its number."""


def old_file(directory: Path) -> Path:
    """Make the file with the first migration alone and statements, as no code of today would."""
    path = directory / "chimein.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        schema.migrate(connection, schema.MIGRATIONS[:1])
        connection.execute("PRAGMA journal_mode = WAL")
        _fill(connection)
    return path


def _fill(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE meta SET revision = 4711")
    connection.execute("INSERT INTO agents VALUES (1, 'ada', 'Ada', ?, 0, ?)", (ACCOUNT, json.dumps(OLD_SPEC)))
    for chat_id, trust in enumerate(("review", "auto", "review", "review"), start=1):
        connection.execute(
            "INSERT INTO chats (chat_id, agent_id, account_id, peer_id, kind, title, username, trust, planned_up_to)"
            " VALUES (?, 1, ?, ?, 'dm', ?, '', ?, 7)",
            (chat_id, ACCOUNT, chat_id, f"Partner {chat_id}", trust),
        )
    for number, out in ((8, 0), (9, 1)):
        connection.execute(
            "INSERT INTO messages VALUES (?, 1, ?, 1, 1, 'Bob', ?, ?, 'hello', '[[\"bold\",0,2,\"\"]]', NULL, NULL, 0,"
            " NULL, '', 0, NULL, 0, '')",
            (ACCOUNT, number, out, T0),
        )
    for graph_id, chat_id in enumerate((1, 1, 1, 2, 3, 3, 4), start=1):
        problems = '["line 3"]' if graph_id == 3 else "[]"
        connection.execute("INSERT INTO graphs VALUES (?, ?, ?, ?)", (graph_id, chat_id, problems, T0 + graph_id))
        connection.execute("UPDATE chats SET current_graph_id = ? WHERE chat_id = ?", (graph_id, chat_id))
    for number, send in enumerate(SENDS, start=1):
        _planned(connection, number, send)
    # The messages that led to the plan 3, and one that is being planned now.
    connection.execute(
        "INSERT INTO tasks (chat_id, graph_id, kind, status, position, trigger_ids, attempts)"
        " VALUES (1, 3, 'received', 'done', 0, '[6,8]', 1), (4, NULL, 'received', 'running', 0, '[5]', 2)"
    )
    for client, decision, verdict in (("a", "Reject", "accepted"), ("b", "Reject", "closed")):
        connection.execute(
            "INSERT INTO decisions VALUES (?, 8, 1, ?, 'too long', ?, ?)",
            (client, decision, verdict, to_micros(later(5))),
        )


def _planned(connection: sqlite3.Connection, number: int, send: tuple[object, ...]) -> None:
    chat_id, graph_id, position, status, state, reasons, decided_by, rows = send
    assert isinstance(rows, tuple)
    connection.execute(
        "INSERT INTO tasks (task_id, chat_id, graph_id, kind, status, depends_on, position, trigger_ids, reason)"
        " VALUES (?, ?, ?, 'send', ?, ?, ?, '[]', '')",
        (number, chat_id, graph_id, status, number - 1 if position else None, position),
    )
    decided_at = T0 if decided_by else None
    resolved_at = None if state == "open" else T0
    json_reasons, seen_up_to = json.dumps(reasons), 100 * number
    connection.execute(
        "INSERT INTO approvals VALUES (?, ?, ?, 3, ?, 'draft', 8, ?, ?, ?, ?, ?, ?, 'note', ?)",
        (
            *(number, number, state, f"text {number}", json_reasons, seen_up_to),
            *(T0, decided_at, decided_at, decided_by, resolved_at),
        ),
    )
    for row in rows:
        claimed = T0 if row in {"sending", "sent", "unknown", "failed"} else None
        connection.execute(
            "INSERT INTO ledger (approval_id, chat_id, version, part, random_id, state, origin, text, reply_to_id,"
            " claimed_at, message_id) VALUES (?, ?, 3, 0, random(), ?, 'plan', ?, 8, ?, ?)",
            (number, chat_id, row, f"text {number}", claimed, 9 if row == "sent" else None),
        )


def not_final(number: int) -> bool:
    """Tell whether the planned send with this number still waited for something."""
    return TaskStatus(str(SENDS[number - 1][3])) not in FINAL


def put_note(connection: sqlite3.Connection, number: int, note: str) -> None:
    """Store a plan, its step and its card with this number, each with the note."""
    connection.execute(
        "INSERT INTO graphs (graph_id, chat_id, problems, created_at, failed) VALUES (?, 1, '[]', 0, ?)", (number, note)
    )
    connection.execute(
        "INSERT INTO tasks (task_id, chat_id, graph_id, kind, status, position, trigger_ids, reason)"
        " VALUES (?1, 1, ?1, 'send', 'cancelled', 0, '[]', ?2)",
        (number, note),
    )
    connection.execute(
        "INSERT INTO approvals (approval_id, task_id, state, version, text, draft_text, reasons, seen_up_to,"
        " created_at, decided_by, note) VALUES (?1, ?1, 'superseded', 1, '', '', '[]', 0, 0, '', ?2)",
        (number, note),
    )


def put_problem(connection: sqlite3.Connection, number: int, problem: str) -> None:
    """Store a chat with this number whose last plan ended in a problem."""
    connection.execute(
        "INSERT INTO chats (chat_id, agent_id, account_id, peer_id, kind, title, username, planning_problem)"
        " VALUES (?1, 1, 1, ?1, 'dm', '', '', ?2)",
        (number, problem),
    )
