"""The fourth migration: groups that became supergroups."""

from chimein_gui.adapters.store.columns.conditions import OF_SEVERAL

FOURTH = f"""
-- A chat keeps the peer id of its basic group; its messages with ids from 10,000,000,000 on are the supergroup's.
CREATE TABLE moved_groups (
    account_id INTEGER NOT NULL,
    group_id INTEGER NOT NULL,
    supergroup_id INTEGER NOT NULL,
    PRIMARY KEY (account_id, group_id),
    UNIQUE (account_id, supergroup_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX chats_of_several ON chats (account_id, peer_id) WHERE {OF_SEVERAL};
"""
