"""The twenty-third migration: the prompts that were sent."""

TWENTY_THIRD = """
CREATE TABLE prompts (
    call_id INTEGER PRIMARY KEY REFERENCES model_calls,
    graph_id INTEGER NOT NULL REFERENCES graphs,
    outline TEXT NOT NULL,                   -- JSON
    body BLOB NOT NULL                       -- zlib
) STRICT;
CREATE INDEX prompts_of_graph ON prompts (graph_id);
"""
