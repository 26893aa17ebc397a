"""The thirty-seventh migration: the prompts of attempts that brought no plan are stored, too."""

THIRTY_SEVENTH = """
CREATE TABLE prompts_with_attempts (
    call_id INTEGER PRIMARY KEY REFERENCES model_calls,
    graph_id INTEGER REFERENCES graphs,      -- the plan; NULL for an attempt that brought none
    task_id INTEGER,                         -- of such an attempt the `received` step, which its trace has
    outline TEXT NOT NULL,                   -- JSON
    body BLOB NOT NULL                       -- zlib
) STRICT;
INSERT INTO prompts_with_attempts SELECT call_id, graph_id, NULL, outline, body FROM prompts;
DROP TABLE prompts;
ALTER TABLE prompts_with_attempts RENAME TO prompts;
CREATE INDEX prompts_of_graph ON prompts (graph_id);
CREATE INDEX prompts_of_task ON prompts (task_id) WHERE task_id IS NOT NULL;
"""
