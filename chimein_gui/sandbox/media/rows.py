"""What the journal keeps of media: facts about stored files, users' shelves, the epoch of file references.

The bytes themselves lie beside the database, one file each.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from chimein_gui.sandbox.persistence import Journal
from chimein_gui.sandbox.tl import TLObject, read_object, vector_bytes

SCHEMA = """
CREATE TABLE IF NOT EXISTS media_files (
    file_id INTEGER PRIMARY KEY, kind TEXT, mime_type TEXT, stored_at INTEGER, attributes BLOB, width INTEGER,
    height INTEGER, thumb_width INTEGER, thumb_height INTEGER, emoji TEXT);
CREATE TABLE IF NOT EXISTS media_shelves (
    user_id INTEGER, shelf TEXT, item_id INTEGER, rank INTEGER, PRIMARY KEY (user_id, shelf, item_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS media_settings (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
"""
_EPOCH = "reference_epoch"


@dataclass(frozen=True, slots=True)
class FileRow:
    """What is written down of an uploaded file; sides in pixels, 0 for none."""

    file_id: int
    kind: str
    mime_type: str
    stored_at: int
    attributes: tuple[TLObject, ...]
    width: int
    height: int
    thumb_width: int
    thumb_height: int
    emoji: str


class MediaRows:
    """The journal's part about media."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        journal.prepare(SCHEMA)

    def file(self, row: FileRow) -> None:
        """Add a file."""
        self._journal.write(
            "INSERT INTO media_files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row.file_id,
                row.kind,
                row.mime_type,
                row.stored_at,
                vector_bytes(row.attributes),
                row.width,
                row.height,
                row.thumb_width,
                row.thumb_height,
                row.emoji,
            ),
        )

    def files(self) -> Iterator[FileRow]:
        """Iterate over all files, oldest first."""
        for file_id, kind, mime_type, stored_at, attributes, *others in self._journal.read(
            "SELECT * FROM media_files ORDER BY file_id"
        ):
            yield FileRow(file_id, kind, mime_type, stored_at, tuple(read_object(attributes)), *others)

    def shelve(self, user_id: int, shelf: str, item_id: int, rank: int) -> None:
        """Put something on a user's shelf; a higher rank is newer."""
        self._journal.write("INSERT OR REPLACE INTO media_shelves VALUES (?, ?, ?, ?)", (user_id, shelf, item_id, rank))

    def unshelve(self, user_id: int, shelf: str, item_id: int) -> None:
        """Take something off a user's shelf."""
        self._journal.write(
            "DELETE FROM media_shelves WHERE user_id = ? AND shelf = ? AND item_id = ?", (user_id, shelf, item_id)
        )

    def shelved(self) -> list[tuple[int, str, int, int]]:
        """Return (user, shelf, item, rank), oldest first."""
        return list(self._journal.read("SELECT user_id, shelf, item_id, rank FROM media_shelves ORDER BY rank"))

    def set_epoch(self, epoch: int) -> None:
        """Set which file references are valid."""
        self._journal.write("INSERT OR REPLACE INTO media_settings VALUES (?, ?)", (_EPOCH, epoch))

    def epoch(self) -> int:
        """Return which file references are valid."""
        for (value,) in self._journal.read(f"SELECT value FROM media_settings WHERE name = '{_EPOCH}'"):
            return int(value)
        return 1
