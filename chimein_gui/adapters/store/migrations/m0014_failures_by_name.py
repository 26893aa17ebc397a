"""The fourteenth and fifteenth migrations: Telegram's refusals and failed model calls are kept by name."""

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

FIFTEENTH = """
-- The functions stand in old_model_words.py.
UPDATE tasks SET reason = note_of_fault(reason) WHERE reason LIKE '["model failed"%';
UPDATE graphs SET failed = note_of_fault(failed) WHERE failed LIKE '["model failed"%';
UPDATE chats SET planning_problem = problem_with_fault(planning_problem) WHERE planning_problem <> '';
"""
