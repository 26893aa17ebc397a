"""The ninth migration: people blocked by each account."""

NINTH = """
-- Whom each account has blocked, as Telegram told last.
CREATE TABLE blocked (
    account_id INTEGER NOT NULL,
    peer_id INTEGER NOT NULL,
    PRIMARY KEY (account_id, peer_id)
) STRICT, WITHOUT ROWID;
"""
