"""All files of the world: their metadata, their bytes, and who may download them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from chimein_gui.sandbox.auth_keys.key_ring import KeyRing
from chimein_gui.sandbox.media.assets import OwnMedia
from chimein_gui.sandbox.media.records import PREMIUM_EFFECT, Content, MediaRef, StoredFile
from chimein_gui.sandbox.media.references import FileReferences
from chimein_gui.sandbox.media.rows import FileRow, MediaRows
from chimein_gui.sandbox.media.sticker_sets import StickerSets
from chimein_gui.sandbox.media.storage import Blobs, DiskBlobs, MemoryBlobs
from chimein_gui.sandbox.media.uploads import Uploads
from chimein_gui.sandbox.media.views import MediaViews
from chimein_gui.sandbox.persistence import Journal
from chimein_gui.sandbox.timekeeping import Clock
from chimein_gui.sandbox.wire.tl import TLObject, read_object, types

_FIRST_ID = 5_200_000_000_000_000_001


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file to be stored.

    Attributes:
        pieces: Its content, in pieces.
    """

    kind: str
    pieces: Iterable[bytes]
    mime_type: str = ""
    attributes: tuple[TLObject, ...] = ()
    width: int = 0
    height: int = 0


class MediaLibrary:
    """All stored files.

    Args:
        state_dir: Where uploaded files are kept; None keeps them in memory.
        own: The sandbox's own media.
        journal: Stores the metadata of files.
        keys: Makes access hashes.
        now: The clock of the world.
        dc_id: The only data centre.

    Attributes:
        references: Makes, checks and expires file references.
        sets: The sticker sets.
        uploads: Files that are being uploaded.
        views: Each viewer's view of files.
    """

    def __init__(
        self, *, state_dir: Path | None, own: OwnMedia, journal: Journal, keys: KeyRing, now: Clock, dc_id: int
    ) -> None:
        self._rows = MediaRows(journal)
        self._keys = keys
        self._now = now
        self._blobs: Blobs = MemoryBlobs() if state_dir is None else DiskBlobs(state_dir / "media" / "files")
        self.references = FileReferences(keys, now, epoch=self._rows.epoch())
        self.views = MediaViews(keys, self.references, dc_id)
        self.uploads = Uploads()
        self._own = own
        self.sets = StickerSets(own.sets)
        self._files = {file.file_id: file for file in own.files.values()}
        self._last_id = _FIRST_ID - 1
        for row in self._rows.files():
            self._restore(row)

    # -- what there is ------------------------------------------------------------------------------------------------

    def names(self) -> tuple[str, ...]:
        """Return the names of the sandbox's own media."""
        return tuple(self._own.files)

    def named(self, name: str) -> MediaRef:
        """Return one of the sandbox's own files, with which it can be sent, by its name, such as ``photo-lake``.

        Raises:
            LookupError: If there is none.
        """
        return self._own.ref(name)

    def file(self, file_id: int) -> StoredFile | None:
        """Return a file by its id; None if it is unknown."""
        return self._files.get(file_id)

    def open_to(self, viewer_id: int, file_id: int, access_hash: int) -> StoredFile | None:
        """Return a file if `access_hash` is the viewer's; else None."""
        file = self._files.get(file_id)
        is_theirs = file is not None and access_hash == self._keys.access_hash(viewer_id, file_id)
        return file if is_theirs else None

    # -- how it looks -------------------------------------------------------------------------------------------------

    def render(self, viewer_id: int, ref: MediaRef) -> TLObject:
        """Return a MessageMedia with the access hash and file reference that are valid for this viewer now.

        For a file that no longer exists it is one that clients show as unsupported; the chat can still be read.
        """
        if not ref.file_id:
            return read_object(ref.raw)
        file = self._files.get(ref.file_id)
        return types.MessageMediaUnsupported() if file is None else self.views.message_media(viewer_id, ref, file)

    # -- what changes -------------------------------------------------------------------------------------------------

    def store(self, new: NewFile) -> StoredFile:
        """Store a file permanently; its bytes are on the disk before its metadata is written."""
        file_id = self._last_id + 1
        self._blobs.put(file_id, new.pieces)
        row = FileRow(
            file_id=file_id,
            kind=new.kind,
            mime_type=new.mime_type,
            stored_at=int(self._now()),
            attributes=new.attributes,
            width=new.width,
            height=new.height,
        )
        self._rows.file(row)
        self._restore(row)
        return self._files[file_id]

    def expire_file_references(self) -> None:
        """Invalidate all file references; clients must fetch the messages again.

        As after every change, the caller must let the hub settle, or commit.
        """
        self.references.epoch += 1
        self._rows.set_epoch(self.references.epoch)

    def _restore(self, row: FileRow) -> None:
        content = self._blobs.get(row.file_id)
        self._last_id = max(self._last_id, row.file_id)
        self._files[row.file_id] = StoredFile(
            file_id=row.file_id,
            kind=row.kind,
            content=_Lost() if content is None else content,
            stored_at=row.stored_at,
            mime_type=row.mime_type,
            attributes=row.attributes,
            width=row.width,
            height=row.height,
        )


def part_of(file: StoredFile, letter: str) -> Content | None:
    """Return the content of a size of a file: empty or a photo's full letter for the whole, None for a missing size."""
    if letter in ("", file.full_letter if file.is_photo else ""):
        return file.content
    if file.effect is not None and letter == PREMIUM_EFFECT:
        return file.effect
    return file.thumb.content if file.thumb is not None and letter == file.thumb.letter else None


class _Lost:
    """The empty content of a file that was removed from the state directory, so that the world can still be opened."""

    size = 0

    def read(self, offset: int, limit: int) -> bytes:  # noqa: ARG002 - the protocol's signature
        """Return no bytes."""
        return b""
