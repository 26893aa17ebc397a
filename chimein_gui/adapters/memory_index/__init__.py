"""The index of memories: entries and vectors in SQLite, searched with numpy. It is derived from the memory files."""

from chimein_gui.adapters.memory_index.index import SqliteMemoryIndex

__all__ = ["SqliteMemoryIndex"]
