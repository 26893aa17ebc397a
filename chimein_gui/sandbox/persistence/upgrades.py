"""How the tables of an older sandbox become those of this one, keyed on SQLite's `user_version`.

Version 0 is the sandbox of direct messages only, version 2 the first with supergroups. New tables need no step here
(`CREATE TABLE IF NOT EXISTS` makes them); new columns of old tables do.
"""

UPGRADES: dict[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE users ADD COLUMN about TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE users ADD COLUMN flags INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE messages ADD COLUMN flags INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE messages ADD COLUMN grouped_id INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE messages ADD COLUMN media_kind TEXT",
        "ALTER TABLE messages ADD COLUMN media_file INTEGER",
        "ALTER TABLE messages ADD COLUMN media_raw BLOB",
        "ALTER TABLE messages ADD COLUMN forward BLOB",
        "ALTER TABLE messages ADD COLUMN quote BLOB",
        "ALTER TABLE messages ADD COLUMN action BLOB",
    ),
    2: (
        "ALTER TABLE messages ADD COLUMN mentions TEXT",
        "ALTER TABLE messages ADD COLUMN reply_to_uid INTEGER NOT NULL DEFAULT 0",
    ),
    3: ("ALTER TABLE users ADD COLUMN bought TEXT NOT NULL DEFAULT ''",),
}
"""Statements that lead to each version from the one before."""

VERSION = max(UPGRADES)
"""What this sandbox writes."""
