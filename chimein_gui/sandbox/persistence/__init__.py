"""Where the world survives: a SQLite file, written row by row and committed before any answer leaves.

Each part of the world has a module here with its tables (`…_rows.py`): what is written, and how it is read back. A new
part is a new module; it needs no change of the others:

    class FileRows:
        def __init__(self, journal: Journal) -> None:
            journal.prepare(_SCHEMA)  # CREATE TABLE IF NOT EXISTS …
            self._journal = journal

Whoever changes a table raises `journal.VERSION`: a file of another version is set aside, and a new world begins.
"""

from chimein_gui.sandbox.persistence.journal import (
    DamagedStateError,
    Journal,
    NullJournal,
    SqliteJournal,
    StateInUseError,
)

__all__ = ["DamagedStateError", "Journal", "NullJournal", "SqliteJournal", "StateInUseError"]
