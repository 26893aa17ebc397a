"""The thirty-eighth migration: partial indexes whose conditions compare values one by one, not with a list."""

from chimein_gui.adapters.store.columns.conditions import HOLDS_CHOICES, NAMELESS, OPEN, OPEN_RECEIVED, WORKING

THIRTY_EIGHTH = f"""
DROP INDEX tasks_open;
DROP INDEX tasks_received;
DROP INDEX tasks_working;
DROP INDEX graphs_to_trim;
DROP INDEX ledger_nameless;
CREATE INDEX tasks_open ON tasks (chat_id, graph_id, position) WHERE {OPEN};
CREATE UNIQUE INDEX tasks_received ON tasks (chat_id) WHERE {OPEN_RECEIVED};
CREATE INDEX tasks_working ON tasks (chat_id) WHERE {WORKING};
CREATE INDEX graphs_to_trim ON graphs (created_at) WHERE {HOLDS_CHOICES};
CREATE INDEX ledger_nameless ON ledger (chat_id) WHERE {NAMELESS};
"""
