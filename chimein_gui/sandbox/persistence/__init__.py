"""The SQLite file that stores the world; changes are committed before any answer is sent.

Each part of the world has a module here with its tables (`…_rows.py`), which writes and reads them. A new part is a new
module; the others need no change:

    class FileRows:
        def __init__(self, journal: Journal) -> None:
            journal.prepare(_SCHEMA)  # CREATE TABLE IF NOT EXISTS …
            self._journal = journal

Whoever changes a table must raise `journal.VERSION`: a file of another version is set aside, and a new world begins.
"""

from chimein_gui.sandbox.persistence.journal import (
    DamagedStateError,
    Journal,
    NullJournal,
    SqliteJournal,
    StateInUseError,
)

__all__ = ["DamagedStateError", "Journal", "NullJournal", "SqliteJournal", "StateInUseError"]
