"""The nineteenth migration: a step may depend on several earlier steps, so its dependencies are rows of their own."""

NINETEENTH = """
CREATE TABLE step_dependencies (
    task_id INTEGER NOT NULL REFERENCES tasks,
    earlier_id INTEGER NOT NULL REFERENCES tasks,
    PRIMARY KEY (task_id, earlier_id)
) STRICT, WITHOUT ROWID;
INSERT INTO step_dependencies SELECT task_id, depends_on FROM tasks WHERE depends_on IS NOT NULL;
ALTER TABLE tasks DROP COLUMN depends_on;
"""
