"""The nineteenth migration: plans that the operator edits.

A step may depend on several earlier steps, so its dependencies are rows of their own; and edits are kept for undo.
"""

NINETEENTH = """
CREATE TABLE step_dependencies (
    task_id INTEGER NOT NULL REFERENCES tasks,
    earlier_id INTEGER NOT NULL REFERENCES tasks,
    PRIMARY KEY (task_id, earlier_id)
) STRICT, WITHOUT ROWID;
INSERT INTO step_dependencies SELECT task_id, depends_on FROM tasks WHERE depends_on IS NOT NULL;
ALTER TABLE tasks DROP COLUMN depends_on;

CREATE TABLE plan_edits (
    edit_id INTEGER PRIMARY KEY,
    graph_id INTEGER NOT NULL REFERENCES graphs,
    client_id TEXT NOT NULL UNIQUE,
    action TEXT NOT NULL,
    task_id INTEGER NOT NULL REFERENCES tasks,
    at INTEGER NOT NULL,
    changed TEXT NOT NULL,                   -- JSON: what it changed, as it was before
    undone INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX plan_edits_of_graph ON plan_edits (graph_id);
CREATE INDEX graphs_newest ON graphs (chat_id);   -- ends with the row id, as every index does
"""
