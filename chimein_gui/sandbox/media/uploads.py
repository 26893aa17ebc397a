"""Files on their way in: parts until a message names them, then whole (`upload.saveFilePart`).

Uploads that nobody finishes don't pile up: the oldest make room for new ones.
"""

import hashlib
from collections.abc import Iterator

from chimein_gui.sandbox.media.records import Content
from chimein_gui.sandbox.media.storage import Blobs, StorageFullError

MAX_PART = 512 * 1_024
MAX_PARTS = 4_000
SMALL_FILE = 10 * 1_024 * 1_024
"""Bytes; larger files have to be announced as big ones."""


class UploadFault(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """The upload is refused; its text is Telegram's name for why."""


class UploadDesk:
    """Collects the parts of files.

    Args:
        parts: Where they are kept.
    """

    def __init__(self, parts: Blobs) -> None:
        self._parts = parts
        self._sizes: dict[tuple[int, int], dict[int, int]] = {}

    def save(self, user_id: int, upload_id: int, index: int, data: bytes, *, total: int | None = None) -> None:
        """Keep a part; the same one again replaces it.

        Args:
            user_id: Who uploads.
            upload_id: The client's name for the file.
            index: Which part, from 0.
            data: At most 512 KB.
            total: How many parts there will be, given for big files; -1 if the client does not know yet.

        Raises:
            UploadFault: If the part can't belong to any file.
        """
        _check_part(index, data, total)
        sizes = self._sizes.setdefault((user_id, upload_id), {})
        try:
            self._keep(user_id, upload_id, index, data)
        except StorageFullError:
            self._drop((user_id, upload_id))
            raise
        sizes[index] = len(data)

    def whole(self, user_id: int, upload_id: int, parts: int) -> "WholeUpload":
        """Return a complete file.

        Raises:
            UploadFault: If parts are missing or don't fit each other.
        """
        if not 0 < parts <= MAX_PARTS:
            raise UploadFault("FILE_PARTS_INVALID")
        sizes = self._sizes.get((user_id, upload_id), {})
        for index in range(parts):
            if index not in sizes:
                raise UploadFault(f"FILE_PART_{index}_MISSING")
        step = sizes[0]
        if parts > 1 and (step % 1_024 or MAX_PART % step):
            raise UploadFault("FILE_PART_SIZE_INVALID")
        if any(sizes[index] != step for index in range(parts - 1)) or sizes[parts - 1] > step:
            raise UploadFault("FILE_PART_SIZE_CHANGED")
        contents = [self._parts.get(_name(user_id, upload_id, index)) for index in range(parts)]
        return WholeUpload([content for content in contents if content is not None])

    def forget(self, user_id: int, upload_id: int) -> None:
        """Let go of the parts of a file that is stored now."""
        self._drop((user_id, upload_id))

    def _keep(self, user_id: int, upload_id: int, index: int, data: bytes) -> None:
        name = _name(user_id, upload_id, index)
        while True:
            try:
                self._parts.put(name, [data])
            except StorageFullError:
                oldest = next(iter(self._sizes))
                if oldest == (user_id, upload_id):
                    raise
                self._drop(oldest)
            else:
                return

    def _drop(self, upload: tuple[int, int]) -> None:
        for index in self._sizes.pop(upload, {}):
            self._parts.drop(_name(*upload, index))


class WholeUpload:
    """All parts of a file, in order."""

    def __init__(self, parts: list[Content]) -> None:
        self._parts = parts
        self.size = sum(part.size for part in parts)

    def pieces(self) -> Iterator[bytes]:
        """Iterate over the content, a part at a time."""
        return (part.read(0, part.size) for part in self._parts)

    def head(self) -> bytes:
        """Return the first part, as far as 64 KB."""
        return self._parts[0].read(0, 64 * 1_024)

    def md5(self) -> str:
        """Return the checksum clients send along, hexadecimal."""
        digest = hashlib.md5(usedforsecurity=False)
        for piece in self.pieces():
            digest.update(piece)
        return digest.hexdigest()


def _check_part(index: int, data: bytes, total: int | None) -> None:
    if not data:
        raise UploadFault("FILE_PART_EMPTY")
    if len(data) > MAX_PART:
        raise UploadFault("FILE_PART_TOO_BIG")
    if not 0 <= index < MAX_PARTS:
        raise UploadFault("FILE_PART_INVALID")
    if total is None:
        return
    if total != -1 and not index < total <= MAX_PARTS:
        raise UploadFault("FILE_PARTS_INVALID")
    if index < total - 1 and (len(data) % 1_024 or MAX_PART % len(data)):
        raise UploadFault("FILE_PART_SIZE_INVALID")


def _name(user_id: int, upload_id: int, index: int) -> str:
    return f"{user_id}.{upload_id}.{index}"
