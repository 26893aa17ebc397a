"""The thirteenth migration: problems of replies are stored as enums, not as sentences."""

THIRTEENTH = """
-- The functions stand in old_reply_words.py.
UPDATE graphs SET problems = reply_problems_of(problems) WHERE problems <> '[]';
UPDATE chats SET planning_problem = problem_with_cause(planning_problem) WHERE planning_problem <> '';
"""
