"""The twenty-fifth migration: how much of a prompt the service had from an earlier call, and the calls of a chat."""

TWENTY_FIFTH = """
ALTER TABLE model_calls ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;   -- a part of the prompt's
CREATE INDEX model_calls_of_chat ON model_calls (chat_id, call_id);
"""
