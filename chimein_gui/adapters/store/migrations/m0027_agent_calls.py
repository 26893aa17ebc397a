"""The twenty-seventh migration: model calls that belong to an agent and to no chat, and how memories are embedded."""

TWENTY_SEVENTH = """
CREATE TABLE agent_calls (
    call_id INTEGER PRIMARY KEY,
    agent_id INTEGER REFERENCES agents,      -- none for an agent that was gone
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    latency_s REAL NOT NULL,
    ending TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    cost_usd REAL                            -- by the price list of that moment
) STRICT;
CREATE INDEX agent_calls_began ON agent_calls (began_at);

CREATE TABLE memory_embedding (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    in_use TEXT NOT NULL,
    stopped TEXT NOT NULL
) STRICT;
"""
