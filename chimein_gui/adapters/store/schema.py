"""The schema, as a list of migrations; `PRAGMA user_version` counts those that a file has had.

A released migration is never changed; every change is a new one at the end.
"""

import sqlite3
from collections.abc import Sequence

from chimein_gui.adapters.store.columns.conditions import LEAVING, NOT_A_CHANNEL, OPEN, OPEN_RECEIVED
from chimein_gui.adapters.store.migrations.m0002_settings_and_costs import SECOND
from chimein_gui.adapters.store.migrations.m0003_attachments import THIRD
from chimein_gui.adapters.store.migrations.m0004_moved_groups import FOURTH
from chimein_gui.adapters.store.migrations.m0005_nameless_requests import FIFTH
from chimein_gui.adapters.store.migrations.m0006_callouts import SIXTH
from chimein_gui.adapters.store.migrations.m0007_search_index import SEVENTH
from chimein_gui.adapters.store.migrations.m0008_compared_agents import EIGHTH
from chimein_gui.adapters.store.migrations.m0009_not_heard import NINTH
from chimein_gui.adapters.store.migrations.m0010_retention import TENTH
from chimein_gui.adapters.store.migrations.m0011_notes import ELEVENTH
from chimein_gui.adapters.store.migrations.m0012_decision_counts import TWELFTH
from chimein_gui.adapters.store.migrations.m0013_reply_problems import THIRTEENTH
from chimein_gui.adapters.store.migrations.m0014_refusals import FOURTEENTH
from chimein_gui.adapters.store.migrations.m0015_model_faults import FIFTEENTH
from chimein_gui.adapters.store.migrations.m0016_outgoing_files import SIXTEENTH
from chimein_gui.adapters.store.migrations.m0017_decision_log import SEVENTEENTH
from chimein_gui.adapters.store.migrations.m0018_comparison_results import EIGHTEENTH
from chimein_gui.adapters.store.migrations.m0019_step_dependencies import NINETEENTH
from chimein_gui.adapters.store.migrations.m0020_earlier_plans import TWENTIETH
from chimein_gui.adapters.store.migrations.m0021_character_cards import TWENTY_FIRST
from chimein_gui.adapters.store.migrations.m0022_saved_edits import TWENTY_SECOND
from chimein_gui.adapters.store.migrations.m0023_prompts import TWENTY_THIRD
from chimein_gui.adapters.store.migrations.m0024_context_pins import TWENTY_FOURTH
from chimein_gui.adapters.store.migrations.m0025_cached_tokens import TWENTY_FIFTH
from chimein_gui.adapters.store.migrations.m0026_shorter_chats import TWENTY_SIXTH
from chimein_gui.adapters.store.migrations.m0027_agent_calls import TWENTY_SEVENTH
from chimein_gui.adapters.store.migrations.m0028_memory_review import TWENTY_EIGHTH
from chimein_gui.adapters.store.migrations.m0029_memory_orders import TWENTY_NINTH
from chimein_gui.adapters.store.migrations.m0030_forgotten_people import THIRTIETH
from chimein_gui.adapters.store.migrations.m0031_group_members import THIRTY_FIRST
from chimein_gui.adapters.store.migrations.m0032_media import THIRTY_SECOND
from chimein_gui.adapters.store.migrations.m0033_traces import THIRTY_THIRD
from chimein_gui.adapters.store.migrations.m0034_caps import THIRTY_FOURTH
from chimein_gui.adapters.store.migrations.m0035_page_sources import THIRTY_FIFTH
from chimein_gui.adapters.store.migrations.m0036_calls_of_traces import THIRTY_SIXTH
from chimein_gui.adapters.store.migrations.m0037_prompts_of_attempts import THIRTY_SEVENTH
from chimein_gui.adapters.store.migrations.m0038_plain_conditions import THIRTY_EIGHTH
from chimein_gui.adapters.store.migrations.words.model import note_of_fault, problem_with_fault
from chimein_gui.adapters.store.migrations.words.notes import note_of, problem_of, rejection_of
from chimein_gui.adapters.store.migrations.words.refusals import note_of_refusal
from chimein_gui.adapters.store.migrations.words.replies import problem_with_cause, reply_problems_of

APPLICATION_ID = 0x43484D4E
"""``CHMN``: identifies a SQLite file as ours."""

