"""The database: SQLite."""

from chimein_gui.adapters.store.store import SqliteStore

__all__ = ["SqliteStore"]
