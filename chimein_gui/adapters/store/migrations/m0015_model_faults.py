"""The fifteenth migration: faults of model calls are stored as enums, not as sentences."""

FIFTEENTH = """
-- The functions stand in old_model_words.py.
UPDATE tasks SET reason = note_of_fault(reason) WHERE reason LIKE '["model failed"%';
UPDATE graphs SET failed = note_of_fault(failed) WHERE failed LIKE '["model failed"%';
UPDATE chats SET planning_problem = problem_with_fault(planning_problem) WHERE planning_problem <> '';
"""
