"""The eleventh migration: notes and planning problems are stored as enums, not as sentences."""

ELEVENTH = """
-- JSON lists without the defaults at their end; '' = none. The functions stand in old_sentences.py.
UPDATE approvals SET note = CASE state WHEN 'rejected' THEN rejection_of(note) ELSE note_of(note) END WHERE note <> '';
UPDATE tasks SET reason = note_of(reason) WHERE reason <> '';
UPDATE graphs SET failed = note_of(failed) WHERE failed <> '';
UPDATE chats SET planning_problem = problem_of(planning_problem) WHERE planning_problem <> '';
"""
