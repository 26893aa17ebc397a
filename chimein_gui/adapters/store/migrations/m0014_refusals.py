"""The fourteenth migration: refusals by Telegram are stored as enums, not as sentences."""

FOURTEENTH = """
-- The function stands in old_refusals.py.
UPDATE approvals SET note = note_of_refusal(note) WHERE note <> '';
UPDATE tasks SET reason = note_of_refusal(reason) WHERE reason <> '';
UPDATE graphs SET failed = note_of_refusal(failed) WHERE failed <> '';
-- Telegram's name of the limit; there was one alone.
UPDATE accounts SET limited = 'PEER_FLOOD' WHERE limited <> '';
-- The note of the step says it, and nothing read it here.
ALTER TABLE ledger DROP COLUMN error;
"""
