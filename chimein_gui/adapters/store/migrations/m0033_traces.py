"""The thirty-third migration: traces say how each plan came about, what it cost and what became of it."""

THIRTY_THIRD = """
CREATE TABLE traces (
    trace_id INTEGER PRIMARY KEY,
    chat_id INTEGER NOT NULL REFERENCES chats,
    agent_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    graph_id INTEGER REFERENCES graphs,
    task_id INTEGER,                         -- the `received` step, whose attempts are one trace
    began_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    problem TEXT NOT NULL,
    first_words TEXT NOT NULL,
    usd REAL,
    unpriced INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_cached INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    work_s REAL NOT NULL,
    slow INTEGER NOT NULL,
    expensive INTEGER NOT NULL,
    edited INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    kept INTEGER NOT NULL DEFAULT 0,
    worded INTEGER NOT NULL DEFAULT 0,       -- its words are in the index, which is made later
    size INTEGER NOT NULL
) STRICT;
CREATE INDEX traces_of_graph ON traces (graph_id) WHERE graph_id IS NOT NULL;
CREATE INDEX traces_of_task ON traces (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX traces_of_chat ON traces (chat_id, trace_id);
-- All that filters ask, but words: a list or a count reads this instead of the rows.
CREATE INDEX traces_filtered ON traces
    (state, kind, agent_id, chat_id, ended_at, slow, expensive, edited, rejected, kept);
CREATE INDEX traces_to_word ON traces (trace_id) WHERE worded = 0;

CREATE TABLE trace_bodies (
    trace_id INTEGER PRIMARY KEY REFERENCES traces,
    body BLOB NOT NULL                       -- JSON, compressed if it is long
) STRICT;
"""
