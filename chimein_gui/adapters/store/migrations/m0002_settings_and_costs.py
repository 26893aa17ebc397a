"""The second migration: holds, settings, variants, parts, costs."""

from chimein_gui.adapters.store.columns.conditions import (
    BY_RULE,
    CURRENT,
    IN_A_PLAN,
    IN_DOUBT,
    INTERRUPTED,
    REJECTION,
    TO_WRITE,
    WORKING,
)

SECOND = f"""
ALTER TABLE agents ADD COLUMN trust TEXT NOT NULL DEFAULT '';     -- of the spec; '' = the file names none
ALTER TABLE agents ADD COLUMN trust_confirmed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX agents_account ON agents (account_id) WHERE account_id IS NOT NULL;

-- trust: '' = as the agent says
ALTER TABLE chats ADD COLUMN trust_until INTEGER;
ALTER TABLE chats ADD COLUMN triggers TEXT NOT NULL DEFAULT '';   -- '' = the default of its kind
ALTER TABLE chats ADD COLUMN quiet_hours TEXT NOT NULL DEFAULT '';  -- begin/end; '' = not set
ALTER TABLE chats ADD COLUMN allow_bots INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN allow_agents INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN takeover_until INTEGER;
ALTER TABLE chats ADD COLUMN agent_turns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN may_write INTEGER NOT NULL DEFAULT 1;

DROP INDEX tasks_leaving;
ALTER TABLE tasks ADD COLUMN wait_s REAL;
ALTER TABLE tasks ADD COLUMN restarts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN window_began_at INTEGER;
CREATE INDEX tasks_interrupted ON tasks (status) WHERE {INTERRUPTED};
CREATE INDEX tasks_working ON tasks (chat_id) WHERE {WORKING};
CREATE INDEX tasks_of_graph ON tasks (graph_id, position) WHERE {IN_A_PLAN};

-- seen_up_to counts revisions from now on; the message id it was is what the prompt covered.
ALTER TABLE approvals ADD COLUMN sticker TEXT;                    -- JSON
ALTER TABLE approvals ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE approvals ADD COLUMN covers_up_to INTEGER NOT NULL DEFAULT 0;
ALTER TABLE approvals ADD COLUMN newer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE approvals ADD COLUMN postponed_until INTEGER;
UPDATE approvals SET covers_up_to = seen_up_to, seen_up_to = 0;
UPDATE approvals SET changed_at = 1, seen_up_to = (state <> 'open') WHERE reasons LIKE '%"conversation changed"%';

-- A plan of the time before holds whatever its sends had seen: the span is not known more exactly.
ALTER TABLE graphs ADD COLUMN origin TEXT NOT NULL DEFAULT 'plan';
ALTER TABLE graphs ADD COLUMN standing TEXT NOT NULL DEFAULT 'past';
ALTER TABLE graphs ADD COLUMN variant_of INTEGER REFERENCES graphs;
ALTER TABLE graphs ADD COLUMN trigger_ids TEXT NOT NULL DEFAULT '[]';   -- JSON
ALTER TABLE graphs ADD COLUMN span TEXT NOT NULL DEFAULT '[0,0]';       -- JSON: low, high, others
ALTER TABLE graphs ADD COLUMN instruction TEXT NOT NULL DEFAULT '';
ALTER TABLE graphs ADD COLUMN lost_rule INTEGER NOT NULL DEFAULT 0;
ALTER TABLE graphs ADD COLUMN failed TEXT NOT NULL DEFAULT '';
UPDATE graphs SET trigger_ids = (SELECT trigger_ids FROM tasks WHERE graph_id = graphs.graph_id AND kind = 'received')
    WHERE graph_id IN (SELECT graph_id FROM tasks WHERE kind = 'received');
UPDATE graphs SET span = '[1,' || (SELECT max(a.covers_up_to) FROM tasks t JOIN approvals a ON a.task_id = t.task_id
        WHERE t.graph_id = graphs.graph_id) || ']'
    WHERE graph_id IN (SELECT t.graph_id FROM tasks t JOIN approvals a ON a.task_id = t.task_id);
UPDATE graphs SET standing = 'current' WHERE graph_id IN (SELECT current_graph_id FROM chats);
UPDATE chats SET current_graph_id = NULL;                         -- not used any more
CREATE UNIQUE INDEX graphs_current ON graphs (chat_id) WHERE {CURRENT};
CREATE INDEX graphs_variants ON graphs (variant_of) WHERE variant_of IS NOT NULL;

ALTER TABLE ledger ADD COLUMN account_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN kind TEXT NOT NULL DEFAULT 'send';
ALTER TABLE ledger ADD COLUMN entities TEXT NOT NULL DEFAULT '[]';      -- JSON
ALTER TABLE ledger ADD COLUMN sticker TEXT;                       -- JSON
ALTER TABLE ledger ADD COLUMN up_to INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN by_rule INTEGER NOT NULL DEFAULT 0;
UPDATE ledger SET account_id = (SELECT account_id FROM chats WHERE chat_id = ledger.chat_id),
    by_rule = claimed_at IS NOT NULL
        AND (SELECT decided_by = 'auto trust' FROM approvals WHERE approval_id = ledger.approval_id);
CREATE INDEX ledger_in_doubt ON ledger (chat_id) WHERE {IN_DOUBT};
CREATE INDEX ledger_of_account_by_rule ON ledger (account_id, claimed_at) WHERE {BY_RULE};
CREATE INDEX ledger_of_chat_by_rule ON ledger (chat_id, claimed_at) WHERE {BY_RULE};

ALTER TABLE decisions ADD COLUMN decided_by TEXT NOT NULL DEFAULT 'operator';
ALTER TABLE decisions ADD COLUMN chat_id INTEGER REFERENCES chats;
UPDATE decisions SET chat_id = (SELECT t.chat_id FROM approvals a JOIN tasks t ON t.task_id = a.task_id
    WHERE a.approval_id = decisions.approval_id);
CREATE INDEX decisions_rejections ON decisions (chat_id, at) WHERE {REJECTION};

CREATE TABLE holds (
    scope TEXT NOT NULL,
    target INTEGER NOT NULL,                 -- account or chat; 0 for all
    reason TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (scope, target)
) STRICT, WITHOUT ROWID;

CREATE TABLE waits (
    account_id INTEGER NOT NULL,
    chat_id INTEGER NOT NULL,                -- 0 for the whole account
    method TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (account_id, chat_id, method)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    account_id INTEGER PRIMARY KEY,
    limited TEXT NOT NULL DEFAULT '',        -- Telegram's words
    username TEXT NOT NULL DEFAULT ''        -- without the @: what calls the agent in groups
) STRICT;

CREATE TABLE shelf (
    shelf_id INTEGER PRIMARY KEY,
    chat_id INTEGER NOT NULL REFERENCES chats,
    base TEXT NOT NULL,
    mine TEXT NOT NULL,
    position INTEGER NOT NULL,
    paired_with INTEGER REFERENCES approvals,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX shelf_of_chat ON shelf (chat_id);

CREATE TABLE memories (
    graph_id INTEGER NOT NULL REFERENCES graphs,
    place INTEGER NOT NULL,                  -- which one of its reply, from 0
    agent_id INTEGER NOT NULL REFERENCES agents,
    chat_id INTEGER NOT NULL REFERENCES chats,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (graph_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX memories_to_write ON memories (created_at) WHERE {TO_WRITE};

CREATE TABLE model_calls (
    call_id INTEGER PRIMARY KEY,
    chat_id INTEGER NOT NULL REFERENCES chats,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    latency_s REAL NOT NULL,
    ending TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    reply_tokens INTEGER NOT NULL,
    thinking_tokens INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    cost_usd REAL                            -- by the price list of that moment
) STRICT;
CREATE INDEX model_calls_began ON model_calls (began_at);
"""
