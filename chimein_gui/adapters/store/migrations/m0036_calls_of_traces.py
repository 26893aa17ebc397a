"""The thirty-sixth migration: a trace says which models its calls went to, and for what, so that costs lead to it."""

THIRTY_SIXTH = """
-- A line each: purpose, a tab, model; with a line end before the first and behind each.
ALTER TABLE traces ADD COLUMN called TEXT NOT NULL DEFAULT '';
UPDATE traces SET called = coalesce((
    SELECT char(10) || group_concat(one, char(10)) || char(10) FROM (
        SELECT DISTINCT m.purpose || char(9) || m.model AS one FROM model_calls m INDEXED BY model_calls_began
        WHERE m.began_at BETWEEN traces.began_at AND traces.ended_at AND m.chat_id = traces.chat_id ORDER BY 1
    )
), '');
"""
