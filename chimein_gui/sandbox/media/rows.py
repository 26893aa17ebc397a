"""The tables of media: metadata of stored files, and the epoch of file references.

The bytes are beside the database, in one file each.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from chimein_gui.sandbox.persistence import Journal
from chimein_gui.sandbox.wire.tl import TLObject, read_object, vector_bytes

SCHEMA = """
CREATE TABLE IF NOT EXISTS media_files (
    file_id INTEGER PRIMARY KEY, kind TEXT, mime_type TEXT, stored_at INTEGER, attributes BLOB, width INTEGER,
    height INTEGER);
CREATE TABLE IF NOT EXISTS media_settings (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
"""
_EPOCH = "reference_epoch"


@dataclass(frozen=True, slots=True)
class FileRow:
    """The stored metadata of an uploaded file; width and height in pixels, 0 for none."""

    file_id: int
    kind: str
    mime_type: str
    stored_at: int
    attributes: tuple[TLObject, ...]
    width: int
    height: int


class MediaRows:
    """Writes and reads the tables of media."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        journal.prepare(SCHEMA)

    def file(self, row: FileRow) -> None:
        """Add a file."""
        self._journal.write(
            "INSERT INTO media_files VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                row.file_id,
                row.kind,
                row.mime_type,
                row.stored_at,
                vector_bytes(row.attributes),
                row.width,
                row.height,
            ),
        )

    def files(self) -> Iterator[FileRow]:
        """Iterate over all files, oldest first."""
        for file_id, kind, mime_type, stored_at, attributes, *others in self._journal.read(
            "SELECT * FROM media_files ORDER BY file_id"
        ):
            yield FileRow(file_id, kind, mime_type, stored_at, tuple(read_object(attributes)), *others)

    def set_epoch(self, epoch: int) -> None:
        """Store the epoch of valid file references."""
        self._journal.write("INSERT OR REPLACE INTO media_settings VALUES (?, ?)", (_EPOCH, epoch))

    def epoch(self) -> int:
        """Return the epoch of valid file references."""
        for (value,) in self._journal.read(f"SELECT value FROM media_settings WHERE name = '{_EPOCH}'"):
            return int(value)
        return 1
