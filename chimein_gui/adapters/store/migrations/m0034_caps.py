"""The thirty-fourth migration: caps on costs, calls that are under way, and what calls cost a day."""

_CALLS = """
SELECT date(began_at / 1000000, 'unixepoch', 'localtime'), {agent}, {chat}, purpose, model,
count(*), sum(prompt_tokens), {rest}, sum(estimated), count(*) - count(cost_usd), coalesce(sum(cost_usd), 0.0)
"""
_OF_CHATS = _CALLS.format(
    agent="c.agent_id", chat="m.chat_id", rest="sum(cached_tokens), sum(reply_tokens), sum(thinking_tokens)"
)
_OF_AGENTS = _CALLS.format(agent="coalesce(agent_id, 0)", chat="0", rest="0, 0, 0")

THIRTY_FOURTH = f"""
CREATE TABLE caps (
    scope TEXT NOT NULL,
    target TEXT NOT NULL,                    -- number of the agent or chat; empty for everything
    usd REAL NOT NULL,
    PRIMARY KEY (scope, target)
) STRICT, WITHOUT ROWID;

CREATE TABLE cap_days (
    day TEXT NOT NULL,                       -- of the operator's zone
    scope TEXT NOT NULL,
    target TEXT NOT NULL,
    added_usd REAL NOT NULL DEFAULT 0,
    is_lifted INTEGER NOT NULL DEFAULT 0,
    is_quiet INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, scope, target)
) STRICT, WITHOUT ROWID;

CREATE TABLE cap_passes (
    chat_id INTEGER PRIMARY KEY              -- its next plan is made, whatever it costs
) STRICT;

CREATE TABLE reservations (
    token INTEGER PRIMARY KEY,
    agent_id INTEGER,
    chat_id INTEGER,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    usd REAL NOT NULL,                       -- what it may cost at most
    prompt_usd REAL
) STRICT;

CREATE TABLE cost_days (
    day TEXT NOT NULL,                       -- of the operator's zone, when it was booked
    agent_id INTEGER NOT NULL,               -- 0 for an agent that was gone
    chat_id INTEGER NOT NULL,                -- 0 for none
    purpose TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    reply_tokens INTEGER NOT NULL,
    thinking_tokens INTEGER NOT NULL,
    estimated INTEGER NOT NULL,              -- calls whose tokens are estimated
    unpriced INTEGER NOT NULL,               -- calls without a price
    usd REAL NOT NULL,
    PRIMARY KEY (day, agent_id, chat_id, purpose, model)
) STRICT, WITHOUT ROWID;
INSERT INTO cost_days {_OF_CHATS} FROM model_calls m CROSS JOIN chats c ON c.chat_id = m.chat_id
GROUP BY 1, 2, 3, 4, 5;
INSERT INTO cost_days {_OF_AGENTS} FROM agent_calls GROUP BY 1, 2, 3, 4, 5;
"""
