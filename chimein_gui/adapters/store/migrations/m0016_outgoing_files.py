"""The sixteenth migration: photos and files that the operator sends."""

from chimein_gui.adapters.store.columns.conditions import NAMELESS

SIXTEENTH = f"""
ALTER TABLE approvals ADD COLUMN file TEXT;                       -- JSON
ALTER TABLE ledger ADD COLUMN file TEXT;                          -- JSON
DROP INDEX ledger_nameless;
CREATE INDEX ledger_nameless ON ledger (chat_id) WHERE {NAMELESS};
CREATE INDEX ledger_sent ON ledger (claimed_at) WHERE state = 'sent' AND message_id IS NOT NULL;
"""