FIRST = f"""
PRAGMA application_id = {APPLICATION_ID};

CREATE TABLE meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
) STRICT;
INSERT INTO meta VALUES (1, 0);

CREATE TABLE agents (
    agent_id INTEGER PRIMARY KEY,
    name_key TEXT NOT NULL UNIQUE,           -- NFC, casefolded
    name TEXT NOT NULL,
    account_id INTEGER,
    identity INTEGER NOT NULL UNIQUE,
    spec TEXT NOT NULL                       -- JSON
) STRICT;

CREATE TABLE chats (
    chat_id INTEGER PRIMARY KEY,
    agent_id INTEGER NOT NULL REFERENCES agents,
    account_id INTEGER NOT NULL,
    peer_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    username TEXT NOT NULL,
    trust TEXT NOT NULL DEFAULT 'review',
    planned_up_to INTEGER NOT NULL DEFAULT 0,
    read_up_to INTEGER NOT NULL DEFAULT 0,
    partner_read_up_to INTEGER NOT NULL DEFAULT 0,
    newest_in_id INTEGER NOT NULL DEFAULT 0,
    unread INTEGER NOT NULL DEFAULT 0,
    planning_problem TEXT NOT NULL DEFAULT '',
    current_graph_id INTEGER REFERENCES graphs,
    UNIQUE (account_id, peer_id)
) STRICT;

CREATE TABLE messages (
    account_id INTEGER NOT NULL,
    peer_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    chat_id INTEGER NOT NULL REFERENCES chats,
    sender_id INTEGER,
    sender_name TEXT NOT NULL,
    out INTEGER NOT NULL,
    sent_at INTEGER NOT NULL,                -- this and all other *_at: microseconds since 1970, UTC
    text TEXT NOT NULL,
    entities TEXT NOT NULL,                  -- JSON
    reply_to_id INTEGER,
    thread_id INTEGER,
    is_bot INTEGER NOT NULL,
    grouped_id INTEGER,
    media_kind TEXT NOT NULL,
    is_service INTEGER NOT NULL,
    edited_at INTEGER,
    deleted INTEGER NOT NULL,
    raw_json TEXT NOT NULL,
    PRIMARY KEY (account_id, peer_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_without_peer ON messages (account_id, message_id) WHERE {NOT_A_CHANNEL};
CREATE INDEX messages_out ON messages (account_id, peer_id, sent_at) WHERE out = 1;

CREATE TABLE graphs (
    graph_id INTEGER PRIMARY KEY,
    chat_id INTEGER NOT NULL REFERENCES chats,
    problems TEXT NOT NULL,                  -- JSON
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tasks (
    task_id INTEGER PRIMARY KEY,
    chat_id INTEGER NOT NULL REFERENCES chats,
    graph_id INTEGER REFERENCES graphs,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    depends_on INTEGER REFERENCES tasks,
    position INTEGER NOT NULL,
    trigger_ids TEXT NOT NULL,               -- JSON
    attempts INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX tasks_open ON tasks (chat_id, graph_id, position) WHERE {OPEN};
CREATE UNIQUE INDEX tasks_received ON tasks (chat_id) WHERE {OPEN_RECEIVED};
CREATE INDEX tasks_leaving ON tasks (status) WHERE {LEAVING};

CREATE TABLE approvals (
    approval_id INTEGER PRIMARY KEY,
    task_id INTEGER NOT NULL UNIQUE REFERENCES tasks,
    state TEXT NOT NULL,
    version INTEGER NOT NULL,
    text TEXT NOT NULL,
    draft_text TEXT NOT NULL,
    reply_to_id INTEGER,
    reasons TEXT NOT NULL,                   -- JSON
    seen_up_to INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    due_at INTEGER,
    decided_at INTEGER,
    decided_by TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    resolved_at INTEGER                      -- when the state last changed to anything but open
) STRICT;
CREATE INDEX approvals_resolved ON approvals (resolved_at) WHERE resolved_at IS NOT NULL;

CREATE TABLE ledger (
    ledger_id INTEGER PRIMARY KEY,
    approval_id INTEGER NOT NULL REFERENCES approvals,
    chat_id INTEGER NOT NULL REFERENCES chats,
    version INTEGER NOT NULL,
    part INTEGER NOT NULL,
    random_id INTEGER NOT NULL UNIQUE,
    state TEXT NOT NULL,
    origin TEXT NOT NULL,
    text TEXT NOT NULL,
    reply_to_id INTEGER,
    claimed_at INTEGER,
    message_id INTEGER,
    error TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX ledger_of_approval ON ledger (approval_id);
CREATE INDEX ledger_of_message ON ledger (chat_id, message_id) WHERE message_id IS NOT NULL;

CREATE TABLE decisions (
    client_id TEXT NOT NULL PRIMARY KEY,
    approval_id INTEGER NOT NULL REFERENCES approvals,
    version INTEGER NOT NULL,
    decision TEXT NOT NULL,
    text TEXT NOT NULL,
    verdict TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""

MIGRATIONS: tuple[str, ...] = (
    *(FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH),
    *(SEVENTH, EIGHTH, NINTH, TENTH, ELEVENTH, TWELFTH, THIRTEENTH),
    *(FOURTEENTH, FIFTEENTH, SIXTEENTH, SEVENTEENTH, EIGHTEENTH, NINETEENTH, TWENTIETH),
    *(TWENTY_FIRST, TWENTY_SECOND, TWENTY_THIRD, TWENTY_FOURTH, TWENTY_FIFTH, TWENTY_SIXTH),
    *(TWENTY_SEVENTH, TWENTY_EIGHTH, TWENTY_NINTH, THIRTIETH, THIRTY_FIRST, THIRTY_SECOND),
    *(THIRTY_THIRD, THIRTY_FOURTH, THIRTY_FIFTH, THIRTY_SIXTH, THIRTY_SEVENTH, THIRTY_EIGHTH),
)


_FUNCTIONS = (
    *(note_of, rejection_of, problem_of),
    *(reply_problems_of, problem_with_cause, note_of_refusal, note_of_fault, problem_with_fault),
)
"""SQL functions that the migrations call."""


def version_of(connection: sqlite3.Connection) -> int:
    """Return how many migrations a file has had."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Bring a file up to date; each migration is one transaction, its number included."""
    done = version_of(connection)
    for function in _FUNCTIONS:
        connection.create_function(function.__name__, 1, function, deterministic=True)
    for number, script in enumerate(migrations[done:], start=done + 1):
        try:
            connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.rollback()
            raise
